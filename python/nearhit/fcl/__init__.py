"""python-fcl's module on nearhit: ``import nearhit.fcl as fcl`` in place of ``import fcl``.

>>> import numpy as np
>>> import nearhit.fcl as fcl
>>> mug = fcl.CollisionObject(fcl.Cylinder(0.04, 0.1), fcl.Transform(np.array([0.0, 0.0, 0.05])))
>>> table = fcl.CollisionObject(fcl.Box(1.0, 1.0, 0.02), fcl.Transform(np.array([0.0, 0.0, -0.03])))
>>> fcl.collide(mug, table)
0
>>> round(fcl.distance(mug, table), 9)
0.02

Names, arguments, defaults and fields are those of python-fcl. Answers are nearhit's: distances are
exact, depths are the shortest way out, nothing is rounded to single precision. What differs is listed
in the guide, with whose answer is right; in short:

* ``contact.o1`` is always the geometry of the first object, the very object; FCL exchanges the two
  where one is a mesh.
* Two convex geometries have one contact: the deepest. FCL has up to four for two boxes.
* The distance in contact is -1, with ``enable_signed_distance`` minus the depth; of two meshes, which
  are surfaces, it is 0. FCL has -1 or 0 for meshes.
* ``Plane``, ``Halfspace`` and ``TriangleP`` answer every question. python-fcl crashes or finds no
  contact for many of them.
* A manager's boxes are always up to date; callbacks are given the registered objects themselves, and
  an exception in one is raised.
"""

from .._native import __version__
from ._data import (
    NODE_TYPE,
    OBJECT_TYPE,
    CCDMotionType,
    CCDSolverType,
    CollisionData,
    CollisionRequest,
    CollisionResult,
    Contact,
    ContinuousCollisionRequest,
    ContinuousCollisionResult,
    CostSource,
    DistanceData,
    DistanceRequest,
    DistanceResult,
    GJKSolverType,
)
from ._geometry import (
    Box,
    BVHModel,
    Capsule,
    CollisionGeometry,
    Cone,
    Convex,
    Cylinder,
    Ellipsoid,
    Halfspace,
    Plane,
    Sphere,
    TriangleP,
)
from ._manager import DynamicAABBTreeCollisionManager, defaultCollisionCallback, defaultDistanceCallback
from ._narrow import collide, continuousCollide, distance
from ._objects import CollisionObject, Transform
from ._octree import OcTree

__all__ = [
    "NODE_TYPE",
    "OBJECT_TYPE",
    "BVHModel",
    "Box",
    "CCDMotionType",
    "CCDSolverType",
    "Capsule",
    "CollisionData",
    "CollisionGeometry",
    "CollisionObject",
    "CollisionRequest",
    "CollisionResult",
    "Cone",
    "Contact",
    "ContinuousCollisionRequest",
    "ContinuousCollisionResult",
    "Convex",
    "CostSource",
    "Cylinder",
    "DistanceData",
    "DistanceRequest",
    "DistanceResult",
    "DynamicAABBTreeCollisionManager",
    "Ellipsoid",
    "GJKSolverType",
    "Halfspace",
    "OcTree",
    "Plane",
    "Sphere",
    "Transform",
    "TriangleP",
    "__version__",
    "collide",
    "continuousCollide",
    "defaultCollisionCallback",
    "defaultDistanceCallback",
    "distance",
]
