//! How far must one convex set be moved to be past another? Intervals of lengths of a move,
//! narrowed axis by axis.

/// Lengths of a move, from 0 up, for which the moved set may still meet the other. Never too small.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Blocked {
    /// Shorter moves do not reach.
    pub from: f64,
    /// Longer moves are past.
    pub to: f64,
}

/// What a unit of a move may be off along a unit axis: the direction is rounded, and the rotation
/// between the frames is orthonormal only to 84 half-ulps. 512 half-ulps.
const RATE_ERROR: f64 = 256.0 * f64::EPSILON;

impl Blocked {
    /// Nothing is known.
    pub const ALWAYS: Self = Self { from: 0.0, to: f64::INFINITY };
    /// They never meet.
    pub const NEVER: Self = Self { from: f64::INFINITY, to: 0.0 };

    /// Whether they never meet.
    #[must_use]
    pub fn is_never(&self) -> bool {
        self.from > self.to
    }

    /// Along an axis of length at most `axis`, a unit of the move counts `rate`, and the shadows
    /// only meet while the move counts from `least` to `most`.
    #[must_use]
    #[inline]
    pub fn narrowed(self, least: f64, most: f64, rate: f64, axis: f64) -> Self {
        let (least, most, rate) = if rate < 0.0 { (-most, -least, -rate) } else { (least, most, rate) };
        let error = RATE_ERROR * axis;
        let mut narrowed = self;
        if least > 0.0 {
            narrowed.from = self.from.max(least / (rate + error) * (1.0 - 4.0 * f64::EPSILON));
        }
        if rate > error {
            narrowed.to = self.to.min(most / (rate - error) * (1.0 + 4.0 * f64::EPSILON));
        } else if most < 0.0 {
            // Only a move so long that its own rounding counts could come back.
            narrowed.from = narrowed.from.max(most / (rate - error) * (1.0 - 4.0 * f64::EPSILON));
        }
        narrowed
    }

    /// The same for sets whose shadows are centred: `offset` from the resting to the moving one,
    /// and half as wide as `reach` together.
    #[must_use]
    #[inline]
    pub fn narrowed_about(self, offset: f64, reach: f64, rate: f64) -> Self {
        self.narrowed(-reach - offset, reach - offset, rate, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Blocked;

    #[test]
    fn a_set_that_passes_is_in_the_way_for_a_while() {
        // Unit intervals, the moving one 3 to the left, at half speed.
        let passing = Blocked::ALWAYS.narrowed_about(-3.0, 1.0, 0.5);
        assert!((passing.from - 4.0).abs() < 1e-9 && (passing.to - 8.0).abs() < 1e-9, "{passing:?}");
        assert!(passing.from <= 4.0 && passing.to >= 8.0);
        let back = Blocked::ALWAYS.narrowed_about(3.0, 1.0, -0.5);
        assert_eq!(passing, back);
        assert!(Blocked::ALWAYS.narrowed_about(3.0, 1.0, 0.5).is_never(), "it moves away");
        assert_eq!(Blocked::ALWAYS.narrowed_about(0.5, 1.0, 0.0), Blocked::ALWAYS, "it moves along");
        let beside = Blocked::ALWAYS.narrowed_about(3.0, 1.0, 0.0);
        assert!(beside.from > 1e12, "{beside:?}");
    }
}
