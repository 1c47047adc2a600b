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
from ._contacts import Body, ContactData, Contacts, DistanceData, Gap
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
        self._asked = _Asked(self._bodies)

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
        self._asked.forget()
        return body.obj

    def remove_object(self, name: Any) -> None:
        """Removes the mesh of that name."""
        self._find(name)
        self._forget(name)

    def _forget(self, name: Any) -> None:
        found = self._objs.pop(name)
        found["obj"]._news = None
        self._asked.forget()
        self._names.pop(id(found["geom"]), None)
        self._manager.unregisterObject(found["obj"])
        del self._bodies[name], self._meshes[name]

    def set_transform(self, name: Any, transform: ArrayLike) -> None:
        """Moves the mesh of that name."""
        body = self._find(name)
        pose = _matrix(transform)
        if _native.is_rigid(pose) and body.model is self._model(self._meshes[name][0]):
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
        found, pairs, contacts = _touching(self._all(), other, return_names, return_data)
        data = _data(contacts)
        return _result(found, (return_names, {first for first, _ in pairs}), (return_data, data))

    def in_collision_internal(self, return_names: bool = False, return_data: bool = False) -> Any:
        """Do any two objects touch? With the pairs of names, each sorted, and contacts if asked
        for."""
        found, pairs, contacts = self._asked.touching(return_names, return_data)
        names = {_sorted(pair) for pair in pairs} if return_names else None
        return _result(found, (return_names, names), (return_data, _data(contacts)))

    def in_collision_other(
        self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """Does any object touch one of another manager?"""
        found, pairs, contacts = _touching(self._all(), other_manager._all(), return_names, return_data)
        return _result(found, (return_names, set(pairs)), (return_data, _data(contacts)))

    def min_distance_single(
        self, mesh: Any, transform: ArrayLike | None = None, return_name: bool = False, return_data: bool = False
    ) -> Any:
        """How far is a mesh from the nearest object?"""
        gap = _nearest(self._all(), [self._body(EXTERNAL, mesh, transform)])
        return _result(gap.length, (return_name, gap.names[0]), (return_data, gap.data() if return_data else None))

    def min_distance_internal(self, name: Any = None, return_names: bool = False, return_data: bool = False) -> Any:
        """How far apart are the two nearest objects, or the one of that name and its nearest?"""
        if name is not None:
            body = self._find(name)
            gap = _nearest([body], [other for other in self._all() if other is not body])
        else:
            gap = self._asked.nearest()
        if not (return_names or return_data):
            return gap.length
        return _result(gap.length, (return_names, _sorted(gap.names)), (return_data, gap.data() if return_data else None))

    def min_distance_other(
        self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """How far is the nearest object of this manager from the nearest of another?"""
        gap = _nearest(self._all(), other_manager._all())
        return _result(gap.length, (return_names, gap.names), (return_data, gap.data() if return_data else None))

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
        if _native.is_rigid(pose):
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


def _sorted(names: tuple[Any, Any]) -> tuple[Any, ...]:
    return tuple(sorted(names))


def _result(answer: Any, *extras: tuple[bool, Any]) -> Any:
    asked = [value for is_asked, value in extras if is_asked]
    return (answer, *asked) if asked else answer


_Touching = tuple[bool, list[tuple[Any, Any]], Contacts | None]
"""Whether any pair touches, the names of those that do, and their contacts."""


class _Asked:
    """What is known of the objects of a manager among themselves, until one moves."""

    def __init__(self, bodies: dict[Any, Body]) -> None:
        self._of = bodies
        self._bodies: list[Body] = []
        self._places: dict[CollisionObject, int] = {}
        self._moved: set[CollisionObject] = set()
        self._crowd: Any = None
        self._found: dict[str, Any] = {}
        self._last: Gap | None = None

    def forget(self) -> None:
        """Other objects than before."""
        self._crowd = None
        self._found.clear()

    def _now(self) -> dict[str, Any]:
        """What has been found out about where they are."""
        if self._crowd is None:
            self._bodies = list(self._of.values())
            self._places = {body.obj: place for place, body in enumerate(self._bodies)}
            for body in self._bodies:
                body.obj._news = self._moved
            self._moved.clear()
            self._crowd = _native.Crowd([body.placed() for body in self._bodies])
        elif 4 * len(self._moved) > len(self._bodies):
            # Hardly anything known stays true.
            self._found.clear()
            self._moved.clear()
            self._crowd = _native.Crowd([body.placed() for body in self._bodies])
        elif self._moved:
            self._found.clear()
            while self._moved:
                place = self._places[self._moved.pop()]
                self._crowd.put(place, self._bodies[place].placed())
        return self._found

    def touching(self, return_names: bool, return_data: bool) -> _Touching:
        """No further than is asked for."""
        found = self._now()
        what = "contacts" if return_data else "pairs" if return_names else "any"
        if what not in found:
            answer: _Touching
            if return_data:
                contacts = Contacts(self._crowd.touched(), self._bodies, self._bodies)
                answer = bool(contacts.names), contacts.names, contacts
            elif return_names:
                pairs = self._crowd.pairs().tolist()
                answer = bool(pairs), [(self._bodies[a].name, self._bodies[b].name) for a, b in pairs], None
            else:
                answer = self._crowd.any(), [], None
            found[what] = answer
        return found[what]  # type: ignore[no-any-return]

    def nearest(self) -> Gap:
        """The least distance of any two."""
        found = self._now()
        gap: Gap | None = found.get("gap")
        if gap is None:
            if len(self._bodies) < 2:
                raise ValueError(ALONE)
            gap = found["gap"] = _gap(self._crowd.nearest(), self._bodies, self._bodies, self._last)
            self._last = gap
        return gap


def _data(contacts: Contacts | None) -> list[ContactData] | None:
    return None if contacts is None else contacts.data()


def _touching(bodies: list[Body], others: list[Body], return_names: bool, return_data: bool) -> _Touching:
    """Of bodies and others; no further than is asked for."""
    first, second = [body.placed() for body in bodies], [body.placed() for body in others]
    if not (return_names or return_data):
        return _native.placed_any(first, second), [], None
    if not return_data:
        pairs = _native.placed_pairs(first, second).tolist()
        return bool(pairs), [(bodies[a].name, others[b].name) for a, b in pairs], None
    contacts = Contacts(_native.placed_touched(first, second), bodies, others)
    return bool(contacts.names), contacts.names, contacts


ALONE = "there are no two objects to measure between"


def _nearest(bodies: list[Body], others: list[Body]) -> Gap:
    """The least distance of any two: negative for two solids in contact, 0 for a solid and a
    surface."""
    if not bodies or not others:
        raise ValueError(ALONE)
    found = _native.placed_nearest([body.placed() for body in bodies], [body.placed() for body in others])
    return _gap(found, bodies, others)


def _gap(found: Any, bodies: list[Body], others: list[Body], before: Gap | None = None) -> Gap:
    (first, last), value, touch = found
    return Gap(bodies[first], others[last], 0.0 - value if touch else value, touch, before)


def scene_to_collision(scene: Any) -> tuple[CollisionManager, dict[Any, CollisionObject]]:
    """A manager of all geometry in a ``trimesh.Scene``, and its objects by the names of their
    nodes."""
    manager = CollisionManager()
    objects = {}
    for node in scene.graph.nodes_geometry:
        transform, geometry = scene.graph[node]
        objects[node] = manager.add_object(name=node, mesh=scene.geometry[geometry], transform=transform)
    return manager, objects
