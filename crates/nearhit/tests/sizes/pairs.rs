//! Every volume and preset at every size that doubles have: whole meshes, clusters in meshes of
//! unit size, sizes mixed in one mesh, far from the origin, against exact arithmetic.

use crate::common::{Kind, a_third, every_volume, model};
use crate::truth::{Truth, truth};
use nearhit::research::ModelExt;
use nearhit::research::build::BuildOptions;
use nearhit::{Model, Pair, Pose, Scratch, Settings, Tolerance};
use nearhit_testkit::rng::Rng;
use nearhit_testkit::sizes::{self, Family, SizedPair};
use rayon::prelude::*;

fn check(case: &SizedPair, truth: &Truth, kind: Kind, at: &str) {
    let options = BuildOptions::new().leaf_size(2);
    let (a, b) = (model(&case.a, kind, &options), model(&case.b, kind, &options));
    for model in [&a, &b] {
        model.check().unwrap_or_else(|violation| panic!("{at}: {violation}\n{case:?}"));
        let mut file = Vec::new();
        model.save(&mut file).expect("memory");
        let read = Model::load(file.as_slice()).unwrap_or_else(|error| panic!("{at}: {error}\n{case:?}"));
        assert!(read.is_same_tree(model), "{at}: another tree is read\n{case:?}");
    }
    let pair = Pair::relative(&a, &b, &truth.a_from_b).expect("in range");
    let (settings, mut scratch) = (Settings::default(), Scratch::new());
    let touches = !truth.pairs.is_empty();
    assert_eq!(pair.collide(&settings, &mut scratch).verdict.known(), Some(touches), "{at}: collide\n{case:?}");
    assert_eq!(pair.contacts(&settings, &mut scratch).pairs, truth.pairs, "{at}: contacts\n{case:?}");
    let found = pair.distance(Tolerance::EXACT, &settings, &mut scratch);
    assert_eq!((found.lower, found.upper), (truth.distance, truth.distance), "{at}: distance\n{case:?}");
    for limit in [truth.distance, truth.distance.next_down(), truth.distance * 1.5] {
        let close = pair.within(limit, &settings, &mut scratch).verdict.known();
        assert_eq!(close, Some(truth.distance <= limit), "{at}: within {limit}\n{case:?}");
    }
}

/// How many pairs touched, and how many did not. Every round asks a third of the kinds.
fn check_decade(family: Family, decade: i32, kinds: &[Kind], rounds: usize) -> (usize, usize) {
    let mut rng = Rng::new(0x512e ^ (decade as u64) << 8 ^ family as u64);
    let (mut touching, mut apart) = (0, 0);
    for round in 0..rounds {
        let case = sizes::pair(family, decade, &mut rng);
        let truth = truth(&case);
        *(if truth.pairs.is_empty() { &mut apart } else { &mut touching }) += 1;
        for &kind in a_third(kinds, round + decade.unsigned_abs() as usize) {
            check(&case, &truth, kind, &format!("{family:?} of 1e{decade}, round {round}, {kind:?}"));
        }
    }
    (touching, apart)
}

fn check_sizes(decades: &[i32], kinds: &[Kind], rounds: usize) {
    let all: Vec<(Family, i32)> =
        Family::ALL.into_iter().flat_map(|family| decades.iter().map(move |&decade| (family, decade))).collect();
    let shares: Vec<_> = all.par_iter().map(|&(family, decade)| check_decade(family, decade, kinds, rounds)).collect();
    for (family, shares) in Family::ALL.into_iter().zip(shares.chunks(decades.len())) {
        let (touching, apart) = shares.iter().fold((0, 0), |sum, share| (sum.0 + share.0, sum.1 + share.1));
        assert!(touching * 10 > apart && apart * 10 > touching, "{family:?}: {touching} touch, {apart} do not");
    }
    // Every few decades, over all families.
    for (near, start) in decades.chunks_exact(5).zip((0..).step_by(5)) {
        let here = shares.chunks(decades.len()).flat_map(|family| &family[start..start + near.len()]);
        let (touching, apart) = here.fold((0, 0), |sum, share| (sum.0 + share.0, sum.1 + share.1));
        assert!(touching > 2 && apart > 2, "decades {near:?}: {touching} touch, {apart} do not");
    }
}

/// Found by an attack: fourth powers of 1e-155 underflow, so the axes of such a leaf were NaN, and
/// what they bound was culled.
#[test]
fn clusters_whose_squares_underflow_are_not_lost() {
    for exponent in (-166..=-146).step_by(2) {
        let size = 10f64.powi(exponent);
        let cluster = |shift: f64| {
            let mut soup = nearhit_testkit::shapes::icosphere(2).scaled(size).translated([shift * size, 0.0, 0.0]);
            for tip in [[1.0, 1.0, 1.0], [-1.0, -1.0, -1.0]] {
                let corner = soup.push_vertex(tip);
                soup.triangles.push([corner; 3]);
            }
            soup
        };
        let (a, b) = (cluster(0.0), cluster(0.5));
        let b = b.map(|[x, y, z]| if x.abs() == 1.0 { [x, -y, z] } else { [x, y, z] });
        for kind in every_volume() {
            let models = [&a, &b].map(|soup| model(soup, kind, &BuildOptions::default()));
            let pair = Pair::relative(&models[0], &models[1], &Pose::IDENTITY).expect("in range");
            let mut scratch = Scratch::new();
            assert_eq!(
                pair.collide(&Settings::default(), &mut scratch).verdict.known(),
                Some(true),
                "1e{exponent} {kind:?}"
            );
            assert!(!pair.contacts(&Settings::default(), &mut scratch).pairs.is_empty(), "1e{exponent} {kind:?}");
        }
    }
}

/// A model keeps its preset where its mesh is beyond the engine's range, so that it fits those that
/// are not.
#[test]
fn compact_models_of_any_size_make_a_pair() {
    let soup = nearhit_testkit::shapes::icosphere(2);
    for preset in nearhit::Preset::ALL {
        let models = [1.0, 1e16].map(|size| model(&soup.scaled(size), Kind::Auto(preset), &BuildOptions::default()));
        assert_eq!(models[0].volume_name(), models[1].volume_name());
        for (a, b) in [(0, 1), (1, 0), (1, 1)] {
            let pair = Pair::relative(&models[a], &models[b], &Pose::IDENTITY).expect("one preset");
            let found = pair.collide(&Settings::default(), &mut Scratch::new());
            assert_eq!(found.verdict.known(), Some(a == b), "{preset}");
        }
        let mut file = Vec::new();
        models[1].save(&mut file).expect("memory");
        assert_eq!(Model::load(file.as_slice()).expect("just saved").volume_name(), models[0].volume_name());
    }
}

#[test]
fn the_engine_is_right_at_every_size() {
    let engine: Vec<Kind> = every_volume().into_iter().filter(|kind| matches!(kind, Kind::Auto(_))).collect();
    check_sizes(&sizes::decades(), &engine, 6);
}

#[test]
fn every_volume_is_right_at_every_size() {
    let volumes: Vec<Kind> = every_volume().into_iter().filter(|kind| matches!(kind, Kind::Volume(_))).collect();
    if !volumes.is_empty() {
        check_sizes(&sizes::decades(), &volumes, 2);
    }
}
