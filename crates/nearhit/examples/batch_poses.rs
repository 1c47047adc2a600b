//! Many poses at once, on all cores: which configurations of a planner are free?
//!
//!     cargo run --release --example batch_poses

mod shapes;

use nearhit::batch::{self, BatchOptions, Seeding};
use nearhit::{Model, Pair, Pose, QueryError, Tolerance, Verdict};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ring = Model::new(shapes::torus(2.0, 0.5, 96, 48)?);
    let rod = Model::new(shapes::block([0.3, 0.3, 4.0])?);

    // 20,000 poses along a curve that winds through the ring.
    let pose = |index: usize| -> Result<Pose, nearhit::PoseError> {
        let time = index as f64 / 20_000.0;
        let (sin, cos) = (40.0 * time).sin_cos();
        let rotation = [[cos, 0.0, sin], [0.0, 1.0, 0.0], [-sin, 0.0, cos]];
        Pose::from_rows(rotation, [3.0 * (7.0 * time).sin(), 3.0 * (5.0 * time).cos(), 2.0 * (11.0 * time).sin()])
    };
    let poses: Vec<Pose> = (0..20_000).map(pose).collect::<Result<_, _>>()?;
    let pair =
        |index: usize| -> Result<Pair<'_>, QueryError> { Pair::new(&ring, &Pose::IDENTITY, &rod, &poses[index]) };

    let start = Instant::now();
    let free = batch::each(poses.len(), pair, &BatchOptions::default(), |pair, settings, scratch| {
        (pair.collide(settings, scratch).verdict == Verdict::No, None)
    })?;
    let count = free.iter().filter(|&&free| free).count();
    println!("{count} of {} configurations are free, in {:.1?}", free.len(), start.elapsed());

    // Poses of a path are near each other: each query starts from the witness of the one before.
    let options = BatchOptions::new().seeding(Seeding::Warm);
    let start = Instant::now();
    let clearances = batch::each(poses.len(), pair, &options, |pair, settings, scratch| {
        let nearest = pair.distance(Tolerance::EXACT, settings, scratch);
        (nearest.upper, Some(nearest.seed()))
    })?;
    let (at, least) = clearances.iter().enumerate().fold((0, f64::INFINITY), |best, (index, &clearance)| {
        if free[index] && clearance < best.1 { (index, clearance) } else { best }
    });
    println!("all distances in {:.1?}; the narrowest free pose is number {at}: {least:.6}", start.elapsed());
    assert!(free.iter().zip(&clearances).all(|(&free, &clearance)| free == (clearance > 0.0)));
    Ok(())
}
