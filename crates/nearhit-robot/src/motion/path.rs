//! Straight lines in joint space: clear, in contact, or how far it is certain.

use super::bound::Line;
use crate::check::{BodyPair, CheckScratch, Checker, within};
use crate::error::{CheckError, ConfigurationError};
use crate::joint::JointKind;
use crate::robot::Robot;
use glam::DQuat;

/// How a line is checked.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct PathOptions {
    /// Bodies must be farther apart than this at every instant.
    pub clearance: f64,
    /// A contact is located to this share of the line, but for bodies that graze each other before
    /// it; where bodies come so close to the clearance that this does not tell, and no contact is
    /// found, the answer is undecided.
    pub resolution: f64,
    /// How many pairs may be asked for their distance, over all instants.
    pub budget: u64,
}

impl Default for PathOptions {
    /// No contact, a millionth of the line, no budget.
    fn default() -> Self {
        Self { clearance: 0.0, resolution: 1e-6, budget: u64::MAX }
    }
}

impl PathOptions {
    /// Default options: no contact, a millionth of the line, no budget.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the distance that bodies must keep.
    #[must_use]
    pub fn clearance(self, clearance: f64) -> Self {
        Self { clearance, ..self }
    }

    /// Sets to which share of the line a contact is located.
    #[must_use]
    pub fn resolution(self, resolution: f64) -> Self {
        Self { resolution, ..self }
    }

    /// Sets how many pairs may be asked for their distance.
    #[must_use]
    pub fn budget(self, budget: u64) -> Self {
        Self { budget, ..self }
    }
}

/// Why a line is undecided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Undecided {
    /// The budget ran out.
    Budget,
    /// Two bodies come within a hair of the clearance, but no contact was found.
    TooClose,
}

/// What is known of a line. Instants are shares of it, from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum PathVerdict {
    /// At every instant, all pairs are farther apart than the clearance.
    Clear,
    /// Two bodies are not.
    #[non_exhaustive]
    Contact {
        /// Before this instant all pairs are farther apart than the clearance, for certain.
        after: f64,
        /// At this instant two are not.
        at: f64,
        /// These two.
        pair: BodyPair,
    },
    /// Not known.
    #[non_exhaustive]
    Undecided {
        /// Before this instant all pairs are farther apart than the clearance, for certain.
        certain_until: f64,
        /// A pair for which it is not known after that.
        pair: BodyPair,
        /// Why.
        why: Undecided,
    },
}

/// The answer of [`Checker::path_clear`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct PathCheck {
    /// What is known.
    pub verdict: PathVerdict,
    /// How many configurations were looked at.
    pub configurations: u64,
    /// How many pairs were asked for their distance.
    pub tests: u64,
}

impl PathCheck {
    /// Is it known whether the line is clear?
    #[must_use]
    pub fn is_complete(&self) -> bool {
        !matches!(self.verdict, PathVerdict::Undecided { .. })
    }
}

/// A stretch of the line, and which pairs are not certain in it: a range of a list.
#[derive(Debug, Clone, Copy)]
struct Stretch {
    start: f64,
    end: f64,
    first: usize,
    count: usize,
}

/// Working memory.
#[derive(Debug, Default)]
pub(crate) struct MotionScratch {
    line: Line,
    q: Vec<f64>,
    waiting: Vec<Stretch>,
    lists: Vec<BodyPair>,
}

/// What is known of a pair around an instant.
enum Around {
    /// Certain for the whole stretch.
    Clear,
    Open,
    /// Not farther apart than the clearance, at the instant.
    Contact,
}

impl Checker {
    /// Are all pairs farther apart than the clearance at every instant of the straight line from
    /// one configuration to another? Continuous joints go the way of their numbers; a floating
    /// joint turns the shortest way, evenly.
    ///
    /// ```
    /// use nearhit::{Pose, shape::Shape};
    /// use nearhit_robot::{Checker, PathOptions, PathVerdict, ReadOptions, Robot};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let text = r#"<robot name="arm"><link name="base"/><link name="hand"><collision>
    ///     <geometry><sphere radius="0.1"/></geometry></collision></link>
    ///     <joint name="slide" type="prismatic"><parent link="base"/><child link="hand"/>
    ///         <axis xyz="1 0 0"/><limit lower="0" upper="2"/></joint></robot>"#;
    /// let robot = Robot::parse(text, "arm.urdf".as_ref(), &ReadOptions::default())?;
    /// let mut checker = Checker::new(robot, Default::default())?;
    /// // A sheet of paper, which samples would miss.
    /// let sheet = Shape::cuboid([1e-4, 1.0, 1.0])?;
    /// checker.add_to_world("sheet", sheet, Pose::from_translation([1.0, 0.0, 0.0])?)?;
    ///
    /// let mut scratch = checker.scratch();
    /// let found = checker.path_clear(&[0.0], &[2.0], &PathOptions::default(), &mut scratch)?;
    /// let PathVerdict::Contact { after, at, .. } = found.verdict else { panic!("it is hit") };
    /// assert!((after - 0.449975).abs() < 1e-5 && after <= at && at - after <= 1e-6);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "CCD")]
    #[doc(alias = "continuous collision detection")]
    #[doc(alias = "edge validation")]
    pub fn path_clear(
        &self,
        q0: &[f64],
        q1: &[f64],
        options: &PathOptions,
        scratch: &mut CheckScratch,
    ) -> Result<PathCheck, CheckError> {
        check(options)?;
        self.robot().check_configuration(q0)?;
        self.robot().check_configuration(q1)?;
        let mut motion = std::mem::take(&mut scratch.motion);
        motion.line.prepare(self.robot(), q0, q1);
        let mut search = Search { checker: self, q0, q1, options, motion: &mut motion, configurations: 0, tests: 0 };
        let verdict = search.run(scratch);
        let (configurations, tests) = (search.configurations, search.tests);
        scratch.motion = motion;
        Ok(PathCheck { verdict: verdict?, configurations, tests })
    }

