//! §4 (4): swept spheres in single precision take 16, 32 and 48 bytes.
//!
//! Each volume is rounded, and its radius grows by what that moves any point of its core, so that
//! it still holds all that it held. Distances are taken in double precision, by a GJK for both, in
//! the minimal traversal tree: how many more pairs does rounding leave?

use super::benchmarks::Benchmark;
use super::boxes::{descend, queries, rectangles};
use super::costs::members;
use super::gjk::{self, Corners};
use glam::{DVec3, Vec3};
use lab_report::{Cell, Claim, Report, Table, Verdict};
use nearhit::Pose;
use nearhit::research::VolumeKind;
use nearhit::research::volume::swept::Mixed;

/// Point-swept: a centre and a radius.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(16))]
struct Pss {
    center: Vec3,
    radius: f32,
}

/// Line-swept: the middle, half of the line, and a radius.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(16))]
struct Lss {
    center: Vec3,
    half: Vec3,
    radius: f32,
}

/// Rectangle-swept: the middle, half of either side, and a radius.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(16))]
struct Rss {
    center: Vec3,
    halves: [Vec3; 2],
    radius: f32,
}

/// The paper's bytes.
const BYTES: [usize; 3] = [16, 32, 48];

fn bytes() -> [usize; 3] {
    [size_of::<Pss>(), size_of::<Lss>(), size_of::<Rss>()]
}

/// A middle, two halves (none for a point) and a radius, in double precision.
#[derive(Debug, Clone, Copy)]
struct Core {
    center: DVec3,
    halves: [DVec3; 2],
    radius: f64,
}

impl Core {
    fn of(volume: &Mixed) -> Self {
        match volume {
            Mixed::Point(point) => Self { center: point.center(), halves: [DVec3::ZERO; 2], radius: point.radius() },
            Mixed::Line(line) => {
                let half = line.axis() * line.half_length();
                Self { center: line.center(), halves: [half, DVec3::ZERO], radius: line.radius() }
            }
            Mixed::Rect(rect) => {
                let (axes, half) = (rect.axes(), rect.half_lengths());
                let halves = [axes.x_axis * half.x, axes.y_axis * half.y];
                Self { center: rect.center(), halves, radius: rect.radius() }
            }
        }
    }

    /// As stored in single precision and read again.
    fn rounded(&self, kind: usize) -> Self {
        let (center, halves) = (self.center.as_vec3(), self.halves.map(|half| half.as_vec3()));
        let radius = grown(self, center, halves);
        match kind {
            0 => Pss { center, radius }.read(),
            1 => Lss { center, half: halves[0], radius }.read(),
            _ => Rss { center, halves, radius }.read(),
        }
    }

    fn corners(&self, pose: &Pose) -> Corners {
        let (center, [x, y]) = (pose.apply(self.center), self.halves.map(|half| pose.rotation() * half));
        match (x == DVec3::ZERO, y == DVec3::ZERO) {
            (true, true) => Corners::point(center),
            (false, true) => Corners::segment(center, x),
            _ => Corners::rectangle(center, x, y),
        }
    }
}

/// The least single radius of the rounded core that holds all that the volume holds: every corner
/// moves by at most the sum of what its parts do.
fn grown(core: &Core, center: Vec3, halves: [Vec3; 2]) -> f32 {
    let moved = |exact: DVec3, rounded: Vec3| (exact - rounded.as_dvec3()).length();
    let all = moved(core.center, center) + moved(core.halves[0], halves[0]) + moved(core.halves[1], halves[1]);
    let least = (core.radius + all) * (1.0 + 1e-15);
    let rounded = least as f32;
    if f64::from(rounded) < least { rounded.next_up() } else { rounded }
}

impl Pss {
    fn read(&self) -> Core {
        Core { center: self.center.as_dvec3(), halves: [DVec3::ZERO; 2], radius: f64::from(self.radius) }
    }
}

impl Lss {
    fn read(&self) -> Core {
        let halves = [self.half.as_dvec3(), DVec3::ZERO];
        Core { center: self.center.as_dvec3(), halves, radius: f64::from(self.radius) }
    }
}

impl Rss {
    fn read(&self) -> Core {
        let halves = self.halves.map(|half| half.as_dvec3());
        Core { center: self.center.as_dvec3(), halves, radius: f64::from(self.radius) }
    }
}

const KINDS: [(&str, VolumeKind); 3] =
    [("pss", VolumeKind::Sphere), ("lss", VolumeKind::Lss), ("rss", VolumeKind::Rss)];

