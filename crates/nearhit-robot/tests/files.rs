//! URDF and SRDF files: what is read, what is refused and how, what is ignored, where meshes are.

mod support;

use nearhit_robot::{
    Allowed, CheckOptions, Checker, Geometry, JointKind, LoadGeometry, Problem, ReadOptions, Robot, RobotError,
    SearchPath, Solids,
};
use std::path::{Path, PathBuf};
use support::{ARM, CART, robot};

fn parse(text: &str) -> Result<Robot, RobotError> {
    Robot::parse(text, Path::new("robot.urdf"), &ReadOptions::default())
}

#[track_caller]
fn refusal(text: &str) -> String {
    parse(text).expect_err("a bad robot").to_string()
}

/// Two links and a joint, with something changed.
fn pair(joint: &str) -> String {
    format!("<robot name=\"r\">\n<link name=\"a\"/>\n<link name=\"b\"/>\n{joint}\n</robot>")
}

const JOINT: &str = "<joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/><limit lower=\"-1\" upper=\"1\"/></joint>";

#[test]
fn an_arm_is_read_as_it_is_written() {
    let robot = robot(ARM);
    assert_eq!((robot.name(), robot.links().len(), robot.joints().len()), ("arm", 8, 7));
    let lift = &robot.joints()[robot.joint("lift").expect("a joint")];
    assert_eq!((lift.kind, lift.axis, lift.line), (JointKind::Revolute, [0.0, 1.0, 0.0], 12));
    let limits = lift.limits.expect("limits");
    assert_eq!((limits.lower, limits.upper, limits.effort, limits.velocity), (-2.0, 2.0, 10.0, 1.0));
    let elbow = &robot.joints()[robot.joint("elbow").expect("a joint")];
    assert!((elbow.axis[1] - 2.0 * elbow.axis[0]).abs() < 1e-15 && (elbow.axis[0] - 0.2_f64.sqrt()).abs() < 1e-15);
    let follower = robot.joints()[6].mimic.expect("a follower");
    assert_eq!((follower.joint, follower.multiplier, follower.offset), (5, -1.0, 0.0));
    assert_eq!(robot.links()[2].collision[0].geometry, Geometry::Capsule { radius: 0.05, length: 0.3 });
    assert_eq!(robot.links()[2].collision[0].link_from_geometry.translation().z, 0.2);
    assert_eq!(robot.links()[3].collision[0].geometry, Geometry::Box { size: [0.08, 0.08, 0.35] });
    let ignored: Vec<String> = robot.ignored().iter().map(ToString::to_string).collect();
    assert_eq!(ignored, ["test.urdf:21: <transmission name=\"motor\"> in <robot name=\"arm\"> is ignored"]);
}

#[test]
fn what_is_no_tree_is_refused() {
    let two = |second: &str| refusal(&pair(&format!("{JOINT}\n{second}")));
    assert_eq!(refusal("<robot/>"), "robot.urdf:1: <robot>: the robot has no links");
    assert_eq!(
        refusal(&pair("")),
        "robot.urdf:3: <link name=\"b\">: links \"a\" and \"b\" both have no parent: a robot has one root"
    );
    let back = JOINT
        .replace("\"j\"", "\"k\"")
        .replace("parent link=\"a\"", "parent link=\"b\"")
        .replace("child link=\"b\"", "child link=\"a\"");
    assert_eq!(two(&back), "robot.urdf:2: <link name=\"a\">: link \"a\" is its own ancestor: links must form a tree");
    let again = JOINT.replace("\"j\"", "\"k\"");
    assert_eq!(
        two(&again),
        "robot.urdf:5: <joint name=\"k\">: link \"b\" is the child of joint \"j\" already: links must form a tree"
    );
    assert_eq!(two(JOINT), "robot.urdf:5: <joint name=\"j\">: there is another joint \"j\"");
    assert_eq!(refusal(&pair("<link name=\"a\"/>")), "robot.urdf:4: <link name=\"a\">: there is another link \"a\"");
    let missing = JOINT.replace("parent link=\"a\"", "parent link=\"c\"");
    assert_eq!(refusal(&pair(&missing)), "robot.urdf:4: <joint name=\"j\">: there is no link \"c\"");
    // A cycle beside the root.
    let beside =
        "<robot><link name=\"r\"/><link name=\"a\"/><link name=\"b\"/>".to_owned() + JOINT + &back + "</robot>";
    assert!(refusal(&beside).contains("is its own ancestor"), "{}", refusal(&beside));
}

