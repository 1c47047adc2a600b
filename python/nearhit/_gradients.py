"""How distances change when bodies move: for optimisers and controllers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ._native import Distance
from ._poses import matrices
from ._query import Pose, Poses
from ._results import Compared
from ._surfaces import Distances, distance

if TYPE_CHECKING:
    from ._native import Body

__all__ = ["DistanceGradient", "distance_gradient"]


@dataclass(frozen=True, slots=True, eq=False)
class DistanceGradient(Compared):
    """A distance and how it changes with the poses. Of k poses every array has k rows."""

    distance: NDArray[np.float64]
    """() or (k,)"""
    a: NDArray[np.float64]
    """(6,) or (k, 6): what the distance gains when a moves by a translation along x, y, z of the
    world, and when it turns about the axes x, y, z of the world through its own origin, in radians.
    Zeros where ``known`` is false."""
    b: NDArray[np.float64]
    """The same of b."""
    points: NDArray[np.float64]
    """(2, 3) or (k, 2, 3): the nearest points, in the world."""
    known: NDArray[np.bool_]
    """() or (k,): has the distance a gradient here? Not where the two points are one: surfaces in
    contact, or solids that only touch."""

    def __len__(self) -> int:
        return len(np.atleast_1d(self.distance))


def distance_gradient(
    a: Body, b: Body, *, solid: bool = False,
    pose_a: Pose | None = None, pose_b: Pose | None = None, poses_a: Poses | None = None, poses_b: Poses | None = None,
    **options: Any,
) -> DistanceGradient:  # fmt: skip
    """The distance, and its gradient with respect to both poses.

    Where two pairs of points are equally near the distance has an edge: then it is the gradient of
    one of them. In contact the distance of surfaces is 0, wherever they are moved a little, or at
    its least: ``known`` is false there, and both gradients are zeros, a subgradient. A search that
    must leave contact asks about solids (``solid``), whose distance has a sign and a gradient
    inside, too; there ``known`` is false only where they just touch. The options are those of
    `distance`.

    >>> import nearhit as nh
    >>> R = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> found = nh.distance_gradient(nh.Ball(1), nh.Box(1, 1, 1), pose_b=(R, [3, 0, 0]))
    >>> round(float(found.distance), 9), found.b[:3].round(9) + 0.0
    (1.5, array([1., 0., 0.]))
    """
    ask: Callable[..., Distance | Distances] = distance
    found = ask(a, b, solid=solid, pose_a=pose_a, pose_b=pose_b, poses_a=poses_a, poses_b=poses_b, **options)
    length, points = np.asarray(found.upper), found.points
    way = points[..., 1, :] - points[..., 0, :]
    apart = np.linalg.norm(way, axis=-1, keepdims=True)
    known = np.asarray((length != 0.0) & (apart[..., 0] > 0.0))
    # Inside, nearer points are less deep.
    unit = np.where(known[..., None], way / np.where(apart > 0.0, apart, 1.0), 0.0) * np.where(length[..., None] < 0.0, -1.0, 1.0)
    origins = [_origins(one, many, body) for one, many, body in ((pose_a, poses_a, "a"), (pose_b, poses_b, "b"))]
    rows = [
        sign * np.concatenate([unit, np.cross(points[..., side, :] - origins[side], unit)], axis=-1)
        for side, sign in ((0, -1.0), (1, 1.0))
    ]
    return DistanceGradient(length, rows[0], rows[1], points, known)


def _origins(one: Pose | None, many: Poses | None, body: str) -> NDArray[np.float64]:
    """Where a body's own origin is in the world."""
    if one is None and many is None:
        return np.zeros(3)
    return matrices(one, many, body)[..., :3, 3]
