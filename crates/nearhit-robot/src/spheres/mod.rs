//! Sphere models: balls that contain the links of a robot, as planners on SIMD or GPU want them.
//!
//! # Why they contain the solid
//!
//! A grid cuts the bodies of a link into cells. Of what lies in a cell, every extreme point is
//! either a corner of a triangle cut off at the cell's walls, or a corner of the cell that is
//! inside of a solid: from any other point one can move both ways within the body and the cell. A
//! ball is convex: if it contains these points, it contains what of the body lies in the cell. So
//! the cells are shared out among balls, and each ball is made to contain the points of its cells.
//! Of shapes that are no meshes the whole cell is taken. Radii are rounded up by far more than the
//! arithmetic rounds.

mod cells;
mod cluster;
mod mesh;
mod write;

use crate::check::{Checker, ParentFrame};
use crate::error::CheckError;
use crate::srdf::LinkSpheres;
use cells::Cells;
use cluster::Order;
pub use mesh::MeshSpheres;
pub use write::SphereFormat;

/// How many balls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SphereCount {
    /// For all links with bodies together, shared so that the largest balls are as small as can be;
    /// one for each link at least.
    Total(usize),
    /// For each link.
    PerLink(usize),
}

impl Checker {
    /// Balls for each link with bodies that contain them: closed meshes with their inside, open
    /// ones as surfaces, padding and attached bodies too. Bodies without an end are refused, and
    /// more than [`MeshSpheres::MOST`] balls for a link.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit_robot::{Checker, Robot, SphereCount};
    ///
    /// let checker = Checker::new(Robot::example(), Default::default())?;
    /// let balls = checker.spheres(SphereCount::Total(24))?;
    /// assert_eq!(balls.len(), 7); // links
    /// assert!(balls.iter().map(|link| link.spheres.len()).sum::<usize>() <= 24);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "spherization")]
    pub fn spheres(&self, count: SphereCount) -> Result<Vec<LinkSpheres>, CheckError> {
        let mut own = vec![Vec::new(); self.robot().links().len()];
        for body in self.bodies() {
            if let ParentFrame::Link(link) = body.parent {
                own[link].push(body);
            }
        }
        let own: Vec<_> = own.into_iter().enumerate().filter(|(_, bodies)| !bodies.is_empty()).collect();
        check(count, own.len())?;
        let mut links: Vec<(usize, Cells, Order)> = Vec::new();
        for (link, bodies) in own {
            let cells = Cells::of(&bodies, most(count))?;
            let order = Order::new(&cells, most(count));
            links.push((link, cells, order));
        }
        let counts = shared(count, &links);
        let balls = |((link, cells, order), count): (&(usize, Cells, Order), usize)| LinkSpheres {
            link: *link,
            spheres: cluster::balls(cells, order, count),
        };
        Ok(links.iter().zip(counts).map(balls).collect())
    }
}

/// Refuses more balls than so many links can have.
fn check(count: SphereCount, links: usize) -> Result<(), CheckError> {
    let (what, count, most) = match count {
        SphereCount::Total(count) => ("the number of balls", count, links.max(1) * MeshSpheres::MOST),
        SphereCount::PerLink(count) => ("the number of balls for each link", count, MeshSpheres::MOST),
    };
    if count > most { Err(CheckError::TooMany { what, count, most }) } else { Ok(()) }
}

/// Of one link.
fn most(count: SphereCount) -> usize {
    match count {
        SphereCount::Total(count) | SphereCount::PerLink(count) => count.clamp(1, MeshSpheres::MOST),
    }
}

/// The next ball goes to the link whose cells are farthest from a ball's centre.
fn shared(count: SphereCount, links: &[(usize, Cells, Order)]) -> Vec<usize> {
    let SphereCount::Total(total) = count else { return vec![most(count); links.len()] };
    let mut counts = vec![1; links.len()];
    for _ in links.len()..total {
        let reach = |index: usize| links[index].2.reach(counts[index]);
        let farthest =
            (0..links.len()).max_by(|&one, &other| reach(one).total_cmp(&reach(other)).then(other.cmp(&one)));
        if let Some(index) = farthest {
            counts[index] += 1;
        }
    }
    counts
}
