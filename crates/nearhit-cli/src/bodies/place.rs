//! Poses on the command line: a rotation in one of three forms and a translation.

use anyhow::{Result, anyhow, bail};
use glam::DMat3;
use nearhit::{Pose, PoseError};

/// What was typed about one body. At most one of the three rotations is given.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'t> {
    /// `a` or `b`.
    pub(super) body: char,
    pub(super) matrix: Option<&'t str>,
    pub(super) quaternion: Option<&'t str>,
    pub(super) euler: Option<&'t str>,
    pub(super) translate: Option<&'t str>,
}

impl Place<'_> {
    /// What was typed, understood.
    pub(super) fn pose(&self) -> Result<Pose> {
        let translation = match self.translate {
            Some(text) => fixed(text, "x y z").map_err(|error| self.complaint("translate", &error))?,
            None => [0.0; 3],
        };
        // Alone first, so that a complaint names the right flag.
        let moved = Pose::from_translation(translation);
        moved.map_err(|error| self.complaint("translate", &told(&error)))?;
        let of_flag = |flag, pose: Result<Pose>| pose.map_err(|error| self.complaint(flag, &error));
        match (self.matrix, self.quaternion, self.euler) {
            (Some(text), ..) => of_flag("matrix", self.matrix_pose(text, translation)),
            (_, Some(text), _) => of_flag("quaternion", quaternion_pose(text, translation)),
            (.., Some(text)) => of_flag("euler", euler_pose(text, translation)),
            (None, None, None) => of_flag("translate", Pose::from_translation(translation).map_err(Into::into)),
        }
    }

    fn complaint(&self, flag: &str, error: &anyhow::Error) -> anyhow::Error {
        anyhow!("--{}-{flag}: {error:#}", self.body)
    }

    fn matrix_pose(&self, text: &str, translation: [f64; 3]) -> Result<Pose> {
        let numbers = numbers(text)?;
        if numbers.len() != 9 && self.translate.is_some() {
            bail!(
                "has a translation already: leave out --{}-translate, or give the 9 numbers of the rotation",
                self.body
            );
        }
        match *numbers.as_slice() {
            [_, _, _, _, _, _, _, _, _] => Pose::from_rows(rows(&numbers, 3), translation),
            [_, _, _, x, _, _, _, y, _, _, _, z] => Pose::from_rows(rows(&numbers, 4), [x, y, z]),
            [.., i, j, k, l] if numbers.len() == 16 => {
                let [x, y, z] = [3, 7, 11].map(|index| numbers[index]);
                match [i, j, k, l] {
                    [0.0, 0.0, 0.0, 1.0] => Pose::from_rows(rows(&numbers, 4), [x, y, z]),
                    bottom => bail!("the last row is {bottom:?}, not [0, 0, 0, 1]; matrices are given row by row"),
                }
            }
            _ => bail!(
                "{} numbers, but a matrix has 16, 12 (without its last row) or 9 (a rotation only)",
                numbers.len()
            ),
        }
        .map_err(|error| told(&error))
    }
}

/// The library's words, without the "pose:" that the flag says already.
pub(super) fn told(error: &PoseError) -> anyhow::Error {
    let message = error.to_string();
    anyhow!("{}", message.strip_prefix("pose: ").unwrap_or(&message))
}

/// The rotation in a list of rows of `width` numbers.
pub(super) fn rows(numbers: &[f64], width: usize) -> [[f64; 3]; 3] {
    [0, 1, 2].map(|row| [0, 1, 2].map(|column| numbers[row * width + column]))
}

fn quaternion_pose(text: &str, translation: [f64; 3]) -> Result<Pose> {
    Pose::from_quaternion(fixed(text, "x y z w")?, translation).map_err(|error| told(&error))
}

/// Intrinsic: about x, then the new y, then the new z; as a matrix X·Y·Z.
fn euler_pose(text: &str, translation: [f64; 3]) -> Result<Pose> {
    let [x, y, z] = fixed(text, "rx ry rz")?;
    if let Some(angle) = [x, y, z].into_iter().find(|angle| !angle.is_finite()) {
        bail!("an angle is {angle}, not a finite number");
    }
    let about_x = turn(x, |sin, cos| [[1.0, 0.0, 0.0], [0.0, cos, -sin], [0.0, sin, cos]]);
    let about_y = turn(y, |sin, cos| [[cos, 0.0, sin], [0.0, 1.0, 0.0], [-sin, 0.0, cos]]);
    let about_z = turn(z, |sin, cos| [[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]]);
    let rows = (about_x * about_y * about_z).transpose().to_cols_array_2d();
    Pose::from_rows(rows, translation).map_err(|error| told(&error))
}

fn turn(degrees: f64, rows: fn(f64, f64) -> [[f64; 3]; 3]) -> DMat3 {
    let (sin, cos) = sin_cos(degrees);
    DMat3::from_cols_array_2d(&rows(sin, cos)).transpose()
}

