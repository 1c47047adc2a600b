#!/usr/bin/env python3
"""Certified edges: straight lines in joint space, proven clear by nearhit, sampled with Pinocchio and
Coal.

    python lab/robots/edges.py [--edges 10000] [--samples 10000] [--only panda] [--planted 100]

An edge starts at a random configuration that is free and goes a random way of at most `--length`
radians a joint. A table has for each robot: how many edges are certified; how many of those have a
contact at one of the samples (must be none); of the edges whose sampled clearance is 5 mm or more, how
many are certified with that clearance less a tenth; what certifying costs beside sampling so densely
that no point moves more than 1 mm from sample to sample. Then small balls are put where a link grazes
them between two of 50 samples: how many Coal misses at the samples, how many nearhit finds.
Needs what lab/robots/peer.py says.
"""

import argparse
import sys
import time

from peer import CHOSEN, Peer, folder, nh, np

ROBOTS = ("panda", "ur5", "talos")
CLEARANCE = 0.005
"""What planners keep, in metres."""
COARSE = 50
"""Samples of an edge among which obstacles are planted."""
BALL = 2e-4


def edges(robot, count, length, rng):
    """Free starts, and where the lines from them end, within the limits."""
    low, high = robot.limits.T
    while count:
        q0 = robot.random(1, seed=int(rng.integers(1 << 31)))[0]
        if robot.collides(q0):
            continue
        yield q0, np.clip(q0 + rng.uniform(-length, length, len(q0)), low, high)
        count -= 1


def line(q0, q1, count):
    shares = np.linspace(0, 1, count)[:, None]
    return q0 * (1 - shares) + q1 * shares


def spacing(robot, q0, q1):
    """How many samples keep every link's origin, and points about 0.2 m from it, within 1 mm."""
    poses = robot.link_poses(line(q0, q1, 20))
    change = np.abs(np.diff(poses, axis=0))
    moved = change[..., :3, 3].max() + 0.2 * change[..., :3, :3].max()
    return max(2, int(np.ceil(19 * moved / 1e-3)))


def certify(name, robot, peer, options, rng):
    seen = dict.fromkeys(("edges", "certified", "touched", "wide", "wide_certified"), 0)
    seconds = {"certify": 0.0, "sample": 0.0}
    for q0, q1 in edges(robot, options.edges, options.length, rng):
        start = time.perf_counter()
        found = robot.path_clear(q0, q1)
        seconds["certify"] += time.perf_counter() - start
        seen["edges"] += 1
        if found.clear:
            seen["certified"] += 1
            rows = line(q0, q1, options.samples)
            seen["touched"] += any(peer.contacts(peer.q(robot, row), True) for row in rows)
        rows = line(q0, q1, spacing(robot, q0, q1))
        start = time.perf_counter()
        hit = any(peer.contacts(peer.q(robot, row), True) for row in rows)
        seconds["sample"] += time.perf_counter() - start
        if not hit and min(robot.distance(line(q0, q1, 200)).upper) >= CLEARANCE:
            seen["wide"] += 1
            seen["wide_certified"] += bool(robot.path_clear(q0, q1, clearance=0.9 * CLEARANCE, budget=options.budget).clear)
    a = 1e3 / max(1, seen["edges"])
    print(
        f"{name}: {seen['edges']} edges, {seen['certified']} certified, {seen['touched']} of them touched at one of"
        f" {options.samples} samples; {seen['wide_certified']} of {seen['wide']} with {CLEARANCE * 1e3:.0f} mm are certified;"
        f" {seconds['certify'] * a:.2f} ms to certify, {seconds['sample'] * a:.2f} ms to sample at 1 mm",
        flush=True,
    )
    return seen["touched"] == 0 and seen["wide_certified"] >= 0.95 * seen["wide"]


def planted(name, robot, peer, options, rng):
    """Balls that a body touches half-way between two samples, and only just."""
    tried = missed = found = 0
    for q0, q1 in edges(robot, 20 * options.planted, options.length, rng):
        if missed >= options.planted:
            break
        if not robot.path_clear(q0, q1, budget=options.budget).clear:
            continue
        middle = (rng.integers(COARSE - 1) + 0.5) / (COARSE - 1)
        at = q0 * (1 - middle) + q1 * middle
        place = extreme(robot, at, rng)
        if place is None:
            continue
        peer.add_ball(robot, place, BALL)
        tried += 1
        at_middle = peer.contacts(peer.q(robot, at), True)
        at_samples = any(peer.contacts(peer.q(robot, row), True) for row in line(q0, q1, COARSE))
        if at_middle and not at_samples:
            missed += 1
            robot.world.add("ball", nh.Ball(BALL), pose=(np.eye(3), place))
            found += robot.path_clear(q0, q1).clear is False
            robot.world.remove("ball")
        peer.remove_ball()
    print(f"  {tried} balls planted; Coal misses {missed} at {COARSE} samples; nearhit finds {found} of those", flush=True)
    return found == missed


def extreme(robot, q, rng):
    """Where a ball that comes from outside towards a link first touches the robot."""
    target = robot.link_poses(q)[rng.integers(len(robot.links)), :3, 3]
    away = rng.normal(size=3)
    away /= np.linalg.norm(away)

    def touches(share):
        robot.world.add("ball", nh.Ball(BALL), pose=(np.eye(3), target + away * share))
        found = any("ball" in pair for pair in robot.contacts(q))
        robot.world.remove("ball")
        return found

    near = next((share for share in np.linspace(0.6, 0, 300) if touches(share)), None)
    if near is None:
        return None
    far = near + 0.6 / 299
    while far - near > 1e-7:
        middle = 0.5 * (near + far)
        near, far = (middle, far) if touches(middle) else (near, middle)
    return target + away * near


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edges", type=int, default=10_000)
    parser.add_argument("--samples", type=int, default=10_000)
    parser.add_argument("--planted", type=int, default=100)
    parser.add_argument("--length", type=float, default=0.5)
    parser.add_argument("--budget", type=int, default=200_000, help="tests of pairs for one edge")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    root, good = folder(), True
    for name in ROBOTS:
        if options.only not in name:
            continue
        urdf, srdf = (root / path for path in CHOSEN[name])
        robot = nh.Robot(urdf, srdf=srdf, surfaces=True, packages=[root, root.parent.parent])
        peer, rng = Peer(urdf, robot, root), np.random.default_rng(1)
        good &= certify(name, robot, peer, options, rng)
        good &= planted(name, robot, peer, options, rng)
    sys.exit(0 if good else 1)


main()
