//! Shapes of the kinds that the papers show, with any even number of triangles: an aeroplane, a
//! desktop lamp, a faucet, a rocket, the chassis of a truck.

use super::solids::cuboid;
use super::tubes::{Ring, cylinder, tube};
use crate::vector::{length, subtract};
use crate::{Point, Soup};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::f64::consts::TAU;

/// The same surface with `count` triangles: the longest edge is halved, with both triangles beside
/// it, until there are as many. A closed surface stays closed. If `count` is odd there is one more;
/// if there are more already, nothing is done.
pub fn refined_to(soup: &Soup, count: usize) -> Soup {
    let mut soup = soup.clone();
    // Each directed edge belongs to one triangle of a closed surface.
    let mut owner: HashMap<(u32, u32), usize> = HashMap::new();
    let edges = |[a, b, c]: [u32; 3]| [(a, b, c), (b, c, a), (c, a, b)];
    for (index, &triangle) in soup.triangles.iter().enumerate() {
        for (a, b, _) in edges(triangle) {
            owner.insert((a, b), index);
        }
    }
    let size =
        |soup: &Soup, a: u32, b: u32| length(subtract(soup.vertices[a as usize], soup.vertices[b as usize])).to_bits();
    let mut queue: BinaryHeap<(u64, Reverse<(u32, u32)>)> =
        owner.keys().filter(|(a, b)| a < b).map(|&(a, b)| (size(&soup, a, b), Reverse((a, b)))).collect();
    while soup.triangles.len() < count {
        let Some((_, Reverse((a, b)))) = queue.pop() else { break };
        let (Some(&left), Some(&right)) = (owner.get(&(a, b)), owner.get(&(b, a))) else { continue };
        let middle = soup.vertices.len() as u32;
        let (p, q) = (soup.vertices[a as usize], soup.vertices[b as usize]);
        soup.vertices.push(std::array::from_fn(|axis| 0.5 * (p[axis] + q[axis])));
        for (index, from, to) in [(left, a, b), (right, b, a)] {
            let apex = edges(soup.triangles[index]).into_iter().find(|&(u, v, _)| (u, v) == (from, to));
            let apex = apex.map_or(from, |(_, _, apex)| apex);
            let added = soup.triangles.len();
            soup.triangles[index] = [from, middle, apex];
            soup.triangles.push([middle, to, apex]);
            owner.remove(&(from, to));
            for (edge, of) in [
                ((from, middle), index),
                ((middle, apex), index),
                ((middle, to), added),
                ((to, apex), added),
                ((apex, middle), added),
            ] {
                owner.insert(edge, of);
            }
            queue
                .push((size(&soup, middle.min(apex), middle.max(apex)), Reverse((middle.min(apex), middle.max(apex)))));
        }
        for end in [a, b] {
            queue.push((size(&soup, end, middle), Reverse((end.min(middle), end.max(middle)))));
        }
    }
    soup
}

/// Around the axis z, through points of (height, radius), with `sides` sides.
fn turned(profile: &[(f64, f64)], sides: u32) -> Soup {
    let ring = |&(height, radius): &(f64, f64)| Ring {
        center: [0.0, 0.0, height],
        right: [1.0, 0.0, 0.0],
        up: [0.0, 1.0, 0.0],
        radius,
    };
    tube(&profile.iter().map(ring).collect::<Vec<_>>(), sides)
}

/// A bent rod through points, round.
fn rod(points: &[Point], radius: f64, sides: u32) -> Soup {
    let mut soup = Soup::default();
    for two in points.windows(2) {
        soup.append(&cylinder(two[0], two[1], [radius; 2], sides));
    }
    soup
}

/// A wing: a box from a root to a tip, both given by their front and back edge, of some thickness.
fn wing(root: [Point; 2], tip: [Point; 2], thickness: f64) -> Soup {
    let mut soup = cuboid([0.0; 3], [1.0; 3]);
    for vertex in &mut soup.vertices {
        let [out, back, up] = *vertex;
        let between = |near: f64, far: f64| near + (far - near) * out;
        let [front, rear] =
            [0, 1].map(|edge| -> Point { std::array::from_fn(|axis| between(root[edge][axis], tip[edge][axis])) });
        let thick = between(thickness, 0.3 * thickness) * (up - 0.5);
        *vertex = std::array::from_fn(|axis| front[axis] + (rear[axis] - front[axis]) * back);
        // Thick across the wing: up, or sideways for a fin that stands.
        let stands = (tip[0][2] - root[0][2]).abs() > (tip[0][1] - root[0][1]).abs();
        vertex[if stands { 1 } else { 2 }] += thick;
    }
    if super::topology::signed_volume(&soup) < 0.0 {
        soup.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
    }
    soup
}