#[test]
fn bad_values_are_named_with_line_and_element() {
    let changed = |from: &str, to: &str| refusal(&pair(&JOINT.replace(from, to)));
    assert_eq!(
        changed("revolute", "hinge"),
        "robot.urdf:4: <joint name=\"j\">: the type is \"hinge\"; known: fixed, revolute, continuous, prismatic, planar, floating"
    );
    assert_eq!(
        changed("lower=\"-1\"", "lower=\"x\""),
        "robot.urdf:4: <limit>: attribute \"lower\" is \"x\", not a number"
    );
    assert_eq!(
        changed("lower=\"-1\"", "lower=\"nan\""),
        "robot.urdf:4: <limit>: attribute \"lower\" is \"nan\", not a number"
    );
    assert_eq!(
        changed("lower=\"-1\"", "lower=\"2\""),
        "robot.urdf:4: <limit>: the lower limit 2 is above the upper limit 1"
    );
    assert_eq!(changed("<limit lower=\"-1\" upper=\"1\"/>", ""), "robot.urdf:4: <joint name=\"j\">: it has no <limit>");
    assert_eq!(changed("<parent link=\"a\"/>", ""), "robot.urdf:4: <joint name=\"j\">: it has no <parent>");
    assert_eq!(
        changed("<limit", "<axis xyz=\"0 0 0\"/><limit"),
        "robot.urdf:4: <axis>: the axis is [0.0, 0.0, 0.0], which has no direction"
    );
    assert_eq!(
        changed("<limit", "<axis xyz=\"0 1\"/><limit"),
        "robot.urdf:4: <axis>: attribute \"xyz\" has 2 numbers, not 3"
    );
    assert_eq!(
        changed("<limit", "<origin xyz=\"0 inf 0\"/><limit"),
        "robot.urdf:4: <origin>: attribute \"xyz\" is \"inf\", not a finite number of at most 1e12"
    );
    assert_eq!(
        changed("<limit", "<origin/><origin/><limit"),
        "robot.urdf:4: <origin>: there is another element \"origin\""
    );
    let shape = |shape: &str| {
        refusal(&format!("<robot><link name=\"a\"><collision><geometry>{shape}</geometry></collision></link></robot>"))
    };
    assert_eq!(
        shape("<sphere radius=\"0\"/>"),
        "robot.urdf:1: <sphere>: attribute \"radius\" is 0: it must be above 0"
    );
    assert_eq!(
        shape("<box size=\"1 -1 1\"/>"),
        "robot.urdf:1: <box>: attribute \"size\" is -1: a side must be above 0"
    );
    assert_eq!(
        shape("<torus/>"),
        "robot.urdf:1: <torus>: the shape is \"torus\"; known: box, cylinder, sphere, capsule, mesh"
    );
    assert_eq!(shape(""), "robot.urdf:1: <geometry>: it has no shape");
    assert!(shape("<mesh filename=\"http://a/b.stl\"/>").contains("is not an address of a file"));
    assert!(shape("<mesh filename=\"package://nowhere/b.stl\"/>").contains("was not found"));
    assert_eq!(refusal("<sdf/>"), "robot.urdf:1: <sdf>: the file does not begin with <robot>");
    assert!(matches!(parse("<robot>\n<link></robot>"), Err(RobotError::Xml { line: 2, .. })));
    assert!(refusal("<!DOCTYPE r [<!ENTITY a \"b\">]><robot>&a;</robot>").contains("DTD"));
}

