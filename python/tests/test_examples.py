"""The examples run, and what they find is right."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"


def example(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_planning(capsys, monkeypatch):
    planning = example("planning")
    free, passable = planning.plan(400)
    assert 100 < len(free) < 400 and 0 < passable.sum() < len(free) - 1
    # Beyond its own half length from the wall's plane the rod cannot touch it.
    through = passable & (free[:-1, 1] * free[1:, 1] < 0)
    assert through.any() and (np.abs(free[:-1][through][:, [0, 2]]).max() <= 1)
    monkeypatch.setattr("sys.argv", ["planning.py", "300"])
    planning.main()
    assert "of 300 configurations are free" in capsys.readouterr().out


def test_assembly(capsys, monkeypatch):
    pytest.importorskip("trimesh")
    assembly = example("assembly")
    monkeypatch.setattr("sys.argv", ["assembly.py"])
    assembly.main()
    # The board ends 1.25 inside the right post.
    assert capsys.readouterr().out == (
        "board and right post clash: 1.25 deep\nboard and left post are only 0.25 apart\n"
        "board and box are only 0.5 apart\n3 of 3 pairs of parts that are near each other\n"
    )


def test_haptic(capsys, monkeypatch):
    haptic = example("haptic")
    log = haptic.simulate(60, budget_us=1e6)
    assert (log[:, 0] == log[:, 1]).all() and (log[:, 1] > 0).all()
    hurried = haptic.simulate(60, budget_us=0.0)
    assert (hurried[:, 0] <= log[:, 0]).all() and (hurried[:, 1] >= log[:, 1]).all()
    monkeypatch.setattr("sys.argv", ["haptic.py", "30"])
    haptic.main()
    assert "30 frames" in capsys.readouterr().out


def test_grasps(capsys, monkeypatch):
    """The labels are those that single questions give."""
    import nearhit as nh

    grasps = example("grasps")
    random = np.random.default_rng(2)
    objects = nh.Model(grasps.pile(20, random))
    rotations, positions = grasps.turned(600, random), random.uniform(-0.2, 0.2, (600, 3))
    free, holds = grasps.label(objects, rotations, positions)
    assert 50 < free.sum() < 550 and 5 < holds.sum() < free.sum() and not (holds & ~free).any()
    hand, gap = nh.Model(grasps.gripper()), nh.Model(grasps.between())
    for index in range(0, 600, 20):
        pose = rotations[index], positions[index]
        assert free[index] == (not nh.collide(hand, objects, pose_a=pose, solid=True).touching)
        assert holds[index] == (free[index] and bool(nh.collide(gap, objects, pose_a=pose, solid=True).touching))
    monkeypatch.setattr("sys.argv", ["grasps.py", "500"])
    grasps.main()
    assert "500 grasps in" in capsys.readouterr().out


def test_ompl_planning():
    """What OMPL finds is proven clear at every instant; skipped without OMPL."""
    pytest.importorskip("ompl")
    planning = example("ompl_planning")
    robot = planning.arm_and_shelf()
    start, goal = planning.free_pair(robot)
    assert not robot.path_clear(start, goal)
    for clearance in (0.0, 0.005, 0.02):
        path = planning.plan(robot, start, goal, seconds=20.0, clearance=clearance)
        assert path is not None
        if planning.certified(robot, path) is None:
            break
    assert planning.certified(robot, path) is None
    assert np.array_equal(path[0], start) and np.array_equal(path[-1], goal)


@pytest.mark.skipif("NEARHIT_LONG" not in __import__("os").environ, reason="a Ray cluster takes long to start: NEARHIT_LONG=1")
def test_cluster():
    ray = pytest.importorskip("ray")
    found, same = example("cluster").spread(3000)
    ray.shutdown()
    assert same and len(found) == 3000
