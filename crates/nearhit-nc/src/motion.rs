//! Swept volumes: what a piece of a tool can touch during a share of a move.
//!
//! # Why it is certain
//!
//! Between two instants the middle of a piece goes from one place to another. On a straight line
//! that is all: the piece covers its Minkowski sum with the segment, exactly. On an arc, the middle
//! is at every instant within `|acceleration| (t1 - t0)² / 8` of the point of the chord at the same
//! share (the error of linear interpolation), so the piece is inside of what it covers along the
//! chord, grown by that much: no chord error, and a bound that is four times better with every
//! halving. When the axis turns by an angle, the middle of a piece at height `h` leaves its chord
//! by at most `h angle² / 8`, and no point of the piece is farther than `radius angle / 2` from
//! where it would be with the axis of the instant in the middle. Rotary axes of a machine do the
//! same with the sum of their angles, and accelerate the tip by what `Turn::bounds` says.
//!
//! Rounding of places and poses is a part of the growth.

use crate::program::ToolPath;
use crate::tool::Piece;
use glam::{DMat3, DVec3};
use nearhit::Pose;

/// Everything that a piece can touch between two instants: a shape swept along up to three segments
/// from a pose, grown by the deviation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cover {
    /// Of the piece's middle and axis, at the start.
    pub(crate) world_from_piece: Pose,
    /// In the piece's frame.
    pub(crate) by: [DVec3; 3],
    /// In the world: a box around all places of the middle.
    pub(crate) low: DVec3,
    pub(crate) high: DVec3,
    /// What the piece may leave the sweep by.
    pub(crate) deviation: f64,
    /// Does the piece cover the whole sweep, but for rounding?
    pub(crate) is_exact: bool,
    /// Does the axis point up, along z?
    pub(crate) is_upright: bool,
}

/// More than the rounding of a few sums and of a pose.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

impl ToolPath {
    /// Where the tip is at a share of the move.
    #[must_use]
    pub fn tip(&self, t: f64) -> DVec3 {
        match self {
            Self::Line { from, to } | Self::Anywhere { from, to } | Self::Tilt { from, to, .. } => {
                if t == 1.0 {
                    *to
                } else {
                    *from + t * (*to - *from)
                }
            }
            Self::Arc(arc) => arc.at(t),
            Self::Turn(turn) => turn.tip(t),
        }
    }

    /// The direction from the tip to the spindle at a share of the move.
    #[must_use]
    pub fn axis(&self, t: f64) -> DVec3 {
        let (from_axis, to_axis) = match self {
            Self::Tilt { from_axis, to_axis, .. } => (from_axis, to_axis),
            Self::Turn(turn) => return turn.axis(t),
            Self::Arc(arc) => return arc.axis,
            _ => return DVec3::Z,
        };
        let angle = turn_between(*from_axis, *to_axis);
        if angle < 1e-9 {
            return from_axis.lerp(*to_axis, t).normalize_or(DVec3::Z);
        }
        let mixed = ((1.0 - t) * angle).sin() * *from_axis + (t * angle).sin() * *to_axis;
        mixed.normalize_or(DVec3::Z)
    }

    /// The angle that the axis turns by.
    pub(crate) fn turn(&self) -> f64 {
        match self {
            Self::Tilt { from_axis, to_axis, .. } => turn_between(*from_axis, *to_axis),
            Self::Turn(turn) => turn.turn(),
            _ => 0.0,
        }
    }

    /// No point of a tool of this length moves farther.
    pub(crate) fn length_bound(&self, tool_length: f64) -> f64 {
        match self {
            Self::Line { from, to } | Self::Anywhere { from, to } => (*to - *from).length(),
            Self::Arc(arc) => arc.length_bound(),
            Self::Tilt { from, to, .. } => (*to - *from).length() + self.turn() * 2.0 * tool_length,
            Self::Turn(turn) => turn.bounds()[0] + self.turn() * 2.0 * tool_length,
        }
    }

