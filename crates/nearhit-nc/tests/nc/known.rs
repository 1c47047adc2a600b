//! A tool of every kind, with its section in closed form: how far a point is from it, and how deep
//! below the surface of its cutter. By the definition of the shapes, not by the crate.

use crate::oracle::Section;
use nearhit_nc::{Cutter, Label, Stage, Tool};

/// Diameter of all cutters, and where shank and holder end.
pub(crate) const DIAMETER: f64 = 6.0;
const R: f64 = 0.5 * DIAMETER;
pub(crate) const HOLDER: f64 = 30.0;
pub(crate) const TOP: f64 = 50.0;

pub(crate) const KINDS: usize = 9;

/// One of the tools.
pub(crate) struct Known {
    pub(crate) tool: Tool,
    cutter: Vec<Section>,
    /// Where the shank begins.
    length: f64,
    faces: Faces,
}

/// What bounds a convex cutter.
#[derive(Default)]
struct Faces {
    /// Sides, each through two points, the lower one first.
    sides: Vec<[[f64; 2]; 2]>,
    /// Is there a flat at the bottom, a face on top?
    bottom: bool,
    top: bool,
    /// Disc, edge, and up to which angle from straight down the edge goes.
    round: Option<[f64; 3]>,
}

impl Known {
    /// The tools, by number from 0 to `KINDS`.
    pub(crate) fn new(kind: usize) -> Self {
        let side = |bottom: [f64; 2], top: [f64; 2]| (Section::Frustum(bottom, top), [bottom, top]);
        let half = |whole: f64| (0.5 * whole).to_radians().tan();
        let upright = [[R, 0.0], [R, 10.0]];
        let cylinder = |low: f64| Section::Cylinder(R, low, 10.0);
        let right = 0.5 * std::f64::consts::PI;
        let (cutter, length, sections, faces) = match kind {
            0 => {
                let faces = Faces { sides: vec![upright], bottom: true, ..Faces::default() };
                (Cutter::Flat, 10.0, vec![cylinder(0.0)], faces)
            }
            1 => {
                let faces = Faces { sides: vec![upright], round: Some([0.0, R, right]), ..Faces::default() };
                (Cutter::Ball, 10.0, vec![Section::Round(0.0, R), cylinder(R)], faces)
            }
            2 => {
                let faces = Faces { sides: vec![upright], round: Some([2.0, 1.0, right]), ..Faces::default() };
                (Cutter::Bull { corner_radius: 1.0 }, 10.0, vec![Section::Round(2.0, 1.0), cylinder(1.0)], faces)
            }
            3 | 4 => {
                // A chamfer mill with a flat of 1 mm, and a V-bit.
                let (tip_diameter, angle) = if kind == 3 { (1.0, 90.0) } else { (0.0, 50.0) };
                let rise = (R - 0.5 * tip_diameter) / half(angle);
                let (cone, line) = side([0.5 * tip_diameter, 0.0], [R, rise]);
                let faces = Faces { sides: vec![line, upright], bottom: tip_diameter > 0.0, ..Faces::default() };
                (Cutter::Chamfer { angle, tip_diameter }, 10.0, vec![cone, cylinder(rise)], faces)
            }
            5 => {
                let rise = R / half(118.0);
                let (cone, line) = side([0.0, 0.0], [R, rise]);
                let faces = Faces { sides: vec![line, upright], ..Faces::default() };
                (Cutter::Drill { angle: 118.0 }, 10.0, vec![cone, cylinder(rise)], faces)
            }
            6 => {
                let (sine, cosine) = 15.0_f64.to_radians().sin_cos();
                let start = [cosine, 1.0 - sine];
                let rise = start[1] + (R - start[0]) * cosine / sine;
                let (cone, line) = side(start, [R, rise]);
                let round = Some([0.0, 1.0, right - 15.0_f64.to_radians()]);
                let faces = Faces { sides: vec![line, upright], round, ..Faces::default() };
                let sections = vec![Section::Round(0.0, 1.0), cone, cylinder(rise)];
                (Cutter::Taper { side_angle: 15.0, tip_radius: 1.0 }, 10.0, sections, faces)
            }
            7 => {
                let faces = Faces { round: Some([0.0, R, 2.0 * right]), ..Faces::default() };
                // Its neck begins inside of it.
                (Cutter::Lollipop, R, vec![Section::Round(0.0, R)], faces)
            }
            _ => {
                let (cone, line) = side([R, 0.0], [R - 4.0 / 60.0_f64.to_radians().tan(), 4.0]);
                let faces = Faces { sides: vec![line], bottom: true, top: true, round: None };
                (Cutter::Dovetail { angle: 60.0 }, 4.0, vec![cone], faces)
            }
        };
        let cutting_length = if kind == 7 { 10.0 } else { length };
        let stage = |diameter: f64, length: f64| Stage { bottom: diameter, top: diameter, length };
        let tool = Tool::new(kind as u32 + 1, cutter, DIAMETER, cutting_length)
            .and_then(|tool| tool.with(Label::Shank, stage(4.0, HOLDER - length)))
            .and_then(|tool| tool.with(Label::Holder, stage(20.0, TOP - HOLDER)));
        Self { tool: tool.expect("legal"), cutter: sections, length, faces }
    }

    pub(crate) fn sections(&self, label: Label) -> Vec<Section> {
        match label {
            Label::Cutter => self.cutter.clone(),
            Label::Shank => vec![Section::Cylinder(2.0, self.length, HOLDER)],
            _ => vec![Section::Cylinder(10.0, HOLDER, TOP)],
        }
    }

    /// How deep a point is below the surface of the cutter: the least distance to what bounds it.
    /// Below zero outside; above an open top, where the cutter goes on as shank, far below.
    pub(crate) fn depth(&self, [radius, height]: [f64; 2]) -> f64 {
        let faces = &self.faces;
        let mut least = if faces.top { self.length - height } else { f64::MAX };
        if faces.bottom {
            least = least.min(height);
        }
        for &[[r, z], [wide, high]] in &faces.sides {
            let (along_r, along_z) = (wide - r, high - z);
            least = least.min(((r - radius) * along_z - (z - height) * along_r) / along_r.hypot(along_z));
        }
        if let Some([disc, edge, end]) = faces.round {
            // The tangent of the edge that is nearest: the one that the point lies under.
            let angle = (radius - disc).atan2(edge - height).clamp(0.0, end);
            least = least.min(edge - (radius - disc) * angle.sin() - (edge - height) * angle.cos());
        }
        let is_open = faces.sides.contains(&[[R, 0.0], [R, 10.0]]);
        if is_open && height > self.length { f64::MIN } else { least }
    }
}
