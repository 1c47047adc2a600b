"""NC programs: every move of a tool, its shank and its holder, against part, stock and fixture."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _native
from ._clash import Interval, _split
from ._native import Model, Shape
from ._query import Progress, at_least_zero
from ._results import Compared

__all__ = ["NcClearance", "NcFinding", "NcInterrupted", "NcMove", "NcNote", "NcReport", "nc"]

if TYPE_CHECKING:
    from ._native import HasFaces

    File = str | PathLike[str]
    Body = Shape | Model | File | HasFaces | tuple[Any, Any]
    Bodies = Body | Mapping[str, Body] | Iterable[Body]

_SYSTEMS = ("G54", "G55", "G56", "G57", "G58", "G59", "G59.1", "G59.2", "G59.3")


class NcNote(NamedTuple):
    """Something in a program that has no meaning here, or that could not be followed."""

    line: int
    """The first such line, from 1."""
    lines: int
    """How many there are."""
    text: str
    """The word, and what became of it."""


class NcClearance(NamedTuple):
    """How close pieces of the tool came to a body, over all moves that were clear of it."""

    piece: str
    """"cutter", "shank", "holder" or "spindle"."""
    body: str
    """Its name."""
    at_least: float
    """They kept at least this distance; no more than ``measure``."""
    line: int
    """In this line of the program it was least."""


class NcMove(NamedTuple):
    """What is certain of one move."""

    line: int
    """Of the program, from 1."""
    kind: str
    """"clear" at every instant; "end": clear at its end, which is all that is known of its way;
    "contact", "possible" or "undecided": there are findings."""
    clear_by: float
    """What may not touch stays at least this far apart, as far as ``measure`` looks. Of a move with
    findings the worst one counts; below zero: nothing is deeper than this."""
    piece: str | None
    """The piece of the tool that comes as close, or that the finding is about. None: nothing comes as
    close as ``measure``."""
    body: str | None
    """The body that it comes close to."""
    from_part: float | None
    """The cutter stays at least this far away from every part, which it may touch; below zero it is no
    deeper in one than this. None: there is no part."""


@dataclass(frozen=True, slots=True, eq=False)
class NcFinding(Compared):
    """A piece of the tool that comes closer to a body than it may. Instants are shares of the move,
    from 0 to 1."""

    kind: Literal["contact", "possible", "undecided"]
    """"possible": on some way that the axes of a rapid may take, but not on the straight one;
    "undecided": the limit of work was reached."""
    line: int
    """Of the program, from 1."""
    move: int
    """Which move, from 0."""
    motion: Literal["rapid", "feed", "retrace"]
    """"retrace": at full speed where the tool has just cut."""
    tool: int
    """Its number."""
    piece: Literal["cutter", "shank", "holder", "spindle"]
    """Of the tool."""
    body: str
    """Its name."""
    role: Literal["part", "stock", "fixture", "machine"]
    """Of the body."""
    after: float
    """Before this instant it is clear, for certain."""
    at: float
    """At this instant, or since ``after``, it is not; of an undecided one the same as ``after``."""
    tip: NDArray[np.float64] | None
    """(3,): where the tip is then. None: the limit of work was reached, or it depends on the way of the
    axes, so that nothing after ``after`` is certain and no place is known."""
    point: NDArray[np.float64] | None
    """(3,): where the body is touched first, or is nearest. None where ``tip`` is."""
    needed: float
    """What must be kept: a distance, or below zero the depth that is allowed."""
    clearance: Interval
    """What is kept during the whole move. Below zero: how deep the body is below the surface of the
    piece."""


@dataclass(frozen=True, slots=True, eq=False)
class NcReport(Compared):
    """All findings of a program. It can be iterated over and indexed; true in an ``if`` when there are
    any."""

    findings: tuple[NcFinding, ...]
    """In the order of the program. The same for every number of threads."""
    moves: int
    """How many moves the program has."""
    checked: int
    """How many were checked, from the first on."""
    clear: int
    """How many of those are clear at every instant."""
    ends_only: int
    """How many come from a place that is not known, and are clear at their end, which is all that is
    checked of them."""
    is_complete: bool
    """False: the check was stopped."""
    clearances: tuple[NcClearance, ...]
    """The least clearances, if ``measure`` asked for them."""
    each: tuple[NcMove, ...]
    """All moves that were checked, if ``each`` asked for them."""
    ignored: tuple[NcNote, ...]
    """Words that do not change the way of the tool."""
    unchecked: tuple[NcNote, ...]
    """Moves to or from places that only the machine knows."""
    remarks: tuple[str, ...]
    """What tool tables leave open; bodies that are surfaces without inside."""
    tests: int
    """How many questions were asked about two shapes."""

    def __len__(self) -> int:
        return len(self.findings)

    def __iter__(self) -> Iterator[NcFinding]:
        return iter(self.findings)

    def __getitem__(self, index: int) -> NcFinding:
        return self.findings[index]


class NcInterrupted(KeyboardInterrupt):
    """Ctrl-C during `nc`. ``report`` has what was found by then."""

    def __init__(self, report: NcReport) -> None:
        super().__init__(f"{report.checked} of {report.moves} moves were checked")
        self.report = report


@dataclass(slots=True)
class _Reading:
    """What a program does not say, as the native module reads it."""

    start: list[float] | None
    tool_change: str | list[float]
    tool: int | None
    rapid: str | list[float]
    offsets: list[list[float] | None]
    kinematics: Any
    tool_inches: bool


@dataclass(slots=True)
class _Asked:
    """Options as the native module reads them."""

    gouge: float
    clearance: float
    holder_clearance: float
    strict_retracts: bool
    measure: float
    each: bool
    resolution: float
    work: int
    threads: int | None
    progress: Progress | None


def nc(
    program: File, tools: File | Mapping[str, Any] | Iterable[File | Mapping[str, Any]], *,
    part: Bodies = (), stock: Bodies = (), fixture: Bodies = (), machine: Bodies = (),
    gouge: float = 0.01, clearance: float = 0.0, holder_clearance: float | None = None,
    strict_retracts: bool = False,
    start: ArrayLike | None = None, tool_change: Literal["unknown", "same"] | ArrayLike = "unknown",
    tool: int | None = None, rapid: Literal["anywhere", "straight"] | ArrayLike = "anywhere",
    offsets: Mapping[str, ArrayLike] | None = None, kinematics: File | Mapping[str, Any] | None = None,
    format: Literal["gcode", "apt", "csv"] | None = None, tool_unit: Literal["mm", "inch"] = "mm",
    measure: float | None = None, each: bool = False, resolution: float = 0.001, work: int = 10_000,
    threads: int | None = None, progress: Progress | None = None,
) -> NcReport:  # fmt: skip
    """Check an NC program before the machine runs it: cutter, shank, holder and spindle against part,
    stock, fixture and machine. Of every move it is proven that it is clear at every instant, or the
    first contact is reported with the line of the program. Lengths are millimetres.

    ``program``
        a path: G-code, APT/CL (apt, cl, cls, cldata) or poses (csv); or the text of a program, which
        has more than one line
    ``tools``
        a path, several, or a table as Python data: our own JSON, CAMotics (json, camotics),
        LinuxCNC (tbl) or FreeCAD (fctb, fctl)

    Bodies stand still in the coordinates of the program. Each is a model, a shape, a mesh, a path,
    or one of these with its pose; several are a list, or a mapping from names:

    ``part``
        what is to be made: the cutter may touch it, and be in it no deeper than ``gouge``
    ``stock``
        what it is made from, before this program: the cutter may cut it, but not at rapid
    ``fixture``, ``machine``
        what nothing may touch

    >>> import nearhit as nh
    >>> program = '''
    ... G21 G90
    ... T1 M6
    ... G0 X0 Y0 Z1
    ... G1 X100 F600
    ... '''
    >>> mill = {"number": 1, "shape": "ball", "diameter": 6, "cutting_length": 20}
    >>> pin = (nh.Cylinder(0.01, 10), (np.eye(3), [50, 0, 0]))  # thinner than any step of a simulation
    >>> report = nh.nc(program, {"units": "mm", "tools": [mill]}, fixture={"pin": pin})
    >>> found = report[0]
    >>> len(report), found.line, found.piece, found.body, report.clear, report.ends_only, report.moves
    (1, 5, 'cutter', 'pin', 0, 1, 2)
    >>> bool(abs(found.tip[0] - 47) < 0.2)
    True
    >>> wall = (nh.Box(10, 10, 10), (np.eye(3), [50, 13, 1]))  # 5 mm from the cutter
    >>> near = nh.nc(program, {"tools": [mill]}, fixture={"wall": wall}, clearance=3, measure=50)
    >>> [(least.piece, round(least.at_least, 3), least.line) for least in near.clearances]
    [('cutter', 5.0, 5)]

    What may touch what:

    ``gouge``
        how deep the cutter may be in the part
    ``clearance``
        the distance of cutter and shank from what they may not touch
    ``holder_clearance``
        the distance of holder and spindle from everything; that of ``clearance`` if left out
    ``strict_retracts``
        also check rapids straight up the tool's axis against the stock

    What a program does not say:

    ``start``
        where the tip is before the first move
    ``tool_change``
        where it is after a tool change: "unknown", "same", or a place
    ``tool``
        the number of the tool in the spindle before the program changes it
    ``rapid``
        how axes move at rapid: "anywhere" (in the box of both ends), "straight", or the speeds of x,
        y and z, which make a dog-leg
    ``offsets``
        origins of coordinate systems in the coordinates of the bodies, as ``{"G55": (100, 0, 0)}``
    ``kinematics``
        the machine's rotary axes, for words A, B and C: a path, or the description as Python data
    ``format``
        of a text; G-code if left out
    ``tool_unit``
        the unit of tables that do not say theirs, such as those of LinuxCNC: "mm" or "inch"

    How it is done:

    ``measure``
        also measure how far the tool stays away from bodies, up to this distance
    ``each``
        also keep what is certain of every move, as ``report.each``; measures up to 10 mm unless
        ``measure`` says otherwise
    ``resolution``
        contacts are located and depths measured to this length
    ``work``
        limit for a piece of the tool, a body and a move, in questions about two shapes
    ``threads``
        how many; all cores if left out
    ``progress``
        called with how many moves are done and how many there are, some times a second. If it
        returns False the check ends, and the report has what was found: ``is_complete`` is false

    What is not understood is an `NcError` with file, line and word. The interpreter's lock is not
    held during the check. Ctrl-C ends it with `NcInterrupted`, a ``KeyboardInterrupt`` whose
    ``report`` has what was found by then.
    """
    roles = {"part": part, "stock": stock, "fixture": fixture, "machine": machine}
    bodies = [body for role, given in roles.items() for body in _bodies(role, given)]
    if not bodies:
        raise ValueError("there is nothing to check against: give part, stock, fixture or machine")
    reading = _Reading(
        None if start is None else _place(start, "start"), _word_or_place(tool_change, "tool_change"),
        tool, _word_or_place(rapid, "rapid"), _offsets(offsets or {}),
        None if kinematics is None else _data(kinematics, "kinematics"), _is_inch(tool_unit),
    )  # fmt: skip
    asked = _Asked(
        float(gouge), float(clearance), float(clearance if holder_clearance is None else holder_clearance),
        bool(strict_retracts), _measured(measure, each), bool(each), float(resolution), at_least_zero(work, "work"),
        threads, progress,
    )  # fmt: skip
    rows, summary, interrupted = _native.nc(_program(program, format), _tools(tools), bodies, reading, asked)
    report = _report(rows, summary)
    if isinstance(interrupted, KeyboardInterrupt):
        raise NcInterrupted(report) from interrupted
    if interrupted is not None:
        raise interrupted
    return report


def _is_inch(unit: str) -> bool:
    if unit not in ("mm", "inch"):
        raise ValueError(f"tool_unit is '{unit}'; known: mm, inch")
    return unit == "inch"


def _measured(measure: float | None, each: bool) -> float:
    """How far to look."""
    if measure is None:
        return 10.0 if each else 0.0
    return float(measure)


def _program(given: File, format: str | None) -> Any:
    """A path, or the text with a name that tells its format."""
    if not isinstance(given, (str, PathLike)):
        raise TypeError(f"program must be a path, or a text of more than one line, not {type(given).__name__}")
    if isinstance(given, str) and "\n" in given:
        names = {None: "program.nc", "gcode": "program.nc", "apt": "program.apt", "csv": "program.csv"}
        if format not in names:
            raise ValueError(f"there is no format '{format}'; known: gcode, apt, csv")
        return given, names[format]
    if format is not None:
        raise ValueError("format is for texts; the name of a file tells its own")
    return fspath(given)


def _tools(given: Any) -> list[Any]:
    if isinstance(given, (str, PathLike, Mapping)):
        given = [given]
    if not isinstance(given, Iterable):
        raise TypeError(f"tools must be a path, several, or a mapping, not {type(given).__name__}")
    return [_data(table, "tools") for table in given]


def _data(given: Any, name: str) -> Any:
    """A path, or what a file would have."""
    if isinstance(given, Mapping):
        return json.dumps(given), name
    if isinstance(given, (str, PathLike)):
        return fspath(given)
    raise TypeError(f"{name} must be a path or a mapping, not {type(given).__name__}")


def _bodies(role: str, given: Any) -> list[tuple[str, str, Any, Any]]:
    if isinstance(given, Mapping):
        return [(str(name), role, *_body(body)) for name, body in given.items()]
    if isinstance(given, (str, PathLike, Model, Shape, tuple)) or hasattr(given, "faces"):
        # An empty tuple is no body, and a pair is one: a mesh, or a body with its pose.
        given = [given] if given != () else []
    given = list(given)
    named = [_name(body) or (role if len(given) == 1 else f"{role} {index + 1}") for index, body in enumerate(given)]
    return [(name, role, *_body(body)) for name, body in zip(named, given)]


def _name(body: Any) -> str | None:
    """Files have names."""
    if isinstance(body, tuple) and body:
        body = body[0]
    return Path(body).name if isinstance(body, (str, PathLike)) else None


def _body(given: Any) -> tuple[Any, Any]:
    if isinstance(given, tuple) and len(given) == 2 and isinstance(given[0], Shape):
        body, pose = given
    else:
        body, pose = _split(given)
    return Model(body) if isinstance(body, (str, PathLike)) else body, pose


def _place(given: Any, name: str) -> list[float]:
    place = np.asarray(given, dtype=np.float64)
    if place.shape != (3,) or not np.abs(place).max() <= 1e7:
        raise ValueError(f"{name} must be three numbers up to 1e7, not {given!r}")
    return [float(value) for value in place]


def _word_or_place(given: Any, name: str) -> str | list[float]:
    if isinstance(given, str):
        return given
    return _place(given, name)


def _offsets(given: Mapping[str, Any]) -> list[list[float] | None]:
    found: list[list[float] | None] = [None] * len(_SYSTEMS)
    for name, place in given.items():
        if name.upper() not in _SYSTEMS:
            raise ValueError(f"there is no coordinate system '{name}'; known: {', '.join(_SYSTEMS)}")
        found[_SYSTEMS.index(name.upper())] = _place(place, f"offset {name}")
    return found


def _report(rows: list[Any], summary: Any) -> NcReport:
    findings = tuple(
        NcFinding(*(*about, *instants, *places, needed, Interval(*clearance)))
        for about, instants, places, needed, clearance in rows
    )
    moves, (checked, clear, ends_only), complete, measured, ignored, unchecked, remarks, tests = summary
    clearances, each = measured
    return NcReport(
        findings, moves, checked, clear, ends_only, complete, tuple(NcClearance(*least) for least in clearances),
        tuple(NcMove(*one) for one in each),
        tuple(NcNote(*note) for note in ignored), tuple(NcNote(*note) for note in unchecked), tuple(remarks), tests,
    )  # fmt: skip
