#!/usr/bin/env python3
"""Self-collision of robots: nearhit beside Pinocchio with Coal, in one process, in turn.

    pip install pin==4.1 coal==3.0.3 example-robot-data==6.0.0     (in an environment of its own)
    pip install .                                                  (nearhit, from this tree)
    python lab/robots/compare.py [--count 1000] [--only panda] [--distances 100] [--all]

For random configurations within the limits it compares yes/no of every pair and the distances of all
pairs, and times both, one thread each: to the first contact, all contacts, all distances. Pairs are
those that the SRDF leaves, or all that are not adjacent. Meshes are surfaces in nearhit here, as Coal
has them; a second figure tells how many configurations collide as solids only. Says that it skips, and
why, where the packages are not installed.
"""

import argparse
import sys
import time

from peer import CHOSEN, Peer, folder, nh, np


def timed(work, over):
    start = time.perf_counter()
    for one in over:
        work(one)
    return (time.perf_counter() - start) / len(over) * 1e6


def compare(name, urdf, srdf, root, options):
    ours = nh.Robot(urdf, srdf=srdf, surfaces=True, packages=[root, root.parent.parent])
    solid = nh.Robot(urdf, srdf=srdf, packages=[root, root.parent.parent])
    peer = Peer(urdf, ours, root)
    q = ours.random(options.count, seed=1)
    full = [peer.q(ours, row) for row in q]
    triangles = sum(body.triangles for body in ours.bodies)
    print(f"{name}: {len(ours.bodies)} bodies, {triangles} triangles, {len(ours.pairs)} pairs")
    wrong, hits = [], 0
    for index, row in enumerate(q):
        theirs = {ours.pairs[i] for i in peer.touching(full[index])}
        mine = set(ours.contacts(row))
        hits += bool(mine)
        wrong += [(index, pair, "ours" if pair in mine else "theirs") for pair in theirs ^ mine]
    inside = int(solid.collides(q).sum()) - int(ours.collides(q).sum())
    print(f"  {hits} of {len(q)} collide ({inside} more as solids); yes/no differ for {len(wrong)} of {len(q) * len(ours.pairs)} pairs {wrong[:5]}")
    few = min(options.distances, len(q))
    mine = ours.distances(q[:few])
    worst, far = 0.0, []
    for index in range(few):
        theirs = peer.distances(full[index])
        apart = (mine[index, :, 1] > 0) & (theirs > 0)
        error = np.abs(np.where(apart, theirs - mine[index, :, 1], 0.0))
        far += [(index, ours.pairs[i], theirs[i], mine[index, i, 1]) for i in np.flatnonzero(error > 1e-6)]
        worst = max(worst, float(error.max(initial=0.0)))
    print(f"  largest difference of {few * len(ours.pairs)} distances {worst:.1e}; above 1e-6: {len(far)} {far[:3]}")
    rows = []
    for _ in range(options.rounds):
        rows.append((
            timed(lambda one: peer.contacts(one, True), full), timed(lambda one: ours.collides(one), q),
            timed(lambda one: solid.collides(one), q), timed(lambda one: ours.collides(one, threads=1), [q]) / len(q),
            timed(lambda one: ours.collides(one), [q]) / len(q),
            timed(lambda one: peer.contacts(one, False), full[:few]), timed(lambda one: ours.contacts(one), q[:few]),
            timed(peer.distances, full[:few]), timed(lambda one: ours.distances(one, threads=1), [q[:few]]) / few,
            timed(lambda one: solid.distances(one, threads=1), [q[:few]]) / few,
        ))  # fmt: skip
    best = np.min(rows, axis=0)
    names = ["first contact: pin+coal", "nearhit", "as solids", "batch 1 thread", "batch", "all contacts: pin+coal", "nearhit", "all distances: pin+coal", "nearhit", "as solids"]
    print("  µs a configuration: " + ", ".join(f"{what} {value:.1f}" for what, value in zip(names, best)))
    print(f"  ratios: first contact {best[0] / best[1]:.1f} (batch 1 thread {best[0] / best[3]:.1f}), all contacts {best[5] / best[6]:.1f}, all distances {best[7] / best[8]:.1f}", flush=True)
    return not wrong and not far


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--distances", type=int, default=50, help="configurations whose distances are compared")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="")
    parser.add_argument("--all", action="store_true", help="all robots of example-robot-data, not only four")
    options = parser.parse_args()
    root = folder()
    chosen = {name: (root / urdf, root / srdf) for name, (urdf, srdf) in CHOSEN.items()}
    if options.all:
        chosen = {str(p.relative_to(root)): (p, None) for p in sorted(root.rglob("*.urdf"))}
    good = True
    for name, (urdf, srdf) in chosen.items():
        if options.only not in name:
            continue
        try:
            good &= compare(name, urdf, srdf, root, options)
        except (nh.NearhitError, OSError, ValueError, RuntimeError) as refused:
            print(f"{name}: {refused}", flush=True)
    sys.exit(0 if good else 1)


main()
