//! Readers of programs: what they understand, and what they refuse with line and word.

use crate::oracle::Random;
use glam::DVec3;
use nearhit_nc::{AfterChange, Demo, Move, MoveKind, NcError, Program, RapidPath, ReadOptions, ToolPath};

fn options() -> ReadOptions {
    ReadOptions {
        start: Some([0.0; 3]),
        after_change: AfterChange::Same,
        rapid: RapidPath::Straight,
        ..ReadOptions::default()
    }
}

fn moves(text: &str) -> Vec<Move> {
    Program::parse(text, "test.nc", &options()).unwrap_or_else(|error| panic!("{text}: {error}")).moves
}

fn ends(text: &str) -> Vec<[f64; 3]> {
    let tidy = |value: f64| (value * 1e9).round() / 1e9 + 0.0;
    moves(text).iter().map(|one| one.path.tip(1.0).to_array().map(tidy)).collect()
}

/// The line and word of an error.
#[track_caller]
fn refused(text: &str, name: &str) -> (usize, String, String) {
    match Program::parse(text, name, &options()) {
        Err(NcError::Program { line, word, problem, file }) => {
            assert_eq!(file, name);
            (line, word, problem.to_string())
        }
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn words_are_modal() {
    assert_eq!(ends("G21 G90\nG1 X10 F100\nY5\nX-1Y2Z3"), [[10.0, 0.0, 0.0], [10.0, 5.0, 0.0], [-1.0, 2.0, 3.0]]);
    assert_eq!(ends("G20\nG1 X1"), [[25.4, 0.0, 0.0]]);
    assert_eq!(ends("G91 G1 X1\nX1\nG90 X1 Y1"), [[1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [1.0, 1.0, 0.0]]);
    assert_eq!(ends("N10 G01 X1 (one) ; two\n/N20 X2\n\n%\nM30\nX3"), [[1.0, 0.0, 0.0], [2.0, 0.0, 0.0]]);
    let kinds: Vec<MoveKind> = moves("G0 X1\nG1 X2\nG0 X3").iter().map(|one| one.kind).collect();
    assert_eq!(kinds, [MoveKind::Rapid, MoveKind::Feed, MoveKind::Rapid]);
    assert_eq!(moves("G1 X1\n\nX2").iter().map(|one| one.line).collect::<Vec<_>>(), [1, 3]);
    assert_eq!(ends("#1=5 #<deep> = 2\nG1 X#1 Y[#1*2] Z-#<deep>"), [[5.0, 10.0, -2.0]]);
}

#[test]
fn coordinates_are_shifted() {
    let given = ReadOptions {
        offsets: [Some([1.0, 2.0, 3.0]), Some([10.0, 0.0, 0.0]), None, None, None, None, None, None, None],
        ..options()
    };
    let read = |text: &str| Program::parse(text, "test.nc", &given);
    let last = |text: &str| read(text).expect("legal").moves.last().expect("a move").path.tip(1.0);
    assert_eq!(last("G54 G1 X1 Y1 Z1"), DVec3::new(2.0, 3.0, 4.0));
    assert_eq!(last("G54 G1 X1 Y1 Z1\nG55 X1 Y1 Z1"), DVec3::new(11.0, 1.0, 1.0));
    assert!(read("G54 G1 X1\nG56 X2").is_err());
    assert_eq!(ends("G10 L2 P2 X5 Y5 Z5\nG55 G1 X1 Y1 Z1"), [[6.0, 6.0, 6.0]]);
    assert_eq!(ends("G1 X10\nG92 X0\nG1 X5\nG92.1\nG1 X5"), [[10.0, 0.0, 0.0], [15.0, 0.0, 0.0], [5.0, 0.0, 0.0]]);
    assert_eq!(ends("G59 G1 X1"), [[1.0, 0.0, 0.0]], "the only system is that of the bodies");
}

#[test]
fn arcs_have_the_way_they_should() {
    let middle = |text: &str| moves(text).last().expect("a move").path.tip(0.5);
    let near = |p: DVec3, q: [f64; 3]| assert!((p - DVec3::from(q)).length() < 1e-12, "{p} {q:?}");
    near(middle("G1 X10 Y0\nG3 X-10 I-10"), [0.0, 10.0, 0.0]);
    near(middle("G1 X10 Y0\nG2 X-10 I-10"), [0.0, -10.0, 0.0]);
    near(middle("G1 X10 Y0\nG3 X-10 I-10 Z4"), [0.0, 10.0, 2.0]);
    near(middle("G1 X10 Y0\nG90.1 G3 X-10 I0 J0"), [0.0, 10.0, 0.0]);
    near(middle("G1 X10 Y0\nG3 X-10 R10"), [0.0, 10.0, 0.0]);
    near(middle("G18 G1 X10 Z0\nG3 X-10 I-10"), [0.0, 0.0, -10.0]);
    near(middle("G19 G1 Y10 Z0\nG3 Y-10 J-10"), [0.0, 0.0, 10.0]);
    near(middle("G1 X10\nG2 I-10"), [-10.0, 0.0, 0.0]);
    let ToolPath::Arc(arc) = &moves("G1 X10\nG2 I-10 P3 Z-6")[1].path else { panic!("an arc") };
    assert!((arc.turn + 6.0 * std::f64::consts::PI).abs() < 1e-12);
    near(arc.at(1.0), [10.0, 0.0, -6.0]);
}

#[test]
fn holes_are_drilled() {
    let text = "G1 Z10\nG98 G81 X1 Y1 Z-5 R2 F100\nX3\nG99 X5\nG80\nG0 X9";
    let heights: Vec<(MoveKind, [f64; 3])> =
        moves(text).iter().map(|one| (one.kind, one.path.tip(1.0).to_array())).collect();
    use MoveKind::{Feed, Rapid, Retrace};
    assert_eq!(
        heights,
        [
            (Feed, [0.0, 0.0, 10.0]),
            (Rapid, [1.0, 1.0, 10.0]),
            (Rapid, [1.0, 1.0, 2.0]),
            (Feed, [1.0, 1.0, -5.0]),
            (Retrace, [1.0, 1.0, 2.0]),
            (Rapid, [1.0, 1.0, 10.0]),
            (Rapid, [3.0, 1.0, 10.0]),
            (Rapid, [3.0, 1.0, 2.0]),
            (Feed, [3.0, 1.0, -5.0]),
            (Retrace, [3.0, 1.0, 2.0]),
            (Rapid, [3.0, 1.0, 10.0]),
            (Rapid, [5.0, 1.0, 10.0]),
            (Rapid, [5.0, 1.0, 2.0]),
            (Feed, [5.0, 1.0, -5.0]),
            (Retrace, [5.0, 1.0, 2.0]),
            (Rapid, [9.0, 1.0, 2.0]),
        ]
    );
    let tapped = moves("G1 Z10\nG84 X1 Z-5 R2");
    assert_eq!(tapped.iter().filter(|one| one.kind == Feed).count(), 3);
    let row = ends("G1 Z10\nG91 G81 X2 Z-3 R-8 L3 G99");
    assert_eq!(row.iter().filter(|end| end[2] == -1.0).map(|end| end[0]).collect::<Vec<_>>(), [2.0, 4.0, 6.0]);
}

#[test]
fn unknown_places_are_told() {
    let read = |text: &str| Program::parse(text, "test.nc", &ReadOptions::default()).expect("legal");
    let program = read("G0 Z5\nG0 X1 Y1\nG1 Z-1");
    assert_eq!((program.moves.len(), program.moves[0].is_arrival), (2, true));
    assert_eq!(program.unchecked.iter().map(|note| note.count).sum::<usize>(), 2);
    let program = read("G92 X0 Y0 Z0\nG1 X1\nG28 Z0\nG1 X2\nG1 Z1");
    assert_eq!(program.moves.len(), 2, "{:?}", program.moves);
    assert!(program.moves[1].is_arrival);
    let program = read("G92 X0 Y0 Z0\nG1 X1\nT2 M6\nG1 X2\nX3 Y0 Z0\nX4");
    assert_eq!(program.moves.iter().map(|one| one.tool).collect::<Vec<_>>(), [None, Some(2), Some(2)]);
    let program = read("G92 X0 Y0 Z0\nG0 G43 H1 Z5\nG1 X1\nG49\nG1 X2 Z3\nX5");
    assert_eq!(program.moves.len(), 2, "heights after G49 are the spindle's: {:?}", program.moves);
}

#[test]
fn rapids_may_go_anywhere() {
    let read = |rapid: RapidPath| {
        Program::parse("G0 X10 Y20 Z30\nG0 X0", "test.nc", &ReadOptions { rapid, ..options() }).expect("legal").moves
    };
    let anywhere = read(RapidPath::Anywhere);
    assert!(matches!(anywhere[0].path, ToolPath::Anywhere { .. }) && matches!(anywhere[1].path, ToolPath::Line { .. }));
    assert!(matches!(read(RapidPath::Straight)[0].path, ToolPath::Line { .. }));
    assert_eq!(read(RapidPath::DogLeg { speeds: [1.0; 3] }).len(), 4);
}

#[test]
fn what_is_not_understood_is_refused_with_its_line() {
    for (text, line, word) in [
        ("G1 X1\nG1 X2 Q", 2, "Q"),
        ("G1 X1 X2", 1, "X2"),
        ("X1", 1, "X1"),
        ("G1 X1\nG7.5 X2", 2, "G7.5"),
        ("G1 X1\n\nG41 D1 X3", 3, "G41"),
        ("G1 A90", 1, "A90"),
        ("G1 U1", 1, "U1"),
        ("G0 G1 X1", 1, "G1"),
        ("G2 X1 Y1", 1, "X1"),
        ("G2 X1 Y1 R0.1", 1, "X1"),
        ("G2 X1 Y1 I5", 1, "X1"),
        ("G1 X99999999", 1, "X99999999"),
        ("G20 G1 X999999", 1, "X999999"),
        ("G1 X1\nM98 P100", 2, "M98"),
        ("G1 X1\no100 sub", 2, "o100"),
        ("T1 M6\nG43 H2", 2, "G43 H2"),
        ("T-1 M6", 1, "T-1"),
        ("G81 X1 Z-1", 1, "X1"),
        ("G81 X1 Z-1 R2 L1000000", 1, "X1"),
        ("G18 G81 X1 Z-1 R2", 1, "X1"),
        ("G1 X[1/0]", 1, "X[1/0]"),
        ("G1 Xsqrt[-1]", 1, "Xsqrt[-1]"),
        ("G1 X#5", 1, "X#5"),
        ("\u{0}\u{1}", 1, "this line"),
        ("G1 X1 (open", 1, "(open"),
        ("G1e9", 1, "e9"),
    ] {
        let found = refused(text, "test.nc");
        assert!(found.0 == line && found.1.starts_with(word), "{text:?}: {found:?}");
    }
}

#[test]
fn five_axes_are_read() {
    let text = "PARTNO/TEST\n$$ a comment\nUNITS/MM\nLOADTL/3\nFROM/0,0,50\nRAPID\nGOTO/10,0,20,0,0,1\nFEDRAT/100\nGOTO/20,0,10,0.6,0,$\n0.8\nFINI";
    let program = Program::parse(text, "test.apt", &ReadOptions::default()).expect("legal");
    assert_eq!(program.moves.len(), 2);
    assert_eq!((program.moves[0].kind, program.moves[1].kind), (MoveKind::Rapid, MoveKind::Feed));
    assert_eq!((program.moves[1].line, program.moves[1].tool), (9, Some(3)));
    assert!((program.moves[1].path.axis(1.0) - DVec3::new(0.6, 0.0, 0.8)).length() < 1e-12);
    assert!((program.moves[1].path.axis(0.5).length() - 1.0).abs() < 1e-12);
    for (text, line) in [
        ("GOTO/1,2", 1),
        ("\nGOTO/1,2,x", 2),
        ("GOTO/1,2,3,0,0,0", 1),
        ("FOO/1", 1),
        ("CYCLE/DRILL,1", 1),
        ("GOTO/1,2,1e400", 1),
    ] {
        assert_eq!(refused(text, "test.cl").0, line, "{text}");
    }
    let text = "x,y,z,i,j,k,tool,rapid\n0,0,10,0,0,1,2,1\n1,0,0,0,1,1,2,0\n";
    let program = Program::parse(text, "poses.csv", &ReadOptions::default()).expect("legal");
    assert_eq!((program.moves.len(), program.moves[0].is_arrival, program.moves[1].tool), (2, true, Some(2)));
    for (text, line) in [
        ("x,y\n", 1),
        ("x,y,z,w\n", 1),
        ("x,y,z\n1,2\n", 2),
        ("x,y,z\n1,2,3\n1,2,nan\n", 3),
        ("x,y,z,i,j,k\n0,0,0,0,0,1\n0,0,0,0,0,-1", 3),
    ] {
        assert_eq!(refused(text, "poses.csv").0, line, "{text}");
    }
}

/// With block delete on the tool goes another way: that it is off is told.
#[test]
fn lines_that_may_be_deleted_run_and_are_listed() {
    let text = "G21 G90\nG1 X1 Y0 F1\n/G1 X5\n /o1 if [0]\nX9\no1 endif\nX2\n";
    let program = Program::parse(text, "test.nc", &options()).expect("legal");
    assert_eq!(program.moves.iter().map(|one| one.line).collect::<Vec<_>>(), [2, 3, 7]);
    let [note] = &program.ignored[..] else { panic!("{:?}", program.ignored) };
    assert_eq!((note.line, note.count), (3, 2));
    assert!(note.text.contains("block delete"), "{note:?}");
}

/// Damaged programs are read or refused with a line that they have; nothing panics.
#[test]
fn damaged_programs_are_refused_or_read() {
    let rounds = if std::env::var_os("NEARHIT_LONG").is_some() { 200_000 } else { 3000 };
    let mut random = Random(3);
    let apt = "UNITS/MM\nLOADTL/3\nFROM/0,0,50\nRAPID\nGOTO/10,0,20,0,0,1\nGOTO/20,0,10,0.6,0,0.8\n";
    let poses = "x,y,z,i,j,k,tool,rapid\n0,0,10,0,0,1,2,1\n1,0,0,0,1,1,2,0\n";
    let extra = "#5=[2*sin[30]]\nG1 X#5 Y[#5/3]\nG91 G2 X3 Y4 R5 P2\nG83 X1 Z-2 R1 Q0.1 L3\nG92 X0\nG10 L2 P1 X3\n";
    let calls = "#1=0\no1 while [#1 lt 3]\n#1=[#1+1]\no2 if [#1 eq 2]\nM98 P7 L2\no2 endif\no<a> call [#1]\no1 endwhile\nM2\no<a> sub\no3 repeat [2]\nG1 X#1\no3 endrepeat\no<a> endsub\nO7\nG91 G1 Y1\nM99\n";
    let sources = [
        (Demo::PROGRAM.to_owned(), "t.nc"),
        (calls.to_owned(), "t.nc"),
        (extra.to_owned(), "t.nc"),
        (apt.to_owned(), "t.apt"),
        (poses.to_owned(), "t.csv"),
    ];
    let letters: Vec<char> = "GXYZIJKRMTFSNPQLHOo#<>[]()=+-*/.;%0123456789eE \n$,é\u{0}".chars().collect();
    let (mut read, mut refused) = (0, 0);
    for round in 0..rounds {
        let (text, name) = &sources[round % sources.len()];
        let mut text: Vec<char> = text.chars().collect();
        for _ in 0..1 + round % 5 {
            let at = random.between(0.0, text.len() as f64) as usize;
            let letter = letters[random.between(0.0, letters.len() as f64) as usize];
            match round % 3 {
                0 => text[at] = letter,
                1 => text.insert(at, letter),
                _ => {
                    let end = (at + random.between(1.0, 20.0) as usize).min(text.len());
                    text.drain(at..end);
                }
            }
            if text.is_empty() {
                break;
            }
        }
        let text: String = text.into_iter().collect();
        match Program::parse(&text, name, &options()) {
            Ok(program) => {
                read += 1;
                assert!(program.moves.iter().all(|one| one.path.tip(1.0).is_finite() && one.path.tip(0.3).is_finite()));
            }
            Err(NcError::Program { line, .. }) => {
                refused += 1;
                assert!(line >= 1 && line <= text.lines().count().max(1), "{line}");
            }
            Err(NcError::Empty { .. }) => assert!(text.trim().is_empty(), "{text:?}"),
            Err(other) => panic!("{other}"),
        }
    }
    assert!(read > rounds / 20 && refused > rounds / 10, "{read} {refused}");
}
