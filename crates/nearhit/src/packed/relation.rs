//! How two nodes lie, and how far apart their boxes are, at least.
//!
//! Rounding. The rotation is composed in single precision, the offset of the two origins in double precision and rounded once. So all errors are
//! proportional to the local sizes: the boxes' reach in both nodes and the offset. Counted in half-ulps of their sum: 8 for
//! axes that are orthonormal only to single precision (each side), 12 for the product of three matrices, 6 for a
//! transformed middle, 4 for extents, 3 for differences; under 50 in all, for each frame. [`Relation::new`] takes 128 and adds the query's double-precision
//! slack; transformed boxes are grown by that. A computed length of gaps exceeds the true one by no more than the axes' stretch: [`SHRINK`] takes that off.

use super::lanes::{Lanes, Simd};
use super::node::WideNode;
use glam::{DMat3, DVec3};

/// a_from_b between the models' centres.
#[derive(Debug, Clone, Copy)]
pub(super) struct Between {
    /// Columns.
    rotation: [[f32; 3]; 3],
    rotation_exact: DMat3,
    translation: DVec3,
    slack: f32,
}

impl Between {
    pub(super) fn new(rotation: DMat3, translation: DVec3, slack: f64) -> Self {
        let columns = rotation.to_cols_array_2d().map(|column| column.map(|entry| entry as f32));
        Self {
            rotation: columns,
            rotation_exact: rotation,
            translation,
            slack: (slack as f32).next_up() + f32::MIN_POSITIVE,
        }
    }
}

/// A rotation and translation between two nodes' frames, and the slack for everything computed with them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Relation {
    /// Rows.
    rotation: [[f32; 3]; 3],
    translation: [f32; 3],
    slack: f32,
}

const ROUNDING: f32 = 128.0 * 0.5 * f32::EPSILON;
/// Applied to squared lengths: axes may stretch by 8 half-ulps, three squares are added.
pub(super) const SHRINK: f32 = 1.0 - 40.0 * f32::EPSILON;

#[inline(always)]
fn exact(point: &[f32; 3]) -> DVec3 {
    DVec3::new(point[0].into(), point[1].into(), point[2].into())
}

#[inline(always)]
fn dot(x: &[f32; 3], y: &[f32; 3]) -> f32 {
    x[0] * y[0] + x[1] * y[1] + x[2] * y[2]
}

impl Relation {
    /// Node frame of `a` from node frame of `b`.
    #[inline(always)]
    pub(super) fn new(a: &WideNode, b: &WideNode, between: &Between) -> Self {
        let mut rotation = [[0.0; 3]; 3];
        for i in 0..3 {
            let mut half_way = [0.0; 3];
            for j in 0..3 {
                half_way[j] = dot(&a.axes[i], &between.rotation[j]);
            }
            for j in 0..3 {
                rotation[i][j] = dot(&half_way, &b.axes[j]);
            }
        }
        let offset = between.rotation_exact * exact(&b.origin) + between.translation - exact(&a.origin);
        let offset = [offset.x as f32, offset.y as f32, offset.z as f32];
        let translation = [dot(&a.axes[0], &offset), dot(&a.axes[1], &offset), dot(&a.axes[2], &offset)];
        let size = a.reach + b.reach + offset[0].abs() + offset[1].abs() + offset[2].abs();
        Self { rotation, translation, slack: ROUNDING * size + between.slack }
    }

    /// The same the other way round: node frame of `b` from node frame of `a`.
    #[inline(always)]
    pub(super) fn reversed(&self) -> Self {
        let [[a, b, c], [d, e, f], [g, h, i]] = self.rotation;
        let rotation = [[a, d, g], [b, e, h], [c, f, i]];
        let back = &self.translation;
        let translation = [-dot(&rotation[0], back), -dot(&rotation[1], back), -dot(&rotation[2], back)];
        Self { rotation, translation, slack: self.slack }
    }

