//! Any text as an NC program, and as a tool table.

use nearhit_nc::{Machine, Program, ReadOptions, ToolTable};
use std::sync::Arc;

/// A table that tips and turns.
const MACHINE: &str = r#"{"axes": [{"letter": "A", "on": "table", "direction": [1, 0, 0], "point": [0, 0, -50]},
    {"letter": "C", "on": "table", "direction": [0, 0, 1], "point": [0, 0, 0]}]}"#;

/// Parses as G-code, as APT and as poses; then as every kind of tool table. Nothing may panic, an
/// error must name its file, and every place must be a number.
pub fn check_nc(text: &str) {
    for name in ["fuzz.nc", "fuzz.apt", "fuzz.csv"] {
        for start in [None, Some([0.0; 3])] {
            let machine = start.and_then(|_| Machine::parse(MACHINE, "machine.json").ok()).map(Arc::new);
            let options = ReadOptions { start, machine, ..ReadOptions::default() };
            match Program::parse(text, name, &options) {
                Ok(program) => {
                    for one in &program.moves {
                        let ends = [0.0, 0.5, 1.0].map(|t| (one.path.tip(t), one.path.axis(t)));
                        assert!(ends.iter().all(|(tip, axis)| tip.is_finite() && axis.is_finite()), "{one:?}");
                        assert!(one.line >= 1 && one.line <= text.lines().count() + 1, "{one:?}");
                    }
                }
                Err(error) => assert!(error.to_string().contains(name), "{error}"),
            }
        }
    }
    if let Err(error) = Machine::parse(text, "fuzz.json") {
        assert!(error.to_string().contains("fuzz.json"), "{error}");
    }
    for name in ["fuzz.json", "fuzz.tbl", "fuzz.fctb"] {
        if let Ok(tools) = ToolTable::parse(text, name) {
            for tool in tools.iter() {
                assert!(tool.length().is_finite() && tool.length() >= 0.0, "{tool:?}");
                let sections = tool.sections();
                assert!(sections.iter().flat_map(|(_, points)| points).flatten().all(|value| value.is_finite()));
            }
        }
    }
}
