//! Two surfaces, by every engine: collision, contacts, distance, limits, pairs.

use crate::setup::{Setup, mesh, plain};
use dashu_ratio::RBig;
use nearhit::research::build::BuildOptions;
use nearhit::research::traverse::AgendaKind;
use nearhit::research::{ModelExt, SettingsExt, VolumeKind};
use nearhit::{Model, Pair, Pose, Preset, Scratch, Settings, Tolerance, TrianglePair, Verdict};
use nearhit_testkit::{Soup, brute, exact};

/// What a model is made of.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    Auto(Preset),
    Volume(VolumeKind),
}

pub(crate) fn kinds() -> impl Iterator<Item = Kind> {
    Preset::ALL.into_iter().map(Kind::Auto).chain(VolumeKind::ALL.iter().copied().map(Kind::Volume))
}

pub(crate) fn model(soup: &Soup, kind: Kind) -> Result<Model, String> {
    Ok(match kind {
        Kind::Auto(preset) => Model::with_preset(mesh(soup)?, preset),
        Kind::Volume(volume) => Model::with(mesh(soup)?, volume, &BuildOptions::default()),
    })
}

const AGENDAS: [AgendaKind; 5] =
    [AgendaKind::Auto, AgendaKind::Depth, AgendaKind::BEST, AgendaKind::Breadth, AgendaKind::Plain];

/// Asks every engine, each by an agenda of its own. Nothing is asked of what is out of range.
fn with_engines(
    setup: &Setup,
    mut ask: impl FnMut(Kind, &Pair<'_>, &Settings<'_>, &mut Scratch) -> Result<(), String>,
) -> Result<u64, String> {
    let Some(pose) = setup.pose() else { return Ok(0) };
    let (mut rng, mut scratch, mut count) = (setup.rng(), Scratch::new(), 0);
    for kind in kinds() {
        let (a, b) = (model(&setup.a, kind)?, model(&setup.b, kind)?);
        let pair = Pair::relative(&a, &b, &pose).map_err(|error| format!("{kind:?}: refused: {error}"))?;
        let settings = Settings::new().agenda(*rng.choice(&AGENDAS));
        ask(kind, &pair, &settings, &mut scratch).map_err(|text| format!("{kind:?}, {:?}: {text}", settings.agenda))?;
        count += 1;
    }
    Ok(count)
}

fn expect(is_right: bool, text: impl FnOnce() -> String) -> Result<(), String> {
    if is_right { Ok(()) } else { Err(text()) }
}

fn touching(setup: &Setup, pose: &Pose) -> Vec<TrianglePair> {
    let (rotation, translation) = plain(pose);
    let pairs = brute::colliding_pairs(&setup.a, &setup.b, &rotation, &translation);
    pairs.into_iter().map(|(a, b)| TrianglePair { a, b }).collect()
}

pub(crate) fn collide(setup: &Setup) -> Result<u64, String> {
    let Some(pose) = setup.pose() else { return Ok(0) };
    let truth = touching(setup, &pose);
    with_engines(setup, |_, pair, settings, scratch| {
        let found = pair.collide(settings, scratch);
        let is_right = found.verdict.known() == Some(!truth.is_empty());
        expect(is_right, || format!("{:?}, but {} pairs touch", found.verdict, truth.len()))?;
        expect(found.witness.is_none_or(|witness| truth.contains(&witness)), || {
            format!("{:?} do not touch", found.witness)
        })
    })
}

pub(crate) fn contacts(setup: &Setup) -> Result<u64, String> {
    let Some(pose) = setup.pose() else { return Ok(0) };
    let truth = touching(setup, &pose);
    with_engines(setup, |_, pair, settings, scratch| {
        let found = pair.contacts(settings, scratch).pairs.to_vec();
        expect(found == truth, || format!("{found:?} instead of {truth:?}"))
    })
}

/// The largest coordinate that takes part.
fn size(setup: &Setup, pose: &Pose) -> f64 {
    let posed = setup.posed(pose);
    setup.a.vertices.iter().chain(&posed.vertices).flatten().fold(0.0, |most: f64, x| most.max(x.abs()))
}

/// The exact least squared distance, and by how much a distance may be off.
fn least(setup: &Setup, pose: &Pose) -> (RBig, f64) {
    let posed = setup.posed(pose);
    let squares = setup
        .a
        .corners()
        .flat_map(|a| posed.corners().map(move |b| exact::squared_distance(&a, &b)).collect::<Vec<_>>());
    let least = squares.min().unwrap_or(RBig::ZERO);
    (least, nearhit::research::primitive::distance::error_bound(size(setup, pose)))
}

