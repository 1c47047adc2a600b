"""Bodies of a manager, and what is known of two of them in contact."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _native
from .._native import Model, Placed
from .._points import closest_point
from .._shapes import Hull
from .._solids import depth
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

    def side(self) -> tuple[Placed, Placed | None]:
        """Where it is now, whatever happens to the object; and its hull if it is a convex solid."""
        if not (self.is_convex and self.is_solid):
            return self.placed(), None
        if self._hull is None:
            self._hull = Placed(Hull(self.model.vertices))
        return self.placed(), self._hull


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


class Contacts:
    """Contacts of many pairs of bodies: triangles at once; points, normals and depths, of all
    together, when one is first asked for."""

    __slots__ = ("_pairs", "_points", "_starts", "_ways", "inside", "names", "triangles")

    def __init__(
        self, pairs: list[tuple[Body, Body]], starts: NDArray[np.int64], triangles: NDArray[np.int64]
    ) -> None:
        self.names = [(a.name, b.name) for a, b in pairs]
        self.triangles: list[list[int]] = triangles.tolist()
        self._pairs = [(a.side(), b.side()) for a, b in pairs]
        self._starts = starts
        self._ways: tuple[list[NDArray[np.float64]], list[float]] | None = None
        self._points: list[NDArray[np.float64]] | None = None
        # One is inside the other: one contact, at the deepest point.
        alone = np.flatnonzero(starts[1:] == starts[:-1]).tolist()
        self.inside: dict[int, Inside] = {pair: Inside(*pairs[pair]) for pair in alone}

    def data(self) -> list[ContactData]:
        """One for each contact, pair by pair."""
        starts = self._starts.tolist()
        found: list[ContactData] = []
        for pair, (start, end) in enumerate(zip(starts, starts[1:])):
            if start == end:
                found.append(ContactData(self, pair, -1))
            else:
                found += [ContactData(self, pair, index) for index in range(start, end)]
        return found

    def ways(self) -> tuple[list[NDArray[np.float64]], list[float]]:
        """Normals and depths, in the order of the triangles."""
        if self._ways is None:
            normals, depths = _native.placed_ways(self._pairs, self._starts, self._rows())
            self._ways = list(normals), depths.tolist()
        return self._ways

    def points(self) -> list[NDArray[np.float64]]:
        """The middles of what the triangles share."""
        if self._points is None:
            self._points = list(_native.placed_middles(self._pairs, self._starts, self._rows()))
        return self._points

    def _rows(self) -> NDArray[np.int64]:
        return np.array(self.triangles, dtype=np.int64).reshape(-1, 2)


class Inside:
    """Two solids, one inside the other: their only contact."""

    __slots__ = ("depth", "normal", "point", "triangles")

    def __init__(self, a: Body, b: Body) -> None:
        at = distance(a.model, b.model, pose_a=a.pose, pose_b=b.pose, solid=True, rel_error=0.01)
        self.triangles = at.triangles
        self.point: NDArray[np.float64] = at.points.mean(axis=0)
        self.depth, self.normal = depth_of(a, b)


class ContactData:
    """A contact of two objects."""

    __slots__ = ("_contacts", "_index", "_pair")

    def __init__(self, contacts: Contacts, pair: int, index: int) -> None:
        self._contacts, self._pair, self._index = contacts, pair, index

    @property
    def names(self) -> set[Any]:
        """Of the two objects."""
        return set(self._contacts.names[self._pair])

    @property
    def normal(self) -> NDArray[np.float64]:
        """The way out for the second object: a unit vector in the world."""
        if self._index < 0:
            return self._contacts.inside[self._pair].normal
        return self._contacts.ways()[0][self._index]

    @property
    def point(self) -> NDArray[np.float64]:
        """The middle of what the two triangles share, in the world."""
        if self._index < 0:
            return self._contacts.inside[self._pair].point
        return self._contacts.points()[self._index]

    @property
    def depth(self) -> float:
        """How deep the deepest point of this contact is inside the other object."""
        if self._index < 0:
            return self._contacts.inside[self._pair].depth
        return self._contacts.ways()[1][self._index]

    def index(self, name: Any) -> int:
        """The triangle in contact of the object with this name."""
        side = self._contacts.names[self._pair].index(name)
        if self._index < 0:
            return int(self._contacts.inside[self._pair].triangles[side])
        return self._contacts.triangles[self._index][side]


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
