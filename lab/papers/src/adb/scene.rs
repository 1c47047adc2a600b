//! The paper's scene: two copies of a model, scaled to a box of side 2, one tumbling at a distance
//! from the other.

use nearhit::research::ModelExt;
use nearhit::research::VolumeKind;
use nearhit::research::adb::{Averages, Options};
use nearhit::research::build::BuildOptions;
use nearhit::research::volume::BoundingVolume;
use nearhit::research::volume::Placement;
use nearhit::research::volume::aabb::Aabb;
use nearhit::{Mesh, Model, Pair, Pose, Scratch, Settings, Verdict};
use nearhit_cases::generated;
use nearhit_testkit::rng::axis_angle_to_rows;
use nearhit_testkit::{Soup, shapes};
use std::path::PathBuf;

/// A model at a resolution.
#[derive(Debug, Clone)]
pub(super) struct Object {
    /// What it is.
    pub(super) name: &'static str,
    /// Scaled, about the origin.
    pub(super) mesh: Mesh,
}

impl Object {
    fn new(name: &'static str, soup: &Soup) -> Self {
        Self { name, mesh: scaled(soup) }
    }

    /// How many triangles.
    pub(super) fn size(&self) -> usize {
        self.mesh.triangles().len()
    }

    /// With a tree of a volume.
    pub(super) fn model(&self, volume: VolumeKind) -> Model {
        Model::with(self.mesh.clone(), volume, &BuildOptions::default())
    }
}

/// A model with the table beside its tree.
#[derive(Debug)]
pub(super) struct Augmented {
    pub(super) model: Model,
    pub(super) averages: Averages,
}

impl Augmented {
    pub(super) fn new(model: Model, options: &Options) -> Self {
        let averages = Averages::new(&model, options);
        Self { model, averages }
    }
}

/// A maker of a model of about so many triangles.
pub(super) type Maker = (&'static str, fn(usize) -> Soup);

/// The models of the experiments: stand-ins for the paper's car body, door lock and pipes.
pub(super) const MODELS: [Maker; 6] = [
    ("pipes", |size| shapes::pipes(size, 1)),
    ("ring", |size| shapes::wrinkled_torus(grid(size), grid(size), 5)),
    ("sheet", |size| shapes::wavy_sheet(grid(size), 0.3, 3)),
    ("piano", |size| refined(shapes::piano(), size)),
    ("arm", |size| refined(shapes::robot_arm(4, 0.6), size)),
    ("engine", |size| refined(shapes::engine_block(3, 16, 3), size)),
];

/// Others, of other kinds: with [`MODELS`] what the estimates were tuned and the calibration is
/// fitted on.
pub(super) const MORE: [Maker; 8] = [
    ("torus", |size| shapes::torus(grid(size), grid(size), 1.0, 0.3)),
    ("hand", |size| refined(shapes::hand(0.4), size)),
    ("piston", |size| refined(shapes::piston(0.8, 24), size)),
    ("bars", |size| refined(shapes::axis_bars(1.0, 0.15), size)),
    ("ball", |size| shapes::uv_sphere_of(size as u32)),
    ("cave", |size| shapes::cave(size, 11)),
    ("interior", |size| shapes::interior(size, 5)),
    ("room", |size| refined(shapes::room(5), size)),
];

/// A model of about `size` triangles.
pub(super) fn object((name, make): Maker, size: usize) -> Object {
    Object::new(name, &make(size))
}

/// The scanned bunny, where it is at hand.
pub(super) fn bunny() -> Option<Object> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/cases/bunny-close/a.obj");
    let mesh = nearhit_io::read_mesh(&path).ok()?;
    let vertices = mesh.vertices().iter().map(|vertex| vertex.to_array()).collect();
    Some(Object::new("bunny", &Soup { vertices, triangles: mesh.triangles().to_vec() }))
}

/// Cells along a side of a surface of two triangles a cell.
pub(super) fn grid(size: usize) -> u32 {
    (size as f64 / 2.0).sqrt().round() as u32
}

/// Cuts every triangle into four until there are about `size`.
pub(super) fn refined(mut soup: Soup, size: usize) -> Soup {
    while soup.triangles.len() * 2 < size {
        let mut finer = Soup { vertices: soup.vertices.clone(), triangles: Vec::new() };
        for &[a, b, c] in &soup.triangles {
            let mut middle = |i: u32, j: u32| {
                let (p, q) = (soup.vertices[i as usize], soup.vertices[j as usize]);
                finer.vertices.push(std::array::from_fn(|axis| 0.5 * (p[axis] + q[axis])));
                finer.vertices.len() as u32 - 1
            };
            let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
            finer.triangles.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
        }
        soup = finer;
    }
    soup
}

fn scaled(soup: &Soup) -> Mesh {
    generated::mesh(&unit(soup))
}

/// Scaled to a box of side 2 about the origin.
pub(super) fn unit(soup: &Soup) -> Soup {
    let mut bounds = [[f64::INFINITY, f64::NEG_INFINITY]; 3];
    for vertex in &soup.vertices {
        for axis in 0..3 {
            bounds[axis] = [bounds[axis][0].min(vertex[axis]), bounds[axis][1].max(vertex[axis])];
        }
    }
    let side = bounds.iter().map(|[low, high]| high - low).fold(0.0, f64::max);
    soup.map(|vertex| {
        std::array::from_fn(|axis| (vertex[axis] - 0.5 * (bounds[axis][0] + bounds[axis][1])) * 2.0 / side)
    })
}

/// One test of the scene, with the truth.
#[derive(Debug, Clone, Copy)]
pub(super) struct Trial {
    /// Of the boxes' middles.
    pub(super) distance: f64,
    /// Of the other copy.
    pub(super) pose: Pose,
    /// Do the outer boxes meet? Only then a wrong answer counts.
    pub(super) near: bool,
    /// Do the surfaces touch?
    pub(super) touches: bool,
}

/// `turns`² orientations at each distance: steps of a full turn about z and about x.
pub(super) fn trials(object: &Object, distances: &[f64], turns: u32) -> Vec<Trial> {
    let model = Model::new(object.mesh.clone());
    let triangles: Vec<_> = (0..object.size() as u32).map(|index| object.mesh.triangle(index)).collect();
    let outer = Aabb::fit(&triangles);
    let mut scratch = Scratch::new();
    let mut trials = Vec::new();
    for &distance in distances {
        for turn in 0..turns * turns {
            // Not from zero: sides would be parallel.
            let angle = |step: u32| (f64::from(step) + 0.37) * std::f64::consts::TAU / f64::from(turns);
            let about_z = axis_angle_to_rows([0.0, 0.0, 1.0], angle(turn / turns));
            let about_x = axis_angle_to_rows([1.0, 0.0, 0.0], angle(turn % turns));
            let rows =
                std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| about_x[i][k] * about_z[k][j]).sum()));
            let pose = Pose::from_rows(rows, [distance, 0.0, 0.0]).expect("a rotation");
            let motion = Aabb::motion(&Placement::new(&pose, 1.0, 1.0));
            let near = !outer.disjoint(&outer.place(&motion));
            let pair = Pair::relative(&model, &model, &pose).expect("in range");
            let touches = pair.collide(&Settings::default(), &mut scratch).verdict == Verdict::Yes;
            trials.push(Trial { distance, pose, near, touches });
        }
    }
    trials
}

/// From `from` to `to` in steps.
pub(super) fn distances(from: f64, to: f64, step: f64) -> Vec<f64> {
    let count = ((to - from) / step).round() as usize;
    (0..=count).map(|index| from + step * index as f64).collect()
}
