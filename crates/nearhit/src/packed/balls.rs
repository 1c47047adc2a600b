//! The slots of a node as balls, and the triangles of a leaf, in the model's frame.

use super::Packed;
use super::lanes::Lanes;
use super::node::{Content, WideNode};
use super::point::Part;
use glam::DVec3;

/// What is in a part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Ball {
    /// A part and a ball that encloses all its triangles, to single-precision rounding.
    Part { part: Part, middle: DVec3, radius: f64 },
    /// A triangle, by index.
    Triangle(u32),
}

impl Packed {
    /// What a node or a leaf holds.
    pub(crate) fn balls(&self, part: Part) -> impl Iterator<Item = Ball> + '_ {
        let (node, leaf) = match part.content() {
            Content::Node(index) => (Some(&self.nodes[index as usize]), None),
            Content::Leaf(index) => (None, Some(self.leaves.ids(index))),
        };
        let slots = node.into_iter().flat_map(|node| (0..node.count as usize).map(|lane| self.ball(node, lane)));
        let triangles = leaf.into_iter().flatten();
        slots.chain(triangles.map(|&triangle| Ball::Triangle(triangle)))
    }

    fn ball(&self, node: &WideNode, lane: usize) -> Ball {
        let exact = |[x, y, z]: [f32; 3]| DVec3::new(x.into(), y.into(), z.into());
        let at = |lanes: &[Lanes; 3]| exact([lanes[0].0[lane], lanes[1].0[lane], lanes[2].0[lane]]);
        let (center, half) = (at(&node.center), at(&node.half));
        // Rows are orthonormal only to single precision: hence the rounding.
        let turned = (0..3).fold(DVec3::ZERO, |sum, axis| sum + exact(node.frame.axes[axis]) * center[axis]);
        let middle = self.center + exact(node.frame.origin) + turned;
        let rounding = f64::from(node.frame.reach()) * 16.0 * f64::from(f32::EPSILON);
        Ball::Part { part: Part::new(node.content(lane)), middle, radius: half.length() + rounding }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Preset;
    use super::*;
    use crate::mesh::Mesh;

    #[test]
    fn balls_enclose_their_triangles() {
        let soup = nearhit_testkit::shapes::wrinkled_torus(30, 16, 4).translated([1e4, 0.0, -1e4]);
        let mesh = Mesh::new(&soup.vertices, &soup.triangles).expect("legal");
        let tree = Packed::build(&mesh, Preset::Balanced).expect("in range");
        let mut open: Vec<(Part, Vec<(DVec3, f64)>)> = vec![(Part::ROOT, Vec::new())];
        let mut seen = 0;
        while let Some((part, above)) = open.pop() {
            for ball in tree.balls(part) {
                match ball {
                    Ball::Part { part, middle, radius } => {
                        let mut above = above.clone();
                        above.push((middle, radius));
                        open.push((part, above));
                    }
                    Ball::Triangle(triangle) => {
                        seen += 1;
                        for (corner, (middle, radius)) in mesh
                            .triangle(triangle)
                            .iter()
                            .flat_map(|corner| above.iter().map(move |ball| (corner, ball)))
                        {
                            assert!((*corner - *middle).length() <= radius + 1e-11, "{corner} {middle} {radius}");
                        }
                    }
                }
            }
        }
        assert_eq!(seen, soup.len());
    }
}
