//! Coordinates that are beyond the limits of their joints: they are answered, and told.

use crate::format;
use crate::terminal::plain;
use nearhit_robot::Robot;
use serde::Serialize;

/// A coordinate that its joint cannot have.
#[derive(Debug, Serialize)]
pub(super) struct Outside {
    coordinate: String,
    value: f64,
    lower: Option<f64>,
    upper: Option<f64>,
}

/// Coordinates beyond the limits of their joints, by more than text rounds.
pub(super) fn outside(robot: &Robot, q: &[f64]) -> Vec<Outside> {
    let finite = |value: f64| value.is_finite().then_some(value);
    let all = robot.coordinate_names().iter().zip(robot.limits()).zip(q);
    let beyond = all.filter(|((_, [lower, upper]), value)| {
        let slack = 1e-9 * (1.0 + value.abs());
        **value < lower - slack || **value > upper + slack
    });
    beyond
        .map(|((name, [lower, upper]), &value)| Outside {
            coordinate: name.clone(),
            value,
            lower: finite(lower),
            upper: finite(upper),
        })
        .collect()
}

/// A line for each.
pub(super) fn sentences(outside: &[Outside]) -> String {
    outside.iter().map(Outside::sentence).collect()
}

impl Outside {
    fn sentence(&self) -> String {
        let end = |end: Option<f64>, none: &str| end.map_or(none.to_owned(), format::number);
        let (lower, upper) = (end(self.lower, "-infinity"), end(self.upper, "infinity"));
        let (name, value) = (plain(&self.coordinate), format::number(self.value));
        format!("Outside of its limits: {name} is {value}, not from {lower} to {upper}.\n")
    }
}
