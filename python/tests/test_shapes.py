"""Shapes: beside closed forms, beside meshes of the same bodies, and what they refuse."""

import pickle
import threading

import numpy as np
import pytest
from shapes import box, moved, random_poses, torus

import nearhit as nh

SHAPES = [
    nh.Ball(0.4),
    nh.Capsule(0.2, 0.7),
    nh.Box(0.5, 0.7, 0.9),
    nh.Box(0.5, 0.7, 0.9, margin=0.1),
    nh.Cylinder(0.3, 0.8),
    nh.Cone(0.4, 0.9),
    nh.Cone(0.4, 0.9, top=0.2),
    nh.Ellipsoid(0.2, 0.3, 0.5),
    nh.Hull(np.random.default_rng(4).normal(size=(40, 3)) * 0.3),
    nh.HalfSpace([1, 2, 3], -0.5),
]


def named(shape):
    return repr(shape).replace(" ", "")


@pytest.fixture(scope="module")
def ring():
    return nh.Model(torus(24, 12, 0.8, 0.3))


def centred(x, y, z):
    """The mesh of a box about the origin."""
    vertices, faces = box(1.0)
    return nh.Model(((vertices - 0.5) * [x, y, z], faces))


def test_balls_are_as_far_apart_as_their_centers_less_their_radii(poses):
    found = nh.distance(nh.Ball(0.3, margin=0.1), nh.Ball(0.5), poses_b=poses)
    gap = np.linalg.norm(poses[:, :3, 3], axis=1) - 0.9
    apart = gap > 0
    assert 20 < apart.sum() < 140
    assert (found.lower <= gap + 1e-15)[apart].all() and (found.upper >= gap - 1e-15)[apart].all()
    assert (found.upper - found.lower < 5e-14 * 1.8).all() and (found.upper[~apart] == 0).all()
    lengths = np.linalg.norm(found.points[:, 1] - found.points[:, 0], axis=1)
    assert np.allclose(lengths, found.upper, atol=1e-13)
    deep = nh.penetration(nh.Ball(0.3, margin=0.1), nh.Ball(0.5), poses_b=poses)
    assert np.allclose(deep.upper[~apart], -gap[~apart], atol=1e-12) and (deep.upper[apart] <= 1e-12).all()
    directions = poses[:, :3, 3] / np.linalg.norm(poses[:, :3, 3], axis=1, keepdims=True)
    assert np.allclose(deep.normal, directions, atol=1e-9)


def test_a_box_is_where_its_mesh_is(ring, poses):
    """Touching, where the surfaces do or the ring's first corner is inside; as far away where not."""
    solid, surface = nh.Box(0.5, 0.7, 0.9), centred(0.5, 0.7, 0.9)
    for other in (ring, surface):
        found, wanted = nh.distance(solid, other, poses_b=poses), nh.distance(surface, other, poses_b=poses)
        inside = nh.collide(surface, other, poses_b=poses, solid=True).touching
        apart = ~inside
        assert 20 < apart.sum() < 145
        assert np.allclose(found.upper[apart], wanted.upper[apart], rtol=1e-12) and (found.lower <= found.upper).all()
        touching = nh.collide(solid, other, poses_b=poses).touching
        # A mesh around a box holds it without touching it: it is a surface.
        assert (touching <= inside).all() and (touching >= (wanted.upper == 0)).all()
        assert (found.triangles[:, 0] == -1).all() and (found.triangles[:, 1] >= 0).all()


def test_margins_are_subtracted(ring, poses):
    plain, grown = nh.Box(0.5, 0.7, 0.9), nh.Box(0.5, 0.7, 0.9, margin=0.2)
    one, another = nh.distance(plain, ring, poses_b=poses).upper, nh.distance(grown, ring, poses_b=poses).upper
    assert np.allclose(np.maximum(one - 0.2, 0), another, atol=1e-13) and (another > 0).any() and (another == 0).any()
    near = nh.within(plain, ring, 0.2, poses_b=poses)
    assert np.array_equal(near.near, nh.collide(grown, ring, poses_b=poses).touching) and near.known.all()


