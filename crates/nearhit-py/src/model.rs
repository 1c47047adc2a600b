//! A model in Python. Immutable and shared: any thread may ask about it.

use crate::fork::on_threads;
use crate::once::Once;
use crate::{errors, meshes};
use nearhit::research::ModelExt;
use nearhit::research::PresetExt;
use nearhit::research::adb::{Averages, Options};
use nearhit::research::build::{AxisRule, BuildOptions};
use nearhit::research::hierarchy::Tumbling;
use nearhit::research::{UnknownVolume, VolumeKind};
use nearhit::{Mesh, Model as Native, Preset};
use numpy::ndarray::Array2;
use numpy::{PyArray2, ToPyArray};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyType};
use std::path::PathBuf;
use std::sync::Arc;

/// A mesh with its tree: what questions are asked of. Immutable; safe to use from many threads; can
/// be pickled.
///
/// The mesh is anything with .vertices (n, 3) and .faces (m, 3), a pair of such arrays, or the path
/// of an OBJ, STL, PLY, OFF, glTF, COLLADA or 3MF file.
///
/// >>> import nearhit as nh
/// >>> model = nh.Model(([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
/// >>> model
/// Model(1 triangles, 3 vertices, volume='auto')
/// >>> len(model), model.faces
/// (1, array([[0, 1, 2]]))
/// >>> nh.Model.from_bytes(model.to_bytes()).volume
/// 'auto'
///
/// For research: with `volume` the tree is made of sphere, aabb, obb, kdop6 (14, 18, 26, 50, 74,
/// 98), lss, rss, mixed or dynamic, split by `rule` (splatter, longest-side, min-sum or min-max)
/// down to `leaf_size` triangles, with what k-DOPs are turned by if it is `flying`. The default,
/// "auto", is the fastest; "auto:fast", "auto:best" and "auto:compact" trade the time of building,
/// the time of queries and memory.
#[pyclass(frozen, module = "nearhit", name = "Model")]
pub(crate) struct Model {
    pub(crate) native: Arc<Native>,
    averages: Once<Averages>,
}

const EXTENSION: &str = "nhm";

#[pymethods]
impl Model {
    #[new]
    #[pyo3(signature = (mesh, *, volume = "auto", rule = None, leaf_size = None, flying = false))]
    fn new(
        py: Python<'_>,
        mesh: &Bound<'_, PyAny>,
        volume: &str,
        rule: Option<&str>,
        leaf_size: Option<usize>,
        flying: bool,
    ) -> PyResult<Self> {
        let build = Build::new(volume, rule, leaf_size, flying)?;
        if let Ok(path) = mesh.extract::<PathBuf>() {
            if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(EXTENSION)) {
                let message = format!("{}: a built model is read by Model.load", path.display());
                return Err(PyValueError::new_err(message));
            }
            return on_threads(py, || Ok(build.model(nearhit_io::read_mesh(&path).map_err(errors::of_reading)?)))?;
        }
        let [vertices, faces] = meshes::parts(mesh)?;
        let mesh = meshes::from_arrays(&vertices, &faces)?;
        on_threads(py, || build.model(mesh))
    }

    /// Reads a file that `save`, or the command `nearhit build`, wrote.
    #[classmethod]
    fn load(_class: &Bound<'_, PyType>, py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let bytes = std::fs::read(&path)
            .map_err(|error| errors::of_reading(nearhit_io::ReadError::Io { path: path.clone(), error }))?;
        on_threads(py, || read(&bytes, &path.display().to_string()))?
    }

    /// From what `to_bytes` returned.
    #[classmethod]
    fn from_bytes(_class: &Bound<'_, PyType>, py: Python<'_>, data: &[u8]) -> PyResult<Self> {
        on_threads(py, || read(data, "model"))?
    }

    /// Writes the mesh with its tree to a file.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let bytes = py.detach(|| self.bytes());
        std::fs::write(&path, bytes)
            .map_err(|error| errors::of_reading(nearhit_io::ReadError::Io { path: path.clone(), error }))
    }

    /// The same as bytes.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let bytes = py.detach(|| self.bytes());
        PyBytes::new(py, &bytes)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let from_bytes = py.get_type::<Self>().getattr("from_bytes")?;
        Ok((from_bytes, (self.to_bytes(py),)))
    }

    /// The corners, as an array (n, 3).
    #[getter]
    fn vertices<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f64>> {
        let vertices = self.native.mesh().vertices();
        Array2::from_shape_fn((vertices.len(), 3), |(vertex, axis)| vertices[vertex][axis]).to_pyarray(py)
    }

    /// The triangles, as an array (m, 3) of indices.
    #[getter]
    fn faces<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<i64>> {
        let faces = self.native.mesh().triangles();
        Array2::from_shape_fn((faces.len(), 3), |(face, corner)| i64::from(faces[face][corner])).to_pyarray(py)
    }

    /// What the tree is made of.
    #[getter]
    fn volume(&self) -> &'static str {
        self.native.volume_name()
    }

    /// Memory held, mesh included.
    #[getter]
    fn nbytes(&self) -> usize {
        self.native.bytes()
    }

    /// What the tree is like, level by level: a dictionary each.
    fn levels<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let levels = PyList::empty(py);
        for level in self.native.levels() {
            let row = PyDict::new(py);
            row.set_item("nodes", level.nodes)?;
            row.set_item("leaves", level.leaves)?;
            row.set_item("volume", level.volume)?;
            row.set_item("surface", level.surface)?;
            row.set_item("bytes", level.bytes)?;
            levels.append(row)?;
        }
        Ok(levels)
    }

    /// How inside is told from outside: "exact" for closed meshes, "parity" for closed ones with
    /// flipped triangles, "generalised" for those with holes.
    #[getter]
    fn inside_method(&self, py: Python<'_>) -> PyResult<&'static str> {
        on_threads(py, || self.native.inside_method().into())
    }

    /// The number of triangles.
    fn __len__(&self) -> usize {
        self.native.mesh().triangles().len()
    }

    fn __repr__(&self) -> String {
        let mesh = self.native.mesh();
        let (triangles, vertices) = (mesh.triangles().len(), mesh.vertices().len());
        format!("Model({triangles} triangles, {vertices} vertices, volume='{}')", self.volume())
    }
}

