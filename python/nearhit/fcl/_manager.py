"""Many objects: a broad phase, and callbacks for the pairs it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from .. import _native
from .._native import Placed
from ._data import CollisionData, DistanceData
from ._narrow import collide, improve
from ._objects import CollisionObject

CollisionCallback = Callable[[CollisionObject, CollisionObject, Any], bool]
"""Given two objects whose boxes meet, and the data; true ends the search."""
DistanceCallback = Callable[[CollisionObject, CollisionObject, Any], tuple[bool, float]]
"""Given two objects and the data; whether to end the search, and the least distance so far: pairs
whose boxes are no nearer are left out."""


def defaultCollisionCallback(o1: CollisionObject, o2: CollisionObject, cdata: CollisionData) -> bool:
    """Asks `collide`; ends when there are more contacts than ``num_max_contacts``."""
    request, result = cdata.request, cdata.result
    if cdata.done:
        return True
    collide(o1, o2, request, result)
    if not request.enable_cost and result.is_collision and len(result.contacts) > request.num_max_contacts:
        cdata.done = True
    return cdata.done


def defaultDistanceCallback(o1: CollisionObject, o2: CollisionObject, cdata: DistanceData) -> tuple[bool, float]:
    """Asks `distance`; ends when two objects are in contact."""
    result = cdata.result
    if cdata.done:
        return True, result.min_distance
    improve(o1, o2, cdata.request, result)
    if result.min_distance <= 0:
        return True, result.min_distance
    return cdata.done, result.min_distance


class DynamicAABBTreeCollisionManager:
    """Objects of which pairs are asked about.

    Boxes are those of where the objects are: there is nothing to update. Callbacks are given the
    registered objects themselves.

    >>> import nearhit.fcl as fcl
    >>> manager = fcl.DynamicAABBTreeCollisionManager()
    >>> manager.registerObjects([fcl.CollisionObject(fcl.Sphere(1), fcl.Transform([x, 0, 0])) for x in (0, 1.5, 9)])
    >>> data = fcl.CollisionData()
    >>> manager.collide(data, fcl.defaultCollisionCallback)
    >>> data.result.is_collision
    True
    >>> met = []
    >>> manager.collide(met, lambda one, other, met: bool(met.append((one, other))))
    >>> len(met)
    1
    """

    def __init__(self) -> None:
        self._objects: dict[int, CollisionObject] = {}
        self.max_tree_nonbalanced_level = 10
        """This and the other options of FCL's tree are kept and not heeded."""
        self.tree_incremental_balance_pass = 10
        self.tree_topdown_balance_threshold = 2
        self.tree_topdown_level = 0
        self.tree_init_level = 0
        self.octree_as_geometry_collide = True
        self.octree_as_geometry_distance = False

    def registerObjects(self, other_objs: Iterable[CollisionObject]) -> None:
        """Adds objects."""
        for obj in other_objs:
            self.registerObject(obj)

    def registerObject(self, obj: CollisionObject) -> None:
        """Adds an object."""
        if not isinstance(obj, CollisionObject):
            raise TypeError(f"a manager is of CollisionObjects, not of {type(obj).__name__}")
        self._objects[id(obj)] = obj

    def unregisterObject(self, obj: CollisionObject) -> None:
        """Takes an object out, if it is there."""
        self._objects.pop(id(obj), None)

    def setup(self) -> None:
        """Nothing to do."""

    def update(self, arg: CollisionObject | Iterable[CollisionObject] | None = None) -> None:
        """Nothing to do: boxes are always those of where the objects are."""

    def getObjects(self) -> list[CollisionObject]:
        """All objects, in the order in which they came."""
        return list(self._objects.values())

    def clear(self) -> None:
        """Takes all objects out."""
        self._objects.clear()

    def empty(self) -> bool:
        """Are there none?"""
        return not self._objects

    def size(self) -> int:
        """How many there are."""
        return len(self._objects)

    def __len__(self) -> int:
        return len(self._objects)

    def collide(self, *args: Any) -> None:
        """Calls a callback for each pair whose boxes meet, until it returns true.

        ``collide(data, callback)``: pairs of this manager. ``collide(object, data, callback)`` and
        ``collide(manager, data, callback)``: one of this manager, and the object or one of the other.
        """
        others, data, callback = _arguments(args)
        firsts, seconds = self.getObjects(), others
        for _, one, other in _near(firsts, seconds, 0.0):
            if callback(one, other, data):
                return

    def distance(self, *args: Any) -> None:
        """Calls a callback for pairs, those with the nearest boxes first, until it returns true or no
        others can be nearer than the distance it returned. The arguments are those of `collide`."""
        others, data, callback = _arguments(args)
        firsts, best, done, reach = self.getObjects(), float("inf"), -1.0, 0.0
        # Looked for farther and farther away, so that who finds something near does not pay for all.
        while True:
            for gap, one, other in _near(firsts, others, reach):
                if gap <= done:
                    continue
                if gap > 0.0 and gap >= best:
                    return
                ends, best = callback(one, other, data)
                if ends:
                    return
            if best <= reach or reach == float("inf"):
                return
            done, reach = reach, best if best < float("inf") else _wider(firsts + (others or []), reach)


def _arguments(args: tuple[Any, ...]) -> tuple[list[CollisionObject] | None, Any, Callable[..., Any]]:
    """With whom, the data, and the callback."""
    if len(args) == 2 and callable(args[1]):
        return None, *args
    if len(args) == 3 and callable(args[2]):
        with_whom, data, callback = args
        if isinstance(with_whom, DynamicAABBTreeCollisionManager):
            return with_whom.getObjects(), data, callback
        if isinstance(with_whom, CollisionObject):
            return [with_whom], data, callback
    raise ValueError("(data, callback), (object, data, callback) or (manager, data, callback) are taken")


_Pairs = Iterator[tuple[float, CollisionObject, CollisionObject]]


def _near(firsts: list[CollisionObject], seconds: list[CollisionObject] | None, reach: float) -> _Pairs:
    """Pairs whose boxes are at most that far apart, the nearest first."""
    pairs, gaps = _native.placed_near(_all(firsts), None if seconds is None else _all(seconds), reach)
    others = firsts if seconds is None else seconds
    for (one, other), gap in zip(pairs.tolist(), gaps.tolist()):
        yield gap, firsts[one], others[other]


def _all(objects: list[CollisionObject]) -> list[Placed]:
    return [obj._placed() for obj in objects]


def _wider(objects: list[CollisionObject], reach: float) -> float:
    """Twice as far, from the size of a usual object on; at last everything."""
    boxes = np.array([placed.bounds for placed in _all(objects)]).reshape(-1, 2, 3)
    boxes = boxes[np.isfinite(boxes).all(axis=(1, 2))]
    if not len(boxes):
        return float("inf")
    whole = float((boxes[:, 1].max(axis=0) - boxes[:, 0].min(axis=0)).max())
    usual = float(np.median((boxes[:, 1] - boxes[:, 0]).max(axis=1)))
    wider = 2.0 * reach if reach > 0.0 else usual
    return wider if 0.0 < wider < whole else float("inf")
