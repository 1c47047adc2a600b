//! Outlines in a file. What they are made of is in the file already: vertices, or the volume's own
//! planes. So it is written which: a byte for each node with its kind; for all but the last kind
//! how many vertices or corners there are (`u32`); the vertices (`u32` each); the triangles of
//! hulls (three `u32`, numbers of the hull's own vertices; a closed surface of n corners has 2n -
//! 4); the planes of the corners (three bytes each).
//!
//! An outline of vertices is believed if it has every vertex below its node; one of corners if they
//! prove that they enclose the volume ([`Stored::restore_corners`]); a hull if it proves that it is
//! one ([`Hull::certified`]).

use super::{Made, Outlines};
use crate::bytes::FileError;
use crate::bytes::{Source, u32s};
use crate::hierarchy::{Hierarchy, Skeleton};
use crate::mesh::Mesh;
use crate::parallel::*;
use crate::volume::Stored;
use crate::volume::hull::Hull;
use crate::volume::outline::{Outline, PointLanes, distinct, in_order, lanes};
use glam::DVec3;
use std::cell::LazyCell;
use std::collections::HashSet;
use std::ops::Range;

/// What a node's outline is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Nothing,
    Vertices,
    Corners,
    Hull,
    /// Without a proof: it is made again.
    Remade,
}

impl Kind {
    const ALL: [Self; 5] = [Self::Nothing, Self::Vertices, Self::Corners, Self::Hull, Self::Remade];

    fn is_counted(self) -> bool {
        matches!(self, Self::Vertices | Self::Corners | Self::Hull)
    }
}

impl<V: Stored> Hierarchy<V> {
    pub(crate) fn write_outlines(&self, mesh: &Mesh, out: &mut Vec<u8>) {
        let Some(outlines) = self.outlines() else { return };
        outlines.write(&self.skeleton(), mesh, &|id| self.node(id).volume.store_corners(), out);
    }

    pub(crate) fn read_outlines(&self, flying: Source<'_>, mesh: &Mesh) -> Result<Option<Outlines>, FileError> {
        if flying.is_empty() {
            return Ok(None);
        }
        let restore_corners = |id: u32, planes: &[[u8; 3]]| self.node(id).volume.restore_corners(planes);
        let reading = Reading::new(flying, mesh, &self.skeleton(), &restore_corners)?;
        reading.outlines().map(Some)
    }
}

impl Outlines {
    /// `store_corners` tells a corner of a node's volume by its planes.
    fn write(&self, tree: &Skeleton<'_>, mesh: &Mesh, store_corners: &dyn Fn(u32) -> Vec<[u8; 3]>, out: &mut Vec<u8>) {
        let runs = tree.runs_below();
        let (mut counts, mut vertices, mut faces, mut corners) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (id, run) in runs.into_iter().enumerate() {
            let kind = match self.of(id as u32) {
                None => Kind::Nothing,
                Some(Outline::Hull(hull) | Outline::Climbed(hull, _)) => {
                    match vertices_of_hull(hull, tree.triangles(&run), mesh) {
                        Some(found) => {
                            counts.push(found.len() as u32);
                            vertices.extend(found);
                            faces.extend(hull.parts().1.iter().flatten().copied());
                            Kind::Hull
                        }
                        None => Kind::Remade,
                    }
                }
                Some(Outline::Points(points)) => {
                    if let Some(found) = vertices_of(points, tree.triangles(&run), mesh) {
                        counts.push(found.len() as u32);
                        vertices.extend(found);
                        Kind::Vertices
                    } else {
                        let found = store_corners(id as u32);
                        counts.push(found.len() as u32);
                        corners.extend(found.into_iter().flatten());
                        Kind::Corners
                    }
                }
            };
            out.push(kind as u8);
        }
        out.extend(counts.into_iter().chain(vertices).chain(faces).flat_map(u32::to_le_bytes));
        out.extend(corners);
    }
}

