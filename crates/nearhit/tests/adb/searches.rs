//! The search: what it answers, on which trees, when interrupted.

use nearhit::research::ModelExt;
use nearhit::research::PairExt;
use nearhit::research::VolumeKind;
use nearhit::research::adb::calibration::{Calibration, FEATURES, FITTED};
use nearhit::research::adb::{
    Averages, Estimator, Hits, Options, Outcome, Overlap, Partition, Quality, Rule, Sizes, octree_model,
};
use nearhit::research::build::BuildOptions;
use nearhit::research::build::OctreeLimits;
use nearhit::{Budget, Mesh, Model, Pair, Pose, QueryError, Scratch, Settings, Verdict};
use nearhit_testkit::rng::Rng;
use nearhit_testkit::shapes;

fn mesh(around: u32, across: u32) -> Mesh {
    let soup = shapes::wrinkled_torus(around, across, 5);
    Mesh::new(&soup.vertices, &soup.triangles).expect("a mesh")
}

/// Poses from deep to apart, with the truth.
fn poses(model: &Model, count: usize) -> Vec<(Pose, bool)> {
    let mut rng = Rng::new(731);
    let mut scratch = Scratch::new();
    (0..count)
        .map(|index| {
            let far = 0.4 + 2.4 * index as f64 / count as f64;
            let pose = Pose::from_rows(rng.rotation(), rng.unit_vector().map(|part| part * far)).expect("a pose");
            let pair = Pair::relative(model, model, &pose).expect("near");
            (pose, pair.collide(&Settings::default(), &mut scratch).verdict == Verdict::Yes)
        })
        .collect()
}

/// Every way to make tables and estimates is right nearly always, on every kind of volume, and says
/// the same twice.
#[test]
fn answers_are_mostly_right_on_every_tree() {
    let mesh = mesh(36, 24);
    let poses = poses(&Model::new(mesh.clone()), 120);
    let touching = poses.iter().filter(|pose| pose.1).count();
    assert!((30..110).contains(&touching), "{touching} of {} touch", poses.len());
    let standard = Estimator::default();
    let mut ways: Vec<(VolumeKind, Options, Estimator)> =
        VolumeKind::ALL.iter().map(|&volume| (volume, Options::default(), standard)).collect();
    for overlap in Overlap::ALL {
        ways.push((VolumeKind::Obb, Options::default(), Estimator { overlap, ..standard }));
    }
    for partition in [Partition::Octants, Partition::Sectors] {
        ways.push((VolumeKind::Obb, Options::new().partition(partition), standard));
    }
    ways.push((VolumeKind::Obb, Options::default(), Estimator { sizes: Sizes::Descent, ..standard }));
    ways.push((VolumeKind::Obb, Options::default(), Estimator { hits: Hits::Depth(1.0), ..standard }));
    ways.push((VolumeKind::Obb, Options::new().least_triangles(1), standard));
    for (volume, options, estimator) in ways {
        let model = Model::with(mesh.clone(), volume, &BuildOptions::default());
        let averages = Averages::new(&model, &options);
        let quality = Quality::tuned().estimator(estimator);
        let (mut wrong, mut scratch) = (0, Scratch::new());
        for (pose, touches) in &poses {
            let pair = Pair::relative(&model, &model, pose).expect("near");
            let averaged = pair.averaged(&averages, &averages).expect("its own");
            let first = averaged.collide(&quality, &Settings::default(), &mut scratch).evidence;
            let guess = averaged.collide(&quality, &Settings::default(), &mut scratch);
            assert_eq!(guess.evidence, first);
            assert_eq!(guess.stats.triangle_tests, 0);
            assert_eq!(guess.likely.len() == 10, guess.collides() == Some(true));
            wrong += usize::from(guess.collides() != Some(*touches));
        }
        // The coarse ways to see what boxes share imagine more.
        let allowed = if estimator.overlap == Overlap::Shares { 15 } else { 25 };
        assert!(
            wrong * 100 <= poses.len() * allowed,
            "{volume}, {options:?}, {estimator:?}: {wrong} of {} wrong",
            poses.len()
        );
    }
}

