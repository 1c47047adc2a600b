"""What is taken in place of a model and of arrays of doubles: meshes, single precision, read-only
memory, other orders; scenes with budgets; meshes that deform."""

import types

import numpy as np
import pytest
from shapes import box, moved, random_poses, torus

import nearhit as nh


def variants(array):
    """The same numbers, as users have them."""
    yield array
    for kind in (np.float32, np.longdouble):
        yield array.astype(kind)
    frozen = array.copy()
    frozen.flags.writeable = False
    yield frozen
    yield np.asfortranarray(array)
    yield np.repeat(array, 2, axis=0)[::2]
    yield array.tolist()


def test_arrays_of_any_kind_are_taken():
    # Numbers that single precision has.
    vertices, faces = np.round(np.asarray(torus(8, 6)[0]) * 64) / 64, np.asarray(torus(8, 6)[1])
    model, poses = nh.Model((vertices, faces)), np.tile(np.eye(4), (9, 1, 1))
    poses[:, :3, 3] = np.arange(27).reshape(9, 3) / 8
    wanted = nh.distance(model, model, poses_b=poses)
    points = poses[:, :3, 3]
    inside = nh.signed_distance(model, points).distances
    for given in variants(vertices):
        for triangles in (faces, faces.astype(np.int32), faces.astype(np.uint64), np.asfortranarray(faces)):
            assert np.array_equal(nh.Model((given, triangles)).vertices, vertices)
    for given in variants(poses):
        assert nh.distance(model, model, poses_b=given) == wanted
    for given in variants(poses[4]):
        assert nh.distance(model, model, pose_b=given).upper == wanted.upper[4]
    for given in variants(points):
        assert np.array_equal(nh.signed_distance(model, given).distances, inside)
        assert np.array_equal(nh.ray_first(model, given, np.ones((9, 3), dtype=np.float32)).triangles, nh.ray_first(model, points, np.ones((9, 3))).triangles)
        assert nh.Hull(given) == nh.Hull(points)


def test_meshes_are_taken_where_models_are():
    vertices, faces = torus(10, 6)
    model, mesh = nh.Model((vertices, faces)), types.SimpleNamespace(vertices=vertices, faces=faces)
    pose = random_poses(1, 3, 1.0)[0]
    for given in (mesh, (vertices, faces)):
        assert nh.distance(given, model, pose_b=pose) == nh.distance(model, model, pose_b=pose)
        assert nh.collide(nh.Ball(1), given) == nh.collide(nh.Ball(1), model)
        assert nh.contacts(given, given, pose_b=pose) == nh.contacts(model, model, pose_b=pose)
        assert nh.depth(model, given, pose_b=pose) == nh.depth(model, model, pose_b=pose)
        assert np.array_equal(nh.inside(given, [[1, 0, 0]]), nh.inside(model, [[1, 0, 0]]))
        assert np.array_equal(nh.closest_point(given, [[1, 0, 0]]).points, nh.closest_point(model, [[1, 0, 0]]).points)
    for wrong in (3, "part", [vertices, faces], None):
        with pytest.raises(TypeError, match="a body is a Model"):
            nh.collide(model, wrong)
    with pytest.raises(nh.MeshError, match="triangle 0"):
        nh.collide((vertices, [[0, 1, 999]]), model)


def test_a_trimesh_keeps_its_model_while_it_is_what_it_was():
    trimesh = pytest.importorskip("trimesh")
    from nearhit._models import model_of

    mesh = trimesh.creation.box()
    first = model_of(mesh)
    assert model_of(mesh) is first and np.isclose(nh.distance(mesh, nh.Ball(0.25), pose_b=moved(2, 0, 0)).upper, 1.25)
    mesh.apply_translation([1, 0, 0])
    assert model_of(mesh) is not first
    assert np.isclose(nh.distance(mesh, nh.Ball(0.25), pose_b=moved(3, 0, 0)).upper, 1.25)


def test_scenes_stop_at_the_first_hit_and_within_budgets():
    ring = nh.Model(torus(18, 9, 0.5, 0.2))
    scene = nh.Scene()
    for number, pose in enumerate(random_poses(40, 7, 2.0)):
        scene.add(f"ring {number}", ring, pose=pose)
    touching = {(hit.a, hit.b) for hit in scene.collisions()}
    assert touching and scene.collides() is True
    frame = scene.detect()
    assert frame.is_complete and frame.unseen == [] and frame.near >= len(touching)
    assert {(pair.a, pair.b) for pair in frame.pairs} == touching and all(pair.touching for pair in frame.pairs)
    for work in (0, 10, 100, 1000):
        part = scene.detect(work=work)
        known = {(pair.a, pair.b) for pair in part.pairs if pair.touching}
        assert known <= touching
        # What touches is told, or may touch, or its bodies were not looked at.
        unseen = {name for name, _ in part.unseen}
        may = {(pair.a, pair.b) for pair in part.pairs}
        assert all(pair in may or set(pair) & unseen for pair in touching)
    assert not scene.detect(work=0).is_complete
    with pytest.raises(ValueError, match="not both"):
        scene.detect(work=1, budget_us=1)
    for number in range(40):
        scene.move(f"ring {number}", moved(3.0 * number, 0, 0))
    assert scene.collides() is False and scene.detect(budget_us=1e6).pairs == []
    # As solids.
    solids = nh.Scene(solid=True)
    solids.add("outer", nh.Model(box(4.0)))
    solids.add("inner", nh.Model(box(1.0)), pose=moved(1, 1, 1))
    assert solids.collides() and solids.detect().pairs[0].inside == "b"


def test_deforming_meshes_answer_as_new_ones():
    vertices, faces = torus(16, 8)
    changing, ring = nh.Deforming((vertices, faces)), nh.Model((vertices, faces), volume="obb")
    assert len(changing) == len(faces) and repr(changing) == f"Deforming({len(faces)} triangles)"
    scene = nh.Scene()
    scene.add("ring", ring)
    scene.add("soft", changing.model())
    rng = np.random.default_rng(2)
    for step in range(6):
        vertices = np.asarray(vertices) + rng.normal(scale=0.05, size=np.shape(vertices)) + [0, 0, 0.2]
        assert changing.move_vertices(vertices.astype(np.float32 if step % 2 else np.float64)) <= len(faces)
        vertices = changing.vertices
        fresh = nh.Model((vertices, faces), volume="obb")
        assert nh.distance(changing.model(), ring).upper == nh.distance(fresh, ring).upper
        found = {tuple(pair) for pair in nh.contacts(changing.model(), ring).triangles.tolist()}
        assert found == {tuple(pair) for pair in nh.contacts(fresh, ring).triangles.tolist()}
        scene.set_model("soft", changing.model())
        assert bool(scene.collisions()) is scene.collides() is bool(found)
    kept = changing.model()
    with pytest.raises(nh.MeshError, match="3 positions for"):
        changing.move_vertices(np.zeros((3, 3)))
    with pytest.raises(ValueError, match="shape"):
        changing.move_vertices(np.zeros((3, 2)))
    with pytest.raises(nh.MeshError):
        changing.move_vertices(np.full_like(vertices, np.nan))
    assert np.array_equal(changing.vertices, kept.vertices) and np.array_equal(changing.faces, faces)
    with pytest.raises(nh.SceneError):
        scene.set_model("lamp", ring)
