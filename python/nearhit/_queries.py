"""What can be asked.

Every question takes two models and where they are: ``pose_a`` and ``pose_b`` (a (4, 4) matrix or ``(R, t)``; the origin if left out) for one query, ``poses_a`` or
``poses_b`` (k matrices) for a batch. A batch is done on all cores without the interpreter's lock, gives arrays, and has the same answers for every number of threads.

The options are the same for all of them:

``work``
    stop each query after so many tests of volumes and triangles: repeats exactly
``budget_us``
    stop each query after so many microseconds
``seed``
    two triangles (of a, of b) to look at first, typically those of the last answer; never changes an answer's value
``warm``
    in a batch, let each query look first where the one before it found its answer: for poses along a path
``threads``
    in a batch, how many; all cores if left out
``progress``
    in a batch, called with how many queries are done and how many there are, some times a second

``solid``, where it is offered, asks about solids instead of surfaces: a part inside another touches it, and distances have a sign.
"""

from __future__ import annotations

import math

import numpy as np

from . import _native
from ._native import Collision, Distance
from ._poses import place
from ._results import (
    Collisions,
    Contacts,
    Depth,
    Depths,
    Distances,
    Guess,
    Guesses,
    NearPairs,
    Refined,
    Refineds,
    Regions,
    Within,
    Withins,
    Work,
    _known,
)


def _how(options):
    work, budget_us, seed, warm, threads, progress = (
        options.pop("work", None),
        options.pop("budget_us", None),
        options.pop("seed", None),
        options.pop("warm", False),
        options.pop("threads", None),
        options.pop("progress", None),
    )
    if options:
        raise TypeError(f"unknown option {next(iter(options))!r}")
    if work is not None and not work >= 0:
        raise ValueError(f"work must be at least 0, not {work}")
    return work, budget_us, None if seed is None else tuple(seed), warm, threads, progress


_work = Work._make
_DEFAULT = (None, None, None, False, None, None)


def _not_negative(value, name):
    """NaN is not at least 0, either."""
    if not value >= 0:
        raise ValueError(f"{name} must be a number of at least 0, not {value}")
    return value


def _number(value, name):
    if value != value:
        raise ValueError(f"{name} must be a number, not {value}")
    return value


def _pair(triangles):
    return None if triangles[0] < 0 else tuple(triangles)


def collide(a, b, *, pose_a=None, pose_b=None, poses_a=None, poses_b=None, solid=False, **options):
    """Do they touch? As solids: is there a common point, inside counts?

    >>> import nearhit as nh, numpy as np
    >>> a = nh.Model(([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
    >>> bool(nh.collide(a, a))
    True
    >>> far = np.array([np.eye(4), np.eye(4)])
    >>> far[1, :3, 3] = [0, 0, 1e-9]
    >>> nh.collide(a, a, poses_b=far).touching
    array([ True, False])
    """
    if poses_a is None and poses_b is None and not solid and not options:
        return _native.collide_once(a, b, pose_a, pose_b)
    place_a, place_b = place(pose_a, poses_a, "a"), place(pose_b, poses_b, "b")
    how = _how(options) if options else _DEFAULT
    if solid:
        verdict, triangles, contained, work = _native.solid_collide(a, b, place_a, place_b, how)
        if isinstance(verdict, int):
            return Collision(_known(verdict), _pair(triangles), _work(work), (None, "a", "b")[contained + 1])
        return Collisions(verdict == 1, verdict >= 0, triangles, work, contained)
    verdict, triangles, work = _native.collide(a, b, place_a, place_b, how)
    if isinstance(verdict, int):
        return Collision(_known(verdict), _pair(triangles), _work(work))
    return Collisions(verdict == 1, verdict >= 0, triangles, work)


def within(a, b, limit, *, pose_a=None, pose_b=None, poses_a=None, poses_b=None, solid=False, **options):
    """Are they at most ``limit`` apart? The same as ``distance <= limit``, and cheaper. As solids the limit may be negative: are they at least that deep in each other?

    >>> import nearhit as nh
    >>> a = nh.Model(([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
    >>> R = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> bool(nh.within(a, a, 0.25, pose_b=(R, [0, 0, 0.5])))
    False
    >>> bool(nh.within(a, a, 0.5, pose_b=(R, [0, 0, 0.5])))
    True
    """
    place_a, place_b = place(pose_a, poses_a, "a"), place(pose_b, poses_b, "b")
    how = _how(options) if options else _DEFAULT
    if solid:
        return _solid_within(_native.solid_within(a, b, place_a, place_b, how, _number(limit, "limit")), limit)
    verdict, triangles, lower, upper, work = _native.within(
        a, b, place_a, place_b, how, _not_negative(limit, "limit")
    )
    if isinstance(verdict, int):
        return Within(_known(verdict), _pair(triangles), lower, upper, _work(work))
    return Withins(verdict == 1, verdict >= 0, triangles, lower, upper, work)


