//! How the distance of two bodies changes with the configuration.

use super::Checker;
use super::body::ParentFrame;
use super::query::{CheckScratch, Closest};
use crate::error::CheckError;
use crate::jacobian::JacobianColumn;
use glam::DVec3;

impl Checker {
    /// The derivative of the distance that [`Checker::closest`] found, by each velocity
    /// ([`Robot::velocities`](crate::Robot::velocities)), into `gradient`.
    ///
    /// The derivative is that of the distance of the two points, along the line through them, which
    /// is the distance's own where the closest points are unique. False, and nothing is written, if
    /// the bodies touch: then there is no direction.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/slide.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let checker = slide();
    /// let (mut scratch, mut gradient) = (checker.scratch(), Vec::new());
    /// let closest = checker.closest(&[0.5], &mut scratch)?.expect("there is a pair");
    /// assert!(checker.gradient(&[0.5], &closest, &mut scratch, &mut gradient)?);
    /// assert!((gradient[0] + 1.0).abs() < 1e-9); // as far as the ball slides, it comes closer
    /// # Ok(())
    /// # }
    /// ```
    pub fn gradient(
        &self,
        q: &[f64],
        closest: &Closest,
        scratch: &mut CheckScratch,
        gradient: &mut Vec<f64>,
    ) -> Result<bool, CheckError> {
        let (on_a, on_b) = (DVec3::from(closest.on_a), DVec3::from(closest.on_b));
        let away = on_b - on_a;
        let length = away.length();
        if closest.upper <= 0.0 || length == 0.0 {
            return Ok(false);
        }
        self.place(q, scratch)?;
        let normal = away / length;
        gradient.clear();
        gradient.resize(self.robot().velocities(), 0.0);
        for (body, point, sign) in [(closest.pair.a, on_a, -1.0), (closest.pair.b, on_b, 1.0)] {
            let ParentFrame::Link(link) = self.bodies()[body].parent else { continue };
            let point_link = scratch.world_from_link[link].inverse().apply(point).to_array();
            let CheckScratch { world_from_link, columns, .. } = &mut *scratch;
            columns.resize(gradient.len(), JacobianColumn::default());
            self.robot().point_jacobian(q, world_from_link, link, point_link, columns)?;
            for (total, column) in gradient.iter_mut().zip(&*columns) {
                *total += sign * normal.dot(DVec3::from(column.linear));
            }
        }
        Ok(true)
    }
}
