//! Straight lines in joint space: first contacts beside formulas, certificates beside samples.

mod support;

use nearhit::Pose;
use nearhit::shape::Shape;
use nearhit_robot::{CheckError, CheckOptions, Checker, PathOptions, PathVerdict, Random, Undecided};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_2};
use support::{ARM, CART, FLYER, robot};

fn checker(text: &str) -> Checker {
    Checker::new(robot(text), CheckOptions::default()).expect("a good robot")
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation([x, y, z]).expect("a place")
}

fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Shape::cuboid([x, y, z]).expect("a box")
}

/// A ball of radius 0.1, one metre out on x, on one joint.
fn ball_on(joint: &str) -> String {
    format!(
        "<robot name=\"one\"><link name=\"base\"/><link name=\"tip\"><collision><origin xyz=\"1 0 0\"/><geometry><sphere radius=\"0.1\"/></geometry></collision></link>
        <joint name=\"j\" {joint}<parent link=\"base\"/><child link=\"tip\"/></joint></robot>"
    )
}

/// The first contact must be found to a millionth, on the right sides.
#[track_caller]
fn assert_contact(checker: &Checker, q0: &[f64], q1: &[f64], expected: f64) {
    let found = checker.path_clear(q0, q1, &PathOptions::default(), &mut checker.scratch()).expect("an answer");
    let PathVerdict::Contact { after, at, .. } = found.verdict else { panic!("{found:?}") };
    assert!(after <= expected && expected <= at + 1e-12 && at - after <= 1e-6, "{found:?} {expected}");
}

#[test]
fn first_contacts_are_those_of_formulas() {
    // The face of the wall is at y = 0.5.
    let wall = |text: &str| {
        let mut checker = checker(text);
        checker.add_to_world("wall", cuboid(4.0, 1.0, 4.0), at(0.0, 1.0, 0.0)).expect("a new body");
        checker
    };
    let turn = 0.4_f64.asin();
    let revolute = wall(&ball_on("type=\"revolute\"><axis xyz=\"0 0 1\"/><limit lower=\"-9\" upper=\"9\"/>"));
    assert_contact(&revolute, &[0.0], &[FRAC_PI_2], turn / FRAC_PI_2);
    assert_contact(&revolute, &[-1.0], &[2.0], (turn + 1.0) / 3.0);
    let sliding = wall(&ball_on("type=\"prismatic\"><axis xyz=\"0 2 0\"/><limit lower=\"-9\" upper=\"9\"/>"));
    assert_contact(&sliding, &[-3.0], &[1.0], 3.4 / 4.0);
    let floating = wall(&ball_on("type=\"floating\">"));
    let upright = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    let quarter = [0.0, 0.0, 0.0, 0.0, 0.0, FRAC_1_SQRT_2, FRAC_1_SQRT_2];
    assert_contact(&floating, &upright, &quarter, turn / FRAC_PI_2);
    let planar = wall(&ball_on("type=\"planar\"><axis xyz=\"0 0 1\"/>"));
    assert_contact(&planar, &[0.0, 0.0, 0.0], &[0.3, 0.0, FRAC_PI_2], turn / FRAC_PI_2);
    assert_contact(&planar, &[0.0, 0.0, 0.0], &[0.0, 2.0, 0.0], 0.2);
}

#[test]
fn a_sheet_that_samples_miss_is_found() {
    let mut checker = checker(
        &ball_on("type=\"revolute\"><axis xyz=\"0 0 1\"/><limit lower=\"-9\" upper=\"9\"/>")
            .replace("sphere radius=\"0.1\"", "sphere radius=\"0.0001\""),
    );
    checker.add_to_world("sheet", cuboid(0.5, 1e-4, 0.5), at(1.0, 0.123, 0.0)).expect("a new body");
    let mut scratch = checker.scratch();
    let samples =
        (0..=1000).filter(|&i| checker.collides(&[f64::from(i) / 1000.0], &mut scratch).expect("an answer")).count();
    assert_eq!(samples, 0, "none of a thousand samples sees it");
    assert_contact(&checker, &[0.0], &[1.0], (0.123_f64 - 0.00015).asin());
}

#[test]
fn a_clearance_is_kept_at_every_instant() {
    let mut checker = checker(&ball_on("type=\"revolute\"><axis xyz=\"0 0 1\"/><limit lower=\"-9\" upper=\"9\"/>"));
    // The ball passes a post at a distance of 0.02, at the angle 0.5.
    let (sine, cosine) = 0.5_f64.sin_cos();
    checker
        .add_to_world("post", Shape::ball(0.1).expect("a ball"), at(1.22 * cosine, 1.22 * sine, 0.0))
        .expect("a new body");
    let mut scratch = checker.scratch();
    let mut ask = |clearance: f64| {
        let options = PathOptions::new().clearance(clearance);
        checker.path_clear(&[0.0], &[1.0], &options, &mut scratch).expect("an answer").verdict
    };
    assert_eq!(ask(0.0), PathVerdict::Clear);
    assert_eq!(ask(0.019), PathVerdict::Clear);
    assert!(matches!(ask(0.021), PathVerdict::Contact { .. }));
    // Closer than rounding can tell.
    assert!(!matches!(ask(0.02 - 1e-16), PathVerdict::Clear));
}

