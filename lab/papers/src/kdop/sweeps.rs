//! §6.1, NC verification: the (approximate) swept volume of a mesh.
//!
//! Between two steps the mesh is placed [`PLACES`] times, and all places are one mesh. A point of
//! the moving mesh is never farther from its nearest place than half of what it moves between two:
//! grown by that, the swept volume is never too small. One query tells that a stretch of a flight
//! is clear.

use super::counted;
use super::flights::Flight;
use glam::{DMat3, DVec3};
use lab_report::progress;
use lab_report::scale::Scale;
use lab_report::{Cell, Report, Table, Verdict};
use nearhit::{Mesh, Model, Pair, Pose, Scratch, Settings, Tolerance};

/// Places from one step to the next.
const PLACES: u32 = 6;

/// The mesh along the poses (the environment's in the object's frame, as flights have them), in the
/// environment's frame, and how much it must be grown.
fn swept(mesh: &Mesh, poses: &[Pose]) -> (Mesh, f64) {
    let steps = poses
        .windows(2)
        .flat_map(|two| (0..PLACES).map(move |place| between(&two[0], &two[1], f64::from(place) / f64::from(PLACES))));
    let places: Vec<Pose> = steps.chain(poses.last().map(Pose::inverse)).collect();
    let count = mesh.vertices().len() as u32;
    let (mut corners, mut triangles) = (Vec::new(), Vec::new());
    for (place, pose) in (0_u32..).zip(&places) {
        corners.extend(mesh.vertices().iter().map(|&vertex| pose.apply(vertex).to_array()));
        triangles.extend(mesh.triangles().iter().map(|triangle| triangle.map(|corner| corner + place * count)));
    }
    let grown = poses.windows(2).map(|two| moved(mesh, &two[0], &two[1])).fold(0.0, f64::max);
    (Mesh::new(&corners, &triangles).expect("in range"), 0.5 * grown / f64::from(PLACES))
}

/// The pose between two: turned about one axis, the environment's origin along a line.
fn between(from: &Pose, to: &Pose, share: f64) -> Pose {
    let (back, next) = (from.inverse(), to.inverse());
    let turn = next.rotation() * back.rotation().transpose();
    let (axis, angle) = axis_angle(&turn);
    let rotation = DMat3::from_axis_angle(axis, angle * share) * back.rotation();
    let translation = back.translation().lerp(next.translation(), share);
    let rows = rotation.transpose().to_cols_array_2d();
    Pose::from_rows(rows, translation.to_array()).expect("a rotation")
}

fn axis_angle(turn: &DMat3) -> (DVec3, f64) {
    let (axis, angle) = glam::DQuat::from_mat3(turn).normalize().to_axis_angle();
    if angle.is_finite() { (axis.normalize_or(DVec3::X), angle) } else { (DVec3::X, 0.0) }
}

/// No point moves farther from one pose to the other, along an arc about the object's origin and a
/// line.
fn moved(mesh: &Mesh, from: &Pose, to: &Pose) -> f64 {
    let (back, next) = (from.inverse(), to.inverse());
    let (_, angle) = axis_angle(&(next.rotation() * back.rotation().transpose()));
    let reach = mesh.vertices().iter().map(|vertex| vertex.length()).fold(0.0, f64::max);
    ((next.translation() - back.translation()).length() + reach * angle) * (1.0 + 1e-9)
}

