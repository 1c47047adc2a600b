//! Swapping the models and moving both far away changes no yes or no, wherever the margin exceeds
//! what rounding can do.

mod common;

use common::{every_volume, model, plain, poses, small_cases};
use glam::DVec3;
use nearhit::research::build::BuildOptions;
use nearhit::{Model, Pair, Pose, Scratch, Settings};
use nearhit_testkit::cases::{Case, CasePose};
use nearhit_testkit::{brute, margin, pose::pose_soup};

/// Far above the rounding of coordinates moved by [`FAR`]: an ulp of 1e6 is 1.2e-10, and a handful
/// of operations are done on them.
const SAFE: f64 = 1e-8;
const FAR: f64 = 1e6;

fn collides(a: &Model, world_from_a: &Pose, b: &Model, world_from_b: &Pose, scratch: &mut Scratch) -> bool {
    let pair = Pair::new(a, world_from_a, b, world_from_b).expect("in range");
    pair.collide(&Settings::default(), scratch).verdict.known().expect("no budget")
}

/// The answer, if it does not hang on rounding: apart by more than the margin, or some triangles
/// cross by more than it.
fn sure_answer(case: &Case, pose: &CasePose) -> Option<bool> {
    let (world_from_a, world_from_b) = poses(pose);
    let (rotation, translation) = plain(&Pose::a_from_b(&world_from_a, &world_from_b));
    let pairs = brute::colliding_pairs(&case.a, &case.b, &rotation, &translation);
    if pairs.is_empty() {
        let nearest = brute::min_squared_distance(&case.a, &case.b, &rotation, &translation)?;
        return (nearest.distance.low > SAFE).then_some(false);
    }
    let posed = pose_soup(&rotation, &translation, &case.b);
    let crosses = |&(i, j): &(u32, u32)| {
        margin::crossing_margin(&case.a.triangle(i as usize), &posed.triangle(j as usize)) > SAFE
    };
    pairs.iter().any(crosses).then_some(true)
}

fn moved(pose: &Pose, by: DVec3) -> Pose {
    Pose::from_rows(plain(pose).0, (pose.translation() + by).to_array()).expect("finite")
}

#[test]
fn swapping_and_moving_both_far_away_change_nothing() {
    let mut scratch = Scratch::new();
    let far = DVec3::new(FAR, -FAR, FAR);
    let (mut sure, mut all, mut touching) = (0, 0, 0);
    for case in small_cases() {
        let answers: Vec<Option<bool>> = case.poses.iter().map(|pose| sure_answer(&case, pose)).collect();
        sure += answers.iter().flatten().count();
        touching += answers.iter().flatten().filter(|&&answer| answer).count();
        all += answers.len();
        for kind in every_volume() {
            let model = |soup| model(soup, kind, &BuildOptions::default());
            let (a, b) = (model(&case.a), model(&case.b));
            // The offset baked into the vertices, and taken back by the pose.
            let baked = model(&case.a.translated(far.to_array()));
            for (index, (pose, answer)) in case.poses.iter().zip(&answers).enumerate() {
                let Some(answer) = *answer else { continue };
                let (at_a, at_b) = poses(pose);
                let at = format!("{}, pose {index}, {kind:?}", case.name);
                assert_eq!(collides(&a, &at_a, &b, &at_b, &mut scratch), answer, "{at}");
                assert_eq!(collides(&b, &at_b, &a, &at_a, &mut scratch), answer, "{at}: swapped");
                let (far_a, far_b) = (moved(&at_a, far), moved(&at_b, far));
                assert_eq!(collides(&a, &far_a, &b, &far_b, &mut scratch), answer, "{at}: moved");
                assert_eq!(collides(&b, &far_b, &a, &far_a, &mut scratch), answer, "{at}: moved and swapped");
                let back = moved(&at_a, -(at_a.rotation() * far));
                assert_eq!(collides(&baked, &back, &b, &at_b, &mut scratch), answer, "{at}: vertices moved");
            }
        }
    }
    assert!(sure * 10 > all * 8, "only {sure} of {all} poses have a margin");
    assert!(touching * 5 > sure && touching * 5 < sure * 4, "{touching} of {sure} touch");
}