/// A robot among posts, for random lines.
fn scene(text: &str) -> Checker {
    let mut checker = checker(text);
    let mut random = Random::new(17);
    // Where the robot is.
    let [x, y, z] = if text == FLYER { [1.0, 2.0, 3.0] } else { [0.0, 0.0, 0.8] };
    for index in 0..6 {
        let place = [0, 1, 2].map(|_| random.between(-1.2, 1.2));
        let shape = match index % 3 {
            0 => cuboid(0.2, 0.1, 0.3),
            1 => Shape::ball(0.1).expect("a ball"),
            _ => Shape::capsule(0.05, 0.3).expect("a capsule"),
        };
        checker
            .add_to_world(&format!("post {index}"), shape, at(x + place[0], y + place[1], z + place[2]))
            .expect("a new body");
    }
    checker
}

#[test]
fn certificates_hold_at_samples() {
    for (text, lines) in [(ARM, 120), (CART, 240), (FLYER, 240)] {
        let checker = scene(text);
        let mut scratch = checker.scratch();
        let mut random = Random::new(23);
        let (mut clear, mut contact) = (0, 0);
        for _ in 0..lines {
            let q0 = checker.robot().random_configuration(&mut random);
            let mut q1 = checker.robot().random_configuration(&mut random);
            // Short enough that some are clear.
            let far = q1.clone();
            checker.robot().interpolate(&q0, &far, 0.25, &mut q1).expect("configurations");
            let found = checker.path_clear(&q0, &q1, &PathOptions::default(), &mut scratch).expect("an answer");
            let certain = match found.verdict {
                PathVerdict::Clear => {
                    clear += 1;
                    1.0
                }
                PathVerdict::Contact { after, at, pair, .. } => {
                    contact += 1;
                    let mut q = q0.clone();
                    checker.robot().interpolate(&q0, &q1, at, &mut q).expect("configurations");
                    let mut contacts = Vec::new();
                    checker.contacts(&q, &mut scratch, &mut contacts).expect("an answer");
                    assert!(contacts.contains(&pair), "{found:?}");
                    // Bodies that graze each other before they touch leave more open.
                    assert!(at - after <= 1e-4, "{found:?}");
                    after
                }
                verdict => panic!("{verdict:?}"),
            };
            let mut q = q0.clone();
            for sample in 0..200 {
                let t = f64::from(sample) / 200.0 * certain;
                checker.robot().interpolate(&q0, &q1, t, &mut q).expect("configurations");
                assert!(t >= certain || !checker.collides(&q, &mut scratch).expect("an answer"), "{found:?} {t}");
            }
        }
        assert!(clear > lines / 20 && contact > lines / 20, "{} {clear} {contact}", checker.robot().name());
    }
}

#[test]
fn a_budget_says_how_far_it_is_certain() {
    let checker = scene(ARM);
    let mut scratch = checker.scratch();
    let mut random = Random::new(31);
    let mut partial = 0;
    for _ in 0..40 {
        let q0 = checker.robot().random_configuration(&mut random);
        let q1 = checker.robot().random_configuration(&mut random);
        let whole = checker.path_clear(&q0, &q1, &PathOptions::default(), &mut scratch).expect("an answer");
        let end = match whole.verdict {
            PathVerdict::Contact { at, .. } => at,
            _ => 1.0,
        };
        let mut before = 0.0;
        for budget in [0, 10, 100, 1000] {
            let options = PathOptions::new().budget(budget);
            let found = checker.path_clear(&q0, &q1, &options, &mut scratch).expect("an answer");
            let certain = match found.verdict {
                PathVerdict::Clear => 1.0,
                PathVerdict::Contact { after, .. } => after,
                PathVerdict::Undecided { certain_until, why, .. } => {
                    assert_eq!(why, Undecided::Budget);
                    partial += usize::from(certain_until > 0.0);
                    certain_until
                }
                other => panic!("{other:?}"),
            };
            assert!(certain >= before && certain <= end, "{found:?} {before} {end}");
            assert_eq!(found.is_complete(), !matches!(found.verdict, PathVerdict::Undecided { .. }));
            before = certain;
        }
    }
    assert!(partial > 5, "{partial}");
}

