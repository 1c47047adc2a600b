//! Flights of one object through an environment, and random placements.

use std::f64::consts::TAU;

use super::billiard::{Billiard, Collision, billiard_path};
use super::{Case, CasePose, Order};
use crate::pose::{IDENTITY, pose_point};
use crate::rng::{Rng, axis_angle_to_rows};
use crate::shapes;
use crate::{Point, Soup};

fn fly(
    name: String,
    note: &str,
    (a, b): (Soup, Soup),
    settings: &Billiard,
    collision: impl for<'m> FnOnce(&'m Soup, &'m Soup) -> Collision<'m>,
) -> Case {
    let poses = billiard_path(settings, &mut *collision(&a, &b));
    Case { name, note: note.into(), order: Order::Path, a, b, poses }
}

/// A pipe network of about `triangles` triangles flying in a copy of twice its size.
pub fn pipes(
    triangles: usize,
    steps: usize,
    seed: u64,
    collision: impl for<'m> FnOnce(&'m Soup, &'m Soup) -> Collision<'m>,
) -> Case {
    let a = shapes::pipes(triangles, seed);
    let b = a.scaled(2.0);
    let reach = b.bounds().map_or(1.0, |(_, high)| high.iter().fold(0.0, |most: f64, x| most.max(*x)));
    let settings = Billiard {
        seed: seed ^ 1,
        steps,
        step_length: 0.02 * reach,
        step_angle: 0.02,
        room: ([-1.2 * reach; 3], [1.2 * reach; 3]),
        start: [1.6 * reach, 0.0, 0.0],
    };
    fly(format!("pipes-{triangles}"), "pipes among a copy twice as large; billiard path", (a, b), &settings, collision)
}

/// A deformed torus of about `object` triangles among `count` disjoint tetrahedra in a cube of
/// side 100.
pub fn tetra(
    count: usize,
    object: usize,
    steps: usize,
    seed: u64,
    collision: impl for<'m> FnOnce(&'m Soup, &'m Soup) -> Collision<'m>,
) -> Case {
    let note = "a deformed torus among disjoint tetrahedra; billiard path";
    among_tetrahedra((torus_of(object, seed), note), count, steps, seed, collision)
}

/// An aeroplane of `object` triangles among `count` disjoint tetrahedra in a cube of side 100.
pub fn aeroplane_among_tetrahedra(
    count: usize,
    object: usize,
    steps: usize,
    seed: u64,
    collision: impl for<'m> FnOnce(&'m Soup, &'m Soup) -> Collision<'m>,
) -> Case {
    let note = "an aeroplane among disjoint tetrahedra; billiard path";
    among_tetrahedra((shapes::aeroplane(object).scaled(0.7), note), count, steps, seed, collision)
}

fn among_tetrahedra(
    (object, note): (Soup, &str),
    count: usize,
    steps: usize,
    seed: u64,
    collision: impl for<'m> FnOnce(&'m Soup, &'m Soup) -> Collision<'m>,
) -> Case {
    let b = shapes::disjoint_tetrahedra(count, 100.0, seed);
    // About as wide as the mean spacing of the obstacles, so that it hits some and passes between
    // others.
    let a = object.scaled(40.0 / (count as f64).cbrt().max(1.0));
    let settings = Billiard {
        seed: seed ^ 2,
        steps,
        step_length: 0.5,
        step_angle: 0.03,
        room: ([0.0; 3], [100.0; 3]),
        start: [50.0; 3],
    };
    fly(format!("tetra-{count}"), note, (a, b), &settings, collision)
}

/// A deformed torus of about `triangles / 5` triangles in a cave of stalagmites of about
/// `triangles`.
pub fn torus_in_cave(
    triangles: usize,
    steps: usize,
    seed: u64,
    collision: impl for<'m> FnOnce(&'m Soup, &'m Soup) -> Collision<'m>,
) -> Case {
    let a = torus_of(triangles / 5, seed).scaled(0.9);
    let settings = Billiard {
        seed: seed ^ 3,
        steps,
        step_length: 0.2,
        step_angle: 0.03,
        room: ([-9.0, -9.0, -2.5], [9.0, 9.0, 2.5]),
        start: [0.0; 3],
    };
    let meshes = (a, shapes::cave(triangles, seed));
    fly(format!("cave-{triangles}"), "a deformed torus among stalagmites; billiard path", meshes, &settings, collision)
}

fn torus_of(triangles: usize, seed: u64) -> Soup {
    let across = ((triangles as f64 / 4.0).sqrt().round() as u32).max(3);
    shapes::wrinkled_torus(2 * across, across, seed)
}

/// A hand on a path that reaches into the seats of a cabin of about `triangles` triangles, touching
/// much of it.
pub fn hand_in_cabin(triangles: usize, steps: usize, seed: u64) -> Case {
    let b = shapes::interior(triangles, seed);
    let rear = b.bounds().map_or(1.0, |(_, high)| high[1]);
    let mut rng = Rng::new(seed ^ 4);
    let phases = rng.point(0.0, TAU);
    let poses = (0..steps)
        .map(|step| {
            let time = step as f64 / steps.max(1) as f64;
            let swing = |rate: f64, axis: usize| (TAU * rate * time + phases[axis]).sin();
            let place = [1.5 * swing(7.0, 0), rear * time, 0.8 + 0.5 * swing(11.0, 1)];
            let axis: Point = [phases[0].sin() * 0.6, phases[0].cos() * 0.6, 0.8];
            CasePose::of_a(axis_angle_to_rows(axis, 2.0 * swing(5.0, 2)), place)
        })
        .collect();
    Case {
        name: format!("cabin-{triangles}"),
        note: "a hand reaching through a cabin, in contact most of the time".into(),
        order: Order::Path,
        a: shapes::hand(0.4).scaled(0.25),
        b,
        poses,
    }
}