/// Exact at multiples of 90°: faces that should lie on each other do.
fn sin_cos(degrees: f64) -> (f64, f64) {
    let turned = degrees % 360.0;
    let quarters = (turned / 90.0).round();
    let (sin, cos) = (turned - 90.0 * quarters).to_radians().sin_cos();
    match (quarters as i32).rem_euclid(4) {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}

/// As many numbers as there are names.
fn fixed<const N: usize>(text: &str, names: &str) -> Result<[f64; N]> {
    let numbers = numbers(text)?;
    let count = numbers.len();
    numbers.try_into().map_err(|_| anyhow!("{count} numbers, but {N} are needed: {names}"))
}

/// Numbers with blanks or single commas between them.
pub(super) fn numbers(text: &str) -> Result<Vec<f64>> {
    if text.contains(',') && text.split(',').any(|part| part.trim().is_empty()) {
        bail!("a number is missing beside a comma");
    }
    let words = text.split([',', ' ', '\t', '\n', '\r']).filter(|word| !word.is_empty());
    words.map(|word| word.parse().map_err(|_| anyhow!("{word:?} is not a number"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    const NOTHING: Place<'_> = Place { body: 'a', matrix: None, quaternion: None, euler: None, translate: None };

    fn moved(place: Place<'_>, point: [f64; 3]) -> [f64; 3] {
        place.pose().expect("legal").apply(DVec3::from_array(point)).to_array()
    }

    #[test]
    fn every_form_of_a_quarter_turn_about_z_is_the_same() {
        let matrix = |text| Place { matrix: Some(text), ..NOTHING };
        let forms = [
            matrix("0 -1 0 5  1 0 0 6  0 0 1 7  0 0 0 1"),
            matrix("0,-1,0,5, 1,0,0,6, 0,0,1,7"),
            Place { translate: Some("5, 6, 7"), ..matrix("0 -1 0 1 0 0 0 0 1") },
            Place { euler: Some("0 0 90"), translate: Some("5,6,7"), ..NOTHING },
            Place { euler: Some("0 0 -990"), translate: Some("5 6 7"), ..NOTHING },
        ];
        for place in forms {
            assert_eq!(moved(place, [1.0, 2.0, 3.0]), [3.0, 7.0, 10.0], "{place:?}");
        }
        let half = "0 0 0.7071067811865476 0.7071067811865476";
        let turned = moved(Place { quaternion: Some(half), ..NOTHING }, [1.0, 0.0, 0.0]);
        assert!((DVec3::from_array(turned) - DVec3::Y).length() < 1e-15);
        assert_eq!(NOTHING.pose().expect("legal"), Pose::IDENTITY);
    }

    /// The last rotation is about the axis that the first two have turned: applied to a point, z
    /// comes first.
    #[test]
    fn angles_are_intrinsic_in_the_order_x_y_z() {
        let turned = moved(Place { euler: Some("90 0 90"), ..NOTHING }, [1.0, 0.0, 0.0]);
        assert_eq!(turned, [0.0, 0.0, 1.0], "z takes x to y, x takes y to z");
        let turned = moved(Place { euler: Some("0 90 90"), ..NOTHING }, [0.0, 1.0, 0.0]);
        assert_eq!(turned, [0.0, 0.0, 1.0], "z takes y to -x, y takes -x to z");
        let (sin, cos) = sin_cos(30.0);
        assert!((sin - 0.5).abs() < 1e-15 && (cos - 0.75_f64.sqrt()).abs() < 1e-15);
        for degrees in [-360.0, -210.0, -45.0, 45.0, 100.0, 179.0, 271.0, 3599.0] {
            let (sin, cos) = sin_cos(degrees);
            let expected = degrees.to_radians().sin_cos();
            assert!((sin - expected.0).abs() < 1e-13 && (cos - expected.1).abs() < 1e-13, "{degrees}");
        }
    }

    #[test]
    fn says_what_is_wrong_with_which_flag() {
        let message = |place: Place<'_>| place.pose().expect_err("refused").to_string();
        let matrix = |text| Place { matrix: Some(text), ..NOTHING };
        let translate = |text| Place { translate: Some(text), ..NOTHING };
        assert_eq!(message(translate("1 2")), "--a-translate: 2 numbers, but 3 are needed: x y z");
        assert_eq!(message(translate("")), "--a-translate: 0 numbers, but 3 are needed: x y z");
        assert_eq!(message(translate("1 2 z")), "--a-translate: \"z\" is not a number");
        assert_eq!(message(translate("1,,2,3")), "--a-translate: a number is missing beside a comma");
        assert_eq!(message(translate("1 nan 3")), "--a-translate: t[1] is NaN, not a finite number");
        let with_both = Place { translate: Some("1 nan 3"), ..matrix("1 0 0 0 1 0 0 0 1") };
        assert!(message(with_both).starts_with("--a-translate: t[1] is NaN"));
        assert!(message(matrix("1 0 0")).starts_with("--a-matrix: 3 numbers, but a matrix has 16, 12"));
        assert!(
            message(matrix("2 0 0 0 2 0 0 0 2"))
                .starts_with("--a-matrix: the matrix is not a rotation: it scales by 2;")
        );
        let sheared = message(matrix("1 1 0 0 1 0 0 0 1"));
        assert!(sheared.contains("away from the nearest one"), "{sheared}");
        let lying = message(matrix("0 -1 0 2.5 0 0 0 0 0.001"));
        assert!(lying.contains("it scales by 2.5 in x, 1 in y, 0.001 in z;"), "{lying}");
        assert!(message(matrix("1 0 0 0  0 1 0 0  0 0 1 0  5 6 7 1")).contains("the last row is [5.0, 6.0, 7.0, 1.0]"));
        let twice = Place { translate: Some("1 2 3"), ..matrix("1 0 0 0  0 1 0 0  0 0 1 0") };
        assert!(message(twice).contains("has a translation already: leave out --a-translate"));
        let euler = Place { body: 'b', euler: Some("0 inf 0"), ..NOTHING };
        assert_eq!(message(euler), "--b-euler: an angle is inf, not a finite number");
        let quaternion = Place { quaternion: Some("0 0 1 1"), ..NOTHING };
        assert!(message(quaternion).starts_with("--a-quaternion: the quaternion has length 1.414"));
    }
}
