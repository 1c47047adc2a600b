"""Single queries and batches: the same answers, for every volume, thread count and memory order."""

import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest
from interrupts import HANGS
from shapes import torus

import nearhit as nh




@pytest.fixture(scope="module")
def models(mesh):
    return nh.Model(mesh), nh.Model(torus(18, 9, 0.8, 0.3))


def test_batches_answer_as_single_queries_do(models, poses):
    a, b = models
    hits, distances = nh.collide(a, b, poses_b=poses), nh.distance(a, b, poses_b=poses)
    near, listed = nh.within(a, b, 0.2, poses_b=poses), nh.contacts(a, b, poses_b=poses, points=True)
    assert 20 < hits.touching.sum() < 130 and hits.known.all()
    assert len(hits) == len(distances) == len(near) == len(poses) == len(list(listed.split()))
    for i, pose in enumerate(poses):
        single = nh.collide(a, b, pose_b=pose)
        assert single.touching == hits.touching[i] and single.work == tuple(hits.work[i])
        found = nh.distance(a, b, pose_b=pose)
        assert (found.lower, found.upper, found.triangles) == (
            distances.lower[i],
            distances.upper[i],
            tuple(distances.triangles[i]),
        )
        assert np.array_equal(found.points, distances.points[i])
        assert bool(nh.within(a, b, 0.2, pose_b=pose)) == near.near[i] == (found.upper <= 0.2)
        pairs = nh.contacts(a, b, pose_b=pose, points=True)
        assert np.array_equal(pairs.triangles, listed.triangles[listed.starts[i] : listed.starts[i + 1]])
        assert (len(pairs) > 0) == single.touching == (found.upper == 0)
    assert np.allclose(np.linalg.norm(distances.points[:, 0] - distances.points[:, 1], axis=1), distances.upper)


def test_witnesses_are_on_the_meshes(models, poses):
    a, b = models
    found = nh.distance(a, b, poses_a=poses[::-1], poses_b=poses)
    for i in range(len(poses)):
        for model, pose, side in ((a, poses[::-1][i], 0), (b, poses[i], 1)):
            corners = model.vertices[model.faces[found.triangles[i, side]]] @ pose[:3, :3].T + pose[:3, 3]
            point = found.points[i, side]
            weights = np.linalg.lstsq(np.vstack([corners.T, np.ones(3)]), np.append(point, 1), rcond=None)[0]
            assert np.allclose(weights @ corners, point, atol=1e-9) and weights.min() > -1e-6


def test_shared_points_are_on_both_triangles(models, poses):
    a, b = models
    found = nh.contacts(a, b, poses_b=poses, points=True)
    pose_of = np.repeat(np.arange(len(poses)), np.diff(found.starts))
    assert len(found) > 500 and len(found.point_starts) == len(found) + 1
    for pair in range(0, len(found), 37):
        points, pose = found.shared(pair), poses[pose_of[pair]]
        assert 1 <= len(points) <= 6
        for model, placed, side in ((a, np.eye(4), 0), (b, pose, 1)):
            p, q, r = model.vertices[model.faces[found.triangles[pair, side]]] @ placed[:3, :3].T + placed[:3, 3]
            normal = np.cross(q - p, r - p)
            assert np.abs((points - p) @ normal).max() < 1e-9


@pytest.mark.parametrize("volume", ["sphere", "aabb", "obb", "kdop26", "rss", "mixed"])
def test_every_volume_answers_the_same(mesh, models, poses, volume):
    a, b = nh.Model(mesh, volume=volume), nh.Model(torus(18, 9, 0.8, 0.3), volume=volume)
    assert np.array_equal(nh.distance(a, b, poses_b=poses).upper, nh.distance(*models, poses_b=poses).upper)
    with pytest.raises(nh.QueryError, match=f"model a is a tree of {volume}, model b of auto"):
        nh.collide(a, models[1])


