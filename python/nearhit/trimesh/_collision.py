"""A collision manager with the names, arguments and results of ``trimesh.collision.CollisionManager``."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _native
from .._native import Model
from ..fcl import CollisionGeometry, CollisionObject, DynamicAABBTreeCollisionManager, Transform
from ..fcl._geometry import built, hull_of
from ._contacts import Body, ContactData, Contacts, DistanceData, nearest_points
from .._models import model_of

__all__ = ["CollisionManager", "ContactData", "DistanceData", "scene_to_collision"]

EXTERNAL = "__external"
"""Name of an object that is not in the manager."""


class CollisionManager:
    """Named meshes, each with its transform, and questions about all of them.

    ``solid``: are meshes solids, so that what is inside touches them? None: as in the original, convex
    ones are.

    The private fields of the original are there: ``_objs[name]["obj"]`` is a
    `nearhit.fcl.CollisionObject`, which may be moved, ``["geom"]`` its geometry, ``_names`` the names
    by the ``id`` of geometries, and ``_manager`` a `nearhit.fcl.DynamicAABBTreeCollisionManager`.

    >>> import trimesh
    >>> ring, bead = trimesh.creation.torus(1, 0.3), trimesh.creation.torus(0.1, 0.02).apply_translation([1, 0, 0])
    >>> for solid in (None, True):
    ...     manager = CollisionManager(solid=solid)
    ...     _ = manager.add_object("ring", ring)
    ...     manager.in_collision_single(bead)
    False
    True
    """

    def __init__(self, solid: bool | None = None) -> None:
        self._solid = solid
        self._bodies: dict[Any, Body] = {}
        self._meshes: dict[Any, tuple[Any, bool | None]] = {}
        self._models: dict[Any, Model] = {}
        self._objs: dict[Any, dict[str, Any]] = {}
        self._names: defaultdict[int, Any] = defaultdict(lambda: None)
        self._manager = DynamicAABBTreeCollisionManager()
        self._manager.setup()

    def add_object(
        self, name: Any, mesh: Any, transform: ArrayLike | None = None, *, solid: bool | None = None
    ) -> CollisionObject:
        """Adds a mesh, or replaces the one of that name. ``solid``: a solid or a surface, as the
        manager's are unless said."""
        body = self._body(name, mesh, transform, solid)
        if name in self._objs:
            self._forget(name)
        self._bodies[name], self._meshes[name] = body, (mesh, solid)
        self._objs[name] = {"obj": body.obj, "geom": body.obj._geometry}
        self._names[id(body.obj._geometry)] = name
        self._manager.registerObject(body.obj)
        return body.obj

    def remove_object(self, name: Any) -> None:
        """Removes the mesh of that name."""
        self._find(name)
        self._forget(name)

    def _forget(self, name: Any) -> None:
        found = self._objs.pop(name)
        self._names.pop(id(found["geom"]), None)
        self._manager.unregisterObject(found["obj"])
        del self._bodies[name], self._meshes[name]

    def set_transform(self, name: Any, transform: ArrayLike) -> None:
        """Moves the mesh of that name."""
        body = self._find(name)
        pose = _matrix(transform)
        if _is_rigid(pose) and body.model is self._model(self._meshes[name][0]):
            body.obj._matrix[:] = pose
            body.obj._moved()
        else:
            mesh, solid = self._meshes[name]
            self.add_object(name, mesh, pose, solid=solid)

    def in_collision_single(
        self, mesh: Any, transform: ArrayLike | None = None, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """Does a mesh touch any object? With names and contacts if asked for."""
        other = [self._body(EXTERNAL, mesh, transform)]
        found, pairs, data = _touching(self._all(), other, return_names, return_data)
        return _result(found, (return_names, {first for first, _ in pairs}), (return_data, data))

    def in_collision_internal(self, return_names: bool = False, return_data: bool = False) -> Any:
        """Do any two objects touch? With the pairs of names, each sorted, and contacts if asked
        for."""
        found, pairs, data = _touching(self._all(), None, return_names, return_data)
        return _result(found, (return_names, {_sorted(pair) for pair in pairs}), (return_data, data))

    def in_collision_other(
        self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """Does any object touch one of another manager?"""
        found, pairs, data = _touching(self._all(), other_manager._all(), return_names, return_data)
        return _result(found, (return_names, set(pairs)), (return_data, data))

    def min_distance_single(
        self, mesh: Any, transform: ArrayLike | None = None, return_name: bool = False, return_data: bool = False
    ) -> Any:
        """How far is a mesh from the nearest object?"""
        length, names, data = _nearest(self._all(), [self._body(EXTERNAL, mesh, transform)], return_data)
        return _result(length, (return_name, names[0]), (return_data, data))

    def min_distance_internal(self, name: Any = None, return_names: bool = False, return_data: bool = False) -> Any:
        """How far apart are the two nearest objects, or the one of that name and its nearest?"""
        if name is None:
            length, names, data = _nearest(self._all(), None, return_data)
        else:
            body = self._find(name)
            others = [other for other in self._all() if other is not body]
            length, names, data = _nearest([body], others, return_data)
        return _result(length, (return_names, _sorted(names)), (return_data, data))

    def min_distance_other(
        self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """How far is the nearest object of this manager from the nearest of another?"""
        length, names, data = _nearest(self._all(), other_manager._all(), return_data)
        return _result(length, (return_names, names), (return_data, data))

    def _all(self) -> list[Body]:
        return list(self._bodies.values())

    def _find(self, name: Any) -> Body:
        if name not in self._bodies:
            raise ValueError(f"{name} not in collision manager!")
        return self._bodies[name]

    def _extract_name(self, geom: CollisionGeometry) -> Any:
        return self._names[id(geom)]

    def _body(self, name: Any, mesh: Any, transform: ArrayLike | None, solid: bool | None = None) -> Body:
        pose = np.eye(4) if transform is None else _matrix(transform)
        if _is_rigid(pose):
            model = self._model(mesh)
        else:
            vertices = np.asarray(mesh.vertices, dtype=np.float64) @ pose[:3, :3].T + pose[:3, 3]
            model, pose = Model((vertices, mesh.faces)), np.eye(4)
        is_convex = bool(getattr(mesh, "is_convex", False))
        said = self._solid if solid is None else solid
        geometry = hull_of(model) if is_convex else built(model)
        obj = CollisionObject(geometry, Transform(pose[:3, :3], pose[:3, 3]))
        return Body(name, model, obj, is_convex if said is None else bool(said), is_convex)

    def _model(self, mesh: Any) -> Model:
        """Meshes with the same contents share a tree."""
        try:
            key = hash(mesh)
        except TypeError:
            return Model(mesh)
        hashes: Any = type(mesh).__hash__
        if hashes is object.__hash__:
            # By identity: it may have changed since.
            return Model(mesh)
        if key not in self._models:
            self._models[key] = model_of(mesh)
        return self._models[key]


def _matrix(transform: ArrayLike) -> NDArray[np.float64]:
    pose = np.asarray(transform, dtype=np.float64)
    if pose.shape != (4, 4):
        raise ValueError("transform must be (4,4)!")
    return pose


def _is_rigid(pose: NDArray[np.float64]) -> bool:
    rotation = pose[:3, :3]
    return bool(np.abs(rotation @ rotation.T - np.eye(3)).max() < 1e-6 and np.linalg.det(rotation) > 0.0)


def _sorted(names: tuple[Any, Any]) -> tuple[Any, ...]:
    return tuple(sorted(names))


def _result(answer: Any, *extras: tuple[bool, Any]) -> Any:
    asked = [value for is_asked, value in extras if is_asked]
    return (answer, *asked) if asked else answer


def _touching(
    bodies: list[Body], others: list[Body] | None, return_names: bool, return_data: bool
) -> tuple[bool, list[tuple[Any, Any]], list[ContactData]]:
    """Whether any pair touches, the names of those that do, and their contacts; no further than is
    asked for."""
    placed = [body.placed() for body in bodies]
    second = bodies if others is None else others
    other = None if others is None else [body.placed() for body in others]
    if not (return_names or return_data):
        return _native.placed_any(placed, other), [], []
    if not return_data:
        pairs = _native.placed_pairs(placed, other).tolist()
        return bool(pairs), [(bodies[a].name, second[b].name) for a, b in pairs], []
    found, starts, triangles = _native.placed_pair_contacts(placed, other)
    contacts = Contacts([(bodies[a], second[b]) for a, b in found.tolist()], starts, triangles)
    return bool(contacts.names), contacts.names, contacts.data()


def _nearest(
    bodies: list[Body], others: list[Body] | None, return_data: bool
) -> tuple[float, tuple[Any, Any], DistanceData | None]:
    """The least distance of any pair: negative for two solids in contact, 0 for a solid and a
    surface."""
    second = bodies if others is None else others
    if len(bodies) < (2 if others is None else 1) or not second:
        raise ValueError("there are no two objects to measure between")
    sides = [body.side() for body in bodies]
    more = None if others is None else [body.side() for body in others]
    every = bodies if others is None else bodies + others
    solids = [(body.is_solid, hull) for body, (_, hull) in zip(every, sides + (more or []))]
    placed = [at for at, _ in sides]
    found = _native.placed_nearest(placed, None if more is None else [at for at, _ in more], solids)
    (first, last), value, touch = found
    a, b, length = bodies[first], second[last], 0.0 - value if touch else value
    names = (a.name, b.name)
    return length, names, DistanceData(names, *nearest_points(a, b, touch), length) if return_data else None


def scene_to_collision(scene: Any) -> tuple[CollisionManager, dict[Any, CollisionObject]]:
    """A manager of all geometry in a ``trimesh.Scene``, and its objects by the names of their
    nodes."""
    manager = CollisionManager()
    objects = {}
    for node in scene.graph.nodes_geometry:
        transform, geometry = scene.graph[node]
        objects[node] = manager.add_object(name=node, mesh=scene.geometry[geometry], transform=transform)
    return manager, objects
