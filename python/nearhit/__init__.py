"""Proximity questions about triangle meshes: do they touch, where, how far apart are they?

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

Meshes are surfaces: they touch when a triangle of one and a triangle of the other share a point. With ``solid=True`` a part inside another touches it, and distances have a sign. Poses place a body in the world:
a (4, 4) matrix, or a rotation and a translation ``(R, t)``.
"""

from ._native import (
    Collision,
    Distance,
    FileError,
    MeshError,
    Model,
    NearhitError,
    PoseError,
    QueryError,
    Scene,
    SceneError,
    SphereTree,
    __version__,
)
from ._points import closest_point, inside, nearest_triangles, ray_all, ray_first, signed_distance, winding_number
from ._queries import (
    adb,
    collide,
    contacts,
    depth,
    distance,
    nearest_pairs,
    pairs_within,
    refine,
    regions,
    within,
)
from ._results import (
    AllHits,
    Closest,
    Collisions,
    Contacts,
    Depth,
    Depths,
    Gap,
    Distances,
    Guess,
    Guesses,
    Hits,
    NearPairs,
    NearTriangles,
    Refined,
    Refineds,
    Regions,
    Touch,
    Within,
    Withins,
    Work,
)

__all__ = [
    "AllHits",
    "Closest",
    "Collision",
    "Collisions",
    "Contacts",
    "Depth",
    "Depths",
    "Distance",
    "Distances",
    "FileError",
    "Gap",
    "Guess",
    "Guesses",
    "Hits",
    "MeshError",
    "Model",
    "NearPairs",
    "NearTriangles",
    "NearhitError",
    "PoseError",
    "QueryError",
    "Refined",
    "Refineds",
    "Regions",
    "Scene",
    "SceneError",
    "SphereTree",
    "Touch",
    "Within",
    "Withins",
    "Work",
    "__version__",
    "adb",
    "closest_point",
    "collide",
    "contacts",
    "depth",
    "distance",
    "inside",
    "nearest_pairs",
    "nearest_triangles",
    "pairs_within",
    "ray_all",
    "ray_first",
    "refine",
    "regions",
    "signed_distance",
    "winding_number",
    "within",
]
