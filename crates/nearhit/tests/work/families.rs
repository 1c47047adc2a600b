//! Pairs of small meshes on which searches are known to go astray: everything parallel, coincident,
//! flat, degenerate, tiny or huge.

use crate::common::mesh;
use nearhit::{Model, Pose};
use nearhit_testkit::adversarial::{Kind, pair_of};
use nearhit_testkit::rng::Rng;
use nearhit_testkit::{Soup, shapes};

/// Two models of at most a hundred triangles, and where b is.
#[derive(Debug)]
pub(crate) struct Setup {
    pub(crate) a: Model,
    pub(crate) b: Model,
    pub(crate) a_from_b: Pose,
    /// About the size of both.
    pub(crate) size: f64,
}

impl Setup {
    fn new(a: &Soup, b: &Soup, offset: [f64; 3], size: f64) -> Self {
        assert!(a.len() <= 100 && b.len() <= 100, "{} and {} triangles", a.len(), b.len());
        let a_from_b = Pose::from_translation(offset).expect("finite");
        Self { a: Model::new(mesh(a)), b: Model::new(mesh(b)), a_from_b, size }
    }
}

/// How setups are made.
pub(crate) type Family = (&'static str, fn(&mut Rng) -> Setup);

pub(crate) const FAMILIES: [Family; 6] = [
    ("unions of boxes", boxes),
    ("the same mesh twice", coincident),
    ("sheets in one plane", coplanar),
    ("degenerate soups", degenerate),
    ("boxes of any scale", scaled),
    ("clusters of any scale", clusters),
];

/// One to three boxes with whole numbers for corners.
fn union(rng: &mut Rng) -> Soup {
    let mut whole = Soup::default();
    for _ in 0..1 + rng.below(3) {
        let low: [f64; 3] = std::array::from_fn(|_| rng.integer(0, 4) as f64);
        let high = low.map(|from| from + rng.integer(1, 3) as f64);
        whole.append(&shapes::cuboid(low, high));
    }
    whole
}

fn on_the_grid(rng: &mut Rng) -> [f64; 3] {
    std::array::from_fn(|_| rng.integer(-24, 24) as f64 / 8.0)
}

fn boxes(rng: &mut Rng) -> Setup {
    let (a, b, offset) = (union(rng), union(rng), on_the_grid(rng));
    Setup::new(&a, &b, offset, 6.0)
}

fn coincident(rng: &mut Rng) -> Setup {
    let soup = match rng.below(3) {
        0 => union(rng),
        1 => shapes::torus(8, 5, 0.7, 0.25),
        _ => shapes::icosphere(2),
    };
    Setup::new(&soup, &soup, [0.0; 3], 6.0)
}

fn coplanar(rng: &mut Rng) -> Setup {
    let mut sheet = |cells: i64| {
        let mut soup = Soup::default();
        let height = rng.integer(0, 1) as f64;
        for i in 0..cells * cells {
            let (x, y) = ((i % cells) as f64, (i / cells) as f64);
            let first = soup.vertices.len() as u32;
            for [x, y] in [[x, y], [x + 1.0, y], [x + 1.0, y + 1.0], [x, y + 1.0]] {
                soup.push_vertex([x, y, height]);
            }
            soup.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
        }
        soup
    };
    let (a, b, [x, y, _]) = (sheet(5), sheet(4), on_the_grid(rng));
    Setup::new(&a, &b, [x, y, 0.0], 6.0)
}

fn degenerate(rng: &mut Rng) -> Setup {
    let kinds: Vec<Kind> =
        Kind::ALL.into_iter().filter(|kind| !matches!(kind, Kind::Huge | Kind::Tiny | Kind::MixedScale)).collect();
    let (mut a, mut b) = (Soup::default(), Soup::default());
    for _ in 0..10 + rng.below(20) {
        let (of_a, of_b) = pair_of(*rng.choice(&kinds), rng);
        for (soup, triangle) in [(&mut a, of_a), (&mut b, of_b)] {
            let corners = triangle.map(|corner| soup.push_vertex(corner));
            soup.triangles.push(corners);
        }
    }
    let size = a.bounds().map_or(1.0, |(low, high)| (0..3).map(|axis| high[axis] - low[axis]).fold(0.0, f64::max));
    Setup::new(&a, &b, [0.0; 3], size)
}

fn scaled(rng: &mut Rng) -> Setup {
    let scale = 10.0_f64.powi(rng.integer(-300, 298) as i32);
    let (a, b, offset) = (union(rng).scaled(scale), union(rng).scaled(scale), on_the_grid(rng).map(|at| at * scale));
    Setup::new(&a, &b, offset, 6.0 * scale)
}

/// Boxes of different scales in one mesh.
fn clusters(rng: &mut Rng) -> Setup {
    let mut mixed = || {
        let mut soup = Soup::default();
        for _ in 0..2 + rng.below(2) {
            let scale = 10.0_f64.powi(rng.integer(-200, 0) as i32);
            let at = on_the_grid(rng).map(|at| at * scale);
            soup.append(&shapes::cuboid([0.0; 3], [1.0; 3]).scaled(scale).translated(at));
        }
        soup
    };
    let (a, b) = (mixed(), mixed());
    Setup::new(&a, &b, [0.0; 3], 6.0)
}