#[test]
fn lines_through_several_configurations_name_the_one_that_is_not_clear() {
    let mut checker = checker(&ball_on("type=\"prismatic\"><axis xyz=\"0 1 0\"/><limit lower=\"-9\" upper=\"9\"/>"));
    checker.add_to_world("wall", cuboid(4.0, 1.0, 4.0), at(0.0, 1.0, 0.0)).expect("a new body");
    let mut scratch = checker.scratch();
    let options = PathOptions::default();
    let found = checker.polyline_clear(&[-2.0, 0.0, 0.3, 0.5, 0.0], &options, &mut scratch).expect("an answer");
    assert_eq!(found.map(|(line, _)| line), Some(2));
    assert!(checker.polyline_clear(&[-2.0, 0.0, 0.3], &options, &mut scratch).expect("an answer").is_none());
    let wrong = options.clearance(-1.0);
    assert!(matches!(checker.path_clear(&[0.0], &[1.0], &wrong, &mut scratch), Err(CheckError::Length { .. })));
}

/// A ball that slides inside of a closed box of triangles, and a bar that can reach neither.
const NESTED: &str = r#"<robot name="nested">
  <link name="room"><collision><geometry><box size="1 1 1"/></geometry></collision></link><link name="mid"/>
  <link name="ball"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <link name="arm"><collision><origin xyz="2 0 0"/><geometry><box size="0.2 0.1 0.1"/></geometry></collision></link>
  <link name="wheel"><collision><origin xyz="0.3 0 0"/><geometry><box size="0.7 0.02 0.02"/></geometry></collision></link>
  <joint name="x" type="prismatic"><parent link="room"/><child link="mid"/><limit lower="-0.3" upper="0.3"/></joint>
  <joint name="y" type="prismatic"><parent link="mid"/><child link="ball"/><axis xyz="0 1 0"/><limit lower="-0.3" upper="0.3"/></joint>
  <joint name="swing" type="continuous"><parent link="mid"/><child link="arm"/><axis xyz="0 0 1"/></joint>
  <joint name="spin" type="continuous"><parent link="arm"/><child link="wheel"/><origin xyz="2.6 0 0"/><axis xyz="0 0 1"/></joint>
</robot>"#;

/// Do the bodies of two links touch? Asked of every body by itself.
fn links_touch(checker: &Checker, links: [usize; 2], q: &[f64]) -> bool {
    let mut poses = vec![nearhit::Pose::IDENTITY; checker.robot().links().len()];
    checker.robot().link_poses(q, &mut poses).expect("a configuration");
    let of =
        |link: usize| checker.bodies().iter().filter(move |body| body.parent == nearhit_robot::ParentFrame::Link(link));
    of(links[0]).any(|a| {
        of(links[1]).any(|b| {
            let [at_a, at_b] = [(a, links[0]), (b, links[1])].map(|(body, link)| poses[link] * body.parent_from_body);
            let pair = nearhit::shape::ShapePair::new(&a.shape, &at_a, &b.shape, &at_b).expect("two shapes");
            let settings = nearhit::Settings::default();
            pair.collide(&settings, &mut nearhit::Scratch::new()).verdict != nearhit::Verdict::No
        })
    })
}

#[test]
fn a_matrix_is_never_contradicted_by_samples() {
    use nearhit_robot::{MatrixOptions, MatrixSearch, PairVerdict};
    let mut counts = [0; 4];
    for text in [ARM, CART, NESTED, nearhit_robot::EXAMPLE_URDF] {
        let checker = Checker::new(robot(text), CheckOptions::default()).expect("a good robot");
        let mut search = MatrixSearch::new(&checker, MatrixOptions::new().samples(50).seed(3)).expect("a search");
        search.advance(4000, None).expect("answers");
        let mut random = Random::new(8);
        let seen: Vec<Vec<f64>> = (0..400).map(|_| checker.robot().random_configuration(&mut random)).collect();
        for entry in search.entries() {
            let mut touching = seen.iter().map(|q| links_touch(&checker, entry.links, q));
            match entry.verdict {
                PairVerdict::Never => assert!(!touching.any(|it| it), "{:?}", entry.links),
                PairVerdict::Always => assert!(touching.all(|it| it), "{:?}", entry.links),
                PairVerdict::Sometimes { touching, clear, .. } => {
                    assert!(links_touch(&checker, entry.links, &touching));
                    assert!(!links_touch(&checker, entry.links, &clear));
                }
                PairVerdict::Open { left, .. } => assert!(left > 0.0 && left <= 1.0),
                _ => panic!("another verdict"),
            }
            let verdict = search.entries().find(|other| other.links == entry.links).map(|other| other.verdict);
            counts[match verdict {
                Some(PairVerdict::Never) => 0,
                Some(PairVerdict::Always) => 1,
                Some(PairVerdict::Sometimes { .. }) => 2,
                _ => 3,
            }] += 1;
        }
    }
    assert!(counts[0] >= 4 && counts[1] >= 1 && counts[2] >= 10, "{counts:?}");
}

