"""What is wrong with a mesh, and where does it touch itself?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._models import model_of
from ._results import Compared

if TYPE_CHECKING:
    from ._native import Mesh

__all__ = ["Diagnostics", "diagnostics", "self_contacts"]


@dataclass(frozen=True, slots=True, eq=False)
class Diagnostics(Compared):
    """What may be wrong with a mesh. Degenerate and duplicate triangles do not count for edges and
    self-intersections."""

    closed: bool
    """Does the surface enclose a volume without holes: every edge between two triangles that face
    the same side?"""
    triangles: int
    """How many there are."""
    vertices: int
    """How many there are, as given."""
    unused_vertices: int
    """Vertices that no triangle uses."""
    coincident_vertices: int
    """Vertices at the place of an earlier one."""
    open_edges: int
    """Edges with one triangle: borders and cracks."""
    crowded_edges: int
    """Edges with more than two triangles."""
    flipped_edges: int
    """Edges whose two triangles face opposite sides."""
    degenerate: NDArray[np.int64]
    """(n,): triangles without area."""
    duplicate: NDArray[np.int64]
    """(n,): triangles with the same three corners as an earlier one."""
    self_intersections: NDArray[np.int64]
    """(n, 2): triangles that meet elsewhere than in corners and edges they share."""
    complete: bool
    """Was the whole mesh searched for self-intersections?"""


def diagnostics(model: Mesh) -> Diagnostics:
    """What may be wrong with a mesh: holes, cracks, flipped, degenerate and duplicate triangles,
    self-intersections.

    >>> import nearhit as nh
    >>> found = nh.diagnostics(nh.Model(([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])))
    >>> found.closed, found.open_edges
    (False, 3)
    """
    closed, counts, lists, complete = _native.diagnostics(model_of(model))
    fields: tuple[Any, ...] = (closed, *counts, *lists, complete)
    return Diagnostics(*fields)


def self_contacts(model: Mesh) -> NDArray[np.int64]:
    """(n, 2): pairs of a mesh's own triangles that touch elsewhere than in corners and edges they
    share.

    >>> import nearhit as nh
    >>> flat, upright = [[0, 0, 0], [2, 0, 0], [0, 2, 0]], [[0.5, 0.5, -1], [0.5, 0.5, 1], [0.25, 0.5, 1]]
    >>> nh.self_contacts((flat + upright, [[0, 1, 2], [3, 4, 5]]))
    array([[0, 1]])
    """
    pairs: NDArray[np.int64] = _native.self_contacts(model_of(model))
    return pairs