/// Is a number within an error of the root of a square?
fn is_root(value: f64, square: &RBig, error: f64) -> bool {
    let low = (value - error).next_down();
    exact::square_of((value + error).next_up()) >= *square && (low <= 0.0 || exact::square_of(low) <= *square)
}

pub(crate) fn distance(setup: &Setup) -> Result<u64, String> {
    let Some(pose) = setup.pose() else { return Ok(0) };
    let (square, error) = least(setup, &pose);
    let mut first: Option<f64> = None;
    with_engines(setup, |_, pair, settings, scratch| {
        let found = pair.distance(Tolerance::EXACT, settings, scratch);
        expect(found.lower == found.upper && found.is_complete, || format!("not exact: {found:?}"))?;
        expect((found.upper == 0.0) == square.is_zero(), || format!("{} with a square of {square}", found.upper))?;
        expect(is_root(found.upper, &square, error), || format!("{} is not the root of {square}", found.upper))?;
        let known = *first.get_or_insert(found.upper);
        expect(known.to_bits() == found.upper.to_bits(), || format!("{} and {known}", found.upper))
    })
}

pub(crate) fn within(setup: &Setup) -> Result<u64, String> {
    let mut rng = setup.rng();
    let share = *rng.choice(&[0.0, 0.5, 1.0, 2.0]);
    with_engines(setup, |_, pair, settings, scratch| {
        let distance = pair.distance(Tolerance::EXACT, settings, scratch).upper;
        for limit in [share * distance, distance, distance.next_down(), distance.next_up(), 0.0] {
            let found = pair.within(limit, settings, scratch).verdict;
            let expected = distance <= limit;
            expect(found.known() == Some(expected), || {
                format!("within {limit}: {found:?}, the distance is {distance}")
            })?;
        }
        Ok(())
    })
}

/// All pairs within a limit and the nearest ones: squared distances decide, outside of the band of
/// rounding.
pub(crate) fn pairs(setup: &Setup) -> Result<u64, String> {
    let Some(pose) = setup.pose() else { return Ok(0) };
    let (_, error) = least(setup, &pose);
    let posed = setup.posed(&pose);
    let limit = setup.rng().range(0.0, 1.0) * size(setup, &pose);
    let (sure, perhaps) = (exact::square_of((limit - error).max(0.0)), exact::square_of(limit + error));
    with_engines(setup, |_, pair, settings, scratch| {
        let found: Vec<TrianglePair> =
            pair.pairs_within(limit, settings, scratch).pairs.iter().map(|near| near.pair).collect();
        for (a, first) in setup.a.corners().enumerate() {
            for (b, second) in posed.corners().enumerate() {
                let square = exact::squared_distance(&first, &second);
                let is_found = found.binary_search(&TrianglePair { a: a as u32, b: b as u32 }).is_ok();
                let is_right = if is_found { square <= perhaps } else { square >= sure || limit < error };
                expect(is_right, || format!("{a} and {b} within {limit}: {is_found}"))?;
            }
        }
        let distance = pair.distance(Tolerance::EXACT, settings, scratch).upper;
        let nearest = pair.nearest_pairs(2, settings, scratch);
        expect(nearest.pairs.first().is_some_and(|near| near.distance == distance), || "nearest pair".to_owned())
    })
}

/// Where nothing is moved a and b may be exchanged.
pub(crate) fn exchange(setup: &Setup) -> Result<u64, String> {
    let still = Setup { rotation: nearhit_testkit::pose::IDENTITY, translation: [0.0; 3], ..setup.clone() };
    let swapped = Setup { a: still.b.clone(), b: still.a.clone(), ..still.clone() };
    let mut answers: Vec<(f64, usize, Verdict)> = Vec::new();
    for (turn, setup) in [&still, &swapped].into_iter().enumerate() {
        let mut index = 0;
        with_engines(setup, |_, pair, settings, scratch| {
            let distance = pair.distance(Tolerance::EXACT, settings, scratch).upper;
            let count = pair.contacts(settings, scratch).pairs.len();
            let answer = (distance, count, pair.collide(settings, scratch).verdict);
            if turn == 0 {
                answers.push(answer);
            } else {
                expect(answers[index] == answer, || format!("{answer:?} instead of {:?}", answers[index]))?;
            }
            index += 1;
            Ok(())
        })?;
    }
    Ok(answers.len() as u64)
}
