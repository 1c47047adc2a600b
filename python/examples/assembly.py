"""Which parts of an assembly clash, and which are closer than a clearance? A file, or a trimesh scene.

    python python/examples/assembly.py [FILE] [CLEARANCE]
"""

import sys
from typing import Any

import numpy as np

import nearhit as nh


def shelf() -> Any:
    """Two posts, a board that is a millimetre too long, and a box that stands on it."""
    import trimesh

    scene = trimesh.Scene()

    def part(name: str, extents: list[float], at: list[float]) -> None:
        place = np.eye(4)
        place[:3, 3] = at
        scene.add_geometry(trimesh.creation.box(extents), node_name=name, transform=place)

    part("left post", [40, 40, 1000], [-500, 0, 0])
    part("right post", [40, 40, 1000], [500, 0, 0])
    part("board", [961, 300, 18], [0.75, 0, 200])
    part("box", [200, 200, 200], [100, 0, 309.5])
    return scene


def sentence(found: nh.Clash) -> str:
    """A finding in words."""
    names = " and ".join(sorted(found.names))
    if found.kind == "hard" and found.depth is not None:
        return f"{names} clash: {found.depth.lower:.3g} deep"
    if found.kind == "close":
        return f"{names} are only {found.gap:g} apart"
    return f"{names}: {found.kind}"


def main() -> None:
    parts = sys.argv[1] if len(sys.argv) > 1 else shelf()
    clearance = float(sys.argv[2]) if len(sys.argv) > 2 else 1.0
    report = nh.clash(parts, clearance=clearance)
    for found in report:
        print(sentence(found))
    print(f"{len(report)} of {report.pairs_near} pairs of parts that are near each other")


if __name__ == "__main__":
    main()