@pytest.mark.parametrize("shape", SHAPES, ids=named)
def test_batches_answer_as_single_queries_do_in_any_pairing(shape, ring):
    poses = random_poses(12, 31, 1.2)
    for other in (nh.Box(0.4, 0.5, 0.6), nh.Cylinder(0.2, 0.5), nh.HalfSpace([0, 0, 1], 0), ring):
        for a, b in ((shape, other), (other, shape)):
            found, hits, near = nh.distance(a, b, poses_b=poses), nh.collide(a, b, poses_b=poses), nh.within(a, b, 0.1, poses_b=poses)
            assert (found.lower <= found.upper).all() and np.array_equal(hits.touching, found.lower == 0) and hits.known.all()
            # Along a path, on one thread, and with the other body moved: the same.
            assert np.array_equal(nh.distance(a, b, poses_b=poses, warm=True, threads=1).upper, found.upper)
            turned = nh.distance(b, a, poses_a=poses)
            assert np.allclose(turned.upper, found.upper, atol=1e-9)
            for i, pose in enumerate(poses[:4]):
                single = nh.distance(a, b, pose_b=pose)
                assert (single.lower, single.upper) == (found.lower[i], found.upper[i])
                assert single.triangles == tuple(found.triangles[i]) and np.array_equal(single.points, found.points[i])
                assert nh.collide(a, b, pose_b=pose).touching == hits.touching[i]
                assert nh.within(a, b, 0.1, pose_b=pose).near == near.near[i]
                # An answer's triangles are a seed, also where one of them is none.
                assert nh.distance(a, b, pose_b=pose, seed=single.triangles).upper == single.upper


def test_only_meshes_have_triangles(ring):
    ball = nh.Ball(2)
    assert nh.collide(ball, ball).triangles is None and nh.within(ball, ball, 1).triangles is None
    assert nh.distance(ball, ball).triangles == (-1, -1)
    hit = nh.collide(ring, ball)
    assert hit.triangles[0] >= 0 and hit.triangles[1] == -1
    assert nh.collide(ball, ring, poses_b=[np.eye(4)]).triangles[0, 0] == -1


def test_the_way_out_is_one():
    poses = random_poses(60, 33, 0.5)
    solids = [shape for shape in SHAPES if shape.name != "half-space"]
    for a in solids:
        for b in solids[::3]:
            found = nh.penetration(a, b, poses_b=poses)
            deep = found.upper > 1e-6
            assert deep.sum() > 10 and (found.lower <= found.upper).all()
            assert np.allclose(np.linalg.norm(found.normal, axis=1), 1)
            out = poses.copy()
            out[:, :3, 3] += found.normal * found.upper[:, None] * (1 + 1e-9)
            assert (nh.distance(a, b, poses_b=out).upper <= 1e-6 + 1e-3 * found.upper)[deep].all()
            out[:, :3, 3] += found.normal * 1e-6
            assert not nh.collide(a, b, poses_b=out).touching[deep].any()
            assert np.allclose(((found.points[:, 0] - found.points[:, 1]) * found.normal).sum(axis=1)[deep], found.upper[deep], rtol=0.02)


def test_depths_of_boxes_and_half_spaces():
    found = nh.penetration(nh.Box(2, 2, 2), nh.Box(1, 1, 1), pose_a=moved(5, 0, 0), pose_b=moved(5, 0.1, -1.3))
    assert found.lower <= 0.2 <= found.upper + 1e-15 and found.upper - found.lower < 1e-12
    assert np.allclose(found.normal, [0, 0, -1]) and np.allclose(found.points[:, 2], [-1, -0.8])
    floor = nh.HalfSpace([0, 0, 2], 1)
    assert nh.penetration(floor, nh.Ball(1)).upper == pytest.approx(1.5)
    assert np.isinf(nh.penetration(floor, floor).upper)
    assert len(nh.penetration(floor, nh.Ball(1), poses_a=random_poses(5, 3, 1))) == 5


