//! The flight simulator behind its page: each request brings the state of the keys and is answered
//! with the next frame. Nothing moves between requests, so the page's pauses are the flight's.

use super::Detection;
use super::logbook::Logbook;
use super::target;
use anyhow::Result;
use clap::ValueEnum;
use glam::DVec3;
use nearhit_cases::flight::record::FrameRecord;
use nearhit_cases::flight::ship::{Ship, Steering};
use nearhit_cases::flight::{FRAME, Flight, Hit};
use nearhit_view::{Question, Reply, Site, pages};
use serde::{Deserialize, Serialize};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

#[derive(Debug)]
pub(super) struct Live(Mutex<Inner>);

#[derive(Debug)]
struct Inner {
    flight: Flight,
    room: f64,
    book: Logbook,
    flown: u64,
    /// How many frames there may be.
    limit: Option<u64>,
    /// What made it end too soon.
    failure: Option<anyhow::Error>,
}

impl Live {
    pub(super) fn new(flight: Flight, room: f64, book: Logbook, limit: Option<u64>) -> Self {
        Self(Mutex::new(Inner { flight, room, book, flown: 0, limit, failure: None }))
    }

    pub(super) fn is_over(&self) -> bool {
        let inner = self.inner();
        inner.failure.is_some() || inner.is_over()
    }

    /// What is kept of it, when it is over.
    pub(super) fn into_book(self) -> Result<Logbook> {
        let Inner { book, failure, .. } = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        failure.map_or(Ok(book), Err)
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Site for Live {
    fn answer(&self, question: &Question) -> Option<Reply> {
        let mut inner = self.inner();
        let path = question.path.as_str();
        if question.posted.is_none() {
            let model = path.strip_prefix("/mesh/").and_then(|number| number.parse::<usize>().ok());
            return match (path, model) {
                ("/scene", _) => Some(Reply::json(Ok(inner.description()))),
                (_, Some(number)) => inner.flight.models().get(number).map(|model| Reply::mesh(model.mesh())),
                _ => pages::fly(path),
            };
        }
        match path {
            "/frame" => Some(Reply::json(question.json().and_then(|asked| inner.frame(&asked)))),
            "/restart" => Some(Reply::json(question.json().and_then(|asked| inner.restart(&asked)))),
            _ => None,
        }
    }
}

/// A request of the page: detection, budget, pressed keys.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    detect: String,
    budget_us: f64,
    /// Without them the script steers.
    keys: Option<Keys>,
    /// What the page took to draw its last picture, if that is to count: then detection gets what
    /// drawing leaves.
    #[serde(default)]
    drawing_us: f64,
}

/// No page takes longer to draw a picture.
const SLOWEST_US: f64 = 1e7;

impl Asked {
    fn drawing(&self) -> Result<Duration, String> {
        match self.drawing_us {
            us if (0.0..=SLOWEST_US).contains(&us) => Ok(Duration::from_secs_f64(us * 1e-6)),
            us => Err(format!("drawing_us {us}: must be from 0 to {SLOWEST_US}")),
        }
    }
}

/// Each from -1 to 1.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
struct Keys {
    thrust: f64,
    /// About the ship's own axes: x to its left, y up, z forward.
    turning: [f64; 3],
}

impl Keys {
    fn steering(&self) -> Result<Steering, String> {
        let [x, y, z] = self.turning;
        match [self.thrust, x, y, z].into_iter().find(|key| !(-1.0..=1.0).contains(key)) {
            Some(key) => Err(format!("{key}: a key must be from -1 to 1")),
            None => Ok(Steering { thrust: self.thrust, turning: DVec3::new(x, y, z) }),
        }
    }
}

impl Inner {
    fn is_over(&self) -> bool {
        self.limit.is_some_and(|limit| self.flown >= limit)
    }

