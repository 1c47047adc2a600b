//! Convex bodies: what is true of two of them, exactly where that is rational and between certified
//! bounds elsewhere.
//!
//! * [`exact_squared_distance`], [`touches`]: hulls of points, also grown by radii, in integers.
//! * [`Solid`]: a hull, cylinder, truncated cone, ellipsoid or half-space, grown by a radius.
//! * [`distance_bracket`]: certified bounds on the distance of any two.
//! * [`depth_bracket`]: penetration depth, exact of hulls ([`exact_squared_depth`]).
//! * [`hull_contains`], [`ray_enters_hull`]: points and rays against hulls, exactly.
//! * [`ray_enters_solid`]: rays against any solid, certified; [`soup_distance`], [`soup_contacts`]:
//!   solids against triangles.
//! * [`reach`], [`sample_inside`]: support of a solid and points of it.
//! * [`convex_distance`]: bodies known only by their support maps, in double arithmetic.

mod body;
mod bounds;
mod cast;
mod depth;
mod distance;
mod expand;
mod fixed;
mod guess;
mod inner;
mod local;
mod nearest;
mod ray;
mod sample;
mod scaled;
mod solid;
mod soup;
mod start;
mod touch;

pub use bounds::{Bounds, convex_distance};
pub use cast::{Entry, ray_enters_solid};
pub use depth::{Depth, depth_bracket, exact_squared_depth};
pub use distance::{BITS, Certified, distance_bracket, exact_double, pair_size, round_down};
pub use ray::ray_enters_hull;
pub use sample::{reach, sample_inside, support_by_sampling};
pub use solid::{Core, Frame, Solid};
pub use soup::{soup_contacts, soup_distance};
pub use touch::{
    compare_distance, exact_distance, exact_squared_distance, flat_solids_touch, half_spaces_squared_distance,
    hull_contains, plane_squared_distance, touches, touches_half_space,
};
