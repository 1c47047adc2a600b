//! The outline of a cutter: half of its section along the axis, convex, and the same outline moved
//! inwards.
//!
//! A point of a part is deeper than `g` below the cutter's surface exactly if it is inside the
//! cutter moved inwards by `g` all around (an inner offset, or erosion). So a question about the
//! depth of a gouge is a question about contact with that smaller cutter. Above its top a cutter
//! goes on as shank: there it has no surface.

use nearhit::shape::{Shape, ShapeError};

/// A convex body of revolution, from z = 0 at its tip up.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Outline {
    /// Corners as (radius, height), bottom first. The first stands for the bottom, which is flat.
    pub(crate) corners: Vec<[f64; 2]>,
    /// What the lower edge is rounded with: a bull-nose, or a ball if its circle lies on the axis.
    pub(crate) round: Option<Round>,
    /// Is there a face on top? Otherwise the tool goes on.
    pub(crate) closed_top: bool,
}

/// A torus at the bottom: all within `edge` of a disc.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Round {
    /// Radius of the disc; zero for a ball.
    pub(crate) disc: f64,
    /// Radius of the edge. The disc lies this high.
    pub(crate) edge: f64,
    /// Angle between the side above and the axis, in radians: the edge ends where the side begins.
    pub(crate) side: f64,
}

/// A convex piece about the axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Solid {
    /// Everything within `edge` of a disc at this height.
    Disc { z: f64, radius: f64, edge: f64 },
    /// A truncated cone or cylinder.
    Frustum { low: f64, bottom: f64, high: f64, top: f64 },
}

impl Solid {
    /// The shape about its own middle, and how high that lies.
    pub(crate) fn shape(&self) -> Result<(Shape, f64), ShapeError> {
        match *self {
            Self::Disc { z, radius: 0.0, edge } => Ok((Shape::ball(edge)?, z)),
            Self::Disc { z, radius, edge } => Ok((Shape::cylinder(radius, 0.0)?.grown(edge)?, z)),
            Self::Frustum { low, bottom, high, top } if bottom == top => {
                Ok((Shape::cylinder(bottom, high - low)?, 0.5 * (low + high)))
            }
            Self::Frustum { low, bottom, high, top } => {
                Ok((Shape::truncated_cone(bottom, top, high - low)?, 0.5 * (low + high)))
            }
        }
    }
}

impl Outline {
    /// A cylinder or truncated cone.
    pub(crate) fn frustum(low: f64, bottom: f64, high: f64, top: f64, closed_top: bool) -> Self {
        Self { corners: vec![[bottom, low], [top, high]], round: None, closed_top }
    }

    /// Moved inwards by `g`, as convex pieces; none if nothing is left.
    pub(crate) fn eroded(&self, g: f64) -> Vec<Solid> {
        let mut solids = Vec::new();
        let (first, last) = (self.corners[0], self.corners[self.corners.len() - 1]);
        let bottom = match self.round {
            Some(Round { disc, edge, side }) if g < edge => {
                solids.push(Solid::Disc { z: edge, radius: disc, edge: edge - g });
                edge - (edge - g) * side.sin()
            }
            Some(_) => g,
            // A point has no face to move: its sides do.
            None if first[0] > 0.0 => first[1] + g,
            None => first[1],
        };
        let top = if self.closed_top { last[1] - g } else { last[1] };
        let widest = self.corners.iter().fold(0.0_f64, |most, corner| most.max(corner[0]));
        // A rectangle from the axis outwards, cut by every side.
        let mut section = vec![[0.0, bottom], [widest, bottom], [widest, top], [0.0, top]];
        if bottom >= top {
            return solids;
        }
        for (lower, upper) in self.sides() {
            section = cut(&section, lower, upper, g);
        }
        solids.extend(stacked(&section));
        solids
    }

