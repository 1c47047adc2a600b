//! Boxes, tetrahedra, and the crossed bars of the swept experiment.

use crate::vector::{cross, dot, subtract};
use crate::{Point, Soup};

/// The axis-parallel box between two corners, `low` below `high` in every axis; 12 triangles.
pub fn cuboid(low: Point, high: Point) -> Soup {
    let corner = |index: usize| -> Point {
        std::array::from_fn(|axis| if index >> axis & 1 == 1 { high[axis] } else { low[axis] })
    };
    let mut soup = Soup { vertices: (0..8).map(corner).collect(), triangles: Vec::with_capacity(12) };
    for axis in 0..3 {
        let (u, v) = (1u32 << ((axis + 1) % 3), 1u32 << ((axis + 2) % 3));
        for side in [0, 1u32 << axis] {
            let [a, b, c, d] = [side, side | u, side | u | v, side | v];
            let quad = if side == 0 { [a, d, c, b] } else { [a, b, c, d] };
            soup.triangles.extend([[quad[0], quad[1], quad[2]], [quad[0], quad[2], quad[3]]]);
        }
    }
    soup
}

/// The tetrahedron over four points, facing outwards whatever their order; 4 triangles.
pub fn tetrahedron(corners: [Point; 4]) -> Soup {
    let [ab, ac, ad] = [1, 2, 3].map(|index| subtract(corners[index], corners[0]));
    let [p, q, r, s]: [u32; 4] = if dot(cross(ab, ac), ad) > 0.0 { [0, 1, 2, 3] } else { [0, 2, 1, 3] };
    Soup { vertices: corners.to_vec(), triangles: vec![[p, r, q], [p, q, s], [q, r, s], [r, p, s]] }
}

/// The three bars of [`axis_bars`], each as its low and high corner.
pub fn axis_bars_boxes(half_length: f64, half_width: f64) -> [(Point, Point); 3] {
    std::array::from_fn(|long| {
        let high: Point = std::array::from_fn(|axis| if axis == long { half_length } else { half_width });
        (high.map(|x| -x), high)
    })
}

/// Three bars crossed at the origin along the axes: the "axis-shaped" object of the swept
/// experiment, 36 triangles. Each bar is closed; they pass through each other.
pub fn axis_bars(half_length: f64, half_width: f64) -> Soup {
    let mut soup = Soup::default();
    for (low, high) in axis_bars_boxes(half_length, half_width) {
        soup.append(&cuboid(low, high));
    }
    soup
}

#[cfg(test)]
mod tests {
    use super::super::topology::{assert_solid, unmatched_edges};
    use super::*;

    #[test]
    fn solids_are_closed() {
        assert_solid(&cuboid([-1.0, 0.0, 2.0], [1.0, 0.5, 3.0]));
        let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        assert_solid(&tetrahedron(corners));
        assert_solid(&tetrahedron([corners[1], corners[0], corners[2], corners[3]]));
        let bars = axis_bars(1.0, 0.125);
        assert_eq!((bars.len(), unmatched_edges(&bars)), (36, 0));
    }
}
