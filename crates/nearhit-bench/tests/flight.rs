//! The simulator: what it keeps, what it repeats, and that its frames say what they did.

use glam::{DQuat, DVec3};
use nearhit::Care;
use nearhit_bench::scenes::flight::response::bounce;
use nearhit_bench::scenes::flight::ship::{Ship, Steering};
use nearhit_bench::scenes::flight::{Detect, FRAME, Fleet, Flight, Plan};
use nearhit_testkit::rng::Rng;
use std::sync::Arc;
use std::time::Duration;

fn plan(detect: Detect, target: Duration) -> Plan {
    Plan { detect, target, detection: None, seed: 5, care: Care::Quick, steering: true }
}

/// Simple ships, so that sphere-trees are made in no time.
fn bars() -> Fleet {
    let bar = Arc::new(nearhit_bench::subject::mesh(&nearhit_testkit::shapes::axis_bars(1.0, 0.1)));
    Fleet { ship: Arc::clone(&bar), drones: vec![bar; 9], room: 4.0 }
}

#[test]
fn each_response_keeps_momentum_and_energy() {
    let mut rng = Rng::new(1);
    let mut bounced = 0;
    for _ in 0..10_000 {
        let ship = |rng: &mut Rng| {
            let mut ship = Ship::drone(rng, 5.0);
            ship.velocity = DVec3::from_array(rng.point(-3.0, 3.0));
            ship.inverse_mass = rng.range(0.1, 10.0);
            ship
        };
        let (mut a, mut b) = (ship(&mut rng), ship(&mut rng));
        let momentum = |a: &Ship, b: &Ship| a.velocity / a.inverse_mass + b.velocity / b.inverse_mass;
        let energy = |a: &Ship, b: &Ship| {
            0.5 * (a.velocity.length_squared() / a.inverse_mass + b.velocity.length_squared() / b.inverse_mass)
        };
        let (before, energy_before) = (momentum(&a, &b), energy(&a, &b));
        let normal = DVec3::from_array(rng.unit_vector());
        if bounce(&mut a, &mut b, normal) {
            bounced += 1;
            assert!((b.velocity - a.velocity).dot(normal) > 0.0, "they part");
        }
        let scale = energy_before.max(1.0);
        assert!((momentum(&a, &b) - before).length() < 1e-13 * scale * 10.0);
        assert!((energy(&a, &b) - energy_before).abs() < 1e-13 * scale * 10.0);
    }
    assert!(bounced > 4_000, "{bounced}");
}

#[test]
fn hands_off_a_flight_keeps_its_energy() {
    let mut flight =
        Flight::new(&bars(), Plan { steering: false, ..plan(Detect::Exact, Duration::ZERO) }).expect("ships");
    // All towards the middle.
    flight.set_velocities(|index, ship| if index == 0 { DVec3::ZERO } else { -ship.position.normalize() });
    let energy = |flight: &Flight| flight.ships().iter().map(|ship| ship.velocity.length_squared()).sum::<f64>();
    let before = energy(&flight);
    let collisions: u64 = (0..60).map(|_| flight.frame().expect("a frame").collisions()).sum();
    assert!(collisions > 10, "{collisions}");
    assert!((energy(&flight) - before).abs() < 1e-12 * before, "{} {before}", energy(&flight));
    assert_eq!(flight.ships()[0].velocity, DVec3::ZERO, "nothing moves the ship of infinite mass");
}

