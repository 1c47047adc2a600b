"""A collision manager with the names, arguments and results of ``trimesh.collision.CollisionManager``, on nearhit.

>>> import trimesh
>>> from nearhit.trimesh import CollisionManager
>>> manager = CollisionManager()
>>> _ = manager.add_object("box", trimesh.creation.box())
>>> manager.in_collision_single(trimesh.creation.icosphere(radius=0.6))
True
>>> ball = trimesh.creation.icosphere(radius=0.1).apply_translation([2, 0, 0])
>>> manager.min_distance_single(ball, return_name=True)
(1.4, 'box')

What differs from the original:

* Everything is exact, and in double precision; the original rounds poses to single precision.
* As with the original, convex meshes are solids and all others are surfaces, unless said: ``CollisionManager(solid=True)`` takes all for solids, ``solid=False`` none, and ``add_object(..., solid=...)`` one
  of them. What is inside a solid touches it; of two solids in contact the distance is negative, minus the length of the shortest translation that separates them. A surface has no inside, and no depth: the
  distance of a solid and a surface in contact is 0.
* There is a contact for every pair of triangles that touch, with the middle of what they share as its point. Its normal and depth are those of the whole connected contact it is part of: the way out for
  the second object, and how deep the deepest point there is. (The original has these per triangle, except for convex meshes.) Where one is wholly inside the other there is one contact, at its deepest point.
* Transforms that scale or mirror are applied to the mesh; the original takes them for rotations.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._native import Distance, Model
from ._pairs import contacts
from ._solids import depth, regions
from ._surfaces import collide, distance

__all__ = ["CollisionManager", "ContactData", "DistanceData", "scene_to_collision"]

EXTERNAL = "__external"
"""Name of an object that is not in the manager."""


class ContactData:
    """A contact of two objects."""

    def __init__(self, names, triangles, point, normal, depth):
        self.names = set(names)
        self._inds = dict(zip(names, triangles))
        self._point, self._normal, self._depth = point, normal, depth

    @property
    def normal(self) -> NDArray[np.float64]:
        """The way out for the second object: a unit vector in the world."""
        return self._normal

    @property
    def point(self) -> NDArray[np.float64]:
        """The middle of what the two triangles share, in the world."""
        return self._point

    @property
    def depth(self) -> float:
        """How deep the deepest point of this contact is inside the other object."""
        return self._depth

    def index(self, name) -> int:
        """The triangle in contact of the object with this name."""
        return self._inds[name]


class DistanceData:
    """A distance of two objects."""

    def __init__(self, names, triangles, points, length):
        self.names = set(names)
        self._inds = dict(zip(names, triangles))
        self._points = dict(zip(names, points))
        self._distance = length

    @property
    def distance(self) -> float:
        """How far apart they are."""
        return self._distance

    def index(self, name) -> int:
        """The nearest triangle of the object with this name."""
        return self._inds[name]

    def point(self, name) -> NDArray[np.float64]:
        """The nearest point of the object with this name, in the world."""
        return self._points[name]


@dataclass(slots=True)
class _Body:
    """A model that is placed. The box around it is in the world."""

    name: Any
    model: Model
    pose: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    is_solid: bool
    """Convex meshes are, unless said."""
    is_convex: bool


class CollisionManager:
    """Named meshes, each with its transform, and questions about all of them.

    ``solid``: are meshes solids, so that what is inside touches them? None: as in the original, convex ones are.

    >>> import trimesh
    >>> ring, bead = trimesh.creation.torus(1, 0.3), trimesh.creation.torus(0.1, 0.02).apply_translation([1, 0, 0])
    >>> for solid in (None, True):
    ...     manager = CollisionManager(solid=solid)
    ...     _ = manager.add_object("ring", ring)
    ...     manager.in_collision_single(bead)
    False
    True
    """

    def __init__(self, solid: bool | None = None):
        self._solid = solid
        self._bodies: dict[Any, _Body] = {}
        self._models: dict[Any, Model] = {}
        self._meshes: dict[Any, tuple[Any, bool | None]] = {}

    def add_object(self, name, mesh, transform=None, *, solid: bool | None = None):
        """Adds a mesh, or replaces the one of that name. ``solid``: a solid or a surface, as the manager's are unless said."""
        self._bodies[name] = self._body(name, mesh, transform, solid)
        self._meshes[name] = mesh, solid
        return self._bodies[name]

    def remove_object(self, name):
        """Removes the mesh of that name."""
        self._find(name)
        del self._bodies[name], self._meshes[name]

    def set_transform(self, name, transform):
        """Moves the mesh of that name."""
        self._find(name)
        mesh, solid = self._meshes[name]
        self._bodies[name] = self._body(name, mesh, transform, solid)

    def in_collision_single(self, mesh, transform=None, return_names=False, return_data=False):
        """Does a mesh touch any object? With names and contacts if asked for."""
        other = self._body(EXTERNAL, mesh, transform)
        pairs = ((body, other) for body in self._bodies.values())
        found, names, data = _touching(pairs, return_names, return_data)
        return _result(found, (return_names, {first for first, _ in names}), (return_data, data))

    def in_collision_internal(self, return_names=False, return_data=False):
        """Do any two objects touch? With the pairs of names, each sorted, and contacts if asked for."""
        found, names, data = _touching(self._own_pairs(), return_names, return_data)
        return _result(found, (return_names, {_sorted(pair) for pair in names}), (return_data, data))

    def in_collision_other(self, other_manager, return_names=False, return_data=False):
        """Does any object touch one of another manager?"""
        pairs = ((a, b) for a in self._bodies.values() for b in other_manager._bodies.values())
        found, names, data = _touching(pairs, return_names, return_data)
        return _result(found, (return_names, names), (return_data, data))

    def min_distance_single(self, mesh, transform=None, return_name=False, return_data=False):
        """How far is a mesh from the nearest object?"""
        other = self._body(EXTERNAL, mesh, transform)
        length, names, data = _nearest((body, other) for body in self._bodies.values())
        return _result(length, (return_name, names and names[0]), (return_data, data))

    def min_distance_internal(self, name=None, return_names=False, return_data=False):
        """How far apart are the two nearest objects, or the one of that name and its nearest?"""
        pairs = self._own_pairs()
        if name is not None:
            body = self._find(name)
            pairs = ((body, other) for other in self._bodies.values() if other is not body)
        length, names, data = _nearest(pairs)
        return _result(length, (return_names, names and _sorted(names)), (return_data, data))

    def min_distance_other(self, other_manager, return_names=False, return_data=False):
        """How far is the nearest object of this manager from the nearest of another?"""
        pairs = ((a, b) for a in self._bodies.values() for b in other_manager._bodies.values())
        length, names, data = _nearest(pairs)
        return _result(length, (return_names, names), (return_data, data))

    def _find(self, name) -> _Body:
        if name not in self._bodies:
            raise ValueError(f"{name} not in collision manager!")
        return self._bodies[name]

    def _own_pairs(self) -> Iterator[tuple[_Body, _Body]]:
        bodies = list(self._bodies.values())
        return ((a, b) for i, a in enumerate(bodies) for b in bodies[i + 1 :])

    def _body(self, name, mesh, transform, solid=None) -> _Body:
        pose = np.eye(4) if transform is None else np.asarray(transform, dtype=np.float64)
        if pose.shape != (4, 4):
            raise ValueError("transform must be (4,4)!")
        vertices = np.asarray(mesh.vertices, dtype=np.float64)
        world = vertices @ pose[:3, :3].T + pose[:3, 3]
        if _is_rigid(pose):
            model = self._model(mesh)
        else:
            model, pose = Model((world, mesh.faces)), np.eye(4)
        # A hair wider than what is computed: boxes only say which pairs are worth a question.
        margin = 1e-9 * max(np.abs(world).max(initial=0.0), np.abs(vertices).max(initial=0.0))
        low, high = world.min(axis=0) - margin, world.max(axis=0) + margin
        is_convex = bool(getattr(mesh, "is_convex", False))
        said = self._solid if solid is None else solid
        return _Body(name, model, pose, low, high, is_convex if said is None else bool(said), is_convex)

    def _model(self, mesh) -> Model:
        """Meshes with the same contents share a tree."""
        try:
            key = hash(mesh)
        except TypeError:
            return Model(mesh)
        if type(mesh).__hash__ is object.__hash__:
            # By identity: it may have changed since.
            return Model(mesh)
        if key not in self._models:
            self._models[key] = Model(mesh)
        return self._models[key]


