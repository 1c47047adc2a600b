//! What may touch what, and how close.

use super::body::Role;
use crate::error::NcError;
use crate::program::{Move, MoveKind, ToolPath};
use crate::tool::Label;

/// Clearances and tolerances, in millimetres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rules {
    /// The cutter may be this deep in the part. With 0, touching is a finding.
    pub gouge: f64,
    /// Cutter and shank keep this distance from everything that they may not touch.
    pub clearance: f64,
    /// Holder and spindle keep this distance from everything.
    pub holder_clearance: f64,
    /// May the cutter leave the stock at rapid, straight up its axis? It goes where it came from,
    /// as far as is known without the removal of material.
    pub retract_through_stock: bool,
}

impl Default for Rules {
    /// A gouge of 0.01 mm, no clearance, retracts allowed.
    fn default() -> Self {
        Self { gouge: 0.01, clearance: 0.0, holder_clearance: 0.0, retract_through_stock: true }
    }
}

/// What is asked of a label and a body: pieces moved inwards by a depth, and a distance to keep.
/// One of both is zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Limit {
    pub(super) depth: f64,
    pub(super) distance: f64,
}

impl Limit {
    /// From one number: a distance, or a depth if below zero.
    pub(super) fn signed(value: f64) -> Self {
        Self { depth: (-value).max(0.0), distance: value.max(0.0) }
    }

    pub(super) fn as_signed(self) -> f64 {
        self.distance - self.depth
    }
}

impl Rules {
    pub(super) fn check(&self) -> Result<(), NcError> {
        let lengths = [
            ("the gouge", self.gouge),
            ("the clearance", self.clearance),
            ("the holder clearance", self.holder_clearance),
        ];
        for (what, value) in lengths {
            if !(0.0..=1e6).contains(&value) {
                return Err(NcError::Length { what, value });
            }
        }
        Ok(())
    }

    /// What is asked of pieces with this label during a move; nothing if they may do as they like.
    pub(super) fn limit(&self, label: Label, role: Role, one: &Move) -> Option<Limit> {
        let keep = match label {
            Label::Cutter | Label::Shank => self.clearance,
            Label::Holder | Label::Spindle => self.holder_clearance,
        };
        let keep = Limit { depth: 0.0, distance: keep };
        match (label, role) {
            (Label::Cutter, Role::Part) => Some(Limit { depth: self.gouge, distance: 0.0 }),
            (Label::Cutter, Role::Stock) => match one.kind {
                MoveKind::Feed | MoveKind::Retrace => None,
                MoveKind::Rapid if self.retract_through_stock && is_retract(&one.path) => None,
                MoveKind::Rapid => Some(keep),
            },
            _ => Some(keep),
        }
    }
}

/// Straight up the tool's axis?
fn is_retract(path: &ToolPath) -> bool {
    match path {
        ToolPath::Line { from, to } => from.x == to.x && from.y == to.y && to.z > from.z,
        ToolPath::Tilt { from, to, from_axis, to_axis } => {
            let way = *to - *from;
            from_axis == to_axis && way.cross(*from_axis).length() <= 1e-9 * way.length() && way.dot(*from_axis) > 0.0
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    fn one(kind: MoveKind, to: [f64; 3]) -> Move {
        let path = ToolPath::Line { from: DVec3::ZERO, to: to.into() };
        Move { line: 1, tool: None, kind, path, is_arrival: false }
    }

    #[test]
    fn every_role_has_its_rules() {
        let rules = Rules { gouge: 0.02, clearance: 1.0, holder_clearance: 2.0, ..Rules::default() };
        let (feed, rapid) = (one(MoveKind::Feed, [1.0, 0.0, 0.0]), one(MoveKind::Rapid, [1.0, 0.0, 0.0]));
        let distance = |label, role, one: &Move| rules.limit(label, role, one).map(|limit| limit.distance);
        assert_eq!(rules.limit(Label::Cutter, Role::Part, &feed), Some(Limit { depth: 0.02, distance: 0.0 }));
        assert_eq!(distance(Label::Shank, Role::Part, &feed), Some(1.0));
        assert_eq!(distance(Label::Holder, Role::Part, &feed), Some(2.0));
        assert_eq!(distance(Label::Cutter, Role::Stock, &feed), None);
        assert_eq!(distance(Label::Cutter, Role::Stock, &rapid), Some(1.0));
        assert_eq!(distance(Label::Shank, Role::Stock, &feed), Some(1.0));
        for role in [Role::Fixture, Role::Machine] {
            assert_eq!(distance(Label::Cutter, role, &feed), Some(1.0));
            assert_eq!(distance(Label::Spindle, role, &feed), Some(2.0));
        }
        let up = one(MoveKind::Rapid, [0.0, 0.0, 1.0]);
        assert_eq!(distance(Label::Cutter, Role::Stock, &up), None);
        assert_eq!(distance(Label::Cutter, Role::Stock, &one(MoveKind::Rapid, [0.0, 0.0, -1.0])), Some(1.0));
        assert_eq!(distance(Label::Cutter, Role::Stock, &one(MoveKind::Rapid, [0.1, 0.0, 1.0])), Some(1.0));
        let strict = Rules { retract_through_stock: false, ..rules };
        assert!(strict.limit(Label::Cutter, Role::Stock, &up).is_some());
        assert!(rules.limit(Label::Shank, Role::Stock, &up).is_some());
    }
}