    /// All boxes of a node, as boxes along the other node's axes, grown by the slack.
    #[inline(always)]
    pub(super) fn boxes<S: Simd>(&self, node: &WideNode) -> Boxes<S> {
        let from = Boxes::<S>::of(node);
        // Written out: a closure would not be compiled for the CPU of the path.
        Boxes {
            center: [self.center(&from, 0), self.center(&from, 1), self.center(&from, 2)],
            half: [self.half(&from, 0), self.half(&from, 1), self.half(&from, 2)],
        }
    }

    #[inline(always)]
    fn center<S: Simd>(&self, from: &Boxes<S>, axis: usize) -> S {
        let [x, y, z] = self.rotation[axis];
        let from_z = S::splat(z).mul_add(from.center[2], S::splat(self.translation[axis]));
        S::splat(x).mul_add(from.center[0], S::splat(y).mul_add(from.center[1], from_z))
    }

    #[inline(always)]
    fn half<S: Simd>(&self, from: &Boxes<S>, axis: usize) -> S {
        let [x, y, z] = self.rotation[axis];
        let from_z = S::splat(z.abs()).mul_add(from.half[2], S::splat(self.slack));
        S::splat(x.abs()).mul_add(from.half[0], S::splat(y.abs()).mul_add(from.half[1], from_z))
    }

    /// One box of a node, likewise.
    #[inline(always)]
    pub(super) fn single(&self, node: &WideNode, lane: usize) -> Single {
        let own = Single::of(node, lane);
        let mut single = own;
        for i in 0..3 {
            let [x, y, z] = self.rotation[i];
            single.center[i] = dot(&self.rotation[i], &own.center) + self.translation[i];
            single.half[i] = dot(&[x.abs(), y.abs(), z.abs()], &own.half) + self.slack;
        }
        single
    }
}

/// Eight boxes along one frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Boxes<S> {
    center: [S; 3],
    half: [S; 3],
}

impl<S: Simd> Boxes<S> {
    #[inline(always)]
    pub(super) fn of(node: &WideNode) -> Self {
        Self {
            center: [S::load(&node.center[0]), S::load(&node.center[1]), S::load(&node.center[2])],
            half: [S::load(&node.half[0]), S::load(&node.half[1]), S::load(&node.half[2])],
        }
    }

    /// Written out, to take single boxes from.
    #[inline(always)]
    pub(super) fn stored(&self) -> [[Lanes; 3]; 2] {
        let ([x, y, z], [u, v, w]) = (self.center, self.half);
        [[x.store(), y.store(), z.store()], [u.store(), v.store(), w.store()]]
    }
}

/// One box.
#[derive(Debug, Clone, Copy)]
pub(super) struct Single {
    center: [f32; 3],
    half: [f32; 3],
}

impl Single {
    #[inline(always)]
    pub(super) fn of(node: &WideNode, lane: usize) -> Self {
        Self::at(&node.center, &node.half, lane)
    }

    #[inline(always)]
    pub(super) fn stored([center, half]: &[[Lanes; 3]; 2], lane: usize) -> Self {
        Self::at(center, half, lane)
    }

    #[inline(always)]
    fn at(center: &[Lanes; 3], half: &[Lanes; 3], lane: usize) -> Self {
        Self {
            center: [center[0].0[lane], center[1].0[lane], center[2].0[lane]],
            half: [half[0].0[lane], half[1].0[lane], half[2].0[lane]],
        }
    }

    /// Gaps to eight boxes along an axis; negative where the intervals overlap.
    #[inline(always)]
    fn gap<S: Simd>(&self, boxes: &Boxes<S>, axis: usize) -> S {
        let apart = S::splat(self.center[axis]).sub(boxes.center[axis]).abs();
        apart.sub(S::splat(self.half[axis])).sub(boxes.half[axis])
    }

    /// The largest gap to each of eight boxes; negative where all intervals overlap.
    #[inline(always)]
    pub(super) fn largest_gaps<S: Simd>(&self, boxes: &Boxes<S>) -> S {
        self.gap(boxes, 0).max(self.gap(boxes, 1)).max(self.gap(boxes, 2))
    }