/// The paper's configuration, to the letter, against its words: what cells, what estimate.
#[test]
fn the_papers_configuration_is_what_the_paper_says() {
    let (options, quality) = (Options::paper(), Quality::paper());
    assert_eq!((options.enough, options.least_triangles, options.flattest), (1.0, 1, 0.0));
    assert_eq!((quality.p_min, quality.k_min, quality.rule), (0.99, 10, Rule::Anywhere));
    let Estimator { overlap, sizes, hits, crowding } = quality.estimator;
    assert_eq!((overlap, sizes, hits, crowding), (Overlap::Paper, Sizes::Descent, Hits::Depth(1.0), 1.0));
    // Definition 2: a plane across a cube's diagonal fills cells with √2 a², a face along the sides
    // with a² only. So a box has no possible cells, a slanted sheet has, whatever the tree.
    let corners = [[0.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [0.0, 0.0, 1.0]];
    let slanted = Mesh::new(&corners, &[[0, 1, 2], [0, 2, 3]]).expect("a sheet");
    let model = Model::with(slanted.clone(), VolumeKind::Aabb, &BuildOptions::new().leaf_size(2));
    let counted = |options: &Options| Averages::new(&model, options).cells(0);
    let just_less = options.enough(1.0 - 1e-9);
    assert_eq!(counted(&just_less), (64, 512), "8 columns of 8 cells");
    assert_eq!(counted(&options.enough(1.0 + 1e-9)), (0, 512));
    let level = [[0.0, 0.0, 0.3], [1.0, 0.0, 0.3], [1.0, 1.0, 0.3], [0.0, 1.0, 0.3]];
    let post = [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.5]];
    let corners: Vec<[f64; 3]> = level.into_iter().chain(post).collect();
    let upright = Mesh::new(&corners, &[[0, 1, 2], [0, 2, 3], [4, 5, 6]]).expect("a sheet and a post");
    let model = Model::with(upright, VolumeKind::Aabb, &BuildOptions::new().leaf_size(3));
    assert_eq!(Averages::new(&model, &just_less).cells(0), (0, 512));
    assert_eq!(Averages::new(&model, &options.enough(0.7)).cells(0), (64, 512));
    // Volumes as they are: a flat box has cells as flat, so that each holds all that fits into it.
    let flat = Mesh::new(&corners[..4], &[[0, 1, 2], [0, 2, 3]]).expect("a sheet");
    let model = Model::with(flat, VolumeKind::Aabb, &BuildOptions::new().leaf_size(2));
    let (possible, _) = Averages::new(&model, &options.enough(0.99)).cells(0);
    assert!(possible >= 64, "{possible}");
    assert_eq!(Averages::new(&model, &options.enough(0.99).flattest(0.6)).cells(0).0, 0);
}

/// The paper's search needs no polygon and little memory: its table has its cells and nothing of
/// the surface. The default rule's first search makes what it needs, and answers as ever.
#[test]
fn the_papers_table_is_small() {
    let mesh = mesh(36, 24);
    let poses = poses(&Model::new(mesh.clone()), 40);
    for volume in [VolumeKind::Aabb, VolumeKind::Obb] {
        let model = Model::with(mesh.clone(), volume, &BuildOptions::default());
        let small = Averages::new(&model, &Options::paper());
        let large = Averages::new(&model, &Options::paper().pieces(true));
        let mut scratch = Scratch::new();
        let nodes = small.bytes() / small.bytes_per_node();
        for (pose, _) in &poses {
            let pair = Pair::relative(&model, &model, pose).expect("near");
            let averaged = pair.averaged(&small, &small).expect("its own");
            let guess = averaged.collide(&Quality::paper(), &Settings::default(), &mut scratch);
            assert_eq!(guess.stats.triangle_tests, 0);
        }
        assert!(small.pieces().is_none() && large.pieces().is_some());
        assert_eq!((small.bytes_per_node(), large.bytes_per_node()), (16, 144));
        assert!(large.bytes() >= 144 * nodes);
        for (pose, touches) in &poses {
            let pair = Pair::relative(&model, &model, pose).expect("near");
            let [made, kept] = [&small, &large].map(|averages| {
                let averaged = pair.averaged(averages, averages).expect("its own");
                averaged.collide(&Quality::default(), &Settings::default(), &mut scratch).evidence
            });
            assert_eq!(made, kept);
            assert_eq!(made.outcome == Outcome::Collision, *touches);
        }
        assert_eq!(small.bytes_per_node(), 144);
    }
}

