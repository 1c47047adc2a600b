//! Generators and oracles.
