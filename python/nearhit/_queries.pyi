from collections.abc import Callable
from typing import Literal, overload

from numpy.typing import ArrayLike

from ._native import Collision, Distance, Model, SphereTree
from ._results import (
    Collisions,
    Contacts,
    Depth,
    Depths,
    Distances,
    Guess,
    Guesses,
    NearPairs,
    Refined,
    Refineds,
    Regions,
    Within,
    Withins,
)

Pose = ArrayLike | tuple[ArrayLike, ArrayLike]
"""A (4, 4) matrix, or a rotation and a translation."""
Poses = ArrayLike | tuple[ArrayLike, ArrayLike]
"""k of them: (k, 4, 4), or (k, 3, 3) and (k, 3)."""

@overload
def collide(
    a: Model,
    b: Model,
    *,
    pose_a: Pose | None = None,
    pose_b: Pose | None = None,
    solid: bool = False,
    work: int | None = None,
    budget_us: float | None = None,
    seed: tuple[int, int] | None = None,
) -> Collision: ...
@overload
def collide(
    a: Model,
    b: Model,
    *,
    pose_a: Pose | None = None,
    pose_b: Pose | None = None,
    poses_a: Poses | None = None,
    poses_b: Poses,
    solid: bool = False,
    work: int | None = None,
    budget_us: float | None = None,
    seed: tuple[int, int] | None = None,
    warm: bool = False,
    threads: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Collisions: ...
@overload
def collide(
    a: Model,
    b: Model,
    *,
    pose_a: Pose | None = None,
    pose_b: Pose | None = None,
    poses_a: Poses,
    poses_b: Poses | None = None,
    solid: bool = False,
    work: int | None = None,
    budget_us: float | None = None,
    seed: tuple[int, int] | None = None,
    warm: bool = False,
    threads: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Collisions: ...
@overload
def within(
    a: Model,
    b: Model,
    limit: float,
    *,
    pose_a: Pose | None = None,
    pose_b: Pose | None = None,
    solid: bool = False,
    work: int | None = None,
    budget_us: float | None = None,
    seed: tuple[int, int] | None = None,
) -> Within: ...
@overload
def within(
    a: Model,
    b: Model,
    limit: float,
    *,
    pose_a: Pose | None = None,
    pose_b: Pose | None = None,
    poses_a: Poses | None = None,
    poses_b: Poses,
    solid: bool = False,
    work: int | None = None,
    budget_us: float | None = None,
    seed: tuple[int, int] | None = None,
    warm: bool = False,
    threads: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Withins: ...
@overload
def within(
    a: Model,
    b: Model,
    limit: float,
    *,
    pose_a: Pose | None = None,
    pose_b: Pose | None = None,
    poses_a: Poses,
    poses_b: Poses | None = None,
    solid: bool = False,
    work: int | None = None,
    budget_us: float | None = None,
    seed: tuple[int, int] | None = None,
    warm: bool = False,
    threads: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Withins: ...
@overload
def distance(
    a: Model,
    b: Model,
    *,
    pose_a: Pose | None = None,
    pose_b: Pose | None = None,
    rel_error: float = 0.0,
    abs_error: float = 0.0,
    solid: bool = False,
    work: int | None = None,
    budget_us: float | None = None,
    seed: tuple[int, int] | None = None,
) -> Distance: ...
@overload
def distance(
    a: Model,
    b: Model,
    *,
    pose_a: Pose | None = None,
    pose_b: Pose | None = None,
    poses_a: Poses | None = None,
    poses_b: Poses,
    rel_error: float = 0.0,
    abs_error: float = 0.0,
    solid: bool = False,
    work: int | None = None,
    budget_us: float | None = None,
    seed: tuple[int, int] | None = None,
    warm: bool = False,
    threads: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Distances: ...
@overload
def distance(
    a: Model,
    b: Model,
    *,
    pose_a: Pose | None = None,
    pose_b: Pose | None = None,
    poses_a: Poses,
    poses_b: Poses | None = None,
    rel_error: float = 0.0,
    abs_error: float = 0.0,
    solid: bool = False,
    work: int | None = None,
    budget_us: float | None = None,
    seed: tuple[int, int] | None = None,
    warm: bool = False,
    threads: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Distances: ...
def contacts(
    a: Model,
    b: Model,
    *,
    pose_a: Pose | None = None,
    pose_b: Pose | None = None,
    poses_a: Poses | None = None,
    poses_b: Poses | None = None,
    points: bool = False,
    work: int | None = None,
    budget_us: float | None = None,
    seed: tuple[int, int] | None = None,
    warm: bool = False,
    threads: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Contacts: ...
def nearest_pairs(
    a: Model,
    b: Model,
    count: int,
    *,
    pose_a: Pose | None = None,
    pose_b: Pose | None = None,
    poses_a: Poses | None = None,
    poses_b: Poses | None = None,
    work: int | None = None,
    budget_us: float | None = None,
    seed: tuple[int, int] | None = None,
    warm: bool = False,
    threads: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> NearPairs: ...
def pairs_within(
    a: Model,
    b: Model,
    limit: float,
    *,
    pose_a: Pose | None = None,
    pose_b: Pose | None = None,
    poses_a: Poses | None = None,
    poses_b: Poses | None = None,
    work: int | None = None,
    budget_us: float | None = None,
    seed: tuple[int, int] | None = None,
    warm: bool = False,
    threads: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> NearPairs: ...
@overload
def depth(
    a: Model,
    b: Model,
    *,
    pose_a: Pose | None = None,
    pose_b: Pose | None = None,
    work: int | None = None,
    budget_us: float | None = None,
    seed: tuple[int, int] | None = None,
) -> Depth: ...
@overload
def depth(
    a: Model,
    b: Model,
    *,
    pose_a: Pose | None = None,
    pose_b: Pose | None = None,
    poses_a: Poses | None = None,
    poses_b: Poses,
    work: int | None = None,
    budget_us: float | None = None,
    seed: tuple[int, int] | None = None,
    warm: bool = False,
    threads: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Depths: ...
@overload
def depth(
    a: Model,
    b: Model,
    *,
    pose_a: Pose | None = None,
    pose_b: Pose | None = None,
    poses_a: Poses,
    poses_b: Poses | None = None,
    work: int | None = None,
    budget_us: float | None = None,
    seed: tuple[int, int] | None = None,
    warm: bool = False,
    threads: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Depths: ...
def regions(
    a: Model,
    b: Model,
    *,
    pose_a: Pose | None = None,
    pose_b: Pose | None = None,
    poses_a: Poses | None = None,
    poses_b: Poses | None = None,
    most_points: int = 4,
    work: int | None = None,
    budget_us: float | None = None,
    seed: tuple[int, int] | None = None,
    warm: bool = False,
    threads: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Regions: ...
@overload
def refine(
    a: SphereTree,
    b: SphereTree,
    *,
    pose_a: Pose | None = None,
    pose_b: Pose | None = None,
    work: int | None = None,
    budget_us: float | None = None,
    seed: tuple[int, int] | None = None,
) -> Refined: ...
@overload
def refine(
    a: SphereTree,
    b: SphereTree,
    *,
    pose_a: Pose | None = None,
    pose_b: Pose | None = None,
    poses_a: Poses | None = None,
    poses_b: Poses,
    work: int | None = None,
    budget_us: float | None = None,
    seed: tuple[int, int] | None = None,
    warm: bool = False,
    threads: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Refineds: ...
@overload
def refine(
    a: SphereTree,
    b: SphereTree,
    *,
    pose_a: Pose | None = None,
    pose_b: Pose | None = None,
    poses_a: Poses,
    poses_b: Poses | None = None,
    work: int | None = None,
    budget_us: float | None = None,
    seed: tuple[int, int] | None = None,
    warm: bool = False,
    threads: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Refineds: ...
@overload
def adb(
    a: Model,
    b: Model,
    *,
    pose_a: Pose | None = None,
    pose_b: Pose | None = None,
    p_min: float | None = None,
    k_min: int | None = None,
    rule: Literal["crossings", "anywhere"] = "crossings",
    work: int | None = None,
    budget_us: float | None = None,
    seed: tuple[int, int] | None = None,
) -> Guess: ...
@overload
def adb(
    a: Model,
    b: Model,
    *,
    pose_a: Pose | None = None,
    pose_b: Pose | None = None,
    poses_a: Poses | None = None,
    poses_b: Poses,
    p_min: float | None = None,
    k_min: int | None = None,
    rule: Literal["crossings", "anywhere"] = "crossings",
    work: int | None = None,
    budget_us: float | None = None,
    seed: tuple[int, int] | None = None,
    warm: bool = False,
    threads: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Guesses: ...
@overload
def adb(
    a: Model,
    b: Model,
    *,
    pose_a: Pose | None = None,
    pose_b: Pose | None = None,
    poses_a: Poses,
    poses_b: Poses | None = None,
    p_min: float | None = None,
    k_min: int | None = None,
    rule: Literal["crossings", "anywhere"] = "crossings",
    work: int | None = None,
    budget_us: float | None = None,
    seed: tuple[int, int] | None = None,
    warm: bool = False,
    threads: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Guesses: ...
