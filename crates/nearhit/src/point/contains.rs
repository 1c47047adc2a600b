//! Is a point inside (point in polyhedron)? Exactly, for every mesh that has an inside; by its
//! generalised winding number for one with holes.

use super::Room;
use super::order::answers;
use super::placed::Placed;
use crate::error::QueryError;
use crate::inside::{Caps, Inside, InsideMethod};
use crate::mesh::Mesh;
use crate::model::Model;
use crate::packed::Packed;
use crate::packed::ray::Along;
use crate::packed::turns::Turns;
use crate::packed::winding::Winding;
use crate::primitive::crossing::{Crossing, Heading, crossing, lies_on};
use crate::primitive::predicates::{Sign, orient3d};
use crate::primitive::ray::check_point;
use crate::query::Scratch;
use crate::traverse::Stats;
use glam::DVec3;
use std::ops::ControlFlow;

/// Location of a point: inside, on the surface or outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Location {
    /// Not in the solid.
    Outside,
    /// Exactly on a triangle.
    Surface,
    /// Within.
    Inside,
}

/// The answer of [`Model::contains`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Containment {
    /// Where the point is.
    pub location: Location,
    /// How this was found out.
    pub method: InsideMethod,
    /// How often the surface winds around the point; a whole number unless the mesh has holes. None
    /// on the surface, where it jumps. With [`InsideMethod::Parity`] 0 or 1.
    pub winding: Option<f64>,
    /// How far that may be off: 0 unless the mesh has holes.
    pub winding_error: f64,
}

impl Containment {
    /// Whether it is a point of the closed solid: inside or on the surface.
    #[must_use]
    pub fn is_in_solid(&self) -> bool {
        self.location != Location::Outside
    }

    /// Whether the answer is beyond doubt. Always for closed meshes; for those with holes when the
    /// winding number is on one side of one half by more than its error.
    #[must_use]
    pub fn is_certain(&self) -> bool {
        self.winding.is_none_or(|winding| {
            self.method != InsideMethod::Generalised || (winding.abs() - 0.5).abs() > self.winding_error
        })
    }
}

/// A ray that comes near more triangles than these is given up for one along another axis: just
/// above a flat face it would meet every triangle of the face. All six tell the same.
const GRAZING: [u32; 2] = [24, 400];
/// What sums of solid angles round away.
const ROUNDED: f64 = 1e-9;

impl Model {
    /// Is the point inside? See [`crate::solid`] for what that means.
    ///
    /// Error: the point is not finite.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::{Location, Scratch};
    /// use nearhit::glam::DVec3;
    ///
    /// let (model, mut scratch) = (cube(1.0), Scratch::new());
    /// assert_eq!(model.contains(DVec3::ZERO, &mut scratch)?.location, Location::Inside);
    /// assert_eq!(model.contains(DVec3::X, &mut scratch)?.location, Location::Surface);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "point in polyhedron")]
    #[doc(alias = "winding number")]
    #[doc(alias = "inside test")]
    pub fn contains(&self, point: DVec3, scratch: &mut Scratch) -> Result<Containment, QueryError> {
        check_point(0, point)?;
        Ok(Placed::own(self).contains(point, scratch.room()))
    }

    /// [`Model::contains`] for many points, on all threads.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::Location;
    /// use nearhit::glam::DVec3;
    ///
    /// let (model, points) = (cube(1.0), [DVec3::ZERO, DVec3::new(3.0, 0.0, 0.0)]);
    /// let found = model.contains_each(&points)?;
    /// assert_eq!((found[0].location, found[1].location), (Location::Inside, Location::Outside));
    /// # Ok(())
    /// # }
    /// ```
    pub fn contains_each(&self, points: &[DVec3]) -> Result<Vec<Containment>, QueryError> {
        // Made once, before many threads want it at the same time.
        let _made = self.inside();
        each(self, points, |point, room| Placed::own(self).contains(point, room))
    }
}

/// An answer for each point, or an error that names the first bad one.
pub(super) fn each<T: Send>(
    model: &Model,
    points: &[DVec3],
    answer: impl Fn(DVec3, &mut Room) -> T + Sync,
) -> Result<Vec<T>, QueryError> {
    points.iter().enumerate().try_for_each(|(index, &point)| check_point(index, point))?;
    let place = |index: usize| (points[index], DVec3::ZERO);
    Ok(answers(model, points.len(), place, |index, room| answer(points[index], room)))
}

