//! Mesh files as an assembly of parts. Equal meshes are one shape.

use super::table;
use crate::progress::Progress;
use crate::terminal::plain;
use anyhow::{Context, Result, bail};
use nearhit::clash::Assembly;
use nearhit::{Mesh, Pose, RawMesh};
use nearhit_io::{Format, distinct_names};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// A file's text. Pipes and devices, which may never end, are refused.
pub(super) fn text(path: &Path) -> Result<String> {
    nearhit_io::check_regular(path)?;
    std::fs::read_to_string(path).with_context(|| format!("{}: cannot be read", path.display()))
}

/// An assembly and what was left out of it.
#[derive(Debug, Default)]
pub(super) struct Files {
    pub(super) assembly: Assembly,
    /// Names of parts without triangles, which are left out.
    pub(super) empty: Vec<String>,
    /// Shapes by their fingerprint.
    known: HashMap<u64, Vec<usize>>,
    /// What was read, before names of different files are made different.
    placed: Vec<Placed>,
    /// Vertices no farther apart are one.
    weld: Option<f64>,
}

/// A part of a file; it has no shape if it has no triangles.
#[derive(Debug)]
struct Placed {
    name: String,
    shape: Option<usize>,
    world_from_shape: Pose,
}

impl Files {
    /// Reads files. One file: parts have the names they have in it. Several: those of a file that
    /// has parts come after its name and a slash.
    pub(super) fn read(files: &[PathBuf], table: Option<&Path>, weld: Option<f64>) -> Result<Self> {
        let mut read = Self { weld, ..Self::default() };
        let progress = Progress::naming(files.len() as u64, "files read");
        for (done, path) in files.iter().enumerate() {
            progress.name(&plain(&path.display().to_string()));
            refuse_sources(path)?;
            read.add(path, files.len() > 1)?;
            progress.reach(done as u64 + 1);
        }
        drop(progress);
        if let Some(table) = table {
            read.add_table(table)?;
        }
        read.place()?;
        let count = read.assembly.parts().len();
        if count < 2 {
            bail!(
                "an assembly needs at least two parts with triangles, found {count}: give several files, or a glTF, \
                 COLLADA or 3MF file with several nodes"
            );
        }
        Ok(read)
    }

    fn add(&mut self, path: &Path, is_one_of_several: bool) -> Result<()> {
        let read = nearhit_io::read_assembly(path)?;
        let has_parts = Format::from_path(path)?.has_parts();
        let prefix = match path.file_name() {
            Some(name) if is_one_of_several && has_parts => name.to_string_lossy().into_owned() + "/",
            _ => String::new(),
        };
        let shapes: Vec<Option<usize>> =
            (read.shapes.into_iter()).map(|raw| self.shape(raw, path)).collect::<Result<_>>()?;
        self.placed.extend(read.parts.into_iter().map(|part| Placed {
            name: prefix.clone() + &part.name,
            shape: shapes[part.shape],
            world_from_shape: part.world_from_shape,
        }));
        Ok(())
    }

    /// Everything that was read as parts, with names that differ.
    fn place(&mut self) -> Result<()> {
        let mut placed = std::mem::take(&mut self.placed);
        let names = placed.iter_mut().map(|part| std::mem::take(&mut part.name)).collect();
        for (name, Placed { shape, world_from_shape, .. }) in distinct_names(names).into_iter().zip(placed) {
            match shape {
                None => self.empty.push(name),
                Some(shape) => {
                    self.assembly.add_part(name, shape, world_from_shape)?;
                }
            }
        }
        Ok(())
    }

    /// Parts of a table: each file once, in all its places.
    fn add_table(&mut self, table: &Path) -> Result<()> {
        let mut known: HashMap<PathBuf, Option<usize>> = HashMap::new();
        let rows = table::read(table)?;
        let progress = Progress::naming(rows.len() as u64, "parts read");
        for (done, row) in rows.into_iter().enumerate() {
            progress.name(&plain(&row.name));
            let shape = match known.get(&row.file) {
                Some(&shape) => shape,
                None => {
                    let shape = self.shape(nearhit_io::read(&row.file)?, &row.file)?;
                    known.insert(row.file.clone(), shape);
                    shape
                }
            };
            self.placed.push(Placed { name: row.name, shape, world_from_shape: row.world_from_file });
            progress.reach(done as u64 + 1);
        }
        Ok(())
    }

    /// The same mesh in two files is one shape. Nothing for a mesh without triangles.
    fn shape(&mut self, raw: RawMesh, path: &Path) -> Result<Option<usize>> {
        let raw = match self.weld {
            Some(distance) => nearhit_io::welded(&raw, distance),
            None => raw,
        };
        if raw.triangles.is_empty() {
            return Ok(None);
        }
        let mesh = Mesh::try_from(raw).with_context(|| path.display().to_string())?;
        let same = self.known.entry(fingerprint(&mesh)).or_default();
        if let Some(&shape) = same.iter().find(|&&shape| self.assembly.shape_mesh(shape) == Some(&mesh)) {
            return Ok(Some(shape));
        }
        let shape = self.assembly.add_mesh(mesh);
        same.push(shape);
        Ok(Some(shape))
    }
}

/// Files that other programs have to turn into triangles: says which.
fn refuse_sources(path: &Path) -> Result<()> {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    let package = match extension.as_deref() {
        Some("step" | "stp") => "cascadio",
        Some("ifc") => "ifcopenshell",
        _ => return Ok(()),
    };
    bail!(
        "{}: such files are converted by the Python package: pip install nearhit {package}, then python -m \
         nearhit.convert {} OUT.glb",
        path.display(),
        path.display()
    )
}

fn fingerprint(mesh: &Mesh) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    mesh.triangles().hash(&mut hasher);
    mesh.vertices().iter().for_each(|point| point.to_array().map(f64::to_bits).hash(&mut hasher));
    hasher.finish()
}
