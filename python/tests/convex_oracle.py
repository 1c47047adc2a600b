"""What certifies answers about two convex bodies: support functions and membership, written for the
tests alone.

A distance is certain if both points are in their bodies and a direction separates the bodies by as
much; a depth, if moving along the normal takes them apart and no direction that is tried needs less.
"""

import numpy as np


class Solid:
    """A convex body in its own frame: how far it reaches along directions, and which points it has."""

    def __init__(self, kind, sizes, corners=None):
        self.kind, self.sizes, self.corners = kind, sizes, corners

    def support(self, d):
        """(n,): the largest d · x, for directions (n, 3)."""
        radial = np.hypot(d[:, 0], d[:, 1])
        if self.kind == "box":
            return np.abs(d) @ (0.5 * np.array(self.sizes))
        if self.kind == "sphere":
            return self.sizes[0] * np.linalg.norm(d, axis=1)
        if self.kind == "ellipsoid":
            return np.linalg.norm(d * np.array(self.sizes), axis=1)
        if self.kind == "capsule":
            return self.sizes[0] * np.linalg.norm(d, axis=1) + 0.5 * self.sizes[1] * np.abs(d[:, 2])
        if self.kind == "cylinder":
            return self.sizes[0] * radial + 0.5 * self.sizes[1] * np.abs(d[:, 2])
        if self.kind == "cone":
            half = 0.5 * self.sizes[1]
            return np.maximum(self.sizes[0] * radial - half * d[:, 2], half * d[:, 2])
        return (d @ self.corners.T).max(axis=1)

    def outside(self, x):
        """How far a point is outside, by a measure that is 0 inside; not always a distance."""
        radial = np.hypot(x[0], x[1])
        if self.kind == "box":
            return max(0.0, (np.abs(x) - 0.5 * np.array(self.sizes)).max())
        if self.kind == "sphere":
            return max(0.0, np.linalg.norm(x) - self.sizes[0])
        if self.kind == "ellipsoid":
            return max(0.0, np.linalg.norm(x / np.array(self.sizes)) - 1.0)
        if self.kind == "capsule":
            along = np.clip(x[2], -0.5 * self.sizes[1], 0.5 * self.sizes[1])
            return max(0.0, np.linalg.norm(x - [0, 0, along]) - self.sizes[0])
        if self.kind == "cylinder":
            return max(0.0, radial - self.sizes[0], abs(x[2]) - 0.5 * self.sizes[1])
        if self.kind == "cone":
            half = 0.5 * self.sizes[1]
            width = self.sizes[0] * (half - x[2]) / self.sizes[1]
            return max(0.0, abs(x[2]) - half, radial - width)
        # Of corners: no direction that is tried has the point farther out.
        directions = sphere(400)
        return max(0.0, (directions @ x - self.support(directions)).max())


def sphere(count):
    """(count, 3): directions spread evenly, a spiral."""
    index = np.arange(count) + 0.5
    height, turn = 1 - 2 * index / count, np.pi * (1 + 5**0.5) * index
    flat = np.sqrt(1 - height**2)
    return np.column_stack([flat * np.cos(turn), flat * np.sin(turn), height])


def gap_along(a, pose_a, b, pose_b, d):
    """(n,): by how much directions (n, 3) from a to b separate the two; negative: how far b must move
    along them."""
    most_a = a.support(d @ pose_a[:3, :3]) + d @ pose_a[:3, 3]
    most_b = b.support(-d @ pose_b[:3, :3]) - d @ pose_b[:3, 3]
    return -(most_a + most_b)


def certify_distance(a, pose_a, b, pose_b, found, points, tolerance):
    """Raises unless the distance is certain."""
    for solid, pose, point in ((a, pose_a, points[0]), (b, pose_b, points[1])):
        off = solid.outside((point - pose[:3, 3]) @ pose[:3, :3])
        assert off <= tolerance, f"a nearest point is {off} outside of its {solid.kind}"
    way = points[1] - points[0]
    assert abs(np.linalg.norm(way) - found) <= tolerance, f"points are {np.linalg.norm(way)} apart, not {found}"
    proven = gap_along(a, pose_a, b, pose_b, (way / np.linalg.norm(way))[None])[0]
    assert proven >= found - tolerance, f"separated by {proven}, not by {found}"


def least_depth(a, pose_a, b, pose_b, count=3000):
    """The least depth along directions that are tried: an upper bound of the depth."""
    directions = sphere(count)
    best = directions[np.argmax(gap_along(a, pose_a, b, pose_b, directions))]
    for spread in (0.1, 0.03, 0.01, 0.003, 0.001):
        around = best + spread * directions[::10]
        around /= np.linalg.norm(around, axis=1)[:, None]
        around = np.concatenate([best[None], around])
        best = around[np.argmax(gap_along(a, pose_a, b, pose_b, around))]
    return -gap_along(a, pose_a, b, pose_b, best[None])[0]


def certify_depth(a, pose_a, b, pose_b, depth, normal, tolerance):
    """Raises unless moving b by the depth along the normal takes it out, and nothing that is tried is
    shorter."""
    along = -gap_along(a, pose_a, b, pose_b, normal[None])[0]
    assert along <= depth + tolerance, f"along its normal the depth is {along}, not {depth}"
    least = least_depth(a, pose_a, b, pose_b)
    assert depth <= least + tolerance, f"a way of {least} is shorter than {depth}"
