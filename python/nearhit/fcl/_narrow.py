"""Two objects: do they touch, how far apart are they, when do they meet?

Each question is answered for two solids or surfaces by the native module; a plane is the border of
two half-spaces, an octree is its cells. The parts of an answer that the three share are `_Hit`
and `_Gap`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import _native
from .._native import Placed
from ._data import (
    CCDMotionType,
    CollisionRequest,
    CollisionResult,
    Contact,
    ContinuousCollisionRequest,
    ContinuousCollisionResult,
    CostSource,
    DistanceRequest,
    DistanceResult,
    Vector,
)
from ._geometry import Box, BVHModel, Plane
from ._objects import CollisionObject, Transform
from ._octree import OcTree


class _Hit(NamedTuple):
    """One contact."""

    b1: int
    b2: int
    normal: Vector
    pos: Vector
    depth: float

    def turned(self) -> _Hit:
        """Of the second and the first."""
        return _Hit(self.b2, self.b1, -self.normal, self.pos, self.depth)


class _Gap(NamedTuple):
    """A distance: below 0 in contact, if that is asked for."""

    distance: float
    points: NDArray[np.float64]
    b1: int
    b2: int

    def turned(self) -> _Gap:
        return _Gap(self.distance, self.points[::-1], self.b2, self.b1)


_NOWHERE = np.zeros(3)


def _is_simple(o: CollisionObject) -> bool:
    return not isinstance(o._geometry, (Plane, OcTree))


# Contacts ---------------------------------------------------------------------------------------


def _hits(a: CollisionObject, b: CollisionObject, most: int, details: bool) -> list[_Hit]:
    """At most ``most`` contacts."""
    if isinstance(a._geometry, OcTree):
        return _octree_hits(a, a._geometry, b, most, details)
    if isinstance(b._geometry, OcTree):
        return [hit.turned() for hit in _octree_hits(b, b._geometry, a, most, details)]
    if isinstance(b._geometry, Plane):
        return _plane_hits(a, b, most, details)
    if isinstance(a._geometry, Plane):
        return [hit.turned() for hit in _plane_hits(b, a, most, details)]
    return _placed_hits(a._placed(), b._placed(), most, details)


def _placed_hits(a: Placed, b: Placed, most: int, details: bool) -> list[_Hit]:
    if not details:
        found = _native.placed_touching(a, b, most)
        return [_Hit(one, other, _NOWHERE, _NOWHERE, 0.0) for one, other in found.tolist()]
    if most == 1 and not _native.placed_collide(a, b):
        return []
    triangles, normals, points, depths = _native.placed_contacts(a, b, most)
    rows = zip(triangles.tolist(), normals, points, depths.tolist())
    return [_Hit(one, other, normal, point, depth) for (one, other), normal, point, depth in rows]


def _plane_hits(a: CollisionObject, plane: CollisionObject, most: int, details: bool) -> list[_Hit]:
    """A plane is touched by what touches the half-spaces on both of its sides: a body that is not in
    pieces, and a triangle of a mesh. The way out is the shorter one of the two."""
    first = a._placed()
    sides = plane._sides()
    many = most if not first.has_triangles else _ALL
    if first.has_triangles:
        found = [{hit.b1: hit for hit in _placed_hits(first, side, many, True)} for side in sides]
        shared = sorted(found[0].keys() & found[1].keys())
        hits = [min((one[triangle] for one in found), key=lambda hit: hit.depth) for triangle in shared[:most]]
        return [hit._replace(b2=-1) for hit in hits]
    if isinstance(a._geometry, Plane):
        if not all(_native.placed_collide(one, other) for one in a._sides() for other in sides):
            return []
    elif not all(_native.placed_collide(first, side) for side in sides):
        return []
    hits = [hit for side in sides for hit in _placed_hits(first, side, 1, details)]
    return [min(hits, key=lambda hit: hit.depth)] if most > 0 else []


_ALL = 2**62


def _octree_hits(tree: CollisionObject, cells: OcTree, b: CollisionObject, most: int, details: bool) -> list[_Hit]:
    hits: list[_Hit] = []
    order, gaps = cells._cells_by_gap(tree._matrix, b._placed().bounds)
    for index, gap in zip(order.tolist(), gaps.tolist()):
        if gap > 0.0 or len(hits) >= most:
            break
        hits += [hit._replace(b1=index) for hit in _hits(_CellObject(cells._cell(index, tree._matrix)), b, 1, details)]
    return hits[:most]


class _CellObject(CollisionObject):
    """A cell of an octree."""

    __slots__ = ()

    def __init__(self, placed: Placed) -> None:
        self._geometry, self._at, self._base = _CELL, placed, None
        self._matrix, self._above, self._moves = np.eye(4), None, 0

    def _placed(self) -> Placed:
        assert self._at is not None
        return self._at


_CELL = Box(1.0, 1.0, 1.0)
"""Stands for the geometry of a cell where only its kind is asked for."""


# Distances --------------------------------------------------------------------------------------


def _gap(a: CollisionObject, b: CollisionObject, signed: bool, limit: float) -> _Gap | None:
    """None if they are farther apart than ``limit``. In contact the distance is minus the depth if
    ``signed``, -1 otherwise; of two meshes 0, as surfaces have no inside."""
    if isinstance(a._geometry, OcTree):
        return _octree_gap(a, a._geometry, b, signed, limit)
    if isinstance(b._geometry, OcTree):
        found = _octree_gap(b, b._geometry, a, signed, limit)
    elif isinstance(b._geometry, Plane):
        return _plane_gap(a, b, signed)
    elif isinstance(a._geometry, Plane):
        found = _plane_gap(b, a, signed)
    else:
        return _placed_gap(a._placed(), b._placed(), signed, limit)
    return found and found.turned()


def _placed_gap(a: Placed, b: Placed, signed: bool, limit: float) -> _Gap | None:
    found = _native.placed_distance(a, b, limit)
    if found is None:
        return None
    lower, upper, points, (one, other) = found
    # What is not proven to be apart touches: round shapes within rounding.
    if lower > 0.0:
        return _Gap(0.5 * (lower + upper), points, one, other)
    if a.has_triangles and b.has_triangles:
        return _Gap(0.0, points, one, other)
    if not signed:
        return _Gap(-1.0, points, one, other)
    return _overlap(a, b)


def _overlap(a: Placed, b: Placed) -> _Gap:
    """Minus the depth, and two points that far apart along the normal. Of a mesh the triangle that
    would have to move farthest counts: nothing shorter takes the mesh out."""
    found = _native.placed_penetration(a, b)
    if found is not None:
        _, depth, normal, (on_a, _) = found
        return _Gap(-depth, np.array([on_a, on_a - normal * depth]), -1, -1)
    triangles, normals, points, depths = _native.placed_contacts(a, b, _ALL)
    deepest = int(np.argmax(depths))
    depth, normal, middle = float(depths[deepest]), normals[deepest], points[deepest]
    one, other = triangles[deepest].tolist()
    return _Gap(-depth, np.array([middle + 0.5 * depth * normal, middle - 0.5 * depth * normal]), one, other)


def _plane_gap(a: CollisionObject, plane: CollisionObject, signed: bool) -> _Gap:
    """The farther of the two sides, as the plane is in both; the shorter way out."""
    sides = plane._sides()
    own = a._sides() if isinstance(a._geometry, Plane) else (a._placed(),)
    if _plane_hits(a, plane, 1, False):
        if not signed:
            return _Gap(-1.0, _plane_points(own[0], sides), -1, -1)
        if own[0].has_triangles:
            deepest = max(_plane_hits(a, plane, _ALL, True), key=lambda hit: hit.depth)
            reach = 0.5 * deepest.depth * deepest.normal
            return _Gap(-deepest.depth, np.array([deepest.pos + reach, deepest.pos - reach]), deepest.b1, -1)
        return max((_overlap(own[0], side) for side in sides), key=lambda gap: gap.distance)
    if own[0].has_triangles:
        return _mesh_above(a, plane)
    gaps = [_native.placed_distance(one, side) for one in own for side in sides]
    lower, upper, points, _ = max((gap for gap in gaps if gap), key=lambda gap: gap[1])
    return _Gap(0.5 * (lower + upper), points, -1, -1)


def _plane_points(a: Placed, sides: tuple[Placed, Placed]) -> NDArray[np.float64]:
    found = _native.placed_distance(a, sides[0])
    return np.zeros((2, 3)) if found is None else found[2]


def _mesh_above(a: CollisionObject, plane: CollisionObject) -> _Gap:
    """The vertex nearest to a plane that no triangle touches: pieces may be on both sides."""
    mesh, geometry = a._geometry, plane._geometry
    assert isinstance(mesh, BVHModel) and isinstance(geometry, Plane)
    model = mesh._subject()
    used = np.unique(model.faces)
    vertices = model.vertices[used] @ a._matrix[:3, :3].T + a._matrix[:3, 3]
    normal = plane._matrix[:3, :3] @ geometry.n
    heights = (vertices - plane._matrix[:3, 3]) @ normal - geometry.d
    nearest = int(np.argmin(np.abs(heights)))
    point, height = vertices[nearest], float(heights[nearest])
    triangle = int(np.flatnonzero((model.faces == used[nearest]).any(axis=1))[0])
    return _Gap(abs(height), np.array([point, point - height * normal]), triangle, -1)


def _octree_gap(tree: CollisionObject, cells: OcTree, b: CollisionObject, signed: bool, limit: float) -> _Gap | None:
    best: _Gap | None = None
    order, gaps = cells._cells_by_gap(tree._matrix, b._placed().bounds)
    for index, gap in zip(order.tolist(), gaps.tolist()):
        if gap > max(limit, 0.0):
            break
        found = _gap(_CellObject(cells._cell(index, tree._matrix)), b, signed, limit)
        if found is not None and (best is None or found.distance < best.distance):
            best = found._replace(b1=index)
            limit = min(limit, max(best.distance, 0.0))
    return best


# What users call --------------------------------------------------------------------------------


def collide(
    o1: CollisionObject,
    o2: CollisionObject,
    request: CollisionRequest | None = None,
    result: CollisionResult | None = None,
) -> int:
    """Do two objects touch? The number of contacts; ``result`` is added to.

    >>> import nearhit.fcl as fcl
    >>> box, ball = fcl.CollisionObject(fcl.Box(1, 1, 1)), fcl.CollisionObject(fcl.Sphere(1))
    >>> ball.setTranslation([1.25, 0, 0])
    >>> result = fcl.CollisionResult()
    >>> fcl.collide(box, ball, fcl.CollisionRequest(enable_contact=True), result)
    1
    >>> round(result.contacts[0].penetration_depth, 9), result.contacts[0].normal.round(9) + 0.0
    (0.25, array([1., 0., 0.]))
    """
    if request is None:
        request = CollisionRequest()
    most, details = int(request.num_max_contacts), bool(request.enable_contact)
    # At least one is looked for: is_collision does not depend on how many are wanted.
    hits = _hits(o1, o2, max(most, 1), details)
    if not hits:
        return 0
    if result is not None:
        result.is_collision = True
        result.contacts += [_contact(o1, o2, hit) for hit in hits[:most]]
        if request.enable_cost:
            result.cost_sources += _cost_sources(o1, o2)[: int(request.num_max_cost_sources)]
    return len(hits[:most])


def _contact(o1: CollisionObject, o2: CollisionObject, hit: _Hit) -> Contact:
    contact = Contact()
    contact.o1, contact.o2 = o1._geometry, o2._geometry
    contact.b1, contact.b2 = hit.b1, hit.b2
    contact.normal, contact.pos, contact.penetration_depth = hit.normal.copy(), hit.pos.copy(), hit.depth
    return contact


def _cost_sources(o1: CollisionObject, o2: CollisionObject) -> list[CostSource]:
    """What the boxes around the two share."""
    one, other = o1._placed().bounds, o2._placed().bounds
    source = CostSource()
    source.aabb_min, source.aabb_max = np.maximum(one[0], other[0]), np.minimum(one[1], other[1])
    source.cost_density = 1.0
    source.total_cost = float(np.prod(np.maximum(source.aabb_max - source.aabb_min, 0.0)))
    return [source]


def distance(
    o1: CollisionObject,
    o2: CollisionObject,
    request: DistanceRequest | None = None,
    result: DistanceResult | None = None,
) -> float:
    """How far apart are two objects? ``result`` keeps the least of all calls.

    In contact it is -1, or with ``enable_signed_distance`` minus the depth; of two meshes it is 0.

    >>> import nearhit.fcl as fcl
    >>> box, ball = fcl.CollisionObject(fcl.Box(1, 1, 1)), fcl.CollisionObject(fcl.Sphere(1))
    >>> ball.setTranslation([3, 0, 0])
    >>> result = fcl.DistanceResult()
    >>> fcl.distance(box, ball, fcl.DistanceRequest(), result)
    1.5
    >>> result.nearest_points[0]
    array([0.5, 0. , 0. ])
    """
    found = _gap(o1, o2, request is not None and bool(request.enable_signed_distance), float("inf"))
    if found is None:
        # An octree without occupied cells.
        return DistanceResult().min_distance
    if result is not None:
        keep(o1, o2, found, result)
    return found.distance


def keep(o1: CollisionObject, o2: CollisionObject, found: _Gap, result: DistanceResult) -> None:
    """If it is the least."""
    if found.distance < result.min_distance:
        result.min_distance = found.distance
        result.nearest_points = [found.points[0].copy(), found.points[1].copy()]
        result.o1, result.o2, result.b1, result.b2 = o1._geometry, o2._geometry, found.b1, found.b2


def improve(o1: CollisionObject, o2: CollisionObject, request: DistanceRequest, result: DistanceResult) -> None:
    """`distance` for its result alone: pairs that are farther apart are given up early."""
    found = _gap(o1, o2, bool(request.enable_signed_distance), max(result.min_distance, 0.0))
    if found is not None:
        keep(o1, o2, found, result)


def continuousCollide(
    o1: CollisionObject,
    tf1_end: Transform,
    o2: CollisionObject,
    tf2_end: Transform,
    request: ContinuousCollisionRequest | None = None,
    result: ContinuousCollisionResult | None = None,
) -> float:
    """When do two objects meet that move from where they are to an end? The time of contact, from 0
    to 1; 1 if they do not meet. There is no contact before it.

    ``CCDM_TRANS`` moves without turning, ``CCDM_LINEAR`` along a line while turning the shorter way
    round, ``CCDM_SCREW`` about and along one axis.

    >>> import nearhit.fcl as fcl
    >>> box, ball = fcl.CollisionObject(fcl.Box(1, 1, 1)), fcl.CollisionObject(fcl.Sphere(1))
    >>> ball.setTranslation([3.5, 0, 0])
    >>> result = fcl.ContinuousCollisionResult()
    >>> time = fcl.continuousCollide(box, fcl.Transform(), ball, fcl.Transform(), result=result)
    >>> result.is_collide, round(time, 3)
    (True, 0.571)
    """
    if request is None:
        request = ContinuousCollisionRequest()
    motion = CCDMotionType(request.ccd_motion_type)
    if motion == CCDMotionType.CCDM_SPLINE:
        raise ValueError("CCDM_SPLINE needs more than two transforms; CCDM_TRANS, CCDM_LINEAR and CCDM_SCREW do not")
    if not (_is_simple(o1) and _is_simple(o2)):
        raise ValueError("continuousCollide takes no Plane and no OcTree: a Halfspace, or one cell as a Box, can be asked about")
    ends = [end._matrix.copy() for end in (tf1_end, tf2_end)]
    if motion == CCDMotionType.CCDM_TRANS:
        for end, start in zip(ends, (o1, o2)):
            end[:3, :3] = start._matrix[:3, :3]
    screw = motion == CCDMotionType.CCDM_SCREW
    time, touching = _native.placed_first_contact(
        o1._placed(), ends[0], o2._placed(), ends[1], float(request.toc_err), screw
    )
    # Not decided: closer than rounding tells.
    is_collide = touching is not False
    if result is not None:
        result.is_collide = result.is_collide or is_collide
        result.time_of_contact = min(result.time_of_contact, time)
    return float(time)
