"""What all queries of two models or shapes share: where they are, the options, and what the options mean.

A query is written with its arguments spelled out, so that ``help`` shows them, and marked with
``@query``, which adds what they mean. For type checkers there are up to three forms of it: one pose
(``**given: Unpack[One]``) and many poses of a or of b (``ManyA``, ``ManyB``).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, TypedDict, TypeVar

from numpy.typing import ArrayLike

Pose = ArrayLike | tuple[ArrayLike, ArrayLike]
"""A (4, 4) matrix, or a rotation and a translation."""
Poses = ArrayLike | tuple[ArrayLike, ArrayLike]
"""k of them: (k, 4, 4), or (k, 3, 3) and (k, 3)."""
Seed = Sequence[int] | ArrayLike
"""A triangle of a and a triangle of b; -1 for a convex shape."""
Progress = Callable[[int, int], object]
"""Called with how many queries are done, and how many there are."""


class One(TypedDict, total=False):
    """Options of a single query."""

    pose_a: Pose | None
    pose_b: Pose | None
    work: int | None
    budget_us: float | None
    seed: Seed | None


class _Batch(One, total=False):
    warm: bool
    threads: int | None
    progress: Progress | None




class _ManyA(_Batch):
    poses_a: Poses


class ManyA(_ManyA, total=False):
    """Options of a batch with many poses of a."""

    poses_b: Poses | None


class _ManyB(_Batch):
    poses_b: Poses


class ManyB(_ManyB, total=False):
    """Options of a batch with many poses of b."""

    poses_a: Poses | None


OPTIONS = """

Where they are:

``pose_a``, ``pose_b``
    one pose of each: a (4, 4) matrix or ``(R, t)``; the origin if left out
``poses_a``, ``poses_b``
    many instead: (k, 4, 4), or (k, 3, 3) and (k, 3). A batch is done on all cores without the
    interpreter's lock, and its answers are arrays, the same for every number of threads

When each query stops, and where it begins:

``work``
    stop after so many tests of volumes and triangles: repeats exactly
``budget_us``
    stop after so many microseconds. Two shapes are answered in full, whatever the budget
``seed``
    two triangles (of a, of b) to look at first, typically those of the last answer; never changes
    an answer's value

In a batch:

``warm``
    let each query look first where the one before it found its answer: for poses along a path
``threads``
    how many; all cores if left out
``progress``
    called with how many queries are done and how many there are, some times a second; an exception
    in it, or Ctrl-C, ends the batch
"""

_F = TypeVar("_F", bound=Callable[..., Any])


def query(function: _F) -> _F:
    """Adds what the options mean to a query's documentation."""
    function.__doc__ = _unindented(function.__doc__ or "") + OPTIONS
    return function


def _unindented(text: str) -> str:
    lines = text.rstrip().splitlines()
    return "\n".join([*lines[:1], *(line.removeprefix("    ") for line in lines[1:])])


def at_least_zero(value: float, name: str) -> Any:
    """NaN is not at least 0, either."""
    if not value >= 0:
        raise ValueError(f"{name} must be a number of at least 0, not {value}")
    return value


def whole(name: str, value: int, least: int, most: int) -> int:
    """A whole number of a range, which the message names."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {value!r}") from None
    if not least <= number <= most:
        raise ValueError(f"{name} must be from {least} to {most}, not {number}")
    return number
