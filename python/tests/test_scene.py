"""Scenes: the same answers as pair by pair, whatever finds the near ones."""

import numpy as np
import pytest
from shapes import random_poses, torus

import nearhit as nh


@pytest.fixture(scope="module")
def ring():
    return nh.Model(torus(18, 9, 0.5, 0.2))


@pytest.mark.parametrize("broad", ["tree", "sweep", "space-time", "brute"])
def test_a_scene_answers_as_pair_by_pair(ring, broad):
    scene, poses = nh.Scene(broad=broad), random_poses(20, 31, 1.5)
    for number, pose in enumerate(poses):
        scene.add(f"ring {number:02}", ring, pose=pose)
    for _ in range(2):
        found = {(hit.a, hit.b) for hit in scene.collisions()}
        gaps = {}
        for i in range(20):
            for j in range(i + 1, 20):
                gaps[f"ring {i:02}", f"ring {j:02}"] = nh.distance(ring, ring, pose_a=poses[i], pose_b=poses[j])
        assert found == {pair for pair, gap in gaps.items() if gap.upper == 0} and 5 < len(found) < 150
        near = {(gap.a, gap.b): gap.distance for gap in scene.within(0.3)}
        assert near.keys() == {pair for pair, gap in gaps.items() if gap.upper <= 0.3}
        assert all(np.isclose(near[pair], gaps[pair].upper) for pair in near)
        contacts = scene.contacts()
        assert {(hit.a, hit.b) for hit in contacts} == found and all(len(hit.triangles) > 0 for hit in contacts)
        gap = scene.closest()
        assert gap.distance == 0 and len(scene.nearest(7)) == 7
        # Again, somewhere else.
        poses = random_poses(20, 33, 1.5)
        for number, pose in enumerate(poses):
            scene.move(f"ring {number:02}", (pose[:3, :3], pose[:3, 3]))
    gap = scene.within(0.3)[-1]
    assert np.isclose(np.linalg.norm(gap.points[0] - gap.points[1]), gap.distance)


def test_bodies_of_parts_groups_and_refusals(ring):
    scene, aside = nh.Scene(), np.eye(4)
    aside[0, 3] = 1.0
    scene.add_parts("arm", [("upper", ring, None, None), ("lower", ring, "upper", aside)], group="robot")
    scene.add("table", ring, group="room", fixed=True)
    assert len(scene) == 2 and scene.names == ["arm", "table"] and "arm" in scene and "lamp" not in scene
    assert {(hit.a, hit.part_a, hit.b) for hit in scene.collisions()} == {("arm", "upper", "table"), ("arm", "lower", "table")}
    scene.allow(("arm", "lower"), "table")
    assert [hit.part_a for hit in scene.collisions()] == ["upper"]
    scene.allow("robot", "room")
    assert scene.collisions() == [] and scene.closest() is None
    scene.forbid("robot", "room")
    scene.forbid(("arm", "lower"), "table")
    far = np.eye(4)
    far[2, 3] = 9.0
    scene.move("arm", far, part="lower")
    assert [hit.part_a for hit in scene.collisions()] == ["upper"]
    scene.remove("table")
    assert scene.collisions() == [] and repr(scene) == "Scene(1 bodies)"
    for ask, message in (
        (lambda: scene.add("arm", ring), 'there is a body "arm" already'),
        (lambda: scene.move("lamp", far), 'there is no body "lamp"'),
        (lambda: scene.within(-1), "-1"),
    ):
        with pytest.raises(nh.SceneError, match=message):
            ask()
    with pytest.raises(ValueError, match="there is no broad phase 'grid'; known: tree, sweep, space-time, brute"):
        nh.Scene(broad="grid")


