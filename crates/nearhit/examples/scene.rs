//! Many bodies: which of them touch, which are closest. With a robot arm whose links may touch at
//! its joints.
//!
//!     cargo run --release --example scene

mod shapes;

use nearhit::scene::{BodySpec, Scene, Shape};
use nearhit::{Model, Pose};
use std::sync::Arc;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ball = Shape::mesh(Arc::new(Model::new(shapes::ball(0.4, 16)?)));
    let link = Shape::mesh(Arc::new(Model::new(shapes::block([2.0, 0.3, 0.3])?)));
    let floor = Shape::mesh(Arc::new(Model::new(shapes::block([40.0, 40.0, 0.2])?)));

    // All bodies are solids: one inside another is in contact with it.
    let mut scene = Scene::default().solid();
    scene.insert(BodySpec::rigid("floor", floor).at(Pose::from_translation([0.0, 0.0, -0.6])?).fixed())?;
    for number in 0..400_u32 {
        let place = [f64::from(number % 20) - 10.0, f64::from(number / 20) - 10.0, 0.0];
        let spec = BodySpec::rigid(format!("ball {number}"), ball.clone()).group("balls");
        scene.insert(spec.at(Pose::from_translation(place)?))?;
    }
    // Two links: the parent of each part is an earlier one. Neighbours are never tested.
    let elbow = Pose::from_translation([2.0, 0.0, 0.0])?;
    let spec = BodySpec::articulated("arm").part("upper", link.clone(), None, Pose::IDENTITY).part(
        "lower",
        link,
        Some("upper"),
        elbow,
    );
    let arm = scene.insert(spec.at(Pose::from_translation([0.5, 0.5, 0.6])?))?;

    println!("{} bodies", scene.len());
    let closest = scene.settle().closest()?.ok_or("a scene with one body")?;
    println!("closest: {} and {}, {:.4}", closest.a, closest.b, closest.distance.upper);

    // The elbow bends down into the balls.
    let lower = scene.find_part(arm, "lower")?;
    let (sin, cos) = 0.6_f64.sin_cos();
    let bent = Pose::from_rows([[cos, 0.0, sin], [0.0, 1.0, 0.0], [-sin, 0.0, cos]], [1.8, 0.0, -0.5])?;
    scene.set_joint(lower, bent)?;
    let answer = scene.settle().colliding()?;
    println!("bent: {} pairs of parts looked at, {} in contact", answer.asked, answer.found.len());
    for touch in &answer.found {
        println!("  {} and {}", touch.a, touch.b);
    }

    // The allowed collision matrix: the arm may touch the balls.
    scene.allow(arm, "balls")?;
    println!("allowed: {} in contact", scene.settle().colliding()?.found.len());
    Ok(())
}