impl Placed<'_> {
    /// Where is a point of here?
    pub(crate) fn contains(&self, point: DVec3, room: &mut Room) -> Containment {
        self.contains_counted(point, room, &mut Stats::default())
    }

    /// The same, with the work added up.
    pub(crate) fn contains_counted(&self, point: DVec3, room: &mut Room, stats: &mut Stats) -> Containment {
        let method = self.model.inside().method();
        let (winding, error) = match method {
            InsideMethod::Exact | InsideMethod::Parity => (self.count_crossings(point, room, stats), 0.0),
            InsideMethod::Generalised => self.generalised(point, room, stats),
        };
        let winding = match winding {
            Some(count) if method == InsideMethod::Parity => Some(count.rem_euclid(2.0)),
            other => other,
        };
        let location = match winding {
            None => Location::Surface,
            Some(winding) if winding.abs() > 0.5 => Location::Inside,
            Some(_) => Location::Outside,
        };
        Containment { location, method, winding, winding_error: error }
    }

    /// The exact winding number; none on the surface.
    fn count_crossings(&self, point: DVec3, room: &mut Room, stats: &mut Stats) -> Option<f64> {
        self.some_crossings(point, room, stats).0.map(f64::from)
    }

    /// The winding number by the first ray that is not given up; none on the surface.
    fn some_crossings(&self, point: DVec3, room: &mut Room, stats: &mut Stats) -> (Option<i32>, Heading) {
        // Away from the middle is likely the shortest way out.
        let middle = self.point(self.model.point_tree().map_or(DVec3::ZERO, Packed::center));
        let headings = Heading::by_nearness(point * 0.5 - middle * 0.5);
        for (most, heading) in GRAZING.into_iter().flat_map(|most| headings.map(|heading| (most, heading))) {
            if let Some(winding) = self.crossings_of(point, heading, most, room, stats) {
                return (winding, heading);
            }
        }
        (self.crossings_of(point, headings[0], u32::MAX, room, stats).flatten(), headings[0])
    }

    /// The winding number by one ray; nothing if it comes near that many triangles.
    fn crossings_of(
        &self,
        point: DVec3,
        heading: Heading,
        most: u32,
        room: &mut Room,
        stats: &mut Stats,
    ) -> Option<Option<i32>> {
        let (mesh, inside) = (self.model.mesh(), Some(self.model.inside()));
        let mut count = Count { placed: self, mesh, inside, point, heading, left: most, winding: Some(0) };
        *stats += self.along(point, heading.direction(), &mut count, &mut room.open);
        (count.left > 0).then_some(count.winding)
    }

    /// The generalised winding number and its error, as certain as the question needs; none on the
    /// surface.
    fn generalised(&self, point: DVec3, room: &mut Room, stats: &mut Stats) -> (Option<f64>, f64) {
        let caps = self.model.inside().caps();
        if let Some(found) = caps.and_then(|caps| self.less_caps(caps, point, room, stats)) {
            return found;
        }
        let (local, mut on_surface) = (self.local(point), false);
        let mesh = self.model.mesh();
        let mut near = |triangle: u32| {
            stats.triangle_tests += 1;
            let offsets = mesh.triangle(triangle).map(|corner| corner - local);
            // Where it lies the triangle may round to another side of the point.
            let decides = self.offsets(triangle, point).unwrap_or(offsets);
            on_surface |= surround(&decides) && lies_on(point, &self.triangle(triangle));
            half_solid_angle(offsets)
        };
        let expansions = self.model.inside().expansions();
        let winding = match self.tree_at(local).zip(expansions) {
            Some((tree, expansions)) => {
                let certain = |winding: &Winding| (winding.value.abs() - 0.5).abs() > winding.error + ROUNDED;
                expansions.winding(tree, local, certain, &mut room.seen, &mut near)
            }
            None => {
                let of = |triangle: u32| {
                    let mut turns = Turns::NONE;
                    let (re, im) = near(triangle);
                    turns.add(re, im);
                    turns.value()
                };
                Winding { value: (0..mesh.triangles().len() as u32).map(of).sum(), error: 0.0 }
            }
        };
        let error = winding.error + ROUNDED;
        if on_surface { (None, 0.0) } else { (Some(winding.value), error) }
    }

    /// The same by what closes the mesh: how often mesh and caps wind around the point, which a ray
    /// counts, less what the caps do. Nothing if the point is on a cap.
    fn less_caps(&self, caps: &Caps, point: DVec3, room: &mut Room, stats: &mut Stats) -> Option<(Option<f64>, f64)> {
        let local = self.local(point);
        self.tree_at(local)?;
        let (Some(own), heading) = self.some_crossings(point, room, stats) else { return Some((None, 0.0)) };
        let whole = f64::from(own + self.crossings_of_caps(caps, point, heading, room, stats)?);
        let mut on_cap = false;
        let near = |triangle: u32| {
            stats.triangle_tests += 1;
            let found = half_of_cap(point, &caps.mesh().triangle(triangle).map(|corner| self.point(corner)));
            on_cap |= found.is_none();
            found.unwrap_or_default()
        };
        let certain = |caps: &Winding| ((whole - caps.value).abs() - 0.5).abs() > caps.error + ROUNDED;
        let found = caps.expansions().winding(caps.tree(), local, certain, &mut room.seen, near);
        (!on_cap).then_some((Some(whole - found.value), found.error + ROUNDED))
    }

    /// What the caps add to the winding number by a ray; nothing if it starts on one.
    fn crossings_of_caps(
        &self,
        caps: &Caps,
        point: DVec3,
        heading: Heading,
        room: &mut Room,
        stats: &mut Stats,
    ) -> Option<i32> {
        let (mesh, inside, left) = (caps.mesh(), None, u32::MAX);
        let mut count = Count { placed: self, mesh, inside, point, heading, left, winding: Some(0) };
        *stats += self.along_in(caps.tree(), point, heading.direction(), &mut count, &mut room.open);
        count.winding
    }
}

