//! One system on one flight: what is built, what is counted, how long it takes.

use super::flights::Flight;
use lab_report::Cell;
use lab_report::progress;
use lab_report::stopwatch::{interleaved, time};
use nearhit::research::ClimbExt;
use nearhit::research::ModelExt;
use nearhit::research::PairExt;
use nearhit::research::SettingsExt;
use nearhit::research::VolumeKind;
use nearhit::research::build::BuildOptions;
use nearhit::research::hierarchy::Tumbling;
use nearhit::research::traverse::{Front, Opening};
use nearhit::{Model, Pair, Pose, Scratch, Settings, Stats};
use std::time::Duration;

/// Everything that the paper leaves to choose.
#[derive(Debug, Clone, Copy)]
pub(super) struct System {
    pub(super) volume: VolumeKind,
    pub(super) environment: BuildOptions,
    pub(super) flying: BuildOptions,
    pub(super) tumbling: Tumbling,
    pub(super) opening: Opening,
    /// After how many queries a front is given up, if one is used.
    pub(super) front: Option<u32>,
    /// Do climbs on hulls begin where those of the last step ended?
    pub(super) remembers_climbs: bool,
}

impl System {
    /// As the paper settles on, for a volume.
    pub(super) fn paper(volume: VolumeKind) -> Self {
        let environment = BuildOptions::default();
        Self {
            volume,
            environment,
            flying: environment.leaf_size(BuildOptions::FLYING_LEAF_SIZE),
            tumbling: Tumbling::PAPER,
            opening: Opening::EnvironmentFirst,
            front: None,
            remembers_climbs: true,
        }
    }

    /// Oriented boxes as in RAPID: boxes by the covariance of the corners, split across their
    /// longest axis at the mean, complete trees, the larger box is opened.
    pub(super) fn rapid() -> Self {
        let complete = BuildOptions::obb_tree();
        let plain = Self { tumbling: Tumbling::PLAIN, opening: Opening::Larger, ..Self::paper(VolumeKind::Obb) };
        Self { environment: complete, flying: complete, remembers_climbs: false, ..plain }
    }

    /// How it asks.
    pub(super) fn settings(&self) -> Settings<'static> {
        let settings = Settings::new().opening(self.opening);
        if self.remembers_climbs { settings.remembering_climbs() } else { settings }
    }

    /// The same rules for both trees; τ stays.
    pub(super) fn built_by(self, rules: BuildOptions) -> Self {
        let with = |options: BuildOptions| rules.leaf_size(options.leaf_size);
        Self { environment: with(self.environment), flying: with(self.flying), ..self }
    }
}

/// What a flight took.
#[derive(Debug, Clone)]
pub(super) struct Flown {
    pub(super) stats: Stats,
    pub(super) contacts: usize,
    pub(super) queries: usize,
    /// To build the environment's tree.
    pub(super) build: Duration,
    /// All queries, without building.
    pub(super) time: Duration,
}

impl Flown {
    fn mean(&self, count: u64) -> f64 {
        count as f64 / self.queries as f64
    }

    pub(super) fn n_v(&self) -> f64 {
        self.mean(self.stats.volume_tests)
    }

    pub(super) fn n_p(&self) -> f64 {
        self.mean(self.stats.triangle_tests)
    }

    pub(super) fn n_u(&self) -> f64 {
        self.mean(self.stats.updates)
    }

    pub(super) fn micros(&self) -> f64 {
        self.time.as_secs_f64() * 1e6 / self.queries as f64
    }

    /// All counters together: the paper compares "the number of operations".
    pub(super) fn operations(&self) -> u64 {
        self.stats.volume_tests + self.stats.triangle_tests + self.stats.updates
    }

    /// N_v, N_p, N_u and µs per query.
    pub(super) fn cells(&self) -> [Cell; 4] {
        [
            Cell::Number(self.n_v(), 1),
            Cell::Number(self.n_p(), 1),
            Cell::Number(self.n_u(), 1),
            Cell::Number(self.micros(), 1),
        ]
    }
}

/// Two models, a way to go, and the answers' memory.
struct Pilot<'f> {
    system: System,
    object: Model,
    environment: Model,
    poses: &'f [Pose],
    scratch: Scratch,
    flown: Flown,
}

impl Pilot<'_> {
    fn fly(&mut self) {
        let settings = self.system.settings();
        let mut front = self.system.front.map(Front::with_lifetime);
        let (mut stats, mut contacts) = (Stats::default(), 0);
        for pose in self.poses {
            let pair = Pair::relative(&self.object, &self.environment, pose).expect("generators stay in range");
            let found = match &mut front {
                Some(front) => pair.contacts_from_front(front, &settings, &mut self.scratch),
                None => pair.contacts(&settings, &mut self.scratch),
            };
            stats += found.stats;
            contacts += found.pairs.len();
        }
        (self.flown.stats, self.flown.contacts) = (stats, contacts);
    }
}

/// Flies each system, in turn, `rounds` times.
pub(super) fn compare(flight: &Flight, systems: &[System], rounds: usize) -> Vec<Flown> {
    progress::begins(&format!("  {}: {} systems", flight.name, systems.len()));
    let mut pilots: Vec<Pilot<'_>> = systems
        .iter()
        .map(|&system| {
            let mut environment = None;
            let build = time(|| {
                environment = Some(Model::with(flight.environment.clone(), system.volume, &system.environment));
            });
            let object = Model::with(flight.object.clone(), system.volume, &system.flying).tumbling(system.tumbling);
            Pilot {
                system,
                object,
                environment: environment.expect("just built"),
                poses: &flight.poses,
                scratch: Scratch::new(),
                flown: Flown {
                    stats: Stats::default(),
                    contacts: 0,
                    queries: flight.poses.len(),
                    build,
                    time: Duration::MAX,
                },
            }
        })
        .collect();
    let mut flights: Vec<Box<dyn FnMut() + '_>> =
        pilots.iter_mut().map(|pilot| Box::new(|| pilot.fly()) as Box<dyn FnMut() + '_>).collect();
    let mut contenders: Vec<&mut dyn FnMut()> = flights.iter_mut().map(|flight| &mut **flight as _).collect();
    let times = interleaved(rounds, &mut contenders);
    drop(contenders);
    drop(flights);
    let flown: Vec<Flown> = pilots.into_iter().zip(times).map(|(pilot, time)| Flown { time, ..pilot.flown }).collect();
    assert!(flown.windows(2).all(|two| two[0].contacts == two[1].contacts), "{}: answers differ", flight.name);
    flown
}
