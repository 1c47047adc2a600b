//! Faces of a convex hull by quickhull (Barber, Dobkin, Huhdanpaa, 1996), with exact orientations.
//!
//! A point belongs to a face that it lies *strictly* beyond. Points in the plane of a face wait for
//! another face: a point outside the hull is strictly beyond at least one. With exact signs the
//! faces that a point sees form one patch, and no new face is degenerate.

use crate::primitive::predicates::{Sign, collinear, orient3d};
use glam::DVec3;

/// A triangle, counter-clockwise from outside; `across[i]` is the face beyond the edge from corner
/// `i` to the next.
#[derive(Debug)]
struct Face {
    corners: [u32; 3],
    across: [u32; 3],
    /// Points strictly beyond it, in no other list.
    beyond: Vec<u32>,
    alive: bool,
}

struct Quickhull<'p> {
    points: &'p [DVec3],
    faces: Vec<Face>,
}

/// Triangles of the hull, as indices of points, counter-clockwise from outside; `None` if the
/// points lie in a plane.
pub(crate) fn faces(points: &[DVec3]) -> Option<Vec<[u32; 3]>> {
    let mut hull = Quickhull::start(points)?;
    let mut open: Vec<u32> = (0..4).collect();
    // Ends: every point is taken once, and adds no more faces than it sees edges.
    while let Some(face) = open.pop() {
        while let Some(point) = hull.take_farthest(face) {
            open.extend(hull.add(point, face));
        }
    }
    Some(hull.faces.iter().filter(|face| face.alive).map(|face| face.corners).collect())
}

impl<'p> Quickhull<'p> {
    /// A tetrahedron of points far apart, and every other point with a face it is beyond.
    fn start(points: &'p [DVec3]) -> Option<Self> {
        let [a, b, c, d] = tetrahedron(points)?;
        let face = |corners, across| Face { corners, across, beyond: Vec::new(), alive: true };
        let faces = vec![
            face([a, b, c], [3, 1, 2]),
            face([c, b, d], [0, 3, 2]),
            face([a, c, d], [0, 1, 3]),
            face([b, a, d], [0, 2, 1]),
        ];
        let mut hull = Self { points, faces };
        hull.share_out((0..points.len() as u32).collect(), 0);
        Some(hull)
    }

    fn point(&self, index: u32) -> DVec3 {
        self.points[index as usize]
    }

    /// Strictly.
    fn sees(&self, point: u32, face: u32) -> bool {
        let [a, b, c] = self.faces[face as usize].corners.map(|corner| self.point(corner));
        orient3d(a, b, c, self.point(point)) == Sign::Negative
    }

    /// Gives each point to the first of the faces from `from` on that it is beyond; the others are
    /// inside.
    fn share_out(&mut self, points: Vec<u32>, from: u32) {
        for point in points {
            if let Some(face) = (from..self.faces.len() as u32).find(|&face| self.sees(point, face)) {
                self.faces[face as usize].beyond.push(point);
            }
        }
    }

    /// Rounding only matters for speed: any point beyond the face will do.
    fn take_farthest(&mut self, face: u32) -> Option<u32> {
        let Face { corners, beyond, alive: true, .. } = &self.faces[face as usize] else { return None };
        let [a, b, c] = corners.map(|corner| self.point(corner));
        let normal = (b - a).cross(c - a);
        let height = |&index: &u32| normal.dot(self.point(index) - a);
        let farthest = (0..beyond.len()).max_by(|&p, &q| height(&beyond[p]).total_cmp(&height(&beyond[q])))?;
        Some(self.faces[face as usize].beyond.swap_remove(farthest))
    }

    /// Replaces all faces that the point sees by a fan to the edge of what it sees; returns the new
    /// ones.
    fn add(&mut self, point: u32, seen: u32) -> std::ops::Range<u32> {
        let horizon = self.horizon(point, seen);
        let from = self.faces.len() as u32;
        let count = horizon.len() as u32;
        for (i, &(start, end, outside, slot)) in horizon.iter().enumerate() {
            let id = from + i as u32;
            let neighbour = |step: u32| from + (i as u32 + step) % count;
            self.faces[outside as usize].across[slot] = id;
            let across = [outside, neighbour(1), neighbour(count - 1)];
            self.faces.push(Face { corners: [start, end, point], across, beyond: Vec::new(), alive: true });
        }
        let orphans = self.bury(point, seen);
        self.share_out(orphans, from);
        from..from + count
    }

