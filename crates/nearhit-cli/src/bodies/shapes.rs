//! Shapes in the place of files (`box:1,2,3`), for `check`, `distance` and `within`: two shapes, or
//! a shape and a mesh.

use super::{Bodies, Heading, Line, PairArgs, Plan, cloud, names};
use crate::format;
use crate::model_file;
use anyhow::{Result, bail};
use nearhit::report::{Check, Distance, Within, Witness};
use nearhit::research::ModelExt;
use nearhit::shape::{Shape, ShapePair};
use nearhit::{Model, Pose, Scratch, Settings, Tolerance};
use serde::Serialize;
use std::path::Path;

/// What a shape's text begins with.
const KINDS: [&str; 9] = ["ball", "sphere", "capsule", "box", "cylinder", "cone", "ellipsoid", "half-space", "hull"];

/// Two bodies in the world, of which one at least is no mesh.
#[derive(Debug)]
pub(crate) struct Shapes {
    a: Shape,
    b: Shape,
    plan: Plan,
    heading: Heading,
    names: [String; 2],
}

/// What is written in the place of a file, if it is a shape and no file of that name.
pub(crate) fn shape_text(path: &Path) -> Option<Result<Shape>> {
    if let Some(made) = cloud::shape(path) {
        return Some(made);
    }
    let text = path.to_str()?;
    let (kind, sizes) = text.split_once(':')?;
    ((KINDS.contains(&kind) || is_like_a_shape(kind, sizes)) && !path.exists()).then(|| Ok(text.parse::<Shape>()?))
}

/// A word and numbers, as `bx:1,2,3`: meant as a shape, whose refusal says which kinds there are.
fn is_like_a_shape(kind: &str, sizes: &str) -> bool {
    let is_word = kind.len() > 1 && kind.chars().all(|letter| letter.is_alphabetic() || "-_".contains(letter));
    is_word && sizes.split([',', '+']).all(|size| size.trim().parse::<f64>().is_ok())
}

impl Shapes {
    /// None if both are files.
    pub(crate) fn load(args: &PairArgs) -> Result<Option<Self>> {
        let (a, b) = (shape_text(&args.a).transpose()?, shape_text(&args.b).transpose()?);
        let Some(first) = a.as_ref().map(|_| &args.a).or(b.as_ref().map(|_| &args.b)) else { return Ok(None) };
        if args.solid {
            let shape = first.display();
            bail!("--solid is for two meshes: {shape} is a shape, always a solid; a mesh beside it is a surface");
        }
        let plan = Plan::new(args)?;
        let body = |shape: Option<Shape>, path: &Path| match shape {
            Some(shape) => Ok((shape, None)),
            None => mesh(path, &plan).map(|model| {
                let volume = model.volume_name().to_owned();
                (Shape::mesh(model), Some(volume))
            }),
        };
        let ((a, volume_a), (b, volume_b)) = (body(a, &args.a)?, body(b, &args.b)?);
        let heading = Heading {
            a: args.a.display().to_string(),
            b: args.b.display().to_string(),
            volume: volume_a.or(volume_b).unwrap_or_else(|| "none".to_owned()),
        };
        Ok(Some(Self { a, b, plan, heading, names: names(&args.a, &args.b) }))
    }

    /// Two bodies of which both may be files; those are solids with `--solid`.
    pub(crate) fn any(args: &PairArgs) -> Result<Self> {
        let asked = PairArgs { solid: false, ..args.clone() };
        let made = |model: Model| if args.solid { Shape::solid(model) } else { Shape::mesh(model) };
        if let Some(mut shapes) = Self::load(&asked)? {
            for shape in [&mut shapes.a, &mut shapes.b] {
                if let Some(model) = shape.model().filter(|_| args.solid).cloned() {
                    *shape = Shape::solid(model);
                }
            }
            return Ok(shapes);
        }
        let Bodies { a, b, plan, heading, names } = Bodies::load(&asked)?;
        Ok(Self { a: made(a), b: made(b), plan, heading, names })
    }

    /// Both shapes.
    pub(crate) fn shapes(&self) -> (&Shape, &Shape) {
        (&self.a, &self.b)
    }

    /// Where a was told to be.
    pub(crate) fn world_from_a(&self) -> Pose {
        self.plan.world_from_a
    }

    fn pair(&self) -> Result<ShapePair<'_>> {
        Ok(ShapePair::new(&self.a, &self.plan.world_from_a, &self.b, &self.plan.world_from_b)?)
    }

    pub(crate) fn settings(&self) -> Settings<'static> {
        Settings::new().budget(self.plan.limit)
    }

    /// A report as one line of JSON.
    pub(crate) fn json(&self, report: &impl Serialize) -> Result<String> {
        Ok(serde_json::to_string(&Line { heading: &self.heading, report })? + "\n")
    }

    /// "box:1,2,3 and b.stl".
    pub(crate) fn both(&self) -> String {
        format!("{} and {}", self.names[0], self.names[1])
    }

    /// The name of b.
    pub(crate) fn name_b(&self) -> &str {
        &self.names[1]
    }

    /// "box:1,2,3" and "triangle 7 of b.stl": convex shapes have no pieces.
    pub(crate) fn pieces(&self, [in_a, in_b]: [u32; 2]) -> [String; 2] {
        let piece = |shape: &Shape, piece: u32, name: &str| match shape.name() {
            "mesh" | "height field" => format!("triangle {piece} of {name}"),
            "point cloud" => format!("point {piece} of {name}"),
            _ => name.to_owned(),
        };
        [piece(&self.a, in_a, &self.names[0]), piece(&self.b, in_b, &self.names[1])]
    }

    /// "between box:1,2,3 at (0, 0, 0) and triangle 7 of b.stl at (1, 0, 0)".
    pub(crate) fn between(&self, witness: &Witness) -> String {
        let ([at_a, at_b], [a, b]) = (witness.points.map(format::point), self.pieces(witness.triangles));
        format!("between {a} at {at_a} and {b} at {at_b}")
    }

    /// Whether they touch, where, and how deep they are in each other.
    pub(crate) fn check(&self) -> Result<Check> {
        Ok(Check::of_shapes(&self.pair()?, &self.plan.world_from_a, &self.settings(), &mut Scratch::new()))
    }

    /// How far they are apart.
    pub(crate) fn distance(&self, tolerance: Tolerance) -> Result<Distance> {
        let found = self.pair()?.distance(tolerance, &self.settings(), &mut Scratch::new());
        Ok(Distance::of_shapes(&self.plan.world_from_a, tolerance, &found))
    }

    /// Whether they are at most this far apart.
    pub(crate) fn within(&self, limit: f64) -> Result<Within> {
        let (settings, mut scratch) = (self.settings(), Scratch::new());
        Ok(Within::of_shapes(&self.pair()?, &self.plan.world_from_a, limit, &settings, &mut scratch))
    }
}

fn mesh(path: &Path, plan: &Plan) -> Result<Model> {
    if model_file::is_model(path) {
        return model_file::load(path);
    }
    Ok(plan.volume.build(nearhit_io::read_mesh(path)?))
}
