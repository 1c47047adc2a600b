//! What is in `poses.txt`? A line a query, 24 numbers: R_a row by row, t_a, R_b row by row, t_b;
//! world = R x + t.
//!
//! Empty lines and what follows a `#` are skipped. Whatever else is wrong is told with file and
//! line.

use anyhow::{Context, Result, anyhow, bail};
use nearhit::Pose;
use std::path::Path;

/// Numbers on a line.
const COUNT: usize = 24;

/// Where the two bodies are in one query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placed {
    /// Where a is.
    pub world_from_a: Pose,
    /// Where b is.
    pub world_from_b: Pose,
    /// The line of the file that said so, from 1.
    pub line: usize,
}

impl Placed {
    /// Where b is as a sees it.
    #[must_use]
    pub fn a_from_b(&self) -> Pose {
        Pose::a_from_b(&self.world_from_a, &self.world_from_b)
    }
}

/// Reads a file of poses, at least one.
pub(super) fn read(path: &Path) -> Result<Vec<Placed>> {
    let shown = path.display();
    nearhit_io::check_regular(path)?;
    let text = std::fs::read_to_string(path).with_context(|| format!("{shown}: cannot be read"))?;
    let poses = parse(&text).map_err(|error| anyhow!("{shown}:{error:#}"))?;
    if poses.is_empty() {
        bail!("{shown}: there are no poses in it; write one line of {COUNT} numbers a query: R_a t_a R_b t_b");
    }
    Ok(poses)
}

/// The poses of a text; an error begins with the number of the line.
fn parse(text: &str) -> Result<Vec<Placed>> {
    let numbered = text.trim_start_matches('\u{feff}').lines().zip(1..);
    let data = numbered.map(|(line, number)| (line.split('#').next().unwrap_or_default().trim(), number));
    let filled = data.filter(|(line, _)| !line.is_empty());
    filled.map(|(line, number)| placed(line, number).with_context(|| number.to_string())).collect()
}

fn placed(line: &str, number: usize) -> Result<Placed> {
    let numbers = numbers(line)?;
    let pose = |body: char, first: usize| -> Result<Pose> {
        let row = |at: usize| [numbers[first + at], numbers[first + at + 1], numbers[first + at + 2]];
        Pose::from_rows([row(0), row(3), row(6)], row(9)).map_err(|error| anyhow!("body {body}, {error}"))
    };
    Ok(Placed { world_from_a: pose('a', 0)?, world_from_b: pose('b', 12)?, line: number })
}

fn numbers(line: &str) -> Result<[f64; COUNT]> {
    let mut numbers = [0.0; COUNT];
    let mut found = 0;
    for (index, word) in line.split_whitespace().enumerate() {
        let value = word.parse().map_err(|_| anyhow!("number {} is {word:?}, not a number", index + 1))?;
        if let Some(slot) = numbers.get_mut(index) {
            *slot = value;
        }
        found = index + 1;
    }
    if found != COUNT {
        bail!("{found} numbers, but a pose line has {COUNT}: R_a (9), t_a (3), R_b (9), t_b (3)");
    }
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    const STILL: &str = "1 0 0 0 1 0 0 0 1 0 0 0";

    fn message(text: &str) -> String {
        format!("{:#}", parse(text).expect_err("refused"))
    }

    #[test]
    fn reads_lines_and_skips_what_says_nothing() {
        let text = format!("\u{feff}# poses\n\n{STILL} {STILL} # at rest\r\n  \n1 0 0 0 1 0 0 0 1 1e3 -2 .5 {STILL}\n");
        let poses = parse(&text).expect("legal");
        assert_eq!(poses.iter().map(|pose| pose.line).collect::<Vec<_>>(), [3, 5]);
        assert_eq!(poses[1].world_from_a.translation().to_array(), [1000.0, -2.0, 0.5]);
        assert_eq!(poses[1].world_from_b, Pose::IDENTITY);
    }

    #[test]
    fn says_what_is_wrong_and_on_which_line() {
        assert_eq!(
            message(&format!("{STILL} {STILL}\n{STILL} 7")),
            "2: 13 numbers, but a pose line has 24: R_a (9), t_a (3), R_b (9), t_b (3)"
        );
        assert!(message(&format!("{STILL} {STILL} 1")).starts_with("1: 25 numbers"));
        assert_eq!(message(&format!("{STILL} 1 0 x")), "1: number 15 is \"x\", not a number");
        let nan = STILL.replacen('0', "nan", 1);
        assert_eq!(message(&format!("{STILL} {nan}")), "1: body b, pose: R[0][1] is NaN, not a finite number");
        let scaled = STILL.replacen('1', "1.1", 1);
        assert!(message(&format!("{scaled} {STILL}")).starts_with("1: body a, pose: the matrix is not a rotation"));
    }
}
