//! What tells inside from outside of one mesh: whether it is closed, by which method it is judged,
//! its pieces and its convex hull. The questions are in [`crate::point`] and [`crate::solid`].

mod caps;
mod envelope;
mod shell;

pub(crate) use caps::Caps;
pub(crate) use envelope::Envelope;
pub(crate) use shell::{Joined, Neighbours};

use crate::bounds::Bounds;
use crate::lazy::Lazy;
use crate::mesh::{Mesh, places};
use crate::packed::Packed;
use crate::packed::winding::Expansions;
use shell::{Closure, Shell};
use std::fmt;

/// Method of inside tests for a mesh. Decided by its edges when it is first asked.
#[doc(alias = "winding number")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum InsideMethod {
    /// Closed and consistently oriented: the winding number, counted exactly along a ray. The
    /// surface may cross itself.
    Exact,
    /// Closed, but with some triangles flipped: crossings along a ray are counted exactly, and an
    /// odd number is inside.
    Parity,
    /// With holes: the generalised winding number (Jacobson et al. 2013), with a proven error;
    /// inside is above one half in magnitude.
    Generalised,
}

impl From<InsideMethod> for &'static str {
    /// As in reports: `exact`, `parity`, `generalised`.
    fn from(method: InsideMethod) -> Self {
        match method {
            InsideMethod::Exact => "exact",
            InsideMethod::Parity => "parity",
            InsideMethod::Generalised => "generalised",
        }
    }
}

impl fmt::Display for InsideMethod {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str((*self).into())
    }
}

/// How far the winding number of a closed mesh is from being 0 and 1: what overlaps of volumes rest
/// on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Excess {
    /// 1, or -1 for a mesh that is inside out.
    pub(crate) sign: f64,
    /// The enclosed volume: not below this.
    pub(crate) volume: f64,
    /// The area of all triangles: not above this.
    pub(crate) area: f64,
    /// The volume that is counted more than once or with another sign: not above this.
    pub(crate) twice: f64,
    /// The largest winding number met, at least 1.
    pub(crate) most: i32,
}

/// What tells inside from outside of one mesh. Made by
/// [`Model::inside_method`](crate::Model::inside_method).
#[derive(Debug, Clone)]
pub(crate) struct Inside {
    method: InsideMethod,
    shell: Shell,
    expansions: Option<Expansions>,
    /// What closes a mesh with holes, where that is little.
    caps: Option<Caps>,
    /// The longest side of the box around it.
    size: f64,
    /// Made when a depth is first asked for.
    envelope: Lazy<Envelope>,
    /// Made when the geometry of a contact is first asked for.
    neighbours: Lazy<Neighbours>,
    /// Known when an overlap was first asked for.
    excess: Lazy<Excess>,
    /// Does the surface as a whole face inwards?
    is_inside_out: bool,
    /// Nothing farther from the surface is inside.
    reach: f64,
}

impl Inside {
    pub(crate) fn new(mesh: &Mesh, tree: Option<&Packed>) -> Self {
        let places = places(mesh.vertices());
        let shell = Shell::new(mesh, &places);
        let method = match shell.closure {
            Closure::Oriented => InsideMethod::Exact,
            Closure::EvenEdges => InsideMethod::Parity,
            Closure::Open => InsideMethod::Generalised,
        };
        let expansions = tree.filter(|_| method == InsideMethod::Generalised).map(|tree| Expansions::new(tree, mesh));
        let caps = expansions.as_ref().and_then(|_| Caps::new(mesh, &places));
        let Bounds { low, high } = mesh.vertices().iter().copied().collect();
        Self {
            method,
            shell,
            expansions,
            caps,
            size: (high - low).max_element(),
            envelope: Lazy::new(),
            neighbours: Lazy::new(),
            excess: Lazy::new(),
            is_inside_out: volume(mesh) < 0.0,
            reach: reach(mesh),
        }
    }

    /// How this mesh is judged.
    #[must_use]
    pub(crate) fn method(&self) -> InsideMethod {
        self.method
    }

    /// Is the mesh the boundary of something, so that answers are exact?
    #[must_use]
    pub(crate) fn is_exact(&self) -> bool {
        self.method != InsideMethod::Generalised
    }

