//! `nearhit spheres --count` and `--sticks-out`: balls that contain the solid of one mesh.

use super::{Args, length, unwritable};
use crate::exit::Finish;
use crate::model_file;
use crate::output::check_output;
use crate::terminal::{self, Style, plural};
use crate::tolerance;
use anyhow::{Context, Result, bail};
use nearhit::{InsideMethod, Model};
use nearhit_robot::MeshSpheres;
use serde::Serialize;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// What was made.
#[derive(Debug, Serialize)]
struct Report {
    file: Option<String>,
    triangles: usize,
    /// False: the mesh is not closed, and only its surface is contained.
    solid: bool,
    build_ms: f64,
    spheres: usize,
    smallest: f64,
    largest: f64,
    /// No point of a ball is farther outside.
    sticks_out: f64,
}

/// Runs `nearhit spheres` with a number of balls, or how far they may stick out.
pub(super) fn command(args: &Args) -> Result<Finish> {
    if args.count.is_some_and(|count| !(1..=MeshSpheres::MOST).contains(&count)) {
        bail!("--count must be from 1 to {}", MeshSpheres::MOST);
    }
    if let Some(output) = &args.output {
        check_output(output, [args.mesh.as_path()], "is the mesh itself")?;
    }
    let limit =
        args.sticks_out.as_deref().map(|text| tolerance::length(text, "--sticks-out ", "length")).transpose()?;
    let model = Arc::new(Model::new(model_file::mesh(&args.mesh)?));
    let started = Instant::now();
    let balls = match limit {
        Some(limit) => MeshSpheres::sticking_out_at_most(&model, limit)?,
        None => MeshSpheres::new(Arc::clone(&model), args.count.unwrap_or(1))?,
    };
    if let Some(limit) = limit.filter(|&limit| balls.sticks_out() > limit) {
        let [most, out] = [MeshSpheres::MOST as f64, balls.sticks_out()];
        bail!("--sticks-out {limit}: {most} balls stick out by up to {out}, and more are not made");
    }
    let build_ms = started.elapsed().as_secs_f64() * 1e3;
    if let Some(output) = &args.output {
        write(&balls, args, output).with_context(|| unwritable(output))?;
    }
    let radii = || balls.spheres().iter().map(|(_, radius)| *radius);
    let report = Report {
        file: args.output.as_ref().map(|output| output.display().to_string()),
        triangles: model.mesh().triangles().len(),
        solid: model.inside_method() != InsideMethod::Generalised,
        build_ms,
        spheres: balls.spheres().len(),
        smallest: radii().fold(f64::INFINITY, f64::min),
        largest: radii().fold(0.0, f64::max),
        sticks_out: balls.sticks_out(),
    };
    terminal::report(&report, args.json, Report::sentences)?;
    Ok(Finish::Done)
}

fn write(balls: &MeshSpheres, args: &Args, output: &Path) -> Result<()> {
    let name = args.mesh.file_stem().map_or_else(|| "mesh".into(), |name| name.to_string_lossy());
    let (robot, links) = balls.robot(&name)?;
    Ok(std::fs::write(output, args.format.text(&robot, &links))?)
}

impl Report {
    fn sentences(&self, style: Style) -> String {
        let what = if self.solid { "the solid" } else { "the surface (the mesh is not closed)" };
        let balls = plural(self.spheres as u64, "ball");
        let contain = if self.spheres == 1 { "contains" } else { "contain" };
        format!(
            "{}, radius {} to {}; no point of a ball is more than {} outside.\n",
            style.bold(&format!("{balls} {contain} {what}")),
            length(self.smallest),
            length(self.largest),
            length(self.sticks_out)
        )
    }
}
