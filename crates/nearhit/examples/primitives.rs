//! Primitives beside each other and beside a mesh: box, cylinder, capsule, half-space.
//!
//!     cargo run --release --example primitives

mod shapes;

use nearhit::shape::{Shape, ShapePair};
use nearhit::{Model, Pose, Scratch, Settings, Tolerance, Verdict};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (settings, mut scratch) = (Settings::default(), Scratch::new());

    // A tool above a floor: sizes are whole lengths, cylinders stand along z.
    let floor = Shape::half_space([0.0, 0.0, 1.0], 0.0)?;
    let tool = Shape::cylinder(0.1, 0.5)?;
    for height in [0.5, 0.25, 0.2] {
        let place = Pose::from_translation([0.0, 0.0, height])?;
        let pair = ShapePair::new(&floor, &Pose::IDENTITY, &tool, &place)?;
        let gap = pair.distance(Tolerance::EXACT, &settings, &mut scratch);
        println!("the tool's middle {height} above the floor: {:.3} apart", gap.upper);
        if let Some(overlap) = pair.penetration(&mut scratch).filter(|overlap| overlap.depth.upper > 0.0) {
            println!("  {:.3} deep, out along {:.1}", overlap.depth.upper, overlap.normal);
        }
    }

    // A finger beside a mesh that is a solid: inside counts as contact. The margin is a clearance.
    let ring = Shape::solid(Model::new(shapes::torus(2.0, 0.5, 96, 48)?));
    let finger = Shape::capsule(0.2, 1.0)?;
    let careful = finger.clone().grown(0.1)?;
    for x in [0.0, 1.25, 2.0] {
        let place = Pose::from_translation([x, 0.0, 0.0])?;
        let touches = ShapePair::new(&ring, &Pose::IDENTITY, &finger, &place)?.collide(&settings, &mut scratch);
        let near = ShapePair::new(&ring, &Pose::IDENTITY, &careful, &place)?.collide(&settings, &mut scratch);
        println!("the finger at x = {x}: contact {}, with a margin {}", is_yes(touches.verdict), is_yes(near.verdict));
    }
    Ok(())
}

fn is_yes(verdict: Verdict) -> &'static str {
    if verdict == Verdict::Yes { "yes" } else { "no" }
}
