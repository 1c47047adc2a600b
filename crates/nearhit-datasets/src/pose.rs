//! The documented rounding of a posed point, and the small matrix algebra the generators need.

use crate::{Point, Soup};

/// A rotation matrix by rows.
pub type Rows = [[f64; 3]; 3];

/// The rotation that changes nothing.
pub const IDENTITY: Rows = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// The posed point, bit for bit as documented: `((r0 * x + r1 * y) + r2 * z) + t` for every row,
/// each operation rounded on its own and never fused.
pub fn pose_point(rotation: &Rows, translation: &Point, point: Point) -> Point {
    std::array::from_fn(|row| {
        let along_x = rotation[row][0] * point[0];
        let along_y = rotation[row][1] * point[1];
        let along_z = rotation[row][2] * point[2];
        let sum = along_x + along_y;
        let sum = sum + along_z;
        sum + translation[row]
    })
}

/// All vertices posed by [`pose_point`].
pub fn pose_soup(rotation: &Rows, translation: &Point, soup: &Soup) -> Soup {
    soup.map(|vertex| pose_point(rotation, translation, vertex))
}

/// The transposed matrix, which is the inverse of a rotation.
pub fn transposed(rotation: &Rows) -> Rows {
    std::array::from_fn(|row| std::array::from_fn(|column| rotation[column][row]))
}

/// The matrix product, in plain double arithmetic.
pub fn multiplied(left: &Rows, right: &Rows) -> Rows {
    std::array::from_fn(|row| {
        std::array::from_fn(|column| (0..3).map(|inner| left[row][inner] * right[inner][column]).sum())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn posing_rounds_every_step() {
        // A fused multiply-add would keep the low bits of the square and leave 2^-54 in magnitude
        // here.
        let almost = 1.0 - 1.0 / (1u64 << 27) as f64;
        let rotation = [[almost, -1.0, 0.0], [0.0; 3], [0.0; 3]];
        let square = almost * almost;
        assert_eq!(pose_point(&rotation, &[0.0; 3], [almost, square, 0.0])[0], 0.0);
    }

    #[test]
    fn transposing_undoes_a_rotation() {
        let mut rng = Rng::new(31);
        let rotation = rng.rotation();
        let product = multiplied(&rotation, &transposed(&rotation));
        for row in 0..3 {
            for column in 0..3 {
                assert!((product[row][column] - IDENTITY[row][column]).abs() < 1e-15);
            }
        }
    }
}
