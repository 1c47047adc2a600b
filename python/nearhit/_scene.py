"""What a `Scene` answers. The class itself is in the native module."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Frame", "FramePair", "Gap", "Impact", "Meeting", "Touch"]


class Touch(NamedTuple):
    """Two bodies of a scene in contact."""

    a: str
    b: str
    triangles: tuple[int, int] | NDArray[np.int64] | None
    """Two triangles that touch, or all that do: (n, 2); -1 for a shape. None, or no rows, where one
    solid is inside the other."""
    part_a: str
    """The part of a; its own name if it has no others."""
    part_b: str
    inside: str | None = None
    """Of solids whose surfaces do not touch: "a" or "b", which of the two, or a piece of it, is
    inside the other."""
    points: NDArray[np.float64] | None = None
    """Of `contacts` where one is a shape, (n, 3): where they touch, in the world."""
    normals: NDArray[np.float64] | None = None
    """(n, 3): unit vectors from a to b, the shortest way out for b, in the world."""
    depths: NDArray[np.float64] | None = None
    """(n,): how far b would have to move along the normal to touch only, at most."""


class Impact(NamedTuple):
    """Two bodies of a scene that touch first on their way."""

    a: str
    b: str
    time: float
    """From 0 to 1. Nothing touches before."""
    part_a: str
    """The part of a; its own name if it has no others."""
    part_b: str
    is_certain: bool
    """False: after too many steps it is only known that nothing touches before this time."""


class Meeting(NamedTuple):
    """Two bodies of a scene that touch on their way, and when."""

    a: str
    b: str
    intervals: NDArray[np.float64]
    """(n, 2): from when to when, between 0 and 1, in order. At no other time until ``known_until`` is
    there a contact."""
    part_a: str
    """The part of a; its own name if it has no others."""
    part_b: str
    known_until: float
    """1, unless it took too many steps."""


class Gap(NamedTuple):
    """Two bodies of a scene and how far apart they are."""

    a: str
    b: str
    found: tuple[float, NDArray[np.float64], tuple[int, int]]
    part_a: str
    """The part of a; its own name if it has no others."""
    part_b: str

    @property
    def distance(self) -> float:
        """How far apart they are, at most. Of two solid models in contact minus their depth: the
        upper end of ``nearhit.distance(..., solid=True)``; of two shapes in contact minus their
        penetration depth."""
        return self.found[0]

    @property
    def points(self) -> NDArray[np.float64]:
        """(2, 3): the nearest points of a and of b, in the world."""
        return self.found[1]

    @property
    def triangles(self) -> tuple[int, int]:
        """The triangles these are on; -1 for a shape."""
        return self.found[2]


class FramePair(NamedTuple):
    """Two bodies of a scene that touch or may: of `Scene.detect`."""

    a: str
    b: str
    touching: bool | None
    """None: not known yet."""
    distance: tuple[float, float]
    """It is at least the first, and at most the second."""
    triangles: tuple[int, int] | None
    """Two triangles that touch."""
    inside: str | None
    """Of solids whose surfaces do not touch: "a" or "b", which of the two, or a piece of it, is
    inside the other."""
    part_a: str
    """The part of a; its own name if it has no others."""
    part_b: str


class Frame(NamedTuple):
    """What is known of a scene within a budget."""

    pairs: list[FramePair]
    """Those that touch or may."""
    is_complete: bool
    """Is everything known? False: the budget ran out."""
    near: int
    """Pairs whose boxes are near each other."""
    unseen: list[tuple[str, str]]
    """Bodies and their parts whose neighbours there was no time to find: they may touch each other,
    and any that are not in ``pairs``."""
