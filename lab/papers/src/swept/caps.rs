//! §8: another core shape. Part of a sphere, grown by a radius, beside the rectangle of each node.
//!
//! A node's corners are fitted by a sphere (least squares); the part of it in their cone is the
//! core, their largest distance from the sphere the radius. How far a core is from another node's
//! enclosing ball bounds the distance of the two from below; the larger of that and the bound by
//! rectangles counts.

use super::benchmarks::{Benchmark, Benchmarks};
use super::boxes::{descend, queries, rectangles};
use glam::{DMat4, DVec3, DVec4};
use lab_report::scale::Scale;
use lab_report::{Cell, Claim, Report, Table, Verdict};
use nearhit::research::VolumeKind;
use nearhit::research::hierarchy::{Content, Hierarchy};
use nearhit::research::volume::sphere::Sphere;
use nearhit::research::volume::swept::RectSwept;
use nearhit::research::volume::{BoundingVolume, Placement};
use nearhit::{Mesh, Model, Pose, Triangle};
use nearhit_cases::generated;
use nearhit_testkit::shapes::icosphere;
use std::f64::consts::PI;

/// Part of a sphere, grown.
#[derive(Debug, Clone, Copy)]
struct Cap {
    center: DVec3,
    radius: f64,
    axis: DVec3,
    /// Half the angle of the cone.
    angle: f64,
    grown: f64,
}

impl Cap {
    /// None where the corners are in a plane, or nearly.
    fn fit(triangles: &[Triangle]) -> Option<Self> {
        let corners: Vec<DVec3> = triangles.iter().flatten().copied().collect();
        let middle = corners.iter().sum::<DVec3>() / corners.len() as f64;
        let size = corners.iter().map(|corner| corner.distance(middle)).fold(0.0, f64::max);
        // |p|² = 2 c·p + d, in units of the node.
        let (mut matrix, mut right) = (DMat4::ZERO, DVec4::ZERO);
        for corner in &corners {
            let p = (*corner - middle) / size;
            let row = (p * 2.0).extend(1.0);
            matrix += DMat4::from_cols(row * row.x, row * row.y, row * row.z, row * row.w);
            right += row * p.length_squared();
        }
        if matrix.determinant().abs() < 1e-9 {
            return None;
        }
        let solved = matrix.inverse() * right;
        let radius = (solved.w + solved.truncate().length_squared()).sqrt() * size;
        let center = middle + solved.truncate() * size;
        if !(radius.is_finite() && radius < 50.0 * size) {
            return None;
        }
        let grown = corners.iter().map(|corner| (corner.distance(center) - radius).abs()).fold(0.0, f64::max);
        // A triangle's inside is nearer to the centre than its corners, by its sagitta at most.
        let inner = (radius - grown).max(0.0);
        let sagitta = triangles.iter().map(|triangle| sagitta(triangle, inner)).fold(0.0, f64::max);
        let axis = (middle - center).try_normalize()?;
        let cosine = corners.iter().map(|corner| (*corner - center).normalize_or(axis).dot(axis)).fold(1.0, f64::min);
        // A cone of more than a half space is not convex: triangles may leave it.
        let angle = if cosine > 0.0 { cosine.acos() + 1e-9 } else { PI };
        Some(Self { center, radius, axis, angle, grown: (grown + sagitta) * (1.0 + 1e-9) })
    }

    /// Of a point from the core.
    fn distance(&self, point: DVec3) -> f64 {
        let offset = point - self.center;
        let far = offset.length();
        let turned = offset.normalize_or(self.axis).dot(self.axis).clamp(-1.0, 1.0).acos();
        if turned <= self.angle {
            return (far - self.radius).abs();
        }
        let beyond = (turned - self.angle).cos();
        (far * far + self.radius * self.radius - 2.0 * far * self.radius * beyond).max(0.0).sqrt()
    }

    /// A lower bound on the distance of what is in it from what is in a ball.
    fn bound(&self, center: DVec3, radius: f64) -> f64 {
        (self.distance(center) - self.grown - radius) * (1.0 - 1e-9)
    }

