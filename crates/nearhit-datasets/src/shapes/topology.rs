//! Is a mesh closed, and does it face outwards?

use std::collections::HashMap;

use crate::Soup;
use crate::vector::{cross, dot};

/// How many directed edges lack exactly one opposite twin; 0 exactly when the mesh is closed and
/// consistently oriented, with every edge used twice.
pub fn unmatched_edges(soup: &Soup) -> usize {
    let mut uses: HashMap<(u32, u32), u32> = HashMap::new();
    for triangle in &soup.triangles {
        for corner in 0..3 {
            *uses.entry((triangle[corner], triangle[(corner + 1) % 3])).or_default() += 1;
        }
    }
    uses.iter().filter(|&(&(from, to), &count)| count != 1 || uses.get(&(to, from)) != Some(&1)).count()
}

/// The enclosed volume; positive when a closed mesh faces outwards.
pub fn signed_volume(soup: &Soup) -> f64 {
    soup.corners().map(|[a, b, c]| dot(a, cross(b, c)) / 6.0).sum()
}

#[cfg(test)]
pub(crate) fn assert_solid(soup: &Soup) {
    assert!(!soup.is_empty());
    assert_eq!(unmatched_edges(soup), 0);
    assert!(signed_volume(soup) > 0.0);
    let distinct: std::collections::HashSet<_> = soup.vertices.iter().map(|v| v.map(f64::to_bits)).collect();
    assert_eq!(distinct.len(), soup.vertices.len(), "a vertex occurs twice");
    assert!(soup.triangles.iter().flatten().all(|&vertex| (vertex as usize) < soup.vertices.len()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::cuboid;

    #[test]
    fn holes_and_flips_are_seen() {
        let solid = cuboid([0.0; 3], [1.0, 2.0, 3.0]);
        assert_solid(&solid);
        assert!((signed_volume(&solid) - 6.0).abs() < 1e-12);
        let mut open = solid.clone();
        open.triangles.pop();
        assert_eq!(unmatched_edges(&open), 3);
        let mut flipped = solid;
        flipped.triangles[0].swap(0, 1);
        assert!(unmatched_edges(&flipped) > 0);
    }
}
