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
