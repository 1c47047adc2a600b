//! How far a body can move during an interval of a straight line in joint space.

use crate::check::Placed;
use crate::check::{Body, BodyPair, Checker, ParentFrame};
use crate::joint::{Joint, JointKind};
use crate::kinematics::ROUNDING;
use crate::robot::Robot;
use glam::{DQuat, DVec3};
use nearhit::Pose;

/// What a joint does from one end of the line to the other.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Travel {
    /// Length of its slide.
    pub(crate) slide: f64,
    /// Angle of its turn.
    pub(crate) turn: f64,
}

/// What is known of a line before any instant is looked at.
#[derive(Debug, Default)]
pub(crate) struct Line {
    /// For each joint.
    travel: Vec<Travel>,
    /// For each link: how many joints are between it and the root.
    depth: Vec<usize>,
    /// For each link: no point of the way from the world's origin to the link's is farther than
    /// this from either, at any instant.
    reach: Vec<f64>,
    /// For each link: by how much the coordinates of its joints may be off, as an angle and as a
    /// length.
    off: Vec<Travel>,
}

/// A little more than the rounding of sums of tens of terms.
const UP: f64 = 1.0 + 1e-13;

impl Line {
    /// Does not allocate once there is room.
    pub(crate) fn prepare(&mut self, robot: &Robot, q0: &[f64], q1: &[f64]) {
        let links = robot.links().len();
        self.travel.clear();
        self.travel.extend(robot.joints().iter().map(|joint| travel(robot, joint, q0, q1)));
        self.depth.clear();
        self.depth.resize(links, 0);
        self.reach.clear();
        self.reach.resize(links, robot.world_from_root.translation().length());
        self.off.clear();
        self.off.resize(links, Travel::default());
        for &index in &robot.tree.order {
            let joint = &robot.joints()[index];
            let [start, end] = [q0, q1].map(|q| sizes(robot, joint, q));
            self.depth[joint.child] = self.depth[joint.parent] + 1;
            self.reach[joint.child] = (self.reach[joint.parent]
                + joint.parent_from_joint.translation().length()
                + start.slide.max(end.slide))
                * UP;
            let off = &self.off[joint.parent];
            self.off[joint.child] = Travel {
                slide: (off.slide + 8.0 * f64::EPSILON * (start.slide + end.slide)) * UP,
                turn: (off.turn + 8.0 * f64::EPSILON * (start.turn + end.turn)) * UP,
            };
        }
    }

    /// An upper bound of how far the distance of two bodies at an instant can be from that at the
    /// placed one, when no more than `half` of the line lies between: motion, and twice the
    /// rounding.
    pub(crate) fn change(
        &self,
        checker: &Checker,
        pair: BodyPair,
        half: f64,
        world_from_link: &[Pose],
        bodies: &[Placed],
    ) -> f64 {
        let (a, b) = (&checker.bodies()[pair.a], &checker.bodies()[pair.b]);
        let mut total = 0.0;
        self.each_joint(checker, pair, |joint, body| {
            total += self.displacement(checker.robot(), joint, half, world_from_link, &bodies[body]);
        });
        (total + 2.0 * (self.rounding(a) + self.rounding(b))) * UP
    }

    /// What each joint adds to the bound, with its index.
    pub(crate) fn each_part(
        &self,
        checker: &Checker,
        pair: BodyPair,
        half: f64,
        placed: (&[Pose], &[Placed]),
        mut tell: impl FnMut(usize, f64),
    ) {
        self.each_joint(checker, pair, |joint, body| {
            tell(joint, self.displacement(checker.robot(), joint, half, placed.0, &placed.1[body]));
        });
    }

    /// Joints between two bodies, each with the body that it moves.
    fn each_joint(&self, checker: &Checker, pair: BodyPair, mut tell: impl FnMut(usize, usize)) {
        let robot = checker.robot();
        let mut ends = [pair.a, pair.b].map(|body| link_of(&checker.bodies()[body]));
        // Up from the deeper of the two until both are at the same link.
        while ends[0] != ends[1] {
            let deeper = usize::from(self.depth_of(ends[1]) > self.depth_of(ends[0]));
            let Some(link) = ends[deeper] else { break };
            match robot.joint_of_link(link) {
                Some(joint) => {
                    tell(joint, [pair.a, pair.b][deeper]);
                    ends[deeper] = Some(robot.joints()[joint].parent);
                }
                // The root stands still in the world.
                None => ends[deeper] = None,
            }
        }
    }

    /// How far a point of the body is moved by one joint alone.
    fn displacement(&self, robot: &Robot, index: usize, half: f64, world_from_link: &[Pose], body: &Placed) -> f64 {
        let Travel { slide, turn } = self.travel[index];
        if turn == 0.0 {
            return slide * half;
        }
        let joint = &robot.joints()[index];
        let lever = lever(joint, world_from_link, body);
        slide * half + (turn * half).min(2.0) * lever
    }

