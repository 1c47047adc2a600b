//! Two shapes, of which one at least is no mesh: collision, distance, tolerance verification.
//!
//! [`ShapePair`] answers in a's frame; a's pose brings its points into the world.

use super::{Assessment, Check, Contact, Distance, Within, Witness};
use crate::pose::Pose;
use crate::query::{self, Interval, Scratch, Seed, Settings, Tolerance, Verdict};
use crate::shape::ShapePair;

impl Check {
    /// Queries two shapes: do they touch, where, and how deep are they in each other? The point is
    /// one of the contact; a depth is known where both have an inside.
    ///
    /// ```
    /// use nearhit::report::Check;
    /// use nearhit::shape::{Shape, ShapePair};
    /// use nearhit::{Pose, Scratch, Settings};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let (ball, plate) = (Shape::ball(1.0)?, Shape::cuboid([4.0, 4.0, 1.0])?);
    /// let above = Pose::from_translation([0.0, 0.0, 1.25])?;
    /// let pair = ShapePair::new(&ball, &above, &plate, &Pose::IDENTITY)?;
    /// let report = Check::of_shapes(&pair, &above, &Settings::default(), &mut Scratch::new());
    /// let depth = report.known.expect("they touch").penetration;
    /// assert!(depth.lower <= 0.25 && 0.25 <= depth.upper);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn of_shapes(
        pair: &ShapePair<'_>,
        world_from_a: &Pose,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
    ) -> Self {
        let found = pair.collide(settings, scratch);
        let collides = found.verdict.known();
        let (mut first, mut known) = (None, None);
        if collides == Some(true) {
            let there = Settings::new().seed(found.witness.map(Seed));
            let nearest = witness(world_from_a, &pair.distance(Tolerance::EXACT, &there, scratch));
            first = Some(Contact { triangles: nearest.triangles, points: vec![nearest.points[0]] });
            known = depth(pair, world_from_a, scratch);
        }
        Self {
            collides,
            is_complete: collides.is_some(),
            contacts: None,
            contacts_at_least: first.iter().len(),
            first,
            pairs: None,
            inside: None,
            solid: None,
            known,
            work: found.stats.into(),
        }
    }
}

impl Distance {
    /// Report of two shapes, of a distance that was asked for with this tolerance.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::report::Distance;
    /// use nearhit::shape::{Shape, ShapePair};
    /// use nearhit::{Pose, Scratch, Settings, Tolerance};
    ///
    /// let (ball, plate) = (Shape::ball(1.0)?, Shape::cuboid([4.0, 4.0, 1.0])?);
    /// let above = Pose::from_translation([0.0, 0.0, 3.5])?;
    /// let pair = ShapePair::new(&ball, &above, &plate, &Pose::IDENTITY)?;
    /// let found = pair.distance(Tolerance::EXACT, &Settings::default(), &mut Scratch::new());
    /// let report = Distance::of_shapes(&above, Tolerance::EXACT, &found);
    /// assert_eq!(report.collides, Some(false));
    /// assert!((report.interval.upper - 2.0).abs() < 1e-9);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn of_shapes(world_from_a: &Pose, tolerance: Tolerance, found: &query::Distance) -> Self {
        Self {
            collides: touching(found, tolerance),
            interval: found.into(),
            is_complete: found.is_complete,
            witness: witness(world_from_a, found),
            inside: None,
            methods: None,
            work: found.stats.into(),
        }
    }
}

impl Within {
    /// Queries two shapes: are they at most `limit` apart? Where they are, the interval is that of
    /// their distance.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::report::Within;
    /// use nearhit::shape::{Shape, ShapePair};
    /// use nearhit::{Pose, Scratch, Settings};
    ///
    /// let (ball, plate) = (Shape::ball(1.0)?, Shape::cuboid([4.0, 4.0, 1.0])?);
    /// let above = Pose::from_translation([0.0, 0.0, 3.5])?;
    /// let pair = ShapePair::new(&ball, &above, &plate, &Pose::IDENTITY)?;
    /// let report = Within::of_shapes(&pair, &above, 2.5, &Settings::default(), &mut Scratch::new());
    /// assert_eq!(report.within, Some(true));
    /// assert!(report.witness().is_some());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn of_shapes(
        pair: &ShapePair<'_>,
        world_from_a: &Pose,
        limit: f64,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
    ) -> Self {
        let found = pair.within(limit, settings, scratch);
        let within = found.verdict.known();
        let (mut interval, mut nearest) = (Interval::from(&found), None);
        if found.verdict == Verdict::Yes {
            let there = settings.seed(found.witness.map(Seed));
            let distance = pair.distance(Tolerance::EXACT, &there, scratch);
            interval = Interval::from(&distance);
            nearest = Some(witness(world_from_a, &distance));
        }
        Self {
            limit,
            within,
            is_complete: within.is_some(),
            interval,
            triangles: nearest.map(|witness| witness.triangles),
            points: nearest.map(|witness| witness.points),
            inside: None,
            contained: None,
            methods: None,
            work: found.stats.into(),
        }
    }
}

/// In the world.
pub(super) fn witness(world_from_a: &Pose, found: &query::Distance) -> Witness {
    let points = [found.on_a, found.on_b].map(|point| world_from_a.apply(point).to_array());
    Witness { triangles: [found.witness.a, found.witness.b], points }
}

/// Of shapes that touch; none beside a mesh, which has no inside.
fn depth(pair: &ShapePair<'_>, world_from_a: &Pose, scratch: &mut Scratch) -> Option<Assessment> {
    let found = pair.penetration(scratch).filter(|found| found.depth.upper.is_finite())?;
    let translation = world_from_a.rotation() * found.normal * found.depth.upper;
    Some(Assessment { separation: Interval::ZERO, penetration: found.depth, translation: Some(translation.to_array()) })
}

/// What an interval says. A finished search that did not prove them apart says that they touch: so
/// it is decided of round shapes.
fn touching(found: &query::Distance, tolerance: Tolerance) -> Option<bool> {
    let decided = found.upper == 0.0 || (found.is_complete && tolerance == Tolerance::EXACT);
    if found.lower > 0.0 { Some(false) } else { decided.then_some(true) }
}
