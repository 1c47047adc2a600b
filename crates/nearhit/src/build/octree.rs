//! Octrees of occupied cells: cubes, each with the triangles that reach into it.
//!
//! Cells are closed and the test is conservative: a triangle that touches a cell, or misses it by
//! no more than rounding, is in it. So every point of the surface is in a cell of every level down
//! to where cells are no longer divided, and in one that holds its triangle.

use crate::bounds::Bounds;
use crate::mesh::{Mesh, Triangle};
use crate::parallel::*;
use glam::DVec3;
use std::ops::Range;

/// When a cell is no longer divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OctreeLimits {
    /// Levels below the root, at most [`OctreeLimits::DEEPEST`].
    pub depth: u32,
    /// A cell with at most this many triangles stays whole.
    pub stop_count: usize,
}

impl OctreeLimits {
    /// Cells of this level are a millionth of the root's.
    pub const DEEPEST: u32 = 20;
}

/// A cube of space.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// The middle.
    pub center: DVec3,
    /// Half of a side.
    pub half: f64,
    /// 0 for the root.
    pub level: u32,
    /// None for the root.
    pub parent: Option<u32>,
    /// Occupied octants, by index: none if the cell was not divided.
    pub children: Range<u32>,
    /// Where its triangles are in the octree's list.
    triangles: Range<usize>,
}

/// The occupied cells of a mesh, level by level.
#[derive(Debug, Clone, PartialEq)]
pub struct Octree {
    cells: Vec<Cell>,
    triangles: Vec<u32>,
    levels: Vec<Range<u32>>,
}

impl Octree {
    /// Divides the smallest cube around the mesh that is centred on its box.
    #[must_use]
    pub fn build(mesh: &Mesh, limits: OctreeLimits) -> Self {
        let used = mesh.triangles().iter().flatten().map(|&vertex| mesh.vertices()[vertex as usize]);
        let bounds: Bounds = used.collect();
        let (Bounds { low, high }, center) = (bounds, bounds.middle());
        let reach = (high - center).max(center - low).max_element();
        // Every corner stays within after rounding, and a mesh of one point has a cell too.
        let half =
            (reach * (1.0 + 4.0 * f64::EPSILON)).max(mesh.max_coordinate() * f64::EPSILON).max(f64::MIN_POSITIVE);
        Self::build_in(mesh, center, half, limits)
    }

    /// Divides a given cube; triangles outside of it are in no cell but the root.
    #[must_use]
    pub fn build_in(mesh: &Mesh, center: DVec3, half: f64, limits: OctreeLimits) -> Self {
        let triangles: Vec<u32> = (0..mesh.triangles().len() as u32).collect();
        let root = Cell { center, half, level: 0, parent: None, children: 0..0, triangles: 0..triangles.len() };
        let mut tree = Self { cells: vec![root], triangles, levels: std::iter::once(0..1).collect() };
        for level in 0..limits.depth.min(OctreeLimits::DEEPEST) {
            let octants = tree.octants_of(mesh, level, limits.stop_count);
            if octants.iter().all(Vec::is_empty) {
                break;
            }
            tree.append(level, octants);
        }
        tree
    }

    /// For each cell of a level, its occupied octants with their triangles.
    fn octants_of(&self, mesh: &Mesh, level: u32, stop_count: usize) -> Vec<Vec<(Cell, Vec<u32>)>> {
        let indices = self.levels[level as usize].clone();
        let octants = indices.into_par_iter().map(|index| {
            let cell = &self.cells[index as usize];
            let triangles = self.triangles(cell);
            // Cells not larger than rounding would each hold all that is near: eight times as many
            // on every level.
            if triangles.len() <= stop_count || cell.half <= 64.0 * f64::EPSILON * mesh.max_coordinate() {
                return Vec::new();
            }
            (0..8).map(|octant| octant_of(cell, index, octant, triangles, mesh)).filter(|it| !it.1.is_empty()).collect()
        });
        octants.collect()
    }

    fn append(&mut self, level: u32, octants: Vec<Vec<(Cell, Vec<u32>)>>) {
        let (parents, first) = (self.levels[level as usize].clone(), self.cells.len() as u32);
        for (parent, octants) in parents.zip(octants) {
            let start = self.cells.len() as u32;
            self.cells[parent as usize].children = start..start + octants.len() as u32;
            for (mut cell, triangles) in octants {
                cell.triangles = self.triangles.len()..self.triangles.len() + triangles.len();
                self.triangles.extend(triangles);
                self.cells.push(cell);
            }
        }
        self.levels.push(first..self.cells.len() as u32);
    }

