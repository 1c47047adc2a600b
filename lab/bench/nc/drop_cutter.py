#!/usr/bin/env python3
"""Drop-cutter heights of opencamlib beside the first contacts and gouges of `nearhit nc`.

    pip install numpy opencamlib        (Python 3.11)
    lab/bench/nc/drop_cutter.py path/to/nearhit [POINTS]

Three closed STL parts that are made here; on each, every cutter goes down at random places. The height
at which `nearhit nc` reports the first contact must be opencamlib's to 1e-6 of the size, so that at
that height the distance is no more than that. With the body as `--fixture`, moves that end 1e-4 of the
size above it must be clear, those that end 1e-4 below it must not. With the body as `--part`, and a
gouge of 1e-6 of the size allowed, the same moves must be clear and gouges.

Where the two differ, the point of contact that `nearhit nc` names is the referee: if it lies on a
triangle, and in the cutter at opencamlib's height, which is worked out here, opencamlib goes too low.
Such places are told apart, and not asked about above and below.
"""

import json
import math
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

import numpy as np
import opencamlib as ocl

SIZE = 60.0
TOP = 40.0
BASE = -12.0


def single(value):
    """As an STL file has it: opencamlib and nearhit are given the same numbers."""
    return struct.unpack("<f", struct.pack("<f", value))[0]


def waves(x, y):
    return 4 * math.sin(x / 5) * math.cos(y / 7) + 0.05 * x


def dome(x, y):
    """A dome, a step and a pocket: faces from level to steep."""
    if x > 42:
        return 6.0 if y > 30 else -4.0
    away = math.hypot(x - 22, y - 28)
    return math.sqrt(144 - away * away) if away < 12 else 0.0


def block(height, cells):
    """A block with this top, closed by walls and a bottom."""
    step = SIZE / cells
    top = lambda i, k: (i * step, k * step, height(i * step, k * step))
    low = lambda i, k: (i * step, k * step, BASE)
    for i in range(cells):
        for k in range(cells):
            yield top(i, k), top(i + 1, k), top(i + 1, k + 1)
            yield top(i, k), top(i + 1, k + 1), top(i, k + 1)
            yield low(i, k), low(i + 1, k + 1), low(i + 1, k)
            yield low(i, k), low(i, k + 1), low(i + 1, k + 1)
    rim = [(i, 0) for i in range(cells)] + [(cells, k) for k in range(cells)]
    rim += [(i, cells) for i in range(cells, 0, -1)] + [(0, k) for k in range(cells, 0, -1)]
    for a, b in zip(rim, rim[1:] + rim[:1]):
        yield low(*a), low(*b), top(*b)
        yield low(*a), top(*b), top(*a)


def star(points):
    """A prism with upright walls: a star, with a tip above its middle."""
    around = [2 * math.pi * k / (2 * points) for k in range(2 * points)]
    rim = [
        (SIZE / 2 + radius * math.cos(angle), SIZE / 2 + radius * math.sin(angle))
        for angle, radius in ((angle, 24 if k % 2 else 14) for k, angle in enumerate(around))
    ]
    middle, foot = (SIZE / 2, SIZE / 2, 9.0), (SIZE / 2, SIZE / 2, BASE)
    for a, b in zip(rim, rim[1:] + rim[:1]):
        yield (*a, 2.0), (*b, 2.0), middle
        yield (*b, BASE), (*a, BASE), foot
        yield (*a, BASE), (*b, BASE), (*b, 2.0)
        yield (*a, BASE), (*b, 2.0), (*a, 2.0)


PARTS = {"waves": lambda: block(waves, 40), "dome": lambda: block(dome, 60), "star": lambda: star(9)}

CUTTERS = {
    "flat": (lambda: ocl.CylCutter(6, 30), {"shape": "flat", "diameter": 6, "cutting_length": 30}),
    "ball": (lambda: ocl.BallCutter(6, 30), {"shape": "ball", "diameter": 6, "cutting_length": 30}),
    "bull": (lambda: ocl.BullCutter(6, 1, 30), {"shape": "bull", "diameter": 6, "cutting_length": 30, "corner_radius": 1}),
    "cone": (
        lambda: ocl.ConeCutter(6, math.radians(45), 30),
        {"shape": "chamfer", "diameter": 6, "cutting_length": 30, "angle": 90, "tip_diameter": 0},
    ),
}


def above_tip(kind, radius):
    """How high above its tip the surface of a cutter is, this far from the axis."""
    if kind == "flat":
        return 0.0
    if kind == "ball":
        return 3 - math.sqrt(9 - radius * radius)
    if kind == "bull":
        return 1 - math.sqrt(1 - max(radius - 2, 0.0) ** 2)
    return radius


def off_part(point, triangles):
    """How far a point is off the plane of the nearest triangle that it is not beside."""
    corners = np.array(triangles)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.linalg.norm(normals, axis=1)
    normals /= lengths[:, None]
    beside = np.zeros(len(corners), dtype=bool)
    for k in range(3):
        start, edge = corners[:, k], corners[:, (k + 1) % 3] - corners[:, k]
        side = np.einsum("ij,ij->i", np.cross(edge, point - start), normals)
        beside |= side < -1e-6 * np.linalg.norm(edge, axis=1)
    off = np.abs(np.einsum("ij,ij->i", point - corners[:, 0], normals))
    return np.where(beside, np.inf, off).min()