def _is_rigid(pose) -> bool:
    rotation = pose[:3, :3]
    return np.abs(rotation @ rotation.T - np.eye(3)).max() < 1e-6 and np.linalg.det(rotation) > 0.0


def _sorted(names):
    return tuple(sorted(names))


def _result(answer, *extras):
    asked = [value for is_asked, value in extras if is_asked]
    return (answer, *asked) if asked else answer


def _touching(pairs, return_names, return_data):
    """Whether any pair touches, the names of those that do, and their contacts; no further than is asked for."""
    names, data = set(), []
    for a, b in _near(pairs):
        if _touch(a, b):
            names.add((a.name, b.name))
            if return_data:
                data += _contacts(a, b)
            elif not return_names:
                break
    return bool(names), names, data


def _near(pairs, rows=4096):
    """Those whose boxes meet."""
    chunk = []
    for pair in pairs:
        chunk.append(pair)
        if len(chunk) == rows:
            yield from _boxes_meet(chunk)
            chunk = []
    yield from _boxes_meet(chunk)


def _boxes_meet(pairs):
    if not pairs:
        return
    low_a, high_a = np.array([a.low for a, _ in pairs]), np.array([a.high for a, _ in pairs])
    low_b, high_b = np.array([b.low for _, b in pairs]), np.array([b.high for _, b in pairs])
    meet = ((low_a <= high_b) & (low_b <= high_a)).all(axis=1)
    for index in np.flatnonzero(meet):
        yield pairs[index]


