"""Labels for a robot that learns to grasp: of many grasps of a gripper in a pile of objects, which are free, and which hold something?

    python python/examples/grasps.py [GRASPS]

A grasp is good if the open gripper touches nothing, and something is between its fingers. Grasps are asked about in batches on all cores, as poses of one gripper against one
model of the whole pile; a million is the default.
"""

import sys
import time

import numpy as np
from numpy.typing import ArrayLike, NDArray

import nearhit as nh

Faces = tuple[NDArray[np.float64], NDArray[np.int64]]
"""Vertices and triangles."""

WIDTH, DEPTH = 0.08, 0.05
"""Between the fingers, and along them."""


def box(sizes: ArrayLike, at: ArrayLike) -> Faces:
    """Vertices and faces of a box."""
    half = 0.5 * np.asarray(sizes, dtype=np.float64)
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * half + np.asarray(at, dtype=np.float64)
    faces = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]
    return corners, np.array(faces)


def joined(parts: list[Faces]) -> Faces:
    """Several meshes as one."""
    vertices: list[NDArray[np.float64]] = []
    faces: list[NDArray[np.int64]] = []
    count = 0
    for corners, triangles in parts:
        vertices.append(corners)
        faces.append(triangles + count)
        count += len(corners)
    return np.concatenate(vertices), np.concatenate(faces)


def gripper() -> Faces:
    """Two fingers and a palm; the fingers point along z, and close along x."""
    fingers = [box([0.01, 0.02, DEPTH], [side * (0.5 * WIDTH + 0.005), 0, 0.5 * DEPTH]) for side in (-1, 1)]
    return joined([*fingers, box([WIDTH + 0.02, 0.04, 0.03], [0, 0, -0.015])])


def between() -> Faces:
    """What the fingers sweep when they close."""
    return box([WIDTH, 0.02, 0.8 * DEPTH], [0, 0, 0.6 * DEPTH])


def turned(count: int, random: np.random.Generator) -> NDArray[np.float64]:
    """Random rotations (n, 3, 3)."""
    q = random.normal(size=(count, 4))
    w, x, y, z = (q / np.linalg.norm(q, axis=1)[:, None]).T
    rows = [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)]
    rows += [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]
    return np.stack(rows, axis=-1).reshape(-1, 3, 3)


def pile(count: int, random: np.random.Generator) -> Faces:
    """Boxes of the size of a hand, thrown together."""
    parts = []
    for rotation in turned(count, random):
        corners, faces = box(random.uniform(0.02, 0.09, 3), 0.0)
        parts.append((corners @ rotation.T + random.uniform([-0.2, -0.2, 0], [0.2, 0.2, 0.1]), faces))
    return joined(parts)


def label(objects: nh.Model, rotations: NDArray[np.float64], positions: NDArray[np.float64]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """For each grasp: is it free, and does it hold something?"""
    poses = rotations, positions
    free = ~nh.collide(nh.Model(gripper()), objects, poses_a=poses, solid=True).touching
    holds = np.zeros(len(free), dtype=bool)
    # Only of those that are free.
    if free.any():
        holds[free] = nh.collide(nh.Model(between()), objects, poses_a=(rotations[free], positions[free]), solid=True).touching
    return free, holds


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    random = np.random.default_rng(1)
    objects = nh.Model(pile(60, random))
    free, good = 0, 0
    began = time.perf_counter()
    for first in range(0, count, 100_000):
        some = min(100_000, count - first)
        is_free, holds = label(objects, turned(some, random), random.uniform([-0.25, -0.25, -0.05], [0.25, 0.25, 0.25], (some, 3)))
        free, good = free + int(is_free.sum()), good + int(holds.sum())
    took = time.perf_counter() - began
    print(f"{count} grasps in {took:.1f} s: {free} are free, {good} of them hold something")


if __name__ == "__main__":
    main()