def test_poses_come_in_every_form(models, poses):
    a, b = models
    wanted = nh.distance(a, b, poses_b=poses)
    R, t = poses[:, :3, :3], poses[:, :3, 3]
    forms = [np.asfortranarray(poses), np.repeat(poses, 3, axis=0)[::3], poses.tolist(), (R, t), poses.astype(">f8")]
    for form in forms:
        assert np.array_equal(nh.distance(a, b, poses_b=form).upper, wanted.upper)
    assert nh.distance(a, b, pose_b=(R[3], t[3])).upper == wanted.upper[3]
    both = nh.distance(a, b, poses_a=poses, pose_b=poses[5])
    assert both.upper[5] == nh.distance(a, b, pose_a=poses[5], pose_b=poses[5]).upper


def test_pairs_are_listed(models, poses):
    a, b = models
    nearest = nh.nearest_pairs(a, b, 5, poses_b=poses)
    assert np.array_equal(np.diff(nearest.starts), np.full(len(poses), 5)) and nearest.complete.all()
    assert np.array_equal(nearest.distances[::5], nh.distance(a, b, poses_b=poses).upper)
    within = nh.pairs_within(a, b, 0.1, poses_b=poses)
    assert (within.distances <= 0.1).all()
    assert np.array_equal(np.diff(within.starts) > 0, nh.within(a, b, 0.1, poses_b=poses).near)


def test_the_number_of_threads_changes_nothing(models, poses):
    a, b = models
    for warm in (False, True):
        first = nh.distance(a, b, poses_b=poses, threads=1, warm=warm)
        for threads in (2, 3):
            other = nh.distance(a, b, poses_b=poses, threads=threads, warm=warm)
            for field in ("lower", "upper", "points", "triangles", "work"):
                assert np.array_equal(getattr(first, field), getattr(other, field))


def test_budgets_and_seeds(models, poses):
    a, b = models
    exact = nh.distance(a, b, poses_b=poses)
    some = nh.distance(a, b, poses_b=poses, work=200)
    assert (some.lower <= exact.lower).all() and (some.upper >= exact.upper).all() and (some.lower < some.upper).any()
    undecided = nh.collide(a, b, poses_b=poses, work=1)
    assert not undecided.known.all() and not undecided.touching[~undecided.known].any()
    single = nh.collide(a, b, pose_b=poses[np.flatnonzero(~undecided.known)[0]], budget_us=0)
    assert single.touching is None
    with pytest.raises(ValueError, match="undecided"):
        bool(single)
    apart = int(np.flatnonzero(exact.upper > 0.1)[0])
    cold, seeded = (nh.distance(a, b, pose_b=poses[apart], seed=seed) for seed in (None, exact.triangles[apart]))
    assert cold.upper == seeded.upper and seeded.work.n_p < cold.work.n_p
    rough = nh.distance(a, b, poses_b=poses, rel_error=0.5)
    assert (rough.upper <= 1.5 * exact.upper).all() and rough.work.sum() < exact.work.sum()


