//! Where links are, beside matrices written out by hand.

mod support;

use nearhit::Pose;
use nearhit_robot::{ConfigurationError, JacobianColumn, JointKind, ROUNDING, Random, Robot};
use support::{ALL, ARM, CART, FLYER, Matrix, expected, robot};

fn poses(robot: &Robot, q: &[f64]) -> Vec<Pose> {
    let mut poses = vec![Pose::IDENTITY; robot.links().len()];
    robot.link_poses(q, &mut poses).expect("a good configuration");
    poses
}

fn largest_difference(pose: &Pose, matrix: &Matrix) -> f64 {
    let (rotation, translation) = (pose.rotation(), pose.translation());
    let entries = (0..3).flat_map(|i| (0..3).map(move |j| (i, j)));
    let turned = entries.map(|(i, j)| (rotation.col(j)[i] - matrix[i][j]).abs()).fold(0.0, f64::max);
    (0..3).map(|i| (translation[i] - matrix[i][3]).abs()).fold(turned, f64::max)
}

#[test]
fn links_are_where_matrices_by_hand_put_them() {
    for text in ALL {
        let robot = robot(text);
        let mut random = Random::new(1);
        let mut moved = 0.0_f64;
        for _ in 0..500 {
            let q = robot.random_configuration(&mut random);
            for (index, (pose, matrix)) in poses(&robot, &q).iter().zip(expected(text, &q)).enumerate() {
                // Both are rounded: twice the promise for a robot that reaches ten metres.
                let limit = 2.0 * ROUNDING * (index + 1) as f64 * 10.0;
                let off = largest_difference(pose, &matrix);
                assert!(off <= limit, "{} {index} {off:e}", robot.name());
                moved = moved.max(pose.translation().length());
            }
        }
        assert!(moved > 0.5, "the links of {} move", robot.name());
    }
}

#[test]
fn coordinates_come_in_the_order_of_the_file() {
    assert_eq!(robot(ARM).coordinate_names(), ["turn", "lift", "elbow", "roll", "finger"]);
    assert_eq!(robot(CART).coordinate_names(), ["drive/x", "drive/y", "drive/angle", "lift", "swing"]);
    let names = ["fly/x", "fly/y", "fly/z", "fly/qx", "fly/qy", "fly/qz", "fly/qw", "arm"];
    assert_eq!(robot(FLYER).coordinate_names(), names);
    assert_eq!((robot(FLYER).coordinates(), robot(FLYER).velocities()), (8, 7));
}

#[test]
fn the_base_can_be_elsewhere() {
    let base = Pose::from_quaternion([0.0, 0.0, 0.6, 0.8], [1.0, 2.0, 3.0]).expect("a rotation");
    let (here, there) = (robot(ARM), robot(ARM).with_base(base));
    let q = [0.3, -0.4, 0.5, 0.6, 0.01];
    for (own, moved) in poses(&here, &q).iter().zip(poses(&there, &q)) {
        let point = base.apply(own.translation());
        assert!((point - moved.translation()).length() < 1e-14);
    }
}

#[test]
fn a_batch_is_one_by_one() {
    let robot = robot(ARM);
    let mut random = Random::new(2);
    let configurations: Vec<f64> = (0..7).flat_map(|_| robot.random_configuration(&mut random)).collect();
    let mut batch = vec![Pose::IDENTITY; 7 * robot.links().len()];
    robot.link_poses_batch(&configurations, &mut batch).expect("good configurations");
    for (q, batch) in configurations.chunks(5).zip(batch.chunks(robot.links().len())) {
        assert_eq!(poses(&robot, q), batch);
    }
    assert!(robot.link_poses_batch(&configurations[1..], &mut batch).is_err());
}

#[test]
fn configurations_that_are_none_are_refused() {
    let robot = robot(FLYER);
    let mut poses = vec![Pose::IDENTITY; 3];
    let good = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.5];
    assert_eq!(robot.link_poses(&good[1..], &mut poses), Err(ConfigurationError::Length { expected: 8, found: 7 }));
    let changed = |index: usize, value: f64| {
        let mut q = good;
        q[index] = value;
        q
    };
    for value in [f64::NAN, f64::INFINITY, 1.1e12] {
        let Err(ConfigurationError::NotFinite { index: 7, name, .. }) =
            robot.link_poses(&changed(7, value), &mut poses)
        else {
            panic!("{value} is refused")
        };
        assert_eq!(name, "arm");
    }
    let error = robot.link_poses(&changed(6, 0.9), &mut poses).expect_err("not a rotation");
    assert_eq!(error.to_string(), "the quaternion of joint \"fly\" has the length 0.9, not 1");
    let error = robot.link_poses(&good, &mut poses[1..]).expect_err("too few");
    assert_eq!(error.to_string(), "the buffer has room for 2 poses, not 3");
}

