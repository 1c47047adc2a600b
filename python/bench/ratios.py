"""Everything beside everyone, in one process and one table: calls and batches of pairs (python-fcl, coal), closest points and rays (trimesh on rtree and on embreex, Open3D,
libigl), whole scenes of trimesh (on python-fcl).

    python python/bench/ratios.py [--install] [--seconds S] [--rounds N] [--cpu]

How many times as long as nearhit each takes; below 1 nearhit is slower. What each row measures is told by peers.py, points.py and scenes.py. Whoever is not installed is left out.
"""

import argparse
import importlib.util
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
import peers  # noqa: E402
import points  # noqa: E402

PACKAGES = [*points.PACKAGES, "python-fcl", "coal"]


def is_there(module):
    return importlib.util.find_spec(module) is not None


def only_who_is_missing(text):
    if "left out" in text:
        print(text)


def of_pairs(seconds):
    """Calls one by one and a batch, tori that pass each other."""
    kinds = [peers.Nearhit, *(kind for kind, module in ((peers.Fcl, "fcl"), (peers.Coal, "coal")) if is_there(module))]
    ratios = {}
    peers.report("passing tori", peers.passing_tori(), seconds, kinds, ratios)
    return [(f"{question}, {how}", other, found[0]) for (question, other, how), found in ratios.items()]


def of_points(rounds, clock):
    names = {"closest": "closest points", "signed": "signed distances", "inside": "inside tests", "rays": "first hits of rays"}
    return [(names[question], peer, ratio) for question, peer, ratio, _ in points.table(rounds, clock, 10_000, only_who_is_missing)]


def of_scenes(rounds, clock):
    if not (is_there("fcl") and is_there("trimesh")):
        return []
    import scenes

    rows = []
    for name, parts in (("house", scenes.house()), ("gearbox", scenes.gearbox())):
        for question, situation, theirs, ours in scenes.measured(parts, rounds, clock):
            rows.append((f"{name}, {question.strip()}, {situation}", "trimesh on python-fcl", theirs / ours))
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--install", action="store_true")
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--cpu", action="store_true")
    options = parser.parse_args()
    if options.install:
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
    clock = time.process_time if options.cpu else time.perf_counter
    rows = [*of_pairs(options.seconds), *of_points(options.rounds, clock), *of_scenes(options.rounds, clock)]
    wide = max(len(row[0]) for row in rows)
    print(f"{'question':{wide}} {'beside':24} ratio")
    for question, peer, ratio in rows:
        print(f"{question:{wide}} {peer:24} {ratio:7.2f} {'loss' if ratio < 1.0 else ''}".rstrip())
    losses = sum(ratio < 1.0 for _, _, ratio in rows)
    print(f"{len(rows)} ratios, geometric mean {np.exp(np.mean([np.log(row[2]) for row in rows])):.2f}, {losses} losses")


if __name__ == "__main__":
    main()
