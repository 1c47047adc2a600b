"""Points and rays: nearhit beside trimesh (rtree, embreex), Open3D and libigl, in one process on the same data.

    python python/bench/points.py [--install] [--rounds N] [--cpu] [--points N]

A torus of 20,000 triangles; closest points, signed distances, inside tests and first hits of rays, as many as said, in one call of each. Whoever is not installed is left
out; `--install` fetches all with pip. All take turns; times are the least of N rounds, of the clock or, with `--cpu` (for a busy machine), of all threads together. "differ" counts
answers that are not nearhit's, by more than a millionth of the size (Open3D and embree compute in single precision).
"""

import argparse
import subprocess
import sys
import time

import numpy as np

import nearhit as nh

PACKAGES = ["trimesh", "rtree", "scipy", "embreex", "open3d", "libigl"]


def torus(n=100, major=1.0, minor=0.35):
    """2 * n * n triangles, facing outwards."""
    turn = 2 * np.pi * np.arange(n) / n
    u, v = np.meshgrid(turn, turn, indexing="ij")
    ring = major + minor * np.cos(v)
    vertices = np.stack([ring * np.cos(u), ring * np.sin(u), minor * np.sin(v)], axis=-1).reshape(-1, 3)
    i, j = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
    at = lambda i, j: ((i % n) * n + j % n).ravel()  # noqa: E731
    a, b, c, d = at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)
    return vertices, np.concatenate([np.column_stack([a, b, c]), np.column_stack([a, c, d])])


class Nearhit:
    name = "nearhit"

    def __init__(self, vertices, faces):
        self.model = nh.Model((vertices, faces))

    def closest(self, points):
        return nh.closest_point(self.model, points).distances

    def signed(self, points):
        return nh.signed_distance(self.model, points).distances

    def inside(self, points):
        return nh.inside(self.model, points)

    def rays(self, origins, directions):
        return nh.ray_first(self.model, origins, directions).distances


class Trimesh:
    name = "trimesh"

    def __init__(self, vertices, faces):
        import trimesh
        import trimesh.ray.ray_triangle

        self.mesh = trimesh.Trimesh(vertices, faces, process=False)
        self.query = trimesh.proximity.ProximityQuery(self.mesh)
        self.by_rtree = trimesh.ray.ray_triangle.RayMeshIntersector(self.mesh)

    def closest(self, points):
        return self.query.on_surface(points)[1]

    def signed(self, points):
        return -self.query.signed_distance(points)

    def inside(self, points):
        return self.by_rtree.contains_points(points)

    def rays(self, origins, directions):
        return first(origins, *self.by_rtree.intersects_location(origins, directions, multiple_hits=False)[:2])


class Embree:
    name = "trimesh on embreex"

    def __init__(self, vertices, faces):
        import trimesh
        from trimesh.ray.ray_pyembree import RayMeshIntersector

        self.intersector = RayMeshIntersector(trimesh.Trimesh(vertices, faces, process=False))

    def inside(self, points):
        return self.intersector.contains_points(points)

    def rays(self, origins, directions):
        return first(origins, *self.intersector.intersects_location(origins, directions, multiple_hits=False)[:2])


class Open3D:
    name = "open3d"

    def __init__(self, vertices, faces):
        import open3d

        self.core = open3d.core
        self.scene = open3d.t.geometry.RaycastingScene()
        self.scene.add_triangles(self.tensor(vertices), open3d.core.Tensor(faces.astype(np.uint32)))

    def tensor(self, array):
        return self.core.Tensor(np.ascontiguousarray(array, dtype=np.float32))

    def closest(self, points):
        return self.scene.compute_distance(self.tensor(points)).numpy()

    def signed(self, points):
        return self.scene.compute_signed_distance(self.tensor(points)).numpy()

    def inside(self, points):
        return self.scene.compute_occupancy(self.tensor(points)).numpy() > 0.5

    def rays(self, origins, directions):
        return self.scene.cast_rays(self.tensor(np.hstack([origins, directions])))["t_hit"].numpy()


class Libigl:
    name = "libigl"

    def __init__(self, vertices, faces):
        import igl

        self.igl, self.vertices, self.faces = igl, vertices, faces.astype(np.int64)

    def closest(self, points):
        return np.sqrt(self.igl.point_mesh_squared_distance(points, self.vertices, self.faces)[0])

    def signed(self, points):
        return self.igl.signed_distance(points, self.vertices, self.faces)[0]

    def inside(self, points):
        return self.igl.fast_winding_number(self.vertices, self.faces, points) > 0.5


def first(origins, locations, rays):
    """Distances of the nearest hits, infinite where there is none."""
    lengths = np.full(len(origins), np.inf)
    np.minimum.at(lengths, rays, np.linalg.norm(locations - origins[rays], axis=1))
    return lengths


def data(count):
    random = np.random.default_rng(1)
    points = random.uniform(-1.6, 1.6, (count, 3))
    directions = random.normal(size=(count, 3))
    return points, directions / np.linalg.norm(directions, axis=1)[:, None]


def ask(peer, question, points, directions):
    return peer.rays(points, directions) if question == "rays" else getattr(peer, question)(points)


def table(rounds, clock, count, say=print):
    """A row for each question and peer, as text; the ratios as (question, peer, ratio, differ)."""
    vertices, faces = torus()
    points, directions = data(count)
    peers = []
    for kind in (Nearhit, Trimesh, Embree, Open3D, Libigl):
        try:
            peers.append(kind(vertices, faces))
        except Exception as error:  # Whatever another package raises where it is not whole.
            say(f"{kind.name} is left out: {error}")
    ratios = []
    say(f"{len(faces)} triangles, {count} points or rays a call")
    for question in ("closest", "signed", "inside", "rays"):
        those = [peer for peer in peers if hasattr(peer, question)]
        times, answers = {peer.name: np.inf for peer in those}, {}
        for _ in range(rounds):
            for peer in those:
                began = clock()
                answers[peer.name] = np.asarray(ask(peer, question, points, directions))
                times[peer.name] = min(times[peer.name], clock() - began)
        ours = answers["nearhit"].astype(float)
        say(f"{question:8} {'nearhit':20} {1e9 * times['nearhit'] / count:10.0f} ns")
        for peer in those[1:]:
            theirs = answers[peer.name].astype(float)
            finite = np.isfinite(ours) & np.isfinite(theirs)
            differ = int((np.isfinite(ours) != np.isfinite(theirs)).sum() + (np.abs(ours[finite] - theirs[finite]) > 1e-6).sum())
            ratio = times[peer.name] / times["nearhit"]
            ratios.append((question, peer.name, ratio, differ))
            say(f"{'':8} {peer.name:20} {1e9 * times[peer.name] / count:10.0f} ns {ratio:8.1f} x   {differ} differ")
    return ratios


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--install", action="store_true")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--points", type=int, default=10_000)
    parser.add_argument("--cpu", action="store_true")
    options = parser.parse_args()
    if options.install:
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
    ratios = table(options.rounds, time.process_time if options.cpu else time.perf_counter, options.points)
    least = min(ratios, key=lambda row: row[2], default=None)
    if least:
        print(f"least: {least[0]} beside {least[1]}, {least[2]:.1f} times as long as nearhit")


if __name__ == "__main__":
    main()
