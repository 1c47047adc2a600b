"""Shapes: ball, capsule, box, cylinder, cone, ellipsoid, convex hull, half-space, point cloud, height
field, octree. They are taken by ``collide``, ``within`` and ``distance`` where a model is; the convex
ones by ``penetration``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _native
from ._native import Query, Shape
from ._query import Pose, Poses, Progress, whole
from ._results import Compared

__all__ = [
    "Ball",
    "Box",
    "Capsule",
    "Cone",
    "Cylinder",
    "Ellipsoid",
    "HalfSpace",
    "HeightField",
    "Hull",
    "Octree",
    "Penetration",
    "Penetrations",
    "PointCloud",
    "SeparatingPlane",
    "Shape",
    "penetration",
    "separating_plane",
    "simplified",
]


def _restored(kind: type[Shape], name: str, sizes: list[float], margin: float) -> Shape:
    """What was pickled."""
    return Shape.__new__(kind, name, sizes, margin)


def _points(points: ArrayLike) -> NDArray[np.float64]:
    array = np.asarray(points, dtype=np.float64)
    if array.size and (array.ndim != 2 or array.shape[1] != 3):
        raise ValueError(f"points must have the shape (n, 3), not {array.shape}")
    return array.reshape(-1, 3)


class Ball(Shape):
    """A ball about the origin.

    >>> import nearhit as nh
    >>> R = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> round(nh.distance(nh.Ball(0.5), nh.Ball(0.25), pose_b=(R, [2, 0, 0])).upper, 12)
    1.25
    """

    __slots__ = ()

    def __new__(cls, radius: float, *, margin: float = 0.0) -> Ball:
        return Shape.__new__(cls, "ball", (radius,), margin)

    @property
    def radius(self) -> float:
        """Without the margin."""
        return self._sizes[0]


class Capsule(Shape):
    """All points within ``radius`` of a segment of this length along z, whose middle is the origin.

    >>> import nearhit as nh
    >>> nh.Capsule(0.5, 2).bounds
    array([[-0.5, -0.5, -1.5],
           [ 0.5,  0.5,  1.5]])
    """

    __slots__ = ()

    def __new__(cls, radius: float, length: float, *, margin: float = 0.0) -> Capsule:
        return Shape.__new__(cls, "capsule", (radius, length), margin)

    @property
    def radius(self) -> float:
        """Without the margin."""
        return self._sizes[0]

    @property
    def length(self) -> float:
        """Of the segment."""
        return self._sizes[1]


class Box(Shape):
    """A box about the origin, by its whole sizes. With a margin it has round edges.

    >>> import nearhit as nh
    >>> nh.Box(1, 2, 3, margin=0.25)
    Box(1.0, 2.0, 3.0, margin=0.25)
    >>> bool(nh.collide(nh.Box(2, 2, 2), nh.Ball(0.1)))
    True
    """

    __slots__ = ()

    def __new__(cls, x: float, y: float, z: float, *, margin: float = 0.0) -> Box:
        return Shape.__new__(cls, "box", (x, y, z), margin)

    @property
    def sizes(self) -> tuple[float, float, float]:
        """Along x, y and z, without the margin."""
        x, y, z = self._sizes
        return x, y, z


class Cylinder(Shape):
    """A cylinder about z, whose middle is the origin.

    >>> import nearhit as nh
    >>> R = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> found = nh.distance(nh.Cylinder(0.5, 2), nh.Ball(0.5), pose_b=(R, [0, 0, 2]))
    >>> found.lower <= 0.5 <= found.upper, found.upper - found.lower < 1e-12
    (True, True)
    """

    __slots__ = ()

    def __new__(cls, radius: float, length: float, *, margin: float = 0.0) -> Cylinder:
        return Shape.__new__(cls, "cylinder", (radius, length), margin)

    @property
    def radius(self) -> float:
        """Without the margin."""
        return self._sizes[0]

    @property
    def length(self) -> float:
        """Without the margin."""
        return self._sizes[1]


class Cone(Shape):
    """A cone about z: its base at ``-length / 2``, its tip at ``+length / 2``. With ``top``, the
    radius there, it is truncated.

    >>> import nearhit as nh
    >>> nh.Cone(0.5, 2), nh.Cone(0.5, 2, top=0.25)
    (Cone(0.5, 2.0), Cone(0.5, 2.0, top=0.25))
    """

    __slots__ = ()

    def __new__(cls, radius: float, length: float, *, top: float = 0.0, margin: float = 0.0) -> Cone:
        return Shape.__new__(cls, "cone", (radius, length, top), margin)

    @property
    def radius(self) -> float:
        """Of the base, without the margin."""
        return self._sizes[0]

    @property
    def length(self) -> float:
        """Without the margin."""
        return self._sizes[1]

    @property
    def top(self) -> float:
        """The radius at the other end, without the margin."""
        return self._sizes[2]


class Ellipsoid(Shape):
    """An ellipsoid about the origin, by its radii along the axes.

    >>> import nearhit as nh
    >>> nh.Ellipsoid(1, 2, 3).radii
    (1.0, 2.0, 3.0)
    """

    __slots__ = ()

    def __new__(cls, x: float, y: float, z: float, *, margin: float = 0.0) -> Ellipsoid:
        return Shape.__new__(cls, "ellipsoid", (x, y, z), margin)

    @property
    def radii(self) -> tuple[float, float, float]:
        """Along x, y and z, without the margin."""
        x, y, z = self._sizes
        return x, y, z


class Hull(Shape):
    """The convex hull of points (n, 3). They may coincide or lie in a plane.

    >>> import nearhit as nh
    >>> nh.Hull([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.1, 0.1, 0.1]])
    <Hull of 4 corners>
    """

    __slots__ = ()

    def __new__(cls, points: ArrayLike, *, margin: float = 0.0) -> Hull:
        return Shape.__new__(cls, "hull", _points(points).ravel(), margin)


class HalfSpace(Shape):
    """Everything with ``normal · x <= offset``: a floor is ``HalfSpace([0, 0, 1], 0)``. The normal
    need not have length one.

    >>> import nearhit as nh
    >>> R = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> floor = nh.HalfSpace([0, 0, 1], 0)
    >>> bool(nh.within(floor, nh.Box(1, 1, 1), 0.25, pose_b=(R, [0, 0, 0.75])))
    True
    """

    __slots__ = ()

    def __new__(cls, normal: ArrayLike, offset: float, *, margin: float = 0.0) -> HalfSpace:
        array = np.asarray(normal, dtype=np.float64)
        if array.shape != (3,):
            raise ValueError(f"a normal has the shape (3,), not {array.shape}")
        return Shape.__new__(cls, "half-space", (*array.tolist(), offset), margin)

    @property
    def normal(self) -> tuple[float, float, float]:
        """As given."""
        x, y, z, _ = self._sizes
        return x, y, z

    @property
    def offset(self) -> float:
        """Without the margin."""
        return self._sizes[3]


class PointCloud(Shape):
    """A ball about each of the points (n, 3): one radius for all, or radii (n,).

    An answer's ``triangles`` names points of it.

    >>> import nearhit as nh
    >>> seen = nh.PointCloud([[1, 0, 0], [1, 1, 0], [1, 2, 0]], 0.05)
    >>> seen
    <PointCloud of 3 points>
    >>> R = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> found = nh.distance(seen, nh.Capsule(0.1, 1), pose_b=(R, [0.5, 2, 0]))
    >>> round(found.upper, 12), found.triangles
    (0.35, (2, -1))
    """

    __slots__ = ()

    def __new__(cls, points: ArrayLike, radius: ArrayLike = 0.0, *, margin: float = 0.0) -> PointCloud:
        array, radii = _points(points), np.atleast_1d(np.asarray(radius, dtype=np.float64))
        if radii.ndim != 1:
            raise ValueError(f"radius must be a number or have the shape (n,), not {radii.shape}")
        return Shape.__new__(cls, "point cloud", np.concatenate(([array.size], array.ravel(), radii)), margin)

    @property
    def points(self) -> NDArray[np.float64]:
        """(n, 3)"""
        sizes = np.array(self._sizes)
        return sizes[1 : 1 + int(sizes[0])].reshape(-1, 3)

    @property
    def radii(self) -> NDArray[np.float64]:
        """(n,) or (1,), without the margin."""
        sizes = np.array(self._sizes)
        return sizes[1 + int(sizes[0]) :]


class HeightField(Shape):
    """Heights (rows, columns) over a grid: ``heights[i, j]`` is the height at ``(j * dx, i * dy)``.

    Each cell has two triangles; its diagonal goes from ``(j, i)`` to ``(j + 1, i + 1)``. It is a
    surface: what lies below does not touch it. With ``floor``, a height that is not above any other,
    it is the solid between the two.

    >>> import nearhit as nh
    >>> ground = nh.HeightField([[0, 0, 0], [0, 1, 0], [0, 0, 0]], 1.0, 1.0)
    >>> R = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> round(nh.distance(ground, nh.Ball(0.5), pose_b=(R, [1, 1, 2])).upper, 9)
    0.5
    >>> low = (R, [1, 1, -1])
    >>> solid = nh.HeightField([[0, 0, 0], [0, 1, 0], [0, 0, 0]], 1.0, 1.0, floor=-2)
    >>> bool(nh.collide(ground, nh.Ball(0.1), pose_b=low)), bool(nh.collide(solid, nh.Ball(0.1), pose_b=low))
    (False, True)
    """

    __slots__ = ()

    def __new__(
        cls, heights: ArrayLike, dx: float, dy: float, *, floor: float | None = None, margin: float = 0.0
    ) -> HeightField:
        array = np.asarray(heights, dtype=np.float64)
        if array.ndim != 2:
            raise ValueError(f"heights must have the shape (rows, columns), not {array.shape}")
        # Without a floor: below every number that may be one.
        bottom = -np.inf if floor is None else (np.nan if floor == -np.inf else floor)
        head = (array.shape[1], dx, dy, bottom)
        return Shape.__new__(cls, "height field", np.concatenate((head, array.ravel())), margin)

    @property
    def heights(self) -> NDArray[np.float64]:
        """(rows, columns)"""
        sizes = np.array(self._sizes)
        return sizes[4:].reshape(-1, int(sizes[0]))

    @property
    def spacing(self) -> tuple[float, float]:
        """Along x and y."""
        _, dx, dy, _ = self._sizes[:4]
        return dx, dy

    @property
    def floor(self) -> float | None:
        """None of a surface."""
        floor = self._sizes[3]
        return None if floor == -np.inf else floor


class Octree(Shape):
    """The cells of a grid that hold points (n, 3), as one solid: cell ``i`` of an axis goes from
    ``i * resolution`` to ``(i + 1) * resolution``. Or, with ``cells``, boxes of cells: (m, 3) for
    single ones, (m, 2, 3) for the first and the last cell of each.

    >>> import nearhit as nh
    >>> seen = nh.Octree([[0.31, 0.0, 0.02], [0.33, 0.04, 0.06]], 0.1)
    >>> R = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> bool(nh.collide(seen, nh.Ball(0.01), pose_b=(R, [0.35, 0.05, 0.05])))
    True
    >>> seen == nh.Octree(resolution=0.1, cells=[[3, 0, 0]])
    False
    """

    __slots__ = ()

    def __new__(
        cls, points: ArrayLike | None = None, resolution: float = 0.0, *, cells: ArrayLike | None = None,
        margin: float = 0.0,
    ) -> Octree:  # fmt: skip
        if (points is None) == (cells is None):
            raise ValueError("an octree is made of points or of cells: give one of them")
        if cells is None:
            array = _points(() if points is None else points)
            return Shape.__new__(cls, "octree", np.concatenate(((resolution, 0), array.ravel())), margin)
        boxes = np.asarray(cells)
        if boxes.size and not np.issubdtype(boxes.dtype, np.integer):
            raise ValueError(f"cells are whole numbers, not {boxes.dtype}")
        if boxes.ndim == 2:
            boxes = np.stack((boxes, boxes), axis=1)
        if boxes.ndim != 3 or boxes.shape[1:] != (2, 3):
            raise ValueError(f"cells must have the shape (m, 3) or (m, 2, 3), not {np.shape(cells)}")
        return Shape.__new__(cls, "octree", np.concatenate(((resolution, 1), boxes.ravel())), margin)

    @property
    def resolution(self) -> float:
        """The side of a cell."""
        return self._sizes[0]


@dataclass(frozen=True, slots=True, eq=False)
class Penetration(Compared):
    """How deep two shapes overlap, and which way out is the shortest."""

    lower: float
    """The shortest translation that takes them apart is at least this long; zero if they are."""
    upper: float
    """It is at most this long; infinite between half-spaces that cannot be taken apart."""
    normal: NDArray[np.float64]
    """(3,): a unit vector from a to b, in the world. Moving b along it by ``upper`` leaves them
    touching at most."""
    points: NDArray[np.float64]
    """(2, 3), in the world: the point of a that lies deepest in b along the normal, and the one of b
    that lies deepest in a."""


@dataclass(frozen=True, slots=True, eq=False)
class Penetrations(Compared):
    """The same for k poses."""

    lower: NDArray[np.float64]
    """(k,)"""
    upper: NDArray[np.float64]
    """(k,)"""
    normal: NDArray[np.float64]
    """(k, 3)"""
    points: NDArray[np.float64]
    """(k, 2, 3)"""

    def __len__(self) -> int:
        return len(self.upper)


@overload
def penetration(a: Shape, b: Shape, *, pose_a: Pose | None = ..., pose_b: Pose | None = ...) -> Penetration: ...
@overload
def penetration(
    a: Shape, b: Shape, *, poses_b: Poses, pose_a: Pose | None = ..., poses_a: Poses | None = ...,
    threads: int | None = ..., progress: Progress | None = ...,
) -> Penetrations: ...  # fmt: skip
@overload
def penetration(
    a: Shape, b: Shape, *, poses_a: Poses, pose_b: Pose | None = ...,
    threads: int | None = ..., progress: Progress | None = ...,
) -> Penetrations: ...  # fmt: skip
def penetration(
    a: Shape, b: Shape, *,
    pose_a: Pose | None = None, pose_b: Pose | None = None, poses_a: Poses | None = None, poses_b: Poses | None = None,
    threads: int | None = None, progress: Progress | None = None,
) -> Penetration | Penetrations:  # fmt: skip
    """How deep do two shapes overlap, and which way out is the shortest? Of two models ask ``depth``.

    >>> import nearhit as nh
    >>> R = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> found = nh.penetration(nh.Box(2, 2, 2), nh.Box(1, 1, 1), pose_b=(R, [1.25, 0, 0]))
    >>> found.lower <= 0.25 <= found.upper, found.upper - found.lower < 1e-12
    (True, True)
    >>> [float(round(x, 9)) for x in found.normal]
    [1.0, 0.0, 0.0]

    ``pose_a``, ``pose_b``
        one pose of each: a (4, 4) matrix or ``(R, t)``; the origin if left out
    ``poses_a``, ``poses_b``
        many instead: (k, 4, 4), or (k, 3, 3) and (k, 3), done on all cores without the interpreter's
        lock
    ``threads``
        of a batch: how many; all cores if left out
    ``progress``
        of a batch: called with how many queries are done and how many there are
    """
    asked = Query(a, b, pose_a, pose_b, poses_a, poses_b, None, None, None, False, threads, progress)
    found = _native.penetration(asked)
    return Penetration(*found) if poses_a is None and poses_b is None else Penetrations(*found)


class SeparatingPlane(NamedTuple):
    """A proof that two shapes do not touch, in the world: a lies below the plane, b above it."""

    normal: NDArray[np.float64]
    """(3,): from a to b, of length one. A ``direction`` to begin with when they have moved a
    little."""
    above_a: float
    """No point of a has a larger product with the normal, but for rounding."""
    below_b: float
    """No point of b has a smaller product with the normal, but for rounding."""

    @property
    def gap(self) -> float:
        """How far the shapes are apart along the normal."""
        return self.below_b - self.above_a


def separating_plane(
    a: Shape, b: Shape, *, pose_a: Pose | None = None, pose_b: Pose | None = None, direction: ArrayLike | None = None
) -> SeparatingPlane | None:
    """A plane between two convex shapes, or a half-space and a convex shape. None if they touch, or
    are apart by so little that rounding hides it.

    >>> import nearhit as nh
    >>> R = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> plane = nh.separating_plane(nh.Box(2, 2, 2), nh.Ball(0.5), pose_b=(R, [1.75, 0, 0]))
    >>> plane.normal.round(9), round(plane.gap, 9)
    (array([1., 0., 0.]), 0.25)
    >>> nh.separating_plane(nh.Box(2, 2, 2), nh.Ball(0.5), pose_b=(R, [1.25, 0, 0])) is None
    True
    """
    asked = Query(a, b, pose_a, pose_b, None, None, None, None, None, False, None, None)
    way = None if direction is None else np.asarray(direction, dtype=np.float64).reshape(3).tolist()
    found = _native.separating_plane(asked, way)
    return None if found is None else SeparatingPlane(*found)


def simplified(shape: Hull | Box, most: int) -> Hull:
    """A hull of at most ``most`` corners, from 4 to 2**32 - 1, that encloses a hull or box.

    >>> import nearhit as nh, numpy as np
    >>> turn = np.linspace(0, 6, 40)
    >>> coarse = nh.simplified(nh.Hull(np.stack([np.cos(turn), np.sin(turn), turn % 1], axis=1)), 12)
    >>> len(coarse.corners) <= 12
    True
    """
    return Hull(_native.simplified(shape, whole("most", most, 4, 2**32 - 1)), margin=shape.margin)