    /// How far a point of a placed body may be from where real arithmetic has it.
    fn rounding(&self, body: &Body) -> f64 {
        let Some(link) = link_of(body) else { return ROUNDING * 2.0 * body.reach() };
        let reach = self.reach[link] + body.reach();
        let off = self.off[link];
        (self.depth[link] + 2) as f64 * ROUNDING * reach + off.turn * reach + off.slide
    }

    /// The world is above all links.
    fn depth_of(&self, link: Option<usize>) -> usize {
        link.map_or(0, |link| self.depth[link] + 1)
    }
}

fn link_of(body: &Body) -> Option<usize> {
    match body.parent {
        ParentFrame::Link(link) => Some(link),
        ParentFrame::World => None,
    }
}

/// Largest distance of a point of the body from what the joint turns about, as placed.
fn lever(joint: &Joint, world_from_link: &[Pose], body: &Placed) -> f64 {
    let arm = body.center - world_from_link[joint.child].translation();
    let across = match joint.kind {
        // About any axis.
        JointKind::Floating => arm.length(),
        _ => {
            // The child's own frame has turned about the axis, which is where it was.
            let axis = world_from_link[joint.child].rotation() * DVec3::from(joint.axis);
            arm.cross(axis).length()
        }
    };
    // What the products and the pose round away is far less than this share of the arm.
    across + body.radius + 1e-12 * (arm.length() + body.radius)
}

fn travel(robot: &Robot, joint: &Joint, q0: &[f64], q1: &[f64]) -> Travel {
    let between = |index: usize| (q1[index] - q0[index]).abs();
    let travel = match (joint.kind, joint.first_coordinate) {
        (JointKind::Fixed, _) => Travel::default(),
        (JointKind::Revolute | JointKind::Continuous, _) => {
            let turn = (robot.single_coordinate(joint, q1) - robot.single_coordinate(joint, q0)).abs();
            Travel { slide: 0.0, turn }
        }
        (JointKind::Prismatic, _) => {
            let slide = (robot.single_coordinate(joint, q1) - robot.single_coordinate(joint, q0)).abs();
            Travel { slide, turn: 0.0 }
        }
        (JointKind::Planar, Some(first)) => {
            Travel { slide: between(first).hypot(between(first + 1)), turn: between(first + 2) }
        }
        (JointKind::Floating, Some(first)) => {
            let slide = DVec3::new(between(first), between(first + 1), between(first + 2)).length();
            Travel { slide, turn: angle(&q0[first + 3..first + 7], &q1[first + 3..first + 7]) }
        }
        _ => Travel::default(),
    };
    let [start, end] = [q0, q1].map(|q| sizes(robot, joint, q));
    let off = |size: f64| 8.0 * f64::EPSILON * size;
    // The differences are rounded, in the file's numbers as in ours.
    let grown = |value: f64, size: f64| if value == 0.0 { 0.0 } else { (value + off(size)) * UP };
    Travel { slide: grown(travel.slide, start.slide + end.slide), turn: grown(travel.turn, start.turn + end.turn) }
}

/// Of the shortest rotation from one quaternion to another.
pub(crate) fn angle(from: &[f64], to: &[f64]) -> f64 {
    let [from, to] = [from, to].map(|q| DQuat::from_xyzw(q[0], q[1], q[2], q[3]));
    if from == to {
        return 0.0;
    }
    // Half the angle has the sine of this length, by the shorter of both differences.
    let half_chord = (from - to).length().min((from + to).length()) * 0.5;
    4.0 * half_chord.min(1.0).asin() * (1.0 + 1e-4) + 1e-12
}

/// Sizes of a joint's coordinates: lengths and angles.
fn sizes(robot: &Robot, joint: &Joint, q: &[f64]) -> Travel {
    match (joint.kind, joint.first_coordinate) {
        (JointKind::Revolute | JointKind::Continuous, _) => Travel { slide: 0.0, turn: single_size(robot, joint, q) },
        (JointKind::Prismatic, _) => Travel { slide: single_size(robot, joint, q), turn: 0.0 },
        (JointKind::Planar, Some(first)) => {
            Travel { slide: q[first].abs() + q[first + 1].abs(), turn: q[first + 2].abs() }
        }
        (JointKind::Floating, Some(first)) => {
            Travel { slide: q[first..first + 3].iter().map(|value| value.abs()).sum(), turn: 8.0 }
        }
        _ => Travel::default(),
    }
}

