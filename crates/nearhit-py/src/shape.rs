//! Shapes in Python: what all kinds of them share, and how deep two of them overlap. The kinds
//! themselves (`Ball`, `Box` and so on) are in `python/nearhit/_shapes.py`.

use crate::answer::{Fields, column, table};
use crate::errors;
use crate::fork::on_threads;
use crate::query::Query;
use nearhit::shape::{Shape as Native, ShapeError};
use numpy::{PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use std::hash::{DefaultHasher, Hash, Hasher};

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Shape>()?;
    module.add_function(wrap_pyfunction!(penetration, module)?)?;
    module.add_function(wrap_pyfunction!(simplified, module)?)?;
    module.add_function(wrap_pyfunction!(separating_plane, module)?)
}

/// A shape that is no mesh: what `Ball`, `Capsule`, `Box`, `Cylinder`, `Cone`, `Ellipsoid`, `Hull`,
/// `HalfSpace`, `PointCloud`, `HeightField` and `Octree` share. Immutable; safe to use from many
/// threads; can be pickled; equal to another of the same kind with the same sizes.
///
/// >>> import nearhit as nh
/// >>> box = nh.Box(1, 2, 3, margin=0.1)
/// >>> isinstance(box, nh.Shape), box.name, box.margin
/// (True, 'box', 0.1)
/// >>> box == nh.Box(1, 2, 3), box.corners.shape
/// (False, (8, 3))
#[pyclass(frozen, subclass, module = "nearhit", name = "Shape")]
pub(crate) struct Shape {
    native: Native,
    /// As given: they say what it is.
    kind: Kind,
    sizes: Vec<f64>,
    margin: f64,
}

/// As the library names them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Ball,
    Capsule,
    Box,
    Cylinder,
    Cone,
    Ellipsoid,
    Hull,
    HalfSpace,
    PointCloud,
    HeightField,
    Octree,
}

impl Kind {
    const ALL: [(&'static str, Self); 11] = [
        ("ball", Self::Ball),
        ("capsule", Self::Capsule),
        ("box", Self::Box),
        ("cylinder", Self::Cylinder),
        ("cone", Self::Cone),
        ("ellipsoid", Self::Ellipsoid),
        ("hull", Self::Hull),
        ("half-space", Self::HalfSpace),
        ("point cloud", Self::PointCloud),
        ("height field", Self::HeightField),
        ("octree", Self::Octree),
    ];

    fn read(name: &str) -> PyResult<Self> {
        let known = Self::ALL.iter().find(|(known, _)| *known == name);
        known.map(|&(_, kind)| kind).ok_or_else(|| {
            let known: Vec<&str> = Self::ALL.iter().map(|(known, _)| *known).collect();
            PyValueError::new_err(format!("there is no shape '{name}'; known: {}", known.join(", ")))
        })
    }

    fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, kind)| *kind == self).map_or("shape", |(name, _)| name)
    }

    /// None if there are not as many sizes as there must be.
    fn shape(self, sizes: &[f64]) -> Option<Result<Native, ShapeError>> {
        Some(match (self, sizes) {
            (Self::Ball, &[radius]) => Native::ball(radius),
            (Self::Capsule, &[radius, length]) => Native::capsule(radius, length),
            (Self::Box, &[x, y, z]) => Native::cuboid([x, y, z]),
            (Self::Cylinder, &[radius, length]) => Native::cylinder(radius, length),
            (Self::Cone, &[radius, length, top]) => Native::truncated_cone(radius, top, length),
            (Self::Ellipsoid, &[x, y, z]) => Native::ellipsoid([x, y, z]),
            (Self::HalfSpace, &[x, y, z, offset]) => Native::half_space([x, y, z], offset),
            (Self::Hull, points) if points.len().is_multiple_of(3) => Native::hull(points.as_chunks::<3>().0),
            // How many numbers are coordinates; these; radii.
            (Self::PointCloud, [count, rest @ ..]) => {
                let (points, radii) = rest.split_at_checked(*count as usize)?;
                Native::point_cloud(points.as_chunks::<3>().0, radii)
            }
            // In a row; spacings; the floor, below everything if there is none.
            (Self::HeightField, &[columns, dx, dy, floor, ref heights @ ..]) => {
                let (columns, spacing) = (columns as usize, [dx, dy]);
                if floor == f64::NEG_INFINITY {
                    Native::height_field(heights, columns, spacing)
                } else {
                    Native::solid_height_field(heights, columns, spacing, floor)
                }
            }
            // Of points, or of boxes of cells.
            (Self::Octree, &[resolution, 0.0, ref points @ ..]) => {
                Native::octree(points.as_chunks::<3>().0, resolution)
            }
            (Self::Octree, &[resolution, 1.0, ref cells @ ..]) => {
                let cells = cells.as_chunks::<6>().0.iter();
                let cells: Vec<_> = cells
                    .map(|&[i, j, k, l, m, n]| [[i, j, k].map(|cell| cell as i32), [l, m, n].map(|cell| cell as i32)])
                    .collect();
                Native::octree_of_cells(&cells, resolution)
            }
            _ => return None,
        })
    }

    /// Has it pieces that an answer can name?
    fn has_pieces(self) -> bool {
        matches!(self, Self::PointCloud | Self::HeightField | Self::Octree)
    }

    /// What a shape of pieces is made of, in words.
    fn summary(self, sizes: &[f64]) -> Option<String> {
        Some(match (self, sizes) {
            (Self::PointCloud, [count, ..]) => format!("{} points", *count as usize / 3),
            (Self::HeightField, [columns, _, _, _, heights @ ..]) => {
                format!("{} x {} heights", heights.len() / *columns as usize, *columns as usize)
            }
            (Self::Octree, [resolution, ..]) => format!("cells of {resolution:?}"),
            _ => return None,
        })
    }
}

