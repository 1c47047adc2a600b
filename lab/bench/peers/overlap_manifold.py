#!/usr/bin/env python3
"""Volume of overlaps beside manifold3d, on random pairs of its own solids.

  pip install manifold3d numpy
  cargo build --release -p nearhit-cli
  lab/bench/peers/overlap_manifold.py target/release/nearhit --pairs 1000

manifold3d makes the mesh of the intersection in doubles; its volume is right to some 1e-12. Every interval must hold it
to within that, and be at most 1e-9 of the smaller volume wide.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from manifold3d import Manifold


def solid(rng):
    """A random solid of a few to a few hundred triangles, somewhere near the origin."""
    kind = rng.integers(6)
    if kind == 0:
        made = Manifold.cube(rng.uniform(0.3, 2.0, 3), True)
    elif kind == 1:
        made = Manifold.sphere(rng.uniform(0.4, 1.2), int(rng.integers(4, 33)))
    elif kind == 2:
        made = Manifold.cylinder(*rng.uniform(0.3, 1.5, 3), int(rng.integers(3, 40)), True)
    elif kind == 3:
        made = Manifold.tetrahedron().scale(rng.uniform(0.4, 1.5, 3))
    elif kind == 4:
        made = Manifold.cube([1.5, 1.5, 1.5], True) - Manifold.cylinder(3.0, 0.5, 0.5, 16, True)
    else:
        made = Manifold.cube([2.0, 0.4, 0.4], True) + Manifold.cube([0.4, 2.0, 0.4], True)
    if rng.random() < 0.3:
        # On a grid: faces lie on each other.
        return made.translate(rng.integers(-2, 3, 3) * 0.25)
    return made.rotate(rng.uniform(-180.0, 180.0, 3)).translate(rng.uniform(-0.7, 0.7, 3))


def write(made, path):
    """The mesh, and the same solid as manifold3d sees it: its properties are single precision."""
    mesh = made.to_mesh64() if hasattr(made, "to_mesh64") else made.to_mesh()
    vertices, triangles = np.asarray(mesh.vert_properties, dtype=np.float64)[:, :3], np.asarray(mesh.tri_verts)
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in vertices.tolist()]
    lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in triangles.tolist()]
    path.write_text("\n".join(lines) + "\n")


def asked(command, folder):
    """Volume of the overlap as an interval, by the command."""
    run = subprocess.run(
        [command, "check", "a.obj", "b.obj", "--solid", "--json"], cwd=folder, capture_output=True, text=True
    )
    if run.returncode > 1:
        sys.exit(run.stderr)
    overlap = json.loads(run.stdout)["solid"]["overlap"]
    return (0.0, 0.0) if overlap is None else (overlap["volume"]["lower"], overlap["volume"]["upper"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command")
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=27)
    args = parser.parse_args()
    command = str(pathlib.Path(args.command).resolve())
    rng = np.random.default_rng(args.seed)
    wrong, overlapping, widest, farthest = 0, 0, 0.0, 0.0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for pair in range(args.pairs):
            a, b = solid(rng), solid(rng)
            write(a, folder / "a.obj")
            write(b, folder / "b.obj")
            lower, upper = asked(command, folder)
            truth, smaller = (a ^ b).volume(), min(a.volume(), b.volume())
            # What manifold3d rounds: its tolerance is about 1e-12 of the size.
            slack = 1e-9 * smaller
            off = max(lower - truth, truth - upper, 0.0)
            if off > slack or upper - lower > 1e-9 * smaller:
                wrong += 1
                print(f"pair {pair}: manifold3d {truth!r}, interval {lower!r} to {upper!r}")
            overlapping += truth > 0.0
            widest, farthest = max(widest, (upper - lower) / smaller), max(farthest, off / smaller)
    print(
        f"{args.pairs} pairs, {overlapping} overlap, {wrong} wrong; widest interval {widest:.1e}, "
        f"farthest from manifold3d {farthest:.1e} (of the smaller volume)"
    )
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
