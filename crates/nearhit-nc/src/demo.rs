//! A small job with faults in it: a block with a step, a clamp, two tools and a program.

use crate::check::{Body, Role};
use crate::error::NcError;
use nearhit::shape::Shape;
use nearhit::{Mesh, Model, Pose};

/// The built-in job.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct Demo;

impl Demo {
    /// The program, as a file `demo.nc` would have it.
    pub const PROGRAM: &'static str = include_str!("demo.nc");
    /// The tools, as a file `demo.tools.json` would have them.
    pub const TOOLS: &'static str = include_str!("demo.tools.json");

    /// The step: 80 by 60 by 20 mm, its upper half 50 mm wide.
    ///
    /// ```
    /// let part = nearhit_nc::Demo::part()?;
    /// assert_eq!(part.triangles().len(), 20);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn part() -> Result<Mesh, NcError> {
        let section = [[0.0, -20.0], [80.0, -20.0], [80.0, -10.0], [50.0, -10.0], [50.0, 0.0], [0.0, 0.0]];
        let corners: Vec<[f64; 3]> = [0.0, 60.0].into_iter().flat_map(|y| section.map(|[x, z]| [x, y, z])).collect();
        // The section as triangles, in front and, turned round, behind; then the sides.
        let front = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]];
        let mut triangles: Vec<[u32; 3]> = front.to_vec();
        triangles.extend(front.map(|[a, b, c]| [a + 6, c + 6, b + 6]));
        for from in 0..6 {
            let to = (from + 1) % 6;
            triangles.extend([[from, from + 6, to], [to, from + 6, to + 6]]);
        }
        let wrong = |error: nearhit::MeshError| NcError::Body { name: "part".into(), message: error.to_string() };
        Mesh::new(&corners, &triangles).map_err(wrong)
    }

    /// The step, the block that it is cut from, and a clamp.
    ///
    /// ```
    /// let bodies = nearhit_nc::Demo::bodies()?;
    /// let names: Vec<&str> = bodies.iter().map(|body| body.name()).collect();
    /// assert_eq!(names, ["step", "block", "clamp"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bodies() -> Result<Vec<Body>, NcError> {
        let block = |name: &str, role: Role, sizes: [f64; 3], middle: [f64; 3]| {
            let wrong = |message: String| NcError::Body { name: name.to_owned(), message };
            let shape = Shape::cuboid(sizes).map_err(|error| wrong(error.to_string()))?;
            let pose = Pose::from_translation(middle).map_err(|error| wrong(error.to_string()))?;
            Body::shape(name, role, shape, pose)
        };
        Ok(vec![
            Body::mesh("step", Role::Part, Model::new(Self::part()?)),
            block("block", Role::Stock, [80.0, 60.0, 20.0], [40.0, 30.0, -10.0])?,
            block("clamp", Role::Fixture, [30.0, 20.0, 32.0], [-5.0, 30.0, -4.0])?,
        ])
    }
}
