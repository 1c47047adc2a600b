//! Distances of points from tools in closed form, and random numbers. Shares no code with the
//! crate.

/// A piece of a tool: half of its section.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Section {
    /// A cylinder: radius, lowest and highest point.
    Cylinder(f64, f64, f64),
    /// All within `.1` of a disc of radius `.0` at height `.1`: ball- and bull-nose.
    Round(f64, f64),
    /// A truncated cone: radius and height of its lower and of its upper end.
    Frustum([f64; 2], [f64; 2]),
}

impl Section {
    /// Distance of a point from the piece; 0 inside.
    pub(crate) fn distance(self, radius: f64, height: f64) -> f64 {
        match self {
            Self::Cylinder(wide, low, high) => {
                let out = (low - height).max(height - high).max(0.0);
                (radius - wide).max(0.0).hypot(out)
            }
            Self::Round(disc, edge) => ((radius - disc).max(0.0).hypot(height - edge) - edge).max(0.0),
            Self::Frustum(bottom, top) => {
                let corners = [[0.0, bottom[1]], bottom, top, [0.0, top[1]]];
                let slope = (top[0] - bottom[0]) / (top[1] - bottom[1]);
                let wide = bottom[0] + (height - bottom[1]) * slope;
                if (bottom[1]..=top[1]).contains(&height) && radius <= wide {
                    return 0.0;
                }
                (0..3)
                    .map(|side| to_segment([radius, height], corners[side], corners[side + 1]))
                    .fold(f64::MAX, f64::min)
            }
        }
    }
}

/// Distance of a point from a segment.
fn to_segment(p: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    let (along, off) = ([b[0] - a[0], b[1] - a[1]], [p[0] - a[0], p[1] - a[1]]);
    let squared = along[0] * along[0] + along[1] * along[1];
    let share = if squared > 0.0 { ((along[0] * off[0] + along[1] * off[1]) / squared).clamp(0.0, 1.0) } else { 0.0 };
    (off[0] - share * along[0]).hypot(off[1] - share * along[1])
}

pub(crate) type Vector = [f64; 3];

pub(crate) fn sub(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(crate) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Distance from the axis, and height above the tip, of a point.
pub(crate) fn around(tip: Vector, axis: Vector, point: Vector) -> [f64; 2] {
    let away = sub(point, tip);
    let height = dot(away, axis);
    [(dot(away, away) - height * height).max(0.0).sqrt(), height]
}

/// Distance of a point from a tool with its tip and axis here.
pub(crate) fn distance(sections: &[Section], tip: Vector, axis: Vector, point: Vector) -> f64 {
    let [radius, height] = around(tip, axis, point);
    sections.iter().map(|section| section.distance(radius, height)).fold(f64::INFINITY, f64::min)
}

/// A plain generator.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }

    pub(crate) fn vector(&mut self, size: f64) -> Vector {
        [0; 3].map(|_| self.between(-size, size))
    }

    pub(crate) fn unit(&mut self) -> Vector {
        loop {
            let v = self.vector(1.0);
            let length = dot(v, v).sqrt();
            if (0.1..1.0).contains(&length) {
                return v.map(|x| x / length);
            }
        }
    }
}
