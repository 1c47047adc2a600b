"""Code as users write it, for ``mypy --strict``: every query's answer has the right type. It is checked, not run."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray
from typing_extensions import assert_type

import nearhit as nh
import nearhit.fcl as fcl
from nearhit.spread import Spread

model = nh.Model("part.stl")
pose: NDArray[np.float64] = np.eye(4)
poses: NDArray[np.float64] = np.tile(pose, (5, 1, 1))

assert_type(nh.collide(model, model), nh.Collision)
assert_type(nh.collide(model, model, pose_b=pose, solid=True, budget_us=50), nh.Collision)
assert_type(nh.collide(model, model, poses_b=poses, warm=True, threads=2), nh.Collisions)
assert_type(nh.collide(model, model, poses_a=poses, pose_b=pose), nh.Collisions)
assert_type(nh.collide(model, model, poses_a=poses, poses_b=poses), nh.Collisions)
assert_type(nh.within(model, model, 0.5, pose_a=(pose[:3, :3], [0, 0, 1])), nh.Within)
assert_type(nh.within(model, model, 0.5, poses_b=poses), nh.Withins)
assert_type(nh.distance(model, model, seed=(0, 1)), nh.Distance)
assert_type(nh.distance(model, model, poses_b=poses, rel_error=0.01), nh.Distances)
assert_type(nh.contacts(model, model, poses_b=poses, points=True), nh.Contacts)
assert_type(nh.contacts(nh.Ball(1), model, poses_b=poses).depths, NDArray[np.float64] | None)
assert_type(nh.nearest_pairs(model, model, 3), nh.NearPairs)
assert_type(nh.diagnostics(model), nh.Diagnostics)
assert_type(nh.self_contacts(model), NDArray[np.int64])
assert_type(nh.separating_plane(nh.Ball(1), nh.Box(1, 2, 3)), nh.SeparatingPlane | None)
assert_type(nh.simplified(nh.Box(1, 2, 3), 4), nh.Hull)
assert_type(nh.depth(model, model), nh.Depth)
assert_type(nh.depth(model, model, poses_a=poses), nh.Depths)
assert_type(nh.regions(model, model), nh.Regions)
assert_type(nh.inside(model, poses[:, :3, 3]), NDArray[np.bool_])
assert_type(nh.closest_point(model, [[0.0, 0.0, 0.0]]).distances, NDArray[np.float64])

box, hull = nh.Box(1, 2, 3, margin=0.1), nh.Hull([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
assert_type(box, nh.Box)
assert_type(box.sizes, tuple[float, float, float])
assert_type(nh.collide(box, model, poses_b=poses), nh.Collisions)
assert_type(nh.distance(model, nh.Cone(1, 2, top=0.5)), nh.Distance)
assert_type(nh.within(hull, nh.HalfSpace([0, 0, 1], 0), 0.1), nh.Within)
assert_type(nh.penetration(box, nh.Ball(1), pose_b=pose), nh.Penetration)
assert_type(nh.penetration(box, hull, poses_b=poses, threads=2), nh.Penetrations)
assert_type(nh.penetration(box, hull, poses_a=poses), nh.Penetrations)

tree = nh.SphereTree(model)
assert_type(nh.refine(tree, tree), nh.Refined)
assert_type(nh.refine(tree, tree, poses_b=poses), nh.Refineds)
assert_type(nh.Refinement(tree, tree).run(work=100), nh.Refined)
assert_type(nh.adb(model, model, base_rate=0.1), nh.Guess)
assert_type(nh.adb(model, model, poses_b=poses), nh.Guesses)

report = nh.clash({"a": model, "b": (model, pose)}, clearance=1, ignore=["touching"], allow=[("a", "b")])
assert_type(report, nh.ClashReport)
for found in report:
    assert_type(found, nh.Clash)
    assert_type(found.kind, nh.ClashKind)
    assert_type(found.depth, nh.Interval | None)

nh.collide(model, model, speed=9)  # type: ignore[call-overload]
nh.collide(model, model, warm=True)  # type: ignore[call-overload]
nh.clash("machine.glb", ignore=["soft"])  # type: ignore[list-item]

checked = nh.nc("op1.nc", "tools.json", part=model, fixture={"vise": ("vise.stl", pose)}, rapid=(30, 30, 15))
assert_type(checked, nh.NcReport)
for fault in checked:
    assert_type(fault, nh.NcFinding)
    assert_type(fault.clearance, nh.Interval)
nh.nc("op1.nc", "tools.json", stock=[box, model], tool_change="same", offsets={"G55": [1, 2, 3]})
nh.nc("op1.nc", "tools.json", part=model, speed=9)  # type: ignore[call-arg]

robot = nh.Robot("arm.urdf", srdf="arm.srdf", packages=["share"])
assert_type(robot.collides([0.0, 1.0]), bool)
assert_type(robot.distance([0.0, 1.0], gradient=True), nh.RobotDistance)
assert_type(robot.path_clear([0.0], [1.0], clearance=0.01), nh.PathClear)
assert_type(robot.world.add("table", nh.Box(1, 2, 3), pose=pose), None)
assert_type(robot.attach("hand", model), str)
assert_type(robot.distances(pose[0]), NDArray[np.float64])
corners: NDArray[np.float32] = np.zeros((3, 3), dtype=np.float32)
assert_type(nh.distance((corners, [[0, 1, 2]]), box), nh.Distance)
assert_type(nh.contacts((corners, [[0, 1, 2]]), model, points=True), nh.Contacts)
assert_type(nh.distance_gradient(model, box, poses_b=poses).b, NDArray[np.float64])
assert_type(nh.Deforming((corners, [[0, 1, 2]])).model(), nh.Model)

scene = nh.Scene()
assert_type(scene.collides(), bool)
assert_type(scene.detect(budget_us=100), nh.Frame)
assert_type(scene.detect().pairs[0].touching, bool | None)

ball = fcl.CollisionObject(fcl.Sphere(1), fcl.Transform([0, 0, 2]))
assert_type(fcl.collide(ball, ball, fcl.CollisionRequest(enable_contact=True), fcl.CollisionResult()), int)
assert_type(fcl.distance(ball, ball), float)
assert_type(fcl.CollisionResult().contacts[0].normal, NDArray[np.float64])
manager = fcl.DynamicAABBTreeCollisionManager()
manager.collide(fcl.CollisionData(), fcl.defaultCollisionCallback)
assert_type(manager.getObjects(), list[fcl.CollisionObject])

with ThreadPoolExecutor() as executor:
    assert_type(Spread(executor).distance(model, model, poses_b=poses), nh.Distances)
