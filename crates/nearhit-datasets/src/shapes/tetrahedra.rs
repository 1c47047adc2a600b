//! Random tetrahedra that keep their distance from each other.

use std::collections::HashMap;

use super::solids::tetrahedron;
use crate::rng::Rng;
use crate::vector::{along, cross, dot, length, subtract};
use crate::{Point, Soup};

/// `count` tetrahedra in the cube from 0 to `side`, in spheres that do not meet; `4 * count`
/// triangles. They fill the cube loosely: about a tenth of it is inside the spheres.
pub fn disjoint_tetrahedra(count: usize, side: f64, seed: u64) -> Soup {
    let mut rng = Rng::new(seed);
    let largest = 0.3 * side / (count as f64).cbrt().max(1.0);
    let cell_width = 2.0 * largest;
    let mut taken: HashMap<[i64; 3], Vec<(Point, f64)>> = HashMap::new();
    let mut soup = Soup::default();
    while soup.len() < 4 * count {
        let radius = largest * rng.range(0.4, 1.0);
        let center = rng.point(radius, side - radius);
        let cell = center.map(|x| (x / cell_width).floor() as i64);
        let blocked = neighbours(cell).filter_map(|near| taken.get(&near)).flatten().any(|(other, other_radius)| {
            // A gap wider than any rounding.
            length(subtract(center, *other)) < (radius + other_radius) * (1.0 + 1e-9)
        });
        if !blocked {
            taken.entry(cell).or_default().push((center, radius));
            soup.append(&tetrahedron_in_sphere(center, radius, &mut rng));
        }
    }
    soup
}

fn neighbours(cell: [i64; 3]) -> impl Iterator<Item = [i64; 3]> {
    (0..27).map(move |index| [cell[0] + index % 3 - 1, cell[1] + index / 3 % 3 - 1, cell[2] + index / 9 - 1])
}

/// A random tetrahedron with its corners on a sphere (to rounding, inwards) and not too flat.
pub fn tetrahedron_in_sphere(center: Point, radius: f64, rng: &mut Rng) -> Soup {
    loop {
        let units: [Point; 4] = std::array::from_fn(|_| rng.unit_vector());
        let [u, v, w] = [1, 2, 3].map(|corner| subtract(units[corner], units[0]));
        // A regular one has determinant 3.08.
        if dot(cross(u, v), w).abs() > 0.5 {
            return tetrahedron(units.map(|unit| along(center, unit, radius * (1.0 - 1e-12))));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::topology::unmatched_edges;
    use super::*;

    #[test]
    fn many_fit() {
        let soup = disjoint_tetrahedra(25_000, 100.0, 6);
        assert_eq!((soup.len(), unmatched_edges(&soup)), (100_000, 0));
        let (low, high) = soup.bounds().unwrap();
        assert!(low.iter().all(|&x| x >= 0.0) && high.iter().all(|&x| x <= 100.0));
    }
}
