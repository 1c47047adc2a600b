//! Distances of points from tools in closed form, and random numbers. Shares no code with the
//! crate.

/// A piece of a tool: half of its section.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Section {
    /// A cylinder: radius, lowest and highest point.
    Cylinder(f64, f64, f64),
    /// All within `.1` of a disc of radius `.0` at height `.1`: ball- and bull-nose.
    Round(f64, f64),
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
        }
    }
}

pub(crate) type Vector = [f64; 3];

pub(crate) fn sub(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(crate) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Distance of a point from a tool with its tip and axis here.
pub(crate) fn distance(sections: &[Section], tip: Vector, axis: Vector, point: Vector) -> f64 {
    let away = sub(point, tip);
    let height = dot(away, axis);
    let radius = (dot(away, away) - height * height).max(0.0).sqrt();
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