def _touch(a: _Body, b: _Body) -> bool:
    if not (a.is_solid or b.is_solid):
        return bool(collide(a.model, b.model, pose_a=a.pose, pose_b=b.pose))
    found = collide(a.model, b.model, pose_a=a.pose, pose_b=b.pose, solid=True)
    # A surface has no inside for the other to be in.
    return bool(found) and not (found.contained == "a" and not b.is_solid or found.contained == "b" and not a.is_solid)


def _contacts(a: _Body, b: _Body) -> Iterator[ContactData]:
    names = (a.name, b.name)
    found = contacts(a.model, b.model, pose_a=a.pose, pose_b=b.pose, points=True)
    if not len(found):
        out = depth(a.model, b.model, pose_a=a.pose, pose_b=b.pose)
        at = distance(a.model, b.model, pose_a=a.pose, pose_b=b.pose, solid=True, rel_error=0.01)
        yield ContactData(names, at.triangles, at.points.mean(axis=0), out.translation / out.upper, out.upper)
        return
    joined = regions(a.model, b.model, pose_a=a.pose, pose_b=b.pose, most_points=1)
    region_of = np.repeat(np.arange(len(joined)), np.diff(joined.triangle_starts))
    known = {pair: region for pair, region in zip(map(tuple, joined.triangles.tolist()), region_of)}
    depths = joined.depths
    if all(body.is_solid and body.is_convex for body in (a, b)):
        # Of convex solids all contacts are one, and the way out is known.
        out = depth(a.model, b.model, pose_a=a.pose, pose_b=b.pose)
        if out.upper > 0.0:
            normals = np.tile(out.translation / out.upper, (len(joined), 1))
            joined, depths = replace(joined, normals=normals), np.full(len(joined), out.upper)
    for index, triangles in enumerate(found.triangles.tolist()):
        region = known[tuple(triangles)]
        point = found.shared(index).mean(axis=0)
        yield ContactData(names, triangles, point, joined.normals[region], float(depths[region]))


def _measure(a: _Body, b: _Body):
    """How far apart: negative for two solids in contact, 0 for a solid and a surface."""
    if not (a.is_solid and b.is_solid):
        found = distance(a.model, b.model, pose_a=a.pose, pose_b=b.pose)
        if found.upper == 0.0 or not (a.is_solid or b.is_solid) or not _touch(a, b):
            return found
        return Distance(0.0, 0.0, found.points, found.triangles, found.work)
    found = distance(a.model, b.model, pose_a=a.pose, pose_b=b.pose, solid=True, rel_error=0.01)
    if found.upper > 0.0:
        return distance(a.model, b.model, pose_a=a.pose, pose_b=b.pose)
    out = depth(a.model, b.model, pose_a=a.pose, pose_b=b.pose)
    return Distance(-out.upper, -out.upper, found.points, found.triangles, found.work)


def _nearest(pairs):
    """The least distance of any pair, its names and its data. Pairs whose boxes are farther apart than that are not asked about."""
    pairs = list(pairs)
    if not pairs:
        raise ValueError("there are no two objects to measure between")
    gaps = [np.linalg.norm(np.maximum(0.0, np.maximum(a.low - b.high, b.low - a.high))) for a, b in pairs]
    best = None
    for index in np.argsort(gaps, kind="stable"):
        # Of those whose boxes meet any may be the deepest.
        if best is not None and gaps[index] > max(best[0].upper, 0.0):
            break
        a, b = pairs[index]
        found = _measure(a, b)
        if best is None or found.upper < best[0].upper:
            best = found, (a.name, b.name)
    found, names = best
    return found.upper, names, DistanceData(names, found.triangles, found.points, found.upper)


def scene_to_collision(scene):
    """A manager of all geometry in a ``trimesh.Scene``, and its objects by the names of their nodes."""
    manager = CollisionManager()
    objects = {}
    for node in scene.graph.nodes_geometry:
        transform, geometry = scene.graph[node]
        objects[node] = manager.add_object(name=node, mesh=scene.geometry[geometry], transform=transform)
    return manager, objects
