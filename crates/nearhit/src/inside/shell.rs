//! Does a mesh enclose anything, and in how many pieces? By its edges alone.

use crate::mesh::{Mesh, places};
use crate::parallel::*;
use std::collections::HashSet;

/// How the edges of a mesh fit together. Vertices at exactly the same place count as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Closure {
    /// Some edge has an odd number of triangles.
    Open,
    /// Every edge has an even number of triangles, but not all pairs run along it in opposite
    /// directions: some are flipped.
    EvenEdges,
    /// Every edge is used as often in one direction as in the other.
    Oriented,
}

/// What a mesh is as a boundary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shell {
    pub(crate) closure: Closure,
    /// Triangles that repeat an earlier one, in order, where the mesh is better closed without
    /// them; otherwise empty.
    pub(crate) repeated: Vec<u32>,
    /// One vertex of each connected piece, in the order of their first triangles.
    pub(crate) pieces: Vec<u32>,
}

impl Shell {
    /// `places`: for each vertex the first one there.
    pub(crate) fn new(mesh: &Mesh, places: &[u32]) -> Self {
        let triangles: Vec<[u32; 3]> =
            mesh.triangles().iter().map(|corners| corners.map(|vertex| places[vertex as usize])).collect();
        let pieces = pieces(mesh.triangles(), &triangles, places.len());
        let closure = closure(&triangles);
        if closure == Closure::Oriented {
            return Self { closure, repeated: Vec::new(), pieces };
        }
        let (once, repeated) = without_repeats(&triangles);
        let closure_once = if repeated.is_empty() { closure } else { self::closure(&once) };
        if closure_once > closure {
            return Self { closure: closure_once, repeated, pieces };
        }
        Self { closure, repeated: Vec::new(), pieces }
    }
}

/// Every use of an edge, from its smaller to its larger vertex, and whether it is along or against
/// that; in order.
pub(super) fn uses(triangles: &[[u32; 3]]) -> Vec<(u32, u32, bool)> {
    let edges = triangles.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]).filter(|(from, to)| from != to);
    let mut uses: Vec<(u32, u32, bool)> = edges.map(|(from, to)| (from.min(to), from.max(to), from < to)).collect();
    uses.par_sort_unstable();
    uses
}

/// Triangles without area count: they may be what fills a crack.
fn closure(triangles: &[[u32; 3]]) -> Closure {
    let uses = uses(triangles);
    uses.chunk_by(|one, other| (one.0, one.1) == (other.0, other.1)).fold(Closure::Oriented, |closure, edge| {
        let along = edge.iter().filter(|use_of| use_of.2).count();
        closure.min(match (2 * along == edge.len(), edge.len() % 2) {
            (true, _) => Closure::Oriented,
            (false, 0) => Closure::EvenEdges,
            (false, _) => Closure::Open,
        })
    })
}

/// Triangles with different sets of corners, and the indices of the others.
fn without_repeats(triangles: &[[u32; 3]]) -> (Vec<[u32; 3]>, Vec<u32>) {
    let mut seen = HashSet::with_capacity(triangles.len());
    let (mut once, mut repeated) = (Vec::new(), Vec::new());
    for (index, corners) in triangles.iter().enumerate() {
        let mut sorted = *corners;
        sorted.sort_unstable();
        if seen.insert(sorted) { once.push(*corners) } else { repeated.push(index as u32) }
    }
    (once, repeated)
}

/// A vertex of each set of triangles that hang together at corners.
fn pieces(vertices: &[[u32; 3]], triangles: &[[u32; 3]], places: usize) -> Vec<u32> {
    let mut joined = Joined::new(places);
    for &[a, b, c] in triangles {
        joined.join(a, b);
        joined.join(b, c);
    }
    let mut seen = vec![false; places];
    let first = |(corners, places): (&[u32; 3], &[u32; 3])| {
        let root = joined.root(places[0]) as usize;
        (!std::mem::replace(&mut seen[root], true)).then_some(corners[0])
    };
    vertices.iter().zip(triangles).filter_map(first).collect()
}

