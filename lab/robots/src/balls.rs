//! Sphere models beside those of VAMP: how much of them is outside of the links, how far they stick
//! out. VAMP's balls need not contain a link: they are grown until they do.
//!
//! What is measured is sampled: how far balls must grow is found from below, which is in VAMP's
//! favour.

use anyhow::{Context, Result};
use nearhit::glam::DVec3;
use nearhit::{Pose, Scratch};
use nearhit_robot::{Body, CheckOptions, Checker, Geometry, ParentFrame, Random, Robot, SphereCount};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::Path;

/// Points that are tried in a link, and in its balls.
const SAMPLES: usize = 4000;

type Ball = (DVec3, f64);

/// What is known of the balls of a link.
#[derive(Debug, Default, Clone, Copy)]
struct Measured {
    /// Of what is in a ball, but not in the link.
    outside: f64,
    /// How far a ball sticks out.
    protrusion: f64,
}

/// A link's bodies as solids.
struct Link<'c> {
    bodies: Vec<&'c Body>,
    low: DVec3,
    high: DVec3,
}

impl<'c> Link<'c> {
    fn new(checker: &'c Checker, link: usize) -> Option<Self> {
        let bodies: Vec<&Body> =
            checker.bodies().iter().filter(|body| body.parent == ParentFrame::Link(link)).collect();
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for body in &bodies {
            let (from, to) = body.shape.bounds()?;
            for corner in 0..8 {
                let pick = |axis: usize| if corner >> axis & 1 == 0 { from[axis] } else { to[axis] };
                let place = body.parent_from_body.apply(DVec3::new(pick(0), pick(1), pick(2)));
                (low, high) = (low.min(place), high.max(place));
            }
        }
        (!bodies.is_empty()).then_some(Self { bodies, low, high })
    }

    /// At most 0 inside.
    fn distance(&self, point: DVec3, scratch: &mut Scratch) -> Result<f64> {
        let mut least = f64::INFINITY;
        for body in &self.bodies {
            let own = body.parent_from_body.inverse().apply(point);
            least = least.min(body.shape.signed_distance(own, scratch)?.upper);
        }
        Ok(least)
    }

    /// Points of the link: inside, and on its triangles.
    fn points(&self, random: &mut Random, scratch: &mut Scratch) -> Result<Vec<DVec3>> {
        let mut points = Vec::new();
        for _ in 0..SAMPLES {
            let point = within(random, self.low, self.high);
            if self.distance(point, scratch)? <= 0.0 {
                points.push(point);
            }
        }
        for body in &self.bodies {
            let Some(model) = body.shape.model() else { continue };
            let triangles = model.mesh().triangles();
            for index in 0..SAMPLES.max(triangles.len()) {
                let corners = triangles[index % triangles.len()].map(|corner| model.mesh().vertices()[corner as usize]);
                let [mut u, mut v] = [random.between(0.0, 1.0), random.between(0.0, 1.0)];
                if u + v > 1.0 {
                    (u, v) = (1.0 - u, 1.0 - v);
                }
                let point = corners[0] + u * (corners[1] - corners[0]) + v * (corners[2] - corners[0]);
                points.push(body.parent_from_body.apply(point));
                points.extend(corners.map(|corner| body.parent_from_body.apply(corner)));
            }
        }
        Ok(points)
    }

    fn measured(&self, balls: &[Ball], random: &mut Random, scratch: &mut Scratch) -> Result<Measured> {
        let mut found = Measured::default();
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for &(center, radius) in balls {
            (low, high) = (low.min(center - radius), high.max(center + radius));
        }
        let mut count = 0;
        for _ in 0..SAMPLES {
            let point = within(random, low, high);
            if gap(balls, point) <= 0.0 && self.distance(point, scratch)? > 0.0 {
                count += 1;
            }
        }
        found.outside = (high - low).element_product() * f64::from(count) / SAMPLES as f64;
        for &(center, radius) in balls {
            for _ in 0..SAMPLES / balls.len() {
                let out = direction(random);
                found.protrusion = found.protrusion.max(self.distance(center + radius * out, scratch)?);
            }
        }
        Ok(found)
    }
}

fn within(random: &mut Random, low: DVec3, high: DVec3) -> DVec3 {
    low + DVec3::new(random.between(0.0, 1.0), random.between(0.0, 1.0), random.between(0.0, 1.0)) * (high - low)
}

