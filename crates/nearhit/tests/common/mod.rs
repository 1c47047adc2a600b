//! Generated cases, small enough for brute force, and conversions from the testkit's plain types.
#![allow(dead_code)]

use nearhit::research::ModelExt;
use nearhit::research::VolumeKind;
use nearhit::research::build::BuildOptions;
use nearhit::{Mesh, Model, Pose, Preset};
use nearhit_testkit::cases::{self, Case, CasePose};
use nearhit_testkit::{Point, Soup};

/// One of each kind of the papers' and the public cases: smooth and scattered, nested and apart,
/// path and random, clean and degenerate.
pub(crate) fn small_cases() -> Vec<Case> {
    vec![
        cases::nested(180, 0.1, 6, 1),
        cases::nested(180, 0.001, 10, 2),
        cases::nested_same_orientation(320, 0.05, 4, 3),
        cases::separated_spheres(180, &[0.01, 1.0], 5, 4),
        cases::tori(12, 24, 5),
        cases::pipes(900, 24, 6, nearhit_testkit::brute::exact_collision),
        cases::tetra(80, 200, 24, 7, nearhit_testkit::brute::exact_collision),
        cases::swept(60, 12, 8),
        cases::piano(40, 9),
        cases::hand_in_cabin(900, 20, 10),
        cases::wavy_sheets(10, 12, 11),
        cases::degenerate_soup_far(1e6, 120, 30, 12),
    ]
}

pub(crate) fn mesh(soup: &Soup) -> Mesh {
    Mesh::new(&soup.vertices, &soup.triangles).expect("generated meshes are legal")
}

pub(crate) fn poses(pose: &CasePose) -> (Pose, Pose) {
    let of = |rows, translation| Pose::from_rows(rows, translation).expect("generated poses are rigid");
    (of(pose.r_a, pose.t_a), of(pose.r_b, pose.t_b))
}

/// Rows and translation of a pose, as the testkit wants them.
pub(crate) fn plain(pose: &Pose) -> ([[f64; 3]; 3], Point) {
    (pose.rotation().transpose().to_cols_array_2d(), pose.translation().to_array())
}

/// What a model is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Auto(Preset),
    Volume(VolumeKind),
}

impl From<Option<VolumeKind>> for Kind {
    fn from(kind: Option<VolumeKind>) -> Self {
        kind.map_or(Self::Auto(Preset::default()), Self::Volume)
    }
}

/// The default engine, built in every way, and every volume; with `NEARHIT_VOLUMES=auto` the engine
/// alone, for runs on another of its paths.
pub(crate) fn every_volume() -> Vec<Kind> {
    let engine = Preset::ALL.into_iter().map(Kind::Auto);
    match std::env::var("NEARHIT_VOLUMES").as_deref() {
        Ok("auto") => engine.collect(),
        _ => engine.chain(VolumeKind::ALL.iter().copied().map(Kind::Volume)).collect(),
    }
}

/// A model of the given kind; the engine has no use for the options.
pub(crate) fn model(soup: &Soup, kind: impl Into<Kind>, options: &BuildOptions) -> Model {
    match kind.into() {
        Kind::Auto(preset) => Model::with_preset(mesh(soup), preset),
        Kind::Volume(volume) => Model::with(mesh(soup), volume, options),
    }
}

/// A third of a list, another one for each number that follows; with `NEARHIT_LONG=1` all of it.
pub(crate) fn a_third<T>(all: impl IntoIterator<Item = T>, number: usize) -> impl Iterator<Item = T> {
    let long = std::env::var_os("NEARHIT_LONG").is_some();
    all.into_iter().enumerate().filter(move |(index, _)| long || (index + number) % 3 == 0).map(|(_, one)| one)
}

/// Runs work that might not end. Fails, instead of waiting for ever, when it takes ten minutes.
/// Meant for pieces of work that take milliseconds: a busy machine makes no difference.
pub(crate) fn ends<T: Send + 'static>(what: &str, work: impl FnOnce() -> T + Send + 'static) -> T {
    let (tell, told) = std::sync::mpsc::channel();
    let worker = std::thread::spawn(move || {
        let _ = tell.send(work());
    });
    match told.recv_timeout(PATIENCE) {
        Ok(done) => done,
        Err(std::sync::mpsc::RecvTimeoutError::Timeout) => panic!("{what}: no end in sight after {PATIENCE:?}"),
        // The worker's own panic is the better message.
        Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => match worker.join() {
            Err(panic) => std::panic::resume_unwind(panic),
            Ok(()) => unreachable!("a worker that ends well has sent its answer"),
        },
    }
}

const PATIENCE: std::time::Duration = std::time::Duration::from_secs(600);
