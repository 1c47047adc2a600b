"""What is answered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
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


def _decided(verdict: bool | None) -> bool:
    if verdict is None:
        raise ValueError("undecided: the budget ran out first")
    return verdict


def _known(verdict: int) -> bool | None:
    return None if verdict < 0 else verdict == 1


@dataclass(frozen=True, slots=True)
class Collision:
    """Do they touch? True in an ``if`` when they do; an error there when the budget ran out."""

    touching: bool | None
    """None when the budget ran out first."""
    triangles: tuple[int, int] | None
    """Two triangles that touch: of a, of b."""
    work: Work

    def __bool__(self) -> bool:
        return _decided(self.touching)


@dataclass(frozen=True, slots=True)
class Collisions:
    """The same for k poses."""

    touching: NDArray[np.bool_]
    """(k,): certainly."""
    known: NDArray[np.bool_]
    """(k,): false where the budget ran out first."""
    triangles: NDArray[np.int64]
    """(k, 2): two triangles that touch, or -1."""
    work: NDArray[np.uint64]
    """(k, 3): n_v, n_p and n_u."""

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


@dataclass(frozen=True, slots=True)
class Withins:
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


@dataclass(frozen=True, slots=True)
class Distance:
    """How far apart they are: an interval, closed to a number unless a tolerance or a budget was given."""

    lower: float
    """The distance is at least this."""
    upper: float
    """The distance is at most this. Zero exactly when they touch."""
    points: NDArray[np.float64]
    """(2, 3): a point of a and a point of b that are ``upper`` apart, in the world."""
    triangles: tuple[int, int]
    """The triangles these are on; a seed for the next query."""
    work: Work


@dataclass(frozen=True, slots=True)
class Distances:
    """The same for k poses."""

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


@dataclass(frozen=True, slots=True)
class Contacts:
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
        """Corners of what a pair of triangles shares, in the world."""
        return self.points[self.point_starts[pair] : self.point_starts[pair + 1]]

    def split(self) -> Iterator[NDArray[np.int64]]:
        """The pairs of one pose after the other."""
        return (self.triangles[start:end] for start, end in zip(self.starts[:-1], self.starts[1:]))


@dataclass(frozen=True, slots=True)
class NearPairs:
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
