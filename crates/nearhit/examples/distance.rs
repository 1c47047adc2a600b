//! The distance of two meshes and their closest points.
//!
//!     cargo run --release --example distance

mod shapes;

use nearhit::{Model, Pair, Pose, Scratch, Settings, Tolerance};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ring = Model::new(shapes::torus(2.0, 0.5, 96, 48)?);
    let ball = Model::new(shapes::ball(1.0, 32)?);
    println!("a ring of {} triangles, a ball of {}", ring.mesh().triangles().len(), ball.mesh().triangles().len());

    // The simple case: two models, two poses, one call.
    let place = Pose::from_translation([4.0, 0.0, 1.0])?;
    let nearest = nearhit::distance(&ring, &Pose::IDENTITY, &ball, &place)?;
    println!("distance {:.6}", nearest.upper);
    println!("closest points {:.4} on the ring and {:.4} on the ball", nearest.on_a, nearest.on_b);

    // A loop: working memory is kept, and no query allocates once it is warm.
    let (settings, mut scratch) = (Settings::default(), Scratch::new());
    println!("\nthe ball moves through the ring's hole:");
    for step in -4..=4 {
        let height = f64::from(step);
        let place = Pose::from_translation([0.3, 0.0, height])?;
        let pair = Pair::new(&ring, &Pose::IDENTITY, &ball, &place)?;
        let exact = pair.distance(Tolerance::EXACT, &settings, &mut scratch);
        // Ten per cent is often enough, and cheaper. The interval holds the exact distance.
        let roughly = pair.distance(Tolerance::relative(0.1), &settings, &mut scratch);
        assert!(roughly.lower <= exact.upper && exact.upper <= roughly.upper);
        println!(
            "  z = {height:4.1}: {:.4}, to ten per cent: {:.4} to {:.4}",
            exact.upper, roughly.lower, roughly.upper
        );
    }
    Ok(())
}
