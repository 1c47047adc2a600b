//! The simulator: what it keeps, what it repeats, and that its frames say what they did.

use glam::{DQuat, DVec3};
use nearhit::research::sphere_tree::BuildEffort;
use nearhit_cases::flight::response::bounce;
use nearhit_cases::flight::ship::{Ship, Steering};
use nearhit_cases::flight::{Detect, FRAME, Fleet, Flight, Plan};
use nearhit_datasets::rng::Rng;
use std::sync::Arc;
use std::time::Duration;

fn plan(detect: Detect, target: Duration) -> Plan {
    Plan { detect, target, detection: None, seed: 5, care: BuildEffort::Quick, steering: true }
}

/// Simple ships, so that sphere-trees are made in no time.
fn bars() -> Fleet {
    let bar = Arc::new(nearhit_cases::generated::mesh(&nearhit_datasets::shapes::axis_bars(1.0, 0.1)));
    Fleet { ship: Arc::clone(&bar), drones: vec![bar; 9], room: 4.0 }
}

/// Momentum, kinetic energy, and the angular momentum of the ships' centres about the origin (their
/// own turning takes no part in a bounce).
fn kept(ships: &[Ship]) -> (DVec3, f64, DVec3) {
    ships.iter().fold((DVec3::ZERO, 0.0, DVec3::ZERO), |(momentum, energy, angular), ship| {
        let own = ship.velocity / ship.inverse_mass;
        (momentum + own, energy + 0.5 * own.dot(ship.velocity), angular + ship.position.cross(own))
    })
}

#[test]
fn each_response_keeps_momentum_and_energy() {
    let mut rng = Rng::new(1);
    let mut bounced = 0;
    for _ in 0..10_000 {
        let mut ships = [(); 2].map(|()| {
            let mut ship = Ship::drone(&mut rng, 5.0);
            ship.velocity = DVec3::from_array(rng.point(-3.0, 3.0));
            ship.inverse_mass = rng.range(0.1, 10.0);
            ship
        });
        let before = kept(&ships);
        let normal = ships[1].position - ships[0].position;
        let [a, b] = &mut ships;
        if bounce(a, b, normal) {
            bounced += 1;
            assert!((b.velocity - a.velocity).dot(normal) > 0.0, "they part");
        }
        let (after, scale) = (kept(&ships), 1e-13 * (1.0 + before.1));
        assert!((after.0 - before.0).length() < 4.0 * scale && (after.1 - before.1).abs() < 4.0 * scale);
        // The push is along the line of the centres.
        assert!((after.2 - before.2).length() < 10.0 * scale, "{} {}", after.2, before.2);
    }
    assert!(bounced > 4_000, "{bounced}");
}

/// All towards the middle.
fn implode(flight: &mut Flight) {
    flight.ships_mut()[1..].iter_mut().for_each(|ship| ship.velocity = -ship.position.normalize());
}

fn hands_off() -> Flight {
    let plan = Plan { steering: false, ..plan(Detect::Exact, Duration::ZERO) };
    Flight::new(&bars(), plan).expect("ships")
}

/// Finite masses, no controls: whatever meets whom, frame after frame.
#[test]
fn a_whole_flight_keeps_momentum_and_energy() {
    let (mut flight, mut rng) = (hands_off(), Rng::new(4));
    implode(&mut flight);
    flight.ships_mut().iter_mut().for_each(|ship| ship.inverse_mass = rng.range(0.2, 5.0));
    flight.ships_mut()[0].velocity = DVec3::new(0.1, -0.2, 0.3);
    let mut collisions = 0;
    for frame in 0..80 {
        let before = kept(flight.ships());
        let now = flight.frame().expect("a frame").collisions();
        let (after, bound) = (kept(flight.ships()), 1e-13 * before.1 * (1 + now) as f64);
        assert!((after.0 - before.0).length() < bound && (after.1 - before.1).abs() < bound, "frame {frame}");
        // Flown straight on from the place of the bounce.
        assert!((after.2 - before.2).length() < 100.0 * bound, "frame {frame}");
        collisions += now;
    }
    assert!(collisions > 20, "{collisions}");
    assert!(flight.ships()[0].velocity != DVec3::new(0.1, -0.2, 0.3), "the steered ship can be pushed now");
}

#[test]
fn nothing_moves_a_ship_of_infinite_mass() {
    let mut flight = hands_off();
    implode(&mut flight);
    let energy = |flight: &Flight| flight.ships().iter().map(|ship| ship.velocity.length_squared()).sum::<f64>();
    let before = energy(&flight);
    let collisions: u64 = (0..60).map(|_| flight.frame().expect("a frame").collisions()).sum();
    assert!(collisions > 10, "{collisions}");
    assert!((energy(&flight) - before).abs() < 1e-12 * before, "{} {before}", energy(&flight));
    assert_eq!(flight.ships()[0].velocity, DVec3::ZERO);
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
                nearhit_cases::flight::record::FrameRecord::COLUMNS.split(',').count()
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

/// With time enough the average-case search finds collisions, and what it takes for one without
/// being certain is near; with none nothing is certain.
#[test]
fn the_average_case_flies_too() {
    let flown = |target: Duration| {
        let mut flight = Flight::new(&bars(), plan(Detect::Average, target)).expect("ships");
        let (mut collisions, mut certain, mut apart, mut uncertain) = (0, 0, 0.0, 0);
        for _ in 0..100 {
            let record = flight.frame().expect("a frame");
            collisions += record.collisions();
            certain += record.certain;
            apart += record.apart;
            uncertain += flight.hits().iter().filter(|hit| !hit.certain).count();
            assert!(flight.hits().iter().all(|hit| hit.certain || hit.separation.upper > 0.0));
            assert!(flight.hits().iter().all(|hit| hit.gap <= hit.separation.upper));
        }
        (collisions, certain, apart / uncertain.max(1) as f64)
    };
    let (collisions, _, gap) = flown(Duration::from_secs(3600));
    assert!(collisions > 20 && gap < 0.05, "{collisions} {gap}");
    let (_, certain, _) = flown(Duration::ZERO);
    assert_eq!(certain, 0, "nothing was looked at");
}

/// Turning alone is about an axis of the ship, however it is turned: a formula tells where it heads
/// after any time.
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

/// Who draws frames in eight tenths of their time leaves detection no more than two: at once after
/// the first frame, and no longer than drawing takes so long.
#[test]
fn detection_gets_what_drawing_leaves() {
    let hour = Duration::from_secs(3600);
    let mut flight = Flight::new(&bars(), plan(Detect::Exact, hour)).expect("ships");
    let frames = |flight: &mut Flight, count: usize| {
        (0..count).map(|_| flight.frame().expect("a frame")).collect::<Vec<_>>().pop().expect("one or more")
    };
    assert_eq!(frames(&mut flight, 1).allotted, hour);
    flight.draws_in(hour * 4 / 5);
    let first = frames(&mut flight, 1);
    assert!(first.drawing == hour * 4 / 5 && first.slack <= hour / 5 && first.frame() >= hour, "{first:?}");
    // The median of ten frames: all but the first were drawn so.
    let drawn = frames(&mut flight, 12);
    assert!(drawn.allotted <= hour / 5 && drawn.allotted > hour / 6, "{:?}", drawn.allotted);
    flight.draws_in(Duration::ZERO);
    assert!(frames(&mut flight, 12).allotted > hour * 9 / 10);
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
    // Another way to find contacts in the middle: all ships stay where they are, and every hit has
    // its true distance.
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
