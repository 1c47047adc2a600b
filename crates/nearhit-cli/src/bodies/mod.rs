//! Two files as two placed bodies: what `check`, `distance` and `within` ask about, and how they are spoken of.

mod place;
mod typed;

pub use typed::{TypedBodies, TypedPlaces};

use crate::limit::{Limit, WallClock};
use crate::model_file;
use crate::say;
use crate::volume::{Engine, engine};
use anyhow::Result;
use glam::DVec3;
use nearhit::{Model, Pair, Pose, Settings, Stats, TrianglePair};
use place::Place;
use serde::Serialize;
use std::ops::AddAssign;
use std::path::Path;

/// What was typed, understood: all complaints about it come before a file is read.
#[derive(Debug)]
struct Plan {
    volume: Engine,
    limit: Limit,
    world_from_a: Pose,
    world_from_b: Pose,
}

impl Plan {
    fn new(typed: &TypedBodies) -> Result<Self> {
        let [world_from_a, world_from_b] = poses(&typed.places)?;
        let (volume, limit) = (engine(&typed.volume)?, Limit::new(&typed.limit)?);
        Ok(Self { volume, limit, world_from_a, world_from_b })
    }
}

/// Where a and b are.
pub(crate) fn poses(typed: &TypedPlaces) -> Result<[Pose; 2]> {
    let a = Place {
        body: 'a',
        matrix: typed.a_matrix.as_deref(),
        quaternion: typed.a_quaternion.as_deref(),
        euler: typed.a_euler.as_deref(),
        translate: typed.a_translate.as_deref(),
    };
    let b = Place {
        body: 'b',
        matrix: typed.b_matrix.as_deref(),
        quaternion: typed.b_quaternion.as_deref(),
        euler: typed.b_euler.as_deref(),
        translate: typed.b_translate.as_deref(),
    };
    Ok([a.pose()?, b.pose()?])
}

/// Two bodies in the world.
#[derive(Debug)]
pub(crate) struct Bodies {
    a: Model,
    b: Model,
    plan: Plan,
    heading: Heading,
    names: [String; 2],
}

impl Bodies {
    pub(crate) fn load(typed: &TypedBodies) -> Result<Self> {
        let plan = Plan::new(typed)?;
        let [a, b] = models([&typed.a, &typed.b], plan.volume)?;
        let heading = Heading {
            a: typed.a.display().to_string(),
            b: typed.b.display().to_string(),
            volume: a.volume_name().to_owned(),
        };
        Ok(Self { a, b, plan, heading, names: names(&typed.a, &typed.b) })
    }

    pub(crate) fn pair(&self) -> Result<Pair<'_>> {
        Ok(Pair::new(&self.a, &self.plan.world_from_a, &self.b, &self.plan.world_from_b)?)
    }

    /// After b was moved by a translation of the world.
    pub(crate) fn pair_with_b_moved(&self, by: [f64; 3]) -> Result<Pair<'_>> {
        let world_from_b = Pose::from_translation(by)? * self.plan.world_from_b;
        Ok(Pair::new(&self.a, &self.plan.world_from_a, &self.b, &world_from_b)?)
    }

    /// Of a query that begins now.
    pub(crate) fn settings<'c>(&self, clock: &'c WallClock) -> Settings<'c> {
        Settings::new().budget(self.plan.limit.budget(clock))
    }

    /// A point of a's frame in the world.
    pub(crate) fn world(&self, point: DVec3) -> [f64; 3] {
        self.plan.world_from_a.apply(point).to_array()
    }

    /// A direction of a's frame in the world.
    pub(crate) fn world_direction(&self, direction: DVec3) -> [f64; 3] {
        (self.plan.world_from_a.rotation() * direction).to_array()
    }

    pub(crate) fn heading(&self) -> Heading {
        self.heading.clone()
    }

    /// "a.stl and b.stl".
    pub(crate) fn both(&self) -> String {
        format!("{} and {}", self.names[0], self.names[1])
    }

    /// "a.stl" and "b.stl".
    pub(crate) fn names(&self) -> [&str; 2] {
        [&self.names[0], &self.names[1]]
    }

    /// "triangle 3 of a.stl and triangle 7 of b.stl".
    pub(crate) fn triangles(&self, pair: TrianglePair) -> String {
        format!("triangle {} of {} and triangle {} of {}", pair.a, self.names[0], pair.b, self.names[1])
    }

    /// "between triangle 3 of a.stl at (0, 0, 0) and triangle 7 of b.stl at (1, 0, 0)".
    pub(crate) fn between(&self, pair: TrianglePair, points: [[f64; 3]; 2]) -> String {
        let [at_a, at_b] = points.map(say::point);
        let [a, b] = self.names();
        format!("between triangle {} of {a} at {at_a} and triangle {} of {b} at {at_b}", pair.a, pair.b)
    }
}

/// A mesh beside a built model gets the model's volume, unless another one is asked for.
fn models(paths: [&Path; 2], asked: Engine) -> Result<[Model; 2]> {
    let [a, b] = paths.map(|path| model_file::is_model(path).then(|| model_file::load(path)).transpose());
    let built = [a?, b?];
    let volume = match built.iter().flatten().next() {
        Some(model) if asked == Engine::default() => engine(model.volume_name())?,
        _ => asked,
    };
    let [a, b] = built;
    let model = |built: Option<Model>, path| match built {
        Some(model) => Ok(model),
        None => nearhit_io::read_mesh(path).map(|mesh| volume.build(mesh)),
    };
    Ok([model(a, paths[0])?, model(b, paths[1])?])
}

/// How every answer in JSON begins.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Heading {
    a: String,
    b: String,
    volume: String,
}

/// How every answer in JSON ends.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Work {
    n_v: u64,
    n_p: u64,
    n_u: u64,
}

impl From<Stats> for Work {
    fn from(stats: Stats) -> Self {
        Self { n_v: stats.volume_tests, n_p: stats.triangle_tests, n_u: stats.updates }
    }
}

impl AddAssign<Stats> for Work {
    fn add_assign(&mut self, more: Stats) {
        let Self { n_v, n_p, n_u } = Self::from(more);
        (self.n_v, self.n_p, self.n_u) = (self.n_v + n_v, self.n_p + n_p, self.n_u + n_u);
    }
}

/// Short names that tell the two apart.
pub(crate) fn names(a: &Path, b: &Path) -> [String; 2] {
    let file = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let whole = |path: &Path| path.display().to_string();
    let short = [a, b].map(|path| file(path).unwrap_or_else(|| whole(path)));
    if short[0] != short[1] {
        return short;
    }
    if a == b { [format!("{} (a)", short[0]), format!("{} (b)", short[1])] } else { [whole(a), whole(b)] }
}

#[cfg(test)]
mod tests {
    use super::names;
    use std::path::Path;

    #[test]
    fn names_are_short_but_different() {
        let names = |a: &str, b: &str| names(Path::new(a), Path::new(b));
        assert_eq!(names("x/wheel.stl", "axle.stl"), ["wheel.stl", "axle.stl"]);
        assert_eq!(names("x/wheel.stl", "y/wheel.stl"), ["x/wheel.stl", "y/wheel.stl"]);
        assert_eq!(names("x/wheel.stl", "x/wheel.stl"), ["wheel.stl (a)", "wheel.stl (b)"]);
    }
}
