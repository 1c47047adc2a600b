"""The native module: use the package `nearhit`, which gives the answers names."""

from os import PathLike
from typing import Any, Literal, Protocol, TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray

__version__: str

class HasFaces(Protocol):
    @property
    def vertices(self) -> Any: ...
    @property
    def faces(self) -> Any: ...

Volume = Literal[
    "auto", "auto:fast", "auto:best", "auto:compact", "sphere", "aabb", "obb", "kdop6", "kdop14", "kdop18", "kdop26", "kdop50", "kdop74", "kdop98", "lss", "rss", "mixed", "dynamic"
]
Rule = Literal["splatter", "longest-side", "min-sum", "min-max"]

class Level(TypedDict):
    nodes: int
    leaves: int
    volume: float
    surface: float
    bytes: int

class Model:
    """A mesh with its tree: what questions are asked of. Immutable; safe to use from many threads; can be pickled."""

    def __new__(
        cls,
        mesh: str | PathLike[str] | tuple[ArrayLike, ArrayLike] | HasFaces,
        *,
        volume: Volume = "auto",
        rule: Rule | None = None,
        leaf_size: int | None = None,
        flying: bool = False,
    ) -> Model: ...
    @classmethod
    def load(cls, path: str | PathLike[str]) -> Model:
        """Reads a file that `save`, or the command `nearhit build`, wrote."""
    @classmethod
    def from_bytes(cls, data: bytes) -> Model:
        """From what `to_bytes` returned."""
    def save(self, path: str | PathLike[str]) -> None:
        """Writes the mesh with its tree to a file."""
    def to_bytes(self) -> bytes:
        """The same as bytes."""
    def levels(self) -> list[Level]:
        """What the tree is like, level by level."""
    @property
    def vertices(self) -> NDArray[np.float64]:
        """The corners, as an array (n, 3)."""
    @property
    def faces(self) -> NDArray[np.int64]:
        """The triangles, as an array (m, 3) of indices."""
    @property
    def volume(self) -> str:
        """What the tree is made of."""
    @property
    def nbytes(self) -> int:
        """Memory held, mesh included."""
    def __len__(self) -> int:
        """The number of triangles."""

class NearhitError(ValueError): ...
class MeshError(NearhitError): ...
class PoseError(NearhitError): ...
class QueryError(NearhitError): ...
class FileError(NearhitError): ...

_Poses = NDArray[np.float64] | None
_How = tuple[Any, ...]

def collide(a: Model, b: Model, poses_a: _Poses, poses_b: _Poses, how: _How) -> tuple[Any, ...]: ...
def within(a: Model, b: Model, poses_a: _Poses, poses_b: _Poses, how: _How, limit: float) -> tuple[Any, ...]: ...
def distance(
    a: Model, b: Model, poses_a: _Poses, poses_b: _Poses, how: _How, relative: float, absolute: float
) -> tuple[Any, ...]: ...
def contacts(a: Model, b: Model, poses_a: _Poses, poses_b: _Poses, how: _How, with_points: bool) -> tuple[Any, ...]: ...
def nearest_pairs(a: Model, b: Model, poses_a: _Poses, poses_b: _Poses, how: _How, count: int) -> tuple[Any, ...]: ...
def pairs_within(a: Model, b: Model, poses_a: _Poses, poses_b: _Poses, how: _How, limit: float) -> tuple[Any, ...]: ...
