#!/usr/bin/env python3
"""Time a move of `nearhit.nc`: a finishing pass over a wavy terrain, clear of it and 1 mm too deep everywhere.

    lab/bench/nc/speed.py [MOVES [TRIANGLES]]

100,000 moves of 0.3 mm against 200,000 triangles unless said otherwise, with a ball-nose mill, shank and holder.
"""

import sys
import time

import numpy as np

import nearhit as nh

SIZE = 100.0


def height(x, y):
    return 4 * np.sin(x / 5) * np.cos(y / 7) + 0.05 * x


def terrain(triangles):
    cells = int((triangles / 2) ** 0.5)
    x, y = np.meshgrid(np.linspace(0, SIZE, cells + 1), np.linspace(0, SIZE, cells + 1), indexing="ij")
    corner = np.arange((cells + 1) ** 2).reshape(cells + 1, cells + 1)
    a, b, c, d = corner[:-1, :-1], corner[1:, :-1], corner[1:, 1:], corner[:-1, 1:]
    faces = np.concatenate([np.stack(three, axis=-1).reshape(-1, 3) for three in ((a, b, c), (a, c, d))])
    return nh.Model((np.stack([x, y, height(x, y)], axis=-1).reshape(-1, 3), faces))


def program(moves, above):
    """There and back along x, a little further each time."""
    rows = int((moves * 0.3) / (SIZE - 20)) + 1
    each = moves // rows
    lines = ["G21 G90"]
    for row in range(rows):
        x = np.linspace(10, SIZE - 10, each)[:: (-1) ** row]
        y = np.full(each, 10 + (SIZE - 20) * row / rows)
        z = height(x, y) + above
        lines += [f"G1 X{p:.4f} Y{q:.4f} Z{r:.4f} F900" for p, q, r in zip(x, y, z)]
    return "\n".join(lines), len(lines) - 1


def main():
    moves = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    part = terrain(int(sys.argv[2]) if len(sys.argv) > 2 else 200_000)
    mill = {"number": 1, "shape": "ball", "diameter": 6, "cutting_length": 12, "stick_out": 40, "shank_diameter": 6,
            "holder": [{"diameter": 28, "length": 40}]}  # fmt: skip
    for what, above in (("clear", 1.2), ("gouging", -1.0)):
        text, count = program(moves, above)
        start, worked = time.perf_counter(), time.process_time()
        report = nh.nc(text, {"tools": [mill]}, part={"terrain": part}, start=(10, 10, 20))
        seconds, worked = time.perf_counter() - start, time.process_time() - worked
        print(
            f"{what}: {count} moves, {len(report)} findings, {report.tests} tests, {seconds:.2f} s; "
            f"{1e6 * worked / count:.1f} µs of a core for a move"
        )


if __name__ == "__main__":
    main()
