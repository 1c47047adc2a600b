"""nearhit beside python-fcl and coal, in one process, query by query on the same poses.

    python python/bench/peers.py [--install] [--seconds S] [CASE]...

A CASE is a folder with a.obj, b.obj and poses.txt (a line a query: R_a row by row, t_a, R_b row by row, t_b). Without one, two tori that pass each other are used.
`--install` fetches python-fcl and coal with pip first. Times are medians per query, of calls one by one (the three take turns, some poses each, so that a busy machine is unfair to none)
and of nearhit's batch call on all cores, whose time is the mean in the best of three calls (compared with the others' mean); at most S seconds are spent on each case and question.
"""

import argparse
import hashlib
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np

import nearhit as nh


def read_obj(path):
    """Vertices and triangles of a file with nothing else."""
    rows = [line.split() for line in path.read_text().splitlines() if line[:2] in ("v ", "f ")]
    vertices = np.array([row[1:4] for row in rows if row[0] == "v"], dtype=float)
    faces = np.array([[part.split("/")[0] for part in row[1:4]] for row in rows if row[0] == "f"], dtype=np.int64) - 1
    return vertices, faces


def matrices(numbers):
    """(k, 12): a rotation row by row and a translation."""
    poses = np.tile(np.eye(4), (len(numbers), 1, 1))
    poses[:, :3, :3], poses[:, :3, 3] = numbers[:, :9].reshape(-1, 3, 3), numbers[:, 9:]
    # Files with few digits: the nearest rotations, so that all three see the same.
    u, _, v = np.linalg.svd(poses[:, :3, :3])
    poses[:, :3, :3] = u @ v
    return poses


def read_case(folder):
    """Two meshes and two arrays of poses."""
    lines = [line for line in (folder / "poses.txt").read_text().splitlines() if line.strip() and line[0] != "#"]
    numbers = np.array([line.split() for line in lines], dtype=float)
    return read_obj(folder / "a.obj"), read_obj(folder / "b.obj"), matrices(numbers[:, :12]), matrices(numbers[:, 12:])


def passing_tori(count=200):
    """What there is without files."""
    sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
    from shapes import random_poses, torus

    return torus(100, 50), torus(80, 40), np.tile(np.eye(4), (count, 1, 1)), random_poses(count, 5, 1.8)


class Nearhit:
    """Call by call."""

    def __init__(self, mesh_a, mesh_b):
        self.a, self.b = nh.Model(mesh_a), nh.Model(mesh_b)

    def collide(self, pose_a, pose_b):
        return bool(nh.collide(self.a, self.b, pose_a=pose_a, pose_b=pose_b))

    def distance(self, pose_a, pose_b):
        return nh.distance(self.a, self.b, pose_a=pose_a, pose_b=pose_b).upper


class Fcl:
    """python-fcl, with its objects made once and moved."""

    def __init__(self, mesh_a, mesh_b):
        import fcl

        self.fcl, self.objects = fcl, []
        for vertices, faces in (mesh_a, mesh_b):
            model = fcl.BVHModel()
            model.beginModel(len(vertices), len(faces))
            model.addSubModel(vertices, faces)
            model.endModel()
            self.objects.append(fcl.CollisionObject(model))

    def move(self, *poses):
        for item, pose in zip(self.objects, poses):
            item.setTransform(self.fcl.Transform(pose[:3, :3], pose[:3, 3]))

    def collide(self, *poses):
        self.move(*poses)
        return self.fcl.collide(*self.objects, self.fcl.CollisionRequest(), self.fcl.CollisionResult()) > 0

    def distance(self, *poses):
        self.move(*poses)
        # FCL says -1 for contact.
        return max(0.0, self.fcl.distance(*self.objects, self.fcl.DistanceRequest(), self.fcl.DistanceResult()))


class Coal:
    """coal's Python package."""

    def __init__(self, mesh_a, mesh_b):
        import coal

        self.coal, self.models = coal, []
        for vertices, faces in (mesh_a, mesh_b):
            model = coal.BVHModelOBBRSS()
            model.beginModel(len(faces), len(vertices))
            points = coal.StdVec_Vec3s()
            points.extend(list(vertices))
            triangles = coal.StdVec_Triangle()
            for face in faces:
                triangles.append(coal.Triangle(*(int(i) for i in face)))
            model.addSubModel(points, triangles)
            model.endModel()
            self.models.append(model)

    def ask(self, function, request, result, pose_a, pose_b):
        a, b = (self.coal.Transform3s(pose[:3, :3], pose[:3, 3]) for pose in (pose_a, pose_b))
        return function(self.models[0], a, self.models[1], b, request, result)

    def collide(self, *poses):
        coal = self.coal
        return self.ask(coal.collide, coal.CollisionRequest(), coal.CollisionResult(), *poses) > 0

    def distance(self, *poses):
        coal = self.coal
        return max(0.0, self.ask(coal.distance, coal.DistanceRequest(), coal.DistanceResult(), *poses))


# Poses that one library is asked about in a row, at most: turns of one pose would mostly measure
# how each finds the caches after the others.
TURN = 50


def measure(peers, question, poses_a, poses_b, seconds):
    """Seconds of every query and answers of each, in turns."""
    asks = {name: getattr(peer, question) for name, peer in peers.items()}
    slowest = max(_timed(lambda: ask(poses_a[0], poses_b[0]), 1) for ask in asks.values())
    turn = max(1, min(TURN, int(0.1 * seconds / slowest)))
    times, answers = {name: [] for name in peers}, {name: [] for name in peers}
    end = time.perf_counter() + seconds
    for first in range(0, len(poses_a), turn):
        if first > 0 and time.perf_counter() > end:
            break
        for name, ask in asks.items():
            for pose_a, pose_b in zip(poses_a[first : first + turn], poses_b[first : first + turn]):
                start = time.perf_counter()
                answer = ask(pose_a, pose_b)
                times[name].append(time.perf_counter() - start)
                answers[name].append(answer)
    return {name: np.array(taken) for name, taken in times.items()}, {name: np.array(a) for name, a in answers.items()}