/// Contacts and gaps of a hundred thousandth of the range, which no sample meets: what is proven of
/// the rest must not cover them.
#[test]
fn a_matrix_does_not_overlook_what_is_rare() {
    use nearhit_robot::{MatrixOptions, MatrixSearch, PairVerdict};
    let links = r#"<link name="mid"/><joint name="weld" type="fixed"><parent link="base"/><child link="mid"/></joint>
        <joint name="move" type="#;
    let ends = |kind: &str| format!(r#"{links}{kind}<parent link="mid"/><child link="tip"/></joint>"#);
    let (mut found, mut tests) = ([0; 2], 0);
    for step in 0..24 {
        let at = -2.9 + 0.2397 * f64::from(step);
        // Two dots on one circle.
        let dot = |x: f64, y: f64| {
            format!(
                r#"<collision><origin xyz="{x} {y} 0"/><geometry><sphere radius="0.00001"/></geometry></collision>"#
            )
        };
        let turn = ends(r#""revolute"><axis xyz="0 0 1"/><limit lower="-3" upper="3"/>"#);
        let dots = format!(
            r#"<robot name="dots"><link name="base">{}</link><link name="tip">{}</link>{turn}</robot>"#,
            dot(at.cos(), at.sin()),
            dot(1.0, 0.0)
        );
        // A block on a rail with a gap that is hardly longer than the block.
        let bar = |low: f64, high: f64| {
            let (middle, length) = (0.5 * (low + high), high - low);
            format!(
                r#"<collision><origin xyz="{middle} 0 0"/><geometry><box size="{length} 0.1 0.1"/></geometry></collision>"#
            )
        };
        let slide = ends(r#""prismatic"><axis xyz="1 0 0"/><limit lower="-3" upper="3"/>"#);
        let rail = format!(
            r#"<robot name="rail"><link name="base">{}{}</link><link name="tip">{}</link>{slide}</robot>"#,
            bar(-5.0, at - 0.20002),
            bar(at + 0.20002, 5.0),
            bar(-0.2, 0.2)
        );
        for (kind, text) in [dots, rail].iter().enumerate() {
            let checker = Checker::new(robot(text), CheckOptions::default()).expect("a good robot");
            let mut search = MatrixSearch::new(&checker, MatrixOptions::new().samples(1).seed(5)).expect("a search");
            search.advance(4000, None).expect("answers");
            let entries: Vec<_> = search.entries().collect();
            assert_eq!(entries.len(), 1, "{text}");
            match &entries[0].verdict {
                PairVerdict::Sometimes { touching, clear, .. } => {
                    assert!(links_touch(&checker, entries[0].links, touching));
                    assert!(!links_touch(&checker, entries[0].links, clear));
                    found[kind] += 1;
                }
                PairVerdict::Open { .. } => {}
                other => panic!("{other:?} at {at}: {text}"),
            }
            tests = tests.max(entries[0].tests);
        }
    }
    assert!(found.iter().all(|&count| count > 16), "{found:?}, at most {tests} tests");
}

#[test]
fn a_search_that_was_saved_goes_on_as_if_it_had_not_been() {
    use nearhit_robot::{MatrixError, MatrixSearch};
    let checker = Checker::new(nearhit_robot::Robot::example(), CheckOptions::default()).expect("a good robot");
    let mut search = MatrixSearch::new(&checker, Default::default()).expect("a search");
    search.advance(1500, None).expect("answers");
    assert!(!search.is_done());
    let text = search.save();
    let mut resumed = MatrixSearch::resume(&checker, &text).expect("it was saved");
    assert_eq!(resumed.save(), text);
    search.advance(1500, None).expect("answers");
    resumed.advance(1500, None).expect("answers");
    assert_eq!(resumed.entries().collect::<Vec<_>>(), search.entries().collect::<Vec<_>>());
    let mut other = checker.clone();
    other.pad("hand", 0.001).expect("a link");
    assert_eq!(MatrixSearch::resume(&other, &text).err(), Some(MatrixError::OtherRobot));
    // Lines that are lost or damaged are named, and nothing panics.
    let lines: Vec<&str> = text.lines().collect();
    for cut in (0..lines.len()).step_by(7) {
        let mut damaged = lines.clone();
        damaged.remove(cut);
        assert!(MatrixSearch::resume(&checker, &damaged.join("\n")).is_err(), "{cut}");
        let mut damaged = lines.clone();
        let line = damaged[cut].replace(['0', '1'], "x");
        damaged[cut] = &line;
        _ = MatrixSearch::resume(&checker, &damaged.join("\n"));
    }
}
