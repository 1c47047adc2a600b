//! How fast are rays, closest points and inside tests on one model, by its size?
//!
//!     cargo run --release -p nearhit-bench --example points [-- TRIANGLES QUESTION QUERIES]
//!
//! Without arguments a table: nanoseconds a query, the best of five rounds; one by one in one
//! thread, and batches on all threads (`RAYON_NUM_THREADS`). With them one question is asked so
//! many times and nothing is timed: the difference between two numbers of queries, under
//! `valgrind --tool=callgrind` or in processor time, is what a query takes without what comes
//! before. Points and rays are 10,000, asked again and again; of batches the number is that of
//! rounds.

use glam::DVec3;
use nearhit::{Mesh, Model, Ray, Scratch};
use nearhit_datasets::rng::Rng;
use nearhit_datasets::shapes;
use std::time::Instant;

const ROUNDS: usize = 5;
const SIZES: [usize; 5] = [200, 1_000, 10_000, 100_000, 1_000_000];

/// What is asked of: the mesh, and the same with a tenth of its triangles missing or with one hole.
struct Case {
    closed: Model,
    scattered: Model,
    holed: Model,
    /// In the box.
    points: Vec<DVec3>,
    /// From those points, anywhere.
    rays: Vec<Ray>,
    /// From outside, at a point of the box.
    aimed: Vec<Ray>,
    /// From outside, away.
    away: Vec<Ray>,
}

fn case(triangles: usize, queries: usize) -> Result<Case, Box<dyn std::error::Error>> {
    let side = ((triangles as f64 / 2.0).sqrt() as u32).max(3);
    let soup = shapes::wrinkled_torus(side, side, 1);
    let mut rng = Rng::new(3);
    let scattered: Vec<[u32; 3]> = soup.triangles.iter().copied().filter(|_| !rng.chance(0.1)).collect();
    let hole = &soup.triangles[soup.len() / 100..];
    let model = |triangles: &[[u32; 3]]| Mesh::new(&soup.vertices, triangles).map(Model::new);
    let (low, high) = soup.bounds().ok_or("no vertices")?;
    let mut anywhere = || DVec3::from_array(std::array::from_fn(|axis| rng.range(low[axis], high[axis])));
    let points: Vec<DVec3> = (0..queries).map(|_| anywhere()).collect();
    let mut directed = |from: DVec3| Ray::new(from, DVec3::from_array(rng.unit_vector()));
    let rays = points.iter().map(|&point| directed(point)).collect::<Result<Vec<_>, _>>()?;
    let size = (DVec3::from_array(high) - DVec3::from_array(low)).length();
    let outside = |ray: &Ray| ray.origin() - ray.direction() * size;
    let aimed = rays.iter().map(|ray| Ray::new(outside(ray), ray.direction())).collect::<Result<Vec<_>, _>>()?;
    let away = rays.iter().map(|ray| Ray::new(outside(ray), -ray.direction())).collect::<Result<Vec<_>, _>>()?;
    let [closed, scattered, holed] = [model(&soup.triangles)?, model(&scattered)?, model(hole)?];
    Ok(Case { closed, scattered, holed, points, rays, aimed, away })
}

/// Gives some number of the answer, so that none is optimised away.
type Question = fn(&Case, usize, &mut Scratch) -> f64;

const QUESTIONS: [(&str, Question); 10] = [
    ("first", |case, at, scratch| case.closed.first_hit(&case.rays[at], scratch).map_or(0.0, |hit| hit.distance)),
    ("aimed", |case, at, scratch| case.closed.first_hit(&case.aimed[at], scratch).map_or(0.0, |hit| hit.distance)),
    ("away", |case, at, scratch| case.closed.first_hit(&case.away[at], scratch).map_or(0.0, |hit| hit.distance)),
    ("all", |case, at, scratch| case.closed.all_hits(&case.aimed[at], scratch).len() as f64),
    ("closest", |case, at, scratch| {
        case.closed.closest_point(case.points[at], scratch).map_or(0.0, |found| found.distance)
    }),
    ("near", |case, at, scratch| {
        // One per cent of the size off the surface, or so.
        let vertices = case.closed.mesh().vertices();
        let point = vertices[at * 7919 % vertices.len()] * 1.01;
        case.closed.closest_point(point, scratch).map_or(0.0, |found| found.distance)
    }),
    ("signed", |case, at, scratch| {
        case.closed.signed_distance(case.points[at], scratch).map_or(0.0, |found| found.distance)
    }),
    ("inside", |case, at, scratch| inside(&case.closed, case.points[at], scratch)),
    ("scattered", |case, at, scratch| inside(&case.scattered, case.points[at], scratch)),
    ("holed", |case, at, scratch| inside(&case.holed, case.points[at], scratch)),
];

/// All of a case at once, on all threads.
type Batch = fn(&Case) -> f64;

const BATCHES: [(&str, Batch); 4] = [
    ("first each", |case| case.closed.first_hit_each(&case.rays).len() as f64),
    ("closest each", |case| case.closed.closest_point_each(&case.points).map_or(0.0, |found| found[0].distance)),
    ("signed each", |case| case.closed.signed_distance_each(&case.points).map_or(0.0, |found| found[0].distance)),
    ("scattered each", |case| case.scattered.contains_each(&case.points).map_or(0.0, |found| found.len() as f64)),
];

fn inside(model: &Model, point: DVec3, scratch: &mut Scratch) -> f64 {
    model.contains(point, scratch).map_or(0.0, |found| f64::from(found.is_in_solid()))
}

/// Nanoseconds of the best round.
fn best(mut ask: impl FnMut() -> f64) -> f64 {
    let mut round = || {
        let start = Instant::now();
        std::hint::black_box(ask());
        start.elapsed()
    };
    (0..ROUNDS).map(|_| round()).min().unwrap_or_default().as_secs_f64() * 1e9
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut scratch = Scratch::new();
    if let [triangles, name, queries] = arguments.as_slice() {
        let queries: usize = queries.parse()?;
        let case = case(triangles.parse()?, 10_000)?;
        if let Some((_, batch)) = BATCHES.iter().find(|known| known.0 == name) {
            println!("{name}: {queries} rounds, sum {}", (0..queries).map(|_| batch(&case)).sum::<f64>());
            return Ok(());
        }
        let (_, question) = QUESTIONS.iter().find(|known| known.0 == name).ok_or("no such question")?;
        let sum: f64 = (0..queries).map(|at| question(&case, at % 10_000, &mut scratch)).sum();
        println!("{name}: {queries} queries, sum {sum}");
        return Ok(());
    }
    let names: Vec<&str> = QUESTIONS.iter().map(|known| known.0).chain(BATCHES.iter().map(|known| known.0)).collect();
    println!("| triangles | {} |\n|--:|{}", names.join(" | "), "--:|".repeat(names.len()));
    for size in SIZES {
        let queries = if size > 100_000 { 20_000 } else { 10_000 };
        let case = case(size, queries)?;
        print!("| {}", case.closed.mesh().triangles().len());
        for (_, question) in QUESTIONS {
            let each = best(|| (0..queries).map(|at| question(&case, at, &mut scratch)).sum());
            print!(" | {:.0}", each / queries as f64);
        }
        for (_, batch) in BATCHES {
            print!(" | {:.0}", best(|| batch(&case)) / queries as f64);
        }
        println!(" |");
    }
    Ok(())
}