impl<'r> Reading<'r> {
    fn new(
        mut flying: Source<'_>,
        mesh: &'r Mesh,
        tree: &Skeleton<'r>,
        restore_corners: &'r RestoreCorners<'r>,
    ) -> Result<Self, FileError> {
        let offset = flying.offset();
        let kinds = flying.records(tree.contents().len() as u64, 1, "the kinds of outlines")?;
        if let Some(id) = kinds.iter().position(|&kind| usize::from(kind) >= Kind::ALL.len()) {
            return Source::refuse(offset + id, "the kind of an outline", kinds[id], "and there are 0 to 4");
        }
        let kinds: Vec<Kind> = kinds.iter().map(|&kind| Kind::ALL[usize::from(kind)]).collect();
        let counted = kinds.iter().filter(|kind| kind.is_counted()).count() as u64;
        let counts = u32s(flying.records(counted, 4, "the lengths of outlines")?);
        let Places { places, vertices, faces, corners } = places(&kinds, counts);
        let offset = flying.offset();
        let vertices: Vec<u32> = u32s(flying.records(vertices, 4, "the vertices of outlines")?).collect();
        let faces = flying.records(faces, 12, "the triangles of hulls")?;
        let corners = flying.records(corners, 3, "the corners of outlines")?;
        flying.end()?;
        if let Some(at) = vertices.iter().position(|&vertex| vertex as usize >= mesh.vertices().len()) {
            let offset = offset + 4 * at;
            return Source::refuse(offset, "a vertex of an outline", vertices[at], "more than the mesh has");
        }
        let triple = |bytes: &[u8]| [0, 4, 8].map(|at| u32s(&bytes[at..at + 4]).next().unwrap_or(u32::MAX));
        let faces = faces.chunks_exact(12).map(triple).collect();
        let corners = corners.chunks_exact(3).map(|planes| [planes[0], planes[1], planes[2]]).collect();
        let (order, runs) = (tree.order(), tree.runs_below());
        Ok(Self { restore_corners, order, mesh, runs, kinds, places, vertices, faces, corners })
    }
}

/// Where each node's vertices or corners are, and the triangles of its hull; how many there are of
/// each.
struct Places {
    places: Vec<[Range<u64>; 2]>,
    vertices: u64,
    faces: u64,
    corners: u64,
}

fn places(kinds: &[Kind], mut counts: impl Iterator<Item = u32>) -> Places {
    let (mut vertices, mut faces, mut corners) = (0, 0, 0);
    let run = |end: &mut u64, count: u64| {
        let start = *end;
        *end += count;
        start..*end
    };
    let place = |kind: &Kind| {
        let count = if kind.is_counted() { u64::from(counts.next().unwrap_or(0)) } else { 0 };
        match kind {
            Kind::Vertices => [run(&mut vertices, count), 0..0],
            Kind::Hull => [run(&mut vertices, count), run(&mut faces, faces_of(count))],
            Kind::Corners => [run(&mut corners, count), 0..0],
            Kind::Nothing | Kind::Remade => [0..0, 0..0],
        }
    };
    let places = kinds.iter().map(place).collect();
    Places { places, vertices, faces, corners }
}

/// Of a closed surface of triangles with so many corners, without holes (Euler).
fn faces_of(corners: u64) -> u64 {
    (2 * corners).saturating_sub(4)
}

/// The corners of a node's volume, if these planes of it prove them.
type RestoreCorners<'r> = dyn Fn(u32, &[[u8; 3]]) -> Option<Vec<DVec3>> + Sync + 'r;

struct Reading<'r> {
    restore_corners: &'r RestoreCorners<'r>,
    order: &'r [u32],
    mesh: &'r Mesh,
    runs: Vec<Range<u32>>,
    kinds: Vec<Kind>,
    places: Vec<[Range<u64>; 2]>,
    vertices: Vec<u32>,
    faces: Vec<[u32; 3]>,
    corners: Vec<[u8; 3]>,
}

/// Nodes that are read one after the other. Few, because the outlines of some are a hundred times
/// the work of others.
const CHUNK: usize = 1 << 6;