/// Relative to the most that they can be: of numbers below this, doubles may not know the sign.
const NEARLY_FLAT: f64 = 1e-9;
/// And of an angle given by two numbers below this, not the first [`ROUNDED`] of a turn: products
/// are off by some ten half-ulps of their size.
const NEAR_AN_EDGE: f64 = 4e-6;

/// Half of the solid angle of a cap, beyond doubt about its sign; none if the point is on the cap,
/// where it jumps from one half turn to the other, or too near one of its edges.
///
/// The ray that counts a cap or does not is exact about sides, so this must be.
#[inline]
fn half_of_cap(point: DVec3, corners: &[DVec3; 3]) -> Option<(f64, f64)> {
    let (re, im, size) = solid_angle_and_size(corners.map(|corner| corner - point));
    if re.abs() + im.abs() <= NEAR_AN_EDGE * size {
        return None;
    }
    if im.abs() > NEARLY_FLAT * size {
        return Some((re, im));
    }
    let sign = match orient3d(corners[0], corners[1], corners[2], point) {
        Sign::Zero => return (re > 0.0).then_some((re, 0.0)),
        Sign::Positive => 1.0,
        Sign::Negative => -1.0,
    };
    // Not zero, which has no sign.
    Some((re, sign * im.abs().max(1e-30 * re.abs())))
}

struct Count<'c> {
    placed: &'c Placed<'c>,
    /// Whose triangles are met.
    mesh: &'c Mesh,
    /// Which triangles count; all, if there is none.
    inside: Option<&'c Inside>,
    point: DVec3,
    heading: Heading,
    /// Triangles that it may still look at; none left: it was given up.
    left: u32,
    /// None once the point is known to be on the surface.
    winding: Option<i32>,
}

impl Along for Count<'_> {
    fn limit(&self) -> f64 {
        f64::INFINITY
    }

    #[inline]
    fn look(&mut self, triangle: u32) -> ControlFlow<()> {
        self.left -= 1;
        if self.left == 0 {
            return ControlFlow::Break(());
        }
        let found =
            crossing(self.point, self.heading, &self.mesh.triangle(triangle).map(|corner| self.placed.point(corner)));
        if found == Crossing::Start {
            self.winding = None;
            return ControlFlow::Break(());
        }
        if found != Crossing::None && self.inside.is_none_or(|inside| inside.counts(triangle)) {
            self.winding = self.winding.map(|winding| winding + found.sign());
        }
        ControlFlow::Continue(())
    }
}

/// Is a point in the box of three corners, given as they are seen from it? Signs of differences are
/// exact.
fn surround([a, b, c]: &[DVec3; 3]) -> bool {
    let one_side = |a: f64, b: f64, c: f64| a > 0.0 && b > 0.0 && c > 0.0 || a < 0.0 && b < 0.0 && c < 0.0;
    !(one_side(a.x, b.x, c.x) || one_side(a.y, b.y, c.y) || one_side(a.z, b.z, c.z))
}

/// Half of the signed solid angle of a triangle whose corners are seen so from a point, positive
/// where it faces away, as the angle of a complex number (van Oosterom and Strackee 1983).
#[inline]
fn half_solid_angle(corners: [DVec3; 3]) -> (f64, f64) {
    let (re, im, _) = solid_angle_and_size(corners);
    (re, im)
}

/// The same, and the largest that either number can be, but for a factor.
#[inline]
fn solid_angle_and_size(corners: [DVec3; 3]) -> (f64, f64, f64) {
    // Products of three lengths must neither overflow nor vanish; only directions count.
    let is_tame = corners.iter().all(|corner| (1e-90..1e90).contains(&corner.abs().max_element()));
    let [a, b, c] = if is_tame { corners } else { corners.map(in_range) };
    let lengths = [a.length(), b.length(), c.length()];
    let size = lengths[0] * lengths[1] * lengths[2];
    let below = size + a.dot(b) * lengths[2] + b.dot(c) * lengths[0] + c.dot(a) * lengths[1];
    (below, a.dot(b.cross(c)), size)
}

