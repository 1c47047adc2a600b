//! Along a path: what is kept from frame to frame is true, and saves work.

use crate::common::mesh;
use nearhit::research::RefinementExt;
use nearhit::research::SphereTreeExt;
use nearhit::research::sphere_tree::{BuildEffort, SphereOptions};
use nearhit::{Budget, Model, Pair, Pose, Refinement, Scratch, Settings, SpherePair, SphereTree, Verdict};
use nearhit_testkit::Soup;
use nearhit_testkit::rng::Rng;
use nearhit_testkit::shapes::{axis_bars, disjoint_tetrahedra, torus};

fn build(soup: &Soup) -> (Model, SphereTree) {
    let model = Model::new(mesh(soup));
    let tree = SphereTree::build(&model, &SphereOptions::new().depth(3).effort(BuildEffort::Quick));
    (model, tree)
}

/// A path that turns and drifts, in steps of about this length; now and then it jumps.
struct Path {
    axis: [f64; 3],
    along: [f64; 3],
    angle: f64,
    way: f64,
    step: f64,
}

impl Path {
    fn new(rng: &mut Rng, step: f64) -> Self {
        Self { axis: rng.unit_vector(), along: rng.unit_vector(), angle: rng.range(0.0, 6.0), way: -1.4, step }
    }

    fn next(&mut self, rng: &mut Rng) -> Pose {
        let jump = if rng.below(40) == 0 { 30.0 } else { rng.range(0.0, 2.0) };
        self.way += self.step * jump;
        self.angle += self.step * jump;
        let ([x, y, z], (sine, cosine)) = (self.along.map(|it| it * self.way), (0.5 * self.angle).sin_cos());
        let [i, j, k] = self.axis.map(|it| it * sine);
        Pose::from_quaternion([i, j, k, cosine], [x + 0.2, y - 0.1, z]).expect("rigid")
    }
}

#[test]
fn what_is_kept_along_a_path_is_true() {
    let mut rng = Rng::new(4711);
    let (ring, bars) = (build(&torus(24, 12, 1.0, 0.25)), build(&axis_bars(0.9, 0.1)));
    let scattered = build(&disjoint_tetrahedra(30, 3.0, 9));
    let (mut scratch, mut followed, mut fresh) = (Scratch::new(), Refinement::default(), Refinement::default());
    let (mut yes, mut no, mut maybe, mut at_once) = (0, 0, 0, [0, 0]);
    for (a, b) in [(&ring, &ring), (&ring, &bars), (&scattered, &ring), (&bars, &scattered)] {
        for path in 0..6 {
            let step = [0.02, 0.003, 0.0][path % 3];
            let mut way = Path::new(&mut rng, step);
            followed.restart();
            for _ in 0..60 {
                let pose = way.next(&mut rng);
                let pair = Pair::relative(&a.0, &b.0, &pose).expect("near");
                let truth = pair.distance(Default::default(), &Settings::default(), &mut scratch);
                let pair = SpherePair::new(pair, &a.1, &b.1);
                followed.follow(&pair);
                let mut known = followed.known();
                // Before any work, after some, and at the end: the distance is within the interval.
                let units = [0, 1 + rng.below(300) as u64, if rng.below(3) == 0 { 100 } else { u64::MAX }];
                for units in units {
                    known = followed.run(&pair, &Budget::work(units));
                    let it = known.separation;
                    assert!(it.lower <= truth.lower && truth.upper <= it.upper, "{it:?} {truth:?} {pose:?}");
                    let exact = if truth.upper == 0.0 { Verdict::Yes } else { Verdict::No };
                    assert!(known.verdict == Verdict::Maybe || known.verdict == exact, "{known:?} {truth:?}");
                    at_once[0] += usize::from(units == 0 && known.verdict == Verdict::No);
                    let one = known.stats.triangle_tests == 1 && known.stats.volume_tests == 0;
                    at_once[1] += usize::from(one && known.verdict == Verdict::Yes);
                }
                // What was kept and what was found again are not in it twice.
                let mut meeting = followed.colliding().to_vec();
                meeting.sort_unstable();
                meeting.dedup();
                assert_eq!(meeting.len(), followed.colliding().len());
                match known.verdict {
                    Verdict::Yes => yes += 1,
                    Verdict::No => no += 1,
                    Verdict::Maybe => maybe += 1,
                }
                if followed.is_done() {
                    fresh.restart();
                    assert_eq!(fresh.run(&pair, &Budget::UNLIMITED).verdict, known.verdict);
                } else {
                    assert_eq!(known.verdict, Verdict::Maybe);
                }
            }
        }
    }
    assert!(
        yes > 200 && no > 200 && maybe > 20 && at_once.iter().all(|&it| it > 100),
        "{yes} {no} {maybe} {at_once:?}"
    );
}

#[test]
fn small_moves_take_less_work() {
    let mut rng = Rng::new(4712);
    let ring = build(&torus(32, 16, 1.0, 0.25));
    let (mut followed, mut fresh) = (Refinement::default(), Refinement::default());
    let mut work = [0, 0];
    for _ in 0..10 {
        let mut way = Path::new(&mut rng, 2e-4);
        way.way = rng.range(-1.0, 0.0);
        followed.restart();
        for _ in 0..40 {
            let pose = way.next(&mut rng);
            let pair = SpherePair::new(Pair::relative(&ring.0, &ring.0, &pose).expect("near"), &ring.1, &ring.1);
            followed.follow(&pair);
            fresh.restart();
            for (sum, state) in work.iter_mut().zip([&mut followed, &mut fresh]) {
                *sum += state.run(&pair, &Budget::UNLIMITED).stats.volume_tests;
            }
        }
    }
    assert!(3 * work[0] < work[1], "{work:?}");
}
