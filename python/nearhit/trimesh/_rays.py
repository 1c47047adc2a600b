"""Rays and a mesh: the names, arguments and results of ``trimesh.ray``."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _points
from .._models import model_of
from ._proximity import contains

SAME = 1e-8
"""Hits of one ray that are nearer to each other, relative to how far they are, are one: the ray goes
through an edge or a corner."""


class RayMeshIntersector:
    """What rays hit, in place of ``trimesh.ray.ray_triangle.RayMeshIntersector`` and embree's.

    Exact about hit and miss: no ray slips between two triangles.

    >>> import trimesh
    >>> from nearhit.trimesh import RayMeshIntersector
    >>> rays = RayMeshIntersector(trimesh.creation.box())
    >>> rays.intersects_any([[0.1, 0.2, 5], [3, 0, 5]], [[0, 0, -1], [0, 0, -1]])
    array([ True, False])
    """

    def __init__(self, mesh: Any, **kwargs: Any) -> None:
        self.mesh = mesh

    def intersects_id(
        self,
        ray_origins: ArrayLike,
        ray_directions: ArrayLike,
        return_locations: bool = False,
        multiple_hits: bool = True,
        max_hits: int | None = None,
        **kwargs: Any,
    ) -> tuple[NDArray[Any], ...]:
        """Triangles (h,) and rays (h,) of all hits, or of the first of each ray unless
        ``multiple_hits``; with their places (h, 3) if asked for, and then those through an edge
        once. By ray, nearest first; ``max_hits`` of each."""
        origins, directions, asked = _rays(ray_origins, ray_directions)
        if multiple_hits:
            found = _points.ray_all(model_of(self.mesh), origins, directions)
            rays = np.repeat(np.arange(len(origins)), np.diff(found.starts))
            keep = _distinct(rays, found.distances) if return_locations else np.ones(len(rays), dtype=bool)
            triangles, points, rays = found.triangles[keep], found.points[keep], rays[keep]
            if max_hits is not None:
                first = np.searchsorted(rays, rays, side="left")
                keep = np.arange(len(rays)) - first < max_hits
                triangles, points, rays = triangles[keep], points[keep], rays[keep]
        else:
            hits = _points.ray_first(model_of(self.mesh), origins, directions)
            rays = np.flatnonzero(hits.triangles >= 0)
            triangles, points = hits.triangles[rays], hits.points[rays]
        rays = asked[rays]
        return (triangles, rays, points) if return_locations else (triangles, rays)

    def intersects_location(
        self, ray_origins: ArrayLike, ray_directions: ArrayLike, multiple_hits: bool = True, **kwargs: Any
    ) -> tuple[NDArray[Any], ...]:
        """Places (h, 3), rays (h,) and triangles (h,) of the hits."""
        triangles, rays, points = self.intersects_id(
            ray_origins, ray_directions, return_locations=True, multiple_hits=multiple_hits, **kwargs
        )
        return points, rays, triangles

    def intersects_first(self, ray_origins: ArrayLike, ray_directions: ArrayLike, **kwargs: Any) -> NDArray[np.int64]:
        """(n,): the triangle that each ray hits first, or -1."""
        triangles, rays = self.intersects_id(ray_origins, ray_directions, multiple_hits=False)
        first = np.full(len(np.asarray(ray_origins)), -1, dtype=np.int64)
        first[rays] = triangles
        return first

    def intersects_any(self, ray_origins: ArrayLike, ray_directions: ArrayLike, **kwargs: Any) -> NDArray[np.bool_]:
        """(n,): does each ray hit anything?"""
        return self.intersects_first(ray_origins, ray_directions) >= 0

    def contains_points(self, points: ArrayLike) -> NDArray[np.bool_]:
        """(n,): which points are in the mesh."""
        return contains(self.mesh, points)


def _rays(origins: ArrayLike, directions: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
    """The rays that have a direction, and which they are: the others hit nothing."""
    starts, ways = np.asarray(origins, dtype=np.float64), np.asarray(directions, dtype=np.float64)
    if starts.shape != ways.shape or starts.ndim != 2 or starts.shape[1] != 3:
        raise ValueError(f"Ray origin and direction don't match! They are {starts.shape} and {ways.shape}, not (n, 3)")
    asked = np.flatnonzero((ways != 0.0).any(axis=1))
    return starts[asked], ways[asked], asked


def _distinct(rays: NDArray[np.int64], distances: NDArray[np.float64]) -> NDArray[np.bool_]:
    """All but hits at the place of the one before, of the same ray."""
    keep = np.ones(len(rays), dtype=bool)
    same = distances[1:] - distances[:-1] <= SAME * np.maximum(1.0, distances[1:])
    keep[1:] = ~(same & (rays[1:] == rays[:-1]))
    return keep
