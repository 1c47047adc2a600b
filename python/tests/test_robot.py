"""Robots: answers agree with each other, one by one and many at once; bodies come and go; refusals."""

import copy
import threading

import numpy as np
import pytest

import nearhit as nh

CUBE = (
    [[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)],
    [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]],
)  # fmt: skip


def at(x, y, z):
    return np.eye(3), [x, y, z]


@pytest.fixture
def robot():
    return nh.Robot.example()


def test_answers_agree(robot):
    q = robot.random(600, seed=5)
    touching = robot.collides(q)
    assert 30 < touching.sum() < 570
    nearest, every = robot.distance(q), robot.distances(q)
    # Of round shapes what lies within the interval counts as touching.
    assert np.array_equal(touching, nearest.lower == 0) and np.all(touching | (nearest.upper > 0))
    assert np.array_equal(nearest.upper, every[:, :, 1].min(axis=1))
    assert np.all(every[:, :, 0] <= every[:, :, 1])
    for index in range(0, 600, 20):
        one = robot.distance(q[index])
        assert robot.collides(q[index]) is bool(touching[index])
        assert bool(robot.contacts(q[index])) is bool(touching[index])
        assert one.upper == nearest.upper[index] and one.pair == tuple(nearest.pair[index])
        assert np.array_equal(robot.distances(q[index]), every[index])
        near = {robot.pairs[i] for i in np.flatnonzero(every[index, :, 0] <= 0.05)}
        assert set(robot.contacts(q[index], within=0.05)) == near
    assert np.array_equal(robot.collides(q, threads=1), touching)


def test_gradients_are_what_small_steps_do(robot):
    compared = 0
    for q in robot.random(60, seed=2):
        found = robot.distance(q, gradient=True)
        if found.upper == 0:
            assert found.gradient.shape == (robot.dof,) and not found.gradient.any()
            continue
        assert np.isclose(np.linalg.norm(found.points[1] - found.points[0]), found.upper)
        for index in range(robot.dof):
            step = np.zeros(robot.dof)
            step[index] = 1e-6
            ends = [robot.distance(q + step), robot.distance(q - step)]
            if ends[0].pair == ends[1].pair == found.pair:
                slope = (ends[0].upper - ends[1].upper) / 2e-6
                if abs(slope - found.gradient[index]) < 1e-4:
                    compared += 1
    assert compared > 100


def test_kinematics(robot):
    q = robot.random(5)
    many, one = robot.link_poses(q), robot.link_poses(q[3])
    assert many.shape == (5, len(robot.links), 4, 4) and np.array_equal(many[3], one)
    assert np.allclose(one[:, :3, :3] @ one[:, :3, :3].transpose(0, 2, 1), np.eye(3))
    turned = nh.Robot.from_text(nh._native.EXAMPLE_URDF, base=at(1, 2, 3))
    assert np.allclose(turned.link_poses(q[3])[:, :3, 3], one[:, :3, 3] + [1, 2, 3])


def test_the_world_and_what_is_attached(robot):
    q = [0, 1.2, 0, 0, 0.02]
    pairs = len(robot.pairs)
    assert not robot.collides(q)
    robot.world.add("wall", nh.Box(0.1, 2, 2), pose=at(0.9, 0, 0.5))
    assert robot.collides(q) and ("left", "wall") in robot.contacts(q)
    robot.world.remove("wall")
    robot.world.add("wall", nh.Box(0.1, 2, 2), pose=at(1.2, 0, 0.5))
    assert not robot.collides(q)
    stick = robot.attach("hand", nh.Cylinder(0.01, 0.5), pose=at(0, 0, 0.3))
    assert robot.contacts(q) == [("wall", stick)]
    robot.detach(stick)
    assert not robot.collides(q)
    with pytest.raises(nh.RobotError, match="already"):
        robot.world.add("wall", nh.Ball(1))
    other = copy.copy(robot)
    robot.world.remove("wall")
    assert len(robot.pairs) == pairs and len(other.world) == 1
    with pytest.raises(nh.RobotError, match='no added body "base"'):
        robot.detach("base")


def test_padding_and_allowed_pairs(robot):
    q = [0, 0.5, 2.0, 0, 0.02]
    pair = robot.pairs.index(("shoulder", "hand"))
    before = robot.distances(q)[pair, 1]
    robot.pad("hand", 0.01)
    assert np.isclose(robot.distances(q)[pair, 1], before - 0.01)
    hit = [0, 1.9, 2.5, 0, 0.02]
    for a, b in robot.contacts(hit):
        robot.allow(a, b)
    assert not robot.collides(hit)
    assert nh.RobotAllowed("shoulder", "hand", "allowed") in robot.allowed
    robot.forbid("hand", "shoulder")
    assert robot.contacts(hit) == [("shoulder", "hand")]
    assert any(pair.reason == "srdf: Never" for pair in robot.allowed)
    with pytest.raises(nh.RobotError, match='no link "wing"'):
        robot.allow("wing", "hand")