    /// What a piece can touch between two shares of the move.
    pub(crate) fn cover(&self, piece: &Piece, [start, end]: [f64; 2]) -> Cover {
        let height = piece.height;
        let middle = |t: f64| self.tip(t) + height * self.axis(t);
        let (from, to) = (middle(start), middle(end));
        let angle = self.turn() * (end - start);
        let share = end - start;
        let [tip_bend, numbers] = match self {
            Self::Arc(arc) => [arc.deviation(share), 0.0],
            Self::Turn(turn) => {
                let [_, acceleration, numbers] = turn.bounds();
                [acceleration * share * share / 8.0, numbers]
            }
            _ => [0.0; 2],
        };
        let bend = tip_bend + height * angle * angle / 8.0 + piece.radius * angle / 2.0;
        let axis = self.axis(0.5 * (start + end));
        let is_upright = axis == DVec3::Z && angle == 0.0;
        let size = from.abs().max_element() + to.abs().max_element() + height + piece.radius + numbers;
        let (axes, by) = match self {
            Self::Anywhere { .. } => {
                let along = to - from;
                (DMat3::IDENTITY, [along.x * DVec3::X, along.y * DVec3::Y, along.z * DVec3::Z])
            }
            _ => {
                let axes = frame(axis, to - from);
                (axes, [axes.transpose() * (to - from), DVec3::ZERO, DVec3::ZERO])
            }
        };
        Cover {
            world_from_piece: pose(axes, from),
            by,
            low: from.min(to),
            high: from.max(to),
            deviation: bend * (1.0 + 1e-12) + ROUNDING * size,
            is_exact: bend == 0.0 && !matches!(self, Self::Anywhere { .. }),
            is_upright,
        }
    }

    /// The piece at one instant.
    pub(crate) fn instant(&self, piece: &Piece, t: f64) -> Pose {
        let axis = self.axis(t);
        pose(frame(axis, DVec3::ZERO), self.tip(t) + piece.height * axis)
    }
}

fn turn_between(from: DVec3, to: DVec3) -> f64 {
    if from == to { 0.0 } else { from.cross(to).length().atan2(from.dot(to)) * (1.0 + 1e-12) + 1e-14 }
}

/// Axes whose third is the tool's. The first looks along the way, so that boxes around the sweep
/// are tight: tools are round.
fn frame(axis: DVec3, along: DVec3) -> DMat3 {
    let across = along - axis * along.dot(axis);
    let first = if across.length() > 1e-9 * along.length() && across.length() > 1e-12 {
        across / across.length()
    } else if axis == DVec3::Z {
        DVec3::X
    } else {
        axis.any_orthonormal_vector()
    };
    // At right angles to rounding.
    let second = axis.cross(first).normalize_or(DVec3::Y);
    DMat3::from_cols(second.cross(axis), second, axis)
}

