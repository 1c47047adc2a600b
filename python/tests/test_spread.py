"""Batches over executors and a Ray cluster: the same answers to the last bit, whatever happens to
workers."""

import importlib.util
import os
import signal
import threading
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context

import numpy as np
import pytest
from shapes import random_poses, torus

import nearhit as nh
from nearhit import spread
from nearhit.spread import Spread, WorkersLost

POSES = random_poses(700, 3, 1.8)


@pytest.fixture(scope="module")
def ring():
    return nh.Model(torus(18, 9, 0.8, 0.3))


ASKED = [
    ("collide", (), {}),
    ("collide", (), {"solid": True, "warm": True}),
    ("within", (0.1,), {"work": 40}),
    ("distance", (), {"rel_error": 0.01}),
    ("distance", (), {"warm": True}),
    ("contacts", (), {"points": True}),
    ("nearest_pairs", (3,), {}),
    ("pairs_within", (0.05,), {}),
    ("local_depth", (), {}),
    ("regions", (), {"most_points": 2}),
]


@pytest.mark.parametrize("query, arguments, options", ASKED)
def test_pieces_make_the_whole(ring, query, arguments, options):
    """Every field, work included."""
    some = POSES[:150] if query in ("local_depth", "regions") else POSES
    whole = getattr(nh, query)(ring, ring, *arguments, poses_b=some, **options)
    with ThreadPoolExecutor(3) as executor:
        assert Spread(executor).ask(query, ring, ring, *arguments, poses_b=some, **options) == whole


class Immediate(Executor):
    """Nothing but what an executor must have; counts what it is given."""

    def __init__(self):
        self.pieces, self.with_bodies = 0, 0

    def submit(self, function, *arguments):
        self.pieces += 1
        self.with_bodies += arguments[1] is not None
        future = Future()
        try:
            future.set_result(function(*arguments))
        except Exception as error:
            future.set_exception(error)
        return future


def test_any_executor_and_bodies_once(ring):
    box, executor, seen = nh.Box(1, 2, 0.5), Immediate(), []
    asked = Spread(executor, seconds=1e-4)
    found = asked.distance(box, ring, poses_a=POSES, poses_b=POSES[::-1], progress=lambda done, count: seen.append((done, count)))
    assert found == nh.distance(box, ring, poses_a=POSES, poses_b=POSES[::-1])
    assert executor.pieces > 10 and executor.with_bodies <= asked._backend.slots()
    assert seen[-1] == (700, 700) and seen == sorted(seen)
    # A worker that has forgotten asks again.
    spread._known.clear()
    asked._backend._told = 99
    asked._backend._bodies = {}
    assert asked.collide(box, ring, pose_a=POSES[0], poses_b=POSES[:20]) == nh.collide(box, ring, pose_a=POSES[0], poses_b=POSES[:20])
    assert asked.penetration(box, nh.Ball(1), poses_b=POSES[:40]) == nh.penetration(box, nh.Ball(1), poses_b=POSES[:40])
    none = asked.distance(ring, ring, poses_b=POSES[:0])
    assert len(none) == 0 and none.points.shape == (0, 2, 3)


def test_pieces_come_in_order_and_early(ring):
    executor = Immediate()
    parts = Spread(executor, seconds=1e-4).stream("distance", ring, ring, poses_b=POSES)
    first = next(parts)
    assert executor.pieces < 12, "no more than is kept is done"
    rest = list(parts)
    assert np.array_equal(np.concatenate([part.upper for part in [first, *rest]]), nh.distance(ring, ring, poses_b=POSES).upper)


def test_errors_are_those_of_the_query(ring):
    bad = POSES.copy()
    bad[300, 0, 0] = 9.0
    with pytest.raises(nh.PoseError):
        Spread(Immediate()).collide(ring, ring, poses_b=bad)
    with pytest.raises(ValueError, match="poses"):
        Spread(Immediate()).collide(ring, ring)
    with pytest.raises(ValueError, match="known: collide"):
        Spread(Immediate()).ask("clash", ring, ring, poses_b=POSES)


