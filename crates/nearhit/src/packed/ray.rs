//! Along one ray through one tree, nearest boxes first.
//!
//! Slabs of grown boxes. Rounding is counted as a shift of the ray, in half-ulps of the origin's
//! offset from the node plus the boxes' reach: 6 for the origin as in `point.rs`, 6 for the
//! direction, which is carried no farther than that size, 4 for each product. The same [`ROUNDING`]
//! covers it.

use super::Packed;
use super::boxes::Boxes;
use super::dispatch::{Kernel, dispatch};
use super::lanes::Simd;
use super::node::{Content, Frame, Leaf};
use super::point::{Local, Open, Part, nearest, next_below, rotated, upward};
use super::relation::along as product;
use super::triangles::cross;
use crate::traverse::Stats;
use glam::DVec3;
use std::ops::ControlFlow;

#[cfg(doc)]
use super::point::ROUNDING;

/// What a ray wants of the triangles it may meet.
pub(crate) trait Along {
    /// Only hits up to this far along matter. It may fall while the search goes on, and never
    /// rises.
    fn limit(&self) -> f64;

    /// Looks at a triangle, by index.
    fn look(&mut self, triangle: u32) -> ControlFlow<()>;
}

/// Shows `along` every triangle that the ray may meet within its limit. The direction has length
/// one; `slack` bounds the double-precision rounding of the origin and of the lengths that are
/// compared with the limit.
pub(crate) fn search<A: Along>(
    tree: &Packed,
    origin: DVec3,
    direction: DVec3,
    slack: f64,
    along: &mut A,
    open: &mut Open,
) -> Stats {
    dispatch(Search { tree, origin: origin - tree.center, direction, slack: upward(slack), along, open })
}

struct Search<'s, A> {
    tree: &'s Packed,
    origin: DVec3,
    direction: DVec3,
    slack: f32,
    along: &'s mut A,
    open: &'s mut Open,
}

impl<A: Along> Kernel for Search<'_, A> {
    type Output = Stats;

    #[inline(always)]
    fn run<S: Simd>(self) -> Stats {
        let Self { tree, origin, direction, slack, along, open } = self;
        let exact_direction = direction;
        let direction = single(direction);
        let mut stats = Stats::default();
        let mut limit = raised(along.limit());
        open.clear();
        let mut next = (limit > 0.0).then_some(Part::ROOT);
        while let Some(part) = next.take().or_else(|| next_below(open, limit)) {
            match part.content() {
                Content::Node(index) => {
                    let node = &tree.nodes[index as usize];
                    stats.volume_tests += u64::from(node.count);
                    let local = Local::new(&node.frame, origin, slack);
                    let (entries, met) = entries::<S>(&Boxes::of(node), &node.frame, &local, &direction);
                    let mask = met & entries.below(S::splat(limit)) & ((1 << node.count) - 1);
                    next = nearest(node, mask, entries, open);
                }
                Content::Leaf(index) => {
                    let Some(leaf) = tree.leaves.whole(index) else {
                        for &triangle in tree.leaves.ids(index) {
                            stats.triangle_tests += 1;
                            if along.look(triangle).is_break() {
                                return stats;
                            }
                        }
                        limit = raised(along.limit());
                        continue;
                    };
                    let mut mask = passed::<S>(leaf, origin, exact_direction, slack);
                    stats.triangle_tests += u64::from(mask.count_ones());
                    while mask != 0 {
                        let lane = mask.trailing_zeros() as usize;
                        mask &= mask - 1;
                        if along.look(leaf.triangles[lane]).is_break() {
                            return stats;
                        }
                    }
                    limit = raised(along.limit());
                }
            }
        }
        stats
    }
}

/// Computed entries at or above this are certainly beyond the limit.
#[inline(always)]
fn raised(limit: f64) -> f32 {
    (limit as f32).next_up() * (1.0 + 16.0 * f32::EPSILON) + f32::MIN_POSITIVE
}

/// A component of a direction below this is as good as this: it moves nothing that the slack does
/// not cover, and its inverse is harmless.
const FLAT: f32 = 1e-20;

/// How far along the ray each grown box is entered, and one bit for each box that is met.
#[inline(always)]
fn entries<S: Simd>(boxes: &Boxes<S>, frame: &Frame, local: &Local, direction: &[f32; 3]) -> (S, u32) {
    let direction = rotated(frame, direction);
    let (zero, grow) = (S::splat(0.0), S::splat(local.grow));
    // The largest entry, and the largest negated exit.
    let (mut entry, mut exit) = (zero, S::splat(f32::MIN));
    for axis in 0..3 {
        let inverse = 1.0 / direction[axis].abs().max(FLAT).copysign(direction[axis]);
        let middle = boxes.center[axis].sub(S::splat(local.point[axis])).mul(S::splat(inverse));
        let half = boxes.half[axis].add(grow).mul(S::splat(inverse.abs()));
        entry = middle.sub(half).max(entry);
        exit = zero.sub(middle).sub(half).max(exit);
    }
    let met = entry.add(exit).below(S::splat(f32::MIN_POSITIVE));
    (entry, met)
}

#[inline(always)]
fn single(vector: DVec3) -> [f32; 3] {
    [vector.x as f32, vector.y as f32, vector.z as f32]
}

