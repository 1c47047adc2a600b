//! Programs that mix units, and programs that nobody would write: lines of megabytes, endless
//! words.

use glam::DVec3;
use nearhit_nc::{AfterChange, MoveKind, NcError, Program, RapidPath, ReadOptions, ToolPath, ToolTable};

fn options() -> ReadOptions {
    ReadOptions {
        start: Some([0.0; 3]),
        after_change: AfterChange::Same,
        rapid: RapidPath::Straight,
        ..ReadOptions::default()
    }
}

fn ends(text: &str) -> Vec<DVec3> {
    let program = Program::parse(text, "test.nc", &options()).unwrap_or_else(|error| panic!("{text}: {error}"));
    program.moves.iter().map(|one| one.path.tip(1.0)).collect()
}

#[track_caller]
fn goes(text: &str, expected: &[[f64; 3]]) {
    let found = ends(text);
    assert_eq!(found.len(), expected.len(), "{text}: {found:?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!((*found - DVec3::from(*expected)).length() < 1e-9, "{text}: {found}, not {expected:?}");
    }
}

/// Controls differ in which of two codes of one group holds.
#[test]
fn two_codes_of_a_group_contradict_each_other() {
    for pair in [
        "G20 G21",
        "G91 G90",
        "G17 G19",
        "G90.1 G91.1",
        "G43 G49",
        "G54 G59.3",
        "G98 G99",
        "G53 G92",
        "G4 G28",
        "G0 G1",
    ] {
        let [first, second] = pair.split(' ').collect::<Vec<_>>()[..] else { panic!("{pair}") };
        let program = format!("G1 X0 F1\n{first} X1 {second} H0 P1\n");
        let error = Program::parse(&program, "t.nc", &options()).expect_err(pair).to_string();
        assert!(error.contains(&format!("t.nc:2: {second}: contradicts {first}")), "{error}");
    }
    goes("G21 G90 G17 G40 G49 G80 G98 G54 G94 G90.1 G1 X1 F1\nG21 X2 G21", &[[1.0, 0.0, 0.0], [2.0, 0.0, 0.0]]);
}

const INCH: f64 = 25.4;

/// G20 and G21 hold from their own block on, for what is read then; what is known stays where it
/// is.
#[test]
fn units_can_change_within_a_program() {
    let x = |value: f64| [value, 0.0, 0.0];
    goes("G21 G1 X10 F1\nG20 X1\nG21 X3\nX1 G20", &[x(10.0), x(INCH), x(3.0), x(INCH)]);
    goes("G91 G20 G1 X1 F1\nG21 X1\nG90 X1\nG20 X1", &[x(INCH), x(INCH + 1.0), x(1.0), x(INCH)]);
    // Offsets and shifts keep their lengths.
    goes("G20 G10 L2 P1 X1\nG21 G1 X1 F1\nG20 X1", &[x(INCH + 1.0), x(2.0 * INCH)]);
    goes("G20 G92 X1\nG21 G1 X0 F1\nX25.4", &[x(-INCH), x(0.0)]);
    // A cycle takes new heights; those that it keeps could be meant in either unit.
    let holes = ends("G21 G90 G0 Z10\nG81 X0 Y0 Z-10 R2 F1\nG20 X1 Z-1 R0.1\nX2\nG80");
    let deep: Vec<DVec3> = holes.into_iter().filter(|at| at.z < 0.0).collect();
    let expected = [[0.0, 0.0, -10.0], [INCH, 0.0, -INCH], [2.0 * INCH, 0.0, -INCH]].map(DVec3::from);
    assert!(deep.len() == 3 && (0..3).all(|k| (deep[k] - expected[k]).length() < 1e-9), "{deep:?}");
    for change in ["G20 X1", "G20 X1 Z-1", "G20 X1 R1", "G91 X1", "G91 X1 Z-1"] {
        let program = format!("G21 G90 G0 Z10\nG81 X0 Y0 Z-10 R2 F1\n{change}\nG80");
        match Program::parse(&program, "t.nc", &options()) {
            Err(error @ NcError::Program { line: 3, .. }) => {
                assert!(error.to_string().contains("once more"), "{error}")
            }
            other => panic!("{change}: {other:?}"),
        }
    }
    // Centres and radii are of the block's unit.
    for arc in ["G2 X2 Y0 I1 J0", "G2 X2 Y0 R1"] {
        let program = Program::parse(&format!("G21 G1 X0 Y0 F1\nG20 {arc}\nG21 G1 X0"), "t.nc", &options());
        let program = program.expect("legal");
        let ToolPath::Arc(arc) = &program.moves[0].path else { panic!("{:?}", program.moves[0]) };
        assert!((arc.radius[0] - INCH).abs() < 1e-9 && (arc.center - INCH * DVec3::X).length() < 1e-9, "{arc:?}");
        assert_eq!(program.moves[1].kind, MoveKind::Feed);
    }
    // Subprograms leave the unit that they chose.
    goes("G21\nM98 P7\nG1 X1 F1\nM2\nO7\nG20\nM99", &[x(INCH)]);
}

