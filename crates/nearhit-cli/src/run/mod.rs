//! `nearhit run`: asks one query at every pose of a case, and tells the answers and what they cost.
//!
//! [`Typed`] (what was typed) becomes a [`Plan`] (what it means); [`measure`] does it; [`Summary`] and [`Answer`] say it.

mod answer;
mod beside;
mod measure;
mod plan;
mod query;
mod summary;
mod table;
mod typed;

pub use answer::Answer;
pub use measure::{Built, Measured, measure};
pub use plan::{Plan, Start};
pub use query::Query;
pub(crate) use query::touches;
pub use summary::Summary;
pub use typed::Typed;

use crate::exit::Finish;
use crate::output::keep_inputs;
use crate::terminal::{self, Style};
use answer::{Line, Witness};
use anyhow::{Context, Result};
use nearhit_cases::folder::Case;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Runs `nearhit run`.
pub fn command(typed: &Typed) -> Result<Finish> {
    let plan = Plan::new(typed)?;
    let case = Case::load(&typed.case)?;
    // Before the work: an hour's answers must not be lost because there is no place to write them.
    let per_pose = typed.per_pose.as_deref().map(|path| create(path, &typed.case)).transpose()?;
    let measured = measure(&case, &plan)?;
    if let (Some(file), Some(path)) = (per_pose, &typed.per_pose) {
        let lines = lines(&measured.answers, &case, typed);
        write_lines(file, lines).with_context(|| format!("{}: cannot be written", path.display()))?;
    }
    let summary = Summary::new(&case, &plan, &measured);
    let text = if typed.json { summary.json()? } else { table::show(&case, &plan, &summary, Style::of_stdout()) };
    terminal::print(&text)?;
    Ok(Finish::Done)
}

fn create(path: &Path, case: &Path) -> Result<File> {
    let inputs = ["a.obj", "b.obj", "poses.txt", "case.json", "expected.json"];
    let inputs = inputs.map(|name| case.join(name));
    keep_inputs(path, inputs.iter().map(PathBuf::as_path), "belongs to the case; answers would overwrite it")?;
    File::create(path).with_context(|| format!("{}: cannot be written", path.display()))
}

/// One a pose, with its witness if that is wanted.
fn lines<'c>(answers: &'c [Answer], case: &'c Case, typed: &'c Typed) -> impl Iterator<Item = Line> + use<'c> {
    answers.iter().zip(&case.poses).enumerate().map(move |(pose, (answer, placed))| {
        let witness = typed.witness.then(|| Witness::new(answer.witness, case, placed));
        answer.line(pose, witness)
    })
}

fn write_lines(file: File, lines: impl Iterator<Item = Line>) -> Result<()> {
    let mut writer = BufWriter::new(file);
    for line in lines {
        serde_json::to_writer(&mut writer, &line)?;
        writer.write_all(b"\n")?;
    }
    Ok(writer.flush()?)
}
