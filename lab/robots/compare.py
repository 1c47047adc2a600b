#!/usr/bin/env python3
"""Self-collision of robots: nearhit beside Pinocchio with Coal, in one process, in turn.

    pip install pin==4.1 coal==3.0.3 example-robot-data==6.0.0     (in an environment of its own)
    pip install .                                                  (nearhit, from this tree)
    python lab/robots/compare.py [--count 1000] [--only panda] [--distances 100] [--all --rounds 0 --seconds 60]

For random configurations within the limits it compares yes/no of every pair and the distances of all
pairs, and times both, one thread each: to the first contact, all contacts, all distances. Pairs are
those that the SRDF leaves, or all that are not adjacent. Meshes are surfaces in nearhit here, as Coal
has them; a second figure tells how many configurations collide as solids only. Says that it skips, and
why, where the packages are not installed.
"""

import argparse
import collections
import sys
import time

from peer import CHOSEN, Peer, folder, nh, np


CLOCK = time.perf_counter
"""With --cpu another: that of this process."""


def timed(work, over):
    start = CLOCK()
    for one in over:
        work(one)
    return (CLOCK() - start) / len(over) * 1e6


def settled(ours, peer, row, pair, mine):
    """Why yes/no of a pair differ, if it can be told."""
    peer.contacts(peer.q(ours, row), False)
    if mine in peer.opinions(*pair):
        return "Coal says both, by its tolerance"
    upper = ours.distances(row)[ours.pairs.index(pair), 1]
    if not mine and upper < 1e-12:
        return "less than 1e-12 apart: poses are rounded differently"
    return "open"


def without(foreign, found):
    """What is left, if pairs with bodies whose meshes Coal has read differently are not counted."""
    return [one for one in found if not foreign.intersection(one[1])]


def answers(ours, peer, q, options):
    """What differs: yes/no of pairs, and distances by more than 1e-6; and how many were compared."""
    wrong, far, worst, hits, compared = [], [], 0.0, 0, 0
    full = [peer.q(ours, row) for row in q]
    start = time.perf_counter()
    asked = 0
    for index, row in enumerate(q):
        theirs = {ours.pairs[i] for i in peer.touching(full[index])}
        mine = set(ours.contacts(row))
        hits += bool(mine)
        asked += 1
        wrong += [(index, pair, settled(ours, peer, row, pair, pair in mine)) for pair in theirs ^ mine]
        if time.perf_counter() - start > options.seconds:
            break
    print(f"  {hits} of {asked} collide; yes/no differ for {len(wrong)} of {asked * len(ours.pairs)} pairs {dict(collections.Counter(why for _, _, why in wrong))}", flush=True)
    wrong = [one for one in wrong if one[2] == "open"]
    if wrong:
        print(f"  open: {wrong[:5]}", flush=True)
    start = time.perf_counter()
    for index in range(min(options.distances, len(q))):
        theirs, mine = peer.distances(full[index]), ours.distances(q[index])
        apart = (mine[:, 1] > 0) & (theirs > 0)
        error = np.abs(np.where(apart, theirs - mine[:, 1], 0.0))
        far += [(index, ours.pairs[i], float(theirs[i]), float(mine[i, 1])) for i in np.flatnonzero(error > 1e-6)]
        worst = max(worst, float(error.max(initial=0.0)))
        compared += len(ours.pairs)
        if time.perf_counter() - start > options.seconds:
            break
    print(f"  largest difference of {compared} distances {worst:.1e}; above 1e-6: {len(far)} {far[:3]}", flush=True)
    suspects = {name for _, pair, *_ in wrong + far for name in pair}
    counts = {name: peer.foreign(name) for name in suspects}
    foreign = {name for name, count in counts.items() if count}
    for name in sorted(foreign):
        print(f"  {name}: Coal has {counts[name]} triangles that are not in its file", flush=True)
    return without(foreign, wrong), without(foreign, far)


def speeds(ours, solid, peer, q, options):
    full, few = [peer.q(ours, row) for row in q], min(options.distances, len(q))
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


def compare(name, urdf, srdf, root, options):
    packages = [root, root.parent.parent]
    ours = nh.Robot(urdf, srdf=srdf, surfaces=True, packages=packages)
    triangles = sum(body.triangles for body in ours.bodies)
    print(f"{name}: {len(ours.bodies)} bodies, {triangles} triangles, {len(ours.pairs)} pairs", flush=True)
    if not ours.pairs:
        return [], []
    peer, q = Peer(urdf, ours, root), ours.random(options.count, seed=options.seed)
    peer.careful()
    found = answers(ours, peer, q, options)
    if options.rounds:
        solid = nh.Robot(urdf, srdf=srdf, packages=packages)
        inside = int(solid.collides(q).sum()) - int(ours.collides(q).sum())
        print(f"  {inside} more collide as solids")
        speeds(ours, solid, Peer(urdf, ours, root), q, options)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--distances", type=int, default=50, help="configurations whose distances are compared")
    parser.add_argument("--rounds", type=int, default=3, help="of timing; 0 compares answers only")
    parser.add_argument("--seconds", type=float, default=1e9, help="for yes/no of a robot, and for its distances")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cpu", action="store_true", help="time of the processor, where others use it too; batches are then sums of threads")
    parser.add_argument("--only", default="")
    parser.add_argument("--all", action="store_true", help="all robots of example-robot-data, not only four")
    options = parser.parse_args()
    if options.cpu:
        global CLOCK
        CLOCK = time.process_time
    root = folder()
    chosen = {name: (root / urdf, root / srdf) for name, (urdf, srdf) in CHOSEN.items()}
    if options.all:
        chosen = {str(p.relative_to(root)): (p, None) for p in sorted(root.rglob("*.urdf"))}
    refused, wrong, far = [], 0, 0
    for name, (urdf, srdf) in chosen.items():
        if options.only not in name:
            continue
        try:
            found = compare(name, urdf, srdf, root, options)
            wrong, far = wrong + len(found[0]), far + len(found[1])
        except (nh.NearhitError, OSError, ValueError, RuntimeError) as reason:
            refused.append(name)
            print(f"{name}: {reason}", flush=True)
    print(f"{len(chosen)} robots, {len(refused)} refused {refused}; {wrong} yes/no and {far} distances differ without a reason")
    sys.exit(0 if wrong + far == 0 else 1)


main()
