//! Written by `nearhit-bench calibrate`: do not edit.

use super::calibration::Calibration;

/// Fitted on generated models, one line for each way a search ends.
#[rustfmt::skip]
pub const FITTED: Calibration = Calibration {
    weights: [
        [0.8274, -0.1997, 1.0234, 0.8274, -1.9504, 4.3061],
        [-1.6792, 0.3486, 1.9766, -1.3368, 0.9389, 4.7435],
        [-2.8650, 1.3410, 3.2282, 0.3057, -0.5019, 2.3066],
    ],
};
