//! The tree from outside: what a node holds, as boxes along the mesh's axes in double precision.
//! For descents that pair a mesh with another kind of tree.

use super::Packed;
use super::node::Content;
use super::point::Part;
use glam::DVec3;

impl Packed {
    /// What a part of the tree holds: other parts with the middles and half sizes of boxes around
    /// them, or triangles. 0 is the whole tree.
    pub(crate) fn opened(&self, part: u32) -> impl Iterator<Item = Result<(u32, DVec3, DVec3), u32>> + '_ {
        let (nodes, triangles) = match Part::from_number(part).content() {
            Content::Node(index) => (Some(&self.nodes[index as usize]), &[][..]),
            Content::Leaf(index) => (None, self.leaves.ids(index)),
        };
        let boxes = nodes.into_iter().flat_map(|node| (0..node.count as usize).map(move |lane| (node, lane)));
        let boxes = boxes.map(|(node, lane)| {
            let frame = &node.frame;
            let at = |lanes: &[super::lanes::Lanes; 3]| {
                DVec3::new(lanes[0].0[lane].into(), lanes[1].0[lane].into(), lanes[2].0[lane].into())
            };
            let (center, half) = (at(&node.center), at(&node.half));
            let row = |axis: usize| DVec3::from(frame.axes[axis].map(f64::from));
            let axes = [row(0), row(1), row(2)];
            let turned = |v: DVec3| axes[0] * v.x + axes[1] * v.y + axes[2] * v.z;
            let around = axes[0].abs() * half.x + axes[1].abs() * half.y + axes[2].abs() * half.z;
            // Axes are orthonormal to single precision: their transpose is their inverse to that.
            let rounding = 32.0 * f64::from(f32::EPSILON) * f64::from(frame.reach()) + f64::from(f32::MIN_POSITIVE);
            let middle = self.center + DVec3::from(frame.origin.map(f64::from)) + turned(center);
            let part = Part::new(node.content(lane)).number();
            Ok((part, middle, around + rounding))
        });
        boxes.chain(triangles.iter().map(|&triangle| Err(triangle)))
    }
}