def test_closed_meshes_are_solids_unless_surfaces_are_asked_for(tmp_path):
    lines = [f"v {x} {y} {z}" for x, y, z in CUBE[0]] + ["f " + " ".join(str(i + 1) for i in face) for face in CUBE[1]]
    (tmp_path / "cube.obj").write_text("\n".join(lines))
    (tmp_path / "open.obj").write_text("\n".join(lines[:-1]))
    urdf = """<robot name="shell"><link name="world"/><link name="room"><collision><geometry><mesh filename="{mesh}"/></geometry></collision></link>
        <link name="ball"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
        <joint name="still" type="fixed"><parent link="world"/><child link="room"/></joint>
        <joint name="x" type="prismatic"><parent link="room"/><child link="mid"/><limit lower="-2" upper="2"/></joint><link name="mid"/>
        <joint name="y" type="prismatic"><parent link="mid"/><child link="ball"/><axis xyz="0 1 0"/><limit lower="-2" upper="2"/></joint></robot>"""
    for mesh, surfaces, expected in (("cube.obj", False, True), ("cube.obj", True, False), ("open.obj", False, False)):
        path = tmp_path / "shell.urdf"
        path.write_text(urdf.format(mesh=mesh))
        robot = nh.Robot(path, surfaces=surfaces)
        assert robot.collides([0, 0]) is expected, (mesh, surfaces)
        assert robot.collides([1, 0]) and not robot.collides([1.5, 0])
        # What is added is what the robot's are.
        robot.world.add("box", CUBE, pose=at(3, 0, 0))
        assert ("ball", "box") in robot.contacts([3, 0]) or surfaces


def test_lines(robot):
    robot.world.add("sheet", nh.Box(1e-4, 2, 2), pose=at(0.6, 0, 0.5))
    found = robot.path_clear([0, 0.2, 0, 0, 0], [0, 1.2, 0, 0, 0])
    assert found.clear is False and not found and found.pair[1] == "sheet"
    assert found.certain_until <= found.contact <= found.certain_until + 1e-5
    q = np.array([0, 0.2 + found.contact, 0, 0, 0])
    assert robot.collides(q)
    stopped = robot.path_clear([0, 0.2, 0, 0, 0], [0, 1.2, 0, 0, 0], budget=3)
    assert stopped.clear is None and stopped.why == "budget"
    with pytest.raises(ValueError, match="undecided"):
        bool(stopped)
    assert robot.path_clear([0, 0, 0, 0, 0], [2, 0, 0, 1, 0.04], clearance=0.01)


def test_many_threads_ask_at_once(robot):
    q, seen = robot.random(200, seed=3), []
    expected = robot.collides(q)
    threads = [threading.Thread(target=lambda: seen.append(robot.collides(q))) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert len(seen) == 4 and all(np.array_equal(one, expected) for one in seen)
    told = []
    robot.distance(q, progress=lambda done, count: told.append((done, count)))
    assert told[-1] == (200, 200)
    with pytest.raises(ZeroDivisionError):
        robot.collides(np.repeat(q, 2000, axis=0), progress=lambda done, count: 1 / 0)


def test_refusals(robot, tmp_path):
    with pytest.raises(FileNotFoundError):
        nh.Robot(tmp_path / "none.urdf")
    (tmp_path / "bad.urdf").write_text('<robot name="x">\n<link/></robot>')
    with pytest.raises(nh.RobotError, match=r'bad.urdf:2: .*no attribute "name"'):
        nh.Robot(tmp_path / "bad.urdf")
    with pytest.raises(ValueError, match=r"shape \(5,\) or \(k, 5\), not \(4,\)"):
        robot.collides([0, 0, 0, 0])
    with pytest.raises(nh.RobotError, match="coordinate 1 \\(lift\\) is NaN"):
        robot.collides([0, np.nan, 0, 0, 0])
    bad = robot.random(500)
    bad[321, 2] = np.inf
    with pytest.raises(nh.RobotError, match="configuration 321: coordinate 2 \\(elbow\\) is inf"):
        robot.collides(bad)
    with pytest.raises(nh.RobotError, match="clearance"):
        robot.path_clear([0] * 5, [1] * 5, clearance=-1)
    with pytest.raises(nh.RobotError, match="known: rest"):
        robot.state("flying")
    with pytest.raises(TypeError):
        robot.world.add("x", 5)


def test_matrices_are_never_contradicted(robot):
    first = nh.collision_matrix(robot, tests=1000, samples=50)
    matrix = nh.collision_matrix(robot, tests=3000, state=first.state)
    assert sum(pair.tests for pair in matrix.pairs) > sum(pair.tests for pair in first.pairs)
    assert matrix.count("never") >= 1 and matrix.count("sometimes") >= 5
    for a, b, *_ in robot.allowed:
        robot.forbid(a, b)
    q = robot.random(300, seed=9)
    seen = [set(robot.contacts(one)) for one in q]
    for pair in matrix.pairs:
        links = (pair.a, pair.b)
        if pair.verdict == "never":
            assert not any(links in contacts for contacts in seen), links
        elif pair.verdict == "always":
            assert all(links in contacts for contacts in seen), links
        elif pair.verdict == "sometimes":
            assert links in robot.contacts(pair.touching) and links not in robot.contacts(pair.clear)
        else:
            assert 0 < pair.left <= 1
    with pytest.raises(nh.RobotError, match="line 1"):
        nh.collision_matrix(robot, state="nonsense")
    robot.pad("hand", 0.01)
    with pytest.raises(nh.RobotError, match="another robot"):
        nh.collision_matrix(robot, state=first.state)
    with pytest.raises(KeyError):
        matrix["hand", "wing"]


def test_balls_contain_their_links(robot):
    around = nh.Robot.from_text(robot.spheres_text(30, "urdf"))
    q = robot.random(200, seed=4)
    assert np.all(around.collides(q) | ~robot.collides(q))
    assert len(around.bodies) == 30 and len(robot.spheres(1, per_link=True)) == 7
    with pytest.raises(ValueError, match="known: json, urdf"):
        robot.spheres_text(3, "csv")
    with pytest.raises(ValueError, match="at least 1"):
        robot.spheres(0)
    for ask in (robot.spheres, robot.random):
        with pytest.raises(ValueError, match="it must be at most"):
            ask(999_999_999_999)
