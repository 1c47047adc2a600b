"""Which parts of an assembly clash, and which are closer than a clearance? On a trimesh scene.

    python python/examples/assembly.py [FILE] [CLEARANCE]
"""

import sys

import trimesh

from nearhit.trimesh import scene_to_collision


def shelf():
    """Two posts, a board that is a millimetre too long, and a box that stands on it."""
    scene = trimesh.Scene()
    part = lambda name, extents, at: scene.add_geometry(  # noqa: E731
        trimesh.creation.box(extents), node_name=name, transform=trimesh.transformations.translation_matrix(at)
    )
    part("left post", [40, 40, 1000], [-500, 0, 0])
    part("right post", [40, 40, 1000], [500, 0, 0])
    part("board", [961, 300, 18], [0.75, 0, 200])
    part("box", [200, 200, 200], [100, 0, 309.5])
    return scene


def check(scene, clearance):
    """Pairs of names that touch, and pairs that do not but are closer than the clearance, with their distances."""
    manager, objects = scene_to_collision(scene)
    _, clashes = manager.in_collision_internal(return_names=True)
    close = {}
    names = sorted(objects)
    for i, first in enumerate(names):
        for second in names[i + 1 :]:
            if (first, second) not in clashes:
                one, other = type(manager)(), type(manager)()
                for each, name in ((one, first), (other, second)):
                    transform, geometry = scene.graph[name]
                    each.add_object(name, scene.geometry[geometry], transform)
                length = one.min_distance_other(other)
                if length < clearance:
                    close[first, second] = length
    return clashes, close


def main():
    scene = trimesh.load_scene(sys.argv[1]) if len(sys.argv) > 1 else shelf()
    clearance = float(sys.argv[2]) if len(sys.argv) > 2 else 1.0
    clashes, close = check(scene, clearance)
    for first, second in sorted(clashes):
        print(f"{first} and {second} touch")
    for (first, second), length in sorted(close.items()):
        print(f"{first} and {second} are only {length:g} apart")


if __name__ == "__main__":
    main()