impl Reading<'_> {
    fn outlines(&self) -> Result<Outlines, FileError> {
        let unseen = || vec![u32::MAX; self.mesh.vertices().len()];
        let read = |seen: &mut Vec<u32>, (chunk, kinds): (usize, &[Kind])| {
            let start = (chunk * CHUNK) as u32;
            let made: Vec<Made> =
                (start..start + kinds.len() as u32).map(|id| self.made(id, seen)).collect::<Result<_, FileError>>()?;
            Ok(Outlines::gather(start, made.into_iter()))
        };
        let parts =
            self.kinds.par_chunks(CHUNK).enumerate().map_init(unseen, read).collect::<Result<_, FileError>>()?;
        Ok(Outlines::join(parts))
    }

    fn point(&self, vertex: u32) -> DVec3 {
        self.mesh.vertices()[vertex as usize]
    }

    fn below(&self, id: u32) -> &[u32] {
        let run = &self.runs[id as usize];
        &self.order[run.start as usize..run.end as usize]
    }

    /// `seen` says for each vertex in which node it was last found.
    fn made(&self, id: u32, seen: &mut [u32]) -> Result<Made, FileError> {
        let refuse = |problem| Err(FileError::Outline { node: id, problem });
        let [place, faces] = self.places[id as usize].clone().map(|run| run.start as usize..run.end as usize);
        match self.kinds[id as usize] {
            Kind::Nothing => Ok(Made::Nothing),
            Kind::Vertices => {
                let vertices = &self.vertices[place];
                vertices.iter().for_each(|&vertex| seen[vertex as usize] = id);
                let points: Vec<DVec3> = vertices.iter().map(|&vertex| self.point(vertex)).collect();
                // Other vertices may be in the same place: looked up, because a search among all
                // points for each would take the square of their number.
                let places = LazyCell::new(|| points.iter().map(place_of).collect::<HashSet<_>>());
                let is_missing =
                    |vertex: u32| seen[vertex as usize] != id && !places.contains(&place_of(&self.point(vertex)));
                let mut corners = self.below(id).iter().flat_map(|&triangle| self.mesh.triangles()[triangle as usize]);
                if corners.any(is_missing) { refuse("lacks a vertex") } else { Ok(Made::Points(points)) }
            }
            Kind::Corners => match (self.restore_corners)(id, &self.corners[place]) {
                None => refuse("has not all the corners of its volume"),
                Some(corners) => Ok(Made::Points(distinct(corners))),
            },
            Kind::Hull => {
                let vertices = &self.vertices[place];
                let corners: Vec<DVec3> = vertices.iter().map(|&vertex| self.point(vertex)).collect();
                vertices.iter().for_each(|&vertex| seen[vertex as usize] = id);
                let others = unseen_points(self.below(id), self.mesh, seen, id);
                match Hull::certified(&corners, &self.faces[faces], &others) {
                    Some(hull) => Ok(Made::Hull(hull)),
                    None => refuse("is not the hull of the vertices below it"),
                }
            }
            Kind::Remade => match Hull::new(&distinct(points_below(self.below(id), self.mesh))) {
                Some(hull) => Ok(Made::Hull(hull)),
                None => refuse("is a hull of points in a plane"),
            },
        }
    }
}

/// The same for points that are equal: there are two zeros.
fn place_of(point: &DVec3) -> [u64; 3] {
    point.to_array().map(|coordinate| (coordinate + 0.0).to_bits())
}

/// The vertices below that are not marked with `id`, each once; they are marked, too.
fn unseen_points(below: &[u32], mesh: &Mesh, seen: &mut [u32], id: u32) -> Vec<DVec3> {
    let vertices = below.iter().flat_map(|&triangle| mesh.triangles()[triangle as usize]);
    let unseen = vertices.filter(|&vertex| std::mem::replace(&mut seen[vertex as usize], id) != id);
    unseen.map(|vertex| mesh.vertices()[vertex as usize]).collect()
}

fn points_below(below: &[u32], mesh: &Mesh) -> Vec<DVec3> {
    below.iter().flat_map(|&triangle| mesh.triangle(triangle)).collect()
}

/// The vertices that are a hull's corners, in its order, if it can be proved by them.
fn vertices_of_hull(hull: &Hull, below: &[u32], mesh: &Mesh) -> Option<Vec<u32>> {
    let at = |vertex: u32| mesh.vertices()[vertex as usize];
    let mut known: Vec<u32> = below.iter().flat_map(|&triangle| mesh.triangles()[triangle as usize]).collect();
    known.sort_by(|&p, &q| in_order(&at(p), &at(q)).then(p.cmp(&q)));
    let (corners, faces) = hull.parts();
    let corners: Vec<DVec3> = corners.collect();
    let find = |corner: &DVec3| {
        let first = known.partition_point(|&vertex| in_order(&at(vertex), corner).is_lt());
        known.get(first).copied().filter(|&vertex| at(vertex) == *corner)
    };
    let found: Vec<u32> = corners.iter().map(find).collect::<Option<_>>()?;
    let sized = faces.len() as u64 == faces_of(corners.len() as u64);
    let mut seen = vec![u32::MAX; mesh.vertices().len()];
    found.iter().for_each(|&vertex| seen[vertex as usize] = 0);
    let others = unseen_points(below, mesh, &mut seen, 0);
    (sized && Hull::certified(&corners, faces, &others).as_ref() == Some(hull)).then_some(found)
}

/// The vertices that an outline is made of, in its order, if it is.
fn vertices_of(points: &[PointLanes], below: &[u32], mesh: &Mesh) -> Option<Vec<u32>> {
    // An outline has no more points than a volume has corners; do not sort what has far more.
    if below.len() > 64 * points.len() {
        return None;
    }
    let mut vertices: Vec<u32> = below.iter().flat_map(|&triangle| mesh.triangles()[triangle as usize]).collect();
    let at = |vertex: u32| mesh.vertices()[vertex as usize];
    vertices.sort_by(|&p, &q| in_order(&at(p), &at(q)).then(p.cmp(&q)));
    vertices.dedup_by(|p, q| at(*p) == at(*q));
    let found: Vec<DVec3> = vertices.iter().map(|&vertex| at(vertex)).collect();
    lanes(&found).eq(points.iter().copied()).then_some(vertices)
}