const LONG: usize = 2 << 20;

/// Read or refused at their line with a short message, and at once: the test takes seconds.
#[test]
fn lines_of_megabytes_end() {
    let refused = |text: &str, name: &str| match Program::parse(text, name, &options()) {
        Err(error @ NcError::Program { line: 2, .. }) => {
            let message = error.to_string();
            assert!(message.len() < 200, "{} of {name}", message.len());
        }
        Err(error) => panic!("{error}"),
        Ok(program) => panic!("{} moves of {:.40}", program.moves.len(), text),
    };
    let many = |piece: &str| piece.repeat(LONG / piece.len());
    for bad in [
        "G1 X1 ", "X", "G1 ", "M", "(", "[", "X[", "X[1+", "X-", "1", "=", "#", "#1", "#[", "#<a", "é", "G2 G3 ", "N1",
        "\u{0}", "X1 Y2 ", "sin[", "O1 ", "X.", "X[2**",
    ] {
        refused(&format!("G21\n{}\nX1", many(bad)), "t.nc");
    }
    for word in ["G", "X[", "Xsin[", "M"] {
        refused(&format!("G21\n{word}{}\nX1", many("9")), "t.nc");
    }
    for (bad, name) in [("GOTO/", "t.apt"), ("1,", "t.apt"), ("A", "t.apt"), ("1,", "t.csv"), ("x", "t.csv")] {
        refused(&format!("{}{}\n", if name == "t.csv" { "x,y,z\n" } else { "UNITS/MM\n" }, many(bad)), name);
    }
    refused(&format!("G21\no<{}> call", many("a")), "t.nc");
    refused(&format!("G21\nX#<{}>", many("a")), "t.nc");
    let zeros = many("0");
    for good in ["(", " ", ";", "%"] {
        let (end, rest) = (if good == "(" { ")" } else { "" }, if good == " " { " " } else { "long " });
        goes(&format!("G21 G1 F1\n{good}{}{end}\nX1", many(rest)), &[[1.0, 0.0, 0.0]]);
    }
    goes(&format!("G21 G1 F1\nX{zeros}1\nY1.{zeros}"), &[[1.0, 0.0, 0.0], [1.0, 1.0, 0.0]]);
    goes(&format!("G21 G1 F1\n{}\nX#1", many("#1=2 ")), &[[2.0, 0.0, 0.0]]);
    goes(&format!("G21 G1 F1 X1\n{}", many("M5 ")), &[[1.0, 0.0, 0.0]]);
}

/// Codes without end: each is known to be not known, but they are not all listed.
#[test]
fn notes_are_counted_together_where_there_are_many() {
    let lines: String = (0..200_000).map(|k| format!("M{}.{}\n", 100 + k / 10, k % 10)).collect();
    let program = Program::parse(&format!("G21 G1 X1 F1\n{lines}M00101\nM101"), "t.nc", &options()).expect("legal");
    assert_eq!(program.ignored.len(), 101);
    assert_eq!(program.ignored.iter().map(|note| note.count).sum::<usize>(), 200_002);
    assert_eq!(program.ignored[10].count, 3, "{:?}", program.ignored[10]);
}

#[test]
fn tables_of_megabytes_end() {
    for (text, name) in [
        ("T1 ".repeat(LONG / 3) + "?1", "t.tbl"),
        (format!("T1 D{}", "9".repeat(LONG)), "t.tbl"),
        (format!("T{} D1", "9".repeat(LONG)), "t.tbl"),
        ("[".repeat(LONG), "t.json"),
        (format!(r#"{{"tools": [{}"#, r#"{"number": 1},"#.repeat(LONG / 14)), "t.json"),
        (format!(r#"{{"shape": "{}", "parameter": {{"Diameter": 1}}}}"#, "x".repeat(LONG)), "t.fctb"),
    ] {
        match ToolTable::parse(&text, name) {
            Err(error @ NcError::Tool { .. }) => assert!(error.to_string().len() < 400, "{name}"),
            other => panic!("{name}: {other:?}"),
        }
    }
}