    /// Corners from the axis to the axis, bottom first; a round edge as points on it.
    pub(crate) fn drawn(&self) -> Vec<[f64; 2]> {
        const STEPS: u32 = 12;
        let (first, last) = (self.corners[0], self.corners[self.corners.len() - 1]);
        let mut points = vec![[0.0, if self.round.is_some() { 0.0 } else { first[1] }]];
        if let Some(Round { disc, edge, side }) = self.round {
            // From straight down to where the side begins; of a ball on a neck, to the top.
            let is_ball = self.closed_top && first == last;
            let end = std::f64::consts::FRAC_PI_2 - side + if is_ball { std::f64::consts::FRAC_PI_2 } else { 0.0 };
            for step in 0..=STEPS {
                let (sine, cosine) = (end * f64::from(step) / f64::from(STEPS)).sin_cos();
                points.push([disc + edge * sine, edge - edge * cosine]);
            }
            if is_ball {
                return points;
            }
        }
        points.extend(&self.corners);
        points.push([0.0, last[1]]);
        points
    }

    /// The sides, lower corner first. Those of a rounded edge are its tangent.
    fn sides(&self) -> impl Iterator<Item = ([f64; 2], [f64; 2])> + '_ {
        self.corners.windows(2).map(|two| (two[0], two[1])).filter(|(lower, upper)| lower[1] < upper[1])
    }
}

/// Keeps what lies farther than `g` inside of the line through two points of a side.
fn cut(section: &[[f64; 2]], lower: [f64; 2], upper: [f64; 2], g: f64) -> Vec<[f64; 2]> {
    let (along_r, along_z) = (upper[0] - lower[0], upper[1] - lower[1]);
    let length = along_r.hypot(along_z);
    // Positive inside; the outward normal is (along_z, -along_r).
    let inside = |[r, z]: [f64; 2]| ((lower[0] - r) * along_z - (lower[1] - z) * along_r) / length - g;
    let mut kept = Vec::with_capacity(section.len() + 1);
    for (index, &p) in section.iter().enumerate() {
        let q = section[(index + 1) % section.len()];
        let (at_p, at_q) = (inside(p), inside(q));
        if at_p >= 0.0 {
            kept.push(p);
        }
        if (at_p > 0.0 && at_q < 0.0) || (at_p < 0.0 && at_q > 0.0) {
            let share = at_p / (at_p - at_q);
            kept.push([p[0] + share * (q[0] - p[0]), p[1] + share * (q[1] - p[1])]);
        }
    }
    kept
}

