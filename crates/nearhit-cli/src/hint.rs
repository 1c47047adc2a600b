//! A hint for who asked about surfaces that do not touch: one part is inside the other, and `--solid` would have said so.

use crate::bodies::Bodies;
use glam::DVec3;
use nearhit::research::broad::Bounds;
use nearhit::{Model, Pair, Scratch, Settings, Side, SolidContact};
use serde::Serialize;

/// Which part, or a piece of it, is inside the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Hint {
    AInB,
    BInA,
}

impl Hint {
    /// Of surfaces that are known not to touch. Next to nothing where the box of neither part is within that of the other: then none is wholly inside.
    pub(crate) fn new(pair: &Pair<'_>, settings: &Settings<'_>, scratch: &mut Scratch) -> Option<Self> {
        if !boxes_nest(pair) {
            return None;
        }
        match pair.solid().collide(settings, scratch).contact? {
            SolidContact::Contained { body: Side::A, .. } => Some(Self::AInB),
            SolidContact::Contained { body: Side::B, .. } => Some(Self::BInA),
            SolidContact::Surfaces(_) => None,
        }
    }

    pub(crate) fn sentence(self, bodies: &Bodies) -> String {
        let [a, b] = bodies.names();
        let (inner, outer) = match self {
            Self::AInB => (a, b),
            Self::BInA => (b, a),
        };
        format!("{inner}, or a piece of it, is inside {outer}: ask with --solid to count that as contact.\n")
    }
}

/// Of its triangles: other vertices are no part of a surface.
fn corners(model: &Model) -> impl Iterator<Item = DVec3> {
    let mesh = model.mesh();
    mesh.triangles().iter().flatten().map(|&vertex| mesh.vertices()[vertex as usize])
}

/// Is the box around one of them, in a's frame, within that of the other?
fn boxes_nest(pair: &Pair<'_>) -> bool {
    let box_a: Bounds = corners(pair.a()).collect();
    let box_b: Bounds = corners(pair.b()).map(|corner| pair.a_from_b().apply(corner)).collect();
    box_a.holds(&box_b) || box_b.holds(&box_a)
}