pub(super) fn run(flights: &[Flight], scale: Scale) -> Report {
    let mut report = Report::new("§6.1: swept volumes of meshes");
    progress::begins(&report.title);
    let columns = [
        "flight",
        "steps",
        "triangles",
        "grown by",
        "stretches",
        "clear by the sweep",
        "clear by samples",
        "wrongly clear",
    ];
    let mut table = Table::new(
        "§6.1: stretches of flights, by one query on the swept volume and by samples of the motion",
        &columns,
    );
    let (mut wrong, mut clear, mut truly) = (0, 0, 0);
    let steps = scale.pick(4, 8);
    for flight in flights {
        let mut row = [0_u64; 5];
        let mut most = 0.0_f64;
        let environment = Model::new(flight.environment.clone());
        let object = Model::new(flight.object.clone());
        for stretch in flight.poses.chunks(steps).filter(|chunk| chunk.len() == steps).take(scale.pick(4, 12)) {
            let (mesh, grown) = swept(&flight.object, stretch);
            row[0] = mesh.triangles().len() as u64;
            most = most.max(grown);
            let sweep = Model::new(mesh);
            let (settings, mut scratch) = (Settings::default(), Scratch::new());
            let still = Pose::from_translation([0.0; 3]).expect("finite");
            let pair = Pair::relative(&sweep, &environment, &still).expect("in range");
            let distance = pair.distance(Tolerance::EXACT, &settings, &mut scratch).upper;
            let is_clear = distance > grown;
            let samples = stretch
                .windows(2)
                .flat_map(|two| (0..=8).map(move |part| between(&two[0], &two[1], f64::from(part) / 8.0)));
            let is_sampled_clear = samples.into_iter().all(|object_pose| {
                let pair = Pair::relative(&object, &environment, &object_pose.inverse()).expect("in range");
                pair.collide(&settings, &mut scratch).verdict == nearhit::Verdict::No
            });
            row[1] += 1;
            row[2] += u64::from(is_clear);
            row[3] += u64::from(is_sampled_clear);
            row[4] += u64::from(is_clear && !is_sampled_clear);
        }
        let size = flight.object.vertices().iter().map(|vertex| vertex.length()).fold(0.0, f64::max);
        table.row([
            flight.name.into(),
            Cell::Count(steps as u64),
            Cell::Count(row[0]),
            Cell::Number(most / size, 5),
            Cell::Count(row[1]),
            Cell::Count(row[2]),
            Cell::Count(row[3]),
            Cell::Count(row[4]),
        ]);
        (wrong, clear, truly) = (wrong + row[4], clear + row[2], truly + row[3]);
    }
    report.table(table);
    report.claim(counted(
        "§6.1",
        "a stretch that the swept volume calls clear is clear, and most clear ones are called so",
        match (wrong == 0, 2 * clear >= truly) {
            (true, true) => Verdict::Holds,
            (true, false) => Verdict::Differs,
            _ => Verdict::Fails,
        },
        format!("{clear} of {truly} clear stretches are called clear, {wrong} wrongly"),
    ));
    report
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearhit_cases::generated;
    use nearhit_datasets::shapes::robot_arm;
    use nearhit_testkit::rng::Rng;

    /// Wherever the object is in between, no point of a triangle leaves the grown sweep; and some
    /// come near to leaving it.
    #[test]
    fn no_point_leaves_the_swept_volume() {
        let mesh = generated::mesh(&robot_arm(2, 0.5));
        let (mut rng, mut nearest_to_leaving) = (Rng::new(56), 0.0_f64);
        for _ in 0..6 {
            let first = Pose::from_rows(rng.rotation(), rng.point(-1.0, 1.0)).expect("a rotation");
            let turn = DMat3::from_axis_angle(DVec3::from_array(rng.unit_vector()), rng.range(0.1, 0.9));
            let rows = (turn * first.rotation()).transpose().to_cols_array_2d();
            let second = Pose::from_rows(rows, rng.point(-1.0, 1.0)).expect("a rotation");
            let (sweep, grown) = swept(&mesh, &[first, second]);
            let model = Model::new(sweep);
            for part in 0..13 {
                let pose = between(&first, &second, f64::from(part) / 12.0);
                for index in 0..mesh.triangles().len() as u32 {
                    let [a, b, c] = mesh.triangle(index);
                    for local in [a, (a + b + c) / 3.0] {
                        let point = pose.apply(local);
                        let found = model.closest_point(point, &mut Scratch::new()).expect("finite");
                        assert!(found.distance <= grown, "{} > {grown}", found.distance);
                        nearest_to_leaving = nearest_to_leaving.max(found.distance / grown);
                    }
                }
            }
        }
        assert!(nearest_to_leaving > 0.2, "{nearest_to_leaving}");
    }
}
