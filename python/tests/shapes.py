"""Shapes and poses for tests and benches."""

import numpy as np


def torus(around=24, across=12, radius=1.0, tube=0.4):
    """Vertices and faces of a torus."""
    u, v = np.meshgrid(np.arange(around), np.arange(across), indexing="ij")
    phi, psi = 2 * np.pi * u / around, 2 * np.pi * v / across
    ring = radius + tube * np.cos(psi)
    vertices = np.stack([ring * np.cos(phi), ring * np.sin(phi), tube * np.sin(psi)], axis=-1).reshape(-1, 3)
    corner = lambda i, j: (i % around) * across + j % across  # noqa: E731
    first = np.stack([corner(u, v), corner(u + 1, v), corner(u + 1, v + 1)], axis=-1)
    second = np.stack([corner(u, v), corner(u + 1, v + 1), corner(u, v + 1)], axis=-1)
    return vertices, np.concatenate([first.reshape(-1, 3), second.reshape(-1, 3)])


def rotations(count, seed):
    """Random rotations."""
    q = np.random.default_rng(seed).normal(size=(count, 4))
    x, y, z, w = (q / np.linalg.norm(q, axis=1, keepdims=True)).T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), 2, 0)


def random_poses(count, seed, reach):
    """(count, 4, 4)."""
    poses = np.zeros((count, 4, 4))
    poses[:, :3, :3] = rotations(count, seed)
    poses[:, :3, 3] = np.random.default_rng(seed + 1).uniform(-reach, reach, size=(count, 3))
    poses[:, 3, 3] = 1
    return poses


def box(edge):
    """Vertices and faces of a cube from the origin."""
    corners = edge * np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
    sides = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    return corners, np.array([t for p, q, r, s in sides for t in ([p, q, r], [p, r, s])])


def moved(x, y, z):
    """A pose without rotation."""
    pose = np.eye(4)
    pose[:3, 3] = x, y, z
    return pose
