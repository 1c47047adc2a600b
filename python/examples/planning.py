"""A planner's inner loop: of many random configurations, and of the straight ways between them, which are free?

    python python/examples/planning.py [CONFIGURATIONS]
"""

import sys

import numpy as np
from numpy.typing import NDArray

import nearhit as nh


def gate(width: float) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """A wall with a window, as vertices and faces."""
    outer, inner = 3.0, width / 2

    def ring(half: float) -> list[list[float]]:
        return [[-half, 0, -half], [half, 0, -half], [half, 0, half], [-half, 0, half]]

    sides = [[i, (i + 1) % 4, 4 + (i + 1) % 4] for i in range(4)] + [[i, 4 + (i + 1) % 4, 4 + i] for i in range(4)]
    return np.array(ring(outer) + ring(inner)), np.array(sides)


def rod(length: float, half: float) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """A box along y."""
    corners = np.array([[x, y, z] for x in (-half, half) for y in (-length / 2, length / 2) for z in (-half, half)])
    faces = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]
    return corners, np.array(faces)


def about_z(angles: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rotations by the angles."""
    turned = np.zeros((len(angles), 3, 3))
    turned[:, 0, 0] = turned[:, 1, 1] = np.cos(angles)
    turned[:, 1, 0], turned[:, 0, 1], turned[:, 2, 2] = np.sin(angles), -np.sin(angles), 1
    return turned


def poses(configurations: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Of configurations (x, y, z, angle)."""
    return about_z(configurations[:, 3]), configurations[:, :3]


def plan(count: int, seed: int = 1, steps: int = 32) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Free configurations, and the pairs of successive ones with a free way between them."""
    wall, robot = nh.Model(gate(1.0)), nh.Model(rod(1.2, 0.2))
    drawn = np.random.default_rng(seed).uniform([-1.0, -2.0, -1.0, -0.4], [1.0, 2.0, 1.0, 0.4], size=(count, 4))
    free = drawn[~nh.collide(wall, robot, poses_b=poses(drawn)).touching]
    # The ways between successive free configurations, sampled; a clearance makes up for what is
    # between the samples.
    shares = np.linspace(0, 1, steps)[None, :, None]
    ways = free[:-1, None] * (1 - shares) + free[1:, None] * shares
    near = nh.within(wall, robot, 0.05, poses_b=poses(ways.reshape(-1, 4)), warm=True).near
    return free, np.logical_not(near.reshape(-1, steps)).all(axis=1).astype(bool)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    free, passable = plan(count)
    through = passable & (free[:-1, 1] * free[1:, 1] < 0)
    print(f"{len(free)} of {count} configurations are free; {passable.sum()} ways are, {through.sum()} of them through the window")


if __name__ == "__main__":
    main()
