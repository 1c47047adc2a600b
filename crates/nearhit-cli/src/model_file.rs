//! Model files: a mesh with its tree, written by `nearhit build`.

use anyhow::{Context, Result};
use nearhit::{Mesh, Model};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Of such files, without the dot.
pub(crate) const EXTENSION: &str = "nhm";

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
