"""Gradients of the distance, against finite differences."""

import numpy as np
import pytest
from shapes import random_poses, torus

import nearhit as nh


def turned(pose, move):
    """A pose after a translation and a turn about the world's axes through its own origin."""
    angle = np.linalg.norm(move[3:])
    x, y, z = move[3:] / angle if angle > 0 else (0.0, 0.0, 0.0)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    after = pose.copy()
    after[:3, :3] = (np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross) @ pose[:3, :3]
    after[:3, 3] += move[:3]
    return after


@pytest.mark.parametrize("solid", [False, True])
def test_gradients_are_finite_differences(solid):
    ring = nh.Model(torus(12, 8, 0.7, 0.25))
    bodies = [(ring, ring)] if solid else [(ring, ring), (nh.Ellipsoid(0.3, 0.5, 0.2), ring), (nh.Cone(0.4, 0.6), nh.Box(0.4, 0.5, 0.6))]
    checked = inside = edges = 0
    for a, b in bodies:
        poses_a, poses_b = random_poses(30, 40, 0.3), random_poses(30, 50, 1.2)
        options = {"abs_error": 1e-9} if solid else {}
        found = nh.distance_gradient(a, b, solid=solid, poses_a=poses_a, poses_b=poses_b, **options)
        assert len(found) == 30 and found.a.shape == found.b.shape == (30, 6)
        one = nh.distance_gradient(a, b, solid=solid, pose_a=poses_a[3], pose_b=poses_b[3], **options)
        assert np.array_equal(one.a, found.a[3]) and one.distance == found.distance[3]
        for k in range(30):
            assert found.known[k] == (found.distance[k] != 0.0)
            if not found.known[k]:
                assert not found.a[k].any() and not found.b[k].any()
                continue
            if abs(found.distance[k]) < 1e-3:
                continue
            for side, rows in (("a", found.a), ("b", found.b)):
                step, slopes = 1e-6, np.zeros((2, 6))
                for axis in range(6):
                    for row, sign in ((0, -1.0), (1, 1.0)):
                        move = np.zeros(6)
                        move[axis] = sign * step
                        poses = {"pose_a": poses_a[k], "pose_b": poses_b[k]}
                        poses[f"pose_{side}"] = turned(poses[f"pose_{side}"], move)
                        gain = nh.distance(a, b, solid=solid, **poses, **options).upper - found.distance[k]
                        slopes[row, axis] = sign * gain / step
                # An edge of the distance: other points are nearest on one side.
                smooth = np.abs(slopes[0] - slopes[1]).max() < 1e-3
                edges += not smooth
                if smooth:
                    assert np.allclose(slopes.mean(axis=0), rows[k], atol=2e-3), (side, k)
                    checked += 1
                    inside += found.distance[k] < 0
    assert checked > (20 if solid else 60) and edges < checked and (inside > 5) == solid


def test_in_contact_the_gradient_is_zero_and_said_not_to_be_known():
    ball, box = nh.Ball(1), nh.Box(1, 1, 1)
    inside = nh.distance_gradient(ball, box)
    assert inside.distance == 0 and not inside.known and not inside.a.any() and not inside.b.any()
    poses = np.stack([np.eye(4)] * 2)
    poses[1, 0, 3] = 3
    many = nh.distance_gradient(ball, box, poses_b=poses)
    assert many.known.tolist() == [False, True] and np.isfinite(many.a).all()
    ring = nh.Model(torus(12, 8, 0.7, 0.25))
    aside = (np.eye(3), [0.2, 0.1, 0.05])
    assert not nh.distance_gradient(ring, ring, pose_b=aside).known
    deep = nh.distance_gradient(ring, ring, pose_b=aside, solid=True)
    assert deep.distance < 0 and deep.known  # Signed: it is known how to get out.
