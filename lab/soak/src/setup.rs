//! Two soups, a pose of the second, a point and a ray: from a seed, and as a file.

use anyhow::{Result, bail};
use nearhit::{Mesh, Pose};
use nearhit_testkit::pose::{IDENTITY, Rows, pose_soup};
use nearhit_testkit::rng::Rng;
use nearhit_testkit::sizes::{self, Family, SizedPair};
use nearhit_testkit::{Point, Soup, adversarial, shapes};
use std::fmt::Write;

/// What is asked about.
#[derive(Debug, Clone)]
pub(crate) struct Setup {
    pub(crate) family: &'static str,
    pub(crate) a: Soup,
    pub(crate) b: Soup,
    pub(crate) rotation: Rows,
    pub(crate) translation: Point,
    pub(crate) point: Point,
    pub(crate) direction: Point,
    /// Of engines, limits and budgets.
    pub(crate) dice: u64,
}

/// Families beyond those of sizes: pairs of triangles made to break predicates, closed solids on a
/// grid of small numbers, coplanar fans, copies of one soup, closed solids of any size.
const FAMILIES: [&str; 10] =
    ["whole", "cluster", "mixed", "far", "grid", "adversarial", "solids", "fans", "copies", "scaled-solids"];

impl Setup {
    /// The same for the same numbers.
    pub(crate) fn new(seed: u64, round: u64) -> Self {
        let mut rng = Rng::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ round);
        let family = FAMILIES[(round % FAMILIES.len() as u64) as usize];
        let SizedPair { a, b, rotation, translation } = match family {
            "adversarial" => adversarial_pair(&mut rng),
            "solids" => solids(1.0, &mut rng),
            "fans" => fans(&mut rng),
            "copies" => copies(&mut rng),
            "scaled-solids" => {
                let decade = *rng.choice(&sizes::decades());
                let power = decade.clamp(-290, 280);
                solids(10f64.powi(power), &mut rng)
            }
            _ => {
                let decade = *rng.choice(&sizes::decades());
                sizes::pair(Family::ALL[(round % 5) as usize], decade, &mut rng)
            }
        };
        let corner = *rng.choice(&a.vertices);
        let reach = a.vertices.iter().flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
        let point = match rng.below(3) {
            0 => corner,
            1 => std::array::from_fn(|axis| 0.5 * corner[axis] + 0.5 * rng.choice(&a.vertices)[axis]),
            _ => rng.point(-1.5, 1.5).map(|x| x * reach.min(5e298)),
        };
        let direction = if rng.chance(0.5) {
            std::array::from_fn(|_| rng.integer(-3, 4) as f64)
        } else {
            let target = *rng.choice(&a.vertices);
            std::array::from_fn(|axis| 0.25 * target[axis] - 0.25 * point[axis])
        };
        let direction = if direction == [0.0; 3] { [1.0, 2.0, -3.0] } else { direction };
        Self { family, a, b, rotation, translation, point, direction, dice: rng.u64() }
    }

    /// Whether the two are legal and in range; asked first, so that refusals are no failures.
    pub(crate) fn pose(&self) -> Option<Pose> {
        let pose = Pose::from_rows(self.rotation, self.translation).ok()?;
        let posed = self.posed(&pose);
        posed.vertices.iter().flatten().all(|x| x.abs() <= 1e299).then_some(pose)
    }

    /// b where it lies, by the documented formula.
    pub(crate) fn posed(&self, pose: &Pose) -> Soup {
        let (rotation, translation) = plain(pose);
        pose_soup(&rotation, &translation, &self.b)
    }

    pub(crate) fn rng(&self) -> Rng {
        Rng::new(self.dice)
    }

    pub(crate) fn soup(&self, of_b: bool) -> &Soup {
        if of_b { &self.b } else { &self.a }
    }

    pub(crate) fn soup_mut(&mut self, of_b: bool) -> &mut Soup {
        if of_b { &mut self.b } else { &mut self.a }
    }

    /// Without its rotation, without its translation.
    pub(crate) fn simpler(&self) -> Vec<Self> {
        let mut all = Vec::new();
        if self.rotation != IDENTITY {
            all.push(Self { rotation: IDENTITY, ..self.clone() });
        }
        if self.translation != [0.0; 3] {
            all.push(Self { translation: [0.0; 3], ..self.clone() });
        }
        all
    }

    pub(crate) fn without_unused_vertices(&self) -> Self {
        let packed = |soup: &Soup| {
            let mut packed = Soup::default();
            for corners in soup.corners() {
                let first = packed.vertices.len() as u32;
                packed.vertices.extend(corners);
                packed.triangles.push([first, first + 1, first + 2]);
            }
            packed
        };
        // Only triangles matter to most questions; whether a mesh is closed is seen by its corners.
        Self { a: packed(&self.a), b: packed(&self.b), ..self.clone() }
    }

    /// As a file: numbers are written so that they are read back bit by bit.
    pub(crate) fn text(&self, check: &str, message: &str) -> String {
        let mut text = String::new();
        message.lines().for_each(|line| _ = writeln!(text, "# {line}"));
        let _ = writeln!(text, "check {check}\nfamily {}\ndice {}", self.family, self.dice);
        let mut numbers = |name: &str, values: &[f64]| {
            let _ = write!(text, "{name}");
            values.iter().for_each(|value| _ = write!(text, " {value:e}"));
            text.push('\n');
        };
        numbers("rotation", self.rotation.as_flattened());
        numbers("translation", &self.translation);
        numbers("point", &self.point);
        numbers("direction", &self.direction);
        for (name, soup) in [("a", &self.a), ("b", &self.b)] {
            soup.corners().for_each(|corners| numbers(name, corners.as_flattened()));
        }
        text
    }

    /// The check and what it was asked about.
    pub(crate) fn from_text(text: &str) -> Result<(String, Self)> {
        let mut setup = Self {
            family: "file",
            a: Soup::default(),
            b: Soup::default(),
            rotation: IDENTITY,
            translation: [0.0; 3],
            point: [0.0; 3],
            direction: [1.0, 0.0, 0.0],
            dice: 0,
        };
        let mut check = String::new();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
            if name == "check" {
                check = rest.to_owned();
                continue;
            }
            if name == "dice" {
                setup.dice = rest.parse()?;
                continue;
            }
            if name == "family" {
                continue;
            }
            let values: Vec<f64> = rest.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
            match (name, values.len()) {
                ("rotation", 9) => setup.rotation = std::array::from_fn(|i| std::array::from_fn(|j| values[3 * i + j])),
                ("translation", 3) => setup.translation = std::array::from_fn(|i| values[i]),
                ("point", 3) => setup.point = std::array::from_fn(|i| values[i]),
                ("direction", 3) => setup.direction = std::array::from_fn(|i| values[i]),
                ("a" | "b", 9) => {
                    let soup = setup.soup_mut(name == "b");
                    let corners: [u32; 3] =
                        std::array::from_fn(|i| soup.push_vertex(std::array::from_fn(|j| values[3 * i + j])));
                    soup.triangles.push(corners);
                }
                _ => bail!("\"{name}\" with {} numbers", values.len()),
            }
        }
        Ok((check, setup))
    }
}

