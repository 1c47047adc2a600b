//! Written by `nearhit-bench calibrate`: do not edit.

use super::calibration::Calibration;

/// Fitted on generated models, one line for each way a search ends.
#[rustfmt::skip]
pub const FITTED: Calibration = Calibration {
    weights: [
        [-2.8392, 3.2275, 4.2794, -2.8392, -0.4434, 1.0756],
        [-2.8325, 0.2999, 1.0043, -1.9488, 0.4699, 3.3416],
        [-4.2935, 1.4824, 2.5142, -1.9407, -0.1479, 5.3127],
    ],
};