def report(name, case, seconds, kinds, ratios):
    mesh_a, mesh_b, poses_a, poses_b = case
    peers = {kind.__name__.lower(): kind(mesh_a, mesh_b) for kind in kinds}
    for question in ("collide", "distance"):
        times, answers = measure(peers, question, poses_a, poses_b, seconds)
        count = len(answers["nearhit"])
        ours = peers["nearhit"]
        call = getattr(nh, question)
        batch = min(_timed(lambda: call(ours.a, ours.b, poses_a=poses_a[:count], poses_b=poses_b[:count]), 1) for _ in range(3)) / count
        scale = max(np.abs(mesh_a[0]).max(), np.abs(mesh_b[0]).max(), np.abs(poses_a[:, :3, 3]).max(), np.abs(poses_b[:, :3, 3]).max())
        cells = [f"{name:22} {question:9} {count:6} {np.median(times['nearhit']) * 1e6:10.1f} {batch * 1e6:10.1f}"]
        for other in list(peers)[1:]:
            worst = np.abs(answers[other].astype(float) - answers["nearhit"].astype(float)).max()
            differ = int((np.abs(answers[other].astype(float) - answers["nearhit"].astype(float)) > 1e-6 * scale).sum())
            median = np.median(times[other])
            ratio = median / np.median(times["nearhit"])
            ratios.setdefault((question, other, "call by call"), []).append(ratio)
            ratios.setdefault((question, other, "as one batch"), []).append(np.mean(times[other]) / batch)
            cells.append(f"{median * 1e6:10.1f} {ratio:6.1f}x {differ:4} ({worst:.0e})")
        print(" ".join(cells), flush=True)


def overhead():
    """A query of two triangles that are apart, nothing else. The best of many short runs: a busy machine is not what is measured."""
    triangle = nh.Model((np.eye(3), [[0, 1, 2]]))
    pose = np.eye(4)
    pose[0, 3] = 5.0
    for name, ask in (("collide", lambda: nh.collide(triangle, triangle, pose_b=pose)), ("distance", lambda: nh.distance(triangle, triangle, pose_b=pose))):
        best = min(_timed(ask, 100) for _ in range(1000))
        print(f"one call of {name} about two triangles: {best * 1e6:.2f} us")
    poses = np.tile(pose, (10_000, 1, 1))
    batch = min(_timed(lambda: nh.collide(triangle, triangle, poses_b=poses), 1) for _ in range(50)) / len(poses)
    print(f"the same in a batch: {batch * 1e6:.3f} us a query")


def scaling(seconds=10.0):
    """How much faster are two threads than one, beside a loop that only computes?"""
    poses = passing_tori(4000)[3]
    a, b = nh.Model(passing_tori()[0]), nh.Model(passing_tori()[1])
    best = {(name, threads): float("inf") for name in ("batch", "loop") for threads in (1, 2)}
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        for threads in (1, 2):
            took = _timed(lambda: nh.collide(a, b, poses_b=poses, threads=threads), 1), _hashing(threads)
            for name, seconds_taken in zip(("batch", "loop"), took):
                best[name, threads] = min(best[name, threads], seconds_taken)
    batch, loop = (best[name, 1] / best[name, 2] for name in ("batch", "loop"))
    print(f"two threads: {batch:.2f} times one thread; a loop that only computes: {loop:.2f} times; {batch / loop:.2f} of it")


def _hashing(threads, rounds=60_000):
    """Seconds for so many rounds of a hash, without the lock, shared by threads."""
    work = lambda: hashlib.pbkdf2_hmac("sha256", b"", b"", rounds // threads)  # noqa: E731
    workers = [threading.Thread(target=work) for _ in range(threads)]
    start = time.perf_counter()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return time.perf_counter() - start


def _timed(function, count):
    start = time.perf_counter()
    for _ in range(count):
        function()
    return (time.perf_counter() - start) / count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", type=Path)
    parser.add_argument("--install", action="store_true")
    parser.add_argument("--seconds", type=float, default=10.0)
    options = parser.parse_args()
    if options.install:
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "python-fcl", "coal"], check=True)
    kinds = [Nearhit]
    for kind, module in ((Fcl, "fcl"), (Coal, "coal")):
        try:
            __import__(module)
            kinds.append(kind)
        except ImportError:
            print(f"{module} is not installed: --install fetches it")
    overhead()
    scaling()
    others = " ".join(f"{kind.__name__.lower():>10} {'':>7} {'differ (by)':>11}" for kind in kinds[1:])
    ratios = {}
    print(f"{'case':22} {'question':9} {'poses':>6} {'nearhit us':>10} {'batch us':>10} {others}")
    for folder in filter(Path.is_dir, options.cases):
        report(folder.name, read_case(folder), options.seconds, kinds, ratios)
    if not options.cases:
        report("passing tori", passing_tori(), options.seconds, kinds, ratios)
    for (question, other, how), found in ratios.items():
        mean = np.exp(np.mean(np.log(found)))
        print(f"{question} {how}: {other} takes {mean:.1f} times as long in geometric mean, {min(found):.1f} at least")


if __name__ == "__main__":
    main()