def _solid_within(answer, limit):
    verdict, triangles, _, work = answer
    if isinstance(verdict, int):
        lower = float(limit) if verdict == 0 else -math.inf
        upper = float(limit) if verdict == 1 else math.inf
        return Within(_known(verdict), _pair(triangles), lower, upper, _work(work))
    lower, upper = np.where(verdict == 0, limit, -np.inf), np.where(verdict == 1, limit, np.inf)
    return Withins(verdict == 1, verdict >= 0, triangles, lower, upper, work)


def distance(
    a,
    b,
    *,
    pose_a=None,
    pose_b=None,
    poses_a=None,
    poses_b=None,
    rel_error=0.0,
    abs_error=0.0,
    solid=False,
    **options,
):
    """How far apart are they? ``rel_error`` and ``abs_error`` say how much larger ``upper`` may be than the distance.

    As solids the distance has a sign: below zero it is how deep the deepest point of one surface lies inside the other.

    >>> import nearhit as nh
    >>> a = nh.Model(([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
    >>> R = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> found = nh.distance(a, a, pose_b=(R, [0, 0, 2]))
    >>> found.lower, found.upper, found.triangles
    (2.0, 2.0, (0, 0))
    >>> found.points[1] - found.points[0]
    array([0., 0., 2.])
    """
    if not (rel_error >= 0 and abs_error >= 0):
        _not_negative(rel_error, "rel_error")
        _not_negative(abs_error, "abs_error")
    if poses_a is None and poses_b is None and not solid and not options:
        return _native.distance_once(a, b, pose_a, pose_b, rel_error, abs_error)
    place_a, place_b = place(pose_a, poses_a, "a"), place(pose_b, poses_b, "b")
    how = _how(options) if options else _DEFAULT
    if solid:
        answer = _native.solid_distance(a, b, place_a, place_b, how, rel_error, abs_error)
        lower, upper, triangles, points, _, work = answer
    else:
        lower, upper, triangles, points, work = _native.distance(a, b, place_a, place_b, how, rel_error, abs_error)
    if isinstance(lower, float):
        return Distance(lower, upper, points, tuple(triangles), _work(work))
    return Distances(lower, upper, points, triangles, work)


def contacts(a, b, *, pose_a=None, pose_b=None, poses_a=None, poses_b=None, points=False, **options):
    """Which triangles touch? With ``points``, also along what.

    >>> import nearhit as nh
    >>> a = nh.Model(([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
    >>> upright = [[1, 0, 0], [0, 0, -1], [0, 1, 0]]
    >>> found = nh.contacts(a, a, pose_b=(upright, [0, 0.25, -0.5]), points=True)
    >>> found.triangles
    array([[0, 0]])
    >>> found.shared(0)
    array([[0.  , 0.25, 0.  ],
           [0.5 , 0.25, 0.  ]])
    """
    place_a, place_b = place(pose_a, poses_a, "a"), place(pose_b, poses_b, "b")
    how = _how(options) if options else _DEFAULT
    triangles, _, corners, corner_starts, starts, complete, work = _native.contacts(
        a, b, place_a, place_b, how, points
    )
    return Contacts(triangles, starts, corners, corner_starts, complete, work)


def nearest_pairs(a, b, count, *, pose_a=None, pose_b=None, poses_a=None, poses_b=None, **options):
    """The ``count`` nearest pairs of triangles, nearest first; ties by index.

    >>> import nearhit as nh
    >>> a = nh.Model(([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 5]], [[0, 1, 2], [3, 3, 3]]))
    >>> R = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> nh.nearest_pairs(a, a, 2, pose_b=(R, [0, 0, 1])).distances
    array([1., 1.])
    """
    place_a, place_b = place(pose_a, poses_a, "a"), place(pose_b, poses_b, "b")
    how = _how(options) if options else _DEFAULT
    return _near(_native.nearest_pairs(a, b, place_a, place_b, how, _not_negative(count, "count")))


def pairs_within(a, b, limit, *, pose_a=None, pose_b=None, poses_a=None, poses_b=None, **options):
    """All pairs of triangles that are at most ``limit`` apart, ordered by a's index, then b's.

    >>> import nearhit as nh
    >>> a = nh.Model(([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
    >>> R = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> nh.pairs_within(a, a, 1.5, pose_b=(R, [0, 0, 1])).triangles
    array([[0, 0]])
    """
    place_a, place_b = place(pose_a, poses_a, "a"), place(pose_b, poses_b, "b")
    how = _how(options) if options else _DEFAULT
    return _near(_native.pairs_within(a, b, place_a, place_b, how, _not_negative(limit, "limit")))