#[test]
fn exact_flights_repeat_and_others_say_how_far_they_came() {
    let end = |detect: Detect, target: Duration| {
        let mut flight = Flight::new(&bars(), plan(detect, target)).expect("ships");
        let (mut collisions, mut certain, mut levels) = (0, 0, [0; 8]);
        for _ in 0..100 {
            let record = flight.frame().expect("a frame");
            collisions += record.collisions();
            certain += record.certain;
            levels.iter_mut().zip(record.levels).for_each(|(sum, count)| *sum += count);
            assert!(record.busy.wall >= record.detection.wall && record.frame() >= target);
            assert_eq!(
                record.csv().split(',').count(),
                nearhit_bench::scenes::flight::record::FrameRecord::COLUMNS.split(',').count()
            );
        }
        let position = |ship: &Ship| ship.position;
        (flight.ships().iter().map(position).collect::<Vec<_>>(), collisions, certain, levels)
    };
    let hour = Duration::from_secs(3600);
    let exact = end(Detect::Exact, hour);
    assert!(exact.1 > 20 && exact.1 == exact.2, "{} {}", exact.1, exact.2);
    assert_eq!(end(Detect::Exact, Duration::ZERO).0, exact.0, "exact detection does not look at the clock");
    // With all the time in the world spheres lead to the triangles, and so to the same flight.
    assert_eq!(end(Detect::Octree, hour).0, exact.0);
    // With none nothing is looked at, and nothing bounces.
    let hurried = end(Detect::Octree, Duration::ZERO);
    assert_eq!((hurried.1, hurried.2), (0, 0));
}

/// Turning alone is about an axis of the ship, however it is turned: a formula tells where it heads after any time.
#[test]
fn a_hand_steers_about_the_ships_own_axes() {
    let mut flight = Flight::new(&bars(), plan(Detect::Exact, Duration::ZERO)).expect("ships");
    let turning = |axis: DVec3| Some(Steering { thrust: 0.0, turning: axis });
    let mut expected = DQuat::IDENTITY;
    for axis in [DVec3::X, DVec3::NEG_Y, DVec3::Z, DVec3::X] {
        flight.steer(turning(axis));
        for _ in 0..7 {
            flight.frame().expect("a frame");
        }
        expected *= DQuat::from_axis_angle(axis, 1.5 * 7.0 * FRAME);
        let off = flight.ships()[0].heading.angle_between(expected);
        assert!(off < 1e-3, "{axis}: {off}");
    }
    assert_eq!(flight.ships()[0].position, DVec3::ZERO, "nothing pushed it");
    // Forward is the ship's own z axis; more than all is all.
    let forward = expected * DVec3::Z;
    flight.steer(Some(Steering { thrust: 50.0, turning: DVec3::ZERO }));
    flight.frame().expect("a frame");
    let Ship { velocity, .. } = flight.ships()[0];
    assert!((velocity.normalize() - forward).length() < 1e-3 && velocity.length() < 2.0 * FRAME, "{velocity}");
    flight.steer(None);
    flight.frame().expect("a frame");
    assert!(flight.ships()[0].controls.turning != DVec3::ZERO, "the script has it back");
}

#[test]
fn a_flight_can_be_begun_again_and_replanned() {
    let hour = Duration::from_secs(3600);
    let mut flight = Flight::new(&bars(), plan(Detect::Exact, hour)).expect("ships");
    let begin = flight.ships().to_vec();
    let fly = |flight: &mut Flight| {
        (0..40).for_each(|_| _ = flight.frame().expect("a frame"));
        flight.ships().to_vec()
    };
    let end = fly(&mut flight);
    flight.restart().expect("a beginning");
    assert_eq!((flight.ships(), flight.frames(), flight.time()), (begin.as_slice(), 0, 0.0));
    assert_eq!(fly(&mut flight), end);
    // Another way to find contacts in the middle: all ships stay where they are, and every hit has its true distance.
    let (mut hits, mut uncertain) = (0, 0);
    for frame in 0..40 {
        let detect = [Detect::Exact, Detect::Octree][frame / 5 % 2];
        let before = flight.ships().to_vec();
        flight.replan(detect, hour).expect("a plan");
        assert_eq!((flight.ships(), flight.plan().detect), (before.as_slice(), detect));
        let record = flight.frame().expect("a frame");
        hits += flight.hits().len();
        uncertain += flight.hits().iter().filter(|hit| !hit.certain).count();
        assert_eq!(record.collisions(), flight.hits().len() as u64);
        assert!(flight.hits().iter().all(|hit| hit.separation.lower <= hit.gap && hit.gap <= hit.separation.upper));
    }
    assert!(hits > 5 && uncertain == 0, "{hits} {uncertain}");
    // Without time nothing is looked at, and that is said.
    flight.replan(Detect::Octree, Duration::ZERO).expect("a plan");
    flight.frame().expect("a frame");
    assert_eq!(flight.unseen().len(), 10);
}