    /// All cells, the root first, then level by level; a cell's children are neighbours.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The triangles that reach into a cell of this octree, in ascending order.
    #[must_use]
    pub fn triangles(&self, cell: &Cell) -> &[u32] {
        &self.triangles[cell.triangles.clone()]
    }

    /// Which cells are on each level.
    #[must_use]
    pub fn levels(&self) -> &[Range<u32>] {
        &self.levels
    }
}

impl Cell {
    /// The ball around it, with room for rounding.
    #[must_use]
    pub fn circumradius(&self) -> f64 {
        let far = self.center.abs().max_element() + self.half;
        3f64.sqrt() * self.half * (1.0 + 4.0 * f64::EPSILON) + 4.0 * f64::EPSILON * far
    }

    /// Whether a triangle reaches into it. Never wrongly no.
    #[must_use]
    pub fn meets(&self, triangle: &Triangle) -> bool {
        meets_box(triangle, self.center, self.half)
    }
}

fn octant_of(cell: &Cell, index: u32, octant: u32, triangles: &[u32], mesh: &Mesh) -> (Cell, Vec<u32>) {
    let side = |axis: u32| if octant >> axis & 1 == 1 { 1.0 } else { -1.0 };
    let half = cell.half * 0.5;
    let center = cell.center + DVec3::new(side(0), side(1), side(2)) * half;
    let found = Cell { center, half, level: cell.level + 1, parent: Some(index), children: 0..0, triangles: 0..0 };
    let within = triangles.iter().copied().filter(|&triangle| found.meets(&mesh.triangle(triangle))).collect();
    (found, within)
}

