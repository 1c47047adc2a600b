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
"""

from __future__ import annotations

from . import _native
from ._poses import place
from ._results import (
    Collision,
    Collisions,
    Contacts,
    Distance,
    Distances,
    NearPairs,
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
    return work, budget_us, None if seed is None else tuple(seed), warm, threads, progress


_DEFAULT = (None, None, None, False, None, None)


def _pair(triangles):
    return None if triangles[0] < 0 else tuple(triangles)


def collide(a, b, *, pose_a=None, pose_b=None, poses_a=None, poses_b=None, **options):
    """Do they touch?

    >>> import nearhit as nh, numpy as np
    >>> a = nh.Model(([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
    >>> bool(nh.collide(a, a))
    True
    >>> far = np.array([np.eye(4), np.eye(4)])
    >>> far[1, :3, 3] = [0, 0, 1e-9]
    >>> nh.collide(a, a, poses_b=far).touching
    array([ True, False])
    """
    place_a, place_b = place(pose_a, poses_a, "a"), place(pose_b, poses_b, "b")
    answer = _native.collide(a, b, place_a, place_b, _how(options) if options else _DEFAULT)
    verdict, triangles, work = answer
    if isinstance(verdict, int):
        return Collision(_known(verdict), _pair(triangles), Work(*work))
    return Collisions(verdict == 1, verdict >= 0, triangles, work)


def within(a, b, limit, *, pose_a=None, pose_b=None, poses_a=None, poses_b=None, **options):
    """Are they at most ``limit`` apart? The same as ``distance <= limit``, and cheaper.

    >>> import nearhit as nh
    >>> a = nh.Model(([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
    >>> R = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> bool(nh.within(a, a, 0.25, pose_b=(R, [0, 0, 0.5])))
    False
    >>> bool(nh.within(a, a, 0.5, pose_b=(R, [0, 0, 0.5])))
    True
    """
    place_a, place_b = place(pose_a, poses_a, "a"), place(pose_b, poses_b, "b")
    answer = _native.within(a, b, place_a, place_b, _how(options) if options else _DEFAULT, limit)
    verdict, triangles, lower, upper, work = answer
    if isinstance(verdict, int):
        return Within(_known(verdict), _pair(triangles), lower, upper, Work(*work))
    return Withins(verdict == 1, verdict >= 0, triangles, lower, upper, work)


def distance(
    a, b, *, pose_a=None, pose_b=None, poses_a=None, poses_b=None, rel_error=0.0, abs_error=0.0, **options
):
    """How far apart are they? ``rel_error`` and ``abs_error`` say how much larger ``upper`` may be than the distance.

    >>> import nearhit as nh
    >>> a = nh.Model(([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
    >>> R = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> found = nh.distance(a, a, pose_b=(R, [0, 0, 2]))
    >>> found.lower, found.upper, found.triangles
    (2.0, 2.0, (0, 0))
    >>> found.points[1] - found.points[0]
    array([0., 0., 2.])
    """
    place_a, place_b = place(pose_a, poses_a, "a"), place(pose_b, poses_b, "b")
    how = _how(options) if options else _DEFAULT
    lower, upper, triangles, points, work = _native.distance(a, b, place_a, place_b, how, rel_error, abs_error)
    if isinstance(lower, float):
        return Distance(lower, upper, points, tuple(triangles), Work(*work))
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
    return _near(_native.nearest_pairs(a, b, place_a, place_b, how, count))


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
    return _near(_native.pairs_within(a, b, place_a, place_b, how, limit))


def _near(answer):
    triangles, distances, _, _, starts, complete, work = answer
    return NearPairs(triangles, distances, starts, complete, work)