/// Which triangles are around each place. Vertices at exactly the same place count as one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Neighbours {
    places: Vec<u32>,
    /// The triangles around place `i`: `triangles[first[i]..first[i + 1]]`.
    first: Vec<u32>,
    triangles: Vec<u32>,
}

impl Neighbours {
    pub(crate) fn new(mesh: &Mesh) -> Self {
        let places = places(mesh.vertices());
        let corners = |index: usize| mesh.triangles()[index].map(|vertex| places[vertex as usize] as usize);
        let mut first = vec![0_u32; places.len() + 1];
        let all = 0..mesh.triangles().len();
        all.clone().flat_map(corners).for_each(|place| first[place + 1] += 1);
        (0..places.len()).for_each(|place| first[place + 1] += first[place]);
        let mut next = first.clone();
        let mut triangles = vec![0; 3 * mesh.triangles().len()];
        for index in all {
            for place in corners(index) {
                triangles[next[place] as usize] = index as u32;
                next[place] += 1;
            }
        }
        Self { places, first, triangles }
    }

    pub(crate) fn place(&self, vertex: u32) -> u32 {
        self.places[vertex as usize]
    }

    pub(crate) fn around(&self, place: u32) -> &[u32] {
        &self.triangles[self.first[place as usize] as usize..self.first[place as usize + 1] as usize]
    }

    pub(crate) fn bytes(&self) -> usize {
        (self.places.capacity() + self.first.capacity() + self.triangles.capacity()) * size_of::<u32>()
    }
}

/// Sets that are joined (union-find).
#[derive(Debug)]
pub(crate) struct Joined(Vec<u32>);

impl Joined {
    pub(crate) fn new(count: usize) -> Self {
        Self((0..count as u32).collect())
    }

    pub(crate) fn root(&mut self, mut member: u32) -> u32 {
        while self.0[member as usize] != member {
            let above = self.0[self.0[member as usize] as usize];
            self.0[member as usize] = above;
            member = above;
        }
        member
    }

    /// The smaller root becomes the root of both.
    pub(crate) fn join(&mut self, one: u32, other: u32) {
        let (one, other) = (self.root(one), self.root(other));
        self.0[one.max(other) as usize] = one.min(other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearhit_testkit::{Soup, shapes};

    fn shell(soup: &Soup) -> Shell {
        let mesh = Mesh::new(&soup.vertices, &soup.triangles).expect("legal");
        Shell::new(&mesh, &places(mesh.vertices()))
    }

    #[test]
    fn closures_of_shapes() {
        let mut torus = shapes::torus(12, 8, 2.0, 0.5);
        assert_eq!(
            shell(&torus),
            Shell { closure: Closure::Oriented, repeated: vec![], pieces: vec![torus.triangles[0][0]] }
        );
        torus.append(&shapes::cuboid([5.0; 3], [6.0; 3]));
        assert_eq!((shell(&torus).closure, shell(&torus).pieces.len()), (Closure::Oriented, 2));
        let mut flipped = torus.clone();
        flipped.triangles[3].swap(0, 1);
        assert_eq!(shell(&flipped).closure, Closure::EvenEdges);
        let mut open = torus.clone();
        open.triangles.remove(7);
        assert_eq!(shell(&open).closure, Closure::Open);
        let mut repeated = torus.clone();
        repeated.triangles.push(torus.triangles[4]);
        let found = shell(&repeated);
        assert_eq!((found.closure, found.repeated), (Closure::Oriented, vec![torus.len() as u32]));
    }

    /// As in an STL file: every triangle has its own vertices.
    #[test]
    fn vertices_at_one_place_are_one() {
        let cube = shapes::cuboid([0.0; 3], [1.0; 3]);
        let vertices: Vec<[f64; 3]> = cube.corners().flatten().collect();
        let triangles = (0..cube.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let found = shell(&Soup { vertices, triangles });
        assert_eq!((found.closure, found.pieces.len()), (Closure::Oriented, 1));
    }
}
