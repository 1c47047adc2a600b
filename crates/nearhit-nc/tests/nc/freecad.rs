//! Tool bits with the sizes of those that FreeCAD ships: each as wide as its Diameter, and as wide
//! at every height as its angle makes it.

use nearhit::shape::Shape;
use nearhit::{Pose, Scratch};
use nearhit_nc::{Body, CheckOptions, Checker, Label, NcError, Program, ReadOptions, Role, Tool, ToolTable, Watch};
use std::path::PathBuf;

/// A parameter and its value.
type Said = (&'static str, &'static str);

/// Name, shape, parameters; as FreeCAD 1.1 has them.
const BITS: [(&str, &str, &[Said]); 13] = [
    ("5mm_Endmill", "endmill", &[("CuttingEdgeHeight", "30 mm"), D5, ("Length", "50 mm"), SHANK3]),
    ("5mm_Drill", "drill", &[D5, ("Length", "50 mm"), ("TipAngle", "119 °")]),
    ("6mm_Ball_End", "ballend", &[("CuttingEdgeHeight", "40 mm"), D6, ("Length", "50 mm"), SHANK3]),
    (
        "6mm_Bullnose",
        "bullnose",
        &[("CuttingEdgeHeight", "40 mm"), D6, ("CornerRadius", "1.5 mm"), ("Length", "50 mm"), SHANK3],
    ),
    ("30degree_Vbit", "v-bit", &[("CuttingEdgeAngle", "30 °"), EDGE1, D10, TIP, ("Length", "20 mm"), SHANK5]),
    ("45degree_Vbit", "v-bit", &[("CuttingEdgeAngle", "45 °"), EDGE1, D10, TIP, ("Length", "20 mm"), SHANK5]),
    ("60degree_Vbit", "v-bit", &[("CuttingEdgeAngle", "60 °"), EDGE1, D10, TIP, ("Length", "20 mm"), SHANK5]),
    ("90degree_Vbit", "v-bit", &[("CuttingEdgeAngle", "90 °"), EDGE1, D10, TIP, ("Length", "20 mm"), SHANK5]),
    (
        "45degree_chamfer",
        "chamfer",
        &[
            ("CuttingEdgeAngle", "45.0000 °"),
            ("CuttingEdgeHeight", "6.3500 mm"),
            ("Diameter", "12.3323 mm"),
            ("TipDiameter", "5.0000 mm"),
            ("Length", "30.0000 mm"),
            ("ShankDiameter", "6.3500 mm"),
        ],
    ),
    (
        "slittingsaw",
        "slittingsaw",
        &[("BladeThickness", "3 mm"), ("CapDiameter", "8 mm"), ("Diameter", "76.2 mm"), ("Length", "50 mm")],
    ),
    ("probe", "probe", &[D6, ("Length", "50 mm"), ("ShaftDiameter", "4 mm")]),
    ("5mm-thread-cutter", "thread-mill", &[("Crest", "0.10 mm"), D5, ("Length", "50 mm"), ("NeckDiameter", "3 mm")]),
    (
        "375-16_Tap",
        "tap",
        &[("CuttingEdgeLength", "1.063 \""), ("Diameter", "0.375 \""), ("Length", "2.5 \""), ("TipAngle", "90 °")],
    ),
];

const D5: Said = ("Diameter", "5.0000 mm");
const D6: Said = ("Diameter", "6.0000 mm");
const D10: Said = ("Diameter", "10.0000 mm");
const EDGE1: Said = ("CuttingEdgeHeight", "1.0000 mm");
const TIP: Said = ("TipDiameter", "0.1000 mm");
const SHANK3: Said = ("ShankDiameter", "3.0000 mm");
const SHANK5: Said = ("ShankDiameter", "5.0000 mm");

fn text(name: &str, shape: &str, parameters: &[(&str, &str)]) -> String {
    let parameters: Vec<String> = parameters.iter().map(|(key, value)| format!("{key:?}: {value:?}")).collect();
    format!(
        r#"{{"version": 2, "name": {name:?}, "shape": "{shape}.fcstd", "parameter": {{{}}}, "attribute": {{}}}}"#,
        parameters.join(", ")
    )
}

fn read(shape: &str, parameters: &[(&str, &str)]) -> Result<Tool, NcError> {
    let table = ToolTable::parse(&text("bit", shape, parameters), "bit.fctb")?;
    Ok(table.get(1).expect("the first").clone())
}

