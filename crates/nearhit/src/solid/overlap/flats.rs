//! Which triangles of one mesh lie in one plane, side by side?
//!
//! Moved by the infinitely small step against each other, no two of them meet. A fan of ten
//! thousand triangles has fifty million pairs at its middle: they are told by a number each.

use crate::inside::Joined;
use crate::model::Model;
use crate::point::Placed;
use crate::primitive::predicates::{Sign, orient3d};
use crate::primitive::shift::{face, normal};

/// For each triangle the first one of its flat part: in its plane to the bit, facing the same way,
/// and reached by edges that two triangles share.
#[derive(Debug)]
pub(super) struct Flats(Vec<u32>);

impl Flats {
    pub(super) fn new(model: &Model) -> Self {
        let (mesh, body) = (model.mesh(), Placed::own(model));
        let neighbours = model.inside().neighbours(mesh);
        let mut edges: Vec<(u32, u32, u32)> = Vec::with_capacity(3 * mesh.triangles().len());
        for (index, corners) in mesh.triangles().iter().enumerate() {
            let places = corners.map(|vertex| neighbours.place(vertex));
            let of = |i: usize, j: usize| (places[i].min(places[j]), places[i].max(places[j]), index as u32);
            edges.extend([of(0, 1), of(1, 2), of(2, 0)]);
        }
        edges.sort_unstable();
        let mut joined = Joined::new(mesh.triangles().len());
        for edge in edges.chunk_by(|one, other| (one.0, one.1) == (other.0, other.1)) {
            for two in edge.windows(2) {
                let (one, other) = (body.triangle(two[0].2), body.triangle(two[1].2));
                let [a, b, c] = one;
                let is_flat = other.iter().all(|&corner| orient3d(a, b, c, corner) == Sign::Zero);
                // A triangle without area has no plane.
                let has_area = |triangle| (0..3).any(|axis| normal(triangle, axis) != Sign::Zero);
                if is_flat && has_area(&one) && has_area(&other) && !face(&one, &other) {
                    joined.join(two[0].2, two[1].2);
                }
            }
        }
        Self((0..mesh.triangles().len() as u32).map(|index| joined.root(index)).collect())
    }

    /// Are both in one flat part?
    #[inline]
    pub(super) fn is_one(&self, triangle: u32, other: u32) -> bool {
        self.0[triangle as usize] == self.0[other as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Mesh;
    use crate::primitive::shift::Shift;
    use glam::DVec3;
    use nearhit_testkit::mates::{Cut, circle, prism};
    use nearhit_testkit::{Soup, shapes};

    fn model(soup: &Soup) -> Model {
        Model::new(Mesh::new(&soup.vertices, &soup.triangles).expect("legal"))
    }

    fn parts(flats: &Flats) -> usize {
        let mut roots = flats.0.clone();
        roots.sort_unstable();
        roots.dedup();
        roots.len()
    }

    #[test]
    fn a_face_is_one_part() {
        assert_eq!(parts(&Flats::new(&model(&shapes::cuboid([0.0; 3], [1.0, 2.0, 3.0])))), 6);
        for cut in Cut::ALL {
            let drum = prism(&circle(40, 1.0, 0.0), 0.0, 1.0, cut);
            let flats = Flats::new(&model(&drum));
            let level = |index: &usize| drum.triangles[*index].iter().all(|&i| drum.vertices[i as usize][2] == 0.0);
            let bottom: Vec<usize> = (0..drum.triangles.len()).filter(level).collect();
            assert!(bottom.len() > 30 && bottom.iter().all(|&i| flats.is_one(bottom[0] as u32, i as u32)), "{cut:?}");
            assert!(parts(&flats) > 40, "{cut:?}");
        }
    }

    /// A sheet folded onto itself is in one plane, but its halves face each other; a triangle
    /// without area joins nothing.
    #[test]
    fn folds_and_needles_are_apart() {
        let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 2.0, 0.0], [2.0, 0.0, 0.0]];
        let mut sheet = Soup { vertices: corners.to_vec(), triangles: vec![[0, 1, 2], [1, 0, 3], [0, 1, 4]] };
        assert_eq!(parts(&Flats::new(&model(&sheet))), 3);
        sheet.triangles = vec![[0, 1, 2], [1, 0, 2]];
        assert_eq!(parts(&Flats::new(&model(&sheet))), 2);
    }

    /// What is left out never meets, whichever way the step goes.
    #[test]
    fn parts_do_not_meet_themselves() {
        let soups = [
            shapes::axis_bars(2.0, 0.5),
            shapes::cuboid([0.1; 3], [0.7, 1.3, 2.9]),
            prism(&circle(11, 0.7, 0.3), 0.1, 0.9, Cut::RimFan),
            shapes::uv_sphere(4, 7),
        ];
        let mut left_out = 0;
        for soup in soups {
            let model = model(&soup);
            let (flats, body) = (Flats::new(&model), Placed::own(&model));
            let count = soup.triangles.len() as u32;
            for (a, b) in (0..count).flat_map(|a| (0..count).map(move |b| (a, b))).filter(|&(a, b)| flats.is_one(a, b))
            {
                for way in [DVec3::new(1.0, -2.0, 0.5), DVec3::new(-0.1, 0.0, 0.0), DVec3::ZERO] {
                    let meeting = Shift::towards(way).meeting(&body.triangle(a), &body.triangle(b));
                    assert!(meeting.piercings.is_empty() && !meeting.is_pressed, "{a} {b} along {way}");
                    left_out += u32::from(a != b);
                }
            }
        }
        assert!(left_out > 200, "{left_out}");
    }
}