fn pose(axes: DMat3, at: DVec3) -> Pose {
    let rows = axes.transpose().to_cols_array_2d();
    // Axes are orthonormal and places bounded by the readers: there is nothing to refuse.
    Pose::from_rows(rows, at.into()).unwrap_or(Pose::IDENTITY)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Arc;
    use crate::tool::{Cutter, Label, Stage, Tool};

    fn paths() -> Vec<ToolPath> {
        let (from, to) = (DVec3::new(1.0, 2.0, 3.0), DVec3::new(20.0, -7.0, 1.0));
        let arc = Arc {
            center: DVec3::new(3.0, 4.0, 5.0),
            plane: [DVec3::X, DVec3::Y],
            start: 0.3,
            turn: -4.0,
            radius: [7.0, 7.001],
            rise: DVec3::new(0.0, 0.0, -3.0),
            axis: DVec3::Z,
        };
        let axis = |x: f64, y: f64, z: f64| DVec3::new(x, y, z).normalize();
        vec![
            ToolPath::Line { from, to },
            ToolPath::Line { from, to: from + DVec3::Z },
            ToolPath::Arc(arc),
            ToolPath::Tilt { from, to, from_axis: DVec3::Z, to_axis: axis(0.5, 0.1, 1.0) },
            ToolPath::Tilt { from, to: from, from_axis: axis(1.0, 0.1, 0.2), to_axis: axis(0.3, -1.0, 0.4) },
            turn("G1 X9 Y-3 Z7 A50 C-80"),
            turn("G43.4 H0\nG1 X9 Y-3 Z7 A-100 C30"),
        ]
    }

    fn turn(text: &str) -> ToolPath {
        let table = r#"{"axes": [{"letter": "A", "on": "table", "direction": [1, 0, 0], "point": [1, 2, -30]},
            {"letter": "C", "on": "table", "direction": [0, 0, 1], "point": [8, 0, 0]}]}"#;
        let machine = crate::Machine::parse(table, "machine.json").ok().map(std::sync::Arc::new);
        let options = crate::ReadOptions { start: Some([0.0; 3]), machine, ..Default::default() };
        crate::Program::parse(text, "turn.nc", &options).expect("legal").moves[0].path.clone()
    }

    fn tool() -> Tool {
        let stage = |bottom: f64, length: f64| Stage { bottom, top: bottom, length };
        let tool = Tool::new(1, Cutter::Bull { corner_radius: 1.0 }, 6.0, 10.0).expect("legal");
        tool.with(Label::Shank, stage(6.0, 20.0))
            .and_then(|tool| tool.with(Label::Holder, stage(30.0, 40.0)))
            .expect("legal")
    }

    /// The rim of a piece, as seen from its middle: points that are certainly of it.
    fn rim(piece: &Piece) -> Vec<DVec3> {
        let angles = (0..16).map(|step| f64::from(step) * std::f64::consts::TAU / 16.0);
        let [radius, half] = piece.half;
        angles
            .flat_map(|angle| [-half, half].map(|z| DVec3::new(radius * angle.cos(), radius * angle.sin(), z)))
            .collect()
    }

    /// Every point of the piece's box at every instant is within the deviation of the swept box.
    #[test]
    fn no_point_leaves_its_cover() {
        let tool = tool();
        let mut tightest = 0.0_f64;
        for path in paths() {
            for piece in tool.pieces() {
                for [start, end] in [[0.0, 1.0], [0.2, 0.3], [0.7, 0.701]] {
                    let cover = path.cover(piece, [start, end]);
                    let [radius, half] = piece.half;
                    for step in 0..=20 {
                        let t = start + (end - start) * f64::from(step) / 20.0;
                        let now = path.instant(piece, t);
                        for point in rim(piece) {
                            let local = cover.world_from_piece.inverse().apply(now.apply(point));
                            // The nearest point of the segment leaves the least to explain.
                            let share = f64::from(step) / 20.0;
                            let rest = local - share * cover.by[0];
                            let out = DVec3::new(
                                (rest.truncate().length() - radius).max(0.0),
                                0.0,
                                (rest.z.abs() - half).max(0.0),
                            );
                            assert!(out.length() <= cover.deviation + 1e-12, "{path:?} {piece:?} {t}: {out} {cover:?}");
                            if cover.deviation > 1e-3 {
                                tightest = tightest.max(out.length() / cover.deviation);
                            }
                        }
                    }
                }
            }
        }
        assert!(tightest > 0.4, "{tightest}");
    }

    #[test]
    fn straight_lines_are_exact() {
        let tool = tool();
        for path in paths() {
            let is_line = matches!(path, ToolPath::Line { .. });
            let cover = path.cover(&tool.pieces()[0], [0.0, 1.0]);
            assert_eq!(cover.is_exact, is_line);
            assert!(!is_line || cover.deviation < 1e-11);
        }
    }
}
