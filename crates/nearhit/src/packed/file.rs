//! A packed tree in a file; nothing if the mesh's coordinates are beyond the engine's range. The
//! numbers of nodes and leaves (`u64` each). For each node the number of its slots (`u32`), its
//! axes and origin, and for each slot what it holds (`u32`, the highest bit marks a leaf), its
//! box's middle and half extents. For each leaf the number of its triangles (`u32`), its axes and
//! origin, and the triangles (`u32` each); their corners are in the mesh. All in single precision.

use super::build::{Threads, leaf, middle_of, radius_about};
use super::lanes::WIDTH;
use super::leaf_store::Leaves;
use super::node::{Content, Frame, Leaf, WideNode, is_orthonormal};
use super::{MAX_PACKED, Packed};
use crate::bytes::FileError;
use crate::bytes::Source;
use crate::mesh::Mesh;
use glam::DVec3;

const FRAME_BYTES: usize = 4 + 9 * 4 + 3 * 4;
const SLOT_BYTES: usize = 4 + 6 * 4;
/// Slots are numbered with 32 bits.
const MAX_NODES: u64 = (1 << 32) / WIDTH as u64;

impl Packed {
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.extend([self.nodes.len() as u64, self.leaves.len() as u64].into_iter().flat_map(u64::to_le_bytes));
        for node in &self.nodes {
            write_frame(node.count, &node.frame, out);
            for lane in 0..node.count as usize {
                let boxes = node.center.iter().chain(&node.half).map(|lanes| lanes.0[lane]);
                out.extend(node.content(lane).to_bits().to_le_bytes());
                out.extend(boxes.flat_map(f32::to_le_bytes));
            }
        }
        for leaf in 0..self.leaves.len() as u32 {
            let ids = self.leaves.ids(leaf);
            write_frame(ids.len() as u32, &self.leaves.frame(leaf), out);
            out.extend(ids.iter().copied().flat_map(u32::to_le_bytes));
        }
    }

    pub(crate) fn read(mut source: Source<'_>, mesh: &Mesh, is_compact: bool) -> Result<Option<Self>, FileError> {
        if source.is_empty() && mesh.max_coordinate() > MAX_PACKED {
            return Ok(None);
        }
        let offset = source.offset();
        let (nodes, leaves) = (source.u64("the number of nodes")?, source.u64("the number of leaves")?);
        if nodes.max(leaves) > MAX_NODES || mesh.max_coordinate() > MAX_PACKED {
            let value = format!("{nodes}, of leaves {leaves}");
            return Source::refuse(offset, "the number of nodes", value, "too many for this mesh");
        }
        // Looked at, not taken: so many bytes there must be at least.
        source.clone().records(nodes, FRAME_BYTES + SLOT_BYTES, "the nodes")?;
        source.clone().records(leaves, FRAME_BYTES + 4, "the leaves")?;
        let reading = Reading {
            mesh,
            center: middle_of(mesh.vertices()),
            length: 4.0 * mesh.max_coordinate() + f64::from(f32::MIN_POSITIVE),
        };
        let nodes = (0..nodes).map(|_| reading.node(&mut source)).collect::<Result<_, _>>()?;
        let leaves = (0..leaves).map(|_| reading.leaf(&mut source)).collect::<Result<_, _>>()?;
        source.end()?;
        let (center, radius) = (reading.center, radius_about(reading.center, mesh.vertices()));
        let packed = Self { nodes, leaves: Leaves::Whole(leaves), center, radius, twins: Vec::new() };
        packed.check(mesh)?;
        let packed = packed.with_slabs(Threads::for_mesh(mesh)).with_twins(mesh);
        Ok(Some(if is_compact { Self { leaves: packed.leaves.bare(), ..packed } } else { packed }))
    }
}

fn write_frame(count: u32, frame: &Frame, out: &mut Vec<u8>) {
    out.extend(count.to_le_bytes());
    out.extend(frame.axes.iter().flatten().chain(&frame.origin).copied().flat_map(f32::to_le_bytes));
}

/// Numbers of nodes and leaves are only accepted where all rounding is covered (`relation.rs`).
struct Reading<'m> {
    mesh: &'m Mesh,
    center: DVec3,
    /// No fitted box of the mesh is larger than this, or reaches farther.
    length: f64,
}

impl Reading<'_> {
    /// A frame, and how many there are of what it is for.
    fn frame(&self, source: &mut Source<'_>) -> Result<(u32, Frame), FileError> {
        let offset = source.offset();
        let count = source.u32("the number of slots")?;
        if !(1..=WIDTH as u32).contains(&count) {
            return Source::refuse(offset, "the number of slots", count, "and there are 1 to 8");
        }
        let axes: [f32; 9] = source.f32s("the axes of a frame")?;
        let axes = [0, 3, 6].map(|row| [axes[row], axes[row + 1], axes[row + 2]]);
        if !is_orthonormal(&axes) {
            return Source::refuse(offset + 4, "a frame", format!("{axes:?}"), "not unit axes");
        }
        let offset = source.offset();
        let origin: [f32; 3] = source.f32s("the origin of a frame")?;
        if origin.iter().any(|&value| !self.is_coordinate(value)) {
            return Source::refuse(offset, "the origin of a frame", format!("{origin:?}"), "beyond the mesh");
        }
        Ok((count, Frame::new(axes, origin)))
    }

    fn node(&self, source: &mut Source<'_>) -> Result<WideNode, FileError> {
        let (count, frame) = self.frame(source)?;
        let mut node = WideNode::empty(frame);
        for _ in 0..count {
            let offset = source.offset();
            let content = Content::from_bits(source.u32("the content of a slot")?);
            let center: [f32; 3] = source.f32s("the middle of a box")?;
            let half: [f32; 3] = source.f32s("the half extents of a box")?;
            let is_half = |&value: &f32| value >= f32::MIN_POSITIVE && self.is_coordinate(value);
            if !(center.iter().all(|&value| self.is_coordinate(value)) && half.iter().all(is_half)) {
                return Source::refuse(offset, "a box", format!("{center:?} ± {half:?}"), "beyond the mesh");
            }
            node.push(center, half, content);
        }
        Ok(node)
    }

    fn leaf(&self, source: &mut Source<'_>) -> Result<Leaf, FileError> {
        let (count, frame) = self.frame(source)?;
        let mut triangles = [0; WIDTH];
        let triangles = &mut triangles[..count as usize];
        for triangle in triangles.iter_mut() {
            let offset = source.offset();
            *triangle = source.u32("a triangle of a leaf")?;
            if *triangle as usize >= self.mesh.triangles().len() {
                return Source::refuse(offset, "a triangle of a leaf", *triangle, "more than the mesh has");
            }
        }
        Ok(leaf(self.mesh, self.center, frame, triangles))
    }

    fn is_coordinate(&self, value: f32) -> bool {
        f64::from(value).abs() <= self.length
    }
}