/// To the letter on several trees: the same answer twice, no triangle looked at, and what is apart
/// is told from what overlaps deeply.
#[test]
fn the_papers_configuration_answers() {
    let mesh = mesh(36, 24);
    let poses = poses(&Model::new(mesh.clone()), 60);
    for volume in [VolumeKind::Aabb, VolumeKind::Obb, VolumeKind::Sphere] {
        let model = Model::with(mesh.clone(), volume, &BuildOptions::default());
        let averages = Averages::new(&model, &Options::paper());
        let mut scratch = Scratch::new();
        for (pose, _) in &poses {
            let pair = Pair::relative(&model, &model, pose).expect("near");
            let averaged = pair.averaged(&averages, &averages).expect("its own");
            let first = averaged.collide(&Quality::paper(), &Settings::default(), &mut scratch).evidence;
            let guess = averaged.collide(&Quality::paper(), &Settings::default(), &mut scratch);
            assert_eq!((guess.evidence, guess.stats.triangle_tests), (first, 0));
            assert!(guess.raw().is_finite() && guess.is_complete);
        }
    }
}

/// Contacts are where the likely pairs say.
#[test]
fn likely_pairs_are_near_contacts() {
    let model = Model::with(mesh(36, 24), VolumeKind::Obb, &BuildOptions::default());
    let averages = Averages::new(&model, &Options::default());
    let (mut scratch, mut other) = (Scratch::new(), Scratch::new());
    let (mut pairs_seen, mut with_contact) = (0, 0);
    for (pose, touches) in poses(&model, 60) {
        let pair = Pair::relative(&model, &model, &pose).expect("near");
        let averaged = pair.averaged(&averages, &averages).expect("its own");
        let guess = averaged.collide(&Quality::tuned(), &Settings::default(), &mut scratch);
        if guess.collides() != Some(true) || !touches {
            continue;
        }
        let contacts = pair.contacts(&Settings::default(), &mut other).pairs;
        for likely in guess.likely {
            let [low, high] = averaged.contact_box(likely);
            let inside = contacts.iter().any(|&contact| {
                pair.overlap(contact).points().iter().any(|point| point.cmpge(low).all() && point.cmple(high).all())
            });
            pairs_seen += 1;
            with_contact += usize::from(inside);
        }
    }
    assert!(pairs_seen > 200 && with_contact * 10 > pairs_seen * 6, "{with_contact} of {pairs_seen}");
}

#[test]
fn interrupted_searches_say_how_likely() {
    let model = Model::new(mesh(36, 24));
    let averages = Averages::new(&model, &Options::default());
    let mut scratch = Scratch::new();
    let mut interrupted = [0, 0];
    let asked = poses(&model, 40);
    for (pose, quality) in asked.iter().flat_map(|(pose, _)| [(pose, Quality::default()), (pose, Quality::tuned())]) {
        let pair = Pair::relative(&model, &model, pose).expect("near");
        let averaged = pair.averaged(&averages, &averages).expect("its own");
        let mut ask = |budget| {
            let settings = Settings::new().budget(budget);
            let guess = averaged.collide(&quality, &settings, &mut scratch);
            assert!((0.0..=1.0).contains(&guess.probability()) && (0.0..=1.0).contains(&guess.raw()));
            (guess.evidence, guess.stats)
        };
        let (whole, stats) = ask(Budget::UNLIMITED);
        assert_ne!(whole.outcome, Outcome::Interrupted);
        for units in [1, 5, 20] {
            let (part, spent) = ask(Budget::work(units));
            if stats.volume_tests + stats.triangle_tests <= units {
                assert_eq!(part, whole, "what is done in time is the same");
            } else if part.outcome == Outcome::Interrupted {
                interrupted[quality.rule as usize] += 1;
                let spent = spent.volume_tests + spent.triangle_tests;
                assert!((units..=units + 4).contains(&spent), "{spent:?}");
                assert!(part.open > 0);
            }
        }
    }
    assert!(interrupted.iter().all(|&count| count > 40), "{interrupted:?}");
}

