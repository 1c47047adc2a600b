//! Which triangles of two meshes intersect, and along what.
//!
//!     cargo run --release --example contacts

mod shapes;

use nearhit::{Model, Pair, Pose, Scratch, Settings, Verdict};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ring = Model::new(shapes::torus(2.0, 0.5, 96, 48)?);
    // The same ring, turned by 90 degrees about x and moved: two links of a chain that overlap.
    let turned = [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]];
    let place = Pose::from_rows(turned, [3.2, 0.0, 0.0])?;
    let pair = Pair::new(&ring, &Pose::IDENTITY, &ring, &place)?;
    let (settings, mut scratch) = (Settings::default(), Scratch::new());

    // Yes or no ends at the first contact.
    let collision = pair.collide(&settings, &mut scratch);
    assert_eq!(collision.verdict, Verdict::Yes);
    println!("they touch, known after {} triangle tests", collision.stats.triangle_tests);

    // All pairs of triangles that intersect. Triangles are numbered as in the mesh.
    let pairs = pair.contacts(&settings, &mut scratch).pairs.to_vec();
    println!("{} pairs of triangles intersect; the first three:", pairs.len());
    for &contact in &pairs[..3] {
        let shared = pair.overlap(contact);
        println!("  {} and {}: {:.4?}", contact.a, contact.b, shared.points());
    }

    // As solids: the regions in contact with their normals and depths, as a physics engine wants
    // them.
    let found = pair.solid().contact_regions(&settings, &mut scratch);
    println!("{} contact regions:", found.regions.len());
    for region in &found.regions {
        let manifold = region.manifold(4);
        println!("  normal {:.3}, depth {:.4}, {} contact points", region.normal, region.depth, manifold.len());
        for point in manifold {
            println!("    {:.3} on a, {:.3} on b, {:.4} deep", point.on_a, point.on_b, point.depth);
        }
    }
    Ok(())
}