def test_progress_is_told(models, poses):
    told = []
    nh.distance(*models, poses_b=np.tile(poses, (20, 1, 1)), progress=lambda done, count: told.append((done, count)))
    assert told[-1] == (3000, 3000)
    with pytest.raises(ZeroDivisionError):
        nh.distance(*models, poses_b=np.tile(poses, (20, 1, 1)), progress=lambda done, count: 1 // 0)


def test_models_are_shared_by_threads(models, poses):
    a, b = models
    wanted, found = nh.distance(a, b, poses_b=poses).upper, {}

    def work(thread):
        found[thread] = np.array([nh.distance(a, b, pose_b=pose).upper for pose in poses])

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4 and all(np.array_equal(upper, wanted) for upper in found.values())


def test_empty_batches_have_empty_answers(models):
    nothing = np.zeros((0, 4, 4))
    assert len(nh.collide(*models, poses_b=nothing)) == 0
    assert nh.distance(*models, poses_a=nothing).points.shape == (0, 2, 3)
    assert nh.contacts(*models, poses_b=nothing).triangles.shape == (0, 2)


SCALED = np.diag([2.0, 1.0, 1.0, 1.0])
REFUSALS = [
    (dict(pose_b=np.eye(3)), ValueError, r"pose_b must have the shape \(4, 4\).*not \(3, 3\)"),
    (dict(poses_b=np.eye(4)), ValueError, r"poses_b must have the shape \(k, 4, 4\)"),
    (dict(pose_b=np.eye(4), poses_b=[np.eye(4)]), TypeError, "give pose_b or poses_b, not both"),
    (dict(poses_a=np.zeros((2, 4, 4)), poses_b=np.zeros((3, 4, 4))), ValueError, "there are 2 poses of a, but 3 of b"),
    (dict(pose_b=SCALED), nh.PoseError, "b's pose: the matrix is not a rotation"),
    (dict(poses_a=[np.eye(4), SCALED]), nh.PoseError, "query 1: a's pose: the matrix is not a rotation"),
    (dict(pose_a=(np.eye(3), [0, np.nan, 0])), nh.PoseError, r"a's pose: t\[1\] is NaN, not a finite number"),
    (dict(pose_b=(np.eye(3), [0, 0, 1e301])), nh.QueryError, "too far apart"),
    (dict(pose_b=(np.eye(3), [0, 0])), ValueError, "must have the shapes"),
    (dict(budget_us=-1), ValueError, "budget_us -1: the budget must be a finite number of microseconds, at least 0"),
    (dict(budget_us=1, work=1), ValueError, "not both"),
    (dict(poses_b=[np.eye(4)], threads=0), ValueError, "threads must be at least 1"),
    (dict(poses_b=np.broadcast_to(np.eye(4), (10**13, 4, 4))), MemoryError, "no memory for the answers"),
    (dict(poses_b=[np.eye(4)], threads=10**6), ValueError, "threads must be at most 1024, not 1000000"),
    (dict(speed=9), TypeError, "unexpected keyword argument 'speed'"),
    (dict(seed=(1, 2, 3)), ValueError, "a seed is a triangle of a and a triangle of b, not 3 numbers"),
]


@pytest.mark.parametrize("options, kind, message", REFUSALS, ids=range(len(REFUSALS)))
def test_refusals_say_what_is_wrong(models, options, kind, message):
    with pytest.raises(kind, match=message):
        nh.collide(*models, **options)


LENGTHS = [
    (lambda a, b, x: nh.within(a, b, x), "limit"),
    (lambda a, b, x: nh.pairs_within(a, b, x), "limit"),
    (lambda a, b, x: nh.distance(a, b, rel_error=x), "rel_error"),
    (lambda a, b, x: nh.distance(a, b, abs_error=x), "abs_error"),
]


@pytest.mark.parametrize("ask, name", LENGTHS, ids=range(len(LENGTHS)))
def test_lengths_are_numbers_of_at_least_zero(models, ask, name):
    for value in (-1, -1e-300, np.nan):
        with pytest.raises(ValueError, match=f"{name} must be a number of at least 0, not {value}"):
            ask(*models, value)
    with pytest.raises(ValueError, match="count must be a number of at least 0, not -1"):
        nh.nearest_pairs(*models, -1)
    with pytest.raises(ValueError, match="work must be at least 0, not -1"):
        nh.collide(*models, work=-1)


def test_results_can_be_compared(models, poses):
    asks = (
        lambda k: nh.collide(*models, poses_b=poses[:k]),
        lambda k: nh.distance(*models, pose_b=poses[k]),
        lambda k: nh.distance(*models, poses_b=poses[:k]),
        lambda k: nh.within(*models, 0.1, poses_b=poses[:k]),
        lambda k: nh.contacts(*models, poses_b=poses[:k], points=True),
        lambda k: nh.nearest_pairs(*models, 2, poses_b=poses[:k]),
    )
    for ask in asks:
        assert ask(20) == ask(20) and ask(20) != ask(30) and not (ask(20) == 20)


def test_single_results_are_values(models, poses):
    hit, gap = nh.collide(*models, pose_b=poses[0]), nh.distance(*models, pose_b=poses[0])
    for result in (hit, gap):
        assert pickle.loads(pickle.dumps(result)) == result and result.work.n_v > 0
    assert hash(hit) == hash(nh.collide(*models, pose_b=poses[0])) and repr(hit).startswith("Collision(touching=")
    assert repr(gap).startswith(f"Distance(lower={gap.lower!r}, upper=") and gap != nh.distance(*models, pose_b=poses[1])
    with pytest.raises(AttributeError):
        hit.touching = None


def test_pairs_are_counted_from_either_end(models, poses):
    found = nh.contacts(*models, poses_b=poses, points=True)
    assert np.array_equal(found.shared(-1), found.shared(len(found) - 1)) and len(found.shared(-1)) > 0
    with pytest.raises(IndexError, match=f"there is no pair {len(found)}: there are {len(found)}"):
        found.shared(len(found))
    with pytest.raises(ValueError, match="points=True"):
        nh.contacts(*models, poses_b=poses).shared(0)


@pytest.mark.parametrize("kind", [nh.NearhitError, nh.MeshError, nh.PoseError, nh.QueryError, nh.SceneError, nh.FileError])
def test_exceptions_can_be_pickled(kind):
    again = pickle.loads(pickle.dumps(kind("why")))
    assert type(again) is kind and again.args == ("why",) and issubclass(kind, nh.NearhitError)
    assert kind.__name__ in nh.__all__ and kind.__module__ == "nearhit"


INTERRUPTED = """
import sys
sys.path[:0] = {path!r}
import numpy as np, nearhit as nh, signal
from interrupts import Interrupt
from shapes import torus, random_poses
# A job started in the background ignores interrupts, and passes that on.
signal.signal(signal.SIGINT, signal.default_int_handler)
a = nh.Model(torus(200, 100))
poses = np.tile(random_poses(1000, 3, 2.5), (1000, 1, 1))
interrupt = Interrupt(after=0)
try:
    nh.distance(a, a, poses_b=poses, progress=interrupt.progress)
except KeyboardInterrupt:
    print("interrupted", interrupt.done < len(poses))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of another kind")
def test_a_batch_can_be_interrupted():
    script = INTERRUPTED.format(path=[str(p) for p in sys.path if p])
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=HANGS)
    assert run.stdout == "interrupted True\n", run.stderr


def test_a_path_answers_as_all_its_poses_do(models):
    a, b = models
    poses = np.tile(np.eye(4), (400, 1, 1))
    for start in (1.2, 2.5):
        poses[:, 0, 3], poses[:, 1, 3], poses[:, 2, 3] = np.linspace(-4, 4, 400), 0.4, start
        every = nh.distance(a, b, poses_b=poses)
        found = nh.path(a, b, poses_b=poses)
        assert found.pose == int(np.argmin(every.upper)) and found.upper == every.upper.min() == found.lower
        hits = np.flatnonzero(every.upper == 0)
        assert found.first_contact == (hits[0] if len(hits) else None) and bool(found) == (len(hits) > 0)
        alone = nh.distance(a, b, pose_b=poses[found.pose])
        assert found.triangles == alone.triangles and np.array_equal(found.points, alone.points)
        # Where the clearance stays the same nearly every pose is asked about.
        assert found.complete and found.asked < 300
        # The same seen from b, and with both moved.
        assert nh.path(b, a, poses_a=poses).pose == found.pose
    ball = nh.Ball(0.01)
    assert nh.path(nh.Model(torus(18, 9, 0.8, 0.3)), ball, poses_b=poses[:1] * 0 + np.eye(4)).touching is False
    closed = nh.path(a, b, poses_b=poses, work=3)
    assert not closed.complete and closed.lower <= found.upper and closed.first_contact is None
    with pytest.raises(ValueError, match="poses_a or poses_b"):
        nh.path(a, b)
