//! Mesh readers.
