"""The native module: classes that users see. Functions are not: their types are where the package calls them."""

from collections.abc import Sequence
from os import PathLike
from typing import Any, Literal, Protocol, TypedDict, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._results import Work
from ._scene import Frame, Gap, Impact, Meeting, Touch

__version__: str

class HasFaces(Protocol):
    @property
    def vertices(self) -> Any: ...
    @property
    def faces(self) -> Any: ...

Mesh = HasFaces | tuple[ArrayLike, ArrayLike]
"""A `Model`, or what one is made of: anything with .vertices and .faces, or the two."""

Volume = Literal[
    "auto", "auto:fast", "auto:balanced", "auto:best", "auto:compact",
    "sphere", "aabb", "obb", "kdop6", "kdop14", "kdop18", "kdop26", "kdop50", "kdop74", "kdop98", "lss", "rss", "mixed", "dynamic",
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
        mesh: str | PathLike[str] | Mesh,
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
    def inside_method(self) -> Literal["exact", "parity", "generalised"]:
        """How inside is told from outside."""
    @property
    def nbytes(self) -> int:
        """Memory held, mesh included."""
    def __len__(self) -> int:
        """The number of triangles."""

class Deforming:
    """A mesh that changes, with its tree."""

    def __new__(cls, mesh: Mesh) -> Deforming: ...
    def move_vertices(self, positions: ArrayLike) -> int:
        """Moves all vertices, (n, 3): how many triangles have left the room they had."""
    def model(self) -> Model:
        """The model as it is now; it does not change when the mesh does."""
    @property
    def vertices(self) -> NDArray[np.float64]:
        """The corners, as an array (n, 3)."""
    @property
    def faces(self) -> NDArray[np.int64]:
        """The triangles, as an array (m, 3) of indices."""
    def __len__(self) -> int:
        """The number of triangles."""

_S = TypeVar("_S", bound=Shape)

class Shape:
    """A shape that is no mesh: what `Ball`, `Box` and the others share. Immutable; safe to use from many threads; can be pickled."""

    def __new__(cls: type[_S], kind: str, sizes: ArrayLike, margin: float = 0.0) -> _S: ...
    @property
    def name(
        self,
    ) -> Literal[
        "ball", "capsule", "box", "cylinder", "cone", "ellipsoid", "hull", "half-space", "point cloud", "height field", "octree"
    ]:
        """Its kind."""
    @property
    def margin(self) -> float:
        """What it is grown by all around."""
    @property
    def bounds(self) -> NDArray[np.float64] | None:
        """(2, 3): the lowest and the highest corner of a box around it in its own frame. None of a half-space."""
    @property
    def corners(self) -> NDArray[np.float64]:
        """(n, 3): the corners of a box or hull, or of what a ball or capsule is grown from."""
    @property
    def _sizes(self) -> list[float]: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

Body = Mesh | Shape
"""What a query is about."""

class SphereTree:
    """A model's surface covered by balls, level by level."""

    def __new__(
        cls, model: Model, *, depth: int = 3, method: Literal["medial", "octree"] = "medial", quick: bool = False
    ) -> SphereTree: ...
    @property
    def model(self) -> Model:
        """The model it covers."""
    def level(
        self, level: int
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
        """Centers, radii, errors and parents of a level's balls."""
    def __len__(self) -> int:
        """The number of levels."""

class Collision:
    """Do they touch? True in an ``if`` when they do; an error there when the budget ran out."""

    def __new__(
        cls,
        touching: bool | None,
        triangles: tuple[int, int] | None,
        work: tuple[int, int, int],
        contained: str | None = None,
    ) -> Collision: ...
    @property
    def complete(self) -> bool:
        """False when the budget ran out first."""
    @property
    def touching(self) -> bool | None:
        """None when the budget ran out first."""
    @property
    def triangles(self) -> tuple[int, int] | None:
        """Two triangles that touch: of a, of b. -1 stands for a convex shape, None for two."""
    @property
    def work(self) -> Work:
        """Tests of volumes and triangles."""
    @property
    def contained(self) -> Literal["a", "b"] | None:
        """As solids, where the surfaces do not touch: of which a piece is inside the other."""
    def __bool__(self) -> bool: ...

class Distance:
    """How far apart they are: an interval, closed to a number unless a tolerance or a budget was given."""

    def __new__(
        cls,
        lower: float,
        upper: float,
        points: NDArray[np.float64],
        triangles: tuple[int, int],
        work: tuple[int, int, int],
        complete: bool = True,
    ) -> Distance: ...
    @property
    def complete(self) -> bool:
        """False when the budget ran out first."""
    @property
    def lower(self) -> float:
        """The distance is at least this."""
    @property
    def upper(self) -> float:
        """The distance is at most this. Of surfaces zero exactly when they touch."""
    @property
    def points(self) -> NDArray[np.float64]:
        """(2, 3): a point of a and a point of b that are ``upper`` apart, in the world."""
    @property
    def triangles(self) -> tuple[int, int]:
        """The triangles these are on, -1 for a convex shape; a seed for the next query."""
    @property
    def work(self) -> Work:
        """Tests of volumes and triangles."""

_Side = str | tuple[str, str]

class Scene:
    """Bodies by name, where they are, and which of them touch or are near."""

    def __new__(
        cls, *, broad: Literal["tree", "sweep", "space-time", "brute"] = "tree", solid: bool = False
    ) -> Scene: ...
    def add(
        self,
        name: str,
        model: Model | Shape,
        *,
        pose: Any = None,
        group: str | None = None,
        fixed: bool = False,
        solid: bool | None = None,
    ) -> None:
        """Puts a body in: a shape, or a model as a solid or a surface, as the scene's are unless said."""
    def add_parts(
        self,
        name: str,
        parts: list[tuple[str, Model | Shape, str | None, Any]],
        *,
        pose: Any = None,
        group: str | None = None,
        fixed: bool = False,
        solid: bool | None = None,
    ) -> None:
        """Puts a body of parts in: name, model or shape, what it hangs on, pose relative to that."""
    def remove(self, name: str) -> None:
        """Takes a body out."""
    def move(self, name: str, pose: Any, *, part: str | None = None) -> None:
        """Moves a body, or a part relative to what it hangs on."""
    def allow(self, a: _Side, b: _Side) -> None:
        """Pairs of these two are not asked about from now on."""
    def forbid(self, a: _Side, b: _Side) -> None:
        """Takes back what `allow` was told."""
    @property
    def names(self) -> list[str]:
        """Names of all bodies."""
    def collides(self) -> bool:
        """Are any two bodies in contact? Stops at the first two that are."""
    def collides_each(self, moves: dict[str, Any]) -> NDArray[np.bool_]:
        """(k,): are any two bodies in contact, at each of k places? ``moves`` has poses (k, 4, 4) by the
        names of bodies; the others stay where they are, and so do all afterwards."""
    def distances_each(self, moves: dict[str, Any]) -> NDArray[np.float64]:
        """(k,): how far apart are the closest two bodies, at each of k places? Arguments as those of
        `collides_each`, answers as those of `closest`; infinite where there are no two."""
    def collisions(self) -> list[Touch]:
        """All pairs of bodies in contact."""
    def contacts(self) -> list[Touch]:
        """The same with all triangles that touch; points, normals and depths where one is a shape."""
    def first_contact(self, moves: dict[str, Any], *, tolerance: float = 1e-6) -> Impact | None:
        """When do two bodies touch first, if those named move to these poses in the time from 0 to 1?"""
    def meetings(self, moves: dict[str, Any], *, tolerance: float = 1e-3) -> list[Meeting]:
        """All instants of contact, if the bodies named move to these poses in the time from 0 to 1."""
    def detect(self, *, work: int | None = None, budget_us: float | None = None) -> Frame:
        """Finds what touches or may, within a budget."""
    def set_model(self, name: str, model: Model, *, part: str | None = None) -> None:
        """Gives a body, or a part of it, another model: of a mesh that deforms."""
    def within(self, limit: float) -> list[Gap]:
        """All pairs of bodies that are at most ``limit`` apart."""
    def nearest(self, count: int) -> list[Gap]:
        """The ``count`` closest pairs."""
    def closest(self) -> Gap | None:
        """The two bodies that are closest."""
    def _surfaces(self) -> list[tuple[str, str, tuple[NDArray[np.float64], NDArray[np.int64]]]]: ...
    def __len__(self) -> int: ...
    def __contains__(self, name: str) -> bool: ...

class NearhitError(ValueError): ...
class SceneError(NearhitError): ...
class MeshError(NearhitError): ...
class ShapeError(NearhitError): ...
class PoseError(NearhitError): ...
class QueryError(NearhitError): ...
class RobotError(NearhitError): ...
class NcError(NearhitError): ...
class FileError(NearhitError): ...

EXAMPLE_URDF: str
EXAMPLE_SRDF: str

class RobotChecker:
    """What `Robot` holds."""

    @staticmethod
    def open(
        path: str | PathLike[str],
        srdf: str | PathLike[str] | None,
        packages: Sequence[str | PathLike[str]],
        surfaces: bool,
        base: Any,
    ) -> RobotChecker: ...
    @staticmethod
    def parse(
        urdf: str, srdf: str | None, folder: str | PathLike[str], surfaces: bool, base: Any
    ) -> RobotChecker: ...
    def copy(self) -> RobotChecker: ...
    @property
    def name(self) -> str: ...
    @property
    def links(self) -> list[str]: ...
    @property
    def coordinate_names(self) -> list[str]: ...
    @property
    def velocities(self) -> int: ...
    @property
    def limits(self) -> NDArray[np.float64]: ...
    @property
    def joints(self) -> list[tuple[str, str, str, str, tuple[float, float] | None, str | None]]: ...
    @property
    def bodies(self) -> list[tuple[str, str | None, str, int, bool]]: ...
    @property
    def pairs(self) -> list[tuple[str, str]]: ...
    @property
    def allowed(self) -> list[tuple[str, str, str]]: ...
    @property
    def ignored(self) -> list[str]: ...
    @property
    def groups(self) -> list[tuple[str, list[str]]]: ...
    def surfaces(self, q: NDArray[np.float64]) -> list[tuple[str, tuple[NDArray[np.float64], NDArray[np.int64]]]]: ...
    def state(self, name: str) -> NDArray[np.float64]: ...
    def random(self, count: int, seed: int) -> NDArray[np.float64]: ...
    def link_poses(self, q: NDArray[np.float64], batch: dict[str, Any]) -> NDArray[np.float64]: ...
    def collides(self, q: NDArray[np.float64]) -> bool: ...
    def collides_each(self, q: NDArray[np.float64], batch: dict[str, Any]) -> NDArray[np.bool_]: ...
    def contacts(self, q: NDArray[np.float64], limit: float) -> list[tuple[str, str]]: ...
    def closest(
        self, q: NDArray[np.float64], gradient: bool, batch: dict[str, Any]
    ) -> tuple[
        NDArray[np.int64],
        NDArray[np.float64],
        NDArray[np.float64],
        NDArray[np.float64],
        NDArray[np.float64] | None,
    ]: ...
    def distances(self, q: NDArray[np.float64], batch: dict[str, Any]) -> NDArray[np.float64]: ...
    def path_clear(
        self,
        q0: NDArray[np.float64],
        q1: NDArray[np.float64],
        clearance: float,
        resolution: float,
        budget: int | None,
    ) -> tuple[bool | None, float, float | None, tuple[str, str] | None, str | None, int, int]: ...
    def spheres(
        self, count: int, per_link: bool, format: str
    ) -> tuple[list[tuple[str, NDArray[np.float64]]], str]: ...
    def add_to_world(self, name: str, body: Shape | Model, at: Any) -> None: ...
    def attach(self, link: str, name: str, body: Shape | Model, at: Any) -> None: ...
    def remove(self, name: str) -> None: ...
    def pad(self, link: str, margin: float) -> None: ...
    def set_allowed(self, a: str, b: str, may_touch: bool) -> None: ...

class Query:
    """Two models or shapes, where they are, and options, in the order of the package's functions."""

    def __new__(cls, a: Body, b: Body, *given: Any) -> Query: ...

class Placed:
    """A model or shape where it is, for `nearhit.fcl` and `nearhit.trimesh`."""

    def __new__(cls, subject: Model | Shape, pose: Any = None, solid: bool = False, convex: bool = False) -> Placed: ...
    def moved(self, pose: Any) -> Placed: ...
    @property
    def bounds(self) -> NDArray[np.float64]: ...
    @property
    def has_triangles(self) -> bool: ...

def __getattr__(name: str) -> Any: ...