    /// The longest side of the box around the mesh.
    pub(crate) fn size(&self) -> f64 {
        self.size
    }

    /// No point that is farther from the surface is inside, whatever holes the mesh has.
    ///
    /// Seen from a point at a distance d of the surface, a triangle of area A covers a solid angle
    /// of at most A/d², and all of them at most the sum S/d². The winding number is at most that
    /// over 4π; inside it is above one half: d < √(S/2π).
    pub(crate) fn reach(&self) -> f64 {
        self.reach
    }

    /// The hull of the mesh; made when it is first asked for.
    pub(crate) fn envelope(&self, mesh: &Mesh) -> &Envelope {
        self.envelope
            .get_or_make(|| Envelope::new(mesh, self.method == InsideMethod::Exact && self.shell.pieces.len() == 1))
    }

    /// Which triangles are around which vertex; made when it is first asked for.
    pub(crate) fn neighbours(&self, mesh: &Mesh) -> &Neighbours {
        self.neighbours.get_or_make(|| Neighbours::new(mesh))
    }

    /// What is known of its winding number.
    pub(crate) fn excess(&self) -> Option<Excess> {
        self.excess.get().copied()
    }

    /// Keeps what was found out about its winding number, which is the same whoever does.
    pub(crate) fn keep_excess(&self, excess: Excess) -> Excess {
        *self.excess.keep(excess)
    }

    /// Does the surface as a whole face inwards: is the volume it encloses negative?
    #[must_use]
    pub(crate) fn is_inside_out(&self) -> bool {
        self.is_inside_out
    }

    /// One vertex of each connected piece of the surface.
    pub(crate) fn pieces(&self) -> &[u32] {
        &self.shell.pieces
    }

    /// Heap memory held, in bytes.
    #[must_use]
    pub(crate) fn bytes(&self) -> usize {
        (self.shell.repeated.capacity() + self.shell.pieces.capacity()) * size_of::<u32>()
            + self.expansions.as_ref().map_or(0, Expansions::bytes)
            + self.caps.as_ref().map_or(0, Caps::bytes)
            + self.envelope.get().map_or(0, Envelope::bytes)
            + self.neighbours.get().map_or(0, Neighbours::bytes)
    }

    /// For far triangles of a mesh with holes.
    pub(crate) fn expansions(&self) -> Option<&Expansions> {
        self.expansions.as_ref()
    }

    /// What closes the mesh, if that is asked first.
    pub(crate) fn caps(&self) -> Option<&Caps> {
        self.caps.as_ref()
    }

    /// Does a crossing with this triangle count, or does another in the same place?
    pub(crate) fn counts(&self, triangle: u32) -> bool {
        self.shell.repeated.is_empty() || self.shell.repeated.binary_search(&triangle).is_err()
    }
}

/// A sixth of it is the enclosed volume, in units of the mesh's size so that nothing overflows.
fn volume(mesh: &Mesh) -> f64 {
    let unit = 1.0 / mesh.max_coordinate().max(f64::MIN_POSITIVE * 1e20);
    let about = mesh.vertices()[0];
    let corners = (0..mesh.triangles().len() as u32).map(|index| mesh.triangle(index));
    corners.map(|triangle| triangle.map(|corner| (corner - about) * unit)).map(|[a, b, c]| a.dot(b.cross(c))).sum()
}

/// √(area/2π), in units of the mesh's size on the way, so that nothing overflows or vanishes.
fn reach(mesh: &Mesh) -> f64 {
    let size = mesh.max_coordinate().max(f64::MIN_POSITIVE * 1e20);
    let unit = 1.0 / size;
    let corners = (0..mesh.triangles().len() as u32).map(|index| mesh.triangle(index).map(|corner| corner * unit));
    let area: f64 = corners.map(|[a, b, c]| 0.5 * (b - a).cross(c - a).length()).sum();
    // More than all rounding: of the products some ulps of the size squared a triangle, of the sum
    // as many more.
    let rounding = 64.0 * f64::EPSILON * mesh.triangles().len() as f64 * (1.0 + area);
    (((area + rounding) / (2.0 * std::f64::consts::PI)).sqrt() * size).min(f64::MAX)
}
