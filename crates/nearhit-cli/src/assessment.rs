//! Certified bounds of `check` when its budget runs out: in sentences.

use crate::bodies::Bodies;
use crate::format;
use nearhit::report::Assessment;

/// For surfaces that touch, or may.
pub(crate) fn sentences(known: &Assessment, bodies: &Bodies, they_touch: bool) -> String {
    let upper = known.separation.upper;
    let apart = if upper.is_finite() && !they_touch {
        format!("They are at most {} apart.\n", format::number(upper))
    } else {
        String::new()
    };
    let out = match known.translation {
        Some([x, y, z]) => {
            let [_, b] = bodies.names();
            let length = format::number(known.penetration.upper);
            // With all digits: a rounded translation is another one, and nothing is certain about
            // that.
            format!("Moving {b} by ({x}, {y}, {z}), a length of {length}, certainly separates the surfaces.\n")
        }
        None => "No translation that certainly separates the surfaces is known yet.\n".to_owned(),
    };
    apart + &out
}
