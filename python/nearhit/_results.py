"""What is answered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Work(NamedTuple):
    """Work done by a query, in the papers' units."""

    n_v: int
    """Pairs of volumes tested."""
    n_p: int
    """Pairs of triangles tested."""
    n_u: int
    """Volumes of a brought into b's frame."""


class _Compared:
    """Results that hold arrays: equal when all of their numbers are."""

    __slots__ = ()
    __hash__ = None

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        mine, theirs = ([getattr(one, field.name) for field in fields(one)] for one in (self, other))
        return all(_same(one, another) for one, another in zip(mine, theirs))


def _same(one, another) -> bool:
    if one is None or another is None:
        return one is another
    one, another = np.asarray(one), np.asarray(another)
    return np.array_equal(one, another, equal_nan=one.dtype.kind == "f" and another.dtype.kind == "f")


def _decided(verdict: bool | None) -> bool:
    if verdict is None:
        raise ValueError("undecided: the budget ran out first")
    return verdict


def _known(verdict: int) -> bool | None:
    return None if verdict < 0 else verdict == 1


@dataclass(frozen=True, slots=True, eq=False)
class Collisions(_Compared):
    """What `Collision` says, for k poses."""

    touching: NDArray[np.bool_]
    """(k,): certainly."""
    known: NDArray[np.bool_]
    """(k,): false where the budget ran out first."""
    triangles: NDArray[np.int64]
    """(k, 2): two triangles that touch, or -1."""
    work: NDArray[np.uint64]
    """(k, 3): n_v, n_p and n_u."""
    contained: NDArray[np.int8] | None = None
    """As solids, (k,): 0 or 1 where a piece of a or of b is inside the other and the surfaces do not touch, otherwise -1."""

    def __len__(self) -> int:
        return len(self.touching)


@dataclass(frozen=True, slots=True)
class Within:
    """Are they at most so far apart? True in an ``if`` when they are."""

    near: bool | None
    """None when the budget ran out first."""
    triangles: tuple[int, int] | None
    """Two triangles that near, not necessarily the nearest."""
    lower: float
    """The distance is at least this."""
    upper: float
    """The distance is at most this; infinite when nothing is known."""
    work: Work

    def __bool__(self) -> bool:
        return _decided(self.near)


@dataclass(frozen=True, slots=True, eq=False)
class Withins(_Compared):
    """The same for k poses."""

    near: NDArray[np.bool_]
    """(k,): certainly."""
    known: NDArray[np.bool_]
    """(k,): false where the budget ran out first."""
    triangles: NDArray[np.int64]
    """(k, 2): two triangles that near, or -1."""
    lower: NDArray[np.float64]
    """(k,)"""
    upper: NDArray[np.float64]
    """(k,)"""
    work: NDArray[np.uint64]
    """(k, 3): n_v, n_p and n_u."""

    def __len__(self) -> int:
        return len(self.near)


@dataclass(frozen=True, slots=True, eq=False)
class Distances(_Compared):
    """What `Distance` says, for k poses."""

    lower: NDArray[np.float64]
    """(k,)"""
    upper: NDArray[np.float64]
    """(k,)"""
    points: NDArray[np.float64]
    """(k, 2, 3), in the world."""
    triangles: NDArray[np.int64]
    """(k, 2)"""
    work: NDArray[np.uint64]
    """(k, 3): n_v, n_p and n_u."""

    def __len__(self) -> int:
        return len(self.upper)


