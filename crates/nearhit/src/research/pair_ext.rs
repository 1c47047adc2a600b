//! Queries for experiments: fronts kept between queries, searches that know a bound, average-case
//! estimates.

use super::sealed::Sealed;
use crate::anytime::adb::{AveragedPair, Averages};
use crate::error::QueryError;
use crate::query::assess::Footing;
use crate::query::{
    Assessment, Collision, Contacts, Distance, DistanceStart, Pair, Scratch, Settings, Tolerance, Within,
};
use crate::traverse::Front;

/// Research methods of a [`Pair`].
pub trait PairExt: Sealed + Sized {
    /// [`Pair::collide`], started from the front of an earlier query: the same verdict, with less
    /// work where the pose has changed little.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::research::PairExt;
    /// use nearhit::research::traverse::Front;
    /// use nearhit::{Pair, Scratch, Settings, Verdict};
    ///
    /// let (a, b) = (cube(1.0), cube(1.0)); // corners at ±1
    /// let pair = Pair::new(&a, &at(0.0, 0.0, 0.0), &b, &at(3.0, 0.0, 0.0))?;
    /// let mut scratch = Scratch::new(); // one for each thread, used again
    /// let mut front = Front::new(); // kept from frame to frame
    /// let found = pair.collide_from_front(&mut front, &Settings::default(), &mut scratch);
    /// assert_eq!(found.verdict, Verdict::No);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "temporal coherence")]
    #[doc(alias = "warm start")]
    #[must_use]
    fn collide_from_front(&self, front: &mut Front, settings: &Settings<'_>, scratch: &mut Scratch) -> Collision;

    /// [`Pair::contacts`], started from the front of an earlier query: the same list.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::research::PairExt;
    /// use nearhit::research::traverse::Front;
    /// use nearhit::{Pair, Scratch, Settings};
    ///
    /// let (a, b) = (cube(1.0), cube(1.0)); // corners at ±1
    /// let pair = Pair::new(&a, &at(0.0, 0.0, 0.0), &b, &at(3.0, 0.0, 0.0))?;
    /// let mut scratch = Scratch::new(); // one for each thread, used again
    /// let found = pair.contacts_from_front(&mut Front::new(), &Settings::default(), &mut scratch);
    /// assert!(found.pairs.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    fn contacts_from_front<'s>(
        &self,
        front: &mut Front,
        settings: &Settings<'_>,
        scratch: &'s mut Scratch,
    ) -> Contacts<'s>;

