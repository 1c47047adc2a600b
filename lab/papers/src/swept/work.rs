//! What a query over all poses of a benchmark costs.

use super::benchmarks::Benchmark;
use lab_report::stopwatch::interleaved;
use nearhit::research::VolumeKind;
use nearhit::{Model, Pair, Pose, Scratch, Settings, Tolerance};
use std::time::Duration;

/// What is asked: the paper's Tables 2, 3 and 4.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Query {
    /// Table 2.
    Collide,
    /// Table 3.
    Distance,
    /// Table 4: to a relative error of a tenth.
    Approximate,
}

impl Query {
    /// In the order of the tables.
    pub(super) const ALL: [Self; 3] = [Self::Collide, Self::Distance, Self::Approximate];

    fn ask(self, pair: &Pair<'_>, scratch: &mut Scratch) -> nearhit::Stats {
        let settings = Settings::default();
        match self {
            Self::Collide => pair.collide(&settings, scratch).stats,
            Self::Distance => pair.distance(Tolerance::EXACT, &settings, scratch).stats,
            Self::Approximate => pair.distance(Tolerance::relative(0.1), &settings, scratch).stats,
        }
    }
}

/// Work and time.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Work {
    /// N_bv over all poses.
    pub(super) volumes: u64,
    /// N_p over all poses.
    pub(super) triangles: u64,
    /// The least time of a query in the mean, in microseconds.
    pub(super) micros: f64,
}

/// The volumes of the paper, then what is new here.
pub(super) const VOLUMES: [VolumeKind; 8] = [
    VolumeKind::Sphere,
    VolumeKind::Aabb,
    VolumeKind::Obb,
    VolumeKind::Lss,
    VolumeKind::Rss,
    VolumeKind::Mixed,
    VolumeKind::KDop18,
    VolumeKind::Dynamic,
];

/// How many of [`VOLUMES`] the paper has.
pub(super) const OF_THE_PAPER: usize = 6;

/// All three queries of one benchmark: for each the work of each volume.
#[must_use]
pub(super) fn measured(benchmark: &Benchmark, rounds: usize) -> [[Work; VOLUMES.len()]; 3] {
    let models = VOLUMES.map(|volume| benchmark.models(volume));
    Query::ALL.map(|query| compared(&models, &benchmark.poses, query, rounds))
}

fn compared(models: &[(Model, Model); 8], poses: &[Pose], query: Query, rounds: usize) -> [Work; VOLUMES.len()] {
    let mut works = [Work::default(); VOLUMES.len()];
    let mut contenders: Vec<Box<dyn FnMut() + '_>> = models
        .iter()
        .zip(&mut works)
        .map(|(models, work)| -> Box<dyn FnMut() + '_> {
            let mut scratch = Scratch::new();
            Box::new(move || (work.volumes, work.triangles) = over_all(models, poses, query, &mut scratch))
        })
        .collect();
    let mut borrowed: Vec<&mut dyn FnMut()> = contenders.iter_mut().map(|contender| &mut **contender as _).collect();
    let times = interleaved(rounds, &mut borrowed);
    drop(borrowed);
    drop(contenders);
    for (work, time) in works.iter_mut().zip(times) {
        work.micros = micros_each(time, poses.len());
    }
    works
}

pub(super) fn over_all((a, b): &(Model, Model), poses: &[Pose], query: Query, scratch: &mut Scratch) -> (u64, u64) {
    poses.iter().fold((0, 0), |(volumes, triangles), pose| {
        let pair = Pair::relative(a, b, pose).expect("generated poses are in range");
        let stats = query.ask(&pair, scratch);
        (volumes + stats.volume_tests, triangles + stats.triangle_tests)
    })
}

/// Microseconds of one out of many.
#[must_use]
pub(super) fn micros_each(time: Duration, count: usize) -> f64 {
    time.as_secs_f64() * 1e6 / count.max(1) as f64
}