#[test]
fn joints_that_follow_are_resolved_or_refused() {
    let with = |first: &str, second: &str| {
        format!(
            "<robot><link name=\"a\"/><link name=\"b\"/><link name=\"c\"/><link name=\"d\"/>
            <joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/><limit/>{first}</joint>
            <joint name=\"k\" type=\"revolute\"><parent link=\"b\"/><child link=\"c\"/><limit/>{second}</joint>
            <joint name=\"l\" type=\"prismatic\"><parent link=\"c\"/><child link=\"d\"/><limit/><mimic joint=\"k\" multiplier=\"3\" offset=\"1\"/></joint></robot>"
        )
    };
    let robot = parse(&with("", "<mimic joint=\"j\" multiplier=\"2\" offset=\"5\"/>")).expect("a good robot");
    let mimic = robot.joints()[2].mimic.expect("it follows");
    // 3 (2 q + 5) + 1.
    assert_eq!((mimic.joint, mimic.multiplier, mimic.offset), (0, 6.0, 16.0));
    assert_eq!(robot.coordinates(), 1);
    let cycle = refusal(&with("<mimic joint=\"l\"/>", "<mimic joint=\"j\"/>"));
    assert!(cycle.contains("<joint name=\"j\">: it mimics itself, by way of"), "{cycle}");
    assert!(refusal(&with("", "<mimic joint=\"x\"/>")).contains("<joint name=\"k\">: there is no joint \"x\""));
    let planar = with("", "").replace("name=\"k\" type=\"revolute\"", "name=\"k\" type=\"planar\"");
    assert!(refusal(&planar).contains("joint \"k\" is planar: only joints of one coordinate can mimic or be mimicked"));
    let fixed = with("", "<mimic joint=\"j\"/>")
        .replace("name=\"k\" type=\"revolute\"", "name=\"k\" type=\"fixed\"")
        .replace("joint=\"k\"", "joint=\"j\"");
    assert_eq!(parse(&fixed).expect("a good robot").ignored()[0].element, "<mimic joint=\"j\">");
}

#[test]
fn a_xacro_file_says_how_to_convert_it() {
    let text = "<robot xmlns:xacro=\"http://wiki.ros.org/xacro\">\n<xacro:include filename=\"a\"/></robot>";
    assert!(refusal(text).starts_with("robot.urdf:2: this is a xacro file, which is a program that writes a URDF; run it first: `xacro robot.urdf > robot.urdf`"));
    assert!(refusal("<robot>\n\n<link name=\"${name}\"/></robot>").starts_with("robot.urdf:3: this is a xacro file"));
    // What xacro leaves behind is no program.
    assert!(parse("<robot xmlns:xacro=\"http://wiki.ros.org/xacro\"><link name=\"a\"/></robot>").is_ok());
}

const SRDF: &str = r#"<robot name="arm">
  <group name="arm"><chain base_link="base" tip_link="flange"/></group>
  <group name="gripper"><link name="left"/><joint name="finger2"/></group>
  <group name="all"><group name="gripper"/><group name="arm"/><joint name="roll"/></group>
  <group_state name="home" group="arm"><joint name="lift" value="0.5"/></group_state>
  <disable_collisions link1="upper" link2="hand" reason="Never"/>
  <disable_collisions link1="upper" link2="wheel" reason="Never"/>
  <link_sphere_approximation link="hand"><sphere center="0 0 1" radius="0.1"/></link_sphere_approximation>
  <end_effector name="tool"/>
</robot>"#;

#[test]
fn an_srdf_gives_groups_pairs_states_and_balls() {
    let mut robot = robot(ARM);
    robot.parse_srdf(SRDF, Path::new("arm.srdf")).expect("a good file");
    let names = |joints: &[usize]| joints.iter().map(|&joint| robot.joints()[joint].name.as_str()).collect::<Vec<_>>();
    let semantics = robot.semantics();
    assert_eq!(names(&semantics.group("arm").expect("a group").joints), ["turn", "lift", "elbow", "wrist"]);
    assert_eq!(names(&semantics.group("gripper").expect("a group").joints), ["finger", "finger2"]);
    assert_eq!(semantics.group("all").expect("a group").joints, [0, 1, 2, 3, 4, 5, 6]);
    assert_eq!(semantics.disabled.len(), 1);
    assert_eq!((semantics.disabled[0].links, semantics.disabled[0].reason.as_str()), ([2, 5], "Never"));
    assert_eq!(semantics.states[0].values, [(1, vec![0.5])]);
    assert_eq!(semantics.spheres[0].spheres, [([0.0, 0.0, 1.0], 0.1)]);
    let ignored: Vec<usize> = robot.ignored().iter().skip(1).map(|one| one.line).collect();
    assert_eq!(ignored, [7, 9], "the unknown link, and the end effector");
}

