//! The report of a check as an HTML page to scrub through: one file, nothing fetched from anywhere.

use super::summary::{Summary, certain, row};
use crate::clash::{escaped, filled};
use crate::terminal::grouped;
use anyhow::Result;
use glam::DVec3;
use nearhit_nc::{Checker, Class, Finding, Label, Move, MoveKind, Program, Role, ToolPath};
use serde::Serialize;
use std::fmt::Write;

const FRAME: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = concat!(include_str!("../matrices.js"), include_str!("page.js"));

/// More moves than these are not in the picture: a browser would not take the file.
const SHOWN: usize = 100_000;

/// What the script draws.
#[derive(Serialize)]
struct Data<'c> {
    bodies: Vec<Surface<'c>>,
    tools: Vec<Turned>,
    moves: Vec<Way>,
    findings: Vec<&'c Finding>,
    low: [f64; 3],
    high: [f64; 3],
}

#[derive(Serialize)]
struct Surface<'c> {
    name: &'c str,
    role: Role,
    positions: Vec<f64>,
    triangles: Vec<[u32; 3]>,
}

#[derive(Serialize)]
struct Turned {
    number: u32,
    sections: Vec<(Label, Vec<[f64; 2]>)>,
}

/// A move as places of the tip and, where it turns, directions of the axis.
#[derive(Serialize)]
struct Way {
    line: usize,
    tool: Option<u32>,
    rapid: bool,
    tips: Vec<f64>,
    axes: Vec<f64>,
}

impl Way {
    fn new(one: &Move, only: Option<u32>) -> Self {
        let steps = match &one.path {
            ToolPath::Line { .. } | ToolPath::Anywhere { .. } => 1,
            ToolPath::Tilt { from_axis, to_axis, .. } if from_axis == to_axis => 1,
            ToolPath::Tilt { .. } => 12,
            _ => 24,
        };
        let instants = || (0..=steps).map(|step| f64::from(step) / f64::from(steps));
        let turns = one.path.is_tilted();
        let axes = instants().filter(|_| turns).flat_map(|t| one.path.axis(t).to_array()).map(short).collect();
        let tips = instants().flat_map(|t| one.path.tip(t).to_array()).map(short).collect();
        Self { line: one.line, tool: one.tool.or(only), rapid: one.kind != MoveKind::Feed, tips, axes }
    }
}

/// A millionth of a millimetre is enough for a picture.
fn short(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

/// The text of the page.
pub(super) fn page(summary: &Summary<'_>, program: &Program, checker: &Checker) -> Result<String> {
    let data = data(summary, program, checker);
    // "</" would end the script element that the data is in.
    let text = serde_json::to_string(&data)?.replace("</", "<\\/");
    let (class, state) = match (summary.findings.len(), summary.complete) {
        (0, true) => ("none", "Nothing found.".to_owned()),
        (0, false) => ("open", "Stopped: nothing found so far.".to_owned()),
        (count, true) => ("found", format!("{} found.", grouped(count as u64))),
        (count, false) => ("found", format!("Stopped: {} found so far.", grouped(count as u64))),
    };
    let mut about = format!("{} {}", summary.clear(), summary.notes().replace('\n', " "));
    if program.moves.len() > SHOWN {
        let _ = write!(about, "The picture has the first {} moves.", grouped(SHOWN as u64));
    }
    let parts = [
        ("{{style}}", STYLE.to_owned()),
        ("{{program}}", escaped(&summary.program)),
        ("{{class}}", class.to_owned()),
        ("{{state}}", state),
        ("{{about}}", escaped(&about)),
        ("{{last}}", data.moves.len().to_string()),
        ("{{rows}}", rows(&data.findings)),
        ("{{version}}", env!("CARGO_PKG_VERSION").to_owned()),
        ("{{data}}", text),
        ("{{script}}", SCRIPT.to_owned()),
    ];
    Ok(filled(FRAME, &parts))
}

fn data<'c>(summary: &Summary<'c>, program: &Program, checker: &'c Checker) -> Data<'c> {
    let tools = checker.tools();
    let only = tools.iter().next().filter(|_| tools.len() == 1).map(|tool| tool.number);
    let moves: Vec<Way> = program.moves.iter().take(SHOWN).map(|one| Way::new(one, only)).collect();
    let surface = |body: &'c nearhit_nc::Body| {
        let (points, triangles) = body.surface();
        let positions = points.into_iter().flat_map(|point| point.to_array()).map(short).collect();
        Surface { name: body.name(), role: body.role(), positions, triangles }
    };
    let bodies: Vec<Surface<'c>> = checker.bodies().iter().map(surface).collect();
    let points = bodies.iter().flat_map(|body| &body.positions).chain(moves.iter().flat_map(|way| &way.tips));
    let points: Vec<f64> = points.copied().collect();
    let (low, high) = points
        .chunks(3)
        .map(DVec3::from_slice)
        .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), point| (low.min(point), high.max(point)));
    let tools = tools.iter().map(|tool| Turned { number: tool.number, sections: tool.sections() }).collect();
    let findings = summary.findings.iter().filter(|finding| finding.index < moves.len()).collect();
    let corner = |point: DVec3| if point.is_finite() { point.to_array() } else { [0.0; 3] };
    Data { bodies, tools, moves, findings, low: corner(low), high: corner(high) }
}

/// The table's body, a row a finding.
fn rows(findings: &[&Finding]) -> String {
    let mut text = String::new();
    for finding in findings {
        text += "<tr tabindex=\"0\">";
        let mut cells = row(finding);
        if finding.tip.is_none() && finding.class != Class::Possible {
            cells[4] += &format!(", {}", certain(finding));
        }
        for cell in &cells[..5] {
            let _ = write!(text, "<td>{}</td>", escaped(cell));
        }
        text += "</tr>\n";
    }
    text
}
