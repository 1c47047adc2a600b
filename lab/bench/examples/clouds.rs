//! How fast are point clouds, height fields and octrees? Beside the crate `capt`, which answers yes
//! or no for balls, in single precision.
//!
//!     cargo run --release -p nearhit-bench --example clouds [POINTS]
//!
//! Points as a depth camera sees them: on the floor, the walls and some boxes of a room, with
//! noise. Balls of 2 to 8 cm anywhere in the room. One thread; the best of five rounds, in turn.

use capt::Capt;
use nearhit::shape::{Shape, ShapePair};
use nearhit::{Pose, Scratch, Settings, Tolerance, Verdict};
use nearhit_datasets::rng::Rng;
use std::hint::black_box;
use std::time::{Duration, Instant};

const QUERIES: usize = 20_000;
const ROUNDS: usize = 5;

/// Points of a room of 4 x 4 x 2 m.
fn room(count: usize, rng: &mut Rng) -> Vec<[f64; 3]> {
    let boxes: Vec<([f64; 3], [f64; 3])> = (0..12)
        .map(|_| (rng.point(0.2, 1.8), rng.point(0.1, 0.6)))
        .map(|(at, size)| ([at[0] * 2.0, at[1] * 2.0, at[2]], size))
        .collect();
    (0..count)
        .map(|_| {
            let noise = rng.point(-0.002, 0.002);
            let [u, v] = [rng.f64(), rng.f64()];
            let point = match rng.below(10) {
                0..3 => [4.0 * u, 4.0 * v, 0.0],
                3 => [0.0, 4.0 * u, 2.0 * v],
                4 => [4.0 * u, 0.0, 2.0 * v],
                _ => {
                    let (at, size) = boxes[rng.below(boxes.len())];
                    let mut corner = [u, v, rng.f64()];
                    corner[rng.below(3)] = rng.below(2) as f64;
                    std::array::from_fn(|axis| at[axis] + size[axis] * (corner[axis] - 0.5))
                }
            };
            std::array::from_fn(|axis| point[axis] + noise[axis])
        })
        .collect()
}

fn best(mut work: impl FnMut()) -> Duration {
    let once = |work: &mut dyn FnMut()| {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    (0..ROUNDS).map(|_| once(&mut work)).min().unwrap_or_default()
}

fn each(work: impl FnMut()) -> f64 {
    best(work).as_secs_f64() * 1e9 / QUERIES as f64
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let count: usize = std::env::args().nth(1).map_or(Ok(100_000), |text| text.parse())?;
    let mut rng = Rng::new(1);
    let points = room(count, &mut rng);
    let places: Vec<Pose> = (0..QUERIES)
        .map(|_| {
            let [x, y, z] = rng.point(0.0, 1.0);
            Pose::from_rows(rng.rotation(), [4.0 * x, 4.0 * y, 2.0 * z])
        })
        .collect::<Result<_, _>>()?;
    let radii: Vec<f64> = (0..QUERIES).map(|_| rng.range(0.02, 0.08)).collect();
    let balls: Vec<Shape> = radii.iter().map(|&radius| Shape::ball(radius)).collect::<Result<_, _>>()?;
    println!("{count} points, {QUERIES} queries");

    let cloud = Shape::point_cloud(&points, &[0.01])?;
    let build = best(|| drop(black_box(Shape::point_cloud(&points, &[0.01]))));
    let single: Vec<[f32; 3]> = points.iter().map(|point| point.map(|value| value as f32)).collect();
    let make = || Capt::<3>::with_point_radius(&single, (0.02, 0.08), 0.01, 8);
    let peer = make();
    let peer_build = best(|| drop(black_box(make())));
    println!("build cloud: {:.1} ms; capt {:.1} ms", build.as_secs_f64() * 1e3, peer_build.as_secs_f64() * 1e3);

    let mut scratch = Scratch::new();
    let settings = Settings::default();
    let mut yes = Vec::new();
    let ours = each(|| {
        yes.clear();
        yes.extend(places.iter().zip(&balls).map(|(at, ball)| {
            let pair = ShapePair::relative(&cloud, ball, at).expect("near");
            pair.collide(&settings, &mut scratch).verdict == Verdict::Yes
        }));
    });
    let mut theirs = Vec::new();
    let peer_time = each(|| {
        theirs.clear();
        theirs.extend(places.iter().zip(&radii).map(|(at, &radius)| {
            let center = at.translation().to_array().map(|value| value as f32);
            peer.collides(&center, radius as f32)
        }));
    });
    let touching = yes.iter().filter(|&&yes| yes).count();
    let other = yes.iter().zip(&theirs).filter(|(ours, theirs)| ours != theirs).count();
    println!("ball collide: {ours:.0} ns, {touching} touch; capt {peer_time:.0} ns, {other} answered otherwise");

    let bodies = [
        ("capsule", Shape::capsule(0.04, 0.3)?),
        ("box", Shape::cuboid([0.2, 0.1, 0.05])?),
        ("cylinder", Shape::cylinder(0.04, 0.3)?),
    ];
    let octree = Shape::octree(&points, 0.02)?;
    let octree_build = best(|| drop(black_box(Shape::octree(&points, 0.02))));
    let heights: Vec<f64> = (0..1000 * 1000).map(|_| rng.range(0.0, 0.2)).collect();
    let field = Shape::height_field(&heights, 1000, [0.004, 0.004])?;
    let field_build = best(|| drop(black_box(Shape::height_field(&heights, 1000, [0.004, 0.004]))));
    println!(
        "build octree of 2 cm: {:.1} ms; height field of 1000 x 1000: {:.1} ms",
        octree_build.as_secs_f64() * 1e3,
        field_build.as_secs_f64() * 1e3
    );
    for (name, many) in [("cloud", &cloud), ("octree", &octree), ("height field", &field)] {
        for (kind, body) in bodies.iter().chain([&("ball", Shape::ball(0.05)?)]) {
            let collide = each(|| {
                for at in &places {
                    let pair = ShapePair::relative(many, body, at).expect("near");
                    black_box(pair.collide(&settings, &mut scratch));
                }
            });
            let distance = each(|| {
                for at in &places {
                    let pair = ShapePair::relative(many, body, at).expect("near");
                    black_box(pair.distance(Tolerance::EXACT, &settings, &mut scratch));
                }
            });
            println!("{name} and {kind}: collide {collide:.0} ns, distance {distance:.0} ns");
        }
    }
    Ok(())
}
