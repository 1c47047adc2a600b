"""Octrees as OctoMap stores them: the occupied cells are boxes."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._native import Placed
from .._shapes import Box, Shape
from ._data import NODE_TYPE, OBJECT_TYPE
from ._geometry import CollisionGeometry

DEPTH = 16
"""Levels below the root, of every OctoMap tree."""


def occupied(resolution: float, data: bytes) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Middles (n, 3) and sides (n,) of the occupied cells, from the data of a binary tree (``.bt``)
    without its header.

    Every node is two bytes: two bits for each child, 00 unknown, 01 free, 10 occupied (the second bit
    is the higher), 11 divided; divided children follow in order, each with all that is below it.
    """
    middles: list[tuple[float, float, float]] = []
    sides: list[float] = []
    at = 0

    def read(middle: tuple[float, float, float], side: float, level: int) -> None:
        nonlocal at
        if at + 2 > len(data):
            raise ValueError(f"the octree's data ends at byte {len(data)}, within a node of level {level}")
        bits = data[at] | data[at + 1] << 8
        at += 2
        half, quarter = 0.5 * side, 0.25 * side
        divided = []
        for child in range(8):
            kind = bits >> 2 * child & 3
            x, y, z = (middle[axis] + (quarter if child >> axis & 1 else -quarter) for axis in range(3))
            if kind == 2:
                middles.append((x, y, z))
                sides.append(half)
            elif kind == 3:
                divided.append((x, y, z))
        if divided and level + 1 >= DEPTH:
            raise ValueError(f"the octree's data has a node below level {DEPTH}, before byte {at}")
        for place in divided:
            read(place, half, level + 1)

    read((0.0, 0.0, 0.0), resolution * 2.0**DEPTH, 0)
    return np.array(middles, dtype=np.float64).reshape(-1, 3), np.array(sides, dtype=np.float64)


class OcTree(CollisionGeometry):
    """The occupied cells of an OctoMap tree, each a box.

    ``r`` is the side of the smallest cell, ``data`` what OctoMap's ``writeBinaryData`` wrote: a
    ``.bt`` file without its header, as bytes or as numbers from 0 to 255.
    """

    __slots__ = ("_boxes", "_middles", "_sides")
    _node = NODE_TYPE.GEOM_OCTREE
    _object = OBJECT_TYPE.OT_OCTREE

    def __init__(self, r: float, data: bytes | ArrayLike) -> None:
        super().__init__()
        if not 0.0 < r < float("inf"):
            raise ValueError(f"the resolution must be more than 0, not {r}")
        if not isinstance(data, (bytes, bytearray)):
            data = (np.asarray(data).astype(np.int64) & 0xFF).astype(np.uint8).tobytes()
        self._middles, self._sides = occupied(float(r), bytes(data))
        self._boxes: dict[float, Placed] = {}

    def _subject(self) -> Shape:
        raise AssertionError("cells are asked about one by one")

    def _base(self) -> Placed:
        """A box around all cells."""
        if self._placed is None:
            half = 0.5 * self._sides[:, None]
            corners = np.concatenate([self._middles - half, self._middles + half])
            low, high = (corners.min(axis=0), corners.max(axis=0)) if len(corners) else (np.zeros(3), np.zeros(3))
            pose = np.eye(4)
            pose[:3, 3] = 0.5 * (low + high)
            self._placed = Placed(Box(*(high - low)), pose)
        return self._placed

    def _cells_by_gap(self, pose: NDArray[np.float64], bounds: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The cells of the tree at ``pose``, the nearest to a box in the world first, and lower bounds
        of how far they are from it."""
        middles = self._middles @ pose[:3, :3].T + pose[:3, 3]
        reach = 0.5 * self._sides[:, None] * np.abs(pose[:3, :3]).sum(axis=1)
        reach = reach + 1e-12 * (np.abs(middles).max(initial=0.0) + reach.max(initial=0.0))
        apart = np.maximum(0.0, np.maximum(bounds[0] - (middles + reach), (middles - reach) - bounds[1]))
        gaps = np.sqrt((apart * apart).sum(axis=1))
        order = np.argsort(gaps, kind="stable")
        return order, gaps[order]

    def _cell(self, index: int, pose: NDArray[np.float64]) -> Placed:
        """One cell of the tree at ``pose``."""
        side = float(self._sides[index])
        if side not in self._boxes:
            self._boxes[side] = Placed(Box(side, side, side))
        at = pose.copy()
        at[:3, 3] += pose[:3, :3] @ self._middles[index]
        return self._boxes[side].moved(at)

    def __len__(self) -> int:
        return len(self._sides)

    def __repr__(self) -> str:
        return f"<nearhit.fcl.OcTree of {len(self)} occupied cells>"
