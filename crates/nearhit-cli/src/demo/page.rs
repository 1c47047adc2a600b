//! The demonstration as an HTML page: one file, nothing fetched from anywhere.

use super::plot::{colour, svg};
use super::record::{Moment, short};
use super::refine::{Story, length};
use super::table::sentence;
use super::trial::Trial;
use super::{balls, intervals};
use crate::terminal::{grouped, significant};
use anyhow::Result;
use nearhit::Mesh;
use nearhit_cases::folder::Case;
use serde::Serialize;
use std::fmt::Write;

const FRAME: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = concat!(include_str!("../matrices.js"), include_str!("page.js"));

/// Volumes whose lines are shown at first: those that say most.
const SHOWN: [&str; 4] = ["sphere", "aabb", "obb", "kdop18"];

/// What the script draws.
#[derive(Serialize)]
struct Data<'p> {
    a: Shape<'p>,
    b: Shape<'p>,
    flight: &'p [Moment],
}

#[derive(Serialize)]
struct Shape<'p> {
    positions: Vec<f64>,
    triangles: &'p [[u32; 3]],
}

impl<'p> From<&'p Mesh> for Shape<'p> {
    fn from(mesh: &'p Mesh) -> Self {
        let positions = mesh.vertices().iter().flat_map(|point| point.to_array()).map(short).collect();
        Self { positions, triangles: mesh.triangles() }
    }
}

/// The text of the page.
pub(super) fn page(case: &Case, trials: &[Trial], flight: &[Moment], story: &Story) -> Result<String> {
    let data = serde_json::to_string(&Data { a: (&case.a).into(), b: (&case.b).into(), flight })?;
    let parts = [
        ("{{style}}", STYLE),
        ("{{ring}}", &grouped(case.a.triangles().len() as u64)),
        ("{{wire}}", &grouped(case.b.triangles().len() as u64)),
        ("{{poses}}", &case.poses.len().to_string()),
        ("{{last}}", &case.poses.len().saturating_sub(1).to_string()),
        ("{{first}}", &busiest(flight).to_string()),
        ("{{version}}", env!("CARGO_PKG_VERSION")),
        ("{{rows}}", &rows(trials)),
        ("{{sentence}}", &sentence(trials)),
        ("{{plot}}", &svg(trials, flight)),
        ("{{narrowest}}", &story.pose.to_string()),
        ("{{distance}}", &length(story.distance)),
        ("{{spheres}}", &significant(story.build_ms / 1e3)),
        ("{{intervals}}", &intervals::svg(story)),
        ("{{balls}}", &balls::figures(story)),
        ("{{data}}", &data),
        ("{{script}}", SCRIPT),
    ];
    Ok(parts.iter().fold(FRAME.to_owned(), |text, (mark, part)| text.replace(mark, part)))
}

/// The pose to begin with: something should be seen.
fn busiest(flight: &[Moment]) -> usize {
    (0..flight.len()).max_by_key(|&pose| flight[pose].contacts).unwrap_or(0)
}

/// The table's body, a row a volume.
fn rows(trials: &[Trial]) -> String {
    let mut text = String::new();
    for (index, trial) in trials.iter().enumerate() {
        let (name, collide, contacts) = (trial.volume.name(), &trial.collide.summary, &trial.contacts.summary);
        let checked = if SHOWN.contains(&name) { " checked" } else { "" };
        let _ = write!(
            text,
            "<tr><th scope=\"row\"><label style=\"--line:{}\"><input type=\"checkbox\" data-volume=\"{name}\"{checked}> \
             {name}</label></th>",
            colour(index)
        );
        let per_pose = |total: u64| significant(total as f64 / collide.poses as f64);
        let cells = [
            significant(collide.build_ms),
            grouped(collide.bytes.div_ceil(1024) as u64),
            per_pose(collide.n_v),
            per_pose(collide.n_p),
            per_pose(collide.n_u),
            significant(collide.p50_us),
            significant(contacts.p50_us),
        ];
        cells.iter().for_each(|cell| text += &format!("<td>{cell}</td>"));
        text += "</tr>\n";
    }
    text
}
