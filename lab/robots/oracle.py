#!/usr/bin/env python3
"""Robots of example-robot-data: nearhit beside Pinocchio.

    pip install pin==4.1 coal==3.0.3 example-robot-data==6.0.0     (in an environment of its own)
    cargo build --release -p nearhit-robots-lab
    python lab/robots/oracle.py kinematics [--count 1000] [--only panda]

Says that it skips, and why, where the packages are not installed.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import time

try:
    import numpy as np
    import pinocchio as pin
except ImportError as missing:
    sys.exit(f"skipped: {missing}; see the first lines of this file")

DATA = "share/example-robot-data/robots"
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def robots(only):
    above = pathlib.Path(pin.__file__).resolve().parents
    folder = next((p / DATA for p in above if (p / DATA).is_dir()), None)
    if folder is None:
        sys.exit("skipped: example-robot-data is not installed; see the first lines of this file")
    found = sorted(folder.rglob("*.urdf"))
    return [(str(p.relative_to(folder)), p) for p in found if only in str(p)]


def program(arguments):
    for profile in ("release", "debug"):
        binary = ROOT / "target" / profile / "nearhit-robots-lab"
        if binary.exists():
            return subprocess.run([str(binary), *map(str, arguments)], capture_output=True)
    sys.exit("skipped: cargo build --release -p nearhit-robots-lab first")


def kinematics(options):
    worst, refused = 0.0, 0
    for name, path in robots(options.only):
        ran = program(["kinematics", path, options.count, 1])
        if ran.returncode:
            refused += 1
            print(f"{name}: {ran.stderr.decode().strip()}")
            continue
        end = ran.stdout.index(b"\n")
        header = json.loads(ran.stdout[:end])
        numbers = np.frombuffer(ran.stdout[end + 1 :], "<f8").reshape(options.count, -1)
        error = compare(path, header, numbers)
        worst = max(worst, error)
        print(f"{name}: {len(header['links'])} links, {header['coordinates']} coordinates, largest error {error:.1e}")
    print(f"{len(robots(options.only))} robots, {refused} refused, largest error {worst:.2e}")
    return worst <= 1e-12 and refused == 0


def compare(path, header, numbers):
    """Largest difference of a pose: of rotations, and of translations beside the robot's size."""
    model = pin.buildModelFromUrdf(str(path))
    data = model.createData()
    joints, links = header["joints"], header["links"]
    frames = [model.getFrameId(link, pin.FrameType.BODY) for link in links]
    missing = [link for link, frame in zip(links, frames) if frame >= model.nframes]
    assert not missing, missing
    worst = 0.0
    for row in numbers:
        q = pin.neutral(model)
        for joint, value in zip(joints, row):
            one = model.joints[model.getJointId(joint)]
            q[one.idx_q : one.idx_q + one.nq] = [value] if one.nq == 1 else [np.cos(value), np.sin(value)]
        pin.framesForwardKinematics(model, data, q)
        ours = row[len(joints) :].reshape(-1, 12)
        rotations = np.array([data.oMf[frame].rotation for frame in frames])
        places = np.array([data.oMf[frame].translation for frame in frames])
        size = max(1e-3, np.abs(places).max())
        worst = max(worst, np.abs(ours[:, :9].reshape(-1, 3, 3) - rotations).max())
        worst = max(worst, np.abs(ours[:, 9:] - places).max() / size)
    return worst


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["kinematics"])
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    start = time.time()
    good = globals()[options.what](options)
    print(f"{time.time() - start:.0f} s")
    sys.exit(0 if good else 1)


main()
