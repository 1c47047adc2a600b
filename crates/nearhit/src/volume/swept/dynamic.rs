//! The choice at query time (§4.2 of the swept-sphere paper, which describes it and did not build
//! it), with k-DOPs in the family (§8).
//!
//! A node holds two members of the family: the ball around all of it, and the one that fits its
//! shape best. Two nodes are compared by their balls first; if that does not settle what the search
//! wants to know, by the fitted members, whatever their kinds.
//!
//! The ball is the one around the fitted member, about the same centre. It takes a single number to
//! keep, none to place, and it is never the tighter of the two, so that a node still is one shape.

use super::{LineSwept, Mixed, RectSwept};
use crate::mesh::Triangle;
use crate::pose::Pose;
use crate::vector::length;
use crate::volume::kdop::{KDop, KDopMotion};
use crate::volume::sphere::Sphere;
use crate::volume::stored::Stored;
use crate::volume::{BoundingVolume, DENORMALS, Measure, Placement, Support, Tightness};
use glam::DVec3;
use std::cell::OnceCell;

/// The family's k-DOP: 18 planes, the best all-rounder of the k-DOP paper.
type Dop = KDop<9>;

/// A ball, and inside it the member of the family that fits best.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dynamic {
    /// Radius of the ball; its centre is the member's.
    reach: f64,
    fitted: Member,
}

/// A member of the family.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Member {
    /// A point, a segment or a rectangle, grown by a radius.
    Swept(Mixed),
    /// Slabs along nine directions.
    Slabs(KDop<9>),
}

impl Dynamic {
    /// What the node's shape is.
    #[must_use]
    pub fn fitted(&self) -> &Member {
        &self.fitted
    }

    /// Radius of the ball around it.
    #[must_use]
    pub fn reach(&self) -> f64 {
        self.reach
    }

    fn around(fitted: Member) -> Self {
        // Half diagonals and middles round.
        let rounding = 8.0 * f64::EPSILON * (fitted.size() + fitted.center().abs().max_element()) + DENORMALS;
        Self { reach: fitted.size() + rounding, fitted }
    }
}

/// How much larger a surface may be to be preferred to a rectangle's: points and segments are
/// cheaper to test; slabs grow when they are turned.
const POINT: f64 = 1.1;
const LINE: f64 = 1.1;
const SLABS: f64 = 0.8;

impl Member {
    /// The smallest surface, but for what the kinds cost.
    fn fit(triangles: &[Triangle]) -> Self {
        let members = [
            (Self::Swept(Mixed::Rect(RectSwept::fit(triangles))), 1.0),
            (Self::Swept(Mixed::Line(LineSwept::fit(triangles))), LINE),
            (Self::Swept(Mixed::Point(Sphere::fit(triangles))), POINT),
            (Self::Slabs(Dop::fit(triangles)), SLABS),
        ];
        let unit = members[0].0.size().max(f64::MIN_POSITIVE);
        let cost = |(member, allowed): &(Self, f64)| member.measure(unit).surface / allowed;
        let cheapest = members.into_iter().min_by(|p, q| cost(p).total_cmp(&cost(q)));
        cheapest.map_or(members[0].0, |(member, _)| member)
    }

    fn center(&self) -> DVec3 {
        match self {
            Self::Swept(swept) => swept.center(),
            Self::Slabs(slabs) => slabs.middle(),
        }
    }

    fn size(&self) -> f64 {
        match self {
            Self::Swept(swept) => swept.size(),
            Self::Slabs(slabs) => slabs.size(),
        }
    }

    fn measure(&self, unit: f64) -> Measure {
        match self {
            Self::Swept(swept) => swept.measure(unit),
            Self::Slabs(slabs) => slabs.measure(unit),
        }
    }

    fn place(&self, motion: &FamilyMotion) -> Self {
        match self {
            Self::Swept(swept) => Self::Swept(swept.place(&motion.placement)),
            Self::Slabs(slabs) => Self::Slabs(slabs.place(motion.slabs.get_or_init(|| Dop::motion(&motion.placement)))),
        }
    }

    #[inline]
    fn disjoint(&self, a: &Self) -> bool {
        match (self, a) {
            (Self::Swept(b), Self::Swept(a)) => b.disjoint(a),
            (Self::Slabs(b), Self::Slabs(a)) => b.disjoint(a),
            (Self::Swept(swept), Self::Slabs(slabs)) | (Self::Slabs(slabs), Self::Swept(swept)) => {
                slabs_around(swept).disjoint(slabs)
            }
        }
    }