#[test]
fn apart_is_certain() {
    let model = Model::new(mesh(12, 8));
    let averages = Averages::new(&model, &Options::default());
    let pair = Pair::relative(&model, &model, &Pose::from_translation([9.0, 0.0, 0.0]).expect("finite")).expect("near");
    let mut scratch = Scratch::new();
    let guess = pair.averaged(&averages, &averages).expect("its own").collide(
        &Quality::default(),
        &Settings::default(),
        &mut scratch,
    );
    assert_eq!((guess.collides(), guess.probability(), guess.raw()), (Some(false), 0.0, 0.0));
    assert_eq!(guess.stats.volume_tests, 1);
}

#[test]
fn tables_of_other_trees_are_refused() {
    let (model, other) = (Model::new(mesh(12, 8)), Model::new(mesh(12, 9)));
    let (own, strange) = (Averages::new(&model, &Options::default()), Averages::new(&other, &Options::default()));
    let pair = Pair::relative(&model, &model, &Pose::IDENTITY).expect("near");
    assert_eq!(pair.averaged(&own, &strange).expect_err("refused"), QueryError::OtherTree { model: 'b' });
    assert_eq!(pair.averaged(&strange, &own).expect_err("refused"), QueryError::OtherTree { model: 'a' });
}

/// Points, needles, huge and tiny coordinates: no panic, and a number.
#[test]
fn degenerate_meshes_have_answers() {
    let triangles = [[0, 1, 2]];
    for corners in [
        [[1.0; 3]; 3],
        [[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]],
        [[1e300, 0.0, 0.0], [-1e300, 1e300, 0.0], [0.0, -1e300, 1e300]],
        [[1e-300, 0.0, 0.0], [-1e-300, 1e-300, 0.0], [0.0, -1e-300, 1e-300]],
    ] {
        for &volume in VolumeKind::ALL {
            let model = Model::with(Mesh::new(&corners, &triangles).expect("legal"), volume, &BuildOptions::default());
            let averages = Averages::new(&model, &Options::default());
            let pair = Pair::relative(&model, &model, &Pose::IDENTITY).expect("near");
            let mut scratch = Scratch::new();
            let guess = pair.averaged(&averages, &averages).expect("its own").collide(
                &Quality::default(),
                &Settings::default(),
                &mut scratch,
            );
            assert!((0.0..=1.0).contains(&guess.probability()), "{volume}: {corners:?}");
        }
    }
}

/// By either rule, contacts have high probabilities and misses low ones.
#[test]
fn the_fitted_calibration_is_sensible() {
    let model = Model::new(mesh(36, 24));
    let averages = Averages::new(&model, &Options::default());
    let mut scratch = Scratch::new();
    let poses = poses(&model, 100);
    for quality in [Quality::default(), Quality::tuned()] {
        let (mut of_contacts, mut of_misses) = ((0.0, 0.0), (0.0, 0.0));
        for &(pose, touches) in &poses {
            let pair = Pair::relative(&model, &model, &pose).expect("near");
            let averaged = pair.averaged(&averages, &averages).expect("its own");
            for units in [8, 30, u64::MAX] {
                let settings = Settings::new().budget(Budget::work(units));
                let guess = averaged.collide(&quality, &settings, &mut scratch);
                let sums = if touches { &mut of_contacts } else { &mut of_misses };
                *sums = (sums.0 + guess.probability(), sums.1 + 1.0);
                match guess.evidence.outcome {
                    Outcome::Collision => assert!(guess.probability() > 0.6, "{:?}", guess.evidence),
                    Outcome::NoCollision => assert!(guess.probability() < 0.5, "{:?}", guess.evidence),
                    Outcome::Interrupted => {}
                }
                let blind = Calibration { weights: [[[0.0; FEATURES]; 3]; 2], shares: [0.5; 2] };
                assert!(guess.evidence.is_proof() || guess.calibrated(&blind) == 0.5);
                assert_eq!(guess.calibrated(&FITTED), guess.probability());
                // Told how often bodies touch, one that knows nothing says just that; and certain
                // is certain.
                for share in [0.02, 0.5, 0.9] {
                    let told = guess.calibrated(&blind.expecting(share));
                    assert!(guess.evidence.is_proof() || (told - share).abs() < 1e-12, "{told} for {share}");
                    let again =
                        guess.calibrated(&FITTED.expecting(share).expecting(FITTED.shares[quality.rule as usize]));
                    assert!((again - guess.probability()).abs() < 1e-12);
                }
                let (rarer, oftener) = (FITTED.expecting(0.0), FITTED.expecting(1.0));
                assert!(
                    guess.calibrated(&rarer) <= guess.probability()
                        && guess.probability() <= guess.calibrated(&oftener)
                );
                assert!(!guess.evidence.is_proof() || guess.calibrated(&rarer) == guess.calibrated(&oftener));
            }
        }
        let (contacts, misses) = (of_contacts.0 / of_contacts.1, of_misses.0 / of_misses.1);
        assert!(contacts > misses + 0.35, "{:?}: of contacts {contacts}, of misses {misses}", quality.rule);
    }
}

