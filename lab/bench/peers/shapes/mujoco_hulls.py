"""MuJoCo's distances of convex meshes, by mj_geomDistance. The protocol is in harness.hpp; there is
one question, "answers distance PAIR", and only hulls.

    python3 mujoco_hulls.py FILE
"""
import sys

import mujoco
import numpy as np

FARTHEST = 10.0


def read(path):
    shapes, pairs = [], []
    for line in open(path):
        words = line.split()
        if words[0] == "shape":
            count = int(words[2]) if words[1] == "hull" else 0
            numbers = [float(word) for word in words[4 : 4 + 3 * count]]
            shapes.append(np.array(numbers).reshape(-1, 3) if count else None)
        elif words[0] == "pair":
            pairs.append((int(words[1]), int(words[2]), []))
        else:
            pairs[-1][2].append([float(word) for word in words])
    return shapes, pairs


def distance(a, b, numbers):
    spec = mujoco.MjSpec()
    rotation, translation = np.array(numbers[:9]), numbers[9:]
    quaternion = np.zeros(4)
    mujoco.mju_mat2Quat(quaternion, rotation)
    for name, points, place in (("a", a, None), ("b", b, (translation, quaternion))):
        spec.add_mesh(name=name, uservert=points.flatten(), inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_CONVEX)
        body = spec.worldbody.add_body(name=name)
        if place:
            body.pos, body.quat = place
        body.add_geom(name=name, type=mujoco.mjtGeom.mjGEOM_MESH, meshname=name)
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    found = mujoco.mj_geomDistance(model, data, model.geom("a").id, model.geom("b").id, FARTHEST, None)
    return max(0.0, found)


def main():
    shapes, pairs = read(sys.argv[1])
    print("ready", flush=True)
    for line in sys.stdin:
        what, question, index = line.split()[:3]
        a, b, poses = pairs[int(index)]
        if (what, question) != ("answers", "distance"):
            print("unsupported", flush=True)
            continue
        print(*(repr(float(distance(shapes[a], shapes[b], numbers))) for numbers in poses), flush=True)


main()
