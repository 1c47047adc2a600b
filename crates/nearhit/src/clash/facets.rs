//! How exact are the facets of round surfaces? A depth below that may be nothing but facets.

use crate::model::Model;

/// Facets that meet at a sharper angle than these, in radians, are edges of the part; flatter ones
/// are one plane.
const ROUND: [f64; 2] = [0.005, 0.7];
/// Triangles looked at: a contact has few sizes of facets.
const MOST: usize = 4096;

/// How far the facets around these triangles may be off the round surface they stand for: the
/// largest height of an arc over its chord. 0 where all is flat or sharp.
pub(super) fn facet_error(model: &Model, triangles: &[u32]) -> f64 {
    let mesh = model.mesh();
    let neighbours = model.inside().neighbours(mesh);
    let places = |index: u32| mesh.triangles()[index as usize].map(|vertex| neighbours.place(vertex));
    let normal = |index: u32| {
        let [a, b, c] = mesh.triangle(index);
        (b - a).cross(c - a).normalize_or_zero()
    };
    let mut most = 0.0_f64;
    for &index in triangles.iter().step_by(triangles.len().div_ceil(MOST).max(1)) {
        let (own, corners) = (places(index), mesh.triangle(index));
        for side in 0..3 {
            let (from, to) = (own[side], own[(side + 1) % 3]);
            let beside = neighbours.around(from).iter().filter(|&&other| other != index && places(other).contains(&to));
            for &other in beside {
                let angle = normal(index).angle_between(normal(other));
                if (ROUND[0]..ROUND[1]).contains(&angle) {
                    let edge = (corners[(side + 1) % 3] - corners[side]).normalize_or_zero();
                    let chord = edge.cross(corners[(side + 2) % 3] - corners[side]).length();
                    most = most.max(0.5 * chord * (0.25 * angle).tan());
                }
            }
        }
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Mesh;
    use nearhit_testkit::shapes;

    /// A cylinder with n sides is off its circle by r (1 - cos(π/n)); a box by nothing.
    #[test]
    fn facets_of_a_cylinder() {
        let model =
            |soup: &nearhit_testkit::Soup| Model::new(Mesh::new(&soup.vertices, &soup.triangles).expect("legal"));
        for sides in [16_u32, 48] {
            let cylinder = model(&shapes::cylinder([0.0; 3], [0.0, 0.0, 5.0], [2.0; 2], sides));
            let all: Vec<u32> = (0..cylinder.mesh().triangles().len() as u32).collect();
            let truth = 2.0 * (1.0 - (std::f64::consts::PI / f64::from(sides)).cos());
            assert!((facet_error(&cylinder, &all) / truth - 1.0).abs() < 1e-6, "{sides}");
        }
        let cube = model(&shapes::cuboid([0.0; 3], [1.0; 3]));
        assert_eq!(facet_error(&cube, &(0..12).collect::<Vec<u32>>()), 0.0);
    }
}
