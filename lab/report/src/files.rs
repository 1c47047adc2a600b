//! A report as files: one page, and Markdown with its plots beside it.

use super::{Report, html, markdown};
use anyhow::Context;
use std::fs;
use std::path::Path;

/// Makes the folder and sees that it can be written to: that it cannot is no news for the end of a
/// long run.
pub fn prepare(folder: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let trial = folder.join(format!(".nearhit-{}", std::process::id()));
    let writable = fs::write(&trial, "").and_then(|()| fs::remove_file(&trial));
    writable.with_context(|| format!("cannot write into {}", folder.display()))
}

/// Writes `NAME.html`, which needs nothing else, and `NAME.md` with `NAME-1.svg` and so on, into a
/// folder ([`prepare`] makes it).
pub fn write(report: &Report, name: &str, folder: &Path) -> anyhow::Result<()> {
    let put = |file: &str, content: &str| {
        let path = folder.join(file);
        fs::write(&path, content).with_context(|| format!("cannot write {}", path.display()))
    };
    put(&format!("{name}.html"), &html::render(report))?;
    let mut plots = Vec::new();
    let page = markdown::render(report, |plot| {
        let file = format!("{name}-{}.svg", plots.len() + 1);
        plots.push((file.clone(), plot.svg()));
        file
    });
    put(&format!("{name}.md"), &page)?;
    plots.iter().try_for_each(|(file, svg)| put(file, svg))
}
