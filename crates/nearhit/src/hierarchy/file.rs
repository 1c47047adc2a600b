//! A tree in a file: the number of nodes (`u64`), then for each node where its run starts, how long
//! it is (the highest bit marks a leaf) and the numbers of its volume; then the order of the
//! triangles. Tiles are not kept: the leaf that they cover is.

use super::{Hierarchy, LEAF, Node};
use crate::bytes::FileError;
use crate::bytes::{Source, f64s, u32s};
use crate::mesh::Mesh;
use crate::parallel::*;
use crate::volume::Stored;

impl<V: Stored> Hierarchy<V> {
    const NODE_BYTES: usize = 8 + 8 * V::NUMBERS;

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.reserve(8 + self.nodes.len() * Self::NODE_BYTES + 4 * self.order.len());
        out.extend((self.untiled as u64).to_le_bytes());
        let mut numbers = Vec::new();
        for node in &self.nodes[..self.untiled] {
            // Every tile has the run of the triangle that it covers.
            let node = match self.nodes.get(node.first as usize) {
                Some(tile) if !node.is_leaf() && node.first as usize >= self.untiled => {
                    &Node { volume: node.volume, first: tile.first, count_and_kind: tile.count_and_kind }
                }
                _ => node,
            };
            numbers.clear();
            node.volume.store(&mut numbers);
            debug_assert_eq!(numbers.len(), V::NUMBERS);
            out.extend([node.first, node.count_and_kind].into_iter().flat_map(u32::to_le_bytes));
            out.extend(numbers.iter().copied().flat_map(f64::to_le_bytes));
        }
        out.extend(self.order.iter().copied().flat_map(u32::to_le_bytes));
    }

    pub(crate) fn read(mut tree: Source<'_>, flying: Source<'_>, mesh: &Mesh) -> Result<Self, FileError> {
        let count = tree.u64("the number of nodes")?;
        let offset = tree.offset();
        let nodes = tree.records(count, Self::NODE_BYTES, "the nodes")?;
        let order = tree.records(mesh.triangles().len() as u64, 4, "the order of the triangles")?;
        tree.end()?;
        let nodes = read_nodes(nodes, offset, mesh)?;
        let tree = Self::from_parts(nodes, u32s(order).collect());
        tree.check(mesh)?;
        let outlines = tree.read_outlines(flying, mesh)?;
        Ok(tree.with_outlines(outlines))
    }
}

/// Every node, or the error of the first that has one.
fn read_nodes<V: Stored>(records: &[u8], offset: usize, mesh: &Mesh) -> Result<Vec<Node<V>>, FileError> {
    let size = Hierarchy::<V>::NODE_BYTES;
    records.par_chunks(size).enumerate().map(|(id, bytes)| read_node(bytes, offset + id * size, mesh)).collect()
}

fn read_node<V: Stored>(bytes: &[u8], offset: usize, mesh: &Mesh) -> Result<Node<V>, FileError> {
    let (run, numbers) = bytes.split_at(8);
    let mut run = u32s(run);
    let (first, count_and_kind) = (run.next().unwrap_or(0), run.next().unwrap_or(0));
    if first.checked_add(count_and_kind & !LEAF).is_none() {
        return Source::refuse(offset, "the start of a run", first, "too large for its length");
    }
    let mut decoded = [0.0; MAX_NUMBERS];
    let decoded = &mut decoded[..V::NUMBERS];
    decoded.iter_mut().zip(f64s(numbers)).for_each(|(place, number)| *place = number);
    let Some(volume) = V::restore(decoded, mesh.max_coordinate()) else {
        let value = format!("{decoded:?}");
        return Source::refuse(offset + 8, "a volume", value, "which is not that of triangles of this mesh");
    };
    Ok(Node { volume, first, count_and_kind })
}

/// Of any volume: a 98-DOP has most.
const MAX_NUMBERS: usize = 98;
