//! Families of mated faces, as machine parts have them: discs, rings, plates, shafts in bores,
//! gears, threads, and how their flat faces are cut into triangles. What two of them do is known by
//! construction.

use crate::Soup;
use std::f64::consts::TAU;

/// How a flat face is cut into triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// All triangles meet in the middle.
    Fan,
    /// All triangles meet in one corner of the rim.
    RimFan,
    /// A zigzag from one side to the other.
    Strip,
    /// Rings of points inside, triangles of like size, as a mesher makes them.
    Rings,
    /// Random points inside, edges turned until no corner is in another triangle's circle.
    Delaunay,
}

impl Cut {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Fan, Self::RimFan, Self::Strip, Self::Rings, Self::Delaunay];
}

/// What is known about two solids that touch when `b` is where it is.
#[derive(Clone, Debug)]
pub struct Mate {
    /// For messages.
    pub name: String,
    /// Below.
    pub a: Soup,
    /// Above it, or in it.
    pub b: Soup,
    /// Moved this way by a length, `b` is that deep in `a`; moved the other way it is free of it.
    /// None where it is held all around.
    pub inwards: Option<[f64; 3]>,
}

/// Corners of a circle, turned by a share of a step.
pub fn circle(corners: usize, radius: f64, turned: f64) -> Vec<[f64; 2]> {
    let angle = |i: usize| TAU * (i as f64 + turned) / corners as f64;
    (0..corners).map(|i| [radius * angle(i).cos(), radius * angle(i).sin()]).collect()
}

/// The outline of a gear wheel: four corners a tooth.
pub fn gear(teeth: usize, foot: f64, head: f64) -> Vec<[f64; 2]> {
    let shares = [(0.0, foot), (0.35, foot), (0.5, head), (0.85, head)];
    let corner = |tooth: usize, (share, radius): (f64, f64)| {
        let angle = TAU * (tooth as f64 + share) / teeth as f64;
        [radius * angle.cos(), radius * angle.sin()]
    };
    (0..teeth).flat_map(|tooth| shares.map(|share| corner(tooth, share))).collect()
}

/// A solid between two equal outlines, star-shaped about the middle ([`Cut::Fan`]) or convex, from
/// `low` to `high`.
pub fn prism(outline: &[[f64; 2]], low: f64, high: f64, cut: Cut) -> Soup {
    let count = outline.len() as u32;
    let mut soup = Soup::default();
    for z in [low, high] {
        soup.vertices.extend(outline.iter().map(|&[x, y]| [x, y, z]));
    }
    for i in 0..count {
        let next = (i + 1) % count;
        soup.triangles.extend([[i, next, count + next], [i, count + next, count + i]]);
    }
    face(&mut soup, outline, low, cut, 0, true);
    face(&mut soup, outline, high, cut, count, false);
    soup
}

/// Adds a face over corners that are there already, from index `first`.
fn face(soup: &mut Soup, outline: &[[f64; 2]], z: f64, cut: Cut, first: u32, downwards: bool) {
    let count = outline.len() as u32;
    let from = soup.triangles.len();
    match cut {
        Cut::Fan => {
            let middle = soup.push_vertex([0.0, 0.0, z]);
            soup.triangles.extend((0..count).map(|i| [middle, first + i, first + (i + 1) % count]));
        }
        Cut::RimFan => soup.triangles.extend((1..count - 1).map(|i| [first, first + i, first + i + 1])),
        Cut::Strip => {
            let (mut low, mut high, mut left) = (0, count - 1, true);
            while high - low >= 2 {
                let next = if left { low + 1 } else { high - 1 };
                soup.triangles.push([first + low, first + next, first + high]);
                if left {
                    low += 1
                } else {
                    high -= 1
                }
                left = !left;
            }
        }
        Cut::Rings => rings(soup, outline, z, first),
        Cut::Delaunay => {
            let (points, triangles) = crate::delaunay::delaunay(outline, outline.len() / 4);
            let inner = soup.vertices.len() as u32;
            soup.vertices.extend(points[outline.len()..].iter().map(|&[x, y]| [x, y, z]));
            let place = |corner: u32| if corner < count { first + corner } else { inner + corner - count };
            soup.triangles.extend(triangles.iter().map(|corners| corners.map(place)));
        }
    }
    if downwards {
        soup.triangles[from..].iter_mut().for_each(|corners| corners.swap(1, 2));
    }
}