#[test]
fn bad_srdf_files_are_refused() {
    let refusal = |text: &str| robot(ARM).parse_srdf(text, Path::new("arm.srdf")).expect_err("a bad file").to_string();
    let group = |inside: &str| {
        refusal(&format!(
            "<robot>\n<group name=\"g\">{inside}</group>\n<group name=\"h\"><group name=\"g\"/></group></robot>"
        ))
    };
    assert_eq!(group("<group name=\"h\"/>"), "arm.srdf:3: <group name=\"g\">: it contains itself, by way of \"g\"");
    assert_eq!(group("<group name=\"i\"/>"), "arm.srdf:2: <group name=\"i\">: there is no group \"i\"");
    assert_eq!(
        group("<chain base_link=\"hand\" tip_link=\"base\"/>"),
        "arm.srdf:2: <chain>: the chain goes from \"hand\" to \"base\", but \"hand\" is not an ancestor of \"base\""
    );
    assert_eq!(
        refusal("<robot><group_state name=\"s\" group=\"x\"/></robot>"),
        "arm.srdf:1: <group_state name=\"s\">: there is no group \"x\""
    );
    assert_eq!(
        refusal("<robot><group name=\"g\"/><group name=\"g\"/></robot>"),
        "arm.srdf:1: <group name=\"g\">: there is another group \"g\""
    );
}

#[test]
fn adjacent_and_disabled_links_may_touch() {
    let mut robot = robot(ARM);
    robot.parse_srdf(SRDF, Path::new("arm.srdf")).expect("a good file");
    let checker = Checker::new(robot, CheckOptions::default()).expect("a good robot");
    let reason = |a: &str, b: &str| {
        let [a, b] = [a, b].map(|name| checker.robot().link(name).expect("a link"));
        checker.allowed().reason(a, b).cloned()
    };
    assert_eq!(reason("base", "shoulder"), Some(Allowed::Adjacent));
    assert_eq!(reason("flange", "fore"), Some(Allowed::Rigid));
    assert_eq!(reason("fore", "hand"), Some(Allowed::Adjacent), "the flange is one piece with the fore arm");
    assert_eq!(reason("upper", "hand"), Some(Allowed::Srdf("Never".into())));
    assert_eq!(reason("base", "upper"), None);
    assert_eq!(reason("left", "right"), None);
    let links = |pair: &nearhit_robot::BodyPair| [pair.a, pair.b].map(|body| checker.bodies()[body].name.clone());
    assert!(checker.pairs().iter().all(|pair| links(pair) != ["base", "shoulder"]));
    assert!(checker.pairs().iter().any(|pair| links(pair) == ["left", "right"]));
}

/// A folder `arm_description` with a robot and a mesh, below a folder of its own for each test.
fn package(test: &str, mesh: &str, contents: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test).join("arm_description");
    std::fs::create_dir_all(folder.join("urdf")).expect("a folder");
    std::fs::create_dir_all(folder.join("meshes")).expect("a folder");
    std::fs::write(folder.join("meshes").join(mesh), contents).expect("a mesh");
    folder
}

fn with_mesh(address: &str, scale: &str) -> String {
    format!(
        "<robot name=\"m\"><link name=\"a\"><collision><geometry><mesh filename=\"{address}\" {scale}/></geometry></collision></link></robot>"
    )
}

const TETRAHEDRON: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";

