"""Whole scenes: `nearhit.trimesh.CollisionManager` beside trimesh's own on python-fcl.

    python python/bench/scenes.py [--rounds N] [--cpu]

Three situations: everything has moved since the last question, one part has, or nothing (then nearhit remembers what it said). Moving is counted: FCL refits its tree then, nearhit places a part when it is first asked about.

Scenes are made: a house of 109 parts (walls, floors, beams and windows that touch, some of them not convex), the same taken apart so that nothing
touches, and a gearbox of 26 gears that mesh. Each question is asked of both in turns; times are the least of N rounds, of the clock or, with `--cpu`
(for a busy machine), of all threads together. "and read" also looks at the point, normal and depth of every contact, which nearhit computes then.
In contact trimesh's own distance is that of the first pair found, nearhit's the least of all.
"""

import argparse
import time

import numpy as np
import trimesh
import trimesh.collision

import nearhit.trimesh


def moved(x, y, z):
    return trimesh.transformations.translation_matrix([x, y, z])


def house():
    """109 parts: boxes, and frames with a hole, which are not convex."""
    parts = []
    for floor in range(3):
        z = 3.0 * floor
        parts.append((trimesh.creation.box([12, 8, 0.3]), moved(0, 0, z)))
        for i in range(6):
            parts.append((trimesh.creation.box([0.3, 8, 0.2]), moved(-5 + 2 * i, 0, z + 2.75)))
        for side in (-1, 1):
            for i in range(8):
                wall = trimesh.creation.box([1.5, 0.3, 2.5])
                parts.append((wall, moved(-5.25 + 1.5 * i, side * 3.85, z + 1.4)))
            for i in range(4):
                parts.append((trimesh.creation.box([0.3, 1.85, 2.5]), moved(side * 5.85, -2.8 + 1.85 * i, z + 1.4)))
        for i in range(5):
            frame = trimesh.creation.annulus(0.3, 0.5, 0.35, sections=48)
            parts.append((frame, moved(-4 + 2 * i, 3.85, z + 1.4) @ trimesh.transformations.rotation_matrix(np.pi / 2, [1, 0, 0])))
    while len(parts) < 109:
        parts.append((trimesh.creation.cylinder(0.1, 9.3, sections=24), moved(-5.5 + 0.8 * (len(parts) % 14), 2.0 - len(parts) % 5, 4.5)))
    return [(f"part {index}", mesh, pose) for index, (mesh, pose) in enumerate(parts)]


def gear(teeth, module=0.2, width=0.5, steps=24):
    """A wheel with rounded teeth: not convex."""
    angle = np.linspace(0, 2 * np.pi, teeth * steps, endpoint=False)
    radius = module * (0.5 * teeth + 1.05 * np.cos(teeth * angle))
    rim = np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
    count, layers = len(rim), 6
    heights = np.linspace(-0.5 * width, 0.5 * width, layers)
    vertices = np.concatenate([np.column_stack([rim, np.full(count, z)]) for z in heights] + [[[0, 0, heights[0]], [0, 0, heights[-1]]]])
    i, k = np.arange(count), np.roll(np.arange(count), -1)
    faces = []
    for layer in range(layers - 1):
        low, high = layer * count, (layer + 1) * count
        faces += [np.column_stack([low + i, low + k, high + k]), np.column_stack([low + i, high + k, high + i])]
    faces += [np.column_stack([np.full(count, layers * count), k, i])]
    faces += [np.column_stack([np.full(count, layers * count + 1), (layers - 1) * count + i, (layers - 1) * count + k])]
    return trimesh.Trimesh(vertices, np.concatenate(faces), process=False)


def gearbox():
    """26 gears in a row, each touching the next."""
    parts, x = [], 0.0
    for index in range(26):
        teeth = 18 + 3 * (index % 4)
        if index:
            x += 0.1 * (teeth + 18 + 3 * ((index - 1) % 4)) + 0.02
        turn = np.pi / teeth if index % 2 else 0.0
        parts.append((f"gear {index}", gear(teeth), moved(x, 0, 0) @ trimesh.transformations.rotation_matrix(turn, [0, 0, 1])))
    return parts