/// Smaller copies of the outline inside each other, about as many as make the triangles even; a fan
/// in the middle.
fn rings(soup: &mut Soup, outline: &[[f64; 2]], z: f64, first: u32) {
    let count = outline.len() as u32;
    let rings = (f64::from(count).sqrt() / 4.0).ceil() as u32;
    let mut outer = first;
    for ring in 1..=rings {
        let share = 1.0 - f64::from(ring) / f64::from(rings + 1);
        let inner = soup.vertices.len() as u32;
        soup.vertices.extend(outline.iter().map(|&[x, y]| [share * x, share * y, z]));
        for i in 0..count {
            let next = (i + 1) % count;
            soup.triangles.extend([[outer + i, outer + next, inner + next], [outer + i, inner + next, inner + i]]);
        }
        outer = inner;
    }
    let middle = soup.push_vertex([0.0, 0.0, z]);
    soup.triangles.extend((0..count).map(|i| [middle, outer + i, outer + (i + 1) % count]));
}

/// A ring between two outlines of as many corners, in layers, each turned a little more than the
/// one below.
pub fn ring(inner: &[[f64; 2]], outer: &[[f64; 2]], low: f64, high: f64, twist: Twist) -> Soup {
    let count = outer.len() as u32;
    let mut soup = Soup::default();
    let heights = || (0..=twist.layers).map(|i| (i, low + (high - low) * i as f64 / twist.layers as f64));
    let profile: Vec<(usize, f64, &[[f64; 2]])> =
        heights().map(|(i, z)| (i, z, outer)).chain(heights().rev().map(|(i, z)| (i, z, inner))).collect();
    for &(layer, z, outline) in &profile {
        soup.vertices.extend(outline.iter().map(|&corner| twist.corner(corner, layer, z)));
    }
    let rows = profile.len() as u32;
    for (row, i) in (0..rows).flat_map(|row| (0..count).map(move |i| (row, i))) {
        let (above, next) = ((row + 1) % rows * count, (i + 1) % count);
        let [a, b, c, d] = [row * count + i, row * count + next, above + next, above + i];
        soup.triangles.extend([[a, b, c], [a, c, d]]);
    }
    soup
}

/// How much an outline turns from bottom to top, and in how many layers.
#[derive(Clone, Copy, Debug)]
pub struct Twist {
    /// At least 1.
    pub layers: usize,
    /// In turns.
    pub turns: f64,
}

impl Twist {
    /// Not at all.
    pub const NONE: Self = Self { layers: 1, turns: 0.0 };

    fn corner(&self, [x, y]: [f64; 2], layer: usize, z: f64) -> [f64; 3] {
        let (sine, cosine) = (TAU * self.turns * layer as f64 / self.layers as f64).sin_cos();
        [cosine * x - sine * y, sine * x + cosine * y, z]
    }
}

/// A screw: a star-shaped outline that turns as it rises.
pub fn screw(outline: &[[f64; 2]], low: f64, high: f64, twist: Twist) -> Soup {
    let count = outline.len() as u32;
    let mut soup = Soup::default();
    for layer in 0..=twist.layers {
        let z = low + (high - low) * layer as f64 / twist.layers as f64;
        soup.vertices.extend(outline.iter().map(|&corner| twist.corner(corner, layer, z)));
    }
    for (layer, i) in (0..twist.layers as u32).flat_map(|layer| (0..count).map(move |i| (layer, i))) {
        let next = (i + 1) % count;
        let [a, b] = [layer * count + i, layer * count + next];
        soup.triangles.extend([[a, b, b + count], [a, b + count, a + count]]);
    }
    let top: Vec<u32> = (0..count).map(|i| twist.layers as u32 * count + i).collect();
    let (below, above) = (soup.push_vertex([0.0, 0.0, low]), soup.push_vertex([0.0, 0.0, high]));
    for i in 0..count {
        let next = (i + 1) % count;
        soup.triangles.push([below, next, i]);
        soup.triangles.push([above, top[i as usize], top[next as usize]]);
    }
    soup
}

/// Every triangle so many times.
pub fn repeated(soup: &Soup, times: usize) -> Soup {
    Soup { vertices: soup.vertices.clone(), triangles: soup.triangles.repeat(times) }
}

