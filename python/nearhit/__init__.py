"""Proximity questions about triangle meshes and shapes: do they touch, where, how far apart are they?

Exact, on all cores, with a budget if need be.

>>> import numpy as np
>>> import nearhit as nh
>>> square = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], dtype=float)
>>> a = nh.Model((square, [[0, 1, 2], [0, 2, 3]]))
>>> lifted = np.eye(4)
>>> lifted[2, 3] = 0.5
>>> nh.distance(a, a, pose_b=lifted).upper
0.5

Many poses are one call, on all cores:

>>> poses = np.tile(np.eye(4), (1000, 1, 1))
>>> poses[:, 2, 3] = np.linspace(0, 2, 1000)
>>> nh.distance(a, a, poses_b=poses).upper.shape
(1000,)

A ball, a box or another shape may take the place of a model:

>>> round(nh.distance(nh.Ball(0.25), a, pose_b=lifted).upper, 12)
0.25

The parts of an assembly that clash:

>>> report = nh.clash({"base": a, "lid": (a, lifted)}, clearance=1.0)
>>> [(found.kind, found.a, found.b, found.gap) for found in report]
[('close', 'base', 'lid', 0.5)]

A robot, from its URDF file or, here, a small one that needs none:

>>> robot = nh.Robot.example()
>>> robot.collides([0, 1.9, 2.5, 0, 0.02]), bool(robot.path_clear([0, 0, 0, 0, 0], [1, 0.5, 1, 0, 0]))
(True, True)

An NC program, every move of the tool proven clear or found:

>>> mill = {"number": 1, "shape": "flat", "diameter": 10, "cutting_length": 20}
>>> report = nh.nc("G0 X0 Y0 Z5\\nG1 X90 F600", {"tools": [mill]}, fixture=nh.Box(20, 20, 20), start=(-30, 0, 5))
>>> report[0].line, report[0].piece, float(report[0].tip[0].round(2))
(1, 'cutter', -15.0)

Meshes are surfaces: they touch when a triangle of one and a triangle of the other share a point.
With ``solid=True`` a part inside another touches it, and distances have a sign. Poses place a body
in the world: a (4, 4) matrix, or a rotation and a translation ``(R, t)``.
"""

from . import (
    _anytime,
    _checks,
    _clash,
    _gradients,
    _matrix,
    _nc,
    _pairs,
    _points,
    _results,
    _robot,
    _scene,
    _shapes,
    _show,
    _solids,
    _surfaces,
)
from ._anytime import *
from ._checks import *
from ._clash import *
from ._gradients import *
from ._matrix import *
from ._native import (
    Deforming,
    FileError,
    MeshError,
    Model,
    NcError,
    NearhitError,
    PoseError,
    QueryError,
    RobotError,
    Scene,
    SceneError,
    ShapeError,
    SphereTree,
    __version__,
)
from ._nc import *
from ._pairs import *
from ._points import *
from ._results import *
from ._robot import *
from ._scene import *
from ._shapes import *
from ._show import *
from ._solids import *
from ._surfaces import *

__all__ = [
    "Deforming",
    "FileError",
    "MeshError",
    "Model",
    "NcError",
    "NearhitError",
    "PoseError",
    "QueryError",
    "RobotError",
    "Scene",
    "SceneError",
    "ShapeError",
    "SphereTree",
    "__version__",
]
__all__ += _anytime.__all__
__all__ += _checks.__all__
__all__ += _clash.__all__
__all__ += _gradients.__all__
__all__ += _matrix.__all__
__all__ += _nc.__all__
__all__ += _pairs.__all__
__all__ += _points.__all__
__all__ += _results.__all__
__all__ += _robot.__all__
__all__ += _scene.__all__
__all__ += _shapes.__all__
__all__ += _show.__all__
__all__ += _solids.__all__
__all__ += _surfaces.__all__
