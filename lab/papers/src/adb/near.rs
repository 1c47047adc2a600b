//! Bodies close to a contact, where nodes much larger than the gap hold surface of both: what the
//! default rule is calibrated on, and others that it is judged on.

use super::fit::Sample;
use super::scene::{Augmented, grid, refined, unit};
use super::unseen::{crate_of_slats, knot, shelf, spring, swept, vase};
use lab_report::scale::Scale;
use nearhit::research::ModelExt;
use nearhit::research::PairExt;
use nearhit::research::VolumeKind;
use nearhit::research::adb::{Options, Quality};
use nearhit::research::build::BuildOptions;
use nearhit::{Budget, Model, Pair, Pose, Scratch, Settings, Verdict};
use nearhit_cases::generated;
use nearhit_testkit::rng::{Rng, axis_angle_to_rows};
use nearhit_testkit::{Soup, shapes};

/// Volume tests after which searches are interrupted; the last runs to its end.
pub(super) const BUDGETS: [u64; 5] = [8, 32, 128, 512, u64::MAX];

/// Answers by the default rule, for a calibration.
pub(super) fn fitted_on(scale: Scale) -> Vec<Sample> {
    let mut stage = Stage::new(5);
    for size in scale.pick([500, 1_000], [1_000, 6_000]) {
        stage.known(size, scale.pick(20, 150));
    }
    stage.samples
}

/// Answers about other bodies and at other resolutions.
pub(super) fn judged_on(scale: Scale) -> Vec<Sample> {
    let mut stage = Stage::new(77);
    for size in scale.pick([600, 1_500], [2_500, 12_000]) {
        stage.others(size, scale.pick(20, 150));
    }
    stage.samples
}

/// Where samples are collected.
struct Stage {
    rng: Rng,
    samples: Vec<Sample>,
    /// What those to come are from.
    scene: &'static str,
}

impl Stage {
    fn new(seed: u64) -> Self {
        Self { rng: Rng::new(seed), samples: Vec::new(), scene: "" }
    }

    fn known(&mut self, size: usize, count: usize) {
        let cells = grid(size);
        for _ in 0..12 {
            let gap = self.logarithmic(-4.0, -0.7);
            self.nested(&shapes::icosphere((size as f64 / 20.0).sqrt() as u32), gap, count * 2 / 15);
        }
        for _ in 0..4 {
            let gap = self.logarithmic(-3.0, -0.7);
            let seed = self.rng.u64() % 99;
            self.parallel(&shapes::wavy_sheet(cells, 0.3, seed), gap, count * 2 / 15);
        }
        let torus = shapes::torus(cells, cells, 1.0, 0.3);
        let arm = refined(shapes::robot_arm(4, 0.6), size);
        let hand = refined(shapes::hand(0.4), size);
        let engine = refined(shapes::engine_block(3, 16, 3), size);
        let bars = shapes::axis_bars(1.0, 0.15);
        let ring = shapes::wrinkled_torus(cells, cells, 5);
        let pipes = shapes::pipes(size, 1);
        self.passing(&torus, &ring, count);
        self.passing(&arm, &pipes, count);
        self.passing(&hand, &shapes::uv_sphere_of(size as u32), count);
        self.passing(&engine, &refined(shapes::piston(0.8, 24), size), count);
        self.passing(&bars, &refined(bars.clone(), size), count);
        self.among(&shapes::disjoint_tetrahedra(size, 2.0, 3), &torus, 0.08, count);
        self.among(&shapes::disjoint_tetrahedra(size, 2.0, 4), &arm, 0.06, count);
        self.among(&shapes::interior(size, 5), &refined(shapes::hand(0.4), size / 4), 0.2, count);
        self.among(&shapes::pipes(size, 2), &bars, 0.2, count);
        for soup in [&ring, &shapes::wavy_sheet(cells, 0.3, 3), &engine, &pipes, &shapes::cave(size, 11), &hand] {
            self.tumbling(soup, count);
        }
    }

    fn others(&mut self, size: usize, count: usize) {
        for _ in 0..6 {
            let gap = self.logarithmic(-4.0, -0.7);
            self.nested(&shapes::uv_sphere_of(size as u32), gap, count * 2 / 15);
        }
        for _ in 0..3 {
            let gap = self.logarithmic(-3.0, -0.7);
            self.parallel(&shapes::cave(size, 3), gap, count * 2 / 15);
        }
        let knot = refined(swept(knot, 128, 6), size);
        let vase = refined(vase(), size);
        let slats = refined(crate_of_slats(), size);
        self.passing(&refined(swept(spring, 96, 8), size), &knot, count);
        self.passing(&refined(shelf(), size), &vase, count);
        self.passing(&slats, &slats, count);
        self.among(&shapes::disjoint_tetrahedra(size, 2.0, 17), &knot, 0.08, count);
        self.among(&refined(shelf(), size), &swept(spring, 96, 8), 0.1, count);
        self.among(&refined(shapes::room(5), size), &shapes::piano(), 0.2, count);
        for soup in [&knot, &vase, &slats, &shapes::disjoint_tetrahedra(size / 4, 2.0, 17)] {
            self.tumbling(soup, count);
        }
    }