    fn moved(&self, pose: &Pose) -> Self {
        Self { center: pose.apply(self.center), axis: pose.rotation() * self.axis, ..*self }
    }

    /// Of all within `grown` of the core: the shell in the cone, and half a ring along its edge.
    fn volume(&self) -> f64 {
        let shell = (self.radius + self.grown).powi(3) - (self.radius - self.grown).max(0.0).powi(3);
        let edge = PI.powi(2) * self.grown.powi(2) * self.radius * self.angle.sin();
        2.0 / 3.0 * PI * (1.0 - self.angle.cos()) * shell + edge
    }
}

/// Of a rectangle grown by a ball.
fn volume(rectangle: &RectSwept) -> f64 {
    let (sides, radius) = (rectangle.half_lengths() * 2.0, rectangle.radius());
    let ball = 4.0 / 3.0 * PI * radius.powi(3);
    2.0 * radius * sides.element_product() + PI * radius.powi(2) * sides.element_sum() + ball
}

/// How far the inside of a triangle with corners at a radius can be below it.
fn sagitta([a, b, c]: &Triangle, radius: f64) -> f64 {
    let longest = a.distance(*b).max(b.distance(*c)).max(c.distance(*a));
    // The farthest point of a triangle from its corners is within longest/√3 of all of them.
    let half = longest / 3.0_f64.sqrt();
    if half >= radius { radius } else { radius - (radius * radius - half * half).sqrt() }
}

/// A node: its enclosing ball, and a cap where it is curved.
struct Extra {
    ball: Sphere,
    cap: Option<Cap>,
}

fn extras(tree: &Hierarchy<RectSwept>, mesh: &Mesh) -> Vec<Extra> {
    let mut below: Vec<Vec<u32>> = vec![Vec::new(); tree.nodes().len()];
    for id in (0..tree.nodes().len()).rev() {
        below[id] = match tree.node(id as u32).content() {
            Content::Triangles(run) => tree.triangles(run).to_vec(),
            Content::Children(run) => run.flat_map(|child| below[child as usize].clone()).collect(),
        };
    }
    let triangles = |list: &Vec<u32>| list.iter().map(|&index| mesh.triangle(index)).collect::<Vec<_>>();
    below
        .iter()
        .map(|list| {
            let triangles = triangles(list);
            Extra { ball: Sphere::fit(&triangles), cap: if triangles.len() > 3 { Cap::fit(&triangles) } else { None } }
        })
        .collect()
}

/// Pairs of nodes by rectangles, and with caps; nodes with a cap, and those whose cap is smaller
/// than their rectangle.
fn work(models: &(Model, Model), queries: &[(Placement, f64)]) -> [u64; 4] {
    let (a, b) = (rectangles(&models.0), rectangles(&models.1));
    let (of_a, of_b) = (extras(a, models.0.mesh()), extras(b, models.1.mesh()));
    let mut tests = [0; 4];
    for (placement, limit) in queries {
        let pose = placement.b_from_a();
        let place = |i: u32| (a.node(i).volume.place(placement), i);
        let by_rectangles = |(placed, _): &(RectSwept, u32), j: u32| b.node(j).volume.lower_bound(placed);
        tests[0] += descend(a, b, *limit, place, by_rectangles);
        tests[1] += descend(a, b, *limit, place, |placed, j| {
            let (one, other) = (&of_a[placed.1 as usize], &of_b[j as usize]);
            let mut bound = by_rectangles(placed, j);
            if let Some(cap) = other.cap {
                bound = bound.max(cap.bound(pose.apply(one.ball.center()), one.ball.radius()));
            }
            if let Some(cap) = one.cap {
                bound = bound.max(cap.moved(pose).bound(other.ball.center(), other.ball.radius()));
            }
            bound
        });
    }
    for (tree, extras) in [(a, &of_a), (b, &of_b)] {
        for (id, cap) in extras.iter().enumerate().filter_map(|(id, extra)| Some((id, extra.cap?))) {
            tests[2] += 1;
            tests[3] += u64::from(cap.volume() < volume(&tree.node(id as u32).volume));
        }
    }
    tests
}