    #[inline]
    fn lower_bound_up_to(&self, a: &Self, limit: f64) -> f64 {
        match (self, a) {
            (Self::Swept(b), Self::Swept(a)) => b.lower_bound_up_to(a, limit),
            (Self::Slabs(b), Self::Slabs(a)) => b.lower_bound_up_to(a, limit),
            (Self::Swept(swept), Self::Slabs(slabs)) | (Self::Slabs(slabs), Self::Swept(swept)) => {
                slabs_around(swept).lower_bound_up_to(slabs, limit)
            }
        }
    }
}

/// The k-DOP around a swept sphere, in the frame of the sphere. Both members of a pair are in b's
/// frame, where the slabs of either have b's directions.
#[inline]
fn slabs_around(swept: &Mixed) -> Dop {
    Dop::from_intervals(|direction, length| {
        let (middle, half) = swept.shadow(direction, length);
        (middle - half, middle + half)
    })
}

/// What placing needs. What k-DOPs need of the pose is made when the first is placed: there may be
/// none.
#[derive(Debug)]
pub struct FamilyMotion {
    placement: Placement,
    slabs: OnceCell<KDopMotion<9>>,
}

/// A node of a in b's frame.
#[derive(Debug, Clone, Copy)]
pub struct PlacedDynamic {
    center: DVec3,
    reach: f64,
    fitted: Member,
}

impl crate::volume::sealed::Sealed for Dynamic {}

impl BoundingVolume for Dynamic {
    type Motion = FamilyMotion;
    type Placed = PlacedDynamic;
    const NAME: &'static str = "dynamic";

    fn fit(triangles: &[Triangle]) -> Self {
        Self::around(Member::fit(triangles))
    }

    fn size(&self) -> f64 {
        self.reach
    }

    fn measure(&self, unit: f64) -> Measure {
        self.fitted.measure(unit)
    }

    fn motion(placement: &Placement) -> FamilyMotion {
        FamilyMotion { placement: *placement, slabs: OnceCell::new() }
    }

    fn place(&self, motion: &FamilyMotion) -> PlacedDynamic {
        PlacedDynamic {
            center: motion.placement.b_from_a().apply(self.fitted.center()),
            reach: self.reach + motion.placement.slack(),
            fitted: self.fitted.place(motion),
        }
    }

    #[inline]
    fn disjoint(&self, a: &PlacedDynamic) -> bool {
        self.between_balls(a) > 0.0 || self.fitted.disjoint(&a.fitted)
    }

    #[inline]
    fn lower_bound(&self, a: &PlacedDynamic) -> f64 {
        self.fitted.lower_bound_up_to(&a.fitted, f64::INFINITY)
    }

    #[inline]
    fn lower_bound_up_to(&self, a: &PlacedDynamic, limit: f64) -> f64 {
        let between_balls = self.between_balls(a);
        if between_balls >= limit { between_balls } else { self.fitted.lower_bound_up_to(&a.fitted, limit) }
    }
}

impl Dynamic {
    #[inline]
    fn between_balls(&self, a: &PlacedDynamic) -> f64 {
        super::clearance(length(a.center - self.fitted.center()), a.reach + self.reach)
    }
}

impl Support for Dynamic {
    fn support(&self, direction: DVec3) -> DVec3 {
        match &self.fitted {
            Member::Swept(swept) => swept.support(direction),
            Member::Slabs(slabs) => slabs.support(direction),
        }
    }

    fn contains(&self, point: DVec3) -> bool {
        let in_ball = length(point - self.fitted.center()) <= self.reach;
        in_ball
            && match &self.fitted {
                Member::Swept(swept) => swept.contains(point),
                Member::Slabs(slabs) => slabs.contains(point),
            }
    }

    fn claim(&self, a: &Self, b_from_a: &Pose) -> Tightness {
        match (&self.fitted, &a.fitted) {
            (Member::Swept(b), Member::Swept(a)) => b.claim(a, b_from_a),
            _ => Tightness::Basic,
        }
    }
}

impl Stored for Dynamic {
    /// The kind of the fitted member, then its numbers, then zeros. The ball follows from it.
    const NUMBERS: usize = 1 + Dop::NUMBERS;

    fn store(&self, numbers: &mut Vec<f64>) {
        let end = numbers.len() + Self::NUMBERS;
        match &self.fitted {
            Member::Swept(swept) => {
                numbers.push(0.0);
                swept.store(numbers);
            }
            Member::Slabs(slabs) => {
                numbers.push(1.0);
                slabs.store(numbers);
            }
        }
        numbers.resize(end, 0.0);
    }

