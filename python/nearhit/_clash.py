"""Clash detection: find clashes between the parts of an assembly."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._native import Model
from ._query import at_least_zero
from ._results import Compared, Work
from .convert import as_glb, is_converted

__all__ = ["Clash", "ClashInterrupted", "ClashKind", "ClashOverlap", "ClashReport", "Interval", "clash"]

ClashKind = Literal["hard", "inside", "duplicate", "undecided", "touching", "close"]
"""The class of a clash: see `clash`."""


class Interval(NamedTuple):
    """A number between two bounds."""

    lower: float
    upper: float
    """Infinite where nothing is known."""


@dataclass(frozen=True, slots=True, eq=False)
class ClashOverlap(Compared):
    """What two parts have in common, in the world."""

    volume: Interval
    """Its volume."""
    area: Interval | None
    """Its surface area. None where that is not known."""
    center: NDArray[np.float64] | None
    """(3,): its centre of volume. None where the volume may be 0."""
    bounds: NDArray[np.float64] | None
    """(2, 3): the least and the greatest corner of a box around it. None if it is empty."""
    through: str | None
    """The name of the part that passes through the other."""


@dataclass(frozen=True, slots=True, eq=False)
class Clash(Compared):
    """Two parts that clash."""

    names: tuple[str, str]
    """Of the parts, in the order in which they were given."""
    kind: ClashKind
    """How: the class of the clash."""
    depth: Interval | None
    """The penetration depth: how deep the deepest point of one surface is inside the other part.
    One of ``points`` is ``depth.lower`` deep. None where it is not known."""
    basis: Literal["exact", "winding-number"] | None
    """What ``depth.lower`` rests on: of meshes with holes on winding numbers."""
    gap: float | None
    """The distance of the surfaces of parts that do not touch."""
    inside: str | None
    """The name of the part that is inside the other."""
    points: NDArray[np.float64]
    """(2, 3), in the world: the deepest point found and the nearest point of the other surface, or
    the nearest points. The first is on the first part."""
    triangles_a: NDArray[np.int64]
    """(n,): triangles of the first part that are within the tolerance of the other; of parts that
    do not touch the nearest."""
    triangles_b: NDArray[np.int64]
    """(m,): the same of the second part."""
    touches: bool | None
    """Whether the surfaces are within the tolerance of each other. None where an undecided pair does
    not tell."""
    touching_with: float | None = None
    """Of a hard clash no deeper than the facets of round surfaces are exact: a tolerance with which
    the parts only touch."""
    overlap: ClashOverlap | None = None
    """What the parts have in common, of hard clashes, parts inside each other and duplicates. None
    of meshes with holes, unless there is a ``min_volume``."""

    @property
    def a(self) -> str:
        """The name of the first part."""
        return self.names[0]

    @property
    def b(self) -> str:
        """The name of the second part."""
        return self.names[1]


@dataclass(frozen=True, slots=True, eq=False)
class ClashReport(Compared):
    """All clashes of an assembly. It can be iterated over and indexed; true in an ``if`` when there
    are any."""

    findings: tuple[Clash, ...]
    """Worst first: by class, depth and gap, then by names. The same for every number of threads."""
    is_complete: bool
    """False: the search was stopped, and pairs are missing."""
    pairs_near: int
    """Pairs of parts whose boxes are near each other."""
    pairs_judged: int
    """How many of them were judged."""
    allowed: int
    """Findings that ``allow`` covers, and that are not listed."""
    unused_rules: tuple[str, ...]
    """Entries of ``allow`` that covered nothing: their names may be mistyped. Empty if the search
    was stopped."""
    tolerance: float
    """As used."""
    clearance: float
    """As used."""
    work: Work
    """Tests of volumes and triangles."""
    empty: tuple[str, ...] = ()
    """Names of parts without triangles, which were left out."""

    def __len__(self) -> int:
        return len(self.findings)

    def __iter__(self) -> Iterator[Clash]:
        return iter(self.findings)

    def __getitem__(self, index: int) -> Clash:
        return self.findings[index]

    def count(self, kind: ClashKind) -> int:
        """How many findings are of a class."""
        return sum(found.kind == kind for found in self.findings)


class ClashInterrupted(KeyboardInterrupt):
    """Ctrl-C during `clash`. ``report`` has what was found by then."""

    def __init__(self, report: ClashReport) -> None:
        super().__init__(f"{report.pairs_judged} of {report.pairs_near} pairs of parts were judged")
        self.report = report


@dataclass(slots=True)
class _Asked:
    """Options as the native module reads them."""

    tolerance: float | None
    clearance: float
    min_volume: float
    allow: list[str]
    groups: list[str]
    ignore: list[str]
    pair_work: int | None
    threads: int | None
    progress: Callable[[int, int], object] | None


def clash(
    parts: Mapping[str, Any] | str | PathLike[str] | Iterable[str | PathLike[str]] | Any,
    *,
    tolerance: float | None = None,
    clearance: float = 0.0,
    min_volume: float = 0.0,
    ignore: Iterable[ClashKind] = (),
    allow: Iterable[str | tuple[str, str]] = (),
    only: Iterable[str | tuple[str, str]] = (),
    groups: Mapping[str, str | Iterable[str]] | None = None,
    pair_work: int | None = None,
    threads: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> ClashReport:
    """Find clashes between the parts of an assembly: every pair is judged as two solids.

    A pair of parts has one of these classes, worst first, or it does not clash:

    ``hard``
        hard clash: a point of one surface is inside the other part, deeper than the tolerance
    ``inside``
        the surfaces do not touch, and one part, or a piece of it, is inside the other
    ``duplicate``
        both surfaces are in the same place
    ``undecided``
        the pair's limit of work was reached; ``touches`` tells whether contact is known: if so, they
        touch, or are in each other no deeper than ``depth.upper``; if not, they may also be apart
    ``touching``
        the surfaces touch, no deeper than the tolerance
    ``close``
        clearance violation: they do not touch, but are closer than the clearance

    ``parts`` is one of

    * a mapping from names to a mesh or `Model`, or to ``(mesh or Model, pose)``; a mesh is what
      `Model` takes
    * a ``trimesh.Scene``
    * the path of a glTF, COLLADA or 3MF file, whose nodes are the parts, or several paths of mesh
      files; with several, names of nodes come after the name of their file and a slash
    * the path of a STEP file (``pip install cascadio``) or an IFC file (``pip install
      ifcopenshell``): see `nearhit.convert`

    >>> import nearhit as nh
    >>> corners = [[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    >>> sides = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    >>> cube = nh.Model((corners, [t for p, q, r, s in sides for t in ([p, q, r], [p, r, s])]))
    >>> R = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> parts = {"block": cube, "wedge": (cube, (R, [0.5, 0.25, 0.25])), "cap": (cube, (R, [1.5, 0.5, 0]))}
    >>> report = nh.clash(parts)
    >>> [(found.kind, found.a, found.b) for found in report]
    [('hard', 'block', 'wedge'), ('touching', 'wedge', 'cap')]
    >>> report[0].depth.lower <= 0.5 <= report[0].depth.upper
    True
    >>> len(nh.clash(parts, ignore=["touching"], allow=["@fasteners:block"], groups={"fasteners": ["w*", "pin_?"]}))
    0

    The options:

    ``tolerance``
        parts no deeper in each other than this only touch, and parts no farther from each other
        touch; a millionth of the assembly's size if left out. Of solids less deep in each other
        than this, but deeper than half of it, either may be said
    ``clearance``
        parts closer than this are too close
    ``min_volume``
        hard clashes whose overlap has less volume than this only touch
    ``ignore``
        classes that are not reported
    ``allow``
        pairs that may be in contact: ``"A:B"`` or ``("A", "B")``, where each side is a name, a
        pattern with ``*`` and ``?``, or a group as ``@bolts``. A backslash takes the meaning from
        the character after it: ``r"pin:M8\\:40"`` is about a part named ``M8:40``. In a pair of
        sides a colon needs none.
        A pattern without a slash is about the last name of a path: ``"bolt_*"`` is any bolt,
        ``"gearbox/*"`` whatever is in the gearbox.
    ``only``
        pairs that are looked at, in the words of ``allow``: one set of parts beside another; all
        pairs if left out
    ``groups``
        names of groups, and the patterns of each
    ``pair_work``
        at most about so many tests of volumes and triangles for each pair; what is not decided by
        then is "undecided"; 30 million and 1,000 for each triangle if left out
    ``threads``
        how many; all cores if left out
    ``progress``
        called with how many pairs of parts are done and how many there are, some times a second;
        both are 0 while trees are made. If it returns False the search ends, and the report has
        what was found: ``is_complete`` is false

    The interpreter's lock is not held during the search. Ctrl-C ends it with `ClashInterrupted`, a
    ``KeyboardInterrupt`` whose ``report`` has what was found by then: a script that catches nothing
    stops as usual. An exception in ``progress`` ends the search, too, and is raised.
    """
    if pair_work is not None:
        at_least_zero(pair_work, "pair_work")
    asked = _Asked(
        None if tolerance is None else float(tolerance), float(clearance), float(min_volume),
        [*(_rule(rule) for rule in allow), *(f"only {_rule(pair)}" for pair in only)],
        [_group(name, patterns) for name, patterns in (groups or {}).items()],
        list(ignore), pair_work, threads, progress,
    )  # fmt: skip
    given = _Parts()
    given.add_all(parts)
    if len(given.placed) < 2:
        raise ValueError(f"an assembly needs at least two parts with triangles, found {len(given.placed)}")
    rows, summary, interrupted = _native.clash(given.shapes, given.placed, asked)
    report = _report(rows, summary, given.empty)
    if isinstance(interrupted, KeyboardInterrupt):
        raise ClashInterrupted(report) from interrupted
    if interrupted is not None:
        raise interrupted
    return report


def _rule(rule: str | tuple[str, str]) -> str:
    return rule if isinstance(rule, str) else ":".join(_escaped(side, ":") for side in rule)


def _group(name: str, patterns: str | Iterable[str]) -> str:
    listed = patterns if isinstance(patterns, str) else ",".join(_escaped(pattern, ",") for pattern in patterns)
    return f"{_escaped(name, '=')}={listed}"


def _escaped(text: str, separator: str) -> str:
    """With a backslash before each separator that has none."""
    return re.sub(rf"\\.|{separator}", lambda found: found[0] if len(found[0]) > 1 else "\\" + separator, text, flags=re.S)


def _overlap(row: tuple[Any, ...] | None) -> ClashOverlap | None:
    if row is None:
        return None
    volume, area, center, bounds, through = row
    return ClashOverlap(
        Interval(*volume), None if area is None else Interval(*area),
        None if center is None else np.array(center), bounds, through,
    )  # fmt: skip


def _report(rows: list[tuple[Any, ...]], summary: tuple[Any, ...], empty: list[str]) -> ClashReport:
    findings = tuple(
        Clash(*(names, kind, None if depth is None else Interval(*depth), *rest, _overlap(overlap)))
        for names, kind, depth, *rest, overlap in rows
    )
    complete, near, judged, allowed, unused, tolerance, clearance, work = summary
    return ClashReport(
        findings, complete, near, judged, allowed, tuple(unused), tolerance, clearance, work, tuple(empty)
    )


def _read_parts(path: str) -> tuple[bool, list[Any]]:
    parts: tuple[bool, list[Any]]
    if not is_converted(path):
        parts = _native.read_parts(path)
        return parts
    with as_glb(path) as made:
        parts = _native.read_parts(made)
    return parts


class _Parts:
    """Shapes, each once, and named parts that are shapes in places."""

    def __init__(self) -> None:
        self.shapes: list[Any] = []
        self.placed: list[tuple[str, int, Any]] = []
        self.empty: list[str] = []
        self._index: dict[int, int] = {}
        # An object that is gone could leave its identity to another.
        self._alive: list[Any] = []

    def add_all(self, parts: Any) -> None:
        """Of any of the forms that `clash` takes."""
        if isinstance(parts, Mapping):
            for name, part in parts.items():
                self._add(str(name), *_split(part))
        elif hasattr(parts, "graph") and hasattr(parts, "geometry"):
            self._add_scene(parts)
        elif isinstance(parts, (str, PathLike)):
            self._read([fspath(parts)])
        elif isinstance(parts, Iterable) and not isinstance(parts, (bytes, Model)):
            self._read([fspath(path) for path in parts])
        else:
            known = "a mapping from names to meshes, a path, several paths or a scene"
            raise TypeError(f"parts must be {known}, not {type(parts).__name__}")

    def _add(self, name: str, mesh: Any, pose: Any) -> None:
        if isinstance(mesh, Model) or isinstance(mesh, _native.PartMesh):
            shape = mesh
        elif id(mesh) in self._index:
            return self._place(name, self._index[id(mesh)], pose)
        else:
            shape = _native.PartMesh(mesh)
        index = self._index.setdefault(id(shape), len(self.shapes))
        self._index[id(mesh)] = index
        if index == len(self.shapes):
            self.shapes.append(shape)
            self._alive.append(mesh)
        self._place(name, index, pose)

    def _place(self, name: str, shape: int, pose: Any) -> None:
        self.placed.append((name, shape, pose))

    def _add_scene(self, scene: Any) -> None:
        for node in scene.graph.nodes_geometry:
            transform, geometry = scene.graph[node]
            mesh, pose = scene.geometry[geometry], np.asarray(transform, dtype=np.float64)
            if not len(getattr(mesh, "faces", ())):
                self.empty.append(str(node))
            elif _is_rigid(pose):
                self._add(str(node), mesh, pose)
            else:
                vertices = np.asarray(mesh.vertices, dtype=np.float64) @ pose[:3, :3].T + pose[:3, 3]
                # What a mirror turns inside out is turned back.
                faces = np.asarray(mesh.faces)
                self._add(str(node), (vertices, faces if np.linalg.det(pose[:3, :3]) > 0 else faces[:, ::-1]), None)

    def _read(self, paths: list[str]) -> None:
        read: list[tuple[str, Any, Any]] = []
        for path in paths:
            has_parts, parts = _read_parts(path)
            prefix = Path(path).name + "/" if len(paths) > 1 and has_parts else ""
            read += [(prefix + name, shape, pose) for name, shape, pose in parts]
        # Parts of different files may have the same name: bolt, bolt_2, bolt_3.
        names = _native.distinct_names([name for name, _, _ in read])
        for name, (_, shape, pose) in zip(names, read, strict=True):
            if shape is None:
                self.empty.append(name)
            else:
                self._add(name, shape, np.array(pose))


def _split(part: Any) -> tuple[Any, Any]:
    """``(mesh, pose)``, or a mesh alone, which may be ``(vertices, faces)``."""
    if isinstance(part, tuple) and len(part) == 2:
        first = part[0]
        if isinstance(first, (Model, str, PathLike, tuple)) or hasattr(first, "faces"):
            return part
    return part, None


def _is_rigid(pose: NDArray[np.float64]) -> bool:
    rotation = pose[:3, :3]
    # Rotations of files in single precision are good to about 1e-7.
    return bool(np.abs(rotation @ rotation.T - np.eye(3)).max() < 1e-6 and np.linalg.det(rotation) > 0.0)
