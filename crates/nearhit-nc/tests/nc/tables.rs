//! Tables of tools, in every format.

use crate::oracle::Random;
use nearhit_nc::{Demo, Label, NcError, ToolTable, Unit};

fn read(text: &str, name: &str) -> ToolTable {
    ToolTable::parse(text, name).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[track_caller]
fn refused(text: &str, name: &str) -> String {
    match ToolTable::parse(text, name) {
        Err(error @ NcError::Tool { .. }) => error.to_string(),
        other => panic!("{text}: {other:?}"),
    }
}

/// In every refusal, the file's name and the tool.
#[test]
fn a_wrong_stage_is_refused_with_its_file() {
    for stage in ["holder", "spindle"] {
        let text = format!(
            r#"{{"tools":[{{"number":7,"shape":"flat","diameter":6,"cutting_length":9,"{stage}":[{{"diameter":28,"length":0}}]}}]}}"#
        );
        let told = refused(&text, "mills.json");
        assert!(told.starts_with(&format!("mills.json: tool 7: {stage}: ")), "{told}");
    }
}

#[test]
fn our_own() {
    let table = read(Demo::TOOLS, "tools.json");
    assert_eq!(table.len(), 2);
    let drill = table.get(2).expect("there");
    assert_eq!((drill.name.as_str(), drill.length()), ("spot drill 6", 108.0));
    let labels: Vec<Label> = drill.pieces().iter().map(|piece| piece.label).collect();
    assert_eq!(labels, [Label::Cutter, Label::Cutter, Label::Holder, Label::Spindle]);
    let inch = r#"{"units":"inch","tools":[{"number":1,"shape":"flat","diameter":0.25,"cutting_length":1}]}"#;
    assert_eq!(read(inch, "t.json").get(1).expect("there").length(), 25.4);
    let entry = |rest: &str| format!(r#"{{"tools":[{{"number":1,"diameter":6,"cutting_length":10,{rest}}}]}}"#);
    for rest in [
        r#""shape":"ball""#,
        r#""shape":"bull","corner_radius":1"#,
        r#""shape":"taper","angle":5,"tip_diameter":1"#,
        r#""shape":"lollipop","stick_out":40,"shank_diameter":3"#,
        r#""shape":"dovetail","angle":80"#,
        r#""shape":"chamfer","angle":90"#,
    ] {
        assert_eq!(read(&entry(rest), "t.json").len(), 1);
    }
    for (rest, word) in [
        (r#""shape":"bull""#, "corner_radius"),
        (r#""shape":"star""#, "star"),
        (r#""shape":"ball","color":1"#, "color"),
        (r#""shape":"drill""#, "angle"),
        (r#""shape":"bull","corner_radius":9"#, "corner radius"),
        (r#""shape":"flat","shank_diameter":-2,"stick_out":50"#, "shank"),
    ] {
        assert!(refused(&entry(rest), "t.json").contains(word), "{rest}");
    }
    let twice = r#"{"tools":[{"number":1,"shape":"flat","diameter":1,"cutting_length":1},{"number":1,"shape":"flat","diameter":1,"cutting_length":1}]}"#;
    assert!(refused(twice, "t.json").contains("tool 1: is there twice"));
}

#[test]
fn of_camotics() {
    let text = r#"{"units":"metric","tools":{"1":{"units":"imperial","shape":"ballnose","length":1,"diameter":0.125,"description":""},
        "3":{"shape":"conical","length":10,"diameter":20}, "4":{"shape":"CYLINDRICAL","length":10,"diameter":3,"description":"thin"}},
        "workpiece":{"automatic":false}}"#;
    for name in ["bear.camotics", "bear.json"] {
        let table = read(text, name);
        assert_eq!(table.len(), 3);
        assert_eq!((table.get(1).expect("there").length(), table.get(4).expect("there").name.as_str()), (25.4, "thin"));
        let cone = &table.get(3).expect("there").pieces()[0];
        assert!((cone.half[0] - 10.0).abs() < 1e-12, "a point of 90 degrees");
        assert_eq!((cone.half[1], cone.height), (5.0, 5.0));
        assert!(!table.notes().is_empty());
    }
    assert!(refused(r#"{"tools":{"1":{"shape":"star","length":1,"diameter":1}}}"#, "t.json").contains("tool 1"));
    assert!(refused(r#"{"tools":{"x":{"shape":"cylindrical","length":1,"diameter":1}}}"#, "t.json").contains("tool x"));
    assert!(refused("{", "t.json").contains("line 1"));
}

#[test]
fn of_linuxcnc() {
    let table = read("T1 P1 Z+50 D6.0 ;end mill\n\nT2 P2 Z10 D0.0 ; probe\nT3 P3 D3\n", "tool.tbl");
    assert_eq!((table.len(), table.notes().len()), (2, 3));
    assert_eq!(table.left_out(2), Some("it has no diameter"));
    assert_eq!((table.get(1).expect("there").length(), table.get(3).expect("there").length()), (50.0, 12.0));
    assert!(refused("T1 D6\nP2 D6\n", "tool.tbl").contains("line 2"));
    assert!(refused("T1 Dx\n", "tool.tbl").contains("Dx"));
}

/// What a table does not say is what the caller says, and the notes have it; what it says holds.
#[test]
fn units_that_a_table_does_not_say() {
    let linuxcnc = "T1 Z2 D0.25\n";
    let own = r#"{"tools":[{"number":1,"shape":"flat","diameter":0.25,"cutting_length":2}]}"#;
    let camotics = r#"{"tools":{"1":{"shape":"cylindrical","length":2,"diameter":0.25}}}"#;
    for (text, name) in [(linuxcnc, "t.tbl"), (own, "t.json"), (camotics, "t.camotics")] {
        for (unit, length, word) in [(Unit::Millimetre, 2.0, "millimetres"), (Unit::Inch, 50.8, "inches")] {
            let table = ToolTable::parse_in(text, name, unit).expect("legal");
            let tool = table.get(1).expect("there");
            assert!((tool.length() - length).abs() < 1e-12 && (tool.pieces()[0].half[0] - length / 16.0).abs() < 1e-12);
            assert!(table.notes().iter().any(|note| note.contains(&format!("lengths are taken as {word}"))), "{name}");
        }
        let plain = ToolTable::parse(text, name).expect("legal");
        assert!((plain.get(1).expect("there").length() - 2.0).abs() < 1e-12, "{name}");
    }
    let own = own.replacen('{', r#"{"units":"mm","#, 1);
    let camotics = camotics.replace(r#""shape""#, r#""units":"metric","shape""#);
    for (text, name) in [("; mm\nT1 Z2 D0.25\n", "t.tbl"), (&own, "t.json"), (&camotics, "t.camotics")] {
        let table = ToolTable::parse_in(text, name, Unit::Inch).expect("legal");
        assert!((table.get(1).expect("there").length() - 2.0).abs() < 1e-12, "{name}");
        assert!(!table.notes().iter().any(|note| note.contains("taken as")), "{name}");
    }
    // Of the lines above the comment it is still assumed.
    let half = ToolTable::parse("T1 Z2 D1\n; inch\nT2 Z2 D1\n", "t.tbl").expect("legal");
    assert_eq!([1, 2].map(|number| half.get(number).expect("there").length()), [2.0, 50.8]);
    assert!(half.notes().iter().any(|note| note.contains("millimetres")));
}

#[test]
fn of_freecad() {
    let bit = |shape: &str, rest: &str| {
        format!(
            r#"{{"version":2,"name":"bit","shape":"{shape}","parameter":{{"Diameter":"6.0000 mm","Length":"50.0000 mm","CuttingEdgeHeight":"20,0 mm","ShankDiameter":"0.25 \""{rest}}},"attribute":{{}}}}"#
        )
    };
    let tool = read(&bit("endmill.fcstd", ""), "bit.fctb");
    let tool = tool.get(1).expect("there");
    assert_eq!((tool.name.as_str(), tool.length(), tool.pieces().len()), ("bit", 50.0, 2));
    assert!((tool.pieces()[1].half[0] - 3.175).abs() < 1e-12);
    for (shape, rest) in [
        ("ballend.fcstd", ""),
        ("bullnose.fcstd", r#","FlatRadius":"1.5 mm""#),
        ("v-bit.fcstd", r#","CuttingEdgeAngle":"90.00 °""#),
        ("drill.fcstd", r#","TipAngle":"118.00 °""#),
    ] {
        assert_eq!(read(&bit(shape, rest), "bit.fctb").len(), 1, "{shape}");
    }
    assert!(refused(&bit("probe.fcstd", ""), "bit.fctb").contains("probe"));
    assert!(refused(&bit("v-bit.fcstd", ""), "bit.fctb").contains("CuttingEdgeAngle"));
    let folder = std::env::temp_dir().join(format!("nearhit-nc-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("a.fctb"), bit("endmill.fcstd", "")).expect("a file");
    std::fs::write(folder.join("all.fctl"), r#"{"tools":[{"nr":7,"path":"a.fctb"}],"version":1}"#).expect("a file");
    assert!(ToolTable::read(&folder.join("all.fctl")).expect("legal").get(7).is_some());
    assert!(matches!(ToolTable::read(&folder), Err(NcError::Io { .. })));
    std::fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn damaged_tables_are_refused_or_read() {
    let mut random = Random(9);
    let sources = [
        (Demo::TOOLS, "t.json"),
        (r#"{"tools":{"1":{"shape":"conical","length":10,"diameter":20}}}"#, "t.camotics"),
        ("T1 P1 Z+50 D6.0 ;end mill\n", "t.tbl"),
    ];
    let letters: Vec<char> = "0123456789-+.eE{}[]\":, TDZé".chars().collect();
    let (mut read, mut refused) = (0, 0);
    for round in 0..1500 {
        let (text, name) = sources[round % 3];
        let mut text: Vec<char> = text.chars().collect();
        let at = random.between(0.0, text.len() as f64) as usize;
        text[at] = letters[random.between(0.0, letters.len() as f64) as usize];
        match ToolTable::parse(&text.into_iter().collect::<String>(), name) {
            Ok(_) => read += 1,
            Err(NcError::Tool { .. }) => refused += 1,
            Err(other) => panic!("{other}"),
        }
    }
    assert!(read > 100 && refused > 100, "{read} {refused}");
}
