"""Asks python-fcl, in a process of its own: it can crash. Reads questions from stdin as JSON, writes
answers to stdout as JSON."""

import json
import sys

import fcl
import numpy as np


def geometry(said):
    kind, sizes = said["kind"], said["sizes"]
    if kind == "mesh":
        mesh = fcl.BVHModel()
        mesh.beginModel(len(said["faces"]), len(said["corners"]))
        mesh.addSubModel(np.array(said["corners"]), np.array(said["faces"]))
        mesh.endModel()
        return mesh
    if kind == "convex":
        faces = np.array([[3, *face] for face in said["faces"]])
        return fcl.Convex(np.array(said["corners"]), len(faces), faces.ravel())
    return {
        "box": fcl.Box, "sphere": fcl.Sphere, "ellipsoid": fcl.Ellipsoid, "capsule": fcl.Capsule,
        "cone": fcl.Cone, "cylinder": fcl.Cylinder,
    }[kind](*sizes)  # fmt: skip


def main():
    asked = json.load(sys.stdin)
    geometries = [geometry(said) for said in asked["geometries"]]
    answers = []
    for a, b, pose_a, pose_b in asked["questions"]:
        one, other = (
            fcl.CollisionObject(geometries[index], fcl.Transform(np.array(pose)[:3, :3], np.array(pose)[:3, 3]))
            for index, pose in ((a, pose_a), (b, pose_b))
        )
        result = fcl.CollisionResult()
        fcl.collide(one, other, fcl.CollisionRequest(num_max_contacts=1, enable_contact=True), result)
        plain = fcl.distance(one, other, fcl.DistanceRequest(), fcl.DistanceResult())
        signed = fcl.distance(one, other, fcl.DistanceRequest(True, True), fcl.DistanceResult())
        depth = result.contacts[0].penetration_depth if result.contacts else 0.0
        answers.append([result.is_collision, plain, signed, depth])
    json.dump(answers, sys.stdout)


main()
