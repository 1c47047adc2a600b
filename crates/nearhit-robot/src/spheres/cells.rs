//! A grid of cells over the bodies of a link, and for each cell points whose hull contains what of
//! the bodies lies in it.

use crate::check::{Body, within};
use crate::error::CheckError;
use glam::{DVec3, IVec3};
use nearhit::shape::{Shape, ShapePair};
use nearhit::{Pose, Scratch};
use std::collections::BTreeMap;

/// Cells along the longest side, for so many balls: a few for each ball, along each side.
fn fineness(balls: usize) -> i32 {
    (4.0 * (balls as f64).cbrt()).ceil().clamp(12.0, 64.0) as i32
}

/// Volumes of balls this far out are still numbers.
const FARTHEST: f64 = 1e90;

/// Cells with something in them.
#[derive(Debug)]
pub(super) struct Cells {
    /// Middles of cells.
    pub(super) middles: Vec<DVec3>,
    /// Of each cell: points that its ball must contain.
    pub(super) points: Vec<Vec<DVec3>>,
    /// What balls are grown by: margins, and far more than what points are rounded by.
    pub(super) extra: f64,
}

struct Grid {
    low: DVec3,
    side: f64,
    /// Cells along each side.
    count: i32,
}

impl Cells {
    /// Of bodies in the frame of their link, fine enough for so many balls.
    pub(super) fn of(bodies: &[&Body], balls: usize) -> Result<Self, CheckError> {
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for body in bodies {
            let message = || "it has no end: no ball contains it".to_owned();
            let (from, to) =
                body.shape.bounds().ok_or_else(|| CheckError::Shape { name: body.name.clone(), message: message() })?;
            for index in 0..8 {
                let corner =
                    DVec3::from_array([0, 1, 2].map(|axis| if index >> axis & 1 == 0 { from[axis] } else { to[axis] }));
                let corner = body.parent_from_body.apply(corner);
                (low, high) = (low.min(corner), high.max(corner));
            }
        }
        let size = (high - low).max_element().max(1e-9);
        let farthest = low.abs().max(high.abs()).max_element();
        if farthest > FARTHEST || farthest.is_nan() {
            let name = bodies.first().map_or_else(String::new, |body| body.name.clone());
            let message = format!("it reaches to {farthest:.0e}: balls are made up to {FARTHEST:e} only");
            return Err(CheckError::Shape { name, message });
        }
        let count = fineness(balls);
        let grid = Grid { low: low - 0.01 * size, side: 1.02 * size / f64::from(count), count };
        let mut found: BTreeMap<[i32; 3], Vec<DVec3>> = BTreeMap::new();
        let mut margin = 0.0_f64;
        for body in bodies {
            match body.shape.model() {
                Some(_) => {
                    margin = margin.max(body.shape.margin());
                    grid.add_mesh(body, &mut found);
                }
                None => grid.add_convex(body, &mut found)?,
            }
        }
        let middle = |cell: &[i32; 3]| grid.low + (IVec3::from_array(*cell).as_dvec3() + 0.5) * grid.side;
        let middles = found.keys().map(middle).collect();
        let extra = margin + 1e-9 * (size + low.abs().max(high.abs()).max_element());
        Ok(Self { middles, points: found.into_values().collect(), extra })
    }
}

impl Grid {
    fn cell(&self, point: DVec3) -> IVec3 {
        ((point - self.low) / self.side).floor().as_ivec3()
    }

    fn walls(&self, cell: IVec3) -> (DVec3, DVec3) {
        let low = self.low + cell.as_dvec3() * self.side;
        (low, self.low + (cell.as_dvec3() + 1.0) * self.side)
    }

    /// Triangles cut off at the walls of the cells, and corners of cells inside of a solid.
    fn add_mesh(&self, body: &Body, found: &mut BTreeMap<[i32; 3], Vec<DVec3>>) {
        let Some(model) = body.shape.model() else { return };
        let mesh = model.mesh();
        let place = |vertex: u32| body.parent_from_body.apply(mesh.vertices()[vertex as usize]);
        for corners in mesh.triangles() {
            let triangle = corners.map(place);
            let [a, b, c] = triangle;
            // A cell more on each side: points on a wall belong to both.
            let (first, last) = (self.cell(a.min(b).min(c)) - 1, self.cell(a.max(b).max(c)) + 1);
            self.each(first, last, |cell| {
                let cut = cut_off(&triangle, self.walls(cell));
                if !cut.is_empty() {
                    found.entry(cell.to_array()).or_default().extend(cut);
                }
            });
        }
        self.add_inside(body, found);
    }