/// One bit for each triangle of a leaf that the ray's line may pass through: for the others, the
/// line turns one way about one edge and the other way about another.
///
/// The ray is followed to the leaf first, so that lengths, and with them errors, are those of the
/// leaf. Turns are products of two of these; each coordinate is at most a third of `grow` off (see
/// `point.rs`), which makes 2 · 3 · size · grow / 3; rounding of the products and of the direction,
/// some 50 half-ulps of size², fits in twice that.
#[inline(always)]
fn passed<S: Simd>(leaf: &Leaf, origin: DVec3, direction: DVec3, slack: f32) -> u32 {
    let [x, y, z] = leaf.frame.origin;
    let ahead = (DVec3::new(x.into(), y.into(), z.into()) - origin).dot(direction);
    let local = Local::new(&leaf.frame, origin + direction * ahead, slack);
    let direction = rotated(&leaf.frame, &single(direction));
    let direction = [S::splat(direction[0]), S::splat(direction[1]), S::splat(direction[2])];
    let ([p, q, r], grow) = local.about::<S>(leaf);
    let (first, second, third) = (turn(&direction, &p, &q), turn(&direction, &q, &r), turn(&direction, &r, &p));
    let (least, most) = (first.min(second).min(third), first.max(second).max(third));
    let error = (6.0 * grow).next_up();
    // Asked for those that stay, because what is not a number counts as below.
    (S::splat(-error).below(least) | most.below(S::splat(error))) & ((1 << leaf.count) - 1)
}

#[inline(always)]
fn turn<S: Simd>(direction: &[S; 3], p: &[S; 3], q: &[S; 3]) -> S {
    product(direction, &cross(p, q))
}

#[cfg(test)]
mod tests {
    use super::super::Preset;
    use super::super::lanes::{Lanes, Portable};
    use super::super::point::around;
    use super::*;
    use crate::mesh::Mesh;
    use crate::primitive::ray::{Ray, hit};
    use nearhit_testkit::rng::Rng;

    fn entered<S: Simd>(leaf: &Leaf, local: &Local, direction: DVec3) -> (Lanes, u32) {
        let direction = direction.as_vec3().to_array();
        let (entries, met) = entries::<S>(&around(leaf), &leaf.frame, local, &direction);
        (entries.store(), met)
    }

    /// On either path.
    fn passed_too(leaf: &Leaf, origin: DVec3, direction: DVec3, slack: f64) -> u32 {
        let portable = passed::<Portable>(leaf, origin, direction, upward(slack));
        #[cfg(target_arch = "x86_64")]
        if super::super::lanes::Avx2::is_available() {
            return portable & passed::<super::super::lanes::Avx2>(leaf, origin, direction, upward(slack));
        }
        portable
    }

    /// Every triangle that is hit has a box that is met, entered no later than the triangle; rays
    /// are aimed at corners and along the axes too.
    #[test]
    fn no_hit_is_missed() {
        let mut rng = Rng::new(22);
        let (mut hits, mut misses, mut culled, mut turned_away) = (0, 0, 0, 0);
        for _ in 0..6000 {
            let (offset, scale) = (*rng.choice(&[0.0, 1e6, 1e-3]), *rng.choice(&[1.0, 1e-4, 1e8]));
            let count = 1 + rng.below(8);
            let vertices: Vec<[f64; 3]> =
                (0..3 * count).map(|_| rng.point(-1.0, 1.0).map(|x| x * scale + offset)).collect();
            let triangles: Vec<[u32; 3]> = (0..count as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
            let mesh = Mesh::new(&vertices, &triangles).expect("legal");
            let tree = Packed::build(&mesh, Preset::Balanced).expect("in range");
            let leaf = tree.leaves.all().last().expect("a leaf");
            let target = DVec3::from_array(vertices[rng.below(vertices.len())]);
            let away = match rng.below(3) {
                0 => DVec3::from_array(rng.unit_vector()),
                1 => DVec3::AXES[rng.below(3)],
                _ => DVec3::new(1.0, 1e-9, -1e-30),
            };
            let origin = target + away * scale * rng.range(0.0, 4.0);
            let Ok(ray) = Ray::between(origin, target) else { continue };
            let slack = (mesh.max_coordinate() + origin.abs().max_element()) * 256.0 * f64::EPSILON;
            let local = Local::new(&leaf.frame, origin - tree.center, upward(slack));
            let (first, met) = entered::<Portable>(leaf, &local, ray.direction());
            #[cfg(target_arch = "x86_64")]
            let (second, met_too) = if super::super::lanes::Avx2::is_available() {
                entered::<super::super::lanes::Avx2>(leaf, &local, ray.direction())
            } else {
                (first, met)
            };
            #[cfg(not(target_arch = "x86_64"))]
            let (second, met_too) = (first, met);
            let passed = passed_too(leaf, origin - tree.center, ray.direction(), slack);
            for lane in 0..leaf.count as usize {
                let Some(length) = hit(&ray, &mesh.triangle(leaf.triangles[lane])) else {
                    misses += 1;
                    culled += (!met >> lane) & 1;
                    turned_away += (!passed >> lane) & 1;
                    continue;
                };
                hits += 1;
                assert!((met & met_too & passed) >> lane & 1 == 1, "missed: {ray:?}");
                assert!(first.0[lane] < raised(length) && second.0[lane] < raised(length), "late: {ray:?}");
            }
        }
        assert!(hits > 3000 && misses > 3000 && culled * 4 > misses, "{hits} hits, {misses} misses, {culled} culled");
        assert!(turned_away * 10 > misses * 9, "{turned_away} of {misses}");
    }
}
