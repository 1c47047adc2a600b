"""Points and a mesh: the names, arguments and results of ``trimesh.proximity``."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _points
from .._models import model_of

MERGE = 1e-8
"""trimesh's ``tol.merge``: nearer to the surface a point counts as on it."""


def _points_of(points: ArrayLike) -> NDArray[np.float64]:
    array = np.asarray(points, dtype=np.float64)
    if array.ndim != 2 or array.shape[1] != 3:
        raise ValueError(f"points must be (n,3)! They are {array.shape}")
    return array


def closest_point(mesh: Any, points: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
    """For each point the nearest of the surface: points (n, 3), distances (n,), triangles (n,).

    >>> import trimesh
    >>> from nearhit.trimesh import closest_point
    >>> _, distances, _ = closest_point(trimesh.creation.box(), [[2, 0, 0], [0, 0, 0]])
    >>> distances
    array([1.5, 0.5])
    """
    return tuple(_points.closest_point(model_of(mesh), _points_of(points)))  # type: ignore[return-value]


def signed_distance(mesh: Any, points: ArrayLike) -> NDArray[np.float64]:
    """(n,): how far each point is from the surface; **positive inside**, negative outside, and
    positive within 1e-8 of the surface, as in trimesh.

    >>> import trimesh
    >>> from nearhit.trimesh import signed_distance
    >>> signed_distance(trimesh.creation.box(), [[2, 0, 0], [0, 0, 0.25]])
    array([-1.5 ,  0.25])
    """
    signed = -_points.signed_distance(model_of(mesh), _points_of(points)).distances
    return np.where(np.abs(signed) <= MERGE, np.abs(signed), signed)


def contains(mesh: Any, points: ArrayLike) -> NDArray[np.bool_]:
    """(n,): which points are in the mesh. Those on its surface are.

    Exact for closed meshes; for those with holes by the generalised winding number.

    >>> import trimesh
    >>> from nearhit.trimesh import contains
    >>> contains(trimesh.creation.box(), [[2, 0, 0], [0, 0, 0.25]])
    array([False,  True])
    """
    return _points.inside(model_of(mesh), _points_of(points))


class ProximityQuery:
    """Questions about points and one mesh, in place of ``trimesh.proximity.ProximityQuery``."""

    def __init__(self, mesh: Any) -> None:
        self._mesh = mesh

    def on_surface(self, points: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
        """`closest_point` of the mesh."""
        return closest_point(self._mesh, points)

    def vertex(self, points: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """The nearest vertex of each point: distances (n,) and indices (n,), by trimesh's own tree."""
        return self._mesh.kdtree.query(points)  # type: ignore[no-any-return]

    def signed_distance(self, points: ArrayLike) -> NDArray[np.float64]:
        """`signed_distance` of the mesh."""
        return signed_distance(self._mesh, points)