    /// The squared distance to each of eight boxes.
    #[inline(always)]
    pub(super) fn squared_distances<S: Simd>(&self, boxes: &Boxes<S>) -> S {
        let zero = S::splat(0.0);
        let (x, y, z) = (self.gap(boxes, 0).max(zero), self.gap(boxes, 1).max(zero), self.gap(boxes, 2).max(zero));
        x.mul_add(x, y.mul_add(y, z.mul(z)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::lanes::Portable;
    use super::super::node::Content;
    use super::super::{Packed, descend::key};
    use super::*;
    use crate::mesh::Mesh;
    use crate::pose::Pose;
    use crate::volume::Placement;
    use nearhit_testkit::exact;
    use nearhit_testkit::rng::Rng;

    /// The largest gap and the squared distance of two slots, as the descent computes them.
    fn bounds<S: Simd>(a: &WideNode, b: &WideNode, between: &Between, lane_a: usize) -> (Lanes, Lanes) {
        let relation = Relation::new(a, b, between);
        let (seen_b, seen_a) = (relation.boxes::<S>(b), relation.reversed().boxes::<S>(a).stored());
        let (own_b, own_a) = (Boxes::<S>::of(b), Single::of(a, lane_a));
        let seen_a = Single::stored(&seen_a, lane_a);
        let gaps = own_a.largest_gaps(&seen_b).max(seen_a.largest_gaps(&own_b));
        let squares = own_a.squared_distances(&seen_b).max(seen_a.squared_distances(&own_b));
        (gaps.store(), squares.store())
    }

    fn each_path(check: impl Fn(&dyn Fn(&WideNode, &WideNode, &Between, usize) -> (Lanes, Lanes), &str)) {
        check(&bounds::<Portable>, "portable");
        #[cfg(target_arch = "x86_64")]
        if super::super::lanes::Avx2::is_available() {
            check(&bounds::<super::super::lanes::Avx2>, "avx2");
        }
    }

    struct Case {
        a: Mesh,
        b: Mesh,
        a_from_b: Pose,
    }

    impl Case {
        fn between(&self, a: &Packed, b: &Packed) -> Between {
            let slack = Placement::new(&self.a_from_b, self.a.max_coordinate(), self.b.max_coordinate()).slack();
            Between::new(self.a_from_b.rotation(), self.a_from_b.apply(b.center) - a.center, slack)
        }
    }

    fn soup(rng: &mut Rng, offset: f64, scale: f64) -> Mesh {
        let count = 2 + rng.below(7);
        let flat = if rng.chance(0.3) { 0.001 } else { 1.0 };
        let corner = |rng: &mut Rng| {
            let [x, y, z] = rng.point(-1.0, 1.0);
            [x * scale + offset, y * scale - offset, z * flat * scale + offset]
        };
        let vertices: Vec<[f64; 3]> = (0..3 * count).map(|_| corner(rng)).collect();
        let triangles: Vec<[u32; 3]> = (0..count as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        Mesh::new(&vertices, &triangles).expect("legal")
    }

    fn case(rng: &mut Rng) -> Case {
        let (offset, scale) = (*rng.choice(&[0.0, 0.0, 1e6, 1e-3]), *rng.choice(&[1.0, 1.0, 1e-4, 1e8]));
        let (a, b) = (soup(rng, offset, scale), soup(rng, offset, scale));
        let apart = glam::DVec3::from_array(rng.unit_vector()) * rng.range(0.0, 3.0) * scale;
        let rotation = rng.rotation();
        let middle = glam::DVec3::new(offset, -offset, offset);
        let turned = Pose::from_rows(rotation, [0.0; 3]).expect("a rotation");
        let translation = middle + apart - turned.apply(middle);
        Case { a, b, a_from_b: Pose::from_rows(rotation, translation.to_array()).expect("a rotation") }
    }

    /// No path's bound is above the exact distance, and neither culls what touches.
    #[test]
    fn bounds_are_never_above_the_truth() {
        let mut rng = Rng::new(11);
        let (mut apart, mut all) = (0, 0);
        for _ in 0..300 {
            let case = case(&mut rng);
            let (a, b) = (Packed::build(&case.a).expect("in range"), Packed::build(&case.b).expect("in range"));
            let between = case.between(&a, &b);
            let (node_a, node_b) = (&a.nodes[1], &b.nodes[1]);
            for lane_a in 0..node_a.count as usize {
                for lane_b in 0..node_b.count as usize {
                    let (Content::Triangle(i), Content::Triangle(j)) = (node_a.content(lane_a), node_b.content(lane_b))
                    else {
                        continue;
                    };
                    let triangle_a = case.a.triangle(i).map(|corner| corner.to_array());
                    let triangle_b = case.b.triangle(j).map(|corner| case.a_from_b.apply(corner).to_array());
                    let truth = exact::squared_distance(&triangle_a, &triangle_b);
                    each_path(|bounds, path| {
                        let (gaps, squares) = bounds(node_a, node_b, &between, lane_a);
                        assert!(
                            exact::square_of(key(squares.0[lane_b])) <= truth,
                            "{path}: {triangle_a:?} {triangle_b:?}"
                        );
                        let culled = gaps.0[lane_b] >= f32::MIN_POSITIVE;
                        assert!(!culled || !truth.is_zero(), "{path} culls {triangle_a:?} {triangle_b:?}");
                    });
                    let (_, squares) = bounds::<Portable>(node_a, node_b, &between, lane_a);
                    apart += usize::from(squares.0[lane_b] > 0.0);
                    all += 1;
                }
            }
        }
        assert!(apart * 4 > all && apart * 10 < all * 9, "{apart} of {all} are apart");
    }

    /// Triangles that share one rounded corner and lie on opposite sides of it: only the slack keeps them together.
    #[test]
    fn kissing_boxes_are_never_culled() {
        let mut rng = Rng::new(12);
        for index in 0..3000 {
            let mut case = case(&mut rng);
            let posed = case.b.triangle(0).map(|corner| case.a_from_b.apply(corner));
            let mirrored =
                [posed[0], posed[0] * 2.0 - posed[1], posed[0] * 2.0 - posed[2]].map(|corner| corner.to_array());
            case.a = Mesh::new(&mirrored, &[[0, 1, 2]]).expect("legal");
            let corners = case.b.triangle(0).map(|corner| corner.to_array());
            case.b = Mesh::new(&corners, &[[0, 1, 2]]).expect("legal");
            let (a, b) = (Packed::build(&case.a).expect("in range"), Packed::build(&case.b).expect("in range"));
            let between = case.between(&a, &b);
            each_path(|bounds, path| {
                let (gaps, squares) = bounds(&a.nodes[0], &b.nodes[0], &between, 0);
                assert!(
                    gaps.0[0] < f32::MIN_POSITIVE && squares.0[0] == 0.0,
                    "{path}: kiss {index} is culled: {gaps:?} {squares:?}"
                );
            });
        }
    }

    /// The two paths differ by rounding only, far within the slack.
    #[test]
    fn paths_agree_to_the_slack() {
        let mut rng = Rng::new(13);
        for _ in 0..300 {
            let case = case(&mut rng);
            let (a, b) = (Packed::build(&case.a).expect("in range"), Packed::build(&case.b).expect("in range"));
            let between = case.between(&a, &b);
            let slack = Relation::new(&a.nodes[1], &b.nodes[1], &between).slack;
            let (first, _) = bounds::<Portable>(&a.nodes[1], &b.nodes[1], &between, 0);
            each_path(|bounds, path| {
                let (second, _) = bounds(&a.nodes[1], &b.nodes[1], &between, 0);
                for lane in 0..b.nodes[1].count as usize {
                    let difference = (first.0[lane] - second.0[lane]).abs();
                    assert!(difference <= 0.5 * slack, "{path}: {difference} with a slack of {slack}");
                }
            });
        }
    }
}
