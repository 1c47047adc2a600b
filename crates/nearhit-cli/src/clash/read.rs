//! Files as an assembly: shapes, and parts that are shapes in places.

use anyhow::{Context, Result, bail};
use nearhit::scene::Bounds;
use nearhit::{Mesh, Model, Pose, RawMesh};
use nearhit_io::Format;
use rayon::prelude::*;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// All parts of all files.
#[derive(Debug)]
pub(super) struct Assembly {
    pub(super) shapes: Vec<Shape>,
    pub(super) parts: Vec<Part>,
    /// Names of parts without triangles, which are left out.
    pub(super) empty: Vec<String>,
}

/// A mesh; a model when it has to answer questions.
#[derive(Debug)]
pub(super) enum Shape {
    Mesh(Mesh),
    Model(Box<Model>),
}

impl Shape {
    pub(super) fn mesh(&self) -> &Mesh {
        match self {
            Self::Mesh(mesh) => mesh,
            Self::Model(model) => model.mesh(),
        }
    }

    fn built(self) -> Self {
        match self {
            Self::Mesh(mesh) => Self::Model(Box::new(Model::new(mesh))),
            built => built,
        }
    }
}

/// A shape in its place.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) name: String,
    pub(super) shape: usize,
    pub(super) world_from_shape: Pose,
    /// Around its vertices, in the world.
    pub(super) bounds: Bounds,
}

impl Assembly {
    /// Reads files. One file: parts have the names they have in it. Several: a glTF file's come after its name and a slash.
    pub(super) fn read(files: &[PathBuf]) -> Result<Self> {
        let mut assembly = Self { shapes: Vec::new(), parts: Vec::new(), empty: Vec::new() };
        let (mut names, mut known) = (Names::default(), HashMap::new());
        for path in files {
            let read = nearhit_io::read_assembly(path)?;
            let is_gltf = Format::from_path(path)? == Format::Gltf;
            let prefix = match path.file_name() {
                Some(name) if files.len() > 1 && is_gltf => name.to_string_lossy().into_owned() + "/",
                _ => String::new(),
            };
            let shapes: Vec<Option<usize>> =
                (read.shapes.into_iter()).map(|raw| assembly.shape(raw, &mut known, path)).collect::<Result<_>>()?;
            for part in read.parts {
                let name = names.unique(prefix.clone() + &part.name);
                match shapes[part.shape] {
                    None => assembly.empty.push(name),
                    Some(shape) => assembly.place(name, shape, part.world_from_shape)?,
                }
            }
        }
        if assembly.parts.len() < 2 {
            let found = assembly.parts.len();
            bail!(
                "an assembly needs at least two parts with triangles, here is {found}: name more files, or a glTF file with several nodes"
            );
        }
        Ok(assembly)
    }

    /// The same mesh in two files is one shape. Nothing for a mesh without triangles.
    fn shape(&mut self, raw: RawMesh, known: &mut HashMap<u64, Vec<usize>>, path: &Path) -> Result<Option<usize>> {
        if raw.triangles.is_empty() {
            return Ok(None);
        }
        let mesh = Mesh::try_from(raw).with_context(|| path.display().to_string())?;
        let same = known.entry(fingerprint(&mesh)).or_default();
        if let Some(&shape) = same.iter().find(|&&shape| *self.shapes[shape].mesh() == mesh) {
            return Ok(Some(shape));
        }
        self.shapes.push(Shape::Mesh(mesh));
        same.push(self.shapes.len() - 1);
        Ok(same.last().copied())
    }

    fn place(&mut self, name: String, shape: usize, world_from_shape: Pose) -> Result<()> {
        let mesh = self.shapes[shape].mesh();
        let used =
            mesh.triangles().iter().flatten().map(|&vertex| world_from_shape.apply(mesh.vertices()[vertex as usize]));
        let bounds: Bounds = used.collect();
        if [bounds.low, bounds.high]
            .iter()
            .any(|corner| !corner.is_finite() || corner.abs().max_element() > nearhit::MAX_COORDINATE)
        {
            bail!(
                "part \"{name}\" reaches {}, beyond {:e}",
                bounds.high.max(-bounds.low).max_element(),
                nearhit::MAX_COORDINATE
            );
        }
        self.parts.push(Part { name, shape, world_from_shape, bounds });
        Ok(())
    }

    /// Trees for the shapes that are asked about.
    pub(super) fn build(&mut self, wanted: &[bool], done: impl Fn() + Sync) {
        let shapes = std::mem::take(&mut self.shapes);
        let build = |(shape, &wanted): (Shape, &bool)| {
            let shape = if wanted { shape.built() } else { shape };
            done();
            shape
        };
        self.shapes = shapes.into_par_iter().zip(wanted).map(build).collect();
    }

    pub(super) fn mesh(&self, part: usize) -> &Mesh {
        self.shapes[self.parts[part].shape].mesh()
    }

    /// Of a part whose shape was built.
    pub(super) fn model(&self, part: usize) -> Option<&Model> {
        match &self.shapes[self.parts[part].shape] {
            Shape::Model(model) => Some(model),
            Shape::Mesh(_) => None,
        }
    }

    pub(super) fn triangles(&self) -> u64 {
        self.parts.iter().map(|part| self.shapes[part.shape].mesh().triangles().len() as u64).sum()
    }

    /// The longest side of the box around everything.
    pub(super) fn size(&self) -> f64 {
        let whole = self.parts.iter().fold(Bounds::EMPTY, |whole, part| whole.join(&part.bounds));
        (whole.high - whole.low).max_element()
    }
}

fn fingerprint(mesh: &Mesh) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    mesh.triangles().hash(&mut hasher);
    mesh.vertices().iter().for_each(|point| point.to_array().map(f64::to_bits).hash(&mut hasher));
    hasher.finish()
}

/// Makes names of different files different.
#[derive(Default)]
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