fn sides_for(triangles: usize, least: u32, most: u32) -> u32 {
    (triangles as u32 / 60).clamp(least, most)
}

/// An airliner, four units long, its nose along +x: body, wings, tail and four engines. At least
/// 250 triangles.
pub fn aeroplane(triangles: usize) -> Soup {
    let sides = sides_for(triangles, 6, 32);
    let body = [(-2.0, 0.03), (-1.5, 0.12), (-0.8, 0.22), (1.2, 0.22), (1.7, 0.15), (2.0, 0.03)];
    // Lying along x.
    let mut soup = turned(&body, sides).map(|[x, y, z]| [z, x, y]);
    for side in [-1.0, 1.0] {
        let at = |x: f64, y: f64, z: f64| [x, side * y, z];
        soup.append(&wing([at(0.5, 0.1, -0.1), at(-0.4, 0.1, -0.1)], [at(-0.6, 1.9, 0.1), at(-0.9, 1.9, 0.1)], 0.1));
        soup.append(&wing(
            [at(-1.5, 0.05, 0.05), at(-1.9, 0.05, 0.05)],
            [at(-1.9, 0.7, 0.1), at(-2.1, 0.7, 0.1)],
            0.05,
        ));
        for (x, y) in [(0.05, 0.6), (-0.25, 1.15)] {
            soup.append(&cylinder(at(x, y, -0.2), at(x + 0.4, y, -0.2), [0.07, 0.09], sides));
        }
    }
    soup.append(&wing([[-1.4, 0.0, 0.1], [-1.9, 0.0, 0.1]], [[-1.9, 0.0, 0.8], [-2.15, 0.0, 0.8]], 0.06));
    refined_to(&soup, triangles)
}

/// A desktop lamp: a foot, two arms with their hinges, a shade with its bulb.
pub fn desktop_lamp(triangles: usize) -> Soup {
    let sides = sides_for(triangles, 6, 12);
    let mut soup = cylinder([0.0, 0.0, 0.0], [0.0, 0.0, 0.06], [0.35, 0.3], 2 * sides);
    let joints = [[0.0, 0.0, 0.06], [-0.35, 0.0, 0.8], [0.3, 0.0, 1.35]];
    soup.append(&rod(&joints, 0.025, sides));
    for [x, _, z] in joints {
        soup.append(&cylinder([x, -0.06, z], [x, 0.06, z], [0.05; 2], sides));
    }
    // A shade is a thin wall: outside up, inside down.
    let shade = [(0.0, 0.05), (-0.35, 0.25), (-0.33, 0.24), (-0.03, 0.06), (-0.02, 0.01)];
    let tilt = |[x, y, z]: Point| [0.3 + 0.8 * x - 0.6 * z, y, 1.35 + 0.6 * x + 0.8 * z];
    let mut wall = turned(&shade, 2 * sides).map(tilt);
    if super::topology::signed_volume(&wall) < 0.0 {
        wall.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
    }
    soup.append(&wall);
    soup.append(&super::round::icosphere(1).scaled(0.07).map(|[x, y, z]| tilt([x, y, z - 0.2])));
    refined_to(&soup, triangles)
}

/// A bathroom faucet: a base with two handles and a spout that bends over.
pub fn faucet(triangles: usize) -> Soup {
    let sides = sides_for(triangles, 6, 16);
    let mut soup = cuboid([-0.9, -0.2, 0.0], [0.9, 0.2, 0.1]);
    let bend = |step: u32| {
        let (sine, cosine) = (TAU / 2.0 * f64::from(step) / 6.0).sin_cos();
        [0.0, -0.35 + 0.35 * cosine, 0.6 + 0.35 * sine]
    };
    let spout: Vec<Point> = [[0.0, 0.0, 0.1]].into_iter().chain((0..=6).map(bend)).chain([[0.0, -0.7, 0.5]]).collect();
    soup.append(&rod(&spout, 0.09, sides));
    for side in [-0.7, 0.7] {
        soup.append(&cylinder([side, 0.0, 0.1], [side, 0.0, 0.35], [0.1, 0.07], sides));
        for (x, y) in [(0.22, 0.0), (0.0, 0.22)] {
            soup.append(&cylinder([side - x, -y, 0.4], [side + x, y, 0.4], [0.05; 2], sides));
        }
    }
    refined_to(&soup, triangles)
}

