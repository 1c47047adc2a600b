"""Where do two bodies touch? Which triangles of two models are near each other: lists of pairs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._native import Query
from ._query import Pose, Poses, Progress, Seed, at_least_zero, query
from ._results import Compared

if TYPE_CHECKING:
    from ._native import Body, Mesh

__all__ = ["Contacts", "NearPairs", "contacts", "nearest_pairs", "pairs_within"]


@dataclass(frozen=True, slots=True, eq=False)
class Contacts(Compared):
    """Every pair of triangles that share a point, ordered by a's index, then b's. Of k poses one
    after the other. Where one of the two is a shape: a contact for each pair of pieces that touch."""

    triangles: NDArray[np.int64]
    """(n, 2): of a, of b; -1 for a convex shape."""
    starts: NDArray[np.int64]
    """(k + 1,): the pairs of pose i are ``triangles[starts[i]:starts[i + 1]]``."""
    points: NDArray[np.float64]
    """(m, 3): corners of what the pairs share, in the world; empty unless asked for. Of a shape,
    (n, 3): half-way between the two points that lie deepest in the other."""
    point_starts: NDArray[np.int64]
    """(n + 1,): the corners of pair i are ``points[point_starts[i]:point_starts[i + 1]]``: one for
    a point, two for a segment, more for a flat patch."""
    complete: NDArray[np.bool_]
    """(k,): false where the budget ran out: there may be more."""
    work: NDArray[np.uint64]
    """(k, 3): n_v, n_p and n_u."""
    normals: NDArray[np.float64] | None = None
    """Where one is a shape, (n, 3): unit vectors from a to b, the shortest way out for b, in the
    world."""
    depths: NDArray[np.float64] | None = None
    """Where one is a shape, (n,): how far b would have to move along the normal to touch only, at
    most."""

    def __len__(self) -> int:
        return len(self.triangles)

    def shared(self, pair: int) -> NDArray[np.float64]:
        """Corners of what a pair of triangles shares, in the world. As with lists, -1 is the last
        pair."""
        if not -len(self) <= pair < len(self):
            raise IndexError(f"there is no pair {pair}: there are {len(self)}")
        if len(self.point_starts) <= len(self):
            raise ValueError("ask for contacts with points=True")
        pair %= len(self)
        return self.points[self.point_starts[pair] : self.point_starts[pair + 1]]

    def split(self) -> Iterator[NDArray[np.int64]]:
        """The pairs of one pose after the other."""
        return (self.triangles[start:end] for start, end in zip(self.starts[:-1], self.starts[1:]))


@query
def contacts(
    a: Body, b: Body, *, points: bool = False,
    pose_a: Pose | None = None, pose_b: Pose | None = None, poses_a: Poses | None = None, poses_b: Poses | None = None,
    work: int | None = None, budget_us: float | None = None, seed: Seed | None = None,
    warm: bool = False, threads: int | None = None, progress: Progress | None = None,
) -> Contacts:  # fmt: skip
    """Which triangles touch? With ``points``, also along what. Of shapes: where, which way out and
    how deep; one contact for two convex shapes, one for each triangle, point or cell that touches
    otherwise. A shape wholly inside of a model touches no triangle.

    >>> import nearhit as nh
    >>> a = nh.Model(([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
    >>> upright = [[1, 0, 0], [0, 0, -1], [0, 1, 0]]
    >>> found = nh.contacts(a, a, pose_b=(upright, [0, 0.25, -0.5]), points=True)
    >>> found.triangles
    array([[0, 0]])
    >>> found.shared(0)
    array([[0.  , 0.25, 0.  ],
           [0.5 , 0.25, 0.  ]])
    >>> R = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> ball = nh.contacts(nh.Ball(1), nh.Box(2, 2, 2), pose_b=(R, [1.75, 0, 0]))
    >>> ball.triangles, ball.points.round(12), ball.normals.round(12), ball.depths.round(12)
    (array([[-1, -1]]), array([[0.875, 0.   , 0.   ]]), array([[1., 0., 0.]]), array([0.25]))
    """
    asked = Query(a, b, pose_a, pose_b, poses_a, poses_b, work, budget_us, seed, warm, threads, progress)
    return Contacts(*(_native.shape_contacts(asked) or _native.contacts(asked, points)))


@dataclass(frozen=True, slots=True, eq=False)
class NearPairs(Compared):
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


@query
def nearest_pairs(
    a: Mesh, b: Mesh, count: int, *,
    pose_a: Pose | None = None, pose_b: Pose | None = None, poses_a: Poses | None = None, poses_b: Poses | None = None,
    work: int | None = None, budget_us: float | None = None, seed: Seed | None = None,
    warm: bool = False, threads: int | None = None, progress: Progress | None = None,
) -> NearPairs:  # fmt: skip
    """The ``count`` nearest pairs of triangles, nearest first; ties by index.

    >>> import nearhit as nh
    >>> a = nh.Model(([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 5]], [[0, 1, 2], [3, 3, 3]]))
    >>> R = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> nh.nearest_pairs(a, a, 2, pose_b=(R, [0, 0, 1])).distances
    array([1., 1.])
    """
    asked = Query(a, b, pose_a, pose_b, poses_a, poses_b, work, budget_us, seed, warm, threads, progress)
    return NearPairs(*_native.nearest_pairs(asked, at_least_zero(count, "count")))


@query
def pairs_within(
    a: Mesh, b: Mesh, limit: float, *,
    pose_a: Pose | None = None, pose_b: Pose | None = None, poses_a: Poses | None = None, poses_b: Poses | None = None,
    work: int | None = None, budget_us: float | None = None, seed: Seed | None = None,
    warm: bool = False, threads: int | None = None, progress: Progress | None = None,
) -> NearPairs:  # fmt: skip
    """All pairs of triangles that are at most ``limit`` apart, ordered by a's index, then b's.

    >>> import nearhit as nh
    >>> a = nh.Model(([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
    >>> R = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> nh.pairs_within(a, a, 1.5, pose_b=(R, [0, 0, 1])).triangles
    array([[0, 0]])
    """
    asked = Query(a, b, pose_a, pose_b, poses_a, poses_b, work, budget_us, seed, warm, threads, progress)
    return NearPairs(*_native.pairs_within(asked, at_least_zero(limit, "limit")))