/// Balls in balls, a gap apart that is much smaller than the nodes near the roots: the paper's rule
/// imagines contacts, the default proves that there are none, and says so; where facets cross, it
/// finds them.
#[test]
fn close_is_not_taken_for_a_contact() {
    let ball = shapes::icosphere(10);
    let model = |scale: f64| {
        let soup = ball.scaled(scale);
        Model::new(Mesh::new(&soup.vertices, &soup.triangles).expect("a mesh"))
    };
    let outer = model(1.0);
    let outer_averages = Averages::new(&outer, &Options::default());
    let (mut rng, mut scratch) = (Rng::new(97), Scratch::new());
    for (gap, touches) in [(0.05, false), (0.1, false), (0.2, false), (0.001, true)] {
        let inner = model(1.0 - gap);
        let averages = Averages::new(&inner, &Options::default());
        for _ in 0..5 {
            let pose = Pose::from_rows(rng.rotation(), [0.0; 3]).expect("a rotation");
            let pair = Pair::relative(&outer, &inner, &pose).expect("near");
            assert_eq!(pair.collide(&Settings::default(), &mut scratch).verdict == Verdict::Yes, touches, "gap {gap}");
            let averaged = pair.averaged(&outer_averages, &averages).expect("their own");
            let paper = averaged.collide(&Quality::tuned(), &Settings::default(), &mut scratch);
            assert_eq!((paper.collides(), paper.likely.len()), (Some(true), 10), "gap {gap}");
            let guess = averaged.collide(&Quality::default(), &Settings::default(), &mut scratch);
            assert_eq!((guess.collides(), guess.evidence.rule), (Some(touches), Rule::Crossings), "gap {gap}");
            assert_eq!(guess.probability() > 0.8, touches, "gap {gap}: {:?}", guess.evidence);
            assert_eq!(guess.probability() == 0.0, !touches, "gap {gap}");
            assert!(touches || guess.evidence.is_proof(), "gap {gap}");
        }
    }
}

/// Whatever the volume: what is certain is right, and by the default rule all misses are, and
/// contacts that triangles tell.
#[test]
fn certain_answers_are_right() {
    let mesh = mesh(24, 16);
    let poses = poses(&Model::new(mesh.clone()), 60);
    let limits = OctreeLimits { depth: 6, stop_count: 4 };
    let of_volumes = VolumeKind::ALL
        .iter()
        .map(|&volume| (volume.name(), Model::with(mesh.clone(), volume, &BuildOptions::default())));
    for (volume, model) in of_volumes.chain([("octree", octree_model(mesh.clone(), limits))]) {
        let averages = Averages::new(&model, &Options::default());
        let (mut proofs, mut single, mut scratch) = ([0; 2], 0, Scratch::new());
        for (pose, touches) in &poses {
            let pair = Pair::relative(&model, &model, pose).expect("near");
            let averaged = pair.averaged(&averages, &averages).expect("its own");
            let guess = averaged.collide(&Quality::default(), &Settings::default(), &mut scratch);
            if guess.evidence.is_proof() {
                assert_eq!(guess.probability(), f64::from(u8::from(*touches)), "{volume}: {:?}", guess.evidence);
                proofs[usize::from(*touches)] += 1;
            }
            assert!(guess.evidence.is_proof() || guess.collides() == Some(true), "{volume}: {:?}", guess.evidence);
            // Pieces that cross are an average's word, and no proof.
            assert!(guess.evidence.crossings == 0 || !guess.evidence.is_proof(), "{volume}: {:?}", guess.evidence);
            single += usize::from(guess.evidence.crossings == 1);
        }
        assert!(proofs[0] > 5 && proofs[1] > 0 && single > 0, "{volume}: {proofs:?}, {single}");
    }
}

