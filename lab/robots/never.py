#!/usr/bin/env python3
"""The pairs that SRDF files of example-robot-data say never touch: proven, or a configuration in which
they do, confirmed by Pinocchio with Coal, or left open.

    python lab/robots/never.py [--seconds 60] [--only panda]

Needs what lab/robots/peer.py says.
"""

import argparse
import collections
import time
import xml.etree.ElementTree as tree

from peer import Peer, folder, nh


def links(urdf):
    return {link.get("name") for link in tree.parse(urdf).getroot().iter("link")}


def disabled(srdf):
    """Pairs of links by what the file says of them."""
    found = collections.defaultdict(list)
    for pair in tree.parse(srdf).getroot().iter("disable_collisions"):
        found[pair.get("reason", "")].append((pair.get("link1"), pair.get("link2")))
    return found


def fitting(srdf, root):
    """The URDF of the same folder that has most of the links which the SRDF names."""
    package = root / srdf.relative_to(root).parts[0]
    named = {link for pairs in disabled(srdf).values() for pair in pairs for link in pair}
    candidates = sorted(package.rglob("*.urdf"), key=lambda path: (-len(named & links(path)), len(path.name), str(path)))
    return candidates[0] if candidates and named & links(candidates[0]) else None


def judge(name, srdf, urdf, root, seconds):
    start = time.perf_counter()
    robot = nh.Robot(urdf, srdf=srdf, packages=[root, root.parent.parent])
    never = [frozenset(pair) for pair in disabled(srdf)["Never"]]
    matrix = nh.collision_matrix(robot, seconds=seconds)
    of = {frozenset((pair.a, pair.b)): pair for pair in matrix.pairs}
    # Coal has surfaces, and only the pairs that are asked of it.
    surfaces = nh.Robot(urdf, surfaces=True, packages=[root, root.parent.parent])
    for pair in surfaces.allowed:
        surfaces.forbid(pair.a, pair.b)
    peer = Peer(urdf, surfaces, root)
    counts = collections.Counter()
    for pair in never:
        known = of.get(pair)
        if known is None:
            counts["no shapes, or no joint between"] += 1
        elif known.verdict == "never":
            counts["proven"] += 1
        elif known.touching is not None:
            owners = {body.name: body.link for body in surfaces.bodies}
            touching = (surfaces.pairs[i] for i in peer.touching(peer.q(surfaces, known.touching)))
            confirmed = any(pair == {owners[a], owners[b]} for a, b in touching)
            counts["witness" if confirmed else "witness that Coal does not see"] += 1
        else:
            counts["open"] += 1
    told = ", ".join(f"{count} {what}" for what, count in sorted(counts.items()))
    print(f"{name}: {len(never)} pairs: {told}; {time.perf_counter() - start:.0f} s", flush=True)
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0, help="for each robot")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    root, total = folder(), collections.Counter()
    for srdf in sorted(root.rglob("*.srdf")):
        name = str(srdf.relative_to(root))
        if options.only not in name:
            continue
        if not disabled(srdf)["Never"]:
            said = "says of no pair that it never touches" if disabled(srdf) else "disables no pair"
            print(f"{name}: {said}", flush=True)
            continue
        urdf = fitting(srdf, root)
        if urdf is None:
            print(f"{name}: no URDF with its links", flush=True)
            continue
        try:
            total += judge(name, srdf, urdf, root, options.seconds)
        except (nh.NearhitError, OSError, ValueError, RuntimeError) as refused:
            print(f"{name}: {refused}", flush=True)
    print("in all: " + ", ".join(f"{count} {what}" for what, count in sorted(total.items())))


main()
