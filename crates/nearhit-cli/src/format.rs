//! Formatting of numbers and points for people: six digits; the JSON has all of them.

/// Digits that are shown.
const DIGITS: usize = 6;

/// About six digits: `0.0312`, `1250000`, `1.5e-9`.
pub(crate) fn number(value: f64) -> String {
    digits(value, DIGITS)
}

/// With as many decimals as a length of this size has sense: `12.035` for a thousandth.
pub(crate) fn decimals(value: f64, size: f64) -> String {
    let decimals = if size > 0.0 { (-size.log10()).ceil().clamp(0.0, 12.0) as usize } else { 12 };
    if value.abs() < 1e9 { trimmed(&format!("{value:.decimals$}")) } else { number(value) }
}

/// The same with so many digits, not less than the value.
pub(crate) fn digits_up(value: f64, digits: usize) -> String {
    if !(value > 0.0 && value.is_finite()) {
        return number(value);
    }
    let step = 10.0_f64.powi(value.log10().floor() as i32 + 1 - digits as i32);
    self::digits((value / step).ceil() * step, digits)
}

/// About so many digits.
pub(crate) fn digits(value: f64, digits: usize) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let (exponent, after) = (value.abs().log10().floor() as i32, digits.saturating_sub(1));
    if (-5..9).contains(&exponent) {
        let decimals = usize::try_from(after as i32 - exponent).unwrap_or(0);
        trimmed(&format!("{value:.decimals$}"))
    } else {
        let text = format!("{value:.after$e}");
        let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
        format!("{}e{power}", trimmed(digits))
    }
}

/// Without zeros at the end of the decimals.
fn trimmed(text: &str) -> String {
    let short = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text };
    if short == "-0" { "0".to_owned() } else { short.to_owned() }
}

/// `(1, 0, -0.5)`.
pub(crate) fn point(point: [f64; 3]) -> String {
    let [x, y, z] = point.map(number);
    format!("({x}, {y}, {z})")
}

/// What triangles share, by the corners of their intersection.
pub(crate) fn shared(points: &[[f64; 3]]) -> String {
    match points {
        [] => "a point".to_owned(),
        [only] => format!("the point {}", point(*only)),
        [from, to] => format!("the segment from {} to {}", point(*from), point(*to)),
        corners => {
            let corners: Vec<String> = corners.iter().map(|corner| point(*corner)).collect();
            format!("the flat patch {}", corners.join(" "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{decimals, digits, digits_up, number, shared};

    #[test]
    fn numbers_have_six_digits_and_no_idle_zeros() {
        let values = [0.0, -0.0, 1.0, 0.031_234_567_8, -2.5, 1_234_567.8, 99.999_999_9, 1e-12, -1.5e300, 0.000_012];
        let texts = ["0", "0", "1", "0.0312346", "-2.5", "1234568", "100", "1e-12", "-1.5e300", "0.000012"];
        assert_eq!(values.map(number), texts);
    }

    #[test]
    fn decimals_are_those_that_mean_something() {
        assert_eq!(
            [0.001, 1e-6, 1.0, 7.0].map(|size| decimals(12.034_567_89, size)),
            ["12.035", "12.034568", "12", "12"]
        );
        assert_eq!([decimals(-1e-9, 1e-3), decimals(0.5, 0.0), digits(0.035_21, 3)], ["0", "0.5", "0.0352"]);
        assert_eq!([0.1021, 0.1, 99.9, 3e-7].map(|value| digits_up(value, 2)), ["0.11", "0.1", "100", "3e-7"]);
    }

    #[test]
    fn what_is_shared_is_named_by_its_shape() {
        let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.5]];
        assert_eq!(shared(&corners[..1]), "the point (0, 0, 0)");
        assert_eq!(shared(&corners[..2]), "the segment from (0, 0, 0) to (1, 0, 0)");
        assert_eq!(shared(&corners), "the flat patch (0, 0, 0) (1, 0, 0) (0, 1, 0.5)");
    }
}
