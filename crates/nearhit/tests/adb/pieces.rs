//! Flat pieces: what they say of two triangles, held against exact arithmetic; and of surfaces.

use nearhit::research::MeshExt;
use nearhit::research::ModelExt;
use nearhit::research::PairExt;
use nearhit::research::VolumeKind;
use nearhit::research::adb::patch::{Across, Contact, Kind};
use nearhit::research::adb::{Averages, Options, Outcome, Quality};
use nearhit::research::build::BuildOptions;
use nearhit::research::volume::Placement;
use nearhit::{Mesh, Model, Pair, Pose, Scratch, Settings, Verdict};
use nearhit_testkit::rng::Rng;
use nearhit_testkit::{Soup, brute, shapes};

fn model(soup: &Soup) -> Model {
    let mesh = Mesh::new(&soup.vertices, &soup.triangles).expect("a mesh");
    Model::with(mesh, VolumeKind::Obb, &BuildOptions::default())
}

/// Two triangles that cross do, and two that are apart are, at every scale and far from the origin.
#[test]
fn triangles_are_judged_right() {
    let mut rng = Rng::new(4_711);
    let (mut crossing, mut apart, mut unclear) = ([0; 2], [0; 2], [0; 2]);
    for round in 0..6_000 {
        let scale = [1.0, 1e-6, 1e6][round % 3];
        let away = [0.0, 3.0, 1e4][round / 3 % 3] * scale;
        let mut triangle = |size: f64| {
            let flat = if rng.chance(0.3) { 0.02 } else { 1.0 };
            let vertices = (0..3).map(|_| {
                let [x, y, z] = rng.point(-1.0, 1.0);
                [x * size * scale + away, y * size * flat * scale, z * size * scale - away]
            });
            Soup { vertices: vertices.collect(), triangles: vec![[0, 1, 2]] }
        };
        let size = 0.3 + 1.7 * f64::from(round as u32 % 7) / 6.0;
        let soups = [triangle(1.0), triangle(size)];
        let [a, b] = soups.each_ref().map(model);
        let pose = Pose::from_rows(rng.rotation(), rng.point(-0.4, 0.4).map(|part| part * scale)).expect("a rotation");
        // About the middle of what is far away.
        let back = Pose::from_translation([-away, 0.0, away]).expect("finite");
        let there = Pose::from_translation([away, 0.0, -away]).expect("finite");
        let pose = there * pose * back;
        let rows = pose.rotation().transpose().to_cols_array_2d();
        let touches = brute::collides(&soups[0], &soups[1], &rows, &pose.translation().to_array());
        let tables = [&a, &b].map(|model| Averages::new(model, &Options::default()));
        let placement = Placement::new(&pose, a.mesh().max_coordinate(), b.mesh().max_coordinate());
        let across = Across::new(tables[0].pieces().expect("kept"), tables[1].pieces().expect("kept"), &placement);
        let (of_a, of_b) = (tables[0].pieces().expect("kept").of(0), tables[1].pieces().expect("kept").of(0));
        let contact = across.contact(of_a, of_b);
        let counts = match contact {
            Contact::Crossing(_) => &mut crossing,
            Contact::Apart => &mut apart,
            Contact::Unclear => &mut unclear,
        };
        counts[usize::from(touches)] += 1;
        match contact {
            Contact::Crossing(margin) if margin > 1.0 => assert!(touches, "round {round}: margin {margin}"),
            Contact::Apart => assert!(!touches, "round {round}"),
            _ => {}
        }
        // Far pairs are only those that do not touch.
        assert!(!touches || across.rank([of_a, of_a], [of_b, of_b]).near == 0b1111, "round {round}");
        assert!(
            !touches
                || !across
                    .apart(tables[0].pieces().expect("kept").block(0), tables[1].pieces().expect("kept").block(0)),
            "round {round}"
        );
    }
    assert!(
        crossing[1] > 500 && apart[0] > 1_500 && unclear[0] + unclear[1] > 500,
        "{crossing:?} {apart:?} {unclear:?}"
    );
    assert!(crossing[0] * 100 < crossing[1], "{crossing:?}");
}

/// A sheet is one, a ball and scattered triangles are none, whatever the unit.
#[test]
fn sheets_are_told_from_the_rest() {
    let share = |soup: &Soup, scale: f64| {
        let model = model(&soup.scaled(scale));
        let averages = Averages::new(&model, &Options::default());
        assert_ne!(averages.pieces().expect("kept").of(0).kind(), Kind::Triangle);
        let nodes = 200;
        let sheets = (0..nodes).filter(|&node| averages.pieces().expect("kept").of(node).kind() == Kind::Sheet).count();
        sheets as f64 / f64::from(nodes)
    };
    let (sheet, scattered) = (shapes::wavy_sheet(40, 0.1, 3), shapes::disjoint_tetrahedra(400, 2.0, 3));
    // Flat, but most of it is missing; and flat, but there twice.
    let mut holes = sheet.clone();
    holes.triangles = holes.triangles.chunks(4).map(|four| four[0]).collect();
    let mut folded = sheet.clone();
    folded.append(&sheet);
    for scale in [1.0, 1e-9, 1e9] {
        let shares = [&sheet, &scattered, &holes, &folded].map(|soup| share(soup, scale));
        assert!(shares[0] > 0.4 && shares[1..].iter().all(|&share| share < 0.1), "{shares:?} at {scale}");
    }
}

/// What crosses by its pieces touches: bodies of every kind, deep, shallow and close, and one in
/// the other.
#[test]
fn crossings_are_contacts() {
    let mut rng = Rng::new(92);
    let mut scratch = Scratch::new();
    let (mut crossings, mut coarse, mut close) = (0, 0, 0);
    let bodies = [
        shapes::torus(40, 24, 1.0, 0.3),
        shapes::wavy_sheet(30, 0.3, 3),
        shapes::engine_block(3, 16, 3),
        shapes::pipes(2_000, 1),
        shapes::disjoint_tetrahedra(300, 2.0, 17),
        shapes::icosphere(10),
    ];
    for soup in &bodies {
        let (model, smaller) = (model(soup), model(&soup.scaled(0.97)));
        let tables = [&model, &smaller].map(|model| Averages::new(model, &Options::default()));
        let reach = model.mesh().max_coordinate();
        for index in 0..80 {
            let far = reach * f64::from(index % 8) / 4.0;
            let pose = Pose::from_rows(rng.rotation(), rng.unit_vector().map(|part| part * far)).expect("a rotation");
            let pair = Pair::relative(&model, &smaller, &pose).expect("near");
            let touches = pair.collide(&Settings::default(), &mut scratch).verdict == Verdict::Yes;
            let averaged = pair.averaged(&tables[0], &tables[1]).expect("their own");
            let guess = averaged.collide(&Quality::default(), &Settings::default(), &mut scratch);
            if guess.evidence.crossings > 0 {
                assert!(touches, "{:?}", guess.evidence);
                assert_eq!((guess.evidence.outcome, guess.collides()), (Outcome::Collision, Some(true)));
                crossings += 1;
                coarse += usize::from(
                    tables[0].pieces().expect("kept").of(guess.likely[guess.likely.len() - 1].nodes.a).kind()
                        == Kind::Sheet,
                );
            }
            assert!(!guess.evidence.is_proof() || guess.collides() == Some(touches), "{:?}", guess.evidence);
            close += usize::from(!touches && guess.stats.triangle_tests > 0);
        }
    }
    assert!(crossings > 150 && coarse > 60 && close > 2, "{crossings} crossings, {coarse} coarse; {close} close");
}