    /// The edges around what the point sees, in order: start, end, the face outside and which of
    /// its edges that is.
    fn horizon(&self, point: u32, seen: u32) -> Vec<(u32, u32, u32, usize)> {
        // Walks along the border: at each seen face turn to the next edge; where the face across is
        // seen too, go over.
        let (mut face, mut edge) = self.border(point, seen);
        let begin = (face, edge);
        let mut horizon = Vec::new();
        // Ends where it began: signs are exact, so what the point sees is one patch, whose border
        // is one circle.
        loop {
            let Face { corners, across, .. } = &self.faces[face as usize];
            let outside = across[edge];
            horizon.push((
                corners[edge],
                corners[(edge + 1) % 3],
                outside,
                self.back_edge(outside, face, corners[edge]),
            ));
            edge = (edge + 1) % 3;
            while let over = self.faces[face as usize].across[edge]
                && self.sees(point, over)
            {
                edge = (self.back_edge(over, face, self.faces[face as usize].corners[edge]) + 1) % 3;
                face = over;
            }
            if (face, edge) == begin {
                return horizon;
            }
        }
    }

    /// Some face that the point sees with an edge to one that it does not see.
    fn border(&self, point: u32, seen: u32) -> (u32, usize) {
        let mut visited = vec![seen];
        let mut next = 0;
        while next < visited.len() {
            let face = visited[next];
            for edge in 0..3 {
                let over = self.faces[face as usize].across[edge];
                if !self.sees(point, over) {
                    return (face, edge);
                }
                if !visited.contains(&over) {
                    visited.push(over);
                }
            }
            next += 1;
        }
        unreachable!("a point cannot see the whole of a hull that it is not inside of")
    }

    /// Which edge of `face` leads back to `other`; it ends where the other's edge starts.
    fn back_edge(&self, face: u32, other: u32, end: u32) -> usize {
        let Face { corners, across, .. } = &self.faces[face as usize];
        (0..3).find(|&edge| across[edge] == other && corners[(edge + 1) % 3] == end).unwrap_or(0)
    }

    /// Removes the faces that the point sees and returns the points they had.
    fn bury(&mut self, point: u32, seen: u32) -> Vec<u32> {
        let mut orphans = Vec::new();
        let mut open = vec![seen];
        self.faces[seen as usize].alive = false;
        while let Some(face) = open.pop() {
            orphans.append(&mut self.faces[face as usize].beyond);
            for over in self.faces[face as usize].across {
                if self.faces[over as usize].alive && self.sees(point, over) {
                    self.faces[over as usize].alive = false;
                    open.push(over);
                }
            }
        }
        orphans
    }
}

/// Four points that are not in a plane, positively oriented: `d` below the counter-clockwise `a`,
/// `b`, `c`.
fn tetrahedron(points: &[DVec3]) -> Option<[u32; 4]> {
    let farthest = |measure: &dyn Fn(DVec3) -> f64| {
        (0..points.len()).max_by(|&p, &q| measure(points[p]).total_cmp(&measure(points[q])))
    };
    let a = farthest(&|p| p.x)?;
    let b = farthest(&|p| p.distance_squared(points[a]))?;
    let along = points[b] - points[a];
    // The best in doubles if it will do, any that will do otherwise.
    let aside = |&c: &usize| !collinear(points[a], points[b], points[c]);
    let c = farthest(&|p| along.cross(p - points[a]).length_squared())
        .filter(aside)
        .or_else(|| (0..points.len()).find(aside))?;
    let normal = along.cross(points[c] - points[a]);
    let side = |d: usize| orient3d(points[a], points[b], points[c], points[d]);
    let d = farthest(&|p| normal.dot(p - points[a]).abs())
        .filter(|&d| side(d) != Sign::Zero)
        .or_else(|| (0..points.len()).find(|&d| side(d) != Sign::Zero))?;
    let [b, c] = if side(d) == Sign::Positive { [b, c] } else { [c, b] };
    Some([a, b, c, d].map(|index| index as u32))
}