@pytest.mark.parametrize("broad", ["tree", "sweep", "space-time", "brute"])
def test_solids_in_a_scene_answer_as_pair_by_pair(ring, broad):
    bead = nh.Model(torus(10, 6, 0.08, 0.03))
    poses, aside = random_poses(24, 41, 0.9), np.eye(4)
    # Each bead within a ring.
    aside[0, 3] = 0.5
    poses[1::2] = poses[::2] @ aside
    for solid, said in ((True, None), (False, True), (True, False), (False, None)):
        scene = nh.Scene(broad=broad, solid=solid)
        models, solids = [], []
        for number, pose in enumerate(poses):
            models.append(bead if number % 2 else ring)
            # Every third says what it is.
            given = said if number % 3 == 0 else None
            solids.append(solid if given is None else given)
            scene.add(f"{number:02}", models[-1], pose=pose, solid=given)
        expected, gaps, contained = {}, {}, 0
        for i in range(24):
            for j in range(i + 1, 24):
                found = nh.collide(models[i], models[j], pose_a=poses[i], pose_b=poses[j], solid=True)
                around = {"a": solids[j], "b": solids[i], None: True}[found.contained]
                key = f"{i:02}", f"{j:02}"
                if found and around:
                    expected[key] = found.contained
                    signed = nh.distance(models[i], models[j], pose_a=poses[i], pose_b=poses[j], solid=True)
                    gaps[key] = signed.upper if solids[i] and solids[j] else 0.0
                    contained += found.contained is not None
        hits = scene.collisions()
        assert {(hit.a, hit.b): hit.inside for hit in hits} == expected
        assert all((hit.triangles is None) == (hit.inside is not None) for hit in hits)
        everything = scene.contacts()
        assert [(hit.a, hit.b, hit.inside) for hit in everything] == [(hit.a, hit.b, hit.inside) for hit in hits]
        assert all(hit.triangles.shape[1] == 2 and (len(hit.triangles) == 0) == (hit.inside is not None) for hit in everything)
        assert {(gap.a, gap.b): gap.distance for gap in scene.within(0)} == gaps
        assert scene.closest().distance == min(gaps.values())
        assert len(expected) > 10 and (contained > 2 or (solid, said) == (False, None)), (len(expected), contained)


def test_parts_of_a_solid_body(ring):
    bead, aside = nh.Model(torus(10, 6, 0.08, 0.03)), np.eye(4)
    aside[0, 3] = 0.5
    for solid in (False, True):
        scene = nh.Scene()
        scene.add_parts("arm", [("base", ring, None, None), ("tip", ring, "base", np.diag([1.0, 1.0, 1.0, 1.0]))], solid=solid)
        scene.add("bead", bead, pose=aside)
        assert [(hit.part_a, hit.b, hit.inside) for hit in scene.collisions()] == [("base", "bead", "b"), ("tip", "bead", "b")] * solid


def test_many_places_in_one_call():
    """As if the bodies were moved one by one; afterwards all are where they were."""
    random, ring = np.random.default_rng(5), nh.Model(torus(18, 9, 0.8, 0.3))
    scene = nh.Scene()
    scene.add("ring", ring)
    scene.add("ball", nh.Ball(0.3), pose=(np.eye(3), [5, 0, 0]))
    scene.add("box", nh.Box(0.5, 0.5, 0.5), pose=(np.eye(3), [0, 5, 0]))
    count = 300
    moves = {name: (np.tile(np.eye(3), (count, 1, 1)), random.uniform(-1.5, 1.5, (count, 3))) for name in ("ball", "box")}
    touching, gaps = scene.collides_each(moves), scene.distances_each(moves)
    assert touching.shape == gaps.shape == (count,) and 30 < touching.sum() < 270
    assert scene.closest().distance > 3 and not scene.collides()
    for index in range(0, count, 7):
        for name, (rotations, places) in moves.items():
            scene.move(name, (rotations[index], places[index]))
        assert scene.collides() == touching[index] and scene.closest().distance == gaps[index]
    with pytest.raises(ValueError, match="as many poses"):
        scene.collides_each({"ball": moves["ball"], "box": (np.eye(3)[None], [[0, 0, 0]])})
    with pytest.raises(nh.SceneError, match="nobody"):
        scene.collides_each({"nobody": moves["ball"]})
    bad = np.tile(np.eye(4), (3, 1, 1))
    bad[2, 0, 0] = 2
    with pytest.raises(nh.PoseError, match="query 2"):
        scene.collides_each({"ball": bad})
    assert len(scene.collides_each({})) == 0
