//! How exact must a distance be?

use anyhow::{Result, bail};
use clap::Args;
use nearhit::Tolerance;

/// What can be typed about it.
#[derive(Debug, Clone, Default, Args)]
pub struct TypedTolerance {
    /// Accept a distance that is too large by this fraction.
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    pub rel_error: Option<f64>,

    /// Accept a distance that is too large by this much.
    #[arg(long, value_name = "E", allow_negative_numbers = true)]
    pub abs_error: Option<f64>,
}

/// What was typed, understood.
pub(crate) fn tolerance(typed: &TypedTolerance) -> Result<Tolerance> {
    let relative = error(typed.rel_error, "--rel-error")?;
    let absolute = error(typed.abs_error, "--abs-error")?;
    Ok(Tolerance::new(relative, absolute))
}

fn error(typed: Option<f64>, flag: &str) -> Result<f64> {
    match typed {
        None => Ok(0.0),
        Some(number) if number.is_finite() && number >= 0.0 => Ok(number),
        Some(number) => bail!("{flag} {number}: must be a finite number, at least 0"),
    }
}

/// A length to compare distances with, typed after `place`: what it is called there.
pub(crate) fn limit(text: &str, place: &str, what: &str) -> Result<f64> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && number >= 0.0 => Ok(number),
        _ => bail!("{place}{text}: the {what} must be a finite number, at least 0"),
    }
}

/// Is the interval as narrow as was asked for? If not, a budget ended the search.
///
/// The library leaves out what cannot improve the upper bound by more than one of the two errors; this is the same condition.
pub(crate) fn is_met(tolerance: Tolerance, lower: f64, upper: f64) -> bool {
    let relative = upper / (1.0 + tolerance.relative);
    let absolute = upper - tolerance.absolute;
    lower >= relative.min(absolute).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wider_of_the_two_errors_counts() {
        let met = |relative, absolute, lower| is_met(Tolerance::new(relative, absolute), lower, 2.0);
        assert!(met(0.0, 0.0, 2.0) && !met(0.0, 0.0, 1.999));
        assert!(met(1.0, 0.0, 1.0) && !met(1.0, 0.0, 0.999));
        assert!(met(0.0, 0.5, 1.5) && !met(0.0, 0.5, 1.499));
        assert!(met(1.0, 0.5, 1.0) && met(0.0, 1e9, 0.0));
    }
}
