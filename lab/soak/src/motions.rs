//! Motions and series of poses against exact tests at many instants.

use crate::setup::{Setup, mesh, plain};
use nearhit::research::motion::contact_intervals;
use nearhit::scene::{Motion, Moving, PosePath, first_contact};
use nearhit::shape::Shape;
use nearhit::{Budget, Limit, Model, Pair, Pose, Scratch, Settings, Tolerance, Verdict};
use nearhit_testkit::brute;
use nearhit_testkit::pose::{multiplied, pose_soup};

/// Beyond this a motion would leave what can be posed.
const FARTHEST: f64 = 1e290;
/// Instants that are looked at.
const INSTANTS: u32 = 24;

/// Where b goes: past a, turning or not, at sizes that leave room.
fn motion(setup: &Setup, pose: &Pose) -> Option<(Motion, f64)> {
    let posed = setup.posed(pose);
    let largest = setup.a.vertices.iter().chain(&posed.vertices).flatten();
    let size = largest.fold(0.0, |most: f64, x| most.max(x.abs()));
    if !(1e-280..FARTHEST).contains(&size) {
        return None;
    }
    let mut rng = setup.rng();
    let by = rng.unit_vector().map(|x| x * size * rng.range(0.2, 2.0));
    let (rotation, translation) = plain(pose);
    let turn = if rng.chance(0.5) { rng.rotation() } else { nearhit_testkit::pose::IDENTITY };
    let end: [f64; 3] = std::array::from_fn(|axis| translation[axis] + by[axis]);
    let end = Pose::from_rows(multiplied(&turn, &rotation), end).ok()?;
    Some((Motion::linear(*pose, end), size))
}

/// Do the surfaces share a point, exactly, with b at a pose?
fn touches(setup: &Setup, pose: &Pose) -> bool {
    let (rotation, translation) = plain(pose);
    brute::collides(&setup.a, &setup.b, &rotation, &translation)
}

/// First contact and all intervals: no contact at an instant that is said to be free, and what is
/// said to touch is that near.
pub(crate) fn motions(setup: &Setup) -> Result<u64, String> {
    let Some(pose) = setup.pose() else { return Ok(0) };
    let Some((motion, size)) = motion(setup, &pose) else { return Ok(0) };
    let (a, b) = (Shape::mesh(Model::new(mesh(&setup.a)?)), Shape::mesh(Model::new(mesh(&setup.b)?)));
    let (a, b) = (Moving { shape: &a, motion: Motion::still(Pose::IDENTITY) }, Moving { shape: &b, motion });
    let mut scratch = Scratch::new();
    let settings = Settings::new().budget(Budget::work(400_000));
    // Small things far from the origin are refused: their tolerance is below rounding.
    let tolerance = 2e-3 * size;
    let Ok(first) = first_contact(&a, &b, tolerance, &settings, &mut scratch) else { return Ok(0) };
    let Ok(all) = contact_intervals(&a, &b, tolerance, &settings, &mut scratch) else { return Ok(0) };
    let near = |time: f64, most: f64, scratch: &mut Scratch| -> Result<bool, String> {
        let pose = motion.pose(time).map_err(|error| error.to_string())?;
        let (Some(of_a), Some(of_b)) = (a.shape.model(), b.shape.model()) else { return Ok(true) };
        let pair = Pair::relative(of_a, of_b, &pose).map_err(|error| error.to_string())?;
        Ok(pair.distance(Tolerance::EXACT, &Settings::default(), scratch).upper <= most)
    };
    if first.verdict == Verdict::Yes && !near(first.free_until, tolerance * (1.0 + 1e-9), &mut scratch)? {
        return Err(format!("not that near: {first:?}"));
    }
    for [from, to] in &all.intervals {
        for time in [*from, 0.5 * from + 0.5 * to, *to] {
            if !near(time, 2.0 * tolerance * (1.0 + 1e-9), &mut scratch)? {
                return Err(format!("at {time} not that near: {all:?}"));
            }
        }
    }
    for instant in 0..=INSTANTS {
        let time = f64::from(instant) / f64::from(INSTANTS);
        let Ok(pose) = motion.pose(time) else { continue };
        if !touches(setup, &pose) {
            continue;
        }
        if time < first.free_until || first.verdict == Verdict::No {
            return Err(format!("a contact at {time}, {first:?}"));
        }
        let is_known = all.intervals.iter().any(|[from, to]| (*from..=*to).contains(&time)) || time > all.known_until;
        if !is_known {
            return Err(format!("a contact at {time}, {all:?}"));
        }
    }
    Ok(2)
}

/// A series of poses: what is said of all of them is what is said of each.
pub(crate) fn paths(setup: &Setup) -> Result<u64, String> {
    let Some(pose) = setup.pose() else { return Ok(0) };
    let Some((motion, _)) = motion(setup, &pose) else { return Ok(0) };
    let (model_a, model_b) = (Model::new(mesh(&setup.a)?), Model::new(mesh(&setup.b)?));
    let (a, b) = (Shape::mesh(model_a.clone()), Shape::mesh(model_b.clone()));
    let times = (0..INSTANTS).map(|instant| f64::from(instant) / f64::from(INSTANTS - 1));
    let poses: Vec<Pose> = times.filter_map(|time| motion.pose(time).ok()).collect();
    let Ok(path) = PosePath::new(&a, &b, &poses) else { return Ok(0) };
    let mut scratch = Scratch::new();
    let mut truth = Vec::with_capacity(poses.len());
    for pose in &poses {
        let pair = Pair::relative(&model_a, &model_b, pose).map_err(|error| error.to_string())?;
        truth.push(pair.distance(Tolerance::EXACT, &Settings::default(), &mut scratch).upper);
    }
    let first = truth.iter().position(|&distance| distance == 0.0);
    let least = truth.iter().copied().fold(f64::INFINITY, f64::min);
    let all = path.clearances(Tolerance::EXACT, Limit::None);
    if !all.iter().map(|found| found.upper).eq(truth.iter().copied()) {
        return Err(format!("{all:?} instead of {truth:?}"));
    }
    for work in [0, 20, 300, 10_000_000] {
        let settings = Settings::new().budget(Budget::work(work));
        let found = path.first_contact(&settings, &mut scratch);
        let is_right = match found.verdict {
            Verdict::Yes => found.pose == first && first.is_some(),
            Verdict::No => first.is_none(),
            Verdict::Maybe => work < 1000 && first.is_none_or(|first| found.free <= first),
        };
        let closest = path.least_clearance(&settings, &mut scratch);
        let holds = closest.lower <= least && least <= closest.clearance.upper;
        let is_exact = !closest.is_complete || closest.clearance.upper == least && truth[closest.pose] == least;
        if !is_right || !holds || !is_exact || !closest.is_complete && work > 1000 {
            return Err(format!("work {work}: {found:?}, {closest:?}; first {first:?}, least {least}"));
        }
        for (found, truth) in path.clearances(Tolerance::EXACT, Limit::Work(work)).iter().zip(&truth) {
            if found.lower > *truth || *truth > found.upper {
                return Err(format!("work {work}: {found:?}, not {truth}"));
            }
        }
    }
    // What is posed by the path is posed as the documents say.
    let (rotation, translation) = plain(&poses[0]);
    let posed = pose_soup(&rotation, &translation, &setup.b);
    let at_start = nearhit_testkit::brute::collides(&setup.a, &posed, &nearhit_testkit::pose::IDENTITY, &[0.0; 3]);
    if at_start != (truth[0] == 0.0) {
        return Err(format!("at the start they touch: {at_start}, {}", truth[0]));
    }
    Ok(12)
}
