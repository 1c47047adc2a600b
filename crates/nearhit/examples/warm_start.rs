//! Temporal coherence: the answer of one frame makes the next one cheaper. The answers stay the
//! same.
//!
//!     cargo run --release --example warm_start

mod shapes;

use nearhit::{Model, Pair, Pose, Scratch, Seed, Settings, Stats, Tolerance, Verdict};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ring = Model::new(shapes::torus(2.0, 0.5, 160, 80)?);
    println!("two rings of {} triangles, 1,000 frames", ring.mesh().triangles().len());

    // One ring swings through the other, a little in every frame.
    let pose = |frame: u32| -> Result<Pose, nearhit::PoseError> {
        let (sin, cos) = (1.2 + f64::from(frame) * 0.0007).sin_cos();
        Pose::from_rows([[1.0, 0.0, 0.0], [0.0, cos, -sin], [0.0, sin, cos]], [2.0, 0.2 * cos, 0.3 * sin])
    };
    let mut answers = Vec::new();
    for warm in [false, true] {
        let (mut scratch, mut work) = (Scratch::new(), Stats::default());
        let (mut distance_seed, mut contact_seed) = (None::<Seed>, None::<Seed>);
        let (mut sum, mut touching) = (0.0, 0);
        let start = Instant::now();
        for frame in 0..1_000 {
            let pair = Pair::new(&ring, &Pose::IDENTITY, &ring, &pose(frame)?)?;
            let settings = Settings::new().seed(contact_seed.filter(|_| warm));
            let collision = pair.collide(&settings, &mut scratch);
            contact_seed = collision.witness.map(Seed);
            let settings = Settings::new().seed(distance_seed.filter(|_| warm));
            let nearest = pair.distance(Tolerance::EXACT, &settings, &mut scratch);
            distance_seed = Some(nearest.seed());
            (sum, touching) = (sum + nearest.upper, touching + u32::from(collision.verdict == Verdict::Yes));
            work += collision.stats;
            work += nearest.stats;
        }
        let name = if warm { "warm" } else { "cold" };
        let (volumes, triangles) = (work.volume_tests, work.triangle_tests);
        println!(
            "{name}: {touching} frames in contact, {volumes} volume tests, {triangles} triangle tests, {:.1?}",
            start.elapsed()
        );
        answers.push((touching, sum));
    }
    assert_eq!(answers[0], answers[1]);
    Ok(())
}