/// A tumbling ring that falls through and past a larger one, touching it on the way. `around` cuts
/// along the rings decide their size.
pub fn tori(around: u32, steps: usize, seed: u64) -> Case {
    let across = (around / 2).max(3);
    let mut rng = Rng::new(seed);
    let (axis, start, drift) = (rng.unit_vector(), rng.range(0.0, TAU), rng.range(0.0, TAU));
    let poses = (0..steps)
        .map(|step| {
            let time = step as f64 / steps.max(1) as f64;
            let circle = TAU * 2.0 * time + drift;
            let place = [0.35 * circle.cos(), 0.35 * circle.sin(), 2.0 - 4.0 * time];
            CasePose::of_a(axis_angle_to_rows(axis, start + TAU * 1.5 * time), place)
        })
        .collect();
    Case {
        name: format!("tori-{around}"),
        note: "a ring falling through a larger one".into(),
        order: Order::Path,
        a: shapes::torus(around, across, 0.7, 0.2),
        b: shapes::torus(around + around / 2, across, 1.2, 0.3),
        poses,
    }
}

/// A piano at random placements in a room with furniture.
pub fn piano(poses: usize, seed: u64) -> Case {
    let mut rng = Rng::new(seed);
    let b = shapes::room(seed);
    let poses = (0..poses)
        .map(|_| {
            let place = [rng.range(-3.5, 3.5), rng.range(-3.5, 3.5), rng.range(0.0, 2.5)];
            CasePose::of_a(rng.rotation(), place)
        })
        .collect();
    Case {
        name: "piano".into(),
        note: "a piano at random placements in a room".into(),
        order: Order::Random,
        a: shapes::piano().scaled(0.5),
        b,
        poses,
    }
}

/// Two wavy sheets of `2 * cells²` triangles that slide over each other, closer from pose to pose.
pub fn wavy_sheets(cells: u32, steps: usize, seed: u64) -> Case {
    let poses = (0..steps)
        .map(|step| {
            let time = step as f64 / steps.max(1) as f64;
            CasePose::of_a(axis_angle_to_rows([0.0, 0.0, 1.0], 0.3 * time), [0.2 * time, 0.0, 0.3 * (1.0 - time)])
        })
        .collect();
    Case {
        name: format!("sheets-{cells}"),
        note: "two wavy sheets sliding over each other".into(),
        order: Order::Path,
        a: shapes::wavy_sheet(cells, 0.2, seed),
        b: shapes::wavy_sheet(cells, 0.2, seed ^ 5),
        poses,
    }
}

/// Soups of `triangles` triangles each, many of them segments, points, slivers or duplicates, in a
/// ball of radius 1 that lies `offset` away from the origin of both models and of the world. Poses
/// turn `a` about the ball's centre.
pub fn degenerate_soup_far(offset: f64, triangles: usize, poses: usize, seed: u64) -> Case {
    let mut rng = Rng::new(seed);
    let center = rng.unit_vector().map(|x| x * offset);
    let (a, b) = (degenerate_soup(triangles, &mut rng), degenerate_soup(triangles, &mut rng));
    let poses = (0..poses)
        .map(|index| {
            let rotation = if index == 0 { IDENTITY } else { rng.rotation() };
            let turned = pose_point(&rotation, &[0.0; 3], center);
            let apart = rng.point(-1.5, 1.5);
            CasePose::of_a(rotation, std::array::from_fn(|axis| center[axis] - turned[axis] + apart[axis]))
        })
        .collect();
    Case {
        name: format!("degenerate-{offset}"),
        note: format!("soups of mostly degenerate triangles, {offset} from the origin"),
        order: Order::Random,
        a: a.translated(center),
        b: b.translated(center),
        poses,
    }
}

fn degenerate_soup(triangles: usize, rng: &mut Rng) -> Soup {
    let mut soup = Soup::default();
    let size = 1.5 / (triangles as f64).cbrt().max(1.0);
    for index in 0..triangles {
        let middle = rng.unit_vector().map(|x| 0.8 * x);
        let mut corner = || -> Point {
            let offset = rng.point(-size, size);
            std::array::from_fn(|axis| middle[axis] + offset[axis])
        };
        let [p, q, r] = [corner(), corner(), corner()];
        let halfway: Point = std::array::from_fn(|axis| 0.5 * (p[axis] + q[axis]));
        let corners = match index % 6 {
            0 => [p, p, p],
            1 => [p, q, q],
            2 => [p, q, halfway],
            3 => [p, q, std::array::from_fn(|axis| halfway[axis] + 1e-9 * r[axis])],
            _ => [p, q, r],
        };
        let vertices = corners.map(|corner| soup.push_vertex(corner));
        soup.triangles.push(vertices);
        if index % 6 == 5 {
            // The one before once more, in place of this one.
            let twin = soup.triangles[index - 1];
            soup.triangles[index] = [twin[1], twin[2], twin[0]];
        }
    }
    soup
}
