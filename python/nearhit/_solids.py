"""Two solids in each other: how to get them apart, and where they meet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._native import Query
from ._query import Pose, Poses, Progress, Seed, at_least_zero, query
from ._results import Compared, Work

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._native import Mesh
    from ._query import ManyA, ManyB, One

__all__ = [
    "Depth", "Depths", "LocalDepth", "LocalDepths", "Overlap", "Overlaps", "Regions",
    "depth", "local_depth", "overlap", "regions",
]  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Depth(Compared):
    """How to get b out of a: an interval for the length of the shortest translation."""

    lower: float
    """No shorter translation separates them."""
    upper: float
    """The length of ``translation``; zero if they are not in contact."""
    translation: NDArray[np.float64]
    """(3,): moves b, in the world, so that they are apart."""
    convex: bool
    """Are both convex? Then the bounds are as good as equal."""
    complete: bool
    """False: the budget ran out before all ways were tried."""
    work: Work


@dataclass(frozen=True, slots=True, eq=False)
class Depths(Compared):
    """The same for k poses."""

    lower: NDArray[np.float64]
    """(k,)"""
    upper: NDArray[np.float64]
    """(k,)"""
    translation: NDArray[np.float64]
    """(k, 3)"""
    convex: NDArray[np.bool_]
    """(k,)"""
    complete: NDArray[np.bool_]
    """(k,)"""
    work: NDArray[np.uint64]
    """(k, 3): n_v, n_p and n_u."""

    def __len__(self) -> int:
        return len(self.upper)


@overload
def depth(a: Mesh, b: Mesh, **given: Unpack[One]) -> Depth: ...
@overload
def depth(a: Mesh, b: Mesh, **given: Unpack[ManyB]) -> Depths: ...
@overload
def depth(a: Mesh, b: Mesh, **given: Unpack[ManyA]) -> Depths: ...
@query
def depth(
    a: Mesh, b: Mesh, *,
    pose_a: Pose | None = None, pose_b: Pose | None = None, poses_a: Poses | None = None, poses_b: Poses | None = None,
    work: int | None = None, budget_us: float | None = None, seed: Seed | None = None,
    warm: bool = False, threads: int | None = None, progress: Progress | None = None,
) -> Depth | Depths:  # fmt: skip
    """How to get b out of a, both solids: the shortest translation, between two bounds.

    >>> import nearhit as nh
    >>> corners = [[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    >>> sides = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    >>> cube = nh.Model((corners, [t for p, q, r, s in sides for t in ([p, q, r], [p, r, s])]))
    >>> found = nh.depth(cube, cube, pose_b=([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0.75, 0.1, 0.2]))
    >>> found.translation.round(4)
    array([0.25, 0.  , 0.  ])
    """
    asked = Query(a, b, pose_a, pose_b, poses_a, poses_b, work, budget_us, seed, warm, threads, progress)
    found = _native.translational_depth(asked)
    return Depth(*found) if poses_a is None and poses_b is None else Depths(*found)


@dataclass(frozen=True, slots=True, eq=False)
class LocalDepth(Compared):
    """How deep the deepest point of one surface lies inside the other solid: an interval."""

    lower: float
    """The depth of the deepest point found. Not positive if no point of one surface is inside the
    other solid."""
    upper: float
    """No point is deeper than this."""
    points: NDArray[np.float64]
    """(2, 3), in the world: a point of a and a point of b. One is the deepest found, the other the
    nearest to it."""
    deepest: int
    """Which of the two points is the deepest: 0 for a's, 1 for b's."""
    triangles: tuple[int, int]
    """The triangles the points are on."""
    complete: bool
    """Is the interval as narrow as asked for? False: the budget ran out, or a mesh has holes."""
    work: Work


@dataclass(frozen=True, slots=True, eq=False)
class LocalDepths(Compared):
    """The same for k poses."""

    lower: NDArray[np.float64]
    """(k,)"""
    upper: NDArray[np.float64]
    """(k,)"""
    points: NDArray[np.float64]
    """(k, 2, 3)"""
    deepest: NDArray[np.uint8]
    """(k,)"""
    triangles: NDArray[np.int64]
    """(k, 2)"""
    complete: NDArray[np.bool_]
    """(k,)"""
    work: NDArray[np.uint64]
    """(k, 3): n_v, n_p and n_u."""

    def __len__(self) -> int:
        return len(self.upper)


@overload
def local_depth(
    a: Mesh, b: Mesh, *, rel_error: float = ..., abs_error: float = ..., **given: Unpack[One]
) -> LocalDepth: ...
@overload
def local_depth(
    a: Mesh, b: Mesh, *, rel_error: float = ..., abs_error: float = ..., **given: Unpack[ManyB]
) -> LocalDepths: ...
@overload
def local_depth(
    a: Mesh, b: Mesh, *, rel_error: float = ..., abs_error: float = ..., **given: Unpack[ManyA]
) -> LocalDepths: ...
@query
def local_depth(
    a: Mesh, b: Mesh, *, rel_error: float = 0.01, abs_error: float = 0.0,
    pose_a: Pose | None = None, pose_b: Pose | None = None, poses_a: Poses | None = None, poses_b: Poses | None = None,
    work: int | None = None, budget_us: float | None = None, seed: Seed | None = None,
    warm: bool = False, threads: int | None = None, progress: Progress | None = None,
) -> LocalDepth | LocalDepths:  # fmt: skip
    """How deep does a point of one surface lie below the other, both solids?

    An interval: ``upper`` exceeds ``lower`` by a share of at most ``rel_error``, or by ``abs_error``.

    >>> import nearhit as nh
    >>> corners = [[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    >>> sides = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    >>> cube = nh.Model((corners, [t for p, q, r, s in sides for t in ([p, q, r], [p, r, s])]))
    >>> found = nh.local_depth(cube, cube, pose_b=([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0.75, 0.25, 0.25]))
    >>> found.lower <= 0.25 <= found.upper
    True
    """
    asked = Query(a, b, pose_a, pose_b, poses_a, poses_b, work, budget_us, seed, warm, threads, progress)
    found = _native.local_depth(asked, at_least_zero(rel_error, "rel_error"), at_least_zero(abs_error, "abs_error"))
    return LocalDepth(*found) if poses_a is None and poses_b is None else LocalDepths(*found)


@dataclass(frozen=True, slots=True, eq=False)
class Overlap(Compared):
    """What two solids have in common: intervals for its volume and surface area."""

    volume_lower: float
    """Its volume is not below this."""
    volume_upper: float
    """Nor above this."""
    area_lower: float
    """The same of its surface area; NaN where that is not known: a mesh has holes or overlaps
    itself."""
    area_upper: float
    center: NDArray[np.float64]
    """(3,): its centre of volume in the world; NaN where the volume may be 0."""
    center_error: float
    """How far each coordinate of the centre may be off."""
    bounds: NDArray[np.float64]
    """(2, 3): the least and the greatest corner of a box around it, in the world; NaN if it is
    empty."""
    through: int
    """Which solid passes through the other: 0 for a, 1 for b, -1 for neither."""
    complete: bool
    """False: the budget ran out, and the volume is all that is known."""
    work: Work

    @property
    def volume(self) -> float:
        """The middle of the interval."""
        return 0.5 * self.volume_lower + 0.5 * self.volume_upper


@dataclass(frozen=True, slots=True, eq=False)
class Overlaps(Compared):
    """The same for k poses."""

    volume_lower: NDArray[np.float64]
    """(k,)"""
    volume_upper: NDArray[np.float64]
    """(k,)"""
    area_lower: NDArray[np.float64]
    """(k,)"""
    area_upper: NDArray[np.float64]
    """(k,)"""
    center: NDArray[np.float64]
    """(k, 3)"""
    center_error: NDArray[np.float64]
    """(k,)"""
    bounds: NDArray[np.float64]
    """(k, 2, 3)"""
    through: NDArray[np.int8]
    """(k,)"""
    complete: NDArray[np.bool_]
    """(k,)"""
    work: NDArray[np.uint64]
    """(k, 3): n_v, n_p and n_u."""

    @property
    def volume(self) -> NDArray[np.float64]:
        """(k,): the middles of the intervals."""
        return np.asarray(0.5 * self.volume_lower + 0.5 * self.volume_upper)

    def __len__(self) -> int:
        return len(self.volume_upper)


@overload
def overlap(a: Mesh, b: Mesh, **given: Unpack[One]) -> Overlap: ...
@overload
def overlap(a: Mesh, b: Mesh, **given: Unpack[ManyB]) -> Overlaps: ...
@overload
def overlap(a: Mesh, b: Mesh, **given: Unpack[ManyA]) -> Overlaps: ...
@query
def overlap(
    a: Mesh, b: Mesh, *,
    pose_a: Pose | None = None, pose_b: Pose | None = None, poses_a: Poses | None = None, poses_b: Poses | None = None,
    work: int | None = None, budget_us: float | None = None, seed: Seed | None = None,
    warm: bool = False, threads: int | None = None, progress: Progress | None = None,
) -> Overlap | Overlaps:  # fmt: skip
    """What two solids have in common: volume, surface area, centre and box, without a mesh of it.

    For closed meshes the interval of the volume is as narrow as doubles allow. For meshes with
    holes it is some per cent wide.

    >>> import nearhit as nh
    >>> corners = [[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    >>> sides = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    >>> cube = nh.Model((corners, [t for p, q, r, s in sides for t in ([p, q, r], [p, r, s])]))
    >>> found = nh.overlap(cube, cube, pose_b=([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0.75, 0.5, 0]))
    >>> found.volume_lower <= 0.125 <= found.volume_upper, found.volume_upper - found.volume_lower < 1e-12
    (True, True)
    """
    asked = Query(a, b, pose_a, pose_b, poses_a, poses_b, work, budget_us, seed, warm, threads, progress)
    found = _native.overlap(asked)
    return Overlap(*found) if poses_a is None and poses_b is None else Overlaps(*found)


@dataclass(frozen=True, slots=True, eq=False)
class Regions(Compared):
    """Connected contacts of two solids. Of k poses one after the other."""

    normals: NDArray[np.float64]
    """(n, 3): the way out for b, in the world."""
    depths: NDArray[np.float64]
    """(n,): of the deepest point of each region below the other surface."""
    points: NDArray[np.float64]
    """(m, 2, 3): points of contact on a and on b, in the world; of each region the deepest
    first."""
    point_depths: NDArray[np.float64]
    """(m,)"""
    point_starts: NDArray[np.int64]
    """(n + 1,): the points of region i are ``points[point_starts[i]:point_starts[i + 1]]``."""
    triangles: NDArray[np.int64]
    """(p, 2): triangles of a and of b that touch."""
    triangle_starts: NDArray[np.int64]
    """(n + 1,): those of region i are ``triangles[triangle_starts[i]:triangle_starts[i + 1]]``."""
    starts: NDArray[np.int64]
    """(k + 1,): the regions of pose i are those from ``starts[i]`` to ``starts[i + 1]``."""
    complete: NDArray[np.bool_]
    """(k,): false where the budget ran out."""
    work: NDArray[np.uint64]
    """(k, 3): n_v, n_p and n_u."""

    def __len__(self) -> int:
        return len(self.depths)


@query
def regions(
    a: Mesh, b: Mesh, *, most_points: int = 4,
    pose_a: Pose | None = None, pose_b: Pose | None = None, poses_a: Poses | None = None, poses_b: Poses | None = None,
    work: int | None = None, budget_us: float | None = None, seed: Seed | None = None,
    warm: bool = False, threads: int | None = None, progress: Progress | None = None,
) -> Regions:  # fmt: skip
    """Where the surfaces of two solids meet: connected regions, each with a normal, a depth and
    points of contact.

    At most ``most_points`` points stand for all of a region. One solid wholly inside another has
    none:
    ask ``collide`` and ``depth``.

    >>> import nearhit as nh
    >>> corners = [[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    >>> sides = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    >>> cube = nh.Model((corners, [t for p, q, r, s in sides for t in ([p, q, r], [p, r, s])]))
    >>> found = nh.regions(cube, cube, pose_b=([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0.75, 0.1, 0.2]))
    >>> len(found), found.depths
    (1, array([0.25]))
    """
    asked = Query(a, b, pose_a, pose_b, poses_a, poses_b, work, budget_us, seed, warm, threads, progress)
    return Regions(*_native.contact_regions(asked, at_least_zero(most_points, "most_points")))
