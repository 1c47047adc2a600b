//! Solids: containment, signed distance, and the shortest way out.
//!
//!     cargo run --release --example penetration_depth

mod shapes;

use nearhit::{Model, Pair, Pose, Scratch, Settings, SolidContact, Tolerance, Verdict};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let block = Model::new(shapes::block([4.0, 4.0, 4.0])?);
    let ball = Model::new(shapes::ball(1.0, 24)?);
    let (settings, mut scratch) = (Settings::default(), Scratch::new());

    println!("a ball of radius 1 moves out of a block of side 4:");
    println!("     x  contact           signed distance         way out");
    for x in [0.0, 0.5, 1.5, 2.5, 2.9, 3.5] {
        let pair = Pair::new(&block, &Pose::IDENTITY, &ball, &Pose::from_translation([x, 0.0, 0.0])?)?;
        let solid = pair.solid();
        let contact = match solid.collide(&settings, &mut scratch).contact {
            None => "none".to_owned(),
            Some(SolidContact::Surfaces(_)) => "surfaces touch".to_owned(),
            Some(SolidContact::Contained { body, .. }) => format!("{body:?} is inside"),
        };
        // Above zero the distance is exact; below, the depth of the deepest point, as an interval.
        let signed = solid.distance(Tolerance::EXACT, &settings, &mut scratch);
        // The shortest translation that takes the two apart, from below and from above.
        let out = solid.translational_depth(&settings, &mut scratch)?;
        println!(
            "  {x:4.1}  {contact:16}  {:7.4} to {:7.4}   {:.4} to {:.4} along {:.2}",
            signed.lower, signed.upper, out.lower, out.upper, out.translation
        );

        // The way out is proven: after it the solids are apart.
        let moved = Pose::from_translation([out.translation.x + x, out.translation.y, out.translation.z])?;
        let apart = Pair::new(&block, &Pose::IDENTITY, &ball, &moved)?.solid().collide(&settings, &mut scratch);
        assert_eq!(apart.verdict, Verdict::No);
    }
    Ok(())
}
