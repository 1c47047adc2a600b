//! Points and heights from files: point clouds, and grids of heights, as plain numbers.

use crate::error::{LineProblem, ParseError, ReadError};
use crate::text::{Dialect, Scanner, coordinate, number};
use std::path::Path;

const DIALECT: Dialect = Dialect { comment: Some(b'#'), continuation: None };

/// Reads the points of a point cloud: of an `xyz` file, a point in each line, what follows its
/// three numbers ignored; or the vertices of a file that [`read`](crate::read) knows, such as a PLY
/// file without faces.
///
/// A line that does not begin with three numbers is an error, as are numbers that are not finite.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/file.rs"));
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let path = file("read_points.xyz", "0 0 1 label\n2 0 0.5\n");
/// assert_eq!(nearhit_io::read_points(&path)?, [[0.0, 0.0, 1.0], [2.0, 0.0, 0.5]]);
/// # Ok(())
/// # }
/// ```
pub fn read_points(path: &Path) -> Result<Vec<[f64; 3]>, ReadError> {
    let is_xyz = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("xyz"));
    if !is_xyz {
        return Ok(crate::read(path)?.vertices);
    }
    parse_points(&bytes(path)?).map_err(|error| ReadError::Parse { path: path.into(), error })
}

/// Reads a grid of heights: a row in each line, all as long as the first. Gives back the heights,
/// row by row, and how many there are in a row.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/file.rs"));
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let path = file("read_heights.txt", "0 1 2\n3 4 5\n");
/// assert_eq!(nearhit_io::read_heights(&path)?, (vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0], 3));
/// # Ok(())
/// # }
/// ```
pub fn read_heights(path: &Path) -> Result<(Vec<f64>, usize), ReadError> {
    parse_heights(&bytes(path)?).map_err(|error| ReadError::Parse { path: path.into(), error })
}

fn bytes(path: &Path) -> Result<Vec<u8>, ReadError> {
    crate::check_regular(path)?;
    let bytes = std::fs::read(path).map_err(|error| ReadError::Io { path: path.into(), error })?;
    crate::memory::check(path, bytes.len())?;
    Ok(bytes)
}

fn parse_points(bytes: &[u8]) -> Result<Vec<[f64; 3]>, ParseError> {
    let mut scanner = Scanner::new(bytes, DIALECT)?;
    let mut points = Vec::new();
    while scanner.seek_word() {
        points.push(scanner.point()?);
        scanner.next_line();
    }
    Ok(points)
}

fn parse_heights(bytes: &[u8]) -> Result<(Vec<f64>, usize), ParseError> {
    let mut scanner = Scanner::new(bytes, DIALECT)?;
    let (mut heights, mut columns) = (Vec::new(), 0);
    while scanner.seek_word() {
        let start = heights.len();
        while let Some(word) = scanner.word() {
            let height = coordinate(number(word), 'z', word).map_err(|problem| scanner.error(problem))?;
            heights.push(height);
        }
        let found = heights.len() - start;
        if columns == 0 {
            columns = found;
        } else if found != columns {
            return Err(scanner.error(LineProblem::UnevenRow { found, expected: columns }));
        }
        scanner.next_line();
    }
    Ok((heights, columns))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_the_first_three_numbers() {
        let text = b"# seen\n0 1 2 255 0 0\n\n-1.5e3 0 0.25\r\n";
        assert_eq!(parse_points(text).expect("legal"), [[0.0, 1.0, 2.0], [-1500.0, 0.0, 0.25]]);
        assert_eq!(parse_points(b"").expect("legal"), [[0.0; 3]; 0]);
        for (text, message) in [
            (&b"0 1 2\n0 1\n"[..], "line 2: too few coordinates: a vertex has 3, this one has 2"),
            (b"0 nan 2\n", "line 1: vertex coordinate y is \"nan\", not a finite number"),
            (b"x y z\n", "line 1: vertex coordinate x is \"x\", not a number"),
        ] {
            assert_eq!(parse_points(text).expect_err("wrong").to_string(), message);
        }
    }

    #[test]
    fn heights_are_rows() {
        let (heights, columns) = parse_heights(b"# two rows\n0 1 2\n3 4 5\n").expect("legal");
        assert_eq!((heights, columns), ((0..6).map(f64::from).collect(), 3));
        let error = parse_heights(b"0 1 2\n3 4\n").expect_err("uneven");
        assert_eq!(error.to_string(), "line 2: a row of 2 heights, but the first row has 3");
        assert!(parse_heights(b"0 inf\n").is_err());
    }
}
