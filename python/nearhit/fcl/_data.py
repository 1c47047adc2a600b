"""Enumerations, requests and results: python-fcl's names, fields and defaults."""

from __future__ import annotations

import sys
from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ._geometry import CollisionGeometry

Vector = NDArray[np.float64]
"""(3,)"""


class OBJECT_TYPE(IntEnum):
    """What a geometry is made of."""

    OT_UNKNOWN, OT_BVH, OT_GEOM, OT_OCTREE, OT_COUNT = range(5)


class NODE_TYPE(IntEnum):
    """The kind of a geometry."""

    (
        BV_UNKNOWN,
        BV_AABB,
        BV_OBB,
        BV_RSS,
        BV_kIOS,
        BV_OBBRSS,
        BV_KDOP16,
        BV_KDOP18,
        BV_KDOP24,
        GEOM_BOX,
        GEOM_SPHERE,
        GEOM_ELLIPSOID,
        GEOM_CAPSULE,
        GEOM_CONE,
        GEOM_CYLINDER,
        GEOM_CONVEX,
        GEOM_PLANE,
        GEOM_HALFSPACE,
        GEOM_TRIANGLE,
        GEOM_OCTREE,
        NODE_COUNT,
    ) = range(21)


class CCDMotionType(IntEnum):
    """How a body gets from its start to its end."""

    CCDM_TRANS, CCDM_LINEAR, CCDM_SCREW, CCDM_SPLINE = range(4)


class CCDSolverType(IntEnum):
    """Accepted and not heeded: there is one way, and it misses nothing."""

    CCDC_NAIVE, CCDC_CONSERVATIVE_ADVANCEMENT, CCDC_RAY_SHOOTING, CCDC_POLYNOMIAL_SOLVER = range(4)


class GJKSolverType(IntEnum):
    """Accepted and not heeded: there is one solver, and it is exact."""

    GST_LIBCCD, GST_INDEP = range(2)


class Contact:
    """Where two geometries touch."""

    __slots__ = ("b1", "b2", "normal", "o1", "o2", "penetration_depth", "pos")

    def __init__(self) -> None:
        self.o1: CollisionGeometry | None = None
        """The geometry of the first object: the very one."""
        self.o2: CollisionGeometry | None = None
        """The geometry of the second object."""
        self.b1: int = 0
        """The triangle of a mesh, the cell of an octree, -1 otherwise."""
        self.b2: int = 0
        self.normal: Vector = np.zeros(3)
        """A unit vector from the first to the second, in the world: the way out for the second."""
        self.pos: Vector = np.zeros(3)
        """In the world."""
        self.penetration_depth: float = 0.0
        """How far the second must move along the normal; never negative."""


class CostSource:
    """A box in which two geometries overlap."""

    __slots__ = ("aabb_max", "aabb_min", "cost_density", "total_cost")

    def __init__(self) -> None:
        self.aabb_min: Vector = np.zeros(3)
        self.aabb_max: Vector = np.zeros(3)
        self.cost_density: float = 0.0
        self.total_cost: float = 0.0


class CollisionRequest:
    """What `collide` is to find."""

    def __init__(
        self,
        num_max_contacts: int = 1,
        enable_contact: bool = False,
        num_max_cost_sources: int = 1,
        enable_cost: bool = False,
        use_approximate_cost: bool = True,
        gjk_solver_type: int = GJKSolverType.GST_LIBCCD,
    ) -> None:
        self.num_max_contacts = num_max_contacts
        """Of a pair of objects."""
        self.enable_contact = enable_contact
        """With normals, positions and depths; otherwise contacts name the geometries alone."""
        self.num_max_cost_sources = num_max_cost_sources
        self.enable_cost = enable_cost
        """With the box that the two boxes around the objects share."""
        self.use_approximate_cost = use_approximate_cost
        self.gjk_solver_type = gjk_solver_type


class CollisionResult:
    """What `collide` found; calls add to it."""

    def __init__(self, is_collision: bool = False) -> None:
        self.is_collision = is_collision
        self.contacts: list[Contact] = []
        self.cost_sources: list[CostSource] = []


class ContinuousCollisionRequest:
    """How `continuousCollide` moves the objects, and how exact it is."""

    def __init__(
        self,
        num_max_iterations: int = 10,
        toc_err: float = 0.0001,
        ccd_motion_type: int = CCDMotionType.CCDM_TRANS,
        gjk_solver_type: int = GJKSolverType.GST_LIBCCD,
        ccd_solver_type: int = CCDSolverType.CCDC_CONSERVATIVE_ADVANCEMENT,
    ) -> None:
        self.num_max_iterations = num_max_iterations
        """Not heeded: as many as it takes."""
        self.toc_err = toc_err
        """The time of contact is early by about this at most, where the objects meet head-on."""
        self.ccd_motion_type = ccd_motion_type
        self.gjk_solver_type = gjk_solver_type
        self.ccd_solver_type = ccd_solver_type


class ContinuousCollisionResult:
    """What `continuousCollide` found."""

    def __init__(self, is_collide: bool = False, time_of_contact: float = 1.0) -> None:
        self.is_collide = is_collide
        self.time_of_contact = time_of_contact
        """From 0 to 1. There is no contact before it."""


class DistanceRequest:
    """What `distance` is to find."""

    def __init__(
        self,
        enable_nearest_points: bool = False,
        enable_signed_distance: bool = False,
        gjk_solver_type: int = GJKSolverType.GST_LIBCCD,
    ) -> None:
        self.enable_nearest_points = enable_nearest_points
        """Not heeded: they are always there."""
        self.enable_signed_distance = enable_signed_distance
        """Minus the depth for objects in contact; otherwise -1."""
        self.gjk_solver_type = gjk_solver_type


class DistanceResult:
    """The least distance of all calls that were given it."""

    def __init__(self, min_distance_: float = sys.float_info.max) -> None:
        self.min_distance = min_distance_
        self.nearest_points: list[Vector | None] = [None, None]
        """In the world, of ``o1`` and of ``o2``."""
        self.o1: CollisionGeometry | None = None
        self.o2: CollisionGeometry | None = None
        self.b1: int = -1
        """The triangle of a mesh, the cell of an octree, -1 otherwise."""
        self.b2: int = -1


class CollisionData:
    """What the default callback of a manager's ``collide`` is given."""

    def __init__(self, request: CollisionRequest | None = None, result: CollisionResult | None = None) -> None:
        self.request = CollisionRequest() if request is None else request
        self.result = CollisionResult() if result is None else result
        self.done = False


class DistanceData:
    """What the default callback of a manager's ``distance`` is given."""

    def __init__(self, request: DistanceRequest | None = None, result: DistanceResult | None = None) -> None:
        self.request = DistanceRequest() if request is None else request
        self.result = DistanceResult() if result is None else result
        self.done = False
