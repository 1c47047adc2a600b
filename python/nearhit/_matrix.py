"""Certified collision matrices of robots."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._query import Progress, whole
from ._robot import Robot

__all__ = ["CollisionMatrix", "MatrixPair", "collision_matrix"]


class MatrixPair(NamedTuple):
    """What is known of two links, over all configurations within the limits."""

    a: str
    b: str
    verdict: Literal["never", "always", "sometimes", "open"]
    """"never" and "always" are proven."""
    left: float
    """Of open ones: the share of the joint ranges for which nothing is proven yet."""
    closest: float
    """The smallest distance seen; infinite if they were always far apart."""
    touching: NDArray[np.float64] | None
    """Of "sometimes": a configuration in which they touch."""
    clear: NDArray[np.float64] | None
    """And one in which they do not."""
    tests: int
    """How often bodies were asked about."""


@dataclass(frozen=True, slots=True, eq=False)
class CollisionMatrix:
    """What is known of all pairs of links with a joint between them that moves."""

    pairs: tuple[MatrixPair, ...]
    """In the order of the links."""
    srdf: str
    """An SRDF with the pairs that need no check: proven ones and neighbours."""
    state: str
    """For the next call, which goes on where this one ended."""

    def __getitem__(self, links: tuple[str, str]) -> MatrixPair:
        """The pair of two links, in any order."""
        for pair in self.pairs:
            if (pair.a, pair.b) in (links, links[::-1]):
                return pair
        raise KeyError(links)

    def count(self, verdict: Literal["never", "always", "sometimes", "open"]) -> int:
        """How many pairs have this verdict."""
        return sum(pair.verdict == verdict for pair in self.pairs)


def collision_matrix(
    robot: Robot, *,
    tests: int = 200_000, seconds: float | None = None, samples: int = 500, seed: int = 0,
    state: str | None = None, threads: int | None = None, progress: Progress | None = None,
) -> CollisionMatrix:  # fmt: skip
    """Which pairs of links touch never, always or sometimes? Proven for all configurations within the
    limits, by branch and bound over the ranges of the joints between them.

    ``tests``
        how many each pair may take
    ``seconds``
        stop after this time
    ``samples``, ``seed``
        configurations that are tried for each pair before anything is proven
    ``state``
        of a matrix that was not finished: the search goes on. The robot must be the same
    ``threads``
        how many; all cores if left out
    ``progress``
        called with how many pairs are decided and how many there are

    >>> import nearhit as nh
    >>> matrix = nh.collision_matrix(nh.Robot.example(), tests=2000)
    >>> matrix["left", "right"].verdict, matrix["hand", "base"].verdict
    ('never', 'sometimes')
    >>> 'link1="left" link2="right" reason="Never"' in matrix.srdf
    True
    """
    if not isinstance(robot, Robot):
        raise TypeError(f"robot must be a Robot, not {type(robot).__name__}")
    if seconds is not None and not 0 <= seconds <= 1e9:
        raise ValueError(f"seconds must be from 0 to 1e9, not {seconds}")
    asked: dict[str, Any] = {
        "tests": whole("tests", tests, 0, 2**63 - 1), "seconds": seconds,
        "samples": whole("samples", samples, 0, 2**32 - 1), "seed": whole("seed", seed, 0, 2**64 - 1),
        "state": state, "threads": threads, "progress": progress,
    }  # fmt: skip
    pairs, srdf, after = _native.collision_matrix(robot._native, asked)
    return CollisionMatrix(tuple(MatrixPair(*pair) for pair in pairs), srdf, after)
