//! Model files: a mesh with its tree, written by `nearhit build`.

use anyhow::{Context, Result};
use nearhit::{Mesh, Model};
use nearhit_io::Format;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Of such files, without the dot.
pub(crate) const EXTENSION: &str = "nhm";

/// "The mesh: an obj, stl, … or 3mf file": what `which` may be, for the help of arguments.
pub(crate) fn mesh_help(which: &str) -> String {
    let extensions: Vec<&str> = Format::ALL.iter().flat_map(|format| format.extensions()).copied().collect();
    let (last, others) = extensions.split_last().unwrap_or((&"", &[]));
    format!("{which}: an {} or {last} file", others.join(", "))
}

/// The same where a model file will do.
pub(crate) fn help(which: &str) -> String {
    mesh_help(which) + ", or the output of `nearhit build`"
}

/// By its name.
pub(crate) fn is_model(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(EXTENSION))
}

pub(crate) fn load(path: &Path) -> Result<Model> {
    let shown = path.display();
    nearhit_io::check_regular(path)?;
    let file = File::open(path).with_context(|| format!("{shown}: cannot be read"))?;
    Model::load(file).with_context(|| format!("{shown}"))
}

pub(crate) fn save(model: &Model, path: &Path) -> Result<()> {
    let write = || -> std::io::Result<()> {
        let mut file = BufWriter::new(File::create(path)?);
        model.save(&mut file)?;
        file.flush()
    };
    write().with_context(|| format!("{}: cannot be written", path.display()))
}

/// The mesh in a file of either kind.
pub(crate) fn mesh(path: &Path) -> Result<Mesh> {
    Ok(if is_model(path) { load(path)?.mesh().clone() } else { nearhit_io::read_mesh(path)? })
}