def is_in_cutter(kind, triangles, place, height, point):
    """Is a point of the part in the cutter with its tip at this height?"""
    on_part = off_part(np.array(point), triangles) < 1e-6
    radius = math.dist(place, point[:2])
    return on_part and radius < 3 + 1e-6 and point[2] - height > above_tip(kind, min(radius, 3)) + 1e-6 * SIZE


def write_stl(path, triangles):
    with open(path, "wb") as file:
        file.write(bytes(80) + struct.pack("<I", len(triangles)))
        for triangle in triangles:
            file.write(struct.pack("<12fH", 0, 0, 0, *(value for corner in triangle for value in corner), 0))


def ask(nearhit, folder, tool, moves, body):
    """Findings by move, each from (x, y, high) down to (x, y, low)."""
    table = {"units": "mm", "tools": [{"number": 1, **tool}]}
    (folder / "tools.json").write_text(json.dumps(table))
    lines = ["G21 G90 T1 M6"]
    for x, y, high, low in moves:
        lines += [f"G0 Z{TOP}", f"G0 X{x:.17f} Y{y:.17f}", f"G0 Z{high:.17f}", f"G1 Z{low:.17f}"]
    (folder / "drop.nc").write_text("\n".join(lines) + "\n")
    command = [nearhit, "nc", "drop.nc", "--tools", "tools.json", *body, "--rapid", "straight"]
    command += ["--start", f"0,0,{TOP}", "--tool-change", "same", "--json", "--resolution", "1e-6"]
    run = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, encoding="utf-8")
    assert run.returncode in (0, 1), run.returncode
    report = json.loads(run.stdout)
    assert report["complete"]
    assert all(finding["class"] == "contact" for finding in report["findings"])
    return {(finding["line"] - 5) // 4: finding for finding in report["findings"] if (finding["line"] - 5) % 4 == 0}


def compare(nearhit, folder, kind, cutter, tool, places, surface, triangles):
    """How many of the heights are wrong, and a sentence."""
    drop = ocl.BatchDropCutter()
    drop.setSTL(surface)
    drop.setCutter(cutter)
    for x, y in places:
        drop.appendPoint(ocl.CLPoint(x, y, BASE - 50))
    drop.run()
    heights = [point.z for point in drop.getCLPoints()]
    fixture = ["--fixture", "part.stl"]
    found = ask(nearhit, folder, tool, [(x, y, 30, z - 5) for (x, y), z in zip(places, heights)], fixture)
    difference = lambda i: found[i]["tip"][2] - heights[i] if i in found else math.inf
    apart = [i for i in range(len(places)) if abs(difference(i)) > 1e-6 * SIZE]
    is_low = lambda i: i in found and is_in_cutter(kind, triangles, places[i], heights[i], found[i]["point"])
    low = {i for i in apart if is_low(i)}
    wrong, kept = len(apart) - len(low), [i for i in range(len(places)) if i not in low]
    counts = []
    for body in (fixture, ["--part", "part.stl", "--gouge", str(1e-6 * SIZE)]):
        for off in (1e-4 * SIZE, -1e-4 * SIZE):
            downs = [(*places[i], 30, heights[i] + off) for i in kept]
            counts.append(len(ask(nearhit, folder, tool, downs, body)))
    above, below, clear, gouged = counts
    wrong += above + clear + 2 * len(kept) - below - gouged
    largest = max(abs(difference(i)) for i in kept)
    told = f" opencamlib too low at {len(low)}, by up to {max(map(difference, low)):.2g} mm;" if low else ""
    return wrong, (
        f"{len(places)} heights, largest difference {largest:.2e} mm;{told} contacts above {above}, below {below}; "
        f"gouges above {clear}, below {gouged}; wrong: {wrong}"
    )


def main():
    nearhit = pathlib.Path(sys.argv[1]).resolve()
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    chance = random.Random(1)
    bad = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for part, make_part in PARTS.items():
            triangles = [[tuple(map(single, corner)) for corner in triangle] for triangle in make_part()]
            write_stl(folder / "part.stl", triangles)
            surface = ocl.STLSurf()
            for triangle in triangles:
                surface.addTriangle(ocl.Triangle(*(ocl.Point(*corner) for corner in triangle)))
            # On the star, far enough inside that every cutter comes down on it.
            near = lambda: chance.uniform(8, SIZE - 8) if part != "star" else chance.uniform(SIZE / 2 - 9, SIZE / 2 + 9)
            places = [(near(), near()) for _ in range(count)]
            for kind, (make, tool) in CUTTERS.items():
                # opencamlib keeps no reference of its own: what Python has let go of is read all the same.
                cutter = make()
                wrong, sentence = compare(nearhit, folder, kind, cutter, tool, places, surface, triangles)
                bad += wrong
                print(f"{part}, {len(triangles)} triangles, {kind}: {sentence}", flush=True)
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