/// Size of a coordinate, and of what a joint that follows another is computed from.
fn single_size(robot: &Robot, joint: &Joint, q: &[f64]) -> f64 {
    let value = robot.single_coordinate(joint, q).abs();
    match joint.mimic {
        None => value,
        Some(mimic) => {
            let followed = robot.joints()[mimic.joint].first_coordinate.map_or(0.0, |first| q[first].abs());
            value + mimic.multiplier.abs() * followed + mimic.offset.abs()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CheckOptions, JointKind, Random, ReadOptions};
    use nearhit::shape::Shape;

    /// One joint of each kind, with long and thin bodies.
    const ROBOT: &str = r#"<robot name="all">
        <link name="base"/><link name="cart"/><link name="mast"/><link name="arm"/><link name="hand"/><link name="drone"/>
        <joint name="drive" type="planar"><parent link="base"/><child link="cart"/><origin xyz="0 0 0.3" rpy="0.1 0 0"/><axis xyz="0 0 1"/></joint>
        <joint name="lift" type="prismatic"><parent link="cart"/><child link="mast"/><origin xyz="0.2 0 0"/><axis xyz="0 1 1"/><limit lower="-1" upper="1"/></joint>
        <joint name="elbow" type="revolute"><parent link="mast"/><child link="arm"/><origin xyz="0 0.5 0"/><axis xyz="1 0 1"/><limit lower="-3" upper="3"/></joint>
        <joint name="twist" type="revolute"><parent link="arm"/><child link="hand"/><origin xyz="0.4 0 0.1"/><axis xyz="0 1 0"/><limit lower="-3" upper="3"/>
            <mimic joint="elbow" multiplier="-0.7" offset="0.2"/></joint>
        <joint name="fly" type="floating"><parent link="mast"/><child link="drone"/></joint></robot>"#;

    fn checker() -> Checker {
        let robot = Robot::parse(ROBOT, "all.urdf".as_ref(), &ReadOptions::default()).expect("a good robot");
        let mut checker = Checker::new(robot, CheckOptions::default()).expect("a good robot");
        for link in ["mast", "arm", "hand", "drone"] {
            let shape = Shape::cuboid([0.02, 0.9, 0.05]).expect("a box");
            let place = Pose::from_translation([0.1, 0.3, 0.0]).expect("a place");
            checker.attach(link, &format!("{link} bar"), shape, place).expect("a link");
        }
        let post = Shape::ball(0.01).expect("a ball");
        checker.add_to_world("post", post, Pose::IDENTITY).expect("a new body");
        checker
    }

    /// Corners of the bars, in the world, or in the frame of a link.
    fn corners(checker: &Checker, body: usize, placed: &Pose, from: &Pose) -> Vec<DVec3> {
        let (low, high) = checker.bodies()[body].shape.bounds().expect("a box has an end");
        let corner = |index: usize| {
            let axis = |axis: usize| if index >> axis & 1 == 0 { low[axis] } else { high[axis] };
            from.apply(placed.apply(DVec3::new(axis(0), axis(1), axis(2))))
        };
        (0..8).map(corner).collect()
    }

    fn farthest(before: &[DVec3], after: &[DVec3]) -> f64 {
        before.iter().zip(after).map(|(before, after)| (*after - *before).length()).fold(0.0, f64::max)
    }

    /// The bound is about the frame of the last link that both bodies descend from: there each of
    /// them moves no farther, and together they move nearly as far at times.
    #[test]
    fn no_point_moves_farther_than_the_bound() {
        let checker = checker();
        let robot = checker.robot();
        assert!(robot.joints().iter().any(|joint| joint.kind == JointKind::Floating));
        let mut random = Random::new(3);
        let (mut scratch, mut line, mut tightest) = (checker.scratch(), Line::default(), 0.0_f64);
        let mut q = vec![0.0; robot.coordinates()];
        for _ in 0..300 {
            let (q0, q1) = (robot.random_configuration(&mut random), robot.random_configuration(&mut random));
            line.prepare(robot, &q0, &q1);
            let middle = random.between(0.1, 0.9);
            let half = random.between(0.0, 0.1);
            let t = middle + random.between(-half, half);
            for &pair in checker.pairs() {
                // Mast and its children share the mast; all others the world.
                let common = (checker.bodies()[pair.b].parent != ParentFrame::World)
                    .then(|| robot.link("mast").expect("a link"));
                let mut ends: Vec<Vec<DVec3>> = Vec::new();
                let mut bound = 0.0;
                for share in [t, middle] {
                    robot.interpolate(&q0, &q1, share, &mut q).expect("configurations");
                    checker.place(&q, &mut scratch).expect("a configuration");
                    let from = common.map_or(Pose::IDENTITY, |link| scratch.world_from_link[link].inverse());
                    for body in [pair.a, pair.b] {
                        ends.push(corners(&checker, body, &scratch.bodies[body].world_from_body, &from));
                    }
                    bound = line.change(&checker, pair, half, &scratch.world_from_link, &scratch.bodies);
                }
                let moved = farthest(&ends[0], &ends[2]) + farthest(&ends[1], &ends[3]);
                assert!(moved <= bound, "{:?} moved {moved}, bound {bound}", checker.bodies()[pair.a].name);
                tightest = tightest.max(moved / bound);
            }
        }
        assert!(tightest > 0.8, "{tightest}");
    }
}
