"""Puts nearhit's classes and functions into trimesh, so that whatever uses trimesh uses them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .. import fcl
from . import _collision, _proximity, _rays

_WHAT: list[tuple[str, str, Any]] = [
    ("trimesh.collision", "fcl", fcl),
    ("trimesh.collision", "CollisionManager", _collision.CollisionManager),
    ("trimesh.collision", "ContactData", _collision.ContactData),
    ("trimesh.collision", "DistanceData", _collision.DistanceData),
    ("trimesh.collision", "scene_to_collision", _collision.scene_to_collision),
    ("trimesh.proximity", "closest_point", _proximity.closest_point),
    ("trimesh.proximity", "signed_distance", _proximity.signed_distance),
    ("trimesh.proximity", "ProximityQuery", _proximity.ProximityQuery),
    ("trimesh.ray.ray_triangle", "RayMeshIntersector", _rays.RayMeshIntersector),
    ("trimesh.ray.ray_pyembree", "RayMeshIntersector", _rays.RayMeshIntersector),
]
_before: list[tuple[Any, str, Any]] = []


def install() -> None:
    """From now on ``trimesh.collision``, ``trimesh.proximity`` and ``trimesh.ray`` are nearhit's: also
    ``mesh.contains``, ``mesh.nearest`` and ``mesh.ray`` of meshes made from now on. What was imported
    by name before stays what it was.

    >>> import trimesh
    >>> import nearhit.trimesh
    >>> nearhit.trimesh.install()
    >>> mesh = trimesh.creation.box()
    >>> mesh.contains([[0, 0, 0.25]]), mesh.nearest.signed_distance([[0, 0, 0.25]])
    (array([ True]), array([0.25]))
    >>> nearhit.trimesh.uninstall()
    """
    if _before:
        return
    for module_name, name, value in _WHAT:
        try:
            module = import_module(module_name)
        except ImportError:
            # trimesh without embree.
            continue
        if hasattr(module, name):
            _before.append((module, name, getattr(module, name)))
            setattr(module, name, value)


def uninstall() -> None:
    """Takes back what `install` did."""
    while _before:
        module, name, value = _before.pop()
        setattr(module, name, value)