def test_shapes_say_what_they_are():
    assert (nh.Ball(0.5).radius, nh.Capsule(0.5, 2).length, nh.Cone(1, 2, top=0.5).top) == (0.5, 2, 0.5)
    assert nh.Box(1, 2, 3).sizes == (1, 2, 3) and nh.Ellipsoid(1, 2, 3).radii == (1, 2, 3)
    assert nh.HalfSpace([0, 0, 2], 3).normal == (0, 0, 2) and nh.HalfSpace([0, 0, 2], 3).offset == 3
    assert [shape.name for shape in SHAPES[:3]] == ["ball", "capsule", "box"] and SHAPES[3].margin == 0.1
    assert np.allclose(nh.Box(1, 2, 3, margin=0.5).bounds, [[-1, -1.5, -2], [1, 1.5, 2]])
    assert nh.HalfSpace([0, 0, 1], 0).bounds is None and len(nh.Cylinder(1, 2).corners) == 0
    assert np.allclose(np.sort(nh.Box(1, 2, 3).corners[:, 1]), [-1] * 4 + [1] * 4)
    assert repr(nh.HalfSpace([0, 0, 1], 0.5)) == "HalfSpace([0.0, 0.0, 1.0], 0.5)"
    assert repr(nh.Capsule(0.5, 2, margin=0.25)) == "Capsule(0.5, 2.0, margin=0.25)"
    assert repr(nh.Hull(np.eye(3), margin=1)) == "<Hull of 3 corners, margin=1.0>"


@pytest.mark.parametrize("shape", SHAPES, ids=named)
def test_shapes_are_values(shape, poses):
    copy = pickle.loads(pickle.dumps(shape))
    assert type(copy) is type(shape) and copy == shape and hash(copy) == hash(shape) and repr(copy) == repr(shape)
    assert np.array_equal(nh.distance(copy, nh.Ball(0.1), poses_b=poses).upper, nh.distance(shape, nh.Ball(0.1), poses_b=poses).upper)
    assert sum(shape == other for other in SHAPES) == 1 and shape != "box" and len({shape, copy}) == 1
    with pytest.raises(AttributeError):
        shape.margin = 1


