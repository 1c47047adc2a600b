//! Point clouds: points with one radius or each with its own, as a solid of balls.

use super::core::{Core, around};
use super::error::{MOST_PIECES, few_enough};
use super::pieces::{Part, Pieces, Place};
use super::{ShapeError, check_points, size};
use crate::packed::ball_tree::{BallTree, Opened};
use glam::DVec3;

/// Balls about points.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PointCloud {
    points: Vec<DVec3>,
    /// One for all points, or one for each.
    radii: Vec<f64>,
    tree: BallTree,
    middle: DVec3,
    half: DVec3,
    reach: f64,
    largest_radius: f64,
}

impl PointCloud {
    /// Checks and makes it.
    pub(crate) fn new(points: &[[f64; 3]], radii: &[f64]) -> Result<Self, ShapeError> {
        check_points("point cloud", points)?;
        few_enough("point cloud", points.len(), MOST_PIECES)?;
        if radii.len() != 1 && radii.len() != points.len() {
            return Err(ShapeError::WrongRadii { points: points.len(), radii: radii.len() });
        }
        for &radius in radii {
            size("point cloud", "radius", radius)?;
        }
        let points: Vec<DVec3> = points.iter().map(|&point| point.into()).collect();
        let radius = |ball: u32| if radii.len() == 1 { radii[0] } else { radii[ball as usize] };
        let tree = BallTree::new(&points, radius);
        let (middle, half) = around(&points);
        let reach = points.iter().fold(0.0_f64, |most, point| most.max(point.abs().max_element()));
        let largest_radius = radii.iter().copied().fold(0.0, f64::max);
        Ok(Self { points, radii: radii.to_vec(), tree, middle, half, reach, largest_radius })
    }

    pub(crate) fn points(&self) -> &[DVec3] {
        &self.points
    }

    pub(super) fn tree(&self) -> &BallTree {
        &self.tree
    }
}

impl Pieces for PointCloud {
    fn root(&self) -> Part {
        Part { place: Place::Node(0), middle: self.middle, half: self.half, radius: self.largest_radius }
    }

    fn open(&self, node: u64, found: &mut Vec<Part>) {
        self.tree.open(node as u32, |opened| {
            found.push(match opened {
                Opened::Part(part, middle, half, radius) => {
                    Part { place: Place::Node(part.into()), middle, half, radius }
                }
                Opened::Ball(ball) => {
                    let (middle, half) = (self.points[ball as usize], DVec3::ZERO);
                    Part { place: Place::Piece(ball), middle, half, radius: self.radius(ball) }
                }
            });
        });
    }

    #[inline]
    fn core(&self, piece: u32) -> Core<'_> {
        Core::Point(self.points[piece as usize])
    }

    fn len(&self) -> usize {
        self.points.len()
    }

    fn reach(&self) -> f64 {
        self.reach
    }

    #[inline]
    fn radius(&self, piece: u32) -> f64 {
        if self.radii.len() == 1 { self.radii[0] } else { self.radii[piece as usize] }
    }

    fn largest_radius(&self) -> f64 {
        self.largest_radius
    }
}
