"""What can be asked about points and rays, in the frame of a model or shape: arrays of n of them,
without the interpreter's lock, those of models on all cores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _native
from ._models import model_of
from ._native import Shape

if TYPE_CHECKING:
    from ._native import Mesh

__all__ = [
    "AllHits",
    "Closest",
    "Hits",
    "NearTriangles",
    "closest_point",
    "inside",
    "nearest_triangles",
    "ray_all",
    "ray_first",
    "signed_distance",
    "winding_number",
]


def _body(given: Any) -> Any:
    return given if isinstance(given, Shape) else model_of(given)


def _vectors(given: Any, name: str) -> NDArray[np.float64]:
    array = np.asarray(given, dtype=np.float64)
    if array.ndim != 2 or array.shape[1] != 3:
        raise ValueError(f"{name} must have the shape (n, 3), not {array.shape}")
    return array


def inside(model: Mesh | Shape, points: ArrayLike, *, surface: bool = True) -> NDArray[np.bool_]:
    """Which points are in the solid? Those exactly on its surface are, unless ``surface`` is false.

    Exact if the mesh is closed; otherwise by its generalised winding number:
    ``model.inside_method`` tells.

    >>> import nearhit as nh
    >>> corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> solid = nh.Model((corners, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]))
    >>> nh.inside(solid, [[0.1, 0.1, 0.1], [0.5, 0.5, 0.5], [0, 0, 0]])
    array([ True, False,  True])
    >>> solid.inside_method
    'exact'
    >>> nh.inside(nh.Cylinder(0.5, 2), [[0, 0, 0.9], [0.4, 0.4, 0]])
    array([ True, False])
    """
    places, _, _ = _native.inside(_body(model), _vectors(points, "points"))
    inside: NDArray[np.bool_] = places >= (1 if surface else 2)
    return inside


def winding_number(model: Mesh, points: ArrayLike) -> NDArray[np.float64]:
    """How often the surface winds around each point: a whole number unless the mesh has holes, NaN
    on the surface.

    For meshes with holes it is refined only until inside is told from outside.

    >>> import nearhit as nh
    >>> corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> solid = nh.Model((corners, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]))
    >>> nh.winding_number(solid, [[0.1, 0.1, 0.1], [0.5, 0.5, 0.5]])
    array([1., 0.])
    """
    _, winding, _ = _native.inside(model_of(model), _vectors(points, "points"))
    numbers: NDArray[np.float64] = winding
    return numbers


class Closest(NamedTuple):
    """Points of a surface nearest to given ones."""

    points: NDArray[np.float64]
    """(n, 3)"""
    distances: NDArray[np.float64]
    """(n,); of ``signed_distance`` negative inside."""
    triangles: NDArray[np.int64]
    """(n,): the triangle each is on; -1 for a shape."""


def closest_point(model: Mesh | Shape, points: ArrayLike) -> Closest:
    """The points of the surface nearest to given ones.

    >>> import nearhit as nh
    >>> a = nh.Model(([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
    >>> found = nh.closest_point(a, [[0.25, 0.25, 2], [3, 0, 0]])
    >>> found.distances, found.points[1]
    (array([2., 2.]), array([1., 0., 0.]))
    """
    return Closest(*_native.closest_points(_body(model), _vectors(points, "points")))


def signed_distance(model: Mesh | Shape, points: ArrayLike) -> Closest:
    """The same, with distances below zero inside the solid.

    >>> import nearhit as nh
    >>> corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> solid = nh.Model((corners, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]))
    >>> nh.signed_distance(solid, [[0.125, 0.125, 0.125], [2, 0, 0]]).distances
    array([-0.125,  1.   ])
    >>> found = nh.signed_distance(nh.Box(2, 2, 2), [[0.75, 0, 0], [0, 3, 0]])
    >>> found.distances.round(12), found.points.round(12)[0]
    (array([-0.25,  2.  ]), array([1., 0., 0.]))
    """
    return Closest(*_native.signed_distances(_body(model), _vectors(points, "points")))


class NearTriangles(NamedTuple):
    """The triangles nearest to points, one point after the other, nearest first."""

    triangles: NDArray[np.int64]
    """(m,)"""
    distances: NDArray[np.float64]
    """(m,)"""
    starts: NDArray[np.int64]
    """(n + 1,): those of point i are from ``starts[i]`` to ``starts[i + 1]``."""


def nearest_triangles(model: Mesh, points: ArrayLike, count: int) -> NearTriangles:
    """The ``count`` triangles nearest to each point; ties by index.

    >>> import nearhit as nh
    >>> a = nh.Model(([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 5]], [[0, 1, 2], [3, 3, 3]]))
    >>> nh.nearest_triangles(a, [[0, 0, 4]], 2).triangles
    array([1, 0])
    """
    if not count >= 0:
        raise ValueError(f"count must be at least 0, not {count}")
    return NearTriangles(*_native.nearest_triangles(model_of(model), _vectors(points, "points"), count))


class Hits(NamedTuple):
    """What rays hit first."""

    triangles: NDArray[np.int64]
    """(n,): -1 where nothing is hit, and for a shape."""
    distances: NDArray[np.float64]
    """(n,): along the ray; infinite where nothing is hit."""
    points: NDArray[np.float64]
    """(n, 3): NaN where nothing is hit."""


def ray_first(model: Mesh | Shape, origins: ArrayLike, directions: ArrayLike) -> Hits:
    """What each ray hits first. Exact about hit and miss, for the very numbers given: directions of
    any length are not rounded first, and nothing slips between two triangles. Of a shape, it is proven
    that the ray is free before the distance given; a ray that begins inside hits at 0.

    >>> import nearhit as nh
    >>> a = nh.Model(([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
    >>> found = nh.ray_first(a, [[0.25, 0.25, -2], [3, 3, 3]], [[0, 0, 1], [0, 0, 1]])
    >>> found.triangles, found.distances
    (array([ 0, -1]), array([ 2., inf]))
    >>> nh.ray_first(nh.Ball(1), [[-3, 0, 0], [-3, 2, 0]], [[1, 0, 0], [1, 0, 0]]).distances.round(9)
    array([ 2., inf])
    """
    return Hits(*_native.first_hits(_body(model), _vectors(origins, "origins"), _vectors(directions, "directions")))


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


def ray_all(model: Mesh, origins: ArrayLike, directions: ArrayLike) -> AllHits:
    """All that each ray hits. A ray through an edge hits both of its triangles.

    >>> import nearhit as nh
    >>> a = nh.Model(([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [0, 1, 1]], [[0, 1, 2], [3, 4, 5]]))
    >>> nh.ray_all(a, [[0.25, 0.25, -2]], [[0, 0, 1]]).distances
    array([2., 3.])
    """
    return AllHits(*_native.all_hits(model_of(model), _vectors(origins, "origins"), _vectors(directions, "directions")))