/// Each velocity of a robot as a small step of its configuration.
fn step(robot: &Robot, q: &[f64], velocity: usize, by: f64) -> Vec<f64> {
    let mut q = q.to_vec();
    for joint in robot.joints() {
        let (Some(first), Some(first_velocity)) = (joint.first_coordinate, joint.first_velocity) else { continue };
        let own = velocity.wrapping_sub(first_velocity);
        if own >= joint.kind.velocities() {
            continue;
        }
        if joint.kind != JointKind::Floating || own < 3 {
            q[first + own] += by;
        } else {
            // On the left: about an axis of the joint's frame.
            let half = 0.5 * by;
            let mut turn = [0.0, 0.0, 0.0, half.cos()];
            turn[own - 3] = half.sin();
            let [ax, ay, az, aw] = turn;
            let [bx, by, bz, bw] = [q[first + 3], q[first + 4], q[first + 5], q[first + 6]];
            q[first + 3] = aw * bx + ax * bw + ay * bz - az * by;
            q[first + 4] = aw * by - ax * bz + ay * bw + az * bx;
            q[first + 5] = aw * bz + ax * by - ay * bx + az * bw;
            q[first + 6] = aw * bw - ax * bx - ay * by - az * bz;
        }
    }
    q
}

#[test]
fn jacobians_are_what_small_steps_do() {
    const BY: f64 = 1e-6;
    for text in ALL {
        let robot = robot(text);
        let mut random = Random::new(3);
        let mut largest = 0.0_f64;
        for _ in 0..20 {
            let q = robot.random_configuration(&mut random);
            let world_from_link = poses(&robot, &q);
            let point = [0.1, -0.2, 0.3];
            for link in 0..robot.links().len() {
                let mut columns = vec![JacobianColumn::default(); robot.velocities()];
                robot.point_jacobian(&q, &world_from_link, link, point, &mut columns).expect("a link");
                for (velocity, column) in columns.iter().enumerate() {
                    let [before, after] = [-BY, BY].map(|by| poses(&robot, &step(&robot, &q, velocity, by))[link]);
                    let moved = (after.apply(point.into()) - before.apply(point.into())) / (2.0 * BY);
                    let off = (moved - nearhit::glam::DVec3::from(column.linear)).length();
                    assert!(off < 1e-8, "{} link {link} velocity {velocity}: {moved} {column:?}", robot.name());
                    // The derivative of the rotation is the cross product with the angular
                    // velocity.
                    let turned = (after.rotation().x_axis - before.rotation().x_axis) / (2.0 * BY);
                    let spun =
                        nearhit::glam::DVec3::from(column.angular).cross(world_from_link[link].rotation().x_axis);
                    assert!((turned - spun).length() < 1e-8, "{} link {link} velocity {velocity}", robot.name());
                    largest = largest.max(moved.length());
                }
            }
        }
        assert!(largest > 0.3, "{}", robot.name());
    }
}

#[test]
fn random_configurations_keep_limits_and_repeat() {
    let robot = robot(ARM);
    let draw = |seed| {
        let mut random = Random::new(seed);
        (0..1000).map(|_| robot.random_configuration(&mut random)).collect::<Vec<_>>()
    };
    let all = draw(5);
    assert_eq!(all, draw(5));
    assert_ne!(all, draw(6));
    let limits = [(-std::f64::consts::PI, std::f64::consts::PI), (-2.0, 2.0), (-2.5, 2.5), (-3.0, 3.0), (0.0, 0.04)];
    for (coordinate, (lower, upper)) in limits.into_iter().enumerate() {
        let values: Vec<f64> = all.iter().map(|q| q[coordinate]).collect();
        assert!(values.iter().all(|value| (lower..=upper).contains(value)));
        // Both ends are visited.
        let span = upper - lower;
        assert!(values.iter().any(|value| value - lower < 0.02 * span));
        assert!(values.iter().any(|value| upper - value < 0.02 * span));
    }
}

#[test]
fn a_follower_narrows_what_it_follows() {
    let text = ARM.replace("<limit lower=\"-0.04\" upper=\"0\"/>", "<limit lower=\"-0.01\" upper=\"0.5\"/>");
    let robot = robot(&text);
    assert_eq!(robot.range(robot.joint("finger").expect("a finger")), (0.0, 0.01));
}