/// A convex section as truncated cones, bottom first.
fn stacked(section: &[[f64; 2]]) -> Vec<Solid> {
    let mut heights: Vec<f64> = section.iter().map(|corner| corner[1]).collect();
    heights.sort_by(f64::total_cmp);
    heights.dedup();
    // The widest at a height: at a flat bottom or top two corners share it.
    let radius = |z: f64| {
        let crossing = |(p, q): ([f64; 2], [f64; 2])| {
            let (low, high) = if p[1] <= q[1] { (p, q) } else { (q, p) };
            let is_between = (low[1]..=high[1]).contains(&z);
            let share = if high[1] > low[1] { (z - low[1]) / (high[1] - low[1]) } else { 1.0 };
            let flat = if high[1] > low[1] { 0.0 } else { low[0].max(high[0]) };
            is_between.then(|| (low[0] + share * (high[0] - low[0])).max(flat))
        };
        let edges = section.iter().enumerate().map(|(index, &p)| (p, section[(index + 1) % section.len()]));
        edges.filter_map(crossing).fold(0.0_f64, f64::max)
    };
    let pieces = heights.windows(2).map(|two| (two[0], two[1]));
    let solids = pieces.map(|(low, high)| Solid::Frustum { low, bottom: radius(low), high, top: radius(high) });
    // Slices that rounding alone has made say nothing.
    let thickness = heights.last().unwrap_or(&0.0) - heights.first().unwrap_or(&0.0);
    solids
        .filter(|solid| match *solid {
            Solid::Frustum { low, bottom, high, top } => high - low > 1e-12 * thickness && bottom.max(top) > 0.0,
            Solid::Disc { .. } => true,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How deep a point of the section is below the surface of the whole outline, by brute force:
    /// the least distance to its sides, bottom and round edge.
    fn depth(outline: &Outline, p: [f64; 2]) -> f64 {
        let mut least = f64::INFINITY;
        for (lower, upper) in outline.sides() {
            let (dr, dz) = (upper[0] - lower[0], upper[1] - lower[1]);
            least = least.min(((lower[0] - p[0]) * dz - (lower[1] - p[1]) * dr) / dr.hypot(dz));
        }
        match outline.round {
            // Over all tangents of the edge, from below to the side.
            Some(Round { disc, edge, side }) => (0..=120).fold(least, |least, step| {
                let angle = f64::from(step) / 120.0 * (std::f64::consts::FRAC_PI_2 - side);
                least.min(edge + (disc - p[0]) * angle.sin() - (edge - p[1]) * angle.cos())
            }),
            None if outline.corners[0][0] > 0.0 => least.min(p[1] - outline.corners[0][1]),
            None => least,
        }
    }

    fn holds(solids: &[Solid], [r, z]: [f64; 2]) -> bool {
        solids.iter().any(|solid| match *solid {
            Solid::Disc { z: height, radius, edge } => (r - radius).max(0.0).hypot(z - height) <= edge,
            Solid::Frustum { low, bottom, high, top } => {
                (low..=high).contains(&z) && r <= bottom + (z - low) / (high - low) * (top - bottom)
            }
        })
    }

    fn outlines() -> Vec<Outline> {
        let slope = 10.0_f64.to_radians();
        let ball = |edge: f64| Some(Round { disc: 0.0, edge, side: 0.0 });
        vec![
            Outline::frustum(0.0, 5.0, 20.0, 5.0, false),
            Outline { corners: vec![[5.0, 5.0], [5.0, 20.0]], round: ball(5.0), closed_top: false },
            Outline {
                corners: vec![[5.0, 1.0], [5.0, 20.0]],
                round: Some(Round { disc: 4.0, edge: 1.0, side: 0.0 }),
                closed_top: false,
            },
            Outline { corners: vec![[0.0, 0.0], [4.0, 3.0], [4.0, 20.0]], round: None, closed_top: false },
            Outline { corners: vec![[0.5, 0.0], [4.0, 3.0], [4.0, 20.0]], round: None, closed_top: false },
            Outline {
                corners: vec![
                    [1.0 * slope.cos(), 1.0 - slope.sin()],
                    [1.0 * slope.cos() + 15.0 * slope.tan(), 16.0 - slope.sin()],
                ],
                round: Some(Round { disc: 0.0, edge: 1.0, side: slope }),
                closed_top: false,
            },
        ]
    }

    #[test]
    fn what_is_left_is_what_is_deeper() {
        for outline in outlines() {
            for g in [0.0, 0.02, 0.3, 0.9, 1.2, 2.0] {
                let solids = outline.eroded(g);
                let (mut inside, mut outside) = (0, 0);
                for i in 0..30 {
                    for k in 0..45 {
                        let p = [f64::from(i) * 0.2, f64::from(k) * 0.4 + 0.013];
                        let deep = depth(&outline, p);
                        if p[1] > 15.0 || (deep - g).abs() < 1e-3 {
                            continue;
                        }
                        let found = holds(&solids, p);
                        assert_eq!(found, deep > g, "{outline:?} g {g} at {p:?}: depth {deep}, {solids:?}");
                        if found { inside += 1 } else { outside += 1 }
                    }
                }
                assert!(outside > 20 && (inside > 20 || g > 0.8), "{outline:?} g {g}: {inside} {outside}");
            }
        }
    }

    #[test]
    fn nothing_is_left_of_too_much() {
        for outline in outlines() {
            assert!(outline.eroded(6.0).is_empty(), "{:?}", outline.eroded(6.0));
        }
        let dovetail = Outline::frustum(0.0, 5.0, 4.0, 2.0, true);
        assert!(!dovetail.eroded(1.0).is_empty() && dovetail.eroded(2.5).is_empty());
    }
}
