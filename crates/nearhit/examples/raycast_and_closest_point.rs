//! Points and rays against one mesh: first hit, all hits, closest point, signed distance, inside or
//! outside.
//!
//!     cargo run --release --example raycast_and_closest_point

mod shapes;

use nearhit::{Location, Model, Ray, Scratch};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ring = Model::new(shapes::torus(2.0, 0.5, 96, 48)?);
    let mut scratch = Scratch::new();

    let ray = Ray::new([-5.0, 0.03, 0.1].into(), [1.0, 0.0, 0.0].into())?;
    if let Some(hit) = ring.first_hit(&ray, &mut scratch) {
        println!("first hit: triangle {} at {:.4}, after {:.4}", hit.triangle, hit.point, hit.distance);
    }
    let through: Vec<String> =
        ring.all_hits(&ray, &mut scratch).iter().map(|hit| format!("{:.4}", hit.distance)).collect();
    println!("all hits after {}", through.join(", "));

    println!("\npoints:");
    for point in [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [2.3, 0.0, 0.1], [0.0, 4.0, 0.0]] {
        let found = ring.signed_distance(point.into(), &mut scratch)?;
        let place = match found.containment.location {
            Location::Inside => "inside",
            Location::Outside => "outside",
            Location::Surface => "on the surface",
        };
        println!("  {point:?} is {place}: {:.4}, closest point {:.4}", found.distance, found.closest.point);
    }

    // A picture: one ray for each character, from above.
    println!("\nseen from above, depths in tenths:");
    for row in 0..13 {
        let mut line = String::new();
        for column in 0..30 {
            let origin = [f64::from(column) * 0.2 - 2.9, f64::from(row) * 0.4 - 2.4, 9.0];
            let down = Ray::new(origin.into(), [0.0, 0.0, -1.0].into())?;
            let mark = |distance: f64| char::from(b'0' + ((distance - 8.5) * 18.0).clamp(0.0, 9.0) as u8);
            line.push(ring.first_hit(&down, &mut scratch).map_or(' ', |hit| mark(hit.distance)));
        }
        println!("  {}", line.trim_end());
    }
    Ok(())
}