    /// The same for a line through several configurations, one after the other in `waypoints`.
    /// Returns the number of the first line that is not clear, from 0, and what is known of it;
    /// none if all are.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/slide.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit_robot::PathOptions;
    ///
    /// let checker = slide();
    /// let way = [0.0, 0.5, 0.2, 1.5]; // three lines, the last through the wall
    /// let found = checker.polyline_clear(&way, &PathOptions::new(), &mut checker.scratch())?;
    /// assert_eq!(found.map(|(line, _)| line), Some(2));
    /// # Ok(())
    /// # }
    /// ```
    pub fn polyline_clear(
        &self,
        waypoints: &[f64],
        options: &PathOptions,
        scratch: &mut CheckScratch,
    ) -> Result<Option<(usize, PathCheck)>, CheckError> {
        let length = self.robot().coordinates();
        let count = waypoints.len().checked_div(length).unwrap_or(0);
        if count * length != waypoints.len() {
            let (expected, found) = ((count + 1) * length, waypoints.len());
            return Err(ConfigurationError::Length { expected, found }.into());
        }
        for index in 1..count {
            let (q0, q1) = (&waypoints[(index - 1) * length..][..length], &waypoints[index * length..][..length]);
            let found = self.path_clear(q0, q1, options, scratch)?;
            if found.verdict != PathVerdict::Clear {
                return Ok(Some((index - 1, found)));
            }
        }
        Ok(None)
    }
}

fn check(options: &PathOptions) -> Result<(), CheckError> {
    for (what, value) in [("the clearance", options.clearance), ("the resolution", options.resolution)] {
        if !(value >= 0.0 && value.is_finite()) {
            return Err(CheckError::Length { what, value });
        }
    }
    Ok(())
}

/// Shares shorter than this are not halved: their ends would be the same number.
const SHORTEST: f64 = 1e-12;

struct Search<'s> {
    checker: &'s Checker,
    q0: &'s [f64],
    q1: &'s [f64],
    options: &'s PathOptions,
    motion: &'s mut MotionScratch,
    configurations: u64,
    tests: u64,
}

