"""Bodies of a manager, and what is known of two of them in contact."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _native
from .._native import Model, Placed
from .._points import closest_point
from .._shapes import Hull
from .._solids import depth, regions
from .._surfaces import distance
from ..fcl import CollisionObject


class Body:
    """A named mesh, where its `nearhit.fcl.CollisionObject` is."""

    __slots__ = ("_at", "_base", "_hull", "is_convex", "is_solid", "model", "name", "obj", "_seen")

    def __init__(self, name: Any, model: Model, obj: CollisionObject, is_solid: bool, is_convex: bool) -> None:
        self.name, self.model, self.obj, self.is_solid, self.is_convex = name, model, obj, is_solid, is_convex
        self._base = Placed(model, solid=is_solid)
        self._hull: Placed | None = None
        self._at, self._seen = self._base.moved(obj._matrix), obj._moves

    @property
    def pose(self) -> NDArray[np.float64]:
        """(4, 4): who moves the object moves the body."""
        return self.obj._matrix

    def placed(self) -> Placed:
        """As a surface or solid, where it is now."""
        if self._seen != self.obj._moves:
            self._at, self._seen = self._base.moved(self.obj._matrix), self.obj._moves
        return self._at

    def hull(self) -> Placed:
        """Of a convex solid: the same without triangles, whose depth is quickly told."""
        if self._hull is None:
            self._hull = Placed(Hull(self.model.vertices))
        return self._hull.moved(self.obj._matrix)

    def still(self) -> Body:
        """As it is now, whatever happens to the object."""
        copy = Body.__new__(Body)
        copy.name, copy.model, copy.is_solid, copy.is_convex = self.name, self.model, self.is_solid, self.is_convex
        copy._base, copy._hull, copy._at, copy._seen = self._base, self._hull, self.placed(), 0
        copy.obj = CollisionObject(self.obj._geometry, self.obj.getTransform())
        return copy


def depth_of(a: Body, b: Body) -> tuple[float, NDArray[np.float64]]:
    """The length of a translation that takes two solids apart, and its direction for the second: the
    shortest, if both are convex."""
    if a.is_convex and b.is_convex:
        _, upper, normal, _ = _native.placed_penetration(a.hull(), b.hull())
        return upper, normal
    found = depth(a.model, b.model, pose_a=a.pose, pose_b=b.pose)
    return found.upper, found.translation / found.upper if found.upper > 0.0 else found.translation


def nearest_points(a: Body, b: Body, touch: bool) -> tuple[tuple[int, int], NDArray[np.float64]]:
    """Triangles, and points (2, 3), of what is nearest; of solids in contact deepest."""
    solid = touch and a.is_solid and b.is_solid
    if not (solid and a.is_convex and b.is_convex):
        found = distance(a.model, b.model, pose_a=a.pose, pose_b=b.pose, solid=solid, rel_error=0.01 if solid else 0.0)
        return found.triangles, found.points
    points = _native.placed_penetration(a.hull(), b.hull())[3]
    own = [(point - body.pose[:3, 3]) @ body.pose[:3, :3] for body, point in zip((a, b), points)]
    one, other = (int(closest_point(body.model, [point]).triangles[0]) for body, point in zip((a, b), own))
    return (one, other), points


class Touch:
    """Two bodies in contact: triangles at once; points, normals and depths when they are first asked
    for."""

    __slots__ = ("_details", "_points", "a", "b", "names", "triangles")

    def __init__(self, a: Body, b: Body, triangles: NDArray[np.int64]) -> None:
        self.a, self.b, self.names = a.still(), b.still(), (a.name, b.name)
        self._details: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None
        self._points: NDArray[np.float64] | None = None
        self.triangles = triangles
        if not len(triangles):
            # One is inside the other: one contact, at the deepest point.
            at = distance(a.model, b.model, pose_a=a.pose, pose_b=b.pose, solid=True, rel_error=0.01)
            self.triangles, self._points = np.array([at.triangles]), at.points.mean(axis=0)[None]
            length, normal = depth_of(self.a, self.b)
            self._details = normal[None], np.array([length])

    def points(self) -> NDArray[np.float64]:
        """(n, 3): the middles of what the triangles share."""
        if self._points is None:
            self._points = _native.placed_middles(self.a.placed(), self.b.placed(), self.triangles)
        return self._points

    def __len__(self) -> int:
        return len(self.triangles)

    def details(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Normals (n, 3) and depths (n,)."""
        if self._details is None:
            self._details = self._computed()
        return self._details

    def _computed(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        a, b, count = self.a, self.b, len(self)
        if all(body.is_solid and body.is_convex for body in (a, b)):
            # Of convex solids all contacts are one, and the way out is known.
            length, normal = depth_of(a, b)
            if length > 0.0:
                return np.tile(normal, (count, 1)), np.full(count, length)
        joined = regions(a.model, b.model, pose_a=a.pose, pose_b=b.pose, most_points=1)
        region_of = np.repeat(np.arange(len(joined)), np.diff(joined.triangle_starts))
        # Regions list the same pairs of triangles, contact by contact.
        by_region = np.lexsort((joined.triangles[:, 1], joined.triangles[:, 0]))
        by_contact = np.lexsort((self.triangles[:, 1], self.triangles[:, 0]))
        region = np.empty(count, dtype=np.int64)
        region[by_contact] = region_of[by_region]
        return joined.normals[region], joined.depths[region]


class ContactData:
    """A contact of two objects."""

    __slots__ = ("_index", "_touch")

    def __init__(self, touch: Touch, index: int) -> None:
        self._touch, self._index = touch, index

    @property
    def names(self) -> set[Any]:
        """Of the two objects."""
        return set(self._touch.names)

    @property
    def normal(self) -> NDArray[np.float64]:
        """The way out for the second object: a unit vector in the world."""
        normal: NDArray[np.float64] = self._touch.details()[0][self._index]
        return normal

    @property
    def point(self) -> NDArray[np.float64]:
        """The middle of what the two triangles share, in the world."""
        point: NDArray[np.float64] = self._touch.points()[self._index]
        return point

    @property
    def depth(self) -> float:
        """How deep the deepest point of this contact is inside the other object."""
        return float(self._touch.details()[1][self._index])

    def index(self, name: Any) -> int:
        """The triangle in contact of the object with this name."""
        return int(self._touch.triangles[self._index][self._touch.names.index(name)])


class DistanceData:
    """A distance of two objects."""

    def __init__(
        self, names: tuple[Any, Any], triangles: tuple[int, int], points: NDArray[np.float64], length: float
    ) -> None:
        self.names = set(names)
        self._inds: dict[Any, int] = dict(zip(names, triangles))
        self._points: dict[Any, NDArray[np.float64]] = dict(zip(names, points))
        self._distance = length

    @property
    def distance(self) -> float:
        """How far apart they are."""
        return self._distance

    def index(self, name: Any) -> int:
        """The nearest triangle of the object with this name."""
        return self._inds[name]

    def point(self, name: Any) -> NDArray[np.float64]:
        """The nearest point of the object with this name, in the world."""
        return self._points[name]
