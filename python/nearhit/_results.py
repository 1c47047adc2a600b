"""What the classes of answers share. The classes themselves are beside their queries."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, ClassVar, NamedTuple

import numpy as np

__all__ = ["Work"]


class Work(NamedTuple):
    """Work done by a query, in the papers' units."""

    n_v: int
    """Pairs of volumes tested."""
    n_p: int
    """Pairs of triangles tested."""
    n_u: int
    """Volumes of a brought into b's frame."""


class Compared:
    """Results that hold arrays: equal when all of their numbers are."""

    __slots__ = ()
    __hash__: ClassVar[None]  # type: ignore[assignment]
    __hash__ = None

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        names = [field.name for field in fields(self)]  # type: ignore[arg-type]
        return all(_same(getattr(self, name), getattr(other, name)) for name in names)


def _same(one: Any, another: Any) -> bool:
    if one is None or another is None:
        return one is another
    one, another = np.asarray(one), np.asarray(another)
    return np.array_equal(one, another, equal_nan=one.dtype.kind == "f" and another.dtype.kind == "f")


def decided(verdict: bool | None) -> bool:
    """For ``if``: a verdict that is none is an error there."""
    if verdict is None:
        raise ValueError("undecided: the budget ran out first")
    return verdict
