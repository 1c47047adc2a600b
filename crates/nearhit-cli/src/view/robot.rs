//! What the page of a robot may ask: its bodies, and for a configuration where they are, which
//! touch and which are closest.

use super::outline::outline;
use anyhow::{Context, Result};
use nearhit::shape::ShapePair;
use nearhit::{Mesh, Model, Pose, Scratch, Settings};
use nearhit_robot::{Body, BodyPair, CheckScratch, Checker, JointKind, ParentFrame};
use nearhit_view::{Question, Reply, Site, pages};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// A robot behind a server.
pub(super) struct RobotSite {
    checker: Checker,
    /// What bodies look like; several may look the same.
    looks: Vec<Look>,
    /// For each body, which.
    look: Vec<usize>,
    scratch: Mutex<CheckScratch>,
}

enum Look {
    Model(Arc<Model>),
    Outline(Mesh),
}

impl RobotSite {
    pub(super) fn new(checker: Checker) -> Result<Self> {
        let (mut looks, mut look) = (Vec::new(), Vec::new());
        let ends = checker.bodies().iter().filter_map(|body| body.shape.bounds());
        let reach = ends.map(|(low, high)| low.length().max(high.length())).fold(0.5, f64::max) * 4.0;
        for body in checker.bodies() {
            look.push(seen(body, reach, &mut looks).with_context(|| format!("body {:?}", body.name))?);
        }
        let scratch = Mutex::new(checker.scratch());
        Ok(Self { checker, looks, look, scratch })
    }

    fn mesh(&self, number: usize) -> Option<Reply> {
        self.looks.get(number).map(|look| match look {
            Look::Model(model) => Reply::mesh(model.mesh()),
            Look::Outline(mesh) => Reply::mesh(mesh),
        })
    }
}

/// Which of the looks a body has; a new one if none fits.
fn seen(body: &Body, reach: f64, looks: &mut Vec<Look>) -> Result<usize> {
    let look = match body.shape.model() {
        Some(model) => {
            let same = |look: &Look| matches!(look, Look::Model(other) if Arc::ptr_eq(other, model));
            if let Some(index) = looks.iter().position(same) {
                return Ok(index);
            }
            Look::Model(Arc::clone(model))
        }
        None => Look::Outline(outline(&body.shape, reach)?),
    };
    looks.push(look);
    Ok(looks.len() - 1)
}

impl Site for RobotSite {
    fn answer(&self, question: &Question) -> Option<Reply> {
        let path = question.path.as_str();
        match (&question.posted, path) {
            (None, "/robot") => Some(Reply::json(Ok(Description::new(self)))),
            (None, _) => {
                let number = path.strip_prefix("/mesh/").and_then(|number| number.parse().ok());
                number.map_or_else(|| pages::robot(path), |number| self.mesh(number))
            }
            (Some(_), "/ask") => Some(Reply::json(question.json().and_then(|ask: Ask| self.told(ask.q)))),
            (Some(_), _) => None,
        }
    }
}

/// What the page begins with.
#[derive(Serialize)]
struct Description<'s> {
    name: &'s str,
    pairs: usize,
    coordinates: Vec<Coordinate<'s>>,
    bodies: Vec<Part<'s>>,
    states: Vec<State<'s>>,
}

/// A slider.
#[derive(Serialize)]
struct Coordinate<'s> {
    name: &'s str,
    lower: f64,
    upper: f64,
    value: f64,
}

#[derive(Serialize)]
struct Part<'s> {
    name: &'s str,
    kind: &'static str,
    /// Whether it is of the world, or attached: not of the robot's own.
    added: bool,
    /// Which mesh it is drawn as.
    mesh: usize,
    triangles: usize,
}

#[derive(Serialize)]
struct State<'s> {
    name: &'s str,
    q: Vec<f64>,
}

/// How far a coordinate without limits goes: a whole turn, or so many metres.
const TURN: f64 = std::f64::consts::PI;
const METRES: f64 = 2.0;

impl<'s> Description<'s> {
    fn new(site: &'s RobotSite) -> Self {
        let robot = site.checker.robot();
        let angles = angles(robot);
        let neutral = robot.neutral();
        let names = robot.coordinate_names().iter().zip(robot.limits());
        let coordinates = names.zip(&neutral).zip(&angles).map(|(((name, limits), &value), &is_angle)| {
            let far = if is_angle { TURN } else { METRES };
            let [lower, upper] = limits.map(|limit| limit.clamp(-100.0, 100.0));
            let [lower, upper] =
                if limits.iter().all(|limit| limit.is_finite()) { [lower, upper] } else { [-far, far] };
            Coordinate { name, lower, upper, value: value.clamp(lower, upper) }
        });
        let bodies = site.checker.bodies().iter().zip(&site.look).map(|(body, &mesh)| Part {
            name: &body.name,
            kind: body.shape.name(),
            added: body.is_attached || body.parent == ParentFrame::World,
            mesh,
            triangles: body.shape.model().map_or(0, |model| model.mesh().triangles().len()),
        });
        let states = robot.semantics().states.iter();
        let states = states.filter_map(|state| Some(State { name: &state.name, q: robot.state(&state.name)? }));
        Self {
            name: robot.name(),
            pairs: site.checker.pairs().len(),
            coordinates: coordinates.collect(),
            bodies: bodies.collect(),
            states: states.collect(),
        }
    }
}

