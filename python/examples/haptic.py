"""A haptic loop: a probe moves a thousand times a second, and every answer must be there in time.

    python python/examples/haptic.py [FRAMES] [BUDGET IN MICROSECONDS]

Each frame asks for the distance with a budget, and starts where the last one ended. What is not known in time is an interval; the force is that of the near end of it.
"""

import sys
import time

import numpy as np
from numpy.typing import NDArray

import nearhit as nh

STIFFNESS, REACH = 800.0, 0.05


def ball(radius: float, rings: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Vertices and faces of a sphere, pole to pole."""
    phi, theta = np.meshgrid(np.arange(2 * rings) * np.pi / rings, (np.arange(rings) + 0.5) * np.pi / rings)
    points = np.stack([np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta)], axis=-1) * radius
    index = np.arange(rings * 2 * rings).reshape(rings, 2 * rings)
    a, b, c, d = index[:-1], np.roll(index[:-1], -1, 1), index[1:], np.roll(index[1:], -1, 1)
    faces = np.concatenate([np.stack([a, c, b], -1).reshape(-1, 3), np.stack([b, c, d], -1).reshape(-1, 3)])
    return points.reshape(-1, 3), faces


def simulate(frames: int, budget_us: float) -> NDArray[np.float64]:
    """For each frame the interval of the distance, the force, and the microseconds it took."""
    surface, probe = nh.Model(ball(1.0, 60)), nh.Model(ball(0.1, 12))
    seed: tuple[int, int] | None = None
    log = np.zeros((frames, 4))
    for frame in range(frames):
        angle = 4e-3 * frame
        away = 1.11 + 0.03 * np.sin(7 * angle)
        at = away * np.array([np.cos(angle), np.sin(angle), 0.3]) / np.hypot(1.0, 0.3)
        start = time.perf_counter()
        found = nh.distance(surface, probe, pose_b=(np.eye(3), at), budget_us=budget_us, seed=seed)
        took = (time.perf_counter() - start) * 1e6
        seed = found.triangles
        log[frame] = found.lower, found.upper, STIFFNESS * max(0.0, REACH - found.lower), took
    return log


def main() -> None:
    frames = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    budget = float(sys.argv[2]) if len(sys.argv) > 2 else 200.0
    log = simulate(frames, budget)
    exact = (log[:, 0] == log[:, 1]).mean()
    print(f"{frames} frames: {exact:.0%} exact, largest force {log[:, 2].max():.1f} N")
    print(f"time a frame: {np.median(log[:, 3]):.0f} us in the median, {np.percentile(log[:, 3], 99):.0f} us at 99 %")


if __name__ == "__main__":
    main()