/// Numbers in an array, or any sequence.
fn numbers(given: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    match given.extract::<PyReadonlyArray1<'_, f64>>() {
        Ok(array) => Ok(array.as_array().to_vec()),
        Err(_) => given.extract(),
    }
}

#[pymethods]
impl Shape {
    #[new]
    #[pyo3(signature = (kind, sizes, margin = 0.0))]
    fn new(py: Python<'_>, kind: &str, sizes: &Bound<'_, PyAny>, margin: f64) -> PyResult<Self> {
        let (kind, sizes) = (Kind::read(kind)?, numbers(sizes)?);
        let made = on_threads(py, || kind.shape(&sizes).map(|made| made.and_then(|shape| shape.grown(margin))))?;
        match made {
            Some(made) => Ok(Self { native: made.map_err(errors::of_shape)?, kind, sizes, margin }),
            None => {
                Err(PyValueError::new_err(format!("{} numbers are not the sizes of a {}", sizes.len(), kind.name())))
            }
        }
    }

    /// Its kind: "ball", "capsule", "box", "cylinder", "cone", "ellipsoid", "hull", "half-space",
    /// "point cloud", "height field" or "octree".
    #[getter]
    fn name(&self) -> &'static str {
        self.native.name()
    }

    /// What it is grown by all around.
    #[getter]
    fn margin(&self) -> f64 {
        self.margin
    }

    /// (2, 3): the lowest and the highest corner of a box around it in its own frame, its margin
    /// included. None of a half-space.
    #[getter]
    fn bounds<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray2<f64>>> {
        let (low, high) = self.native.bounds()?;
        Some(table(py, [low.to_array(), high.to_array()].into_iter()))
    }

    /// (n, 3): the corners of a box or hull, or of what a ball or capsule is grown from; of a hull
    /// without the points that are no corners. Empty for all others.
    #[getter]
    fn corners<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f64>> {
        table(py, self.native.corners().into_iter().map(|corner| corner.to_array()))
    }

    /// The numbers it was made of.
    #[getter]
    fn _sizes(&self) -> Vec<f64> {
        self.sizes.clone()
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.kind == other.kind && self.sizes == other.sizes && self.margin == other.margin
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.kind.hash(&mut hasher);
        // Zeros are equal, whatever their signs.
        let bits = |size: &f64| (size + 0.0).to_bits();
        self.sizes.iter().chain([&self.margin]).for_each(|size| bits(size).hash(&mut hasher));
        hasher.finish()
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let (this, name) = (slf.get(), slf.get_type().name()?);
        let mut said = match (this.kind, &this.sizes[..]) {
            (kind, sizes) if kind.has_pieces() => {
                format!("<{} of {}", name, kind.summary(sizes).unwrap_or_default())
            }
            (Kind::Hull, _) => format!("<{} of {} corners", name, this.native.corners().len()),
            (Kind::HalfSpace, [normal @ .., offset]) => format!("{name}({normal:?}, {offset:?}"),
            (Kind::Cone, [radius, length, top]) if *top == 0.0 => format!("{name}({radius:?}, {length:?}"),
            (Kind::Cone, [radius, length, top]) => format!("{name}({radius:?}, {length:?}, top={top:?}"),
            (_, sizes) => {
                let sizes: Vec<String> = sizes.iter().map(|size| format!("{size:?}")).collect();
                format!("{name}({}", sizes.join(", "))
            }
        };
        if this.margin != 0.0 {
            said += &format!(", margin={:?}", this.margin);
        }
        Ok(said + if this.kind == Kind::Hull || this.kind.has_pieces() { ">" } else { ")" })
    }

    #[allow(clippy::type_complexity)] // The arguments of `_restored`.
    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyType>, &'static str, Vec<f64>, f64))> {
        static RESTORED: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let restored = RESTORED.import(slf.py(), "nearhit._shapes", "_restored")?.clone();
        let this = slf.get();
        Ok((restored, (slf.get_type(), this.name(), this.sizes.clone(), this.margin)))
    }
}