    /// [`Pair::distance`], told what is known at the start.
    ///
    /// The default engine asks for contact first, unless there is a budget to keep: that costs a
    /// hundredth of a distance query, and a distance query of surfaces that touch would refine
    /// everything near the contact.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::research::{DistanceStart, PairExt};
    /// use nearhit::{Pair, Scratch, Settings, Tolerance};
    ///
    /// let (a, b) = (cube(1.0), cube(1.0)); // corners at ±1
    /// let pair = Pair::new(&a, &at(0.0, 0.0, 0.0), &b, &at(3.0, 0.0, 0.0))?;
    /// let mut scratch = Scratch::new(); // one for each thread, used again
    /// let known = DistanceStart::AtMost(1.5);
    /// let found = pair.distance_from(known, Tolerance::EXACT, &Settings::default(), &mut scratch);
    /// assert_eq!(found.upper, 1.0);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    fn distance_from(
        &self,
        start: DistanceStart,
        tolerance: Tolerance,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
    ) -> Distance;

    /// [`Pair::distance`], started from the front of an earlier query: the same distance. With the
    /// last answer's [`Distance::seed`] in the settings most of the front is culled at once.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::research::PairExt;
    /// use nearhit::research::traverse::Front;
    /// use nearhit::{Pair, Scratch, Settings, Tolerance};
    ///
    /// let (a, b) = (cube(1.0), cube(1.0)); // corners at ±1
    /// let pair = Pair::new(&a, &at(0.0, 0.0, 0.0), &b, &at(3.0, 0.0, 0.0))?;
    /// let mut scratch = Scratch::new(); // one for each thread, used again
    /// let mut front = Front::new();
    /// let found = pair.distance_from_front(&mut front, Tolerance::EXACT, &Settings::default(), &mut scratch);
    /// assert_eq!(found.upper, 1.0);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    fn distance_from_front(
        &self,
        front: &mut Front,
        tolerance: Tolerance,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
    ) -> Distance;

    /// [`Pair::within`], started from the front of an earlier query: the same verdict.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::research::PairExt;
    /// use nearhit::research::traverse::Front;
    /// use nearhit::{Pair, Scratch, Settings, Verdict};
    ///
    /// let (a, b) = (cube(1.0), cube(1.0)); // corners at ±1
    /// let pair = Pair::new(&a, &at(0.0, 0.0, 0.0), &b, &at(3.0, 0.0, 0.0))?;
    /// let mut scratch = Scratch::new(); // one for each thread, used again
    /// let found = pair.within_from_front(1.0, &mut Front::new(), &Settings::default(), &mut scratch);
    /// assert_eq!(found.verdict, Verdict::Yes);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    fn within_from_front(
        &self,
        limit: f64,
        front: &mut Front,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
    ) -> Within;

    /// [`Pair::assess`], going on from where an earlier one ended: the last nearest triangles and
    /// the last front for the separation, the last translation for the penetration. As certain as
    /// without.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::research::{Footing, PairExt};
    /// use nearhit::{Budget, Pair, Scratch, Settings};
    ///
    /// let (a, b) = (cube(1.0), cube(1.0)); // corners at ±1
    /// let hurried = Settings::new().budget(Budget::work(20));
    /// let (mut scratch, mut footing) = (Scratch::new(), Footing::default()); // kept from frame to frame
    /// for x in [1.50, 1.51, 1.52] {
    ///     let pair = Pair::new(&a, &at(0.0, 0.0, 0.0), &b, &at(x, 0.0, 0.0))?;
    ///     let known = pair.assess_from(&mut footing, &hurried, &mut scratch);
    ///     assert!(known.penetration.upper >= 2.0 - x);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "temporal coherence")]
    #[must_use]
    fn assess_from(&self, footing: &mut Footing, settings: &Settings<'_>, scratch: &mut Scratch) -> Assessment;

    /// For average-case questions. Errors if a table was made for another tree.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::Pair;
    /// use nearhit::research::PairExt;
    /// use nearhit::research::adb::{Averages, Options};
    ///
    /// let model = cube(1.0);
    /// let averages = Averages::new(&model, &Options::default());
    /// let pair = Pair::new(&model, &at(0.0, 0.0, 0.0), &model, &at(5.0, 0.0, 0.0))?;
    /// assert!(pair.averaged(&averages, &averages).is_ok());
    /// # Ok(())
    /// # }
    /// ```
    fn averaged<'p>(&'p self, a: &'p Averages, b: &'p Averages) -> Result<AveragedPair<'p>, QueryError>;
}

impl Sealed for Pair<'_> {}

impl PairExt for Pair<'_> {
    fn collide_from_front(&self, front: &mut Front, settings: &Settings<'_>, scratch: &mut Scratch) -> Collision {
        Self::collide_from_front(self, front, settings, scratch)
    }

    fn contacts_from_front<'s>(
        &self,
        front: &mut Front,
        settings: &Settings<'_>,
        scratch: &'s mut Scratch,
    ) -> Contacts<'s> {
        Self::contacts_from_front(self, front, settings, scratch)
    }

    fn distance_from(
        &self,
        start: DistanceStart,
        tolerance: Tolerance,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
    ) -> Distance {
        Self::distance_from(self, start, tolerance, settings, scratch)
    }

    fn distance_from_front(
        &self,
        front: &mut Front,
        tolerance: Tolerance,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
    ) -> Distance {
        Self::distance_from_front(self, front, tolerance, settings, scratch)
    }

    fn within_from_front(
        &self,
        limit: f64,
        front: &mut Front,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
    ) -> Within {
        Self::within_from_front(self, limit, front, settings, scratch)
    }

    fn assess_from(&self, footing: &mut Footing, settings: &Settings<'_>, scratch: &mut Scratch) -> Assessment {
        Self::assess_from(self, footing, settings, scratch)
    }

    fn averaged<'p>(&'p self, a: &'p Averages, b: &'p Averages) -> Result<AveragedPair<'p>, QueryError> {
        Self::averaged(self, a, b)
    }
}