/// A rocket: a body with a pointed nose, four fins, a nozzle, two boosters.
pub fn rocket(triangles: usize) -> Soup {
    let sides = sides_for(triangles, 6, 16);
    let mut soup = turned(&[(0.0, 0.3), (2.2, 0.3), (2.7, 0.2), (3.1, 0.02)], sides);
    soup.append(&turned(&[(-0.3, 0.28), (0.0, 0.12)], sides));
    for booster in [-0.45, 0.45] {
        let away = |[x, y, z]: Point| [x, y + booster, z];
        soup.append(&turned(&[(0.1, 0.13), (1.4, 0.13), (1.7, 0.02)], sides).map(away));
    }
    for fin in 0..4 {
        let (sine, cosine) = (TAU * (f64::from(fin) + 0.5) / 4.0).sin_cos();
        let fin = cuboid([0.25, -0.02, 0.0], [0.75, 0.02, 0.6]);
        soup.append(&fin.map(|[x, y, z]| [x * cosine - y * sine, x * sine + y * cosine, z - 0.3 * (x - 0.25)]));
    }
    refined_to(&soup, triangles)
}

/// The chassis of a truck: two rails with beams across, axles with wheels, an engine, a tank, a
/// drive shaft and an exhaust.
pub fn truck_chassis(triangles: usize) -> Soup {
    let sides = sides_for(triangles, 8, 24);
    let mut soup = Soup::default();
    for side in [-0.4, 0.4] {
        soup.append(&cuboid([-3.0, side - 0.04, -0.1], [3.0, side + 0.04, 0.1]));
    }
    for beam in 0..7 {
        let x = -2.8 + 0.9 * f64::from(beam);
        soup.append(&cuboid([x - 0.06, -0.4, -0.06], [x + 0.06, 0.4, 0.06]));
    }
    for x in [-2.2, -1.4, 2.2] {
        soup.append(&cylinder([x, -1.0, -0.3], [x, 1.0, -0.3], [0.06; 2], sides));
        for side in [-1.0, 1.0] {
            soup.append(&cylinder([x, side - 0.12, -0.3], [x, side + 0.12, -0.3], [0.45; 2], 2 * sides));
            soup.append(&cylinder([x, side - 0.16, -0.3], [x, side + 0.16, -0.3], [0.2; 2], sides));
        }
    }
    soup.append(&cuboid([1.6, -0.3, -0.2], [2.7, 0.3, 0.5]));
    soup.append(&cylinder([-1.9, 0.0, -0.2], [1.7, 0.0, -0.1], [0.05; 2], sides));
    soup.append(&cylinder([-0.6, 0.65, -0.2], [0.8, 0.65, -0.2], [0.22; 2], sides));
    soup.append(&rod(&[[1.7, -0.5, -0.2], [0.6, -0.6, -0.25], [-1.0, -0.6, -0.25], [-2.9, -0.5, -0.1]], 0.06, sides));
    refined_to(&soup, triangles)
}

#[cfg(test)]
mod tests {
    use super::super::topology::{signed_volume, unmatched_edges};
    use super::*;

    /// A way to make one, and the papers' number of triangles.
    type Maker = (fn(usize) -> Soup, usize);

    const ALL: [Maker; 5] =
        [(aeroplane, 14_646), (desktop_lamp, 626), (faucet, 1_288), (rocket, 1_420), (truck_chassis, 10_172)];

    #[test]
    fn all_are_closed_and_of_the_papers_sizes() {
        for (maker, count) in ALL {
            let soup = maker(count);
            assert_eq!(soup.triangles.len(), count);
            assert_eq!(unmatched_edges(&soup), 0, "{count}");
            assert!(signed_volume(&soup) > 0.0, "{count}");
        }
    }

    #[test]
    fn refining_changes_no_surface() {
        let coarse = super::super::furniture::hand(0.4);
        let fine = refined_to(&coarse, 404);
        assert_eq!((coarse.triangles.len() < 404, fine.triangles.len()), (true, 404));
        assert!((signed_volume(&coarse) - signed_volume(&fine)).abs() < 1e-12);
        assert_eq!((unmatched_edges(&fine), coarse.bounds()), (0, fine.bounds()));
        assert_eq!(refined_to(&fine, 100), fine);
    }
}