/// A corner that just gets through another triangle near its rim: no crossing, so the triangles are
/// asked. A hair back, they are apart.
#[test]
fn a_contact_at_the_rims_is_seen_exactly() {
    let model = |corners: [[f64; 3]; 3]| Model::new(Mesh::new(&corners, &[[0, 1, 2]]).expect("a triangle"));
    let floor = model([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    for (tip, outcome) in [(-0.05, Outcome::Collision), (0.0, Outcome::Collision), (1e-12, Outcome::NoCollision)] {
        let spike = model([[0.9, 0.05, tip], [0.6, 0.0, 1.0], [1.2, 0.1, 1.0]]);
        let averages = [&floor, &spike].map(|model| Averages::new(model, &Options::default()));
        let pair = Pair::relative(&floor, &spike, &Pose::IDENTITY).expect("near");
        let mut scratch = Scratch::new();
        let averaged = pair.averaged(&averages[0], &averages[1]).expect("their own");
        let guess = averaged.collide(&Quality::default(), &Settings::default(), &mut scratch);
        assert_eq!((guess.evidence.outcome, guess.evidence.crossings), (outcome, 0), "{tip}: {:?}", guess.evidence);
        assert!(outcome == Outcome::NoCollision || guess.stats.triangle_tests == 1, "{tip}");
        assert_eq!(guess.probability(), f64::from(u8::from(outcome == Outcome::Collision)), "{tip}");
    }
}

/// A cell with several triangles is touched at any one of them: near its rim, where no pieces
/// cross.
#[test]
fn every_triangle_of_a_cell_is_asked() {
    let corners = |x: f64| [[x, 0.0, 0.0], [x + 1.0, 0.0, 0.0], [x, 1.0, 0.0]];
    let floor: Vec<[f64; 3]> = [0.0, 3.0, 6.0].into_iter().flat_map(corners).collect();
    let floor = Mesh::new(&floor, &[[0, 1, 2], [3, 4, 5], [6, 7, 8]]).expect("three triangles");
    let floor = octree_model(floor, OctreeLimits { depth: 0, stop_count: 8 });
    let of_floor = Averages::new(&floor, &Options::default());
    let mut scratch = Scratch::new();
    for (x, outcome) in
        [0.0, 3.0, 6.0].into_iter().flat_map(|x| [(x, Outcome::Collision), (x + 1.5, Outcome::NoCollision)])
    {
        let spike = [[x + 0.9, 0.05, -0.05], [x + 0.6, 0.0, 1.0], [x + 1.2, 0.1, 1.0]];
        let spike = Model::new(Mesh::new(&spike, &[[0, 1, 2]]).expect("a triangle"));
        let spike = octree_model(spike.mesh().clone(), OctreeLimits { depth: 0, stop_count: 8 });
        let of_spike = Averages::new(&spike, &Options::default());
        for (a, b) in [(&floor, &spike), (&spike, &floor)] {
            let averages = if std::ptr::eq(a, &floor) { (&of_floor, &of_spike) } else { (&of_spike, &of_floor) };
            let pair = Pair::relative(a, b, &Pose::IDENTITY).expect("near");
            let averaged = pair.averaged(averages.0, averages.1).expect("their own");
            let guess = averaged.collide(&Quality::default(), &Settings::default(), &mut scratch);
            assert_eq!((guess.evidence.outcome, guess.evidence.crossings), (outcome, 0), "{x}: {:?}", guess.evidence);
        }
    }
}