/// Faces on each other: discs of all cuts on rings, plates and other discs, gears on gears.
pub fn stacked(corners: usize) -> Vec<Mate> {
    const DOWN: Option<[f64; 3]> = Some([0.0, 0.0, -1.0]);
    let disc = |cut, turned: f64| prism(&circle(corners, 1.0, turned), 0.0, 0.25, cut);
    let mut mates = Vec::new();
    let mut add = |name: String, a: Soup, b: Soup| mates.push(Mate { name, a, b, inwards: DOWN });
    let washer = ring(&circle(corners, 0.5, 0.0), &circle(corners, 1.25, 0.0), -0.25, 0.0, Twist::NONE);
    let plate = crate::shapes::cuboid([-2.0, -2.0, -0.5], [2.0, 1.5, 0.0]);
    for cut in Cut::ALL {
        add(format!("{cut:?} on a ring"), washer.clone(), disc(cut, 0.0));
        add(format!("{cut:?} on a plate"), plate.clone(), disc(cut, 0.25));
        let below = prism(&circle(corners, 1.0, 0.0), -0.25, 0.0, Cut::Fan);
        add(format!("{cut:?} on a fan with the same middle"), below.clone(), disc(cut, 0.5));
        add(format!("{cut:?} on a fan beside"), below, disc(cut, 0.0).translated([0.375, 0.25, 0.0]));
    }
    let wheel = |low: f64, high: f64| prism(&gear(corners.div_ceil(4), 0.9, 1.1), low, high, Cut::Fan);
    add("gear on gear".to_owned(), wheel(-0.25, 0.0), wheel(0.0, 0.25).map(|[x, y, z]| [-y, x, z]));
    add("repeated fan on a plate".to_owned(), plate, repeated(&disc(Cut::Fan, 0.0), 8));
    mates
}

/// Held all around: a shaft in its bore, a wheel in its ring, a screw in its nut. With the play
/// between them, or without.
pub fn fitted(corners: usize, play: f64) -> Vec<Mate> {
    let shrunk = |outline: Vec<[f64; 2]>| outline.into_iter().map(|corner| corner.map(|x| x * (1.0 - play))).collect();
    let teeth = corners.div_ceil(4);
    let outlines: [(&str, Vec<[f64; 2]>); 2] =
        [("shaft", circle(4 * teeth, 1.0, 0.0)), ("wheel", gear(teeth, 0.9, 1.0))];
    let round = circle(4 * teeth, 1.5, 0.0);
    let mut mates = Vec::new();
    for (name, outline) in outlines {
        let inner: Vec<[f64; 2]> = shrunk(outline.clone());
        let a = ring(&outline, &round, 0.0, 1.0, Twist::NONE);
        let b = prism(&inner, -0.5, 1.5, Cut::Fan);
        mates.push(Mate { name: format!("{name} in its hole"), a, b, inwards: None });
    }
    let thread = gear(8, 0.9, 1.0);
    let twist = Twist { layers: (corners / 16).max(4), turns: 0.5 };
    let nut = ring(&thread, &circle(thread.len(), 1.5, 0.0), 0.0, 1.0, twist);
    let bolt = screw(&shrunk(thread.clone()), 0.0, 1.0, twist);
    mates.push(Mate { name: "screw in its nut".to_owned(), a: nut, b: bolt, inwards: None });
    mates
}

/// A plate on another, each with every triangle of its faces so many times.
pub fn duplicates(times: usize) -> Mate {
    let plate = |low: f64| repeated(&crate::shapes::cuboid([-1.0, -1.0, low], [1.0, 1.0, low + 0.5]), times);
    Mate { name: format!("{times} duplicates"), a: plate(-0.5), b: plate(0.0), inwards: Some([0.0, 0.0, -1.0]) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::{signed_volume, unmatched_edges};

    #[test]
    fn mates_are_closed_and_face_outwards() {
        for mate in stacked(20).iter().chain(&fitted(20, 0.0)).chain(&fitted(64, 0.01)) {
            for soup in [&mate.a, &mate.b] {
                // Faces that stand there several times have each edge several times, too.
                let is_repeated = mate.name.starts_with("repeated");
                assert!(is_repeated || unmatched_edges(soup) == 0, "{}", mate.name);
                assert!(signed_volume(soup) > 0.0, "{}", mate.name);
            }
        }
        assert_eq!(prism(&circle(180, 1.0, 0.0), 0.0, 1.0, Cut::Fan).len(), 720);
    }
}