fn shipped(name: &str) -> Tool {
    let (_, shape, parameters) = BITS.iter().find(|(known, ..)| *known == name).expect("known");
    read(shape, parameters).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Half of the width of pieces with one of these labels at a height, by halving.
fn half_width(tool: &Tool, labels: &[Label], height: f64) -> f64 {
    let holds = |radius: f64| {
        tool.pieces().iter().filter(|piece| labels.contains(&piece.label)).any(|piece| {
            piece.shape.contains([radius, 0.0, height - piece.height].into(), &mut Scratch::new()).expect("finite")
        })
    };
    let (mut low, mut high) = (0.0, 100.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if holds(middle) { low = middle } else { high = middle }
    }
    low
}

const ALL: [Label; 2] = [Label::Cutter, Label::Shank];

#[test]
fn cones_reach_their_diameter() {
    for (name, angle, tip, diameter, edge, shank, length) in [
        ("30degree_Vbit", 30.0, 0.1, 10.0, 1.0, 5.0, 20.0),
        ("45degree_Vbit", 45.0, 0.1, 10.0, 1.0, 5.0, 20.0),
        ("60degree_Vbit", 60.0, 0.1, 10.0, 1.0, 5.0, 20.0),
        ("90degree_Vbit", 90.0, 0.1, 10.0, 1.0, 5.0, 20.0),
        ("45degree_chamfer", 45.0, 5.0, 12.3323, 6.35, 6.35, 30.0),
    ] {
        let tool = shipped(name);
        assert!((tool.length() - length).abs() < 1e-9, "{name}: {}", tool.length());
        let slope = (0.5_f64 * angle).to_radians().tan();
        let rise = 0.5 * (diameter - tip) / slope;
        for share in [0.1, 0.5, 0.9, 0.999] {
            let expected = 0.5 * tip + share * rise * slope;
            let found = half_width(&tool, &[Label::Cutter], share * rise);
            assert!((found - expected).abs() < 1e-6, "{name} at {share}: {found}, not {expected}");
        }
        // As far up as its edge may go, in either reading of it.
        for height in [rise + 0.01, rise.max(edge) - 0.01, (rise + edge).min(length) - 0.01] {
            assert!(half_width(&tool, &ALL, height.max(rise)) > 0.5 * diameter - 1e-6, "{name} at {height}");
        }
        // But a cutter, which may cut, no farther than its cone.
        assert!(half_width(&tool, &[Label::Cutter], rise.max(edge) + 0.01) == 0.0, "{name}");
        if rise + edge + 0.1 < length {
            let found = half_width(&tool, &ALL, rise + edge + 0.05);
            assert!((found - 0.5 * shank).abs() < 1e-6, "{name}: {found}");
        }
    }
}

/// What was said to be clear when the cone ended with its edge, 1 mm above the tip.
#[test]
fn a_v_bit_meets_a_wall_beside_its_cone() {
    let mut tools = ToolTable::default();
    tools.insert(shipped("60degree_Vbit"));
    let wall = |away: f64| {
        let wall = Shape::cuboid([1.0, 100.0, 1.0]).expect("legal");
        let place = Pose::from_translation([away + 0.5, 0.0, 8.5]).expect("legal");
        Body::shape("wall", Role::Fixture, wall, place).expect("legal")
    };
    let program =
        Program::parse("G21 G90\nG1 X0 Y0 Z0 F100\nG1 Y10\n", "v.nc", &ReadOptions::default()).expect("legal");
    for (away, labels) in [(4.9, &ALL[..]), (5.1, &[])] {
        let checker = Checker::new(tools.clone(), vec![wall(away)], CheckOptions::default()).expect("legal");
        let findings = checker.check(&program, &Watch::new()).expect("legal").findings;
        let of_move: Vec<Label> = findings.iter().filter(|finding| finding.index == 1).map(|one| one.piece).collect();
        assert_eq!(of_move, labels, "{away}");
    }
}

#[test]
fn other_shapes_are_as_wide_as_they_say() {
    for (name, height, expected) in [
        ("5mm_Endmill", 0.001, 2.5),
        ("5mm_Endmill", 40.0, 1.5),
        ("5mm_Drill", 10.0, 2.5),
        ("5mm_Drill", 0.5, 0.5 * 59.5_f64.to_radians().tan()),
        ("6mm_Ball_End", 1.0, 5.0_f64.sqrt()),
        ("6mm_Ball_End", 39.0, 3.0),
        ("6mm_Bullnose", 0.5, 1.5 + (1.5_f64 * 1.5 - 1.0).sqrt()),
        ("6mm_Bullnose", 1.6, 3.0),
        ("6mm_Bullnose", 45.0, 1.5),
    ] {
        let found = half_width(&shipped(name), &ALL, height);
        assert!((found - expected).abs() < 1e-6, "{name} at {height}: {found}, not {expected}");
    }
    // A ball of 1 mm, a cone of 10° from side to side up to 6 mm.
    let taper = [
        ("Diameter", "1 mm"),
        ("TaperAngle", "10 °"),
        ("TaperDiameter", "6 mm"),
        ("CuttingEdgeHeight", "20 mm"),
        ("Length", "60 mm"),
        ("ShankDiameter", "6 mm"),
    ];
    let tool = read("taperedballnose", &taper).expect("legal");
    let slope = 5.0_f64.to_radians();
    let side = |height: f64| 0.5 * slope.cos() + (height - 0.5 * (1.0 - slope.sin())) * slope.tan();
    for height in [0.6, 5.0, 15.0, 28.0] {
        assert!((half_width(&tool, &[Label::Cutter], height) - side(height)).abs() < 1e-6, "{height}");
    }
    assert!((half_width(&tool, &ALL, 29.2) - 3.0).abs() < 1e-6 && (tool.length() - 60.0).abs() < 1e-9);
    let dovetail = |angle| {
        let sizes =
            [("Diameter", "20 mm"), ("CuttingEdgeHeight", "9 mm"), ("Length", "55 mm"), ("NeckDiameter", "8 mm")];
        read("dovetail", &[&sizes[..], &[("CuttingEdgeAngle", angle)]].concat()).expect("legal")
    };
    assert!((half_width(&dovetail("60 °"), &ALL, 4.0) - (10.0 - 4.0 / 60.0_f64.to_radians().tan())).abs() < 1e-6);
    assert!((half_width(&dovetail("80 °"), &ALL, 4.0) - (10.0 - 4.0 / 80.0_f64.to_radians().tan())).abs() < 1e-6);
}

#[test]
fn what_contradicts_itself_is_refused() {
    let cone = |length| {
        [("CuttingEdgeAngle", "30 °"), ("CuttingEdgeHeight", "1 mm"), ("Diameter", "10 mm"), ("Length", length)]
    };
    let error = read("v-bit", &cone("15 mm")).expect_err("a cone of 18.7 mm").to_string();
    assert!(error.contains("18.660 mm") && error.contains("bit.fctb: tool bit"), "{error}");
    assert!(read("v-bit", &cone("18.6603 mm")).is_ok(), "rounded lengths are none");
    for (shape, parameters, word) in [
        ("bullnose", vec![("Diameter", "6 mm"), ("Length", "50 mm")], "CornerRadius"),
        ("taperedballnose", vec![("Diameter", "1 mm"), ("TaperAngle", "9 °")], "TaperDiameter"),
        ("v-bit", vec![("Diameter", "6 mm"), ("CuttingEdgeAngle", "180 °"), ("Length", "9 mm")], "angle 180"),
        ("probe", vec![("Diameter", "6 mm")], "probe"),
    ] {
        let error = read(shape, &parameters).expect_err("refused").to_string();
        assert!(error.contains(word), "{shape}: {error}");
    }
}

/// A folder that is gone at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("nearhit-nc-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

#[test]
fn a_library_leaves_out_what_cannot_be_checked() {
    let folder = Folder::new("library");
    let mut entries = Vec::new();
    for (index, (name, shape, parameters)) in BITS.iter().enumerate() {
        std::fs::write(folder.0.join(format!("{name}.fctb")), text(name, shape, parameters)).expect("a file");
        entries.push(format!(r#"{{"nr": {}, "path": "{name}.fctb"}}"#, index + 1));
    }
    entries.push(r#"{"nr": 14, "path": "gone.fctb"}"#.into());
    let library = folder.0.join("Default.fctl");
    std::fs::write(&library, format!(r#"{{"tools": [{}], "version": 1}}"#, entries.join(", "))).expect("a file");
    let table = ToolTable::read(&library).expect("legal");
    assert_eq!(table.iter().map(|tool| tool.number).collect::<Vec<_>>(), (1..=9).collect::<Vec<_>>());
    // The V-bits and the chamfer mill say two heights of their cones.
    let heights = table.notes().iter().filter(|note| note.contains("the angle is taken")).count();
    assert_eq!((heights, table.notes().len()), (5, 10), "{:?}", table.notes());
    for (number, why) in [(10, "slittingsaw"), (11, "probe"), (12, "thread-mill"), (13, "tap"), (14, "gone.fctb")] {
        assert!(table.left_out(number).is_some_and(|text| text.contains(why)), "{number}");
        assert!(table.notes().iter().any(|note| note.contains(&format!("tool {number} is left out"))), "{number}");
    }
    let block = Body::shape("block", Role::Fixture, Shape::cuboid([1.0; 3]).expect("legal"), Pose::IDENTITY);
    let checker = Checker::new(table, vec![block.expect("legal")], CheckOptions::default()).expect("legal");
    let check = |program: &str| {
        let program = Program::parse(program, "p.nc", &ReadOptions::default()).expect("legal");
        checker.check(&program, &Watch::new())
    };
    assert!(check("G21 T1 M6\nG1 X50 Y0 Z0 F100\n").is_ok());
    let error = check("G21 T11 M6\nG1 X50 Y0 Z0 F100\n").expect_err("a probe").to_string();
    assert!(error.starts_with("p.nc:2: tool 11 was left out") && error.contains("probe"), "{error}");
    assert!(matches!(check("G21 T15 M6\nG1 X50 Y0 Z0 F100\n"), Err(NcError::NoTool { tool: 15, .. })));
}

#[test]
fn the_only_tool_left_is_not_taken_for_another() {
    let folder = Folder::new("only");
    for name in ["5mm_Endmill", "probe"] {
        let (_, shape, parameters) = BITS.iter().find(|(known, ..)| *known == name).expect("known");
        std::fs::write(folder.0.join(format!("{name}.fctb")), text(name, shape, parameters)).expect("a file");
    }
    let library = r#"{"tools": [{"nr": 1, "path": "5mm_Endmill.fctb"}, {"nr": 2, "path": "probe.fctb"}]}"#;
    std::fs::write(folder.0.join("two.fctl"), library).expect("a file");
    let table = ToolTable::read(&folder.0.join("two.fctl")).expect("legal");
    let block = Body::shape("block", Role::Fixture, Shape::cuboid([1.0; 3]).expect("legal"), Pose::IDENTITY);
    let checker = Checker::new(table.clone(), vec![block.expect("legal")], CheckOptions::default()).expect("legal");
    let program = Program::parse("G21\nG1 X50 Y0 Z0 F100\n", "p.nc", &ReadOptions::default()).expect("legal");
    assert!(matches!(checker.check(&program, &Watch::new()), Err(NcError::ToolNotSaid { line: 2, .. })));
    // A tool that is left out replaces one of its number, and is replaced by one.
    let mut other = ToolTable::default();
    for number in [1, 2] {
        other.insert(Tool::new(number, nearhit_nc::Cutter::Ball, 3.0, 9.0).expect("legal"));
    }
    let mut first = other.clone();
    first.extend(table.clone());
    assert!(first.get(1).is_some() && first.get(2).is_none() && first.left_out(2).is_some());
    let mut last = table;
    last.extend(other);
    assert!(last.get(2).is_some() && last.left_out(2).is_none());
    // That is told, of what was a tool.
    let told = "is in several tables: the last one counts";
    let of = |table: &ToolTable| table.notes().iter().filter(|note| note.ends_with(told)).cloned().collect::<Vec<_>>();
    assert_eq!(of(&first), [format!("tool 1 {told}"), format!("tool 2 {told}")]);
    assert_eq!(of(&last), [format!("tool 1 {told}")]);
}

/// As some editors write them.
#[test]
fn a_byte_order_mark_is_no_word() {
    let folder = Folder::new("mark");
    let write = |name: &str, text: &str| {
        let path = folder.0.join(name);
        std::fs::write(&path, format!("\u{feff}{text}")).expect("a file");
        path
    };
    let program = write("marked.nc", "G21 T1 M6\r\nG0 X0 Y0 Z1\r\n");
    assert_eq!(Program::read(&program, &ReadOptions::default()).expect("legal").moves.len(), 1);
    let tools = write("marked.json", nearhit_nc::Demo::TOOLS);
    assert!(ToolTable::read(&tools).expect("legal").get(1).is_some());
}
