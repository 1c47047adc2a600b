"""A batch of poses over a Ray cluster (PyPI: ray) on one machine; on many, the address of the head is all that changes.

    python python/examples/cluster.py [POSES] [ADDRESS]
"""

import sys

import numpy as np
from numpy.typing import NDArray

import nearhit as nh
import nearhit.ray


def torus(n: int = 40, major: float = 1.0, minor: float = 0.3) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Vertices and faces."""
    turn = 2 * np.pi * np.arange(n) / n
    u, v = np.meshgrid(turn, turn, indexing="ij")
    ring = major + minor * np.cos(v)
    vertices = np.stack([ring * np.cos(u), ring * np.sin(u), minor * np.sin(v)], axis=-1).reshape(-1, 3)
    i, j = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")

    def at(i: NDArray[np.int64], j: NDArray[np.int64]) -> NDArray[np.int64]:
        return ((i % n) * n + j % n).ravel()

    a, b, c, d = at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)
    return vertices, np.concatenate([np.column_stack([a, b, c]), np.column_stack([a, c, d])])


def told(done: int, count: int) -> None:
    print(f"\r{done} of {count}", end="", file=sys.stderr)


def spread(count: int, address: str | None = None) -> tuple[nh.Distances, bool]:
    """Distances of two rings at random places, from the cluster; and whether one process says the same."""
    ring = nh.Model(torus())
    places = np.random.default_rng(1).uniform(-2.5, 2.5, (count, 3))
    poses = np.tile(np.eye(3), (count, 1, 1)), places
    cluster = nearhit.ray.connect(address, log_to_driver=False, include_dashboard=False)
    found: nh.Distances = cluster.distance(ring, ring, poses_b=poses, progress=told)
    return found, found == nh.distance(ring, ring, poses_b=poses)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    found, same = spread(count, sys.argv[2] if len(sys.argv) > 2 else None)
    print(f"{count} poses: {int((found.upper == 0).sum())} in contact; {'the same' if same else 'not the same'} to the last bit as in one process")


if __name__ == "__main__":
    main()
