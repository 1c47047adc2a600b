//! Mesh files as an assembly of parts. Equal meshes are one shape.

use super::table;
use anyhow::{Context, Result, bail};
use nearhit::clash::Assembly;
use nearhit::{Mesh, RawMesh};
use nearhit_io::Format;
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
    names: Names,
    /// Vertices no farther apart are one.
    weld: Option<f64>,
}

impl Files {
    /// Reads files. One file: parts have the names they have in it. Several: those of a file that
    /// has parts come after its name and a slash.
    pub(super) fn read(files: &[PathBuf], table: Option<&Path>, weld: Option<f64>) -> Result<Self> {
        let mut read = Self { weld, ..Self::default() };
        for path in files {
            refuse_sources(path)?;
            read.add(path, files.len() > 1)?;
        }
        if let Some(table) = table {
            read.add_table(table)?;
        }
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
        for part in read.parts {
            let name = self.names.unique(prefix.clone() + &part.name);
            match shapes[part.shape] {
                None => self.empty.push(name),
                Some(shape) => {
                    self.assembly.add_part(name, shape, part.world_from_shape)?;
                }
            }
        }
        Ok(())
    }

    /// Parts of a table: each file once, in all its places.
    fn add_table(&mut self, table: &Path) -> Result<()> {
        let mut known: HashMap<PathBuf, Option<usize>> = HashMap::new();
        for row in table::read(table)? {
            let shape = match known.get(&row.file) {
                Some(&shape) => shape,
                None => {
                    let shape = self.shape(nearhit_io::read(&row.file)?, &row.file)?;
                    known.insert(row.file.clone(), shape);
                    shape
                }
            };
            let name = self.names.unique(row.name);
            match shape {
                None => self.empty.push(name),
                Some(shape) => {
                    self.assembly.add_part(name, shape, row.world_from_file)?;
                }
            }
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

/// Makes names of different files different.
#[derive(Debug, Default)]
struct Names(HashMap<String, u32>);

impl Names {
    fn unique(&mut self, name: String) -> String {
        let mut candidate = name.clone();
        let mut number = self.0.get(&name).copied().unwrap_or(0);
        while self.0.contains_key(&candidate) {
            number += 1;
            candidate = format!("{name}_{}", number + 1);
        }
        self.0.insert(name, number);
        self.0.entry(candidate.clone()).or_insert(0);
        candidate
    }
}