impl Search<'_> {
    /// Takes stretches from left to right. All before the one taken up is certain.
    fn run(&mut self, scratch: &mut CheckScratch) -> Result<PathVerdict, CheckError> {
        if let Some(pair) = self.start(scratch)? {
            return Ok(PathVerdict::Contact { after: 0.0, at: 0.0, pair });
        }
        let shortest = self.options.resolution.max(SHORTEST);
        let mut contact: Option<(f64, BodyPair)> = None;
        while let Some(stretch) = self.motion.waiting.pop() {
            // What comes after belonged to stretches that are done.
            self.motion.lists.truncate(stretch.first + stretch.count);
            let (after, out) = (stretch.start, self.tests >= self.options.budget);
            if let Some((at, pair)) = contact
                && (out || at - after <= shortest)
            {
                return Ok(PathVerdict::Contact { after, at, pair });
            }
            // A contact is known to be near: what lies before it is looked at more closely.
            let enough = if contact.is_some() { (shortest / 64.0).max(SHORTEST) } else { shortest };
            if out || stretch.end - stretch.start <= enough {
                let why = if out { Undecided::Budget } else { Undecided::TooClose };
                let pair = self.motion.lists[stretch.first];
                return Ok(match contact {
                    Some((at, pair)) => PathVerdict::Contact { after, at, pair },
                    None => PathVerdict::Undecided { certain_until: after, pair, why },
                });
            }
            if let Some(found) = self.halve(&stretch, scratch)? {
                contact = Some(found);
            }
        }
        Ok(contact.map_or(PathVerdict::Clear, |(at, pair)| PathVerdict::Contact { after: at, at, pair }))
    }

    /// Lists all pairs, unless some are too close at the first instant.
    fn start(&mut self, scratch: &mut CheckScratch) -> Result<Option<BodyPair>, CheckError> {
        self.place(0.0, scratch)?;
        let pairs = self.checker.pairs();
        for &pair in pairs {
            if matches!(self.around(pair, 0.0, scratch)?, Around::Contact) {
                return Ok(Some(pair));
            }
        }
        self.motion.lists.clear();
        self.motion.lists.extend(pairs);
        self.motion.waiting.clear();
        if !pairs.is_empty() {
            self.motion.waiting.push(Stretch { start: 0.0, end: 1.0, first: 0, count: pairs.len() });
        }
        Ok(None)
    }

    /// Looks at the middle, and leaves both halves with the pairs that are not certain; only the
    /// first if there is a contact in the middle, which is returned.
    fn halve(&mut self, stretch: &Stretch, scratch: &mut CheckScratch) -> Result<Option<(f64, BodyPair)>, CheckError> {
        let middle = 0.5 * (stretch.start + stretch.end);
        let half = (middle - stretch.start).max(stretch.end - middle);
        self.place(middle, scratch)?;
        let first = self.motion.lists.len();
        let mut contact = None;
        for at in stretch.first..stretch.first + stretch.count {
            let pair = self.motion.lists[at];
            match self.around(pair, half, scratch)? {
                Around::Clear => continue,
                Around::Open => {}
                Around::Contact => contact = contact.or(Some((middle, pair))),
            }
            self.motion.lists.push(pair);
        }
        let count = self.motion.lists.len() - first;
        if count == 0 {
            return Ok(None);
        }
        if contact.is_some() {
            // Nothing after it matters.
            self.motion.waiting.clear();
        } else {
            self.motion.waiting.push(Stretch { start: middle, end: stretch.end, first, count });
        }
        self.motion.waiting.push(Stretch { start: stretch.start, end: middle, first, count });
        Ok(contact)
    }

    fn place(&mut self, t: f64, scratch: &mut CheckScratch) -> Result<(), CheckError> {
        self.configurations += 1;
        self.motion.q.resize(self.q0.len(), 0.0);
        self.checker.robot().interpolate(self.q0, self.q1, t, &mut self.motion.q)?;
        self.checker.place(&self.motion.q, scratch)
    }

    /// What is known of a pair for all instants within `half` of the placed one.
    fn around(&mut self, pair: BodyPair, half: f64, scratch: &mut CheckScratch) -> Result<Around, CheckError> {
        let change = self.motion.line.change(self.checker, pair, half, &scratch.world_from_link, &scratch.bodies);
        let limit = (self.options.clearance + change) * (1.0 + 4.0 * f64::EPSILON);
        if Checker::ball_gap(pair, &scratch.bodies) > limit {
            return Ok(Around::Clear);
        }
        self.tests += 1;
        let shapes = self.checker.shapes(pair, &scratch.bodies)?;
        // A bound that is no number, of a body without end that turns, is never enough.
        if limit.is_finite() && !within(&shapes, limit, &mut scratch.scratch) {
            return Ok(Around::Clear);
        }
        let touches = within(&shapes, self.options.clearance, &mut scratch.scratch);
        Ok(if touches { Around::Contact } else { Around::Open })
    }
}

impl Robot {
    /// The configuration at the share `t` of the straight line from `q0` to `q1`, into `q`.
    /// Floating joints turn the shortest way, evenly (slerp).
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit_robot::{ReadOptions, Robot};
    ///
    /// let text = r#"<robot name="arm"><link name="base"/><link name="hand"/>
    ///     <joint name="slide" type="prismatic"><parent link="base"/><child link="hand"/>
    ///         <axis xyz="0 0 1"/><limit lower="0" upper="2"/></joint></robot>"#;
    /// let robot = Robot::parse(text, "arm.urdf".as_ref(), &ReadOptions::default())?;
    /// let mut q = [0.0];
    /// robot.interpolate(&[0.0], &[2.0], 0.25, &mut q)?;
    /// assert_eq!(q, [0.5]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn interpolate(&self, q0: &[f64], q1: &[f64], t: f64, q: &mut [f64]) -> Result<(), ConfigurationError> {
        let expected = self.coordinates();
        for found in [q0.len(), q1.len(), q.len()] {
            if found != expected {
                return Err(ConfigurationError::Length { expected, found });
            }
        }
        for (index, value) in q.iter_mut().enumerate() {
            *value = if t == 1.0 { q1[index] } else { q0[index] + t * (q1[index] - q0[index]) };
        }
        for joint in self.joints().iter().filter(|joint| joint.kind == JointKind::Floating) {
            let Some(first) = joint.first_coordinate else { continue };
            let rotation = |q: &[f64]| DQuat::from_slice(&q[first + 3..first + 7]).normalize();
            let turned = rotation(q0).slerp(rotation(q1), t).normalize();
            q[first + 3..first + 7].copy_from_slice(&turned.to_array());
        }
        Ok(())
    }
}
