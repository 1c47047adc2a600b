"""When time is short: sphere-trees that are refined until a budget ends, and estimates from
averages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, overload

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._native import Model, Query, SphereTree
from ._query import Pose, Poses, Progress, Seed, query, whole
from ._results import Compared, Work, decided

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._query import ManyA, ManyB, One

__all__ = ["Guess", "Guesses", "Refined", "Refineds", "Refinement", "adb", "refine"]


@dataclass(frozen=True, slots=True)
class Refined:
    """What sphere-trees tell within a budget."""

    touching: bool | None
    """None: not known yet."""
    triangles: tuple[int, int] | None
    """Two triangles that touch: of a, of b."""
    level: int
    """The deepest level whose balls have all been looked at; one more than there are when all
    triangles have."""
    lower: float
    """The distance of the surfaces is at least this."""
    upper: float
    """It is at most this."""
    work: Work

    def __bool__(self) -> bool:
        return decided(self.touching)


@dataclass(frozen=True, slots=True, eq=False)
class Refineds(Compared):
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


@overload
def refine(a: SphereTree, b: SphereTree, **given: Unpack[One]) -> Refined: ...
@overload
def refine(a: SphereTree, b: SphereTree, **given: Unpack[ManyB]) -> Refineds: ...
@overload
def refine(a: SphereTree, b: SphereTree, **given: Unpack[ManyA]) -> Refineds: ...
@query
def refine(
    a: SphereTree, b: SphereTree, *,
    pose_a: Pose | None = None, pose_b: Pose | None = None, poses_a: Poses | None = None, poses_b: Poses | None = None,
    work: int | None = None, budget_us: float | None = None, seed: Seed | None = None,
    warm: bool = False, threads: int | None = None, progress: Progress | None = None,
) -> Refined | Refineds:  # fmt: skip
    """Do the surfaces of two sphere-trees' models touch, and how far apart are they? As exact as
    the budget allows.

    Without a budget it is exact. `Refinement` goes on where it stopped, and follows bodies that
    move.

    >>> import nearhit as nh
    >>> ball = nh.SphereTree(nh.Model(([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])), depth=1, method="octree")
    >>> found = nh.refine(ball, ball, pose_b=([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 0, 9]))
    >>> found.touching, found.lower <= 9 <= found.upper
    (False, True)
    """
    _trees(a, b)
    asked = Query(
        a.model, b.model, pose_a, pose_b, poses_a, poses_b, work, budget_us, seed, warm, threads, progress
    )
    found = _native.refine(asked, a, b)
    return Refined(*found) if poses_a is None and poses_b is None else Refineds(*found)


def _trees(*given: object) -> None:
    for name, one in zip("ab", given):
        if not isinstance(one, SphereTree):
            raise TypeError(f"{name} must be a SphereTree, not {type(one).__name__}")


class Refinement:
    """Two sphere-trees in their places, refined a budget at a time. For one thread at a time.

    ``run`` goes on where the last one stopped. ``follow`` moves the bodies and keeps what is still
    certain: the smaller the move, the deeper the level from which ``run`` goes on.

    >>> import nearhit as nh
    >>> tree = nh.SphereTree(nh.Model(([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])), depth=1, method="octree")
    >>> R = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> refinement = nh.Refinement(tree, tree, pose_b=(R, [0, 0, 9]))
    >>> refinement.run(work=1).touching, refinement.run().touching
    (False, False)
    >>> refinement.follow(pose_b=(R, [0, 0, 8.5]))
    >>> found = refinement.run()
    >>> found.touching, found.lower <= 8.5 <= found.upper
    (False, True)
    """

    __slots__ = ("_a", "_b", "_moved", "_pose_a", "_pose_b", "_state")

    def __init__(self, a: SphereTree, b: SphereTree, *, pose_a: Pose | None = None, pose_b: Pose | None = None) -> None:
        _trees(a, b)
        self._a, self._b, self._pose_a, self._pose_b = a, b, pose_a, pose_b
        self._state, self._moved = _native.RefinementState(), False

    def follow(self, *, pose_a: Pose | None = None, pose_b: Pose | None = None) -> None:
        """Moves the bodies: the origin for what is left out, as everywhere."""
        self._pose_a, self._pose_b, self._moved = pose_a, pose_b, True

    def run(self, *, work: int | None = None, budget_us: float | None = None) -> Refined:
        """Goes on until everything is known, or for so many tests or microseconds. What it returns
        holds where the bodies are now."""
        asked = Query(
            self._a.model, self._b.model, self._pose_a, self._pose_b, None, None, work, budget_us, None, False, None, None
        )
        found = _native.refine_on(asked, self._a, self._b, self._state, self._moved)
        self._moved = False
        return Refined(*found)


@dataclass(frozen=True, slots=True)
class Guess:
    """What averages tell: no triangle is looked at, and a few per cent of close calls are wrong."""

    touching: bool | None
    """The guess; None when the budget ran out first."""
    probability: float
    """That they touch: calibrated, also when the budget ran out."""
    work: Work


@dataclass(frozen=True, slots=True, eq=False)
class Guesses(Compared):
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


Rule = Literal["crossings", "anywhere"]


@overload
def adb(
    a: Model, b: Model, *, p_min: float | None = ..., k_min: int | None = ..., rule: Rule = ...,
    base_rate: float | None = ..., **given: Unpack[One],
) -> Guess: ...  # fmt: skip
@overload
def adb(
    a: Model, b: Model, *, p_min: float | None = ..., k_min: int | None = ..., rule: Rule = ...,
    base_rate: float | None = ..., **given: Unpack[ManyB],
) -> Guesses: ...  # fmt: skip
@overload
def adb(
    a: Model, b: Model, *, p_min: float | None = ..., k_min: int | None = ..., rule: Rule = ...,
    base_rate: float | None = ..., **given: Unpack[ManyA],
) -> Guesses: ...  # fmt: skip
@query
def adb(
    a: Model, b: Model, *, p_min: float | None = None, k_min: int | None = None, rule: Rule = "crossings",
    base_rate: float | None = None,
    pose_a: Pose | None = None, pose_b: Pose | None = None, poses_a: Poses | None = None, poses_b: Poses | None = None,
    work: int | None = None, budget_us: float | None = None, seed: Seed | None = None,
    warm: bool = False, threads: int | None = None, progress: Progress | None = None,
) -> Guess | Guesses:  # fmt: skip
    """Do they touch, as far as flat pieces of their surfaces tell? With a probability, also when
    interrupted; 0 and 1 are certain.

    A crossing of two flat pieces ends the search, the deeper the larger ``p_min`` and ``k_min``;
    where there is none, triangles decide. With ``rule="anywhere"`` it is the paper's search
    instead: ``k_min`` pairs of boxes with an estimate of at least ``p_min`` end it, anywhere in the
    trees; where bodies pass closely it says yes too often. ``base_rate`` is how often your bodies
    touch, from 0 to 1, if you know: probabilities are calibrated for it. What the search needs is
    made when a model is first asked, and takes long for large meshes.

    >>> import nearhit as nh
    >>> a = nh.Model(([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
    >>> nh.adb(a, a, pose_b=([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 0, 9])).touching
    False
    """
    asked = Query(a, b, pose_a, pose_b, poses_a, poses_b, work, budget_us, seed, warm, threads, progress)
    least = None if k_min is None else whole("k_min", k_min, 1, 2**32 - 1)
    found = _native.adb(asked, p_min, least, rule, base_rate)
    return Guess(*found) if poses_a is None and poses_b is None else Guesses(*found)