/// A ball in a ball, an even gap all around.
fn concentric(scale: Scale) -> Benchmark {
    let (inner, outer) = (icosphere(scale.pick(5, 12)), icosphere(scale.pick(5, 12)).scaled(1.2));
    let poses =
        (0..scale.pick(2, 6)).map(|step| Pose::from_translation([0.01 * f64::from(step), 0.0, 0.0]).expect("finite"));
    let (a, b) = (generated::mesh(&inner), generated::mesh(&outer));
    Benchmark { name: "Ball in a ball", what: "concentric".into(), column: 0, a, b, poses: poses.collect() }
}

/// Adds the table and the claims.
pub(super) fn table(report: &mut Report, scale: Scale) {
    report.heading("§8: part of a sphere as a core");
    let Benchmarks { prototyping, probes, dynamics, .. } = Benchmarks::of(scale);
    let curved = concentric(scale);
    let columns = ["benchmark", "pairs by rss", "with caps", "caps : rss", "nodes with a cap", "smaller than rss"];
    let mut table =
        Table::new("§8: distance with ε = δ from the start, rectangles alone and with parts of spheres", &columns);
    let (mut ratios, mut tighter) = (Vec::new(), Vec::new());
    for benchmark in [&curved, prototyping, probes, dynamics] {
        let models = benchmark.models(VolumeKind::Rss);
        let mut queries = queries(benchmark, &models.0, &models.1);
        queries.truncate(scale.pick(6, 40));
        let [plain, with, fitting, smaller] = work(&models, &queries);
        let ratio = with as f64 / plain.max(1) as f64;
        let counts = [Cell::Count(fitting), Cell::Count(smaller)];
        let cells = [Cell::Count(plain), Cell::Count(with), Cell::Number(ratio, 3)].into_iter().chain(counts);
        table.row(std::iter::once(benchmark.name.into()).chain(cells));
        ratios.push(ratio);
        tighter.push(smaller as f64 / fitting.max(1) as f64);
    }
    report.table(table);
    let mut claim = |claim: &str, verdict, evidence| {
        report.claim(Claim { place: "§8, cores".into(), claim: claim.into(), verdict, evidence, counts_work: true });
    };
    let of = "(ball in a ball, engine, cave, rings)";
    claim(
        "Portions of a sphere fit more tightly: where surfaces are round, in most nodes that have one",
        Verdict::of(tighter[0] > 0.5),
        format!("of the nodes with a cap it is smaller than the rectangle in {tighter:.2?} {of}"),
    );
    claim(
        "Tighter volumes compare fewer pairs: with them a tenth fewer where surfaces are round",
        Verdict::of(ratios[0] < 0.9),
        format!("pairs over those of rss alone: {ratios:.3?} {of}"),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearhit_testkit::rng::Rng;

    /// Bounds hold for points of the triangles and of the ball, wherever they are.
    #[test]
    fn a_cap_is_never_farther_than_its_triangles() {
        let mut rng = Rng::new(35);
        let ball = generated::mesh(&icosphere(4));
        let mut bounds = 0;
        for _ in 0..300 {
            let first = (rng.u64() % 250) as u32;
            let triangles: Vec<Triangle> = (first..first + 8).map(|index| ball.triangle(index)).collect();
            let Some(cap) = Cap::fit(&triangles) else { continue };
            let (point, radius) = (DVec3::from_array(rng.point(-1.5, 1.5)), rng.range(0.0, 0.2));
            let bound = cap.bound(point, radius);
            bounds += usize::from(bound > 0.0);
            for triangle in &triangles {
                for _ in 0..20 {
                    let [mut s, mut t] = [rng.f64(), rng.f64()];
                    if s + t > 1.0 {
                        (s, t) = (1.0 - s, 1.0 - t);
                    }
                    let inside = triangle[0] * (1.0 - s - t) + triangle[1] * s + triangle[2] * t;
                    assert!(inside.distance(point) - radius >= bound - 1e-12, "{cap:?}");
                }
            }
        }
        assert!(bounds > 50, "{bounds}");
    }
}