def manager(kind, parts):
    made = kind()
    for name, mesh, pose in parts:
        made.add_object(name, mesh, pose)
    return made


def read(found):
    """Everything of every contact."""
    for contact in found[-1]:
        contact.normal, contact.depth, contact.point
    return found


QUESTIONS = {
    "in_collision_internal()": lambda made: made.in_collision_internal(),
    "in_collision_internal(return_names=True)": lambda made: made.in_collision_internal(return_names=True),
    "in_collision_internal(return_data=True)": lambda made: made.in_collision_internal(return_data=True),
    "  and read": lambda made: read(made.in_collision_internal(return_data=True)),
    "min_distance_internal()": lambda made: made.min_distance_internal(),
    "min_distance_internal(return_data=True)": lambda made: made.min_distance_internal(return_data=True),
}


def exploded(parts, factor=1.7):
    """Taken apart."""
    apart = []
    for name, mesh, pose in parts:
        pose = pose.copy()
        pose[:3, 3] = factor * (pose[:3, 3] + 0.37 * np.random.default_rng(len(apart)).uniform(-1, 1, 3)) + [0, 0, 10.0 * (len(apart) % 7)]
        apart.append((name, mesh, pose))
    return apart


SITUATIONS = {"all moved": lambda parts: parts, "one moved": lambda parts: parts[len(parts) // 2 :][:1], "none moved": lambda parts: []}


def best(ask, pair, parts, moves_of, rounds, clock):
    """The least time of each, and what it found; before each question the parts that moved are put where they are."""
    times, found = [[], []], [None, None]
    for made in pair:
        ask(made)
    for _ in range(rounds):
        for index, made in enumerate(pair):
            moves = moves_of(parts)
            began = clock()
            for name, _, pose in moves:
                made.set_transform(name, pose)
            found[index] = ask(made)
            times[index].append(clock() - began)
    return [(min(of), what) for of, what in zip(times, found)]


def measured(parts, rounds, clock, say=lambda *_: None):
    """(question, situation, seconds of trimesh on python-fcl, seconds of nearhit)."""
    pair = []
    for kind in (trimesh.collision.CollisionManager, nearhit.trimesh.CollisionManager):
        began = clock()
        pair.append(manager(kind, parts))
        say(f"  {kind.__module__.split('.')[0]}: built in {1e3 * (clock() - began):.0f} ms")
    for question, ask in QUESTIONS.items():
        for situation, moves_of in SITUATIONS.items():
            (theirs, one), (ours, two) = best(ask, pair, parts, moves_of, rounds, clock)
            found = f"{said(one)} / {said(two)}" if situation == "all moved" else ""
            say(f"  {question:42} {situation:10} {1e3 * theirs:9.3f} ms {1e3 * ours:9.3f} ms {theirs / ours:7.1f} x   {found}")
            yield question, situation, theirs, ours


def said(found):
    extra = found[-1] if isinstance(found, tuple) else found
    return f"{len(extra)} contacts" if isinstance(extra, list) else f"{len(extra)} pairs" if isinstance(extra, set) else f"{found if not isinstance(found, tuple) else found[0]}"


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--cpu", action="store_true")
    given = arguments.parse_args()
    clock = time.process_time if given.cpu else time.perf_counter
    if trimesh.collision.fcl is None:
        raise SystemExit("python-fcl is not installed: pip install python-fcl")
    for name, parts in (("house", house()), ("house taken apart", exploded(house())), ("gearbox", gearbox())):
        triangles = sum(len(mesh.faces) for _, mesh, _ in parts)
        print(f"{name}: {len(parts)} parts, {triangles} triangles")
        for _ in measured(parts, given.rounds, clock, lambda text: print(text, flush=True)):
            pass


if __name__ == "__main__":
    main()
