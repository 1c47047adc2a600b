//! Tolerances: how exact a distance must be, and lengths given on the command line.

use anyhow::{Result, bail};
use nearhit::Tolerance;

/// `--rel-error` and `--abs-error`.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct ToleranceArgs {
    /// Accept a distance that is too large by this fraction.
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    pub rel_error: Option<f64>,

    /// Accept a distance that is too large by this much.
    #[arg(long, value_name = "E", allow_negative_numbers = true)]
    pub abs_error: Option<f64>,
}

impl ToleranceArgs {
    /// Exact unless an error is allowed.
    pub(crate) fn tolerance(&self) -> Result<Tolerance> {
        let relative = error(self.rel_error, "--rel-error")?;
        let absolute = error(self.abs_error, "--abs-error")?;
        Ok(Tolerance::new(relative, absolute))
    }
}

fn error(given: Option<f64>, flag: &str) -> Result<f64> {
    match given {
        None => Ok(0.0),
        Some(number) if number.is_finite() && number >= 0.0 => Ok(number),
        Some(number) => bail!("{flag} {number}: must be a finite number, at least 0"),
    }
}

/// A length given after `place`, called `what` in errors.
pub(crate) fn length(text: &str, place: &str, what: &str) -> Result<f64> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && number >= 0.0 => Ok(number),
        _ => bail!("{place}{text}: the {what} must be a finite number, at least 0"),
    }
}