impl From<Native> for Model {
    fn from(native: Native) -> Self {
        Self::shared(Arc::new(native))
    }
}

impl Model {
    pub(crate) fn shared(native: Arc<Native>) -> Self {
        Self { native, averages: Once::new() }
    }

    /// What guesses are made from; made when it is first asked for.
    pub(crate) fn averages(&self) -> &Averages {
        self.averages.get_or_make(|| Averages::new(&self.native, &Options::default()))
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.native.save(&mut bytes).expect("memory takes everything");
        bytes
    }
}

fn read(bytes: &[u8], name: &str) -> PyResult<Model> {
    let native = Native::from_bytes(bytes).map_err(|error| errors::of_file(error, name))?;
    Ok(Model::from(native))
}

/// What is to be built.
struct Build {
    /// The default engine's, unless a volume is chosen.
    preset: Preset,
    classic: Option<(VolumeKind, BuildOptions, Tumbling)>,
}

impl Build {
    fn new(volume: &str, rule: Option<&str>, leaf_size: Option<usize>, flying: bool) -> PyResult<Self> {
        if let Some(preset) = Preset::of_volume(volume) {
            let preset = preset.map_err(|error| PyValueError::new_err(format!("volume: {error}")))?;
            let idle = rule.is_some() || leaf_size.is_some() || flying;
            let complaint = "rule, leaf_size and flying are for a volume; the default engine has its own way";
            return if idle { Err(PyValueError::new_err(complaint)) } else { Ok(Self { preset, classic: None }) };
        }
        let unknown = |error: UnknownVolume| PyValueError::new_err(error.to_string());
        let kind: VolumeKind = volume.parse().map_err(unknown)?;
        let mut options = BuildOptions::default();
        if let Some(rule) = rule {
            options.axis = axis_rule(rule)?;
        }
        match leaf_size {
            Some(0) => return Err(PyValueError::new_err("leaf_size must be at least 1")),
            Some(size) => options.leaf_size = size,
            None => {}
        }
        let tumbling = if flying { Tumbling::PAPER } else { Tumbling::PLAIN };
        Ok(Self { preset: Preset::default(), classic: Some((kind, options, tumbling)) })
    }

    fn model(&self, mesh: Mesh) -> Model {
        let native = match &self.classic {
            None => Native::with_preset(mesh, self.preset),
            Some((kind, options, tumbling)) => Native::with(mesh, *kind, options).tumbling(*tumbling),
        };
        Model::from(native)
    }
}

fn axis_rule(name: &str) -> PyResult<AxisRule> {
    match name {
        "splatter" => Ok(AxisRule::Splatter),
        "longest-side" => Ok(AxisRule::LongestSide),
        "min-sum" => Ok(AxisRule::MinSum),
        "min-max" => Ok(AxisRule::MinMax),
        _ => {
            let message = format!("there is no rule '{name}'; known: splatter, longest-side, min-sum, min-max");
            Err(PyValueError::new_err(message))
        }
    }
}
