#!/usr/bin/env python3
"""Time a move of `nearhit.nc`: a finishing pass over a wavy terrain, clear of it, as it cuts, and 1 mm too deep
everywhere.

    lab/bench/nc/speed.py [MOVES [TRIANGLES]] [--command path/to/nearhit]

100,000 moves of 0.3 mm against 200,000 triangles unless said otherwise, with a ball-nose mill, shank and holder.
Through the Python package, or through the command, from whose times those of a program of two moves, which is mostly
reading, are taken off.
"""

import json
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np

SIZE = 100.0


def height(x, y):
    return 4 * np.sin(x / 5) * np.cos(y / 7) + 0.05 * x


def terrain(triangles):
    cells = int((triangles / 2) ** 0.5)
    x, y = np.meshgrid(np.linspace(0, SIZE, cells + 1), np.linspace(0, SIZE, cells + 1), indexing="ij")
    corner = np.arange((cells + 1) ** 2).reshape(cells + 1, cells + 1)
    a, b, c, d = corner[:-1, :-1], corner[1:, :-1], corner[1:, 1:], corner[:-1, 1:]
    faces = np.concatenate([np.stack(three, axis=-1).reshape(-1, 3) for three in ((a, b, c), (a, c, d))])
    return np.stack([x, y, height(x, y)], axis=-1).reshape(-1, 3), faces


def touching(x, y):
    """Where the tip of the ball is when it touches the terrain above x and y."""
    slopes = [0.8 * np.cos(x / 5) * np.cos(y / 7) + 0.05, -4 / 7 * np.sin(x / 5) * np.sin(y / 7)]
    normal = np.stack([-slopes[0], -slopes[1], np.ones_like(x)]) / np.sqrt(1 + slopes[0] ** 2 + slopes[1] ** 2)
    radius = 0.5 * MILL["diameter"]
    return x + radius * normal[0], y + radius * normal[1], height(x, y) + radius * (normal[2] - 1)


def program(moves, above):
    """There and back along x, a little further each time; so far above what the ball touches."""
    rows = int((moves * 0.3) / (SIZE - 20)) + 1
    each = moves // rows
    lines = ["G21 G90"]
    for row in range(rows):
        x = np.linspace(10, SIZE - 10, each)[:: (-1) ** row]
        y = np.full(each, 10 + (SIZE - 20) * row / rows)
        x, y, z = touching(x, y)
        lines += [f"G1 X{p:.4f} Y{q:.4f} Z{r + above:.4f} F900" for p, q, r in zip(x, y, z)]
    return "\n".join(lines), len(lines) - 1


MILL = {"number": 1, "shape": "ball", "diameter": 6, "cutting_length": 12, "stick_out": 40, "shank_diameter": 6,
        "holder": [{"diameter": 28, "length": 40}]}  # fmt: skip
TABLE = {"units": "mm", "tools": [MILL]}


def by_package(part):
    """Asks the package: findings, tests, seconds, seconds of the processor."""
    import nearhit as nh

    model = nh.Model(part)

    def ask(text, each):
        start, worked = time.perf_counter(), time.process_time()
        report = nh.nc(text, TABLE, part={"terrain": model}, start=(10, 10, 20), each=each)
        return len(report), report.tests, time.perf_counter() - start, time.process_time() - worked

    return ask


def by_command(nearhit, part, folder):
    """Asks the command."""
    (folder / "tools.json").write_text(json.dumps(TABLE))
    with open(folder / "part.obj", "w") as file:
        np.savetxt(file, part[0], "v %.17g %.17g %.17g")
        np.savetxt(file, part[1] + 1, "f %d %d %d")
    command = [nearhit, "nc", "op.nc", "--tools", "tools.json", "--part", "part.obj", "--start", "10,10,20", "--json"]

    def once(text, each):
        (folder / "op.nc").write_text(text)
        worked, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        moves = ["--moves", "moves.csv"] if each else []
        run = subprocess.run(command + moves, cwd=folder, stdout=subprocess.PIPE, encoding="utf-8")
        seconds, now = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        report = json.loads(run.stdout)
        worked = now.ru_utime + now.ru_stime - worked.ru_utime - worked.ru_stime
        return len(report["findings"]), report["tests"], seconds, worked

    def ask(text, each):
        reading = once("\n".join(text.splitlines()[:3]), False)
        found, tests, seconds, worked = once(text, each)
        return found, tests, seconds - reading[2], worked - reading[3]

    return ask


def main():
    arguments = sys.argv[1:]
    command = None
    if "--command" in arguments:
        at = arguments.index("--command")
        command = pathlib.Path(arguments[at + 1]).resolve()
        del arguments[at : at + 2]
    moves = int(arguments[0]) if arguments else 100_000
    part = terrain(int(arguments[1]) if len(arguments) > 1 else 200_000)
    with tempfile.TemporaryDirectory() as name:
        ask = by_command(command, part, pathlib.Path(name)) if command else by_package(part)
        cases = (("clear", 0.1, False), ("cutting", 0.0, False), ("gouging", -1.0, False), ("cutting, every move", 0.0, True))
        for what, above, each in cases:
            text, count = program(moves, above)
            found, tests, seconds, worked = ask(text, each)
            print(
                f"{what}: {count} moves, {found} findings, {tests} tests, {seconds:.2f} s; "
                f"{1e6 * worked / count:.1f} µs of a core for a move",
                flush=True,
            )


if __name__ == "__main__":
    main()