@dataclass(frozen=True, slots=True, eq=False)
class Contacts(_Compared):
    """Every pair of triangles that share a point, ordered by a's index, then b's. Of k poses one after the other."""

    triangles: NDArray[np.int64]
    """(n, 2): of a, of b."""
    starts: NDArray[np.int64]
    """(k + 1,): the pairs of pose i are ``triangles[starts[i]:starts[i + 1]]``."""
    points: NDArray[np.float64]
    """(m, 3): corners of what the pairs share, in the world; empty unless asked for."""
    point_starts: NDArray[np.int64]
    """(n + 1,): the corners of pair i are ``points[point_starts[i]:point_starts[i + 1]]``: one for a point, two for a segment,
    more for a flat patch."""
    complete: NDArray[np.bool_]
    """(k,): false where the budget ran out: there may be more."""
    work: NDArray[np.uint64]
    """(k, 3): n_v, n_p and n_u."""

    def __len__(self) -> int:
        return len(self.triangles)

    def shared(self, pair: int) -> NDArray[np.float64]:
        """Corners of what a pair of triangles shares, in the world. As with lists, -1 is the last pair."""
        if not -len(self) <= pair < len(self):
            raise IndexError(f"there is no pair {pair}: there are {len(self)}")
        if len(self.point_starts) <= len(self):
            raise ValueError("ask for contacts with points=True")
        pair %= len(self)
        return self.points[self.point_starts[pair] : self.point_starts[pair + 1]]

    def split(self) -> Iterator[NDArray[np.int64]]:
        """The pairs of one pose after the other."""
        return (self.triangles[start:end] for start, end in zip(self.starts[:-1], self.starts[1:]))


@dataclass(frozen=True, slots=True, eq=False)
class NearPairs(_Compared):
    """Pairs of triangles and how far apart they are. Of k poses one after the other."""

    triangles: NDArray[np.int64]
    """(n, 2): of a, of b."""
    distances: NDArray[np.float64]
    """(n,)"""
    starts: NDArray[np.int64]
    """(k + 1,): the pairs of pose i are ``triangles[starts[i]:starts[i + 1]]``."""
    complete: NDArray[np.bool_]
    """(k,): false where the budget ran out: some may be missing."""
    work: NDArray[np.uint64]
    """(k, 3): n_v, n_p and n_u."""

    def __len__(self) -> int:
        return len(self.triangles)

    def split(self) -> Iterator[NDArray[np.int64]]:
        """The pairs of one pose after the other."""
        return (self.triangles[start:end] for start, end in zip(self.starts[:-1], self.starts[1:]))


@dataclass(frozen=True, slots=True, eq=False)
class Depth(_Compared):
    """How to get b out of a: an interval for the length of the shortest translation."""

    lower: float
    """No shorter translation separates them."""
    upper: float
    """The length of ``translation``; zero if they are not in contact."""
    translation: NDArray[np.float64]
    """(3,): moves b, in the world, so that they are apart."""
    convex: bool
    """Are both convex? Then the bounds are as good as equal."""
    work: Work


@dataclass(frozen=True, slots=True, eq=False)
class Depths(_Compared):
    """The same for k poses."""

    lower: NDArray[np.float64]
    """(k,)"""
    upper: NDArray[np.float64]
    """(k,)"""
    translation: NDArray[np.float64]
    """(k, 3)"""
    convex: NDArray[np.bool_]
    """(k,)"""
    work: NDArray[np.uint64]
    """(k, 3): n_v, n_p and n_u."""

    def __len__(self) -> int:
        return len(self.upper)


@dataclass(frozen=True, slots=True, eq=False)
class Regions(_Compared):
    """Connected contacts of two solids. Of k poses one after the other."""

    normals: NDArray[np.float64]
    """(n, 3): the way out for b, in the world."""
    depths: NDArray[np.float64]
    """(n,): of the deepest point of each region below the other surface."""
    points: NDArray[np.float64]
    """(m, 2, 3): points of contact on a and on b, in the world; of each region the deepest first."""
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


@dataclass(frozen=True, slots=True)
class Refined:
    """What sphere-trees tell within a budget."""

    touching: bool | None
    """None: not known yet."""
    triangles: tuple[int, int] | None
    """Two triangles that touch: of a, of b."""
    level: int
    """The deepest level whose balls have all been looked at; one more than there are when all triangles have."""
    lower: float
    """The distance of the surfaces is at least this."""
    upper: float
    """It is at most this."""
    work: Work

    def __bool__(self) -> bool:
        return _decided(self.touching)


