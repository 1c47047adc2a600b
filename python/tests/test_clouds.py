"""Point clouds, height fields and octrees: beside closed forms, beside meshes, and what they refuse."""

import pickle

import numpy as np
import pytest

import nearhit as nh

R = np.eye(3)
POINTS = np.random.default_rng(7).random((300, 3)) * 2 - 1
HEIGHTS = np.random.default_rng(8).random((7, 9)) * 0.5

MANY = [
    nh.PointCloud(POINTS, 0.05),
    nh.PointCloud(POINTS, np.linspace(0, 0.1, 300), margin=0.01),
    nh.HeightField(HEIGHTS, 0.2, 0.25),
    nh.HeightField(HEIGHTS, 0.2, 0.25, floor=-1, margin=0.1),
    nh.Octree(POINTS, 0.1),
    nh.Octree(cells=[[[0, 0, 0], [4, 5, 6]], [[-3, 0, 0], [-3, 0, 0]]], resolution=0.125),
]


def ids(shape):
    return repr(shape).replace(" ", "")


def test_a_ball_is_as_far_from_a_cloud_as_from_the_nearest_point(poses):
    radii = np.linspace(0, 0.1, 300)
    found = nh.distance(nh.PointCloud(POINTS, radii), nh.Ball(0.05), poses_b=poses)
    gaps = np.linalg.norm(POINTS[None] - poses[:, None, :3, 3], axis=2) - radii - 0.05
    nearest = np.maximum(gaps.min(axis=1), 0)
    assert (nearest > 0).any() and (nearest == 0).any()
    assert np.allclose(found.upper, nearest, atol=1e-12) and (found.lower <= found.upper).all()
    apart = nearest > 1e-9
    assert (found.triangles[apart, 0] == gaps.argmin(axis=1)[apart]).all()
    assert (found.triangles[:, 1] == -1).all()
    touching = nh.collide(nh.PointCloud(POINTS, radii), nh.Ball(0.05), poses_b=poses).touching
    assert (touching == (nearest == 0)).all()


def test_a_height_field_is_the_mesh_of_its_triangles(poses):
    rows, columns = HEIGHTS.shape
    y, x = np.mgrid[:rows, :columns]
    vertices = np.stack((x * 0.2, y * 0.25, HEIGHTS), axis=-1).reshape(-1, 3)
    faces = []
    for i in range(rows - 1):
        for j in range(columns - 1):
            at = i * columns + j
            faces += [[at, at + 1, at + columns + 1], [at, at + columns + 1, at + columns]]
    mesh, field = nh.Model((vertices, np.array(faces))), nh.HeightField(HEIGHTS, 0.2, 0.25)
    for shape in (nh.Capsule(0.1, 0.5), nh.Cylinder(0.2, 0.1), nh.PointCloud(POINTS * 0.2, 0.01)):
        found, wanted = nh.distance(field, shape, poses_b=poses), nh.distance(mesh, shape, poses_b=poses)
        assert np.allclose(found.upper, wanted.upper, atol=1e-12)
        apart = found.lower > 1e-9
        assert apart.any() and (found.triangles[apart] == wanted.triangles[apart]).mean() > 0.8
    assert field.heights.shape == (7, 9) and field.spacing == (0.2, 0.25) and field.floor is None


def test_what_is_below_touches_a_solid_only():
    below = (R, [0.8, 0.7, -0.5])
    assert not nh.collide(MANY[2], nh.Ball(0.1), pose_b=below)
    assert nh.collide(MANY[3], nh.Ball(0.1), pose_b=below)
    assert MANY[3].floor == -1


def test_cells_are_boxes():
    octree = MANY[5]
    assert np.allclose(octree.bounds, [[-0.375, 0, 0], [0.625, 0.875, 0.875]], atol=0.5)
    gap = nh.distance(octree, nh.Ball(0.25), pose_b=(R, [2, 0.1, 0.1]))
    assert gap.upper == pytest.approx(2 - 0.625 - 0.25, abs=1e-12)
    inside = nh.Octree([[0.55, 0.05, 0.05]], 0.1)
    assert nh.collide(inside, nh.Ball(0), pose_b=(R, [0.55, 0.05, 0.05]))
    assert not nh.collide(inside, nh.Ball(0), pose_b=(R, [0.65, 0.05, 0.05]))


@pytest.mark.parametrize("shape", MANY, ids=ids)
def test_they_are_values_and_batches_answer_as_single_queries(shape, poses):
    assert pickle.loads(pickle.dumps(shape)) == shape and hash(shape) == hash(pickle.loads(pickle.dumps(shape)))
    assert (shape != nh.PointCloud([[0, 0, 0]], 1)) and len(shape.corners) == 0
    for other in (nh.Box(0.2, 0.3, 0.4), nh.HalfSpace([0, 0, 1], -2), MANY[0]):
        found = nh.distance(shape, other, poses_b=poses[:20])
        for pose, lower, upper in zip(poses[:20], found.lower, found.upper, strict=True):
            one = nh.distance(shape, other, pose_b=pose)
            assert (one.lower, one.upper) == (lower, upper)
            assert bool(nh.collide(other, shape, pose_a=pose)) == (upper == 0)


REFUSALS = [
    (lambda: nh.PointCloud([], 1), nh.ShapeError, "there are no points"),
    (lambda: nh.PointCloud([[0, 0]], 1), ValueError, r"shape \(n, 3\)"),
    (lambda: nh.PointCloud([[0, 0, np.nan]], 1), nh.ShapeError, "point 0 is"),
    (lambda: nh.PointCloud(POINTS, [1, 2]), nh.ShapeError, "2 radii for 300 points"),
    (lambda: nh.PointCloud(POINTS, -1), nh.ShapeError, "radius is -1"),
    (lambda: nh.HeightField([1, 2], 1, 1), ValueError, r"shape \(rows, columns\)"),
    (lambda: nh.HeightField([[1, 2]], 1, 1), nh.ShapeError, "at least 2 rows"),
    (lambda: nh.HeightField([[1, 2], [3, np.inf]], 1, 1), nh.ShapeError, "row 1, column 1"),
    (lambda: nh.HeightField(HEIGHTS, 0, 1), nh.ShapeError, "dx is 0"),
    (lambda: nh.HeightField(HEIGHTS, 1, 1, floor=1), nh.ShapeError, "floor"),
    (lambda: nh.HeightField(HEIGHTS, 1, 1, floor=-np.inf), nh.ShapeError, "floor"),
    (lambda: nh.Octree(POINTS), nh.ShapeError, "resolution is 0"),
    (lambda: nh.Octree(POINTS, 1e-12), nh.ShapeError, "too far from the origin"),
    (lambda: nh.Octree(resolution=1), ValueError, "give one of them"),
    (lambda: nh.Octree(cells=[[0.5, 0, 0]], resolution=1), ValueError, "whole numbers"),
    (lambda: nh.Octree(cells=[[[1, 0, 0], [0, 0, 0]]], resolution=1), nh.ShapeError, "box 0 goes from cell 1"),
    (lambda: nh.penetration(MANY[0], nh.Ball(1)), nh.QueryError, "a is a point cloud"),
]


@pytest.mark.parametrize("ask, kind, message", REFUSALS, ids=range(len(REFUSALS)))
def test_refusals_say_what_is_wrong(ask, kind, message):
    with pytest.raises(kind, match=message):
        ask()