#[test]
fn meshes_are_found_by_every_kind_of_address() {
    let folder = package("addresses", "a b.obj", TETRAHEDRON);
    let path = folder.join("urdf/robot.urdf");
    let absolute = folder.join("meshes/a b.obj");
    let elsewhere = Path::new("elsewhere/robot.urdf");
    let file = format!("file://{}", absolute.display().to_string().replace(' ', "%20"));
    let read = |address: &str, path: &Path, search: SearchPath| {
        let options = ReadOptions::new().search(search).geometry(LoadGeometry::Collision);
        let robot = Robot::parse(&with_mesh(address, ""), path, &options)?;
        let Geometry::Mesh { path, .. } = &robot.links()[0].collision[0].geometry else { panic!("a mesh") };
        Ok::<PathBuf, RobotError>(path.canonicalize().expect("a file"))
    };
    let expected = absolute.canonicalize().expect("a file");
    for address in [
        "package://arm_description/meshes/a b.obj",
        "model://arm_description/meshes/a b.obj",
        "../meshes/a b.obj",
        &file,
    ] {
        assert_eq!(read(address, &path, SearchPath::new()).expect("it is found"), expected, "{address}");
    }
    let address = "package://arm_description/meshes/a b.obj";
    let above = folder.parent().expect("a folder");
    for search in [SearchPath::new().with_folder(above), SearchPath::new().with_folder(&folder)] {
        assert_eq!(read(address, elsewhere, search).expect("it is found"), expected);
    }
    let error = read(address, elsewhere, SearchPath::new()).expect_err("it is nowhere");
    assert!(matches!(error, RobotError::Element { problem: Problem::Unresolved { .. }, .. }), "{error}");
    // For kinematics nothing is looked for.
    let options = ReadOptions::new().geometry(LoadGeometry::Nothing);
    assert!(Robot::parse(&with_mesh("package://nowhere/a.stl", ""), elsewhere, &options).is_ok());
}

fn bounds(robot: &Robot) -> ([f64; 3], [f64; 3]) {
    let checker = Checker::new(robot.clone(), CheckOptions::default()).expect("a good robot");
    let (low, high) = checker.bodies()[0].shape.bounds().expect("a mesh has an end");
    (low.to_array(), high.to_array())
}

#[test]
fn meshes_are_scaled_and_mirrored_and_stay_solid() {
    let path = package("scaled", "a.obj", TETRAHEDRON).join("urdf/robot.urdf");
    let read = |scale: &str| {
        Robot::parse(&with_mesh("../meshes/a.obj", scale), &path, &ReadOptions::default()).expect("a good robot")
    };
    let (low, high) = bounds(&read("scale=\"2 -3 0.001\""));
    for (found, expected) in low.into_iter().chain(high).zip([0.0, -3.0, 0.0, 2.0, 0.0, 0.001]) {
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }
    let mirrored =
        Checker::new(read("scale=\"1 1 -1\""), CheckOptions::new().solids(Solids::Solid)).expect("a good robot");
    let model = mirrored.bodies()[0].shape.model().expect("a mesh").clone();
    let inside = model.contains([0.1, 0.1, -0.1].into(), &mut nearhit::Scratch::new()).expect("a point");
    assert!(inside.is_in_solid() && inside.winding == Some(1.0), "triangles face outwards: {inside:?}");
}

#[test]
fn a_collada_file_in_inches_is_as_large_as_it_is() {
    let dae = r##"<COLLADA><asset><unit meter="0.0254"/><up_axis>Y_UP</up_axis></asset><library_geometries><geometry id="g"><mesh>
        <source id="s"><float_array id="a" count="9">0 0 0 10 0 0 0 10 0</float_array><technique_common><accessor source="#a" count="3" stride="3"/></technique_common></source>
        <vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
        <triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles></mesh></geometry></library_geometries></COLLADA>"##;
    let path = package("inches", "a.dae", dae).join("urdf/robot.urdf");
    let robot = Robot::parse(&with_mesh("../meshes/a.dae", "scale=\"2 2 2\""), &path, &ReadOptions::default())
        .expect("a good robot");
    let (_, high) = bounds(&robot);
    // Axes stay as they are, as in other readers of URDF files.
    assert!((high[0] - 0.508).abs() < 1e-12 && (high[1] - 0.508).abs() < 1e-12 && high[2] < 1e-12, "{high:?}");
}

