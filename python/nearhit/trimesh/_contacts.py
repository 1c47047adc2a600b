"""Bodies of a manager, and what is known of two of them in contact."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _native
from .._native import Model, Placed
from .._shapes import Hull
from .._solids import depth
from .._surfaces import distance
from ..fcl import CollisionObject


class Body:
    """A named mesh, where its `nearhit.fcl.CollisionObject` is."""

    __slots__ = ("_at", "_base", "_hull", "is_convex", "is_solid", "model", "name", "obj", "_seen")

    def __init__(self, name: Any, model: Model, obj: CollisionObject, is_solid: bool, is_convex: bool) -> None:
        self.name, self.model, self.obj, self.is_solid, self.is_convex = name, model, obj, is_solid, is_convex
        self._base = Placed(model, solid=is_solid, convex=is_convex)
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
    deepest = _native.placed_deepest(a.placed(), b.placed()) if solid else None
    if deepest is not None:
        triangles, points = deepest
        return triangles, points
    found = distance(a.model, b.model, pose_a=a.pose, pose_b=b.pose, solid=solid, rel_error=0.01 if solid else 0.0)
    return found.triangles, found.points


class Contacts:
    """Contacts of many pairs of bodies: triangles at once; points, normals and depths, of all
    together, when one is first asked for."""

    __slots__ = ("_middles", "_starts", "_touched", "_ways", "inside", "names", "triangles")

    def __init__(self, touched: Any, bodies: list[Body], others: list[Body]) -> None:
        pairs = [(bodies[a], others[b]) for a, b in touched.pairs.tolist()]
        self.names = [(a.name, b.name) for a, b in pairs]
        self.triangles: list[list[int]] = touched.triangles.tolist()
        starts: NDArray[np.int64] = touched.starts
        self._touched, self._starts = touched, starts
        self._ways: tuple[NDArray[np.float64], list[float]] | None = None
        self._middles: NDArray[np.float64] | None = None
        # One is inside the other: one contact, at the deepest point.
        alone = np.flatnonzero(starts[1:] == starts[:-1]).tolist()
        self.inside: dict[int, Inside] = {pair: Inside(*pairs[pair]) for pair in alone}

    def data(self) -> list[ContactData]:
        """One for each contact, pair by pair."""
        read = Read(self)
        if not self.inside:
            counts = np.diff(self._starts)
            pairs = np.repeat(np.arange(len(counts)), counts).tolist()
            return [ContactData(read, pair, index) for index, pair in enumerate(pairs)]
        starts = self._starts.tolist()
        found: list[ContactData] = []
        for pair, (start, end) in enumerate(zip(starts, starts[1:])):
            if start == end:
                found.append(ContactData(read, pair, -1))
            else:
                found += [ContactData(read, pair, index) for index in range(start, end)]
        return found

    def ways(self) -> tuple[NDArray[np.float64], list[float]]:
        """Normals and depths, in the order of the triangles."""
        if self._ways is None:
            normals, depths = self._touched.ways()
            self._ways = normals, depths.tolist()
        return self._ways

    def middles(self) -> NDArray[np.float64]:
        """The middles of what the triangles share."""
        if self._middles is None:
            self._middles = self._touched.middles()
        return self._middles


class Read:
    """Numbers of contacts for one caller, who may write to them."""

    __slots__ = ("_depths", "_normals", "_points", "contacts")

    def __init__(self, contacts: Contacts) -> None:
        self.contacts = contacts
        self._normals: list[NDArray[np.float64]] | None = None
        self._depths: list[float] | None = None
        self._points: list[NDArray[np.float64]] | None = None

    def normal(self, pair: int, index: int) -> NDArray[np.float64]:
        """The way out for the second object."""
        if index < 0:
            return self.contacts.inside[pair].normal.copy()
        if self._normals is None:
            self._normals = list(self.contacts.ways()[0].copy())
        return self._normals[index]

    def depth(self, pair: int, index: int) -> float:
        """How deep it is."""
        if index < 0:
            return self.contacts.inside[pair].depth
        if self._depths is None:
            self._depths = self.contacts.ways()[1]
        return self._depths[index]

    def point(self, pair: int, index: int) -> NDArray[np.float64]:
        """Where it is."""
        if index < 0:
            return self.contacts.inside[pair].point.copy()
        if self._points is None:
            self._points = list(self.contacts.middles().copy())
        return self._points[index]


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

    __slots__ = ("_index", "_pair", "_read")

    def __init__(self, read: Read, pair: int, index: int) -> None:
        self._read, self._pair, self._index = read, pair, index

    @property
    def names(self) -> set[Any]:
        """Of the two objects."""
        return set(self._read.contacts.names[self._pair])

    @property
    def normal(self) -> NDArray[np.float64]:
        """The way out for the second object: a unit vector in the world."""
        return self._read.normal(self._pair, self._index)

    @property
    def point(self) -> NDArray[np.float64]:
        """The middle of what the two triangles share, in the world."""
        return self._read.point(self._pair, self._index)

    @property
    def depth(self) -> float:
        """How deep the deepest point of this contact is inside the other object."""
        return self._read.depth(self._pair, self._index)

    def index(self, name: Any) -> int:
        """The triangle in contact of the object with this name."""
        contacts = self._read.contacts
        side = contacts.names[self._pair].index(name)
        if self._index < 0:
            return int(contacts.inside[self._pair].triangles[side])
        return contacts.triangles[self._index][side]


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


class Gap:
    """The least distance of any two objects; where it is, is found out when first asked for."""

    __slots__ = ("_a", "_at", "_b", "_places", "_touch", "length", "names")

    def __init__(self, a: Body, b: Body, length: float, touch: bool, last: Gap | None = None) -> None:
        self._a, self._b, self._touch, self.length = a, b, touch, length
        self.names = (a.name, b.name)
        self._places = (a.placed(), b.placed())
        # The last answer's, if neither has moved since.
        same = last is not None and all(now is then for now, then in zip(self._places, last._places))
        self._at: tuple[tuple[int, int], NDArray[np.float64]] | None = last._at if same and last else None

    def data(self) -> DistanceData:
        """To be asked for before anything moves. The caller's own."""
        if self._at is None:
            self._at = nearest_points(self._a, self._b, self._touch)
        triangles, points = self._at
        return DistanceData(self.names, triangles, points.copy(), self.length)