    fn frame(&mut self, asked: &Asked) -> Result<State, String> {
        let keys = asked.keys.map(|keys| keys.steering()).transpose()?;
        let drawing = asked.drawing()?;
        self.replan(asked)?;
        self.flight.steer(keys);
        self.flight.draws_in(drawing);
        let target = self.flight.plan().target;
        let record = self.flight.frame().map_err(|error| self.fail(error))?;
        self.flown += 1;
        self.book.add(&record, target).map_err(|error| self.fail(error))?;
        Ok(self.state(Some(&record)))
    }

    fn restart(&mut self, asked: &Asked) -> Result<State, String> {
        self.replan(asked)?;
        self.flight.restart().map_err(|error| self.fail(error))?;
        Ok(self.state(None))
    }

    fn replan(&mut self, asked: &Asked) -> Result<(), String> {
        let detect = Detection::from_str(&asked.detect, false)
            .map_err(|_| format!("unknown detection {:?}; known: exact, octree, medial, average", asked.detect))?;
        let target = target(asked.budget_us).map_err(|error| error.to_string())?;
        self.flight.replan(detect.detect(), target).map_err(|error| self.fail(error))
    }

    /// The page is told, and then all ends.
    fn fail(&mut self, error: anyhow::Error) -> String {
        let told = format!("{error:#}");
        self.failure = Some(error);
        told
    }

    fn description(&self) -> Description {
        let ships = self.flight.model_of_ship();
        Description {
            triangles: self.flight.models().iter().map(|model| model.mesh().triangles().len()).collect(),
            models: ships.to_vec(),
            room: self.room,
            frame: FRAME,
            limit: self.limit,
            state: self.state(None),
        }
    }

    fn state(&self, record: Option<&FrameRecord>) -> State {
        let plan = self.flight.plan();
        State {
            frame: self.flight.frames(),
            time: self.flight.time(),
            detect: Detection::of(plan.detect).to_possible_value().map(|value| value.get_name().to_owned()),
            budget_us: us(plan.target),
            places: self.flight.ships().iter().map(place).collect(),
            hits: self.flight.hits().iter().map(Told::new).collect(),
            unseen: self.flight.unseen().to_vec(),
            times: record.map(Times::new),
            over: self.is_over(),
        }
    }
}

fn us(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// What the page begins with.
#[derive(Serialize)]
struct Description {
    triangles: Vec<usize>,
    /// The model of each ship, the steered one first.
    models: Vec<usize>,
    room: f64,
    /// Simulated time of a frame.
    frame: f64,
    limit: Option<u64>,
    state: State,
}

/// Where everything is after a frame, and what the frame was like.
#[derive(Serialize)]
struct State {
    frame: u64,
    time: f64,
    detect: Option<String>,
    budget_us: f64,
    /// A unit quaternion and a position for each ship.
    places: Vec<[f64; 7]>,
    hits: Vec<Told>,
    unseen: Vec<usize>,
    times: Option<Times>,
    over: bool,
}

fn place(ship: &Ship) -> [f64; 7] {
    let ([a, b, c, d], [x, y, z]) = (ship.heading.to_array(), ship.position.to_array());
    [a, b, c, d, x, y, z]
}

/// Two that touch, or were not told apart in time.
#[derive(Serialize)]
struct Told {
    a: usize,
    b: usize,
    certain: bool,
    level: u32,
    lower: f64,
    upper: f64,
    /// Their true distance.
    gap: f64,
}

impl Told {
    fn new(hit: &Hit) -> Self {
        let Hit { a, b, certain, level, separation, gap, .. } = *hit;
        Self { a, b, certain, level, lower: separation.lower, upper: separation.upper, gap }
    }
}

/// In microseconds, by the wall clock.
#[derive(Serialize)]
struct Times {
    allotted: f64,
    detection: f64,
    response: f64,
    motion: f64,
    busy: f64,
    drawing: f64,
    slack: f64,
    frame: f64,
}

impl Times {
    fn new(record: &FrameRecord) -> Self {
        Self {
            allotted: us(record.allotted),
            detection: us(record.detection.wall),
            response: us(record.response.wall),
            motion: us(record.motion.wall),
            busy: us(record.busy.wall),
            drawing: us(record.drawing),
            slack: us(record.slack),
            frame: us(record.frame()),
        }
    }
}