/// Which coordinates are angles, or parts of a quaternion.
fn angles(robot: &nearhit_robot::Robot) -> Vec<bool> {
    let mut angles = vec![true; robot.coordinates()];
    for joint in robot.joints() {
        let Some(first) = joint.first_coordinate else { continue };
        match joint.kind {
            JointKind::Prismatic => angles[first] = false,
            JointKind::Planar => angles[first..first + 2].fill(false),
            JointKind::Floating => angles[first..first + 3].fill(false),
            _ => {}
        }
    }
    angles
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ask {
    q: Vec<f64>,
}

/// What the page is told about a configuration. Points are in the world.
#[derive(Serialize)]
struct Told {
    /// As it was asked, with quaternions of length 1.
    q: Vec<f64>,
    /// For each body the columns of its rotation, and its place.
    places: Vec<[f64; 12]>,
    contacts: Vec<Contact>,
    closest: Option<Gap>,
    us: f64,
}

#[derive(Serialize)]
struct Contact {
    bodies: [usize; 2],
    /// How many contacts; 0 where one is wholly inside of the other.
    count: usize,
    points: Vec<[f64; 3]>,
}

#[derive(Serialize)]
struct Gap {
    bodies: [usize; 2],
    lower: f64,
    upper: f64,
    points: [[f64; 3]; 2],
}

/// Points of a pair that are drawn; the others are only counted.
const MOST_POINTS: usize = 300;

impl RobotSite {
    fn told(&self, mut q: Vec<f64>) -> Result<Told, String> {
        self.normalise(&mut q)?;
        let mut scratch = self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        let (start, mut pairs) = (Instant::now(), Vec::new());
        self.checker.contacts(&q, &mut scratch, &mut pairs).map_err(|error| error.to_string())?;
        let closest = self.checker.closest(&q, &mut scratch).map_err(|error| error.to_string())?;
        let us = start.elapsed().as_secs_f64() * 1e6;
        let places = self.places(&q)?;
        let contacts = pairs.iter().map(|&pair| self.contact(pair, &places)).collect::<Result<_, _>>()?;
        let gap = |it: nearhit_robot::Closest| Gap {
            bodies: [it.pair.a, it.pair.b],
            lower: it.lower,
            upper: it.upper,
            points: [it.on_a, it.on_b],
        };
        let numbers = |pose: &Pose| {
            let mut all = [0.0; 12];
            all[..9].copy_from_slice(&pose.rotation().to_cols_array());
            all[9..].copy_from_slice(&pose.translation().to_array());
            all
        };
        Ok(Told { q, places: places.iter().map(numbers).collect(), contacts, closest: closest.map(gap), us })
    }

    /// Sliders know nothing of the length of a quaternion.
    fn normalise(&self, q: &mut [f64]) -> Result<(), String> {
        for joint in self.checker.robot().joints().iter().filter(|joint| joint.kind == JointKind::Floating) {
            let Some(turn) = joint.first_coordinate.and_then(|first| q.get_mut(first + 3..first + 7)) else { continue };
            let length = turn.iter().map(|value| value * value).sum::<f64>().sqrt();
            if !(length > 1e-3 && length.is_finite()) {
                return Err(format!("joint {:?}: its quaternion is nearly 0", joint.name));
            }
            turn.iter_mut().for_each(|value| *value /= length);
        }
        Ok(())
    }

    fn places(&self, q: &[f64]) -> Result<Vec<Pose>, String> {
        let robot = self.checker.robot();
        let mut links = vec![Pose::IDENTITY; robot.links().len()];
        robot.link_poses(q, &mut links).map_err(|error| error.to_string())?;
        let place = |body: &Body| match body.parent {
            ParentFrame::Link(link) => links[link] * body.parent_from_body,
            _ => body.parent_from_body,
        };
        Ok(self.checker.bodies().iter().map(place).collect())
    }

    fn contact(&self, pair: BodyPair, places: &[Pose]) -> Result<Contact, String> {
        let [a, b] = [pair.a, pair.b].map(|body| &self.checker.bodies()[body].shape);
        let shapes = ShapePair::new(a, &places[pair.a], b, &places[pair.b]).map_err(|error| error.to_string())?;
        let found = shapes.contacts(&Settings::default(), &mut Scratch::new()).contacts;
        let place = |contact: &nearhit::shape::ShapeContact| places[pair.a].apply(contact.point).to_array();
        let points = found.iter().take(MOST_POINTS).map(place).collect();
        Ok(Contact { bodies: [pair.a, pair.b], count: found.len(), points })
    }
}
