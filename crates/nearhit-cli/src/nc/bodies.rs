//! Mesh files and shapes as bodies with a role.

use super::{Args, places};
use crate::model_file;
use anyhow::{Context, Result};
use nearhit::shape::Shape;
use nearhit::{Model, Pose};
use nearhit_nc::{Body, Role};
use std::path::Path;

pub(super) fn read(args: &Args) -> Result<Vec<Body>> {
    let roles = [
        (Role::Part, &args.part, "--part"),
        (Role::Stock, &args.stock, "--stock"),
        (Role::Fixture, &args.fixture, "--fixture"),
        (Role::Machine, &args.machine, "--machine"),
    ];
    let mut bodies = Vec::new();
    for (role, given, flag) in roles {
        for text in given {
            bodies.push(body(text, role).with_context(|| format!("{flag} {text}"))?);
        }
    }
    Ok(bodies)
}

/// A file, or a shape with a place: `box:80,60,20@40,30,-10`.
fn body(text: &str, role: Role) -> Result<Body> {
    let path = Path::new(text);
    if !path.exists() && text.contains(':') {
        let (shape, at) = text.rsplit_once('@').unwrap_or((text, "0,0,0"));
        let shape: Shape = shape.parse()?;
        let pose = Pose::from_translation(places::place(at, "@")?)?;
        return Ok(Body::shape(text, role, shape, pose)?);
    }
    let model =
        if model_file::is_model(path) { model_file::load(path)? } else { Model::new(nearhit_io::read_mesh(path)?) };
    let name = path.file_name().map_or(text.into(), |name| name.to_string_lossy());
    Ok(Body::mesh(name, role, model))
}