/// Rows and translation, as the oracles want them.
pub(crate) fn plain(pose: &Pose) -> (Rows, Point) {
    (pose.rotation().transpose().to_cols_array_2d(), pose.translation().to_array())
}

pub(crate) fn mesh(soup: &Soup) -> Result<Mesh, String> {
    Mesh::new(&soup.vertices, &soup.triangles).map_err(|error| format!("refused: {error}"))
}

fn single(corners: [Point; 3], soup: &mut Soup) {
    let corners = corners.map(|corner| soup.push_vertex(corner));
    soup.triangles.push(corners);
}

fn adversarial_pair(rng: &mut Rng) -> SizedPair {
    let (mut a, mut b) = (Soup::default(), Soup::default());
    for _ in 0..1 + rng.below(3) {
        let (of_a, of_b, _) = adversarial::pair(rng);
        single(of_a, &mut a);
        single(of_b, &mut b);
    }
    SizedPair { a, b, rotation: IDENTITY, translation: [0.0; 3] }
}

/// Closed solids with corners on a grid; moved by whole and half steps, turned by right angles or
/// anyhow.
fn solids(size: f64, rng: &mut Rng) -> SizedPair {
    let solid = |rng: &mut Rng| match rng.below(4) {
        0 => {
            let low: Point = std::array::from_fn(|_| rng.integer(-3, 1) as f64);
            shapes::cuboid(low, std::array::from_fn(|axis| low[axis] + rng.integer(1, 4) as f64))
        }
        1 => shapes::tetrahedron([[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]]),
        2 => shapes::axis_bars(2.0, 0.5),
        _ => shapes::uv_sphere(3, 4),
    };
    let (a, b) = (solid(rng), solid(rng));
    let rotation = match rng.below(3) {
        0 => IDENTITY,
        1 => [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
        _ => rng.rotation(),
    };
    let translation: Point = std::array::from_fn(|_| rng.integer(-5, 6) as f64 * 0.5);
    SizedPair { a: a.scaled(size), b: b.scaled(size), rotation, translation: translation.map(|x| x * size) }
}

/// Fans in one plane, about the same middle or beside each other.
fn fans(rng: &mut Rng) -> SizedPair {
    let fan = |corners: usize, turned: f64, z: f64| {
        let mut soup = Soup::default();
        let middle = soup.push_vertex([0.0, 0.0, z]);
        let rim: Vec<u32> = nearhit_testkit::mates::circle(corners, 1.0, turned)
            .into_iter()
            .map(|[x, y]| soup.push_vertex([x, y, z]))
            .collect();
        soup.triangles.extend((0..corners).map(|i| [middle, rim[i], rim[(i + 1) % corners]]));
        soup
    };
    let (a, b) = (fan(3 + rng.below(8), 0.0, 0.0), fan(3 + rng.below(8), rng.f64(), 0.0));
    let height = *rng.choice(&[0.0, 0.0, 1e-12, 5e-324, 0.25]);
    let aside = if rng.chance(0.5) { 0.0 } else { rng.range(-2.5, 2.5) };
    SizedPair { a, b, rotation: IDENTITY, translation: [aside, 0.0, height] }
}

/// One soup twice: all coincides, or nearly.
fn copies(rng: &mut Rng) -> SizedPair {
    let soup = match rng.below(3) {
        0 => shapes::uv_sphere(3, 5),
        1 => shapes::cuboid([0.0; 3], [1.0, 0.1, 3.0]),
        _ => shapes::torus(4, 3, 1.0, 0.3),
    };
    let shift = *rng.choice(&[0.0, 1e-16, 1e-9, 1.0]);
    let rotation = if rng.chance(0.5) { IDENTITY } else { rng.rotation() };
    SizedPair { a: soup.clone(), b: soup, rotation, translation: rng.unit_vector().map(|x| x * shift) }
}
