//! Two mesh files, or shapes, as two placed bodies, for `check`, `distance`, `within` and `path`.

mod args;
mod cloud;
mod place;
mod series;
mod shapes;

pub(crate) use series::Series;
pub(crate) use shapes::{Shapes, shape_text};

pub use args::{PairArgs, PoseArgs};

use crate::format;
use crate::model_file;
use crate::volume::{Engine, engine};
use anyhow::Result;
use nearhit::report::{Placement, Witness};
use nearhit::research::ModelExt;
use nearhit::{Limit, Model, Pose, Settings};
use place::Place;
use serde::Serialize;
use std::path::Path;

/// Everything but the files: all complaints about it come before a file is read.
#[derive(Debug)]
struct Plan {
    volume: Engine,
    limit: Limit,
    world_from_a: Pose,
    world_from_b: Pose,
}

impl Plan {
    fn new(args: &PairArgs) -> Result<Self> {
        let [world_from_a, world_from_b] = poses(&args.poses)?;
        let (volume, limit) = (args.volume.engine()?, args.budget.limit()?);
        Ok(Self { volume, limit, world_from_a, world_from_b })
    }
}

/// The poses of a and b.
pub(crate) fn poses(args: &PoseArgs) -> Result<[Pose; 2]> {
    let a = Place {
        body: 'a',
        matrix: args.a_matrix.as_deref(),
        quaternion: args.a_quaternion.as_deref(),
        euler: args.a_euler.as_deref(),
        translate: args.a_translate.as_deref(),
    };
    let b = Place {
        body: 'b',
        matrix: args.b_matrix.as_deref(),
        quaternion: args.b_quaternion.as_deref(),
        euler: args.b_euler.as_deref(),
        translate: args.b_translate.as_deref(),
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
    pub(crate) fn load(args: &PairArgs) -> Result<Self> {
        let plan = Plan::new(args)?;
        let [a, b] = models([&args.a, &args.b], plan.volume)?;
        let heading = Heading {
            a: args.a.display().to_string(),
            b: args.b.display().to_string(),
            volume: a.volume_name().to_owned(),
        };
        Ok(Self { a, b, plan, heading, names: names(&args.a, &args.b) })
    }

    pub(crate) fn placement(&self) -> Result<Placement<'_>> {
        Ok(Placement::new(&self.a, &self.plan.world_from_a, &self.b, &self.plan.world_from_b)?)
    }

    /// Of a query that begins now.
    pub(crate) fn settings(&self) -> Settings<'static> {
        Settings::new().budget(self.plan.limit)
    }

    /// A report as one line of JSON.
    pub(crate) fn json(&self, report: &impl Serialize) -> Result<String> {
        Ok(serde_json::to_string(&Line { heading: &self.heading, report })? + "\n")
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
    pub(crate) fn triangles(&self, [a, b]: [u32; 2]) -> String {
        format!("triangle {a} of {} and triangle {b} of {}", self.names[0], self.names[1])
    }

    /// "between triangle 3 of a.stl at (0, 0, 0) and triangle 7 of b.stl at (1, 0, 0)".
    pub(crate) fn between(&self, witness: &Witness) -> String {
        let ([at_a, at_b], [in_a, in_b]) = (witness.points.map(format::point), witness.triangles);
        let [a, b] = self.names();
        format!("between triangle {in_a} of {a} at {at_a} and triangle {in_b} of {b} at {at_b}")
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

/// An answer about two files, as one line of JSON.
#[derive(Debug, Serialize)]
struct Line<'r, R> {
    #[serde(flatten)]
    heading: &'r Heading,
    #[serde(flatten)]
    report: &'r R,
}

/// The files, and the volume of their trees.
#[derive(Debug, Clone, Serialize)]
struct Heading {
    a: String,
    b: String,
    volume: String,
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
