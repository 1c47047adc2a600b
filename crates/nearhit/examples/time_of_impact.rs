//! Continuous collision detection: when do two moving bodies touch first? Nothing is skipped,
//! however fast or thin.
//!
//!     cargo run --release --example time_of_impact

mod shapes;

use nearhit::scene::{Motion, Moving, first_contact};
use nearhit::shape::Shape;
use nearhit::{Model, Pose, Scratch, Settings, Verdict};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let bullet = Shape::ball(0.01)?;
    let sheet = Shape::cuboid([0.002, 2.0, 2.0])?;
    let propeller = Shape::mesh(Model::new(shapes::block([0.05, 0.2, 3.0])?));
    let (settings, mut scratch) = (Settings::default(), Scratch::new());
    let place = |x: f64| Pose::from_translation([x, 0.0, 0.0]);

    // Motions run from time 0 to time 1. The bullet flies 10 units; the sheet is 0.002 thick.
    let flight = Moving { shape: &bullet, motion: Motion::linear(place(-5.0)?, place(5.0)?) };
    let wall = Moving { shape: &sheet, motion: Motion::still(Pose::IDENTITY) };
    let hit = first_contact(&flight, &wall, 1e-6, &settings, &mut scratch)?;
    println!("the sheet: {:?} at time {:.6} after {} distance queries", hit.verdict, hit.free_until, hit.steps);
    println!("  the contact lasts 0.0022 of the flight: a hundred samples may miss it");

    // A propeller turns five times about x while the bullet passes: does it get through?
    let turns = [5.0 * std::f64::consts::TAU, 0.0, 0.0];
    let spinning = Motion::spinning(Pose::IDENTITY, [0.0; 3].into(), turns.into())?;
    let blades = Moving { shape: &propeller, motion: spinning };
    for height in [0.2, 0.8, 1.4, 2.0] {
        let at = |x: f64| Pose::from_translation([x, 0.0, height]);
        let flight = Moving { shape: &bullet, motion: Motion::linear(at(-5.0)?, at(5.0)?) };
        let found = first_contact(&flight, &blades, 1e-6, &settings, &mut scratch)?;
        match found.verdict {
            Verdict::Yes => println!("height {height}: hit at time {:.6}", found.free_until),
            Verdict::No => println!("height {height}: free, proven with {} distance queries", found.steps),
            Verdict::Maybe => println!("height {height}: not decided, free until {:.6}", found.free_until),
        }
    }
    Ok(())
}
