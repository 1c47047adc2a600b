//! A network of axis-parallel pipes with bends, woven through each other without touching.

use std::collections::HashSet;
use std::f64::consts::FRAC_PI_2;

use super::tubes::{Ring, tube};
use crate::rng::Rng;
use crate::vector::{along, cross};
use crate::{Point, Soup};

const SIDES: u32 = 12;
/// Rings to a cell.
const STEPS: usize = 4;
/// Cells of the longest pipe.
const LONGEST: usize = 24;

type Cell = [i32; 3];

/// Pipes with about `triangles` triangles (the papers' have about 140,000) around the origin; a
/// cell of the lattice they follow is one unit wide, no two pipes enter the same cell.
pub fn pipes(triangles: usize, seed: u64) -> Soup {
    let mut rng = Rng::new(seed);
    let cells = triangles.div_ceil(2 * SIDES as usize * STEPS).max(2);
    let side = ((cells as f64 * 1.6).cbrt().ceil() as i32).max(3);
    let mut free: HashSet<Cell> = cube(side).collect();
    let mut starts: Vec<Cell> = cube(side).collect();
    rng.shuffle(&mut starts);
    // Several pipes even in a small network, or nothing would be woven.
    let longest = (cells / 6).clamp(3, LONGEST);
    let mut soup = Soup::default();
    for start in starts {
        if soup.len() >= triangles {
            break;
        }
        let missing = (triangles - soup.len()).div_ceil(2 * SIDES as usize * STEPS);
        let path = walk(start, missing.clamp(2, longest), &mut free, &mut rng);
        if path.len() >= 2 {
            soup.append(&pipe(&path, rng.range(0.15, 0.4)));
        }
    }
    let middle = -0.5 * f64::from(side - 1);
    soup.translated([middle; 3])
}

fn cube(side: i32) -> impl Iterator<Item = Cell> {
    (0..side * side * side).map(move |index| [index % side, index / side % side, index / (side * side)])
}

/// A walk over free cells, which it takes; it prefers to go straight on.
fn walk(start: Cell, longest: usize, free: &mut HashSet<Cell>, rng: &mut Rng) -> Vec<Cell> {
    if !free.remove(&start) {
        return Vec::new();
    }
    let mut path = vec![start];
    let mut last_step: Option<Cell> = None;
    while path.len() < longest {
        let here = path[path.len() - 1];
        let mut steps: Vec<Cell> = (0..6).map(unit_step).collect();
        rng.shuffle(&mut steps);
        let straight = if rng.chance(0.6) { last_step } else { None };
        let step = straight.into_iter().chain(steps).find(|step| free.contains(&moved(here, *step)));
        let Some(step) = step else { break };
        free.remove(&moved(here, step));
        path.push(moved(here, step));
        last_step = Some(step);
    }
    path
}

fn unit_step(index: usize) -> Cell {
    let mut step = [0; 3];
    step[index / 2] = if index.is_multiple_of(2) { 1 } else { -1 };
    step
}

fn moved(cell: Cell, step: Cell) -> Cell {
    std::array::from_fn(|axis| cell[axis] + step[axis])
}

/// Every inner cell is crossed from face to face, straight or by a quarter turn of radius one half,
/// so that the tube stays inside its cells and never meets itself.
fn pipe(path: &[Cell], radius: f64) -> Soup {
    let center = |index: usize| path[index].map(f64::from);
    let direction = |index: usize| -> Point { std::array::from_fn(|a| f64::from(path[index + 1][a] - path[index][a])) };
    let forward = direction(0);
    let right: Point = [forward[2].abs(), forward[0].abs(), forward[1].abs()];
    let mut frame = Frame { forward, right };
    let mut rings = vec![frame.ring(center(0), radius), frame.ring(along(center(0), forward, 0.5), radius)];
    for index in 1..path.len() - 1 {
        let entry = along(center(index), frame.forward, -0.5);
        let exit = direction(index);
        frame = frame.cross_cell(entry, exit, radius, &mut rings);
    }
    let last = center(path.len() - 1);
    rings.push(frame.ring(last, radius));
    tube(&rings, SIDES)
}

#[derive(Clone, Copy)]
struct Frame {
    forward: Point,
    right: Point,
}

impl Frame {
    fn ring(&self, center: Point, radius: f64) -> Ring {
        Ring { center, right: self.right, up: cross(self.forward, self.right), radius }
    }

    /// Adds the rings of one cell after the one at `entry`, and gives the frame at its exit.
    fn cross_cell(self, entry: Point, exit: Point, radius: f64, rings: &mut Vec<Ring>) -> Frame {
        if exit == self.forward {
            rings.extend((1..=STEPS).map(|k| self.ring(along(entry, exit, k as f64 / STEPS as f64), radius)));
            return self;
        }
        let axis = cross(self.forward, exit);
        let pivot = along(entry, exit, 0.5);
        let mut turned = self;
        for step in 1..=STEPS {
            let (sine, cosine) = (FRAC_PI_2 * step as f64 / STEPS as f64).sin_cos();
            let turn = |vector: Point| turn_about(vector, axis, sine, cosine);
            turned = Frame { forward: turn(self.forward), right: turn(self.right) };
            let arm = turn(exit.map(|x| -0.5 * x));
            rings.push(turned.ring(along(pivot, arm, 1.0), radius));
        }
        // A quarter turn of a lattice frame is a lattice frame again: no drift along a pipe.
        Frame { forward: exit, right: turned.right.map(f64::round) }
    }
}

/// Rotation about a unit axis (Rodrigues).
fn turn_about(vector: Point, axis: Point, sine: f64, cosine: f64) -> Point {
    let sideways = cross(axis, vector);
    let along_axis = crate::vector::dot(axis, vector) * (1.0 - cosine);
    std::array::from_fn(|k| cosine * vector[k] + sine * sideways[k] + along_axis * axis[k])
}

#[cfg(test)]
mod tests {
    use super::super::topology::assert_solid;
    use super::*;

    #[test]
    fn networks_are_closed_and_of_the_asked_size() {
        for (size, seed) in [(400, 1), (5000, 2), (140_000, 3)] {
            let network = pipes(size, seed);
            assert_solid(&network);
            let ratio = network.len() as f64 / size as f64;
            assert!((0.8..1.5).contains(&ratio), "{size} {ratio}");
            assert_eq!(network, pipes(size, seed));
        }
    }
}