    fn logarithmic(&mut self, low: f64, high: f64) -> f64 {
        10_f64.powf(self.rng.range(low, high))
    }

    /// A body in a copy that is larger by a gap, turned at will.
    fn nested(&mut self, soup: &Soup, gap: f64, count: usize) {
        self.scene = "nested";
        let outer = unit(soup);
        let inner = outer.scaled(1.0 - gap);
        let poses = (0..count).map(|_| pose(self.rng.rotation(), self.rng.unit_vector().map(|part| part * gap * 0.3)));
        let poses: Vec<Pose> = poses.collect();
        self.ask(&Body::new(&outer), &Body::new(&inner), &poses);
    }

    /// A sheet over itself, nearly parallel.
    fn parallel(&mut self, soup: &Soup, gap: f64, count: usize) {
        self.scene = "parallel";
        let body = Body::new(&unit(soup));
        let tilted = |rng: &mut Rng| axis_angle_to_rows(rng.unit_vector(), gap * rng.range(0.0, 1.0));
        let poses: Vec<Pose> = (0..count).map(|_| pose(tilted(&mut self.rng), [0.0, 0.0, gap])).collect();
        self.ask(&body, &body, &poses);
    }

    /// Moved together from somewhere until they touch, and then a little on or back.
    fn passing(&mut self, a: &Soup, b: &Soup, count: usize) {
        self.scene = "passing";
        let (a, b) = (Body::new(&unit(a)), Body::new(&unit(b)));
        let mut scratch = Scratch::new();
        let poses: Vec<Pose> = (0..count)
            .map(|_| {
                let (rows, way) = (self.rng.rotation(), self.rng.unit_vector());
                let at = |far: f64| pose(rows, way.map(|part| part * far));
                let (mut low, mut high) = (0.0, 4.0);
                for _ in 0..14 {
                    let middle = 0.5 * (low + high);
                    if touch(&a, &b, &at(middle), &mut scratch) { low = middle } else { high = middle }
                }
                let gap = self.logarithmic(-4.0, -0.3);
                at(high + if self.rng.chance(0.3) { -gap } else { gap })
            })
            .collect();
        self.ask(&a, &b, &poses);
    }

    /// A small body anywhere in a large one that is not solid.
    fn among(&mut self, a: &Soup, b: &Soup, scale: f64, count: usize) {
        self.scene = "among";
        let poses: Vec<Pose> = (0..count).map(|_| pose(self.rng.rotation(), self.rng.point(-0.9, 0.9))).collect();
        self.ask(&Body::new(&unit(a)), &Body::new(&unit(b).scaled(scale)), &poses);
    }

    /// The paper's scene.
    fn tumbling(&mut self, soup: &Soup, count: usize) {
        self.scene = "tumbling";
        let body = Body::new(&unit(soup));
        let far = |rng: &mut Rng| [rng.range(0.4, 2.6), 0.0, 0.0];
        let poses: Vec<Pose> = (0..count)
            .map(|_| {
                let offset = far(&mut self.rng);
                pose(self.rng.rotation(), offset)
            })
            .collect();
        self.ask(&body, &body, &poses);
    }

    fn ask(&mut self, a: &Body, b: &Body, poses: &[Pose]) {
        let mut scratch = Scratch::new();
        for pose in poses {
            let touches = touch(a, b, pose, &mut scratch);
            let pair = Pair::relative(&a.augmented.model, &b.augmented.model, pose).expect("in range");
            let averaged = pair.averaged(&a.augmented.averages, &b.augmented.averages).expect("their own tables");
            for budget in BUDGETS {
                let settings = Settings::new().budget(Budget::work(budget));
                let evidence = averaged.collide(&Quality::default(), &settings, &mut scratch).evidence;
                // Certain without a calibration.
                if evidence.met > 0 {
                    self.samples.push(Sample { evidence, budget, touches, scene: self.scene });
                }
            }
        }
    }
}

/// For the truth, and for the search.
struct Body {
    exact: Model,
    augmented: Augmented,
}

impl Body {
    fn new(soup: &Soup) -> Self {
        let mesh = generated::mesh(soup);
        let model = Model::with(mesh.clone(), VolumeKind::Obb, &BuildOptions::default());
        Self { exact: Model::new(mesh), augmented: Augmented::new(model, &Options::default()) }
    }
}

fn touch(a: &Body, b: &Body, pose: &Pose, scratch: &mut Scratch) -> bool {
    let pair = Pair::relative(&a.exact, &b.exact, pose).expect("in range");
    pair.collide(&Settings::default(), scratch).verdict == Verdict::Yes
}

fn pose(rows: [[f64; 3]; 3], offset: [f64; 3]) -> Pose {
    Pose::from_rows(rows, offset).expect("a rotation")
}
