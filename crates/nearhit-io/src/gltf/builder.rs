//! Makes a mesh of primitives.

use super::accessor::{Access, Purpose};
use super::document::Primitive;
use super::error;
use crate::budget::{Budget, Exceeded};
use crate::error::{GltfPlace, GltfProblem, ParseError};
use crate::polygon::{Fan, Strip};
use glam::{DAffine3, DVec3};
use nearhit::{MAX_COORDINATE, RawMesh};
use std::collections::HashMap;

/// Takes from the budget, or says that the scene is too large.
pub(super) fn take(budget: &mut Budget, items: u64) -> Result<(), ParseError> {
    budget
        .take(items)
        .map_err(|Exceeded { limit, length }| error(GltfPlace::File, GltfProblem::TooMuch { limit, length }))
}

/// Collects the primitives of a node.
pub(super) struct Builder<'a> {
    access: Access<'a>,
    world_from_node: DAffine3,
    /// Mirrored triangles are turned round, so that they face outwards again.
    mirrored: bool,
    budget: &'a mut Budget,
    pub(super) mesh: RawMesh,
    /// Where the vertices of an accessor begin: primitives often share one.
    first_of_accessor: HashMap<usize, usize>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(access: Access<'a>, world_from_node: DAffine3, budget: &'a mut Budget) -> Self {
        let mirrored = world_from_node.matrix3.determinant() < 0.0;
        Self { access, world_from_node, mirrored, budget, mesh: RawMesh::default(), first_of_accessor: HashMap::new() }
    }

    pub(super) fn primitive(&mut self, primitive: &Primitive, place: GltfPlace) -> Result<(), ParseError> {
        // For its own sake, however little it holds: a mesh may have many, and many nodes.
        take(self.budget, 1)?;
        let wrong = |message| error(place, GltfProblem::Primitive { message });
        let topology = match primitive.mode.unwrap_or(4) {
            // Points and lines, which have no triangles.
            0..=3 => return Ok(()),
            4 => Topology::Triangles,
            5 => Topology::Strip,
            6 => Topology::Fan,
            mode => return Err(wrong(format!("its mode is {mode}, which does not exist"))),
        };
        let Some(position) = primitive.attributes.position else {
            return Err(wrong("it has no POSITION".into()));
        };
        let first = self.vertices(position, place)?;
        let vertices = self.access.count(position, place)? as usize;
        let before = self.mesh.triangles.len();
        match primitive.indices {
            None => self.triangles(topology, (0..vertices).map(|index| Ok((first + index) as u32)), place)?,
            Some(indices) => {
                take(self.budget, self.access.count(indices, place)?)?;
                let indices = self.access.read::<1>(indices, Purpose::Indices)?;
                let corner = |(position, [index]): (usize, [f64; 1])| match index as usize {
                    inside if inside < vertices => Ok((first + inside) as u32),
                    _ => {
                        let problem = GltfProblem::IndexOutOfRange { position, index: index as u64, vertices };
                        Err(error(place, problem))
                    }
                };
                self.triangles(topology, indices.into_iter().enumerate().map(corner), place)?;
            }
        }
        if self.mirrored {
            self.mesh.triangles[before..].iter_mut().for_each(|corners| corners.swap(1, 2));
        }
        Ok(())
    }

    /// Places the vertices of an accessor, unless they are there already; returns the index of the
    /// first.
    fn vertices(&mut self, accessor: usize, place: GltfPlace) -> Result<usize, ParseError> {
        let count = self.access.count(accessor, place)?;
        // Twice: what becomes of them without indices is as many triangles.
        take(self.budget, count.saturating_mul(2))?;
        if let Some(&first) = self.first_of_accessor.get(&accessor) {
            return Ok(first);
        }
        let first = self.mesh.vertices.len();
        let positions = self.access.read::<3>(accessor, Purpose::Positions)?;
        self.mesh.vertices.reserve(positions.len());
        for (vertex, position) in positions.into_iter().enumerate() {
            let wrong = |problem| error(GltfPlace::Accessor(accessor), problem);
            if let Some((axis, value)) = find_coordinate(position, |value| !value.is_finite()) {
                return Err(wrong(GltfProblem::NotFinite { vertex, axis, value }));
            }
            let point = self.world_from_node.transform_point3(DVec3::from(position)).to_array();
            let usable = |value: f64| value.abs() <= MAX_COORDINATE;
            if let Some((axis, value)) = find_coordinate(point, |value| !usable(value)) {
                return Err(wrong(GltfProblem::TooLarge { vertex, axis, value }));
            }
            self.mesh.vertices.push(point);
        }
        self.first_of_accessor.insert(accessor, first);
        Ok(first)
    }

    fn triangles(
        &mut self,
        topology: Topology,
        corners: impl Iterator<Item = Result<u32, ParseError>>,
        place: GltfPlace,
    ) -> Result<(), ParseError> {
        let triangles = &mut self.mesh.triangles;
        let (mut fan, mut strip, mut found) = (Fan::default(), Strip::default(), 0);
        for corner in corners {
            match topology {
                Topology::Strip => strip.push(corner?, triangles),
                Topology::Fan => fan.push(corner?, triangles),
                Topology::Triangles => {
                    fan.push(corner?, triangles);
                    if fan.corners() == 3 {
                        fan = Fan::default();
                    }
                }
            }
            found += 1;
        }
        let whole = if topology == Topology::Triangles { found % 3 == 0 } else { found == 0 || found >= 3 };
        let message = || format!("its {found} corners do not make whole triangles");
        if whole { Ok(()) } else { Err(error(place, GltfProblem::Primitive { message: message() })) }
    }
}

#[inline]
fn find_coordinate(point: [f64; 3], is_wrong: impl Fn(f64) -> bool) -> Option<(char, f64)> {
    ['x', 'y', 'z'].into_iter().zip(point).find(|&(_, value)| is_wrong(value))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Topology {
    Triangles,
    Strip,
    Fan,
}
