#!/usr/bin/env python3
"""Drop-cutter heights of opencamlib beside the first contacts of `nearhit nc`.

    pip install opencamlib        (Python 3.11)
    lab/bench/nc/drop_cutter.py path/to/nearhit [POINTS]

A wavy terrain of some thousand triangles; each cutter goes down at random places. The height at which
`nearhit nc` reports the first contact must be opencamlib's to 1e-6 of the size. Moves that end 1e-4 of
the size above it must be clear, those that end 1e-4 below it must not.
"""

import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile

import opencamlib as ocl

SIZE = 60.0
TOP = 40.0


def height(x, y):
    return 4 * math.sin(x / 5) * math.cos(y / 7) + 0.05 * x


def terrain(cells):
    step = SIZE / cells
    at = lambda i, k: (i * step, k * step, height(i * step, k * step))
    for i in range(cells):
        for k in range(cells):
            yield at(i, k), at(i + 1, k), at(i + 1, k + 1)
            yield at(i, k), at(i + 1, k + 1), at(i, k + 1)


CUTTERS = {
    "flat": (lambda: ocl.CylCutter(6, 30), {"shape": "flat", "diameter": 6, "cutting_length": 30}),
    "ball": (lambda: ocl.BallCutter(6, 30), {"shape": "ball", "diameter": 6, "cutting_length": 30}),
    "bull": (lambda: ocl.BullCutter(6, 1, 30), {"shape": "bull", "diameter": 6, "cutting_length": 30, "corner_radius": 1}),
    "cone": (
        lambda: ocl.ConeCutter(6, math.radians(45), 30),
        {"shape": "chamfer", "diameter": 6, "cutting_length": 30, "angle": 90, "tip_diameter": 0},
    ),
}


def ask(nearhit, folder, tool, moves):
    """Findings by line; a line for each move from (x, y, high) down to (x, y, low)."""
    table = {"tools": [{"number": 1, **tool}]}
    (folder / "tools.json").write_text(json.dumps(table))
    lines = ["G21 G90 T1 M6"]
    for x, y, high, low in moves:
        lines += [f"G0 Z{TOP}", f"G0 X{x:.17f} Y{y:.17f}", f"G0 Z{high:.17f}", f"G1 Z{low:.17f}"]
    (folder / "drop.nc").write_text("\n".join(lines) + "\n")
    command = [nearhit, "nc", "drop.nc", "--tools", "tools.json", "--fixture", "part.obj", "--rapid", "straight"]
    command += ["--start", f"0,0,{TOP}", "--tool-change", "same", "--json", "--resolution", "1e-6"]
    run = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, encoding="utf-8")
    assert run.returncode in (0, 1), run.returncode
    report = json.loads(run.stdout)
    assert report["complete"]
    assert all(finding["class"] == "contact" for finding in report["findings"])
    return {(finding["line"] - 5) // 4: finding for finding in report["findings"] if (finding["line"] - 5) % 4 == 0}


def main():
    nearhit = pathlib.Path(sys.argv[1]).resolve()
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    chance = random.Random(1)
    triangles = list(terrain(40))
    surface = ocl.STLSurf()
    for triangle in triangles:
        surface.addTriangle(ocl.Triangle(*(ocl.Point(*corner) for corner in triangle)))
    places = [(chance.uniform(8, SIZE - 8), chance.uniform(8, SIZE - 8)) for _ in range(count)]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with open(folder / "part.obj", "w") as file:
            for triangle in triangles:
                file.writelines("v %.17g %.17g %.17g\n" % corner for corner in triangle)
            file.writelines(f"f {3 * i + 1} {3 * i + 2} {3 * i + 3}\n" for i in range(len(triangles)))
        bad = 0
        for kind, (make, tool) in CUTTERS.items():
            drop = ocl.BatchDropCutter()
            drop.setSTL(surface)
            # It keeps no reference of its own: what Python has let go of is read all the same.
            cutter = make()
            drop.setCutter(cutter)
            for x, y in places:
                drop.appendPoint(ocl.CLPoint(x, y, -50))
            drop.run()
            heights = [point.z for point in drop.getCLPoints()]
            found = ask(nearhit, folder, tool, [(x, y, 30, z - 5) for (x, y), z in zip(places, heights)])
            differences = [abs(found[i]["tip"][2] - z) if i in found else math.inf for i, z in enumerate(heights)]
            above = ask(nearhit, folder, tool, [(x, y, 30, z + 1e-4 * SIZE) for (x, y), z in zip(places, heights)])
            below = ask(nearhit, folder, tool, [(x, y, 30, z - 1e-4 * SIZE) for (x, y), z in zip(places, heights)])
            wrong = sum(difference > 1e-6 * SIZE for difference in differences) + len(above) + count - len(below)
            bad += wrong
            print(
                f"{kind}: {count} heights, largest difference {max(differences):.2e} mm; "
                f"above: {len(above)} contacts, below: {len(below)}; wrong: {wrong}"
            )
        sys.exit(bad > 0)


if __name__ == "__main__":
    main()