class Breaking(Immediate):
    """Its workers end after some pieces."""

    left = 0

    def submit(self, function, *arguments):
        if self.pieces >= Breaking.left:
            future = Future()
            future.set_exception(BrokenProcessPool("gone"))
            return future
        return super().submit(function, *arguments)


def test_lost_workers_are_replaced(ring):
    made = []

    def make():
        made.append(Breaking() if len(made) < 2 else Immediate())
        return made[-1]

    Breaking.left = 3
    found = Spread(make, seconds=1e-4).distance(ring, ring, poses_b=POSES)
    assert found == nh.distance(ring, ring, poses_b=POSES) and len(made) == 3
    Breaking.left = 0
    with pytest.raises(WorkersLost, match="again and again"):
        Spread(Breaking, seconds=1e-4).distance(ring, ring, poses_b=POSES)
    with pytest.raises(WorkersLost, match="function that makes one"):
        Spread(Breaking(), seconds=1e-4).distance(ring, ring, poses_b=POSES)


def test_processes_killed_in_mid_work(ring):
    """A real pool whose workers are killed: nothing is lost, nothing is there twice."""
    pools = []

    def make():
        pools.append(ProcessPoolExecutor(2, mp_context=get_context("spawn")))
        return pools[-1]

    poses = np.tile(POSES, (8, 1, 1))
    killed = []

    def kill(done, count):
        if not killed and done > 500:
            killed.extend(pools[0]._processes)
            for process in killed:
                os.kill(process, signal.SIGKILL)

    with Spread(make, seconds=0.01) as pool:
        found = pool.distance(ring, ring, poses_b=poses, progress=kill)
    assert killed and len(pools) == 2
    assert found == nh.distance(ring, ring, poses_b=poses)


def test_an_interrupt_ends_it(ring):
    calls = []

    def stop(done, count):
        calls.append(done)
        raise KeyboardInterrupt

    with ThreadPoolExecutor(2) as executor, pytest.raises(KeyboardInterrupt):
        Spread(executor, seconds=1e-4).distance(ring, ring, poses_b=POSES, progress=stop)
    assert len(calls) == 1


def test_without_ray_it_says_so(monkeypatch):
    import nearhit.ray

    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    with pytest.raises(ImportError, match="pip install ray"):
        nearhit.ray.connect()


@pytest.fixture(scope="module")
def nodes():
    """A cluster of three nodes on this machine."""
    if importlib.util.find_spec("ray") is None:
        pytest.skip("ray is not installed: its cluster is not tested")
    if not os.environ.get("NEARHIT_LONG"):
        pytest.skip("a Ray cluster takes long to start: NEARHIT_LONG=1")
    import ray
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    others = [cluster.add_node(num_cpus=1) for _ in range(2)]
    ray.init(address=cluster.address, log_to_driver=False)
    yield cluster, others
    ray.shutdown()
    cluster.shutdown()


def test_a_ray_cluster_with_a_node_killed(ring, nodes):
    import nearhit.ray

    cluster, others = nodes
    pool = nearhit.ray.connect(seconds=0.05)
    for query, arguments, options in ASKED[:5]:
        whole = getattr(nh, query)(ring, ring, *arguments, poses_b=POSES, **options)
        assert pool.ask(query, ring, ring, *arguments, poses_b=POSES, **options) == whole
    poses = np.tile(POSES, (30, 1, 1))
    seen = []

    def kill(done, count):
        seen.append(done)
        if others and done > count // 8:
            threading.Thread(target=cluster.remove_node, args=(others.pop(),), kwargs={"allow_graceful": False}).start()
            time.sleep(0.2)
            others.clear()

    assert pool.distance(ring, ring, poses_b=poses, progress=kill) == nh.distance(ring, ring, poses_b=poses)
    assert not others and seen[-1] == len(poses)
    with pytest.raises(nh.PoseError):
        pool.collide(ring, ring, poses_b=np.zeros((3, 4, 4)))
