//! Anytime answers: what is certain when a query must stop early.
//!
//!     cargo run --release --example budget

mod shapes;

use nearhit::{Budget, Model, Pair, Pose, Refinement, Scratch, Settings, SpherePair, SphereTree, Tolerance};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ring = Model::new(shapes::torus(2.0, 0.5, 24, 12)?);
    // Two links of a chain: close to each other in many places, and not in contact.
    let turned = [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]];
    let place = Pose::from_rows(turned, [2.1, 0.1, 0.0])?;
    let pair = Pair::new(&ring, &Pose::IDENTITY, &ring, &place)?;
    let mut scratch = Scratch::new();
    let exact = pair.distance(Tolerance::EXACT, &Settings::default(), &mut scratch);
    println!("exact distance {:.6}, {} volume tests", exact.upper, exact.stats.volume_tests);

    // Work units are repeatable; Budget::time takes a duration instead.
    println!("\nthe same query with a budget: an interval that holds the distance");
    for units in [10, 100, 300, 1_000, 3_000] {
        let settings = Settings::new().budget(Budget::work(units));
        let known = pair.distance(Tolerance::EXACT, &settings, &mut scratch);
        assert!(known.lower <= exact.upper && exact.upper <= known.upper);
        println!("  {units:6} units: {:.4} to {:.4}", known.lower, known.upper);
    }

    // Sphere-trees are made for this: they can go on where they stopped, as long as there is time.
    let tree = SphereTree::new(&ring);
    let spheres = SpherePair::new(pair, &tree, &tree);
    let mut refinement = Refinement::default();
    println!("\nsphere-trees, refined step by step:");
    for _ in 0..8 {
        let known = refinement.run(&spheres, &Budget::work(50));
        let between = known.separation;
        assert!(between.lower <= exact.upper && exact.upper <= between.upper);
        println!("  level {}: {:?}, {:.4} to {:.4}", known.level, known.verdict, between.lower, between.upper);
        if known.is_complete {
            break;
        }
    }
    Ok(())
}
