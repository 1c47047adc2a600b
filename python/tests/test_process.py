"""The package in a process: what it imports, what it holds on to, threads, other processes, and an end in mid-work."""

import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from interrupts import HANGS
from shapes import random_poses, torus

import nearhit as nh

POSES = random_poses(300, 3, 1.8)


@pytest.fixture(scope="module")
def ring():
    return nh.Model(torus(18, 9, 0.8, 0.3))


def python(*arguments):
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, timeout=HANGS)


def test_import_takes_little_with_it():
    """Nothing that takes long to import and may never be needed."""
    heavy = ["trimesh", "scipy", "ray", "fcl", "pandas", "tempfile", "concurrent.futures", "multiprocessing", "asyncio", "urllib.request"]
    code = f"import numpy, sys; before = set(sys.modules); import nearhit; print([name for name in {heavy} if name in set(sys.modules) - before])"
    assert python("-c", code).stdout.strip() == "[]"


def resident():
    """Bytes that the process holds; 0 where that cannot be told."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")
    except OSError:
        return 0


def some_calls(ring, box, scene, body, index):
    """Ten calls that make, ask, refuse and forget."""
    pose = POSES[index % len(POSES)]
    nh.collide(ring, ring, pose_b=pose)
    nh.distance(ring, box, pose_b=pose)
    nh.contacts(ring, ring, pose_b=pose)
    nh.Box(1, 2, 3, margin=0.1)
    nh.closest_point(ring, pose[:3, :3])
    scene.move(body, pose)
    scene.collisions()
    scene.collides()
    with pytest.raises(nh.PoseError):
        nh.collide(ring, ring, pose_b=np.zeros((4, 4)))
    nh.Model(([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))


def test_calls_leave_nothing_behind(ring):
    """A million calls with NEARHIT_LONG=1: the second half holds no more than the first."""
    half = 50_000 if os.environ.get("NEARHIT_LONG") else 600
    box, scene = nh.Box(1, 0.5, 0.25), nh.Scene()
    scene.add("still", ring)
    scene.add("moving", ring)
    for index in range(half):
        some_calls(ring, box, scene, "moving", index)
    before = resident()
    for index in range(half):
        some_calls(ring, box, scene, "moving", index)
    # Twenty bytes lost in one of the ten calls would be more in the long run; the rest is the allocator's.
    assert resident() - before < 20 * half + 1_000_000


def test_sixteen_threads_share_models_and_scenes(ring):
    scene = nh.Scene()
    scene.add("a", ring)
    scene.add("b", ring, pose=POSES[0])
    expected = [nh.distance(ring, ring, pose_b=pose).upper for pose in POSES[:40]]
    touching, wrong = scene.collides(), []

    def work(number):
        try:
            for index in range(number, 40 + number):
                place = index % 40
                if nh.distance(ring, ring, pose_b=POSES[place]).upper != expected[place] or scene.collides() != touching:
                    wrong.append(place)
            if number % 4 == 0 and nh.distance(ring, ring, poses_b=POSES[:40]).upper.tolist() != expected:
                wrong.append("batch")
        except Exception as error:
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def in_child(ring, poses):
    return nh.distance(ring, ring, poses_b=poses)


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("method", [name for name in ("spawn", "forkserver", "fork") if name in multiprocessing.get_all_start_methods()])
def test_other_processes_give_the_same_answers(ring, method):
    """Models and answers travel between processes; batches run in both."""
    whole = nh.distance(ring, ring, poses_b=POSES)
    with multiprocessing.get_context(method).Pool(2) as pool:
        parts = pool.starmap(in_child, [(ring, POSES[:150]), (ring, POSES[150:])])
    assert np.array_equal(np.concatenate([part.upper for part in parts]), whole.upper)
    assert pickle.loads(pickle.dumps(parts[0])) == parts[0]


def everything(ring, scene, boxed):
    """Answers of questions that use threads: batches, builders, points, rays, scenes, clashes, solids, robots."""
    made = nh.Model(torus(40, 20, 0.8, 0.3))
    yield nh.distance(ring, ring, poses_b=POSES).upper.tolist()
    yield nh.distance(ring, ring, poses_b=POSES[:40], solid=True, abs_error=1e-3, threads=2).upper.tolist()
    yield nh.depth(made, ring, pose_b=POSES[1]).upper
    yield nh.signed_distance(made, POSES[:, :3, 3]).distances.tolist()
    yield nh.ray_first(made, POSES[:, :3, 3], POSES[:, 0, :3]).triangles.tolist()
    yield scene.collides(), [hit.a for hit in scene.contacts()]
    yield scene.collides_each({"moving": POSES[:20]}).tolist()
    yield len(nh.clash({"ring": boxed, "shifted": (made, POSES[2])}, clearance=0.5))
    robot = nh.Robot.example()
    yield robot.collides(robot.random(100)).tolist()


def forked(ask):
    """Whether a forked child that asks ends, and finds itself content. None: it hangs."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            code = 0 if ask() else 2
        finally:
            os._exit(code)
    end = time.monotonic() + HANGS
    while time.monotonic() < end:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status == 0
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


FORKS = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")


@FORKS
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_has_threads_of_its_own(ring):
    """Its parent's threads do not survive a fork: a child that waited for them would hang. Nor do a child's in its own."""
    scene = nh.Scene()
    scene.add("still", ring)
    scene.add("moving", ring, pose=POSES[0])
    expected = list(everything(ring, scene, ring))

    def same():
        return list(everything(ring, scene, ring)) == expected

    assert forked(same) is True
    assert forked(lambda: same() and forked(same)) is True


@FORKS
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_threads_of_a_forked_child_share_its_pool(ring):
    scene = nh.Scene()
    scene.add("still", ring)
    scene.add("moving", ring, pose=POSES[0])
    expected = scene.collides(), nh.distance(ring, ring, poses_b=POSES[:50]).upper.tolist()

    def same():
        found = []
        ask = lambda: found.append((scene.collides(), nh.distance(ring, ring, poses_b=POSES[:50]).upper.tolist()))  # noqa: E731
        threads = [threading.Thread(target=lambda: [ask() for _ in range(5)]) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return found == [expected] * 30

    assert forked(same) is True


ENDS = """
import os, queue, sys, threading
sys.path.insert(0, {folder!r})
import numpy as np
import nearhit as nh
from shapes import random_poses, torus
ring, poses = nh.Model(torus(18, 9, 0.8, 0.3)), np.tile(random_poses(300, 3, 1.8), (1000, 1, 1))
told = queue.SimpleQueue()
threading.Thread(target=lambda: nh.distance(ring, ring, poses_b=poses, progress=told.put), daemon=True).start()
told.get()
print("leaves")
"""


def test_the_interpreter_may_end_during_a_batch():
    ended = python("-c", ENDS.format(folder=os.path.dirname(__file__)))
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "leaves\n", "")