/// So many queries of a benchmark will do: the counts repeat.
const MOST_QUERIES: usize = 12;

/// N_bv with double and with single precision, by kind.
fn work(benchmark: &Benchmark) -> [[u64; 2]; 3] {
    let trees = benchmark.models(VolumeKind::Rss);
    let (a, b) = (rectangles(&trees.0), rectangles(&trees.1));
    let all = queries(benchmark, &trees.0, &trees.1);
    let chosen: Vec<_> = all.iter().step_by(all.len().div_ceil(MOST_QUERIES).max(1)).collect();
    let still = Pose::from_translation([0.0; 3]).expect("finite");
    [0, 1, 2].map(|kind: usize| {
        let models = benchmark.models(KINDS[kind].1);
        let cores = [&models.0, &models.1].map(|model| members(model).iter().map(Core::of).collect::<Vec<_>>());
        let rounded = cores.each_ref().map(|list| list.iter().map(|core| core.rounded(kind)).collect::<Vec<_>>());
        [cores, rounded].map(|[of_a, of_b]| {
            let corners_b: Vec<Corners> = of_b.iter().map(|core| core.corners(&still)).collect();
            let count = |(placement, limit): &&(nearhit::research::volume::Placement, f64)| {
                let place = |i: u32| (of_a[i as usize].corners(placement.b_from_a()), of_a[i as usize].radius);
                descend(a, b, *limit, place, |(corners, radius), j| {
                    let cores = gjk::distance(corners, &corners_b[j as usize]) * (1.0 - 1e-8);
                    cores - radius - of_b[j as usize].radius
                })
            };
            chosen.iter().map(count).sum()
        })
    })
}

/// Adds the table and the claim.
pub(super) fn table(report: &mut Report, benchmarks: &[&Benchmark]) {
    report.heading("§4 (4): storage");
    let columns = ["volume", "bytes", "paper", "benchmark", "N_bv, double", "single", "single : double"];
    let mut table = Table::new("§4 (4): bytes in single precision, and pairs of volumes that are compared", &columns);
    let mut most = 0.0_f64;
    for benchmark in benchmarks {
        for (kind, [double, single]) in work(benchmark).into_iter().enumerate() {
            let ratio = single as f64 / double as f64;
            most = most.max(ratio);
            table.row([
                KINDS[kind].0.into(),
                Cell::Count(bytes()[kind] as u64),
                Cell::Count(BYTES[kind] as u64),
                benchmark.name.into(),
                Cell::Count(double),
                Cell::Count(single),
                Cell::Number(ratio, 4),
            ]);
        }
    }
    report.table(table);
    report.claim(Claim {
        place: "§4 (4)".into(),
        claim: "PSS, LSS and RSS take 16, 32 and 48 bytes in single precision, and that is enough (at most 1 % more pairs)".into(),
        verdict: match (bytes() == BYTES, most <= 1.01) {
            (true, true) => Verdict::Holds,
            (false, false) => Verdict::Fails,
            _ => Verdict::Differs,
        },
        evidence: format!("{:?} bytes; at most {most:.4} times the pairs of double precision; the library's own volumes are in double precision", bytes()),
        counts_work: true,
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearhit_testkit::rng::Rng;

    /// Every point of a volume is in its rounded one: corners of the core with the whole radius.
    #[test]
    fn rounding_loses_nothing() {
        let mut rng = Rng::new(4);
        let mut grew = 0;
        for case in 0..3000 {
            let scale = 10.0_f64.powf(rng.range(-3.0, 5.0));
            let point = |rng: &mut Rng| DVec3::from_array(rng.point(-scale, scale));
            let kind = case % 3;
            let mut halves = [point(&mut rng), point(&mut rng)];
            halves.iter_mut().skip(kind).for_each(|half| *half = DVec3::ZERO);
            let core = Core { center: point(&mut rng), halves, radius: rng.range(0.0, scale) };
            let rounded = core.rounded(kind);
            for (x, y) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
                let corner = |core: &Core| core.center + core.halves[0] * x + core.halves[1] * y;
                let moved = corner(&core).distance(corner(&rounded));
                assert!(moved + core.radius <= rounded.radius * (1.0 + 1e-15), "case {case}");
            }
            grew += usize::from(rounded.radius > core.radius);
        }
        assert!(grew > 2900, "{grew}");
        assert_eq!(bytes(), BYTES);
    }
}
