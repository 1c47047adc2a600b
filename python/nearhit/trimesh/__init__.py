"""trimesh's collisions, proximity and rays on nearhit, with trimesh's names, arguments and results.

>>> import trimesh
>>> from nearhit.trimesh import CollisionManager
>>> manager = CollisionManager()
>>> _ = manager.add_object("box", trimesh.creation.box())
>>> manager.in_collision_single(trimesh.creation.icosphere(radius=0.6))
True
>>> ball = trimesh.creation.icosphere(radius=0.1).apply_translation([2, 0, 0])
>>> manager.min_distance_single(ball, return_name=True)
(1.4, 'box')

`install` puts all of it into trimesh itself. What differs from the original:

* Everything is exact, and in double precision; the original rounds poses to single precision.
* As with the original, convex meshes are solids and all others are surfaces, unless said:
  ``CollisionManager(solid=True)`` takes all for solids, ``solid=False`` none, and
  ``add_object(..., solid=...)`` one of them. What is inside a solid touches it; of two solids in
  contact the distance is negative, minus the length of the shortest translation that separates
  them, and the least of all pairs (the original stops at the first pair in contact). A surface has
  no inside, and no depth: the distance of a solid and a surface in contact is 0.
* There is a contact for every pair of triangles that touch, with the middle of what they share as
  its point. Its normal and depth are those of the whole connected contact it is part of: the way
  out for the second object, and how deep the deepest point there is. (The original has these per
  triangle, and of two convex meshes one contact without triangles.) They are computed when they are
  first looked at. Where one is wholly inside the other there is one contact, at its deepest point.
* Transforms that scale or mirror are applied to the mesh; the original takes them for rotations.
* ``contains`` and signed distances are exact for closed meshes; where a mesh has holes they go by
  the generalised winding number.
"""

from ._collision import CollisionManager, ContactData, DistanceData, scene_to_collision
from ._install import install, uninstall
from ._proximity import ProximityQuery, closest_point, contains, signed_distance
from ._rays import RayMeshIntersector

__all__ = [
    "CollisionManager",
    "ContactData",
    "DistanceData",
    "ProximityQuery",
    "RayMeshIntersector",
    "closest_point",
    "contains",
    "install",
    "scene_to_collision",
    "signed_distance",
    "uninstall",
]
