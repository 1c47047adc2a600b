//! A series of poses: the lines of a file, or steps from one pose to another.

use super::place::{numbers, rows, told};
use anyhow::{Context, Result, anyhow, bail};
use nearhit::Pose;
use nearhit::scene::Motion;
use std::path::Path;

/// Where a and b are, pose by pose.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Series {
    /// Of a, which rests, or moves with b.
    world_from_a: Vec<Pose>,
    world_from_b: Vec<Pose>,
}

/// What a line may hold.
const FORMS: &str = "3 (x y z), 7 (x y z qx qy qz qw), 12 or 16 (a matrix row by row), or 24 (R_a, t_a, R_b, t_b)";

/// All poses are in memory, some hundred bytes each.
const MOST_STEPS: u32 = 10_000_000;

impl Series {
    /// Reads a file of poses, at least one; `world_from_a` where a line does not say it.
    pub(crate) fn read(path: &Path, world_from_a: Pose, is_a_placed: bool) -> Result<Self> {
        let shown = path.display();
        nearhit_io::check_regular(path)?;
        let text = std::fs::read_to_string(path).with_context(|| format!("{shown}: cannot be read"))?;
        let numbered = text.trim_start_matches('\u{feff}').lines().zip(1..);
        let data = numbered.map(|(line, number)| (line.split('#').next().unwrap_or_default().trim(), number));
        let mut series = Self { world_from_a: Vec::new(), world_from_b: Vec::new() };
        for (line, number) in data.filter(|(line, _)| !line.is_empty()) {
            let (of_a, of_b) = placed(line).map_err(|error| anyhow!("{shown}:{number}: {error:#}"))?;
            if of_a.is_some() && is_a_placed {
                bail!("{shown}:{number}: the line has a pose of a: leave out --a-…");
            }
            series.world_from_a.push(of_a.unwrap_or(world_from_a));
            series.world_from_b.push(of_b);
        }
        if series.world_from_b.is_empty() {
            bail!("{shown}: there are no poses in it; write one on each line: {FORMS}");
        }
        Ok(series)
    }

    /// Steps along a line, turning the shorter way round.
    pub(crate) fn between(from: &str, to: &str, steps: u32, world_from_a: Pose) -> Result<Self> {
        let end = |text: &str, flag: &str| match placed(text).map_err(|error| anyhow!("{flag}: {error:#}"))? {
            (None, pose) => Ok(pose),
            (Some(_), _) => bail!("{flag}: 24 numbers are poses of a and b; give that of b alone"),
        };
        if steps == 0 {
            bail!("--steps 0: a path needs at least one step");
        }
        if steps > MOST_STEPS {
            bail!("--steps {steps}: must be at most {MOST_STEPS}");
        }
        let motion = Motion::linear(end(from, "--from")?, end(to, "--to")?);
        let pose = |step: u32| motion.pose(f64::from(step) / f64::from(steps)).map_err(|error| told(&error));
        let world_from_b = (0..=steps).map(pose).collect::<Result<Vec<Pose>>>()?;
        Ok(Self { world_from_a: vec![world_from_a; world_from_b.len()], world_from_b })
    }

    /// Where b is as a sees it.
    pub(crate) fn a_from_b(&self) -> Vec<Pose> {
        self.world_from_a.iter().zip(&self.world_from_b).map(|(a, b)| Pose::a_from_b(a, b)).collect()
    }

    /// Where a is.
    pub(crate) fn world_from_a(&self, pose: usize) -> &Pose {
        &self.world_from_a[pose]
    }
}

/// The poses of a line: a's, if it has one, and b's.
fn placed(text: &str) -> Result<(Option<Pose>, Pose)> {
    let numbers = numbers(text)?;
    let pose = match *numbers.as_slice() {
        [x, y, z] => Pose::from_translation([x, y, z]),
        [x, y, z, qx, qy, qz, qw] => Pose::from_quaternion([qx, qy, qz, qw], [x, y, z]),
        [_, _, _, x, _, _, _, y, _, _, _, z] => Pose::from_rows(rows(&numbers, 4), [x, y, z]),
        _ if numbers.len() == 16 => {
            let row = |first: usize| [0, 1, 2, 3].map(|column| numbers[first + column]);
            Pose::from_matrix([row(0), row(4), row(8), row(12)])
        }
        _ if numbers.len() == 24 => {
            let of = |body: char, first: usize| {
                let part = &numbers[first..];
                let pose = Pose::from_rows(rows(part, 3), [part[9], part[10], part[11]]);
                pose.map_err(|error| anyhow!("body {body}: {:#}", told(&error)))
            };
            return Ok((Some(of('a', 0)?), of('b', 12)?));
        }
        _ => bail!("{} numbers, but a pose has {FORMS}", numbers.len()),
    };
    Ok((None, pose.map_err(|error| told(&error))?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_a_line_is_the_same_pose() {
        let forms = ["5 6 7 0 0 0 1", "5, 6, 7", "1 0 0 5  0 1 0 6  0 0 1 7", "1 0 0 5  0 1 0 6  0 0 1 7  0 0 0 1"];
        for form in forms {
            assert_eq!(placed(form).expect("legal"), (None, Pose::from_translation([5.0, 6.0, 7.0]).expect("finite")));
        }
        let both = placed("0 -1 0 1 0 0 0 0 1 1 2 3  1 0 0 0 1 0 0 0 1 5 6 7").expect("legal");
        assert_eq!(both.0.expect("a's pose").translation().to_array(), [1.0, 2.0, 3.0]);
        assert_eq!(both.1.translation().to_array(), [5.0, 6.0, 7.0]);
    }

    #[test]
    fn says_what_is_wrong() {
        let message = |text: &str| placed(text).expect_err("refused").to_string();
        assert!(message("1 2").starts_with("2 numbers, but a pose has 3 (x y z), 7"), "{}", message("1 2"));
        assert!(message("1 2 x").contains("\"x\" is not a number"));
        assert!(message("1 2 3 0 0 1 1").contains("length 1.414"));
        assert!(message("1 0 0 5  0 1 0 6  0 0 2 7").contains("not a rotation"));
        assert!(message("1 0 0 0 1 0 0 0 1 1 2 3  2 0 0 0 1 0 0 0 1 5 6 7").starts_with("body b: "));
    }

    #[test]
    fn steps_reach_both_ends() {
        let series = Series::between("0 0 0", "1 0 0 0 0 1 0", 4, Pose::IDENTITY).expect("legal");
        let poses = series.a_from_b();
        assert_eq!((poses.len(), poses[0]), (5, Pose::IDENTITY));
        assert_eq!(poses[2].translation().x, 0.5);
        assert!((poses[4].rotation().x_axis + glam::DVec3::X).length() < 1e-12, "half a turn");
    }
}