    fn add_inside(&self, body: &Body, found: &mut BTreeMap<[i32; 3], Vec<DVec3>>) {
        let Some((low, high)) = body.shape.bounds() else { return };
        let Ok(dot) = Shape::ball(0.0) else { return };
        // The margin is added to the balls: here it would only move the inside outwards.
        let Some(model) = body.shape.model() else { return };
        let is_inside = |point: DVec3, scratch: &mut Scratch| {
            let own = body.parent_from_body.inverse().apply(point);
            let is_near = own.cmpge(low).all() && own.cmple(high).all();
            let Ok(place) = Pose::from_translation(own.to_array()) else { return true };
            let pair = ShapePair::new(&body.shape, &Pose::IDENTITY, &dot, &place);
            is_near && pair.map_or(true, |pair| within(&pair, 0.0, scratch))
        };
        let _made = model.inside_method();
        let mut scratch = Scratch::new();
        self.each(IVec3::ZERO, IVec3::splat(self.count + 1), |corner| {
            let point = self.walls(corner).0;
            if is_inside(point, &mut scratch) {
                self.each(corner - 1, corner, |cell| found.entry(cell.to_array()).or_default().push(point));
            }
        });
    }

    /// Every cell that the shape touches, whole.
    fn add_convex(&self, body: &Body, found: &mut BTreeMap<[i32; 3], Vec<DVec3>>) -> Result<(), CheckError> {
        let wrong = |message: String| CheckError::Shape { name: body.name.clone(), message };
        let mut scratch = Scratch::new();
        // Blocks of cells, halved until they are one cell or the shape is not in them.
        let mut blocks = vec![(IVec3::ZERO, IVec3::splat(self.count))];
        while let Some((first, last)) = blocks.pop() {
            let (low, high) = (self.walls(first).0, self.walls(last).1);
            let block = Shape::cuboid((high - low).to_array()).map_err(|error| wrong(error.to_string()))?;
            let middle = Pose::from_translation((0.5 * (low + high)).to_array());
            let middle = middle.map_err(|error| wrong(error.to_string()))?;
            let pair = ShapePair::new(&body.shape, &body.parent_from_body, &block, &middle);
            if !within(&pair.map_err(|error| wrong(error.to_string()))?, 1e-9 * self.side, &mut scratch) {
                continue;
            }
            let sizes = (last - first).to_array();
            let axis = (0..3).max_by_key(|&axis| sizes[axis]).unwrap_or(0);
            if sizes[axis] > 0 {
                let (mut end, mut start) = (last, first);
                end[axis] = first[axis] + sizes[axis] / 2;
                start[axis] = end[axis] + 1;
                blocks.extend([(first, end), (start, last)]);
                continue;
            }
            let corner = |index: usize| {
                DVec3::from_array([0, 1, 2].map(|axis| if index >> axis & 1 == 0 { low[axis] } else { high[axis] }))
            };
            found.entry(first.to_array()).or_default().extend((0..8).map(corner));
        }
        Ok(())
    }

    fn each(&self, first: IVec3, last: IVec3, mut tell: impl FnMut(IVec3)) {
        for x in first.x..=last.x {
            for y in first.y..=last.y {
                for z in first.z..=last.z {
                    tell(IVec3::new(x, y, z));
                }
            }
        }
    }
}

/// Corners of what of a triangle lies in a box (Sutherland and Hodgman).
fn cut_off(triangle: &[DVec3; 3], (low, high): (DVec3, DVec3)) -> Vec<DVec3> {
    let mut polygon: Vec<DVec3> = triangle.to_vec();
    for axis in 0..3 {
        for (wall, sign) in [(low[axis], 1.0), (high[axis], -1.0)] {
            let height = |point: DVec3| sign * (point[axis] - wall);
            let mut kept = Vec::with_capacity(polygon.len() + 1);
            for (index, &point) in polygon.iter().enumerate() {
                let before = polygon[(index + polygon.len() - 1) % polygon.len()];
                let (from, to) = (height(before), height(point));
                if (from < 0.0) != (to < 0.0) {
                    kept.push(before + (point - before) * (from / (from - to)));
                }
                if to >= 0.0 {
                    kept.push(point);
                }
            }
            polygon = kept;
            if polygon.is_empty() {
                return polygon;
            }
        }
    }
    polygon
}