impl Shape {
    pub(crate) fn native(&self) -> &Native {
        &self.native
    }

    /// Has it pieces that an answer can name?
    pub(crate) fn has_pieces(&self) -> bool {
        self.kind.has_pieces()
    }
}

/// The fields of `Penetration` or `Penetrations`.
#[pyfunction]
fn penetration<'py>(py: Python<'py>, query: &Query) -> Fields<'py> {
    query.only_shapes()?;
    let found = query.ask_shapes(py, |pair, _, scratch| (pair.penetration(scratch).expect("both are convex"), None))?;
    found
        .value(|one| one.depth.lower)?
        .value(|one| one.depth.upper)?
        .direction(|one| one.normal)
        .points(|one| [one.on_a, one.on_b])
        .fields()
}

/// (n, 3): corners of a hull of at most `most` corners that encloses a hull or box.
#[pyfunction]
fn simplified<'py>(py: Python<'py>, shape: &Shape, most: usize) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let made = py.detach(|| shape.native.simplified(most)).map_err(errors::of_shape)?;
    Ok(table(py, made.corners().into_iter().map(|corner| corner.to_array())))
}

/// Normal and two offsets, in the world; None if the two touch or no plane is known.
#[pyfunction]
#[allow(clippy::type_complexity)] // The fields of `SeparatingPlane`.
fn separating_plane<'py>(
    py: Python<'py>,
    query: &Query,
    direction: Option<[f64; 3]>,
) -> PyResult<Option<(Bound<'py, PyArray1<f64>>, f64, f64)>> {
    let found = query.ask_shapes(py, |pair, _, _| {
        // Given in the world.
        (pair.separating_plane(direction.map(|direction| query.in_a(direction.into()))), None)
    })?;
    let Some(Some(plane)) = found.single() else { return Ok(None) };
    let world_from_a = found.pose_a(0);
    let normal = world_from_a.rotation() * plane.normal;
    let shift = normal.dot(world_from_a.translation());
    Ok(Some((column(py, normal.to_array().into_iter()), plane.above_a + shift, plane.below_b + shift)))
}
