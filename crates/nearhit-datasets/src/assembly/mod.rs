//! Assemblies of any size with known findings: which parts clash, touch, are too close, inside each
//! other, duplicates.
//!
//! The world is a grid of sites, far enough apart to have nothing to do with each other. At each a
//! situation is set up whose answer is known by construction. Quarter turns and binary fractions
//! keep faces that touch exactly in one plane; every third site is turned anyhow, so that they
//! touch but for rounding.

mod glb;
mod shapes;
mod situations;

pub use situations::{CLEARANCE, Known};

use crate::pose::{Rows, multiplied, pose_point};
use crate::rng::Rng;
use crate::{Point, Soup};
use situations::{SITUATIONS, Situation};

/// A shape in its place.
#[derive(Clone, Debug)]
pub struct AssemblyPart {
    /// No other part has the same.
    pub name: String,
    /// Which shape.
    pub shape: usize,
    /// Rotation, by rows.
    pub rotation: Rows,
    /// Translation.
    pub translation: Point,
}

/// What must be found.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    /// Names, the smaller first.
    pub names: [String; 2],
    /// What is to be found of them.
    pub known: Known,
}

/// Parts, and all findings about them when [`CLEARANCE`] is asked for.
#[derive(Clone, Debug, Default)]
pub struct Assembly {
    /// Each about a thousand triangles.
    pub shapes: Vec<Soup>,
    /// What is placed.
    pub parts: Vec<AssemblyPart>,
    /// Sorted by names.
    pub expected: Vec<Expected>,
}

/// Distance of neighbouring sites.
const SPACING: f64 = 10.0;

/// An assembly of `parts` parts.
pub fn assembly(parts: usize, seed: u64) -> Assembly {
    sparse_assembly(parts, 1, seed)
}

/// An assembly of `parts` parts where one group of parts in `every` has findings; the others are
/// near each other, and that is all.
pub fn sparse_assembly(parts: usize, every: usize, seed: u64) -> Assembly {
    let sound: Vec<&Situation> = SITUATIONS.iter().filter(|situation| situation.known.is_empty()).collect();
    let mut rng = Rng::new(seed);
    let mut made = Assembly { shapes: shapes::all(), ..Assembly::default() };
    let side = (parts as f64 / 1.9).cbrt().ceil() as usize;
    for site in 0_usize.. {
        let left = parts - made.parts.len();
        let is_sound = !site.is_multiple_of(every.max(1));
        let wanted =
            if is_sound { sound[site % sound.len()] } else { &SITUATIONS[site / every.max(1) % SITUATIONS.len()] };
        // The last parts stand alone.
        let situation = if wanted.parts.len() <= left { wanted } else { &SITUATIONS[0] };
        if left == 0 {
            break;
        }
        let cell = [site % side, site / side % side, site / (side * side)];
        let rotation = if site % 3 == 2 { rng.rotation() } else { quarter_turns(&mut rng) };
        let middle: Point = cell.map(|index| SPACING * index as f64);
        let names: Vec<String> =
            (0..situation.parts.len()).map(|i| format!("{}-{site}-{}", situation.name, ["a", "b", "c"][i])).collect();
        for (name, part) in names.iter().zip(situation.parts) {
            made.parts.push(AssemblyPart {
                name: name.clone(),
                shape: part.shape as usize,
                rotation: multiplied(&rotation, &part.turn.rows()),
                translation: pose_point(&rotation, &middle, part.at),
            });
        }
        for &(a, b, known) in situation.known {
            made.expected.push(Expected { names: [names[a].clone(), names[b].clone()], known });
        }
    }
    made.expected.sort_by(|one, other| one.names.cmp(&other.names));
    made
}

/// A product of quarter turns about the axes: entries are 0, 1 and -1.
fn quarter_turns(rng: &mut Rng) -> Rows {
    let mut rotation = crate::pose::IDENTITY;
    for axis in 0..3 {
        for _ in 0..rng.below(4) {
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            let mut turn = [[0.0; 3]; 3];
            turn[axis][axis] = 1.0;
            turn[u][v] = -1.0;
            turn[v][u] = 1.0;
            rotation = multiplied(&turn, &rotation);
        }
    }
    rotation
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_have_findings() {
        let [all, few] = [1, 10].map(|every| sparse_assembly(2000, every, 5));
        assert_eq!((all.parts.len(), few.parts.len()), (2000, 2000));
        assert!(few.expected.len() * 6 < all.expected.len() && few.expected.len() > 50, "{}", few.expected.len());
    }

    #[test]
    fn has_as_many_parts_as_asked_for_and_every_situation() {
        for parts in [2, 57, 200] {
            assert_eq!(assembly(parts, 1).parts.len(), parts);
        }
        let made = assembly(200, 1);
        for kind in ["hard", "inside", "duplicate", "touching", "close"] {
            let count = made.expected.iter().filter(|expected| expected.known.class() == kind).count();
            assert!(count >= 5, "{kind}: {count}");
        }
        let triangles: usize = made.parts.iter().map(|part| made.shapes[part.shape].len()).sum();
        assert!((900..1100).contains(&(triangles / made.parts.len())), "{}", triangles / made.parts.len());
        let mut names: Vec<&String> = made.parts.iter().map(|part| &part.name).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), 200);
    }
}