@dataclass(frozen=True, slots=True, eq=False)
class Refineds(_Compared):
    """The same for k poses."""

    touching: NDArray[np.bool_]
    """(k,): certainly."""
    known: NDArray[np.bool_]
    """(k,)"""
    triangles: NDArray[np.int64]
    """(k, 2): two triangles that touch, or -1."""
    level: NDArray[np.uint32]
    """(k,)"""
    lower: NDArray[np.float64]
    """(k,)"""
    upper: NDArray[np.float64]
    """(k,)"""
    work: NDArray[np.uint64]
    """(k, 3): n_v, n_p and n_u."""

    def __len__(self) -> int:
        return len(self.touching)


@dataclass(frozen=True, slots=True)
class Guess:
    """What averages tell: no triangle is looked at, and a few per cent of close calls are wrong."""

    touching: bool | None
    """The guess; None when the budget ran out first."""
    probability: float
    """That they touch: calibrated, also when the budget ran out."""
    work: Work


@dataclass(frozen=True, slots=True, eq=False)
class Guesses(_Compared):
    """The same for k poses."""

    touching: NDArray[np.bool_]
    """(k,)"""
    known: NDArray[np.bool_]
    """(k,): false where the budget ran out first."""
    probability: NDArray[np.float64]
    """(k,)"""
    work: NDArray[np.uint64]
    """(k, 3): n_v, n_p and n_u."""

    def __len__(self) -> int:
        return len(self.touching)


class Closest(NamedTuple):
    """Points of a surface nearest to given ones."""

    points: NDArray[np.float64]
    """(n, 3)"""
    distances: NDArray[np.float64]
    """(n,); of ``signed_distance`` negative inside."""
    triangles: NDArray[np.int64]
    """(n,): the triangle each is on."""


class Hits(NamedTuple):
    """What rays hit first."""

    triangles: NDArray[np.int64]
    """(n,): -1 where nothing is hit."""
    distances: NDArray[np.float64]
    """(n,): along the ray; infinite where nothing is hit."""
    points: NDArray[np.float64]
    """(n, 3): NaN where nothing is hit."""


class AllHits(NamedTuple):
    """All that rays hit, one ray after the other, nearest first."""

    triangles: NDArray[np.int64]
    """(m,)"""
    distances: NDArray[np.float64]
    """(m,)"""
    points: NDArray[np.float64]
    """(m, 3)"""
    starts: NDArray[np.int64]
    """(n + 1,): the hits of ray i are those from ``starts[i]`` to ``starts[i + 1]``."""


class NearTriangles(NamedTuple):
    """The triangles nearest to points, one point after the other, nearest first."""

    triangles: NDArray[np.int64]
    """(m,)"""
    distances: NDArray[np.float64]
    """(m,)"""
    starts: NDArray[np.int64]
    """(n + 1,): those of point i are from ``starts[i]`` to ``starts[i + 1]``."""


class Touch(NamedTuple):
    """Two bodies of a scene in contact."""

    a: str
    b: str
    triangles: tuple[int, int] | NDArray[np.int64] | None
    """Two triangles that touch, or all that do: (n, 2). None, or no rows, where one solid is inside the other."""
    part_a: str
    """The part of a; its own name if it has no others."""
    part_b: str
    inside: str | None = None
    """Of solids whose surfaces do not touch: "a" or "b", which of the two, or a piece of it, is inside the other."""


class Gap(NamedTuple):
    """Two bodies of a scene and how far apart they are."""

    a: str
    b: str
    found: tuple[float, NDArray[np.float64], tuple[int, int]]
    part_a: str
    """The part of a; its own name if it has no others."""
    part_b: str

    @property
    def distance(self) -> float:
        """How far apart they are. Of two solids in contact minus their depth: the upper end of ``nearhit.distance(..., solid=True)``."""
        return self.found[0]

    @property
    def points(self) -> NDArray[np.float64]:
        """(2, 3): the nearest points of a and of b, in the world."""
        return self.found[1]

    @property
    def triangles(self) -> tuple[int, int]:
        """The triangles these are on."""
        return self.found[2]
