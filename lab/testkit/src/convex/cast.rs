//! Where a ray enters a solid, with a proof that it is outside before.
//!
//! From a point outside, the plane that separates it from the solid tells how far the ray is free;
//! there the next plane is taken (van den Bergen 2004). What is passed is proven free. Where the
//! ray comes as near to the solid as asked, the search ends, and says how near that is.

use dashu_int::IBig;
use dashu_ratio::RBig;

use super::body::{Body, Unit};
use super::distance::{exact_double, height_over_plane};
use super::fixed::{Places, about_unit, add, bit_length, length, shifted};
use super::inner::meet;
use super::local::Local;
use super::scaled::{common_exponent, integer, rational};
use super::solid::{Core, Solid};
use crate::Point;
use crate::exact::integers::{Vector, sign};

/// Binary places of lengths, and how many of them the gap is brought down to.
const PLACES: Places = Places(128);
const GOAL: usize = 80;

/// A ray that is tangent gains little by a step; what is proven then is returned.
const MAX_STEPS: usize = 60;

/// How a ray meets a solid.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The ray is outside the solid for all smaller `t`.
    pub at: RBig,
    /// The ray's point at `at` is no farther than this from the solid: about 1e-24 of the pair's
    /// size, unless the ray is almost tangent.
    pub gap: RBig,
}

/// The `t >= 0` from which `origin + t * direction` may be in the solid; `None` when the ray is
/// proven to miss it. The direction is of any length but zero.
pub fn ray_enters_solid(solid: &Solid, origin: Point, direction: Point) -> Option<Entry> {
    if let Core::HalfSpace { normal, offset } = solid.core {
        return enters_half_space(normal, offset, solid.margin, origin, direction);
    }
    let start = Core::Points(vec![origin]);
    let unit = Unit::of(&with_margin(solid), &start, PLACES);
    let body = Body::new(&solid.core, &unit)?;
    let exponent = common_exponent(direction.iter());
    let exact: Vector = direction.map(|x| integer(x, exponent));
    let turn = PLACES.0 as i64 - bit_length(&length(&exact)) as i64;
    let cast = Cast {
        body,
        margin: unit.length(solid.margin),
        origin: unit.point(origin),
        direction: exact.each_ref().map(|x| shifted(x.clone(), turn)),
    };
    let (at, gap) = cast.advance()?;
    let lengths = |units: IBig| rational(units, IBig::ONE, unit.exponent - PLACES.0 as i64);
    // The direction was multiplied by a power of two on its way to about unit length.
    let stretch = rational(IBig::ONE, IBig::ONE, turn - exponent - PLACES.0 as i64);
    Some(Entry { at: lengths(at) * stretch, gap: lengths(gap) })
}

/// Something at least as large as the grown solid, for the unit.
fn with_margin(solid: &Solid) -> Core {
    let center = super::body::reference(&solid.core);
    let reach = super::body::extent(&solid.core, center) + solid.margin;
    Core::Points(vec![center, [center[0] + reach, center[1], center[2]]])
}

fn enters_half_space(normal: Point, offset: f64, margin: f64, origin: Point, direction: Point) -> Option<Entry> {
    let height = height_over_plane(&Core::Points(vec![origin]), normal, offset, PLACES);
    let (lower, upper) = (height.lower - exact_double(margin), height.upper - exact_double(margin));
    if upper <= RBig::ZERO {
        return Some(Entry { at: RBig::ZERO, gap: RBig::ZERO });
    }
    let speed = height_over_plane(&Core::Points(vec![direction]), normal, 0.0, PLACES);
    let (fall, fastest) = (-speed.upper, -speed.lower);
    if fall <= RBig::ZERO {
        return None;
    }
    let at = lower.max(RBig::ZERO) / fastest;
    let gap = upper - &at * fall;
    Some(Entry { at, gap })
}

struct Cast {
    body: Body,
    margin: IBig,
    origin: Vector,
    /// Of about unit length.
    direction: Vector,
}

impl Cast {
    /// Where the ray may enter, and how near it is there.
    fn advance(&self) -> Option<(IBig, IBig)> {
        let goal = IBig::ONE << (PLACES.0 - GOAL);
        let mut at = IBig::ZERO;
        let mut gap = IBig::ZERO;
        for _ in 0..MAX_STEPS {
            let step: Vector = self.direction.each_ref().map(|x| PLACES.times(x, &at));
            let point = add(&self.origin, &step);
            let probe = Body {
                center: super::fixed::zero(),
                columns: super::local::identity(PLACES),
                local: Local::Hull(vec![point.clone()]),
            };
            let found = meet(&self.body, &probe, PLACES, &(IBig::ONE << 24usize));
            gap = (&found.upper - &self.margin).max(IBig::ZERO);
            if gap <= goal {
                break;
            }
            let free = self.before_plane(&point, &about_unit(&found.direction, PLACES))?;
            if free.is_zero() {
                break;
            }
            at += free;
            // Beyond all that the solid can reach from the ray's origin.
            if at > PLACES.one() << 4usize {
                return None;
            }
        }
        Some((at, gap))
    }

    /// How far the ray is free from a point on, until it crosses the plane that touches the solid
    /// across a direction towards it; `None` when it never does.
    fn before_plane(&self, point: &Vector, towards: &Vector) -> Option<IBig> {
        let against = towards.each_ref().map(|x| -x);
        let reach = PLACES.times(&self.margin, &(length(towards) + IBig::ONE));
        let plane = -self.body.height(PLACES, &against) - reach - PLACES.slack();
        let room = plane - PLACES.product(towards, point);
        if sign(&room) <= 0 {
            return Some(IBig::ZERO);
        }
        // Not slower than in truth, so that the crossing is not later.
        let speed = PLACES.product(towards, &self.direction) + PLACES.slack();
        (sign(&speed) > 0).then(|| PLACES.over(&room, &speed))
    }
}