/// Separating axes of a triangle and a cube (Akenine-Möller 2001), in units of the cube.
fn meets_box(triangle: &Triangle, center: DVec3, half: f64) -> bool {
    let largest = triangle.iter().fold(center.abs(), |most, corner| most.max(corner.abs())).max_element();
    // Each coordinate is off by at most 2 ulps of the largest in units of the cube; shadows on an
    // axis of three such terms by a few times as much.
    let [a, b, c] = triangle.map(|corner| (corner - center) / half);
    let span = a.abs().max(b.abs()).max(c.abs()).max_element();
    let reach = 1.0 + 16.0 * f64::EPSILON * (1.0 + span + largest / half);
    let (low, high) = (a.min(b).min(c), a.max(b).max(c));
    if (low.cmpgt(DVec3::splat(reach)) | high.cmplt(DVec3::splat(-reach))).any() {
        return false;
    }
    let edges = [b - a, c - b, a - c];
    let normal = edges[0].cross(edges[1]);
    let separates = |axis: DVec3| {
        let [p, q, r] = [a.dot(axis), b.dot(axis), c.dot(axis)];
        let size = axis.abs().element_sum();
        let within = reach * size + 16.0 * f64::EPSILON * span * size;
        p.min(q).min(r) > within || p.max(q).max(r) < -within
    };
    let crossed = edges.iter().any(|edge| {
        separates(DVec3::new(0.0, -edge.z, edge.y))
            || separates(DVec3::new(edge.z, 0.0, -edge.x))
            || separates(DVec3::new(-edge.y, edge.x, 0.0))
    });
    // A sliver's normal has lost its digits, but any direction at all may be used: the shadows on
    // it decide.
    !(crossed || separates(normal))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearhit_testkit::rng::Rng;

    fn random_mesh(rng: &mut Rng, count: usize) -> Mesh {
        let mut vertices = Vec::new();
        let mut triangles = Vec::new();
        for index in 0..count as u32 {
            let at = DVec3::from_array(rng.point(-1.0, 1.0));
            for _ in 0..3 {
                vertices.push((at + DVec3::from_array(rng.point(-0.2, 0.2))).to_array());
            }
            triangles.push([3 * index, 3 * index + 1, 3 * index + 2]);
        }
        Mesh::new(&vertices, &triangles).expect("a soup")
    }

    /// A point of a triangle is in a cell of every level that lists the triangle, unless a cell
    /// above was left whole.
    #[test]
    fn every_point_is_in_a_cell_that_knows_its_triangle() {
        let mut rng = Rng::new(17);
        let mesh = random_mesh(&mut rng, 60);
        let tree = Octree::build(&mesh, OctreeLimits { depth: 5, stop_count: 2 });
        assert_eq!(tree.levels().len(), 6);
        let mut below_root = 0;
        for _ in 0..4000 {
            let index = rng.below(60) as u32;
            let [a, b, c] = mesh.triangle(index);
            let (u, v) = (rng.f64(), rng.f64());
            let point = a + (b - a) * (u * v) + (c - a) * (u * (1.0 - v));
            let mut cell = &tree.cells()[0];
            while !cell.children.is_empty() {
                let holds = |cell: &&Cell| {
                    (point - cell.center).abs().max_element() <= cell.half * (1.0 + 1e-12)
                        && tree.triangles(cell).contains(&index)
                };
                let children = &tree.cells()[cell.children.start as usize..cell.children.end as usize];
                cell = children.iter().find(holds).expect("an octant that holds the point and its triangle");
                below_root += 1;
            }
            assert!(cell.level == 5 || tree.triangles(cell).len() <= 2);
        }
        assert!(below_root > 8_000, "{below_root}");
    }

    /// What is listed is there: a cell's triangles come within rounding of it. Judged by sampling
    /// the triangles densely.
    #[test]
    fn listed_triangles_are_near_their_cell() {
        let mut rng = Rng::new(18);
        let mesh = random_mesh(&mut rng, 30);
        let tree = Octree::build(&mesh, OctreeLimits { depth: 3, stop_count: 0 });
        for cell in tree.cells() {
            for &index in tree.triangles(cell) {
                let [a, b, c] = mesh.triangle(index);
                let nearest =
                    (0..=60).flat_map(|i| (0..=60 - i).map(move |j| (f64::from(i) / 60.0, f64::from(j) / 60.0)));
                let away = nearest.map(|(u, v)| {
                    let point = a + (b - a) * u + (c - a) * v;
                    ((point - cell.center).abs() - DVec3::splat(cell.half)).max(DVec3::ZERO).length()
                });
                assert!(away.fold(f64::INFINITY, f64::min) < 0.012, "{cell:?} {index}");
            }
        }
    }

    #[test]
    fn touching_counts_and_nothing_overflows() {
        let cell = |center, half| Cell { center, half, level: 0, parent: None, children: 0..0, triangles: 0..0 };
        let at = |x: f64| [DVec3::new(x, 0.0, 0.0), DVec3::new(x, 1.0, 0.0), DVec3::new(x, 0.0, 1.0)];
        assert!(cell(DVec3::ZERO, 1.0).meets(&at(1.0)) && cell(DVec3::X * 2.0, 1.0).meets(&at(1.0)));
        assert!(!cell(DVec3::ZERO, 1.0).meets(&at(1.0 + 1e-12)));
        let far = [DVec3::splat(1e300), DVec3::splat(-1e300), DVec3::new(1e300, -1e300, 0.0)];
        assert!(cell(DVec3::ZERO, 1e300).meets(&far));
        for corners in [[[0.0; 3]; 3], [[1e300; 3], [-1e300; 3], [1e300, 0.0, 0.0]], [[1e-310; 3]; 3]] {
            let mesh = Mesh::new(&corners, &[[0, 1, 2]]).expect("legal");
            let tree = Octree::build(&mesh, OctreeLimits { depth: 3, stop_count: 0 });
            assert_eq!(tree.levels().len(), 4, "{corners:?}");
        }
    }

    /// Where corners coincide by rounding, or a mesh is a few numbers wide, cells are not divided
    /// for ever: they would be eight times as many on every level.
    #[test]
    fn cells_end_at_rounding() {
        for (far, size) in [(9e299, 1e284), (1e6, 1e-10), (1.0, 1e-16), (1e300, 0.0)] {
            let corner = |x: f64, y: f64| [far + x * size, far + y * size, far];
            let mesh = Mesh::new(&[corner(0.0, 0.0), corner(1.0, 0.0), corner(0.0, 1.0)], &[[0, 1, 2]]);
            let tree = Octree::build(&mesh.expect("legal"), OctreeLimits { depth: 8, stop_count: 0 });
            assert!(tree.cells().len() <= 5_000, "{far} {size}: {} cells", tree.cells().len());
        }
    }
}