#[test]
fn a_bad_mesh_is_named_with_its_link() {
    let path = package("bad", "a.obj", "v 0 0\n").join("urdf/robot.urdf");
    let robot = Robot::parse(&with_mesh("../meshes/a.obj", ""), &path, &ReadOptions::default()).expect("a good robot");
    let error = Checker::new(robot, CheckOptions::default()).expect_err("a bad mesh").to_string();
    assert!(
        error.contains("robot.urdf:1: link \"a\": ")
            && error.ends_with("a.obj:1: too few coordinates: a vertex has 3, this one has 2"),
        "{error}"
    );
}

#[test]
fn robots_and_checkers_may_be_shared() {
    fn is_shared<T: Send + Sync>(_: &T) -> bool {
        true
    }
    let checker = Checker::new(robot(CART), CheckOptions::default()).expect("a good robot");
    assert!(is_shared(checker.robot()) && is_shared(&checker));
}

#[test]
fn damaged_files_are_survived() {
    let mut random = nearhit_robot::Random::new(11);
    let (mut good, mut bad) = (0, 0);
    for round in 0..6000 {
        let source = if round % 3 == 0 { CART } else { ARM };
        let mut bytes = source.as_bytes().to_vec();
        for _ in 0..1 + round % 3 {
            let place = random.between(0.0, bytes.len() as f64 - 1.0) as usize;
            match round % 4 {
                0 => bytes[place] = bytes[place].wrapping_add(1) & 0x7f,
                1 if bytes[place].is_ascii_digit() => bytes[place] = b'0' + (round % 10) as u8,
                2 => drop(bytes.drain(place..(place + 1 + round % 40).min(bytes.len()))),
                _ => {
                    let chunk = bytes[place..(place + round % 200).min(bytes.len())].to_vec();
                    bytes.splice(place..place, chunk);
                }
            }
        }
        let Ok(text) = String::from_utf8(bytes) else { continue };
        match parse(&text) {
            Err(_) => bad += 1,
            Ok(robot) => {
                good += 1;
                let q = robot.random_configuration(&mut random);
                let mut poses = vec![nearhit::Pose::IDENTITY; robot.links().len()];
                robot.link_poses(&q, &mut poses).expect("what is read can be moved");
            }
        }
    }
    assert!(good > 100 && bad > 500, "{good} {bad}");
}

/// Pairs of one rigid part are not kept one by one: memory grows with the links, not their square.
#[test]
fn many_fixed_links_are_one_part() {
    const COUNT: usize = 3000;
    let links: String = (0..COUNT).map(|index| format!("<link name=\"l{index}\"/>")).collect();
    let joint = |index: usize| {
        let (kind, above) = if index == COUNT - 1 { ("continuous", 0) } else { ("fixed", index / 2) };
        format!(
            "<joint name=\"j{index}\" type=\"{kind}\"><parent link=\"l{above}\"/><child link=\"l{index}\"/></joint>"
        )
    };
    let joints: String = (1..COUNT).map(joint).collect();
    let robot = parse(&format!("<robot name=\"many\">{links}{joints}</robot>")).expect("a good robot");
    let mut allowed = nearhit_robot::AllowedCollisions::of(&robot);
    assert_eq!(allowed.reason(7, 2900), Some(&Allowed::Rigid));
    assert_eq!(allowed.reason(COUNT - 1, 17), Some(&Allowed::Adjacent));
    assert_eq!(allowed.reason(7, 7), None);
    assert!(format!("{allowed:?}").len() < 20 * COUNT, "as long as the links, not as their pairs");
    assert_eq!(allowed.iter().count(), COUNT * (COUNT - 1) / 2);
    // What is said of a pair comes before, and the order stays.
    allowed.check(2900, 7);
    allowed.allow(3, 4);
    assert_eq!((allowed.reason(7, 2900), allowed.reason(4, 3)), (None, Some(&Allowed::Hand)));
    let pairs: Vec<[usize; 2]> = allowed.iter().map(|(pair, _)| pair).collect();
    assert!(pairs.len() == COUNT * (COUNT - 1) / 2 - 1 && pairs.is_sorted());
    allowed.allow(7, 2900);
    assert_eq!(allowed.reason(7, 2900), Some(&Allowed::Hand));
}