fn direction(random: &mut Random) -> DVec3 {
    loop {
        let point = within(random, DVec3::NEG_ONE, DVec3::ONE);
        let length = point.length();
        if (1e-3..=1.0).contains(&length) {
            return point / length;
        }
    }
}

/// How far a point is outside of all balls.
fn gap(balls: &[Ball], point: DVec3) -> f64 {
    balls.iter().map(|(center, radius)| center.distance(point) - radius).fold(f64::INFINITY, f64::min)
}

/// The balls of a spherized URDF, link by link of another robot, by names.
fn theirs(path: &Path, robot: &Robot) -> Result<Vec<Vec<Ball>>> {
    let spherized = Robot::read(path).context("the spherized robot")?;
    let mut balls = vec![Vec::new(); robot.links().len()];
    for link in spherized.links() {
        let Some(index) = robot.link(&link.name) else { continue };
        for geometry in &link.collision {
            if let Geometry::Sphere { radius } = geometry.geometry {
                let place: &Pose = &geometry.link_from_geometry;
                balls[index].push((place.translation(), radius));
            }
        }
    }
    Ok(balls)
}

/// Compares, link by link and in all; for each link as many balls as VAMP has.
pub(crate) fn compare(urdf: &Path, spherized: &Path) -> Result<()> {
    let robot = Robot::read(urdf).context("the robot")?;
    let theirs = theirs(spherized, &robot)?;
    let checker = Checker::new(robot, CheckOptions::default())?;
    let (mut random, mut scratch) = (Random::new(1), Scratch::new());
    let (mut sums, mut counts) = ([Measured::default(); 2], [0; 2]);
    // By the number of balls of each link.
    let mut made = BTreeMap::new();
    let mut links = 0.0;
    println!("link, VAMP's balls, grown by mm, outside cm3, sticks out mm; ours: balls, outside, sticks out");
    for (index, balls) in theirs.iter().enumerate().filter(|(_, balls)| !balls.is_empty()) {
        let Some(link) = Link::new(&checker, index) else { continue };
        let points = link.points(&mut random, &mut scratch)?;
        let grown = points.iter().map(|&point| gap(balls, point)).fold(0.0, f64::max);
        let balls: Vec<Ball> = balls.iter().map(|&(center, radius)| (center, radius + grown)).collect();
        if let Entry::Vacant(place) = made.entry(balls.len()) {
            place.insert(checker.spheres(SphereCount::PerLink(balls.len()))?);
        }
        let own = made[&balls.len()].iter().find(|own| own.link == index).context("balls of the link")?;
        let own: Vec<Ball> = own.spheres.iter().map(|&(center, radius)| (center.into(), radius)).collect();
        let open = points.iter().map(|&point| gap(&own, point)).fold(f64::NEG_INFINITY, f64::max);
        anyhow::ensure!(open <= 0.0, "a point of the link is {open} outside of our balls");
        let found = [&balls, &own].map(|balls| link.measured(balls, &mut random, &mut scratch));
        let [vamp, ours] = found;
        let (vamp, ours) = (vamp?, ours?);
        let name = &checker.robot().links()[index].name;
        println!(
            "{name}, {}, {:.1}, {:.1}, {:.1}; {}, {:.1}, {:.1}",
            balls.len(),
            1e3 * grown,
            1e6 * vamp.outside,
            1e3 * vamp.protrusion,
            own.len(),
            1e6 * ours.outside,
            1e3 * ours.protrusion
        ); // fmt: skip
        for (sum, one) in sums.iter_mut().zip([vamp, ours]) {
            sum.outside += one.outside;
            sum.protrusion += one.protrusion;
        }
        counts[0] += balls.len();
        counts[1] += own.len();
        links += 1.0;
    }
    let [vamp, ours] = sums;
    println!(
        "in all: VAMP {} balls, {:.0} cm3 outside, sticking out {:.1} mm on average; ours {} balls, {:.0} cm3, {:.1} mm",
        counts[0],
        1e6 * vamp.outside,
        1e3 * vamp.protrusion / links,
        counts[1],
        1e6 * ours.outside,
        1e3 * ours.protrusion / links
    ); // fmt: skip
    Ok(())
}
