//! `nearhit run`: a query at every pose of a case, with its answers, work and times.
//!
//! [`Args`] becomes a [`Plan`]; [`measure`] carries it out; [`Summary`] and [`Answer`] are its
//! results.

mod answer;
mod args;
mod measure;
mod plan;
mod precomputed;
mod query;
mod summary;
mod table;

pub use answer::Answer;
pub use args::Args;
pub use measure::{Built, Measured, measure};
pub use plan::Plan;
pub use query::Query;
pub use summary::Summary;

use crate::exit::Finish;
use crate::output::check_output;
use crate::terminal::{self, Style};
use anyhow::{Context, Result};
use nearhit::report::Placement;
use nearhit_cases::folder::{Case, Placed};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Runs `nearhit run`.
pub fn command(args: &Args) -> Result<Finish> {
    let plan = Plan::new(args)?;
    let case = Case::load(&args.case)?;
    // Before the work: an hour's answers must not be lost because there is no place to write them.
    let per_pose = args.per_pose.as_deref().map(|path| create(path, &args.case)).transpose()?;
    let built = Built::new(&case, &plan)?;
    let measured = built.measure(&case, &plan)?;
    if let (Some(file), Some(path)) = (per_pose, &args.per_pose) {
        let lines = lines(&measured.answers, &case, &built, args)?;
        write_lines(file, &lines).with_context(|| format!("{}: cannot be written", path.display()))?;
    }
    let summary = Summary::new(&case, &plan, &measured);
    let text = if args.json { summary.json()? } else { table::show(&case, &plan, &summary, Style::of_stdout()) };
    terminal::print(&text)?;
    Ok(Finish::Done)
}

fn create(path: &Path, case: &Path) -> Result<File> {
    let inputs = ["a.obj", "b.obj", "poses.txt", "case.json", "expected.json"];
    let inputs = inputs.map(|name| case.join(name));
    check_output(path, inputs.iter().map(PathBuf::as_path), "belongs to the case; answers would overwrite it")?;
    File::create(path).with_context(|| format!("{}: cannot be written", path.display()))
}

/// One line per pose, with its witness if that is wanted.
fn lines(answers: &[Answer], case: &Case, built: &Built, args: &Args) -> Result<Vec<Answer>> {
    let (a, b) = built.models();
    let line = |(pose, (answer, placed)): (usize, (&Answer, &Placed))| {
        let answer = Answer { pose, ..*answer };
        if !args.witness {
            return Ok(answer);
        }
        Ok(answer.located(&Placement::new(a, &placed.world_from_a, b, &placed.world_from_b)?))
    };
    answers.iter().zip(&case.poses).enumerate().map(line).collect()
}

fn write_lines(file: File, lines: &[Answer]) -> Result<()> {
    let mut writer = BufWriter::new(file);
    for line in lines {
        serde_json::to_writer(&mut writer, line)?;
        writer.write_all(b"\n")?;
    }
    Ok(writer.flush()?)
}
