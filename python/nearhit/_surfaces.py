"""Do two models or shapes touch, are they near, how far apart are they? Models are surfaces, or with
``solid=True`` solids; shapes are always solids, and a model beside one is a surface."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._native import Collision, Distance, Query
from ._query import Pose, Poses, Progress, Seed, at_least_zero, query
from ._results import Compared, Work, decided

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._native import Body
    from ._query import ManyA, ManyB, One

__all__ = [
    "Collision", "Collisions", "Distance", "Distances", "PathClearance", "Within", "Withins",
    "collide", "distance", "path", "within",
]  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Collisions(Compared):
    """What `Collision` says, for k poses."""

    touching: NDArray[np.bool_]
    """(k,): certainly."""
    known: NDArray[np.bool_]
    """(k,): false where the budget ran out first."""
    triangles: NDArray[np.int64]
    """(k, 2): two triangles that touch, or -1; of a shape always -1."""
    work: NDArray[np.uint64]
    """(k, 3): n_v, n_p and n_u."""
    contained: NDArray[np.int8] | None = None
    """As solids, (k,): 0 or 1 where a piece of a or of b is inside the other and the surfaces do
    not touch, otherwise -1."""

    @property
    def complete(self) -> NDArray[np.bool_]:
        """(k,): false where the budget ran out first; the same as ``known``."""
        return self.known

    def __len__(self) -> int:
        return len(self.touching)


@overload
def collide(a: Body, b: Body, *, solid: bool = ..., **given: Unpack[One]) -> Collision: ...
@overload
def collide(a: Body, b: Body, *, solid: bool = ..., **given: Unpack[ManyB]) -> Collisions: ...
@overload
def collide(a: Body, b: Body, *, solid: bool = ..., **given: Unpack[ManyA]) -> Collisions: ...
@query
def collide(
    a: Body, b: Body, *, solid: bool = False,
    pose_a: Pose | None = None, pose_b: Pose | None = None, poses_a: Poses | None = None, poses_b: Poses | None = None,
    work: int | None = None, budget_us: float | None = None, seed: Seed | None = None,
    warm: bool = False, threads: int | None = None, progress: Progress | None = None,
) -> Collision | Collisions:  # fmt: skip
    """Do they touch? As solids (``solid``): is there a common point, inside counts?

    Where one is a shape, inside of it counts; ``solid`` is for two models.

    >>> import nearhit as nh, numpy as np
    >>> a = nh.Model(([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
    >>> bool(nh.collide(a, a))
    True
    >>> far = np.array([np.eye(4), np.eye(4)])
    >>> far[1, :3, 3] = [0, 0, 1e-9]
    >>> nh.collide(a, a, poses_b=far).touching
    array([ True, False])
    >>> bool(nh.collide(nh.Ball(1), a))
    True
    """
    asked = Query(a, b, pose_a, pose_b, poses_a, poses_b, work, budget_us, seed, warm, threads, progress)
    found = _native.solid_collide(asked) if solid else _native.collide(asked)
    return found if type(found) is Collision else Collisions(*found)


@dataclass(frozen=True, slots=True)
class Within:
    """Are they at most so far apart? True in an ``if`` when they are."""

    near: bool | None
    """None when the budget ran out first."""
    triangles: tuple[int, int] | None
    """Two triangles that near, not necessarily the nearest. -1 stands for a convex shape, None for two."""
    lower: float
    """The distance is at least this."""
    upper: float
    """The distance is at most this; infinite when nothing is known."""
    work: Work

    @property
    def complete(self) -> bool:
        """False when the budget ran out first."""
        return self.near is not None

    def __bool__(self) -> bool:
        return decided(self.near)


@dataclass(frozen=True, slots=True, eq=False)
class Withins(Compared):
    """The same for k poses."""

    near: NDArray[np.bool_]
    """(k,): certainly."""
    known: NDArray[np.bool_]
    """(k,): false where the budget ran out first."""
    triangles: NDArray[np.int64]
    """(k, 2): two triangles that near, or -1; of a shape always -1."""
    lower: NDArray[np.float64]
    """(k,)"""
    upper: NDArray[np.float64]
    """(k,)"""
    work: NDArray[np.uint64]
    """(k, 3): n_v, n_p and n_u."""

    @property
    def complete(self) -> NDArray[np.bool_]:
        """(k,): false where the budget ran out first; the same as ``known``."""
        return self.known

    def __len__(self) -> int:
        return len(self.near)


@overload
def within(a: Body, b: Body, limit: float, *, solid: bool = ..., **given: Unpack[One]) -> Within: ...
@overload
def within(a: Body, b: Body, limit: float, *, solid: bool = ..., **given: Unpack[ManyB]) -> Withins: ...
@overload
def within(a: Body, b: Body, limit: float, *, solid: bool = ..., **given: Unpack[ManyA]) -> Withins: ...
@query
def within(
    a: Body, b: Body, limit: float, *, solid: bool = False,
    pose_a: Pose | None = None, pose_b: Pose | None = None, poses_a: Poses | None = None, poses_b: Poses | None = None,
    work: int | None = None, budget_us: float | None = None, seed: Seed | None = None,
    warm: bool = False, threads: int | None = None, progress: Progress | None = None,
) -> Within | Withins:  # fmt: skip
    """Are they at most ``limit`` apart? The same as ``distance <= limit``, and cheaper.

    The distance of a shape is known as an interval: there it is the same as
    ``distance(...).lower <= limit``, so that no means proven to be farther apart.

    As solids (``solid``) the limit may be negative: are they at least that deep in each other?

    >>> import nearhit as nh
    >>> a = nh.Model(([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
    >>> R = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> bool(nh.within(a, a, 0.25, pose_b=(R, [0, 0, 0.5])))
    False
    >>> bool(nh.within(a, a, 0.5, pose_b=(R, [0, 0, 0.5])))
    True
    """
    asked = Query(a, b, pose_a, pose_b, poses_a, poses_b, work, budget_us, seed, warm, threads, progress)
    if not solid:
        found = _native.within(asked, at_least_zero(limit, "limit"))
    elif limit != limit:
        raise ValueError(f"limit must be a number, not {limit}")
    else:
        found = _native.solid_within(asked, limit)
    return Within(*found) if poses_a is None and poses_b is None else Withins(*found)


@dataclass(frozen=True, slots=True, eq=False)
class Distances(Compared):
    """What `Distance` says, for k poses."""

    lower: NDArray[np.float64]
    """(k,)"""
    upper: NDArray[np.float64]
    """(k,)"""
    points: NDArray[np.float64]
    """(k, 2, 3), in the world."""
    triangles: NDArray[np.int64]
    """(k, 2); of a shape always -1"""
    work: NDArray[np.uint64]
    """(k, 3): n_v, n_p and n_u."""
    complete: NDArray[np.bool_]
    """(k,): false where the budget ran out first."""

    def __len__(self) -> int:
        return len(self.upper)


@overload
def distance(
    a: Body, b: Body, *, rel_error: float = ..., abs_error: float = ..., solid: bool = ..., **given: Unpack[One]
) -> Distance: ...
@overload
def distance(
    a: Body, b: Body, *, rel_error: float = ..., abs_error: float = ..., solid: bool = ..., **given: Unpack[ManyB]
) -> Distances: ...
@overload
def distance(
    a: Body, b: Body, *, rel_error: float = ..., abs_error: float = ..., solid: bool = ..., **given: Unpack[ManyA]
) -> Distances: ...
@query
def distance(
    a: Body, b: Body, *, rel_error: float = 0.0, abs_error: float = 0.0, solid: bool = False,
    pose_a: Pose | None = None, pose_b: Pose | None = None, poses_a: Poses | None = None, poses_b: Poses | None = None,
    work: int | None = None, budget_us: float | None = None, seed: Seed | None = None,
    warm: bool = False, threads: int | None = None, progress: Progress | None = None,
) -> Distance | Distances:  # fmt: skip
    """How far apart are they? ``rel_error`` and ``abs_error`` say how much larger ``upper`` may be
    than the distance.

    As solids (``solid``) the distance has a sign: below zero it is how deep the deepest point of
    one surface lies inside the other.

    >>> import nearhit as nh
    >>> a = nh.Model(([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
    >>> R = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> found = nh.distance(a, a, pose_b=(R, [0, 0, 2]))
    >>> found.lower, found.upper, found.triangles
    (2.0, 2.0, (0, 0))
    >>> found.points[1] - found.points[0]
    array([0., 0., 2.])
    """
    if not (rel_error >= 0 and abs_error >= 0):
        at_least_zero(rel_error, "rel_error")
        at_least_zero(abs_error, "abs_error")
    asked = Query(a, b, pose_a, pose_b, poses_a, poses_b, work, budget_us, seed, warm, threads, progress)
    ask = _native.solid_distance if solid else _native.distance
    found = ask(asked, rel_error, abs_error)
    return found if type(found) is Distance else Distances(*found)


@dataclass(frozen=True, slots=True, eq=False)
class PathClearance(Compared):
    """The smallest clearance along a path, and where. True in an ``if`` when they touch somewhere."""

    pose: int
    """The pose at which they are closest, from 0; of several the first."""
    lower: float
    """At every pose they are at least so far apart; 0 if they touch somewhere."""
    upper: float
    """At ``pose`` they are at most so far apart."""
    points: NDArray[np.float64]
    """(2, 3): the closest points there, on a and on b, in the world."""
    triangles: tuple[int, int] | None
    """The closest triangles there. -1 stands for a convex shape, None for two."""
    work: Work
    asked: int
    """How many poses were asked about; the others are known by these."""
    complete: bool
    """False when the budget ran out first."""

    @property
    def touching(self) -> bool | None:
        """Do they touch somewhere? None when the budget ran out first."""
        if self.lower > 0:
            return False
        return True if self.upper == 0 or self.complete else None

    @property
    def first_contact(self) -> int | None:
        """The first pose at which they touch; None if there is none, or the budget ran out first."""
        return self.pose if self.complete and self.touching else None

    def __bool__(self) -> bool:
        return decided(self.touching)


@query
def path(
    a: Body, b: Body, *, solid: bool = False,
    pose_a: Pose | None = None, pose_b: Pose | None = None, poses_a: Poses | None = None, poses_b: Poses | None = None,
    work: int | None = None, budget_us: float | None = None, seed: Seed | None = None,
) -> PathClearance:  # fmt: skip
    """Where are they closest along a path, and where do they touch first?

    The poses of a batch as one question, in one thread. The answer is that of `distance` at every
    pose, but most are not asked about: while no point has moved as far as the bodies are apart they
    cannot touch. As solids (``solid``) a part inside another touches it. What happens between two
    poses is not looked at. ``poses_a`` or ``poses_b`` is the path; ``pose_a`` or ``pose_b`` places
    the body that stands still. A budget (``work`` or ``budget_us``) is one for the whole path;
    ``seed`` is a pair of triangles to begin with.

    >>> import nearhit as nh, numpy as np
    >>> post, arm = nh.Ball(0.5), nh.Ball(0.1)
    >>> poses = np.tile(np.eye(4), (1000, 1, 1))
    >>> poses[:, 0, 3], poses[:, 1, 3] = np.linspace(-5, 4.99, 1000), 1
    >>> found = nh.path(post, arm, poses_b=poses)
    >>> found.pose, round(found.upper, 9), bool(found), found.asked < 250
    (500, 0.4, False, True)
    """
    asked = Query(a, b, pose_a, pose_b, poses_a, poses_b, work, budget_us, seed, False, None, None)
    return PathClearance(*_native.path(asked, solid))