    fn restore(numbers: &[f64], reach: f64) -> Option<Self> {
        let (&kind, numbers) = numbers.split_first()?;
        let fitted = match kind {
            0.0 => Mixed::restore(numbers, reach).map(Member::Swept),
            1.0 => Dop::restore(numbers, reach).map(Member::Slabs),
            _ => None,
        };
        fitted.map(Self::around)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearhit_testkit::convex::convex_distance;
    use nearhit_testkit::rng::Rng;

    fn triangles(rng: &mut Rng) -> Vec<Triangle> {
        let stretch = DVec3::new(rng.range(0.2, 1.0), rng.range(0.1, 0.5), rng.range(0.0, 0.3));
        let place = Pose::from_rows(rng.rotation(), rng.point(-0.5, 0.5)).expect("a rotation");
        (0..4).map(|_| [(); 3].map(|()| place.apply(DVec3::from_array(rng.point(-1.0, 1.0)) * stretch))).collect()
    }

    fn every_member(triangles: &[Triangle]) -> [Dynamic; 4] {
        [
            Member::Swept(Mixed::Point(Sphere::fit(triangles))),
            Member::Swept(Mixed::Line(LineSwept::fit(triangles))),
            Member::Swept(Mixed::Rect(RectSwept::fit(triangles))),
            Member::Slabs(Dop::fit(triangles)),
        ]
        .map(Dynamic::around)
    }

    /// The contract suite meets the kinds that fits choose; here is every kind against every other.
    #[test]
    fn every_pair_of_members_is_bounded_by_the_distance_of_the_two() {
        let mut rng = Rng::new(83);
        let mut apart = [[0; 4]; 4];
        for round in 0..300 {
            let (of_a, of_b) = (triangles(&mut rng), triangles(&mut rng));
            let rotation = if round % 2 == 0 { nearhit_testkit::pose::IDENTITY } else { rng.rotation() };
            let a_from_b = Pose::from_rows(rotation, rng.point(-0.5, 0.5)).expect("a rotation");
            let placement = Placement::new(&a_from_b, 4.0, 4.0);
            let motion = Dynamic::motion(&placement);
            for (i, a) in every_member(&of_a).iter().enumerate() {
                let placed = a.place(&motion);
                let b_from_a = placement.b_from_a();
                let support_a =
                    |direction: DVec3| b_from_a.apply(a.support(b_from_a.rotation().transpose() * direction));
                for (j, b) in every_member(&of_b).iter().enumerate() {
                    let truth =
                        convex_distance(|d| support_a(d.into()).to_array(), |d| b.support(d.into()).to_array(), 1e-11);
                    let bound = b.lower_bound(&placed);
                    assert!(bound <= truth.upper, "{bound} is above {truth:?}\n{a:?}\n{b:?}");
                    assert!(b.lower_bound_up_to(&placed, 0.5 * bound) <= truth.upper, "{a:?}\n{b:?}");
                    assert!(bound == 0.0 || b.disjoint(&placed), "{a:?}\n{b:?}");
                    // Slabs that are not turned lose nothing, whatever they are compared with.
                    if round % 2 == 0 || i < 3 {
                        let gap = Dop::DIRECTIONS.iter().fold(0.0_f64, |widest, direction| {
                            let low = |d: DVec3| support_a(d).dot(d) + b.support(-d).dot(-d);
                            widest.max(-low(*direction).min(low(-*direction)) / direction.length())
                        });
                        assert!(bound >= gap - 1e-11, "{bound} is below a slab's gap of {gap}\n{a:?}\n{b:?}");
                    }
                    apart[i][j] += usize::from(bound > 0.0);
                }
            }
        }
        assert!(apart.iter().flatten().all(|count| (60..280).contains(count)), "{apart:?}");
    }

    /// The ball decides early what the fitted members would decide too.
    #[test]
    fn balls_are_never_tighter_than_what_they_hold() {
        let mut rng = Rng::new(84);
        let placement = Placement::new(&Pose::IDENTITY, 4.0, 4.0);
        let (mut by_balls, mut all) = (0, 0);
        for _ in 0..300 {
            let (of_a, of_b) = (triangles(&mut rng), triangles(&mut rng));
            for (a, b) in every_member(&of_a).into_iter().zip(every_member(&of_b)) {
                let placed = a.place(&Dynamic::motion(&placement));
                let (balls, fitted) = (b.between_balls(&placed), b.lower_bound(&placed));
                let slabs = matches!(a.fitted, Member::Slabs(_));
                assert!(slabs || balls <= fitted + 1e-12, "{balls} {fitted}\n{a:?}\n{b:?}");
                by_balls += usize::from(balls > 0.0);
                all += usize::from(fitted > 0.0);
            }
        }
        assert!(by_balls * 10 > all && by_balls < all, "{by_balls} of {all}");
    }
}