def test_threads_ask_at_once(ring):
    poses = random_poses(50, 41, 1.2)
    wanted = nh.distance(nh.Capsule(0.1, 0.5), ring, poses_b=poses).upper
    found = []

    def ask():
        found.append([nh.distance(nh.Capsule(0.1, 0.5), ring, pose_b=pose).upper for pose in poses])

    workers = [threading.Thread(target=ask) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(found) == 4 and all(np.array_equal(one, wanted) for one in found)


REFUSALS = [
    (lambda _: nh.Ball(-1), nh.ShapeError, "ball: radius is -1;"),
    (lambda _: nh.Box(1, np.nan, 1), nh.ShapeError, "box: y is NaN"),
    (lambda _: nh.Cone(1, 1, top=np.inf), nh.ShapeError, "cone: top radius is inf"),
    (lambda _: nh.Cylinder(1, 1, margin=-0.5), nh.ShapeError, "cylinder: margin is -0.5"),
    (lambda _: nh.Hull([]), nh.ShapeError, "hull: there are no points"),
    (lambda _: nh.Hull([[0, 0, 0], [0, np.inf, 0]]), nh.ShapeError, "hull: point 1 is"),
    (lambda _: nh.Hull([0, 1, 2]), ValueError, r"points must have the shape \(n, 3\), not \(3,\)"),
    (lambda _: nh.HalfSpace([0, 0, 0], 1), nh.ShapeError, "half-space: the normal .* has no direction"),
    (lambda _: nh.HalfSpace([0, 1], 1), ValueError, r"a normal has the shape \(3,\), not \(2,\)"),
    (lambda _: nh.Shape("blob", [1]), ValueError, "there is no shape 'blob'; known: ball, capsule, box"),
    (lambda _: nh.Shape("box", [1]), ValueError, "1 numbers are not the sizes of a box"),
    (lambda m: nh.collide(m, nh.Ball(1), solid=True), nh.QueryError, "b is a ball: this question is of two models"),
    (lambda m: nh.nearest_pairs(nh.Box(1, 1, 1), m, 1), nh.QueryError, "a is a box: this question is of two models"),
    (lambda m: nh.adb(m, nh.Ball(1)), nh.QueryError, "b is a ball: this question is of two models"),
    (lambda m: nh.penetration(nh.Ball(1), m), nh.QueryError, "b is a model, a surface without an inside"),
    (lambda m: nh.collide(m, "box"), TypeError, "a body is a Model, a Shape, or a mesh: .* not str"),
    (lambda m: nh.distance(m, nh.Ball(1), pose_b=moved(1e301, 0, 0)), ValueError, "1e300|1e301"),
    (lambda m: nh.distance(m, nh.Ball(1), poses_b=[np.eye(4), 2 * np.eye(4)]), nh.PoseError, "query 1: b's"),
    (lambda m: nh.distance(m, nh.Ball(1), seed=(0,)), ValueError, "a seed is a triangle of a and a triangle of b"),
]


@pytest.mark.parametrize("ask, kind, message", REFUSALS, ids=range(len(REFUSALS)))
def test_refusals_say_what_is_wrong(ring, ask, kind, message):
    with pytest.raises(kind, match=message):
        ask(ring)
    assert issubclass(nh.ShapeError, nh.NearhitError) and issubclass(nh.ShapeError, ValueError)


def at(x: float, y: float, z: float) -> tuple[np.ndarray, list[float]]:
    return np.eye(3), [x, y, z]


def test_points_and_rays() -> None:
    rng = np.random.default_rng(4)
    points = rng.uniform(-2, 2, (200, 3))
    radii = np.linalg.norm(points, axis=1)
    ball = nh.Ball(1)
    found = nh.signed_distance(ball, points)
    assert np.allclose(found.distances, radii - 1) and (found.triangles == -1).all()
    assert np.allclose(np.linalg.norm(found.points, axis=1), 1)
    assert (nh.inside(ball, points) == (radii <= 1)).all()
    assert np.allclose(nh.closest_point(ball, points).distances, abs(radii - 1))
    hits = nh.ray_first(ball, points, -points)
    assert np.allclose(hits.distances, np.maximum(radii - 1, 0))
    assert np.isinf(nh.ray_first(ball, points[radii > 1], points[radii > 1]).distances).all()
    with pytest.raises(nh.QueryError, match="1"):
        nh.signed_distance(ball, [[0, 0, 0], [0, np.nan, 0]])


def test_scenes_of_shapes() -> None:
    scene = nh.Scene()
    scene.add("floor", nh.HalfSpace([0, 0, 1], 0), fixed=True)
    scene.add("ball", nh.Ball(0.5), pose=at(0, 0, 0.25))
    scene.add("box", nh.Box(1, 1, 1), pose=at(3, 0, 2))
    scene.add_parts("arm", [("upper", nh.Capsule(0.1, 1), None, at(0, 5, 3)), ("hand", nh.Ball(0.2), "upper", at(0, 0, 1))])
    (hit,) = scene.contacts()
    assert (hit.a, hit.b, hit.triangles.tolist()) == ("floor", "ball", [[-1, -1]])
    assert np.allclose(hit.depths, 0.25) and np.allclose(hit.normals, [[0, 0, 1]]) and hit.points.shape == (1, 3)
    assert scene.collisions()[0].triangles == (-1, -1)
    assert np.isclose(scene.closest().distance, -0.25)
    scene.move("ball", at(0, 0, 2))
    assert scene.collisions() == [] and np.isclose(scene.closest().distance, 1.5)
    impact = scene.first_contact({"ball": at(6, 0, 2)})
    assert (impact.a, impact.b, impact.is_certain) == ("ball", "box", True)
    assert np.isclose(impact.time, 2 / 6, atol=1e-5)
    assert scene.first_contact({"ball": at(0, 3, 2)}) is None
    with pytest.raises(nh.SceneError, match="nobody"):
        scene.first_contact({"nobody": at(0, 0, 0)})
    # Down through the floor's surface at 0.5, and through the box on another way; the arm is far off.
    (met,) = scene.meetings({"ball": at(6, 0, 2)})
    assert (met.a, met.b, met.part_b, met.known_until) == ("ball", "box", "box", 1.0)
    assert met.intervals.shape == (1, 2) and np.allclose(met.intervals, [[2 / 6, 4 / 6]], atol=1e-3)
    assert scene.meetings({"ball": at(0, 3, 2)}) == []
    assert np.allclose(scene.meetings({"ball": at(0, 0, -1)}, tolerance=1e-4)[0].intervals, [[0.5, 1]], atol=1e-4)
    with pytest.raises(nh.SceneError, match="nobody"):
        scene.meetings({"nobody": at(0, 0, 0)})
    with pytest.raises(nh.SceneError, match="tolerance"):
        scene.meetings({"ball": at(6, 0, 2)}, tolerance=0)
    with pytest.raises(TypeError, match="a Model, a Shape"):
        scene.add("text", "box:1,2,3")


def test_contacts_of_shapes_are_ways_out():
    """Moving b along a contact's normal by its depth leaves that contact touching at most; batches say what single questions do."""
    ring, cloud = nh.Model(torus(18, 9, 0.8, 0.3)), nh.PointCloud(np.random.default_rng(3).uniform(-1, 1, (200, 3)))
    poses, touching = random_poses(60, 8, 1.2), 0
    for a, b in ((nh.Box(1, 1, 1), nh.Cone(0.4, 0.9)), (nh.Ball(0.5), ring), (ring, nh.Capsule(0.2, 0.6)), (nh.Box(0.7, 0.8, 0.9), cloud)):
        found = nh.contacts(a, b, poses_b=poses)
        has = [not isinstance(body, nh.Shape) or body is cloud for body in (a, b)]
        assert (found.triangles[:, 0] >= 0).all() == has[0] and (found.triangles[:, 1] >= 0).all() == has[1]
        assert found.normals.shape == found.points.shape == (len(found), 3) and len(found.point_starts) == len(found) + 1
        assert np.allclose(np.linalg.norm(found.normals, axis=1), 1) and (found.depths >= 0).all()
        for index, (start, end) in enumerate(zip(found.starts, found.starts[1:])):
            one = nh.contacts(a, b, pose_b=poses[index])
            assert np.array_equal(one.depths, found.depths[start:end]) and np.array_equal(one.points, found.points[start:end])
            # A body wholly inside of a surface or among points touches none of them.
            assert (end > start) == nh.collide(a, b, pose_b=poses[index]).touching
            touching += end > start
            if has == [False, False] and end > start:
                out = poses[index].copy()
                out[:3, 3] += found.normals[start] * (found.depths[start] + 1e-9)
                assert not nh.collide(a, b, pose_b=out).touching
                assert np.array_equal(found.shared(start), found.points[start : start + 1])
    assert 60 < touching < 200


def test_planes_and_simpler_hulls():
    poses, apart = random_poses(80, 9, 1.6), 0
    a, b = nh.Hull(np.random.default_rng(4).normal(size=(60, 3)) * 0.5), nh.Box(0.5, 0.6, 0.7)
    coarse = nh.simplified(a, 10)
    assert len(coarse.corners) <= 10 and (nh.signed_distance(coarse, a.corners).distances < 1e-9).all()
    for at_a, at_b in zip(random_poses(80, 10, 0.5), poses):
        plane, distance = nh.separating_plane(a, b, pose_a=at_a, pose_b=at_b), nh.distance(a, b, pose_a=at_a, pose_b=at_b)
        assert (plane is not None) == (distance.lower > 0)
        if plane is None:
            continue
        apart += 1
        corners = [at[:3, :3] @ body.corners.T + at[:3, 3:] for body, at in ((a, at_a), (b, at_b))]
        assert (plane.normal @ corners[0]).max() <= plane.above_a + 1e-12 and (plane.normal @ corners[1]).min() >= plane.below_b - 1e-12
        assert 0 < plane.gap <= distance.upper + 1e-12
        again = nh.separating_plane(a, b, pose_a=at_a, pose_b=at_b, direction=plane.normal)
        assert np.allclose(again.normal, plane.normal, atol=1e-12)
    assert 20 < apart < 75


def test_what_is_wrong_with_a_mesh():
    vertices, faces = torus(18, 9, 0.8, 0.3)
    good = nh.diagnostics((vertices, faces))
    assert good.closed and good.complete and good.triangles == len(faces) and len(good.self_intersections) == 0
    bad = nh.diagnostics((vertices, np.concatenate([faces[1:], [faces[5], [0, 0, 1]], faces[7:8, ::-1]])))
    assert not bad.closed and bad.open_edges == 3 and bad.degenerate.tolist() == [len(faces)] and len(bad.duplicate) == 2
    both = np.concatenate([vertices, vertices @ np.diag([1.0, -1, 1])[:, [0, 2, 1]] + [0.3, 0, 0]])
    crossed = nh.self_contacts((both, np.concatenate([faces, faces[:, ::-1] + len(vertices)])))
    count = len(faces)
    between = crossed[(crossed < count).sum(axis=1) == 1]
    wanted = nh.contacts((both[:len(vertices)], faces), (both[len(vertices):], faces[:, ::-1])).triangles
    assert len(wanted) > 10 and sorted(map(tuple, between - [0, count])) == sorted(map(tuple, wanted))