def _near(answer):
    triangles, distances, _, _, starts, complete, work = answer
    return NearPairs(triangles, distances, starts, complete, work)


def depth(a, b, *, pose_a=None, pose_b=None, poses_a=None, poses_b=None, **options):
    """How to get b out of a, both solids: the shortest translation, between two bounds.

    >>> import nearhit as nh
    >>> corners = [[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    >>> sides = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    >>> cube = nh.Model((corners, [t for p, q, r, s in sides for t in ([p, q, r], [p, r, s])]))
    >>> found = nh.depth(cube, cube, pose_b=([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0.75, 0.1, 0.2]))
    >>> found.translation.round(4)
    array([0.25, 0.  , 0.  ])
    """
    place_a, place_b = place(pose_a, poses_a, "a"), place(pose_b, poses_b, "b")
    answer = _native.translational_depth(a, b, place_a, place_b, _how(options) if options else _DEFAULT)
    if poses_a is None and poses_b is None:
        lower, upper, translation, convex, work = (column[0] for column in answer)
        return Depth(float(lower), float(upper), translation, bool(convex), _work(work.tolist()))
    return Depths(*answer)


def regions(a, b, *, pose_a=None, pose_b=None, poses_a=None, poses_b=None, most_points=4, **options):
    """Where the surfaces of two solids meet: connected regions, each with a normal, a depth and at most ``most_points`` points that stand for all.

    One solid wholly inside another has none: ask ``collide`` and ``depth``.

    >>> import nearhit as nh
    >>> corners = [[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    >>> sides = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    >>> cube = nh.Model((corners, [t for p, q, r, s in sides for t in ([p, q, r], [p, r, s])]))
    >>> found = nh.regions(cube, cube, pose_b=([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0.75, 0.1, 0.2]))
    >>> len(found), found.depths
    (1, array([0.25]))
    """
    place_a, place_b = place(pose_a, poses_a, "a"), place(pose_b, poses_b, "b")
    how = _how(options) if options else _DEFAULT
    normals, depths, points, *rest = _native.contact_regions(
        a, b, place_a, place_b, how, _not_negative(most_points, "most_points")
    )
    return Regions(normals, depths, points.reshape(-1, 2, 3), *rest)


def refine(a, b, *, pose_a=None, pose_b=None, poses_a=None, poses_b=None, **options):
    """Do the surfaces of two sphere-trees' models touch, and how far apart are they? As exact as the budget allows; without one, exact.

    >>> import nearhit as nh
    >>> ball = nh.SphereTree(nh.Model(([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])), depth=1, method="octree")
    >>> found = nh.refine(ball, ball, pose_b=([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 0, 9]))
    >>> found.touching, found.lower <= 9 <= found.upper
    (False, True)
    """
    place_a, place_b = place(pose_a, poses_a, "a"), place(pose_b, poses_b, "b")
    how = _how(options) if options else _DEFAULT
    verdict, triangles, level, lower, upper, work = _native.refine(a, b, place_a, place_b, how)
    if isinstance(verdict, int):
        return Refined(_known(verdict), _pair(triangles), level, lower, upper, _work(work))
    return Refineds(verdict == 1, verdict >= 0, triangles, level, lower, upper, work)


def adb(a, b, *, pose_a=None, pose_b=None, poses_a=None, poses_b=None, p_min=None, k_min=None, rule="crossings", **options):
    """Do they touch, as far as flat pieces of their surfaces tell? With a probability, also when interrupted; 0 and 1 are certain.

    A crossing of two flat pieces ends the search, the deeper the larger ``p_min`` and ``k_min``; where there is none, triangles decide. With ``rule="anywhere"`` it is the
    paper's search instead: ``k_min`` pairs of boxes with an estimate of at least ``p_min`` end it, anywhere in the trees; where bodies pass closely it says yes too often. What it needs is made when a model is first asked, and
    takes long for large meshes.

    >>> import nearhit as nh
    >>> a = nh.Model(([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
    >>> nh.adb(a, a, pose_b=([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 0, 9])).touching
    False
    """
    place_a, place_b = place(pose_a, poses_a, "a"), place(pose_b, poses_b, "b")
    how = _how(options) if options else _DEFAULT
    if k_min is not None:
        _not_negative(k_min, "k_min")
    verdict, probability, work = _native.adb(a, b, place_a, place_b, how, p_min, k_min, rule)
    if isinstance(verdict, int):
        return Guess(_known(verdict), probability, _work(work))
    return Guesses(verdict == 1, verdict >= 0, probability, work)