/// The same direction, with a largest component of about one; a denormal has no inverse.
#[cold]
fn in_range(vector: DVec3) -> DVec3 {
    let largest = vector.abs().max_element();
    if largest == 0.0 { vector } else { vector / largest }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearhit_testkit::{Soup, shapes};

    /// A cube whose sides are grids of squares.
    fn grid_cube(count: u32) -> Soup {
        let mut cube = Soup::default();
        let step = 2.0 / f64::from(count);
        for (axis, side) in (0..3).flat_map(|axis| [(axis, -1.0), (axis, 1.0)]) {
            let corner = |i: u32, j: u32| {
                let mut point = [side; 3];
                point[(axis + 1) % 3] = -1.0 + step * f64::from(i);
                point[(axis + 2) % 3] = -1.0 + step * f64::from(j);
                point
            };
            for (i, j) in (0..count).flat_map(|i| (0..count).map(move |j| (i, j))) {
                let first = cube.vertices.len() as u32;
                cube.vertices.extend([corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)]);
                let faces = [[0, 1, 2], [0, 2, 3]].map(|face| face.map(|corner| first + corner));
                let turned = |[a, b, c]: [u32; 3]| if side > 0.0 { [a, b, c] } else { [a, c, b] };
                cube.triangles.extend(faces.map(turned));
            }
        }
        cube
    }

    fn open_model(soup: &Soup) -> Model {
        let model = Model::new(Mesh::new(&soup.vertices, &soup.triangles[1..]).expect("a mesh"));
        assert_eq!(model.inside().method(), InsideMethod::Generalised);
        model
    }

    /// The inverse of a denormal is no number.
    #[test]
    fn open_meshes_of_every_size() {
        let cube = shapes::cuboid([-1.0; 3], [1.0; 3]);
        for exponent in [-1072, -1060, -1030, -1022, -900, -300, 0, 300, 900, 990] {
            let size = f64::from(exponent).exp2();
            let model = open_model(&cube.scaled(size));
            let found = [0.0, 0.5, 3.0].map(|x| {
                let point = DVec3::splat(x * size);
                model.contains(point, &mut Scratch::new()).expect("in range").location
            });
            // Half of the smallest number is none.
            assert_eq!(found, [Location::Inside, Location::Inside, Location::Outside], "2^{exponent}");
        }
    }

    /// Of a triangle seen from between two of its corners, the third far away, the lengths'
    /// product vanishes.
    #[test]
    fn inside_of_a_needle_with_a_hole() {
        for width in [1e-3, 1e-100, 1e-170, 1e-250, 1e-310] {
            let mut needle = Soup::default();
            let tips = [-1.0, 1.0].map(|x| needle.push_vertex([x, 0.0, 0.0]));
            let around = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]];
            let ring = around.map(|[y, z]| needle.push_vertex([0.0, y * width, z * width]));
            for i in 0..4 {
                let (from, to) = (ring[i], ring[(i + 1) % 4]);
                needle.triangles.extend([[tips[1], from, to], [tips[0], to, from]]);
            }
            let found = open_model(&needle).contains(DVec3::ZERO, &mut Scratch::new()).expect("in range");
            assert_eq!(found.location, Location::Inside, "{width:e}: {found:?}");
            assert!((found.winding.expect("off the surface") - 0.875).abs() < 1e-9, "{width:e}: {found:?}");
        }
    }

    /// From a point in the plane of a side the ray along that side would meet a triangle at every
    /// step of the grid: another one is taken.
    #[test]
    fn rays_along_a_face_are_given_up() {
        let mut soup = grid_cube(100);
        soup.append(&shapes::cuboid([5.0, -1.0, -1.0], [7.0, 1.0, 1.0]));
        let model = Model::new(Mesh::new(&soup.vertices, &soup.triangles).expect("a mesh"));
        assert_eq!(model.inside().method(), InsideMethod::Exact);
        // The middle of all is at x = 3: the first ray runs along the top of the grid.
        let (mut room, mut stats) = (Room::default(), Stats::default());
        let found = Placed::own(&model).contains_counted(DVec3::new(2.0, 0.013, 1.0), &mut room, &mut stats);
        assert_eq!(found.location, Location::Outside);
        assert!(stats.triangle_tests <= 2 * u64::from(GRAZING[0]), "{} triangles", stats.triangle_tests);
    }
}
