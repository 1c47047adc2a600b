"""Robots: a URDF in, certain answers out. Configurations ``q`` are joint vectors, one (dof,) or many
(k, dof); many are done on all cores without the interpreter's lock."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Literal, NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _native
from ._native import Model, RobotChecker, Shape
from ._query import Pose, Progress
from ._results import Compared, decided

__all__ = ["PathClear", "Robot", "RobotAllowed", "RobotBody", "RobotDistance", "RobotDistances", "RobotJoint", "RobotWorld"]

if TYPE_CHECKING:
    from ._native import HasFaces

    Path = str | PathLike[str]
    Body = Shape | Model | Path | HasFaces | tuple[ArrayLike, ArrayLike]


class RobotJoint(NamedTuple):
    """A joint of a robot."""

    name: str
    kind: str
    """"fixed", "revolute", "continuous", "prismatic", "planar" or "floating"."""
    parent: str
    """The link it is on."""
    child: str
    """The link it moves."""
    limits: tuple[float, float] | None
    """What its coordinate may be, as the file says."""
    mimics: str | None
    """The joint that it follows."""


class RobotBody(NamedTuple):
    """A shape that is checked."""

    name: str
    """The link's, with "#2", "#3" and so on if it has several; or as given."""
    link: str | None
    """What it moves with; None for the world."""
    shape: str
    """"mesh", "box", "ball", "capsule", "cylinder" and so on."""
    triangles: int
    """Of a mesh; else 0."""
    attached: bool
    """By ``Robot.attach``, not by the file."""


class RobotAllowed(NamedTuple):
    """Two links that may touch."""

    a: str
    b: str
    reason: str
    """"rigid", "adjacent", "srdf: ..." or "allowed"."""


@dataclass(frozen=True, slots=True, eq=False)
class RobotDistance(Compared):
    """The closest two bodies of a configuration."""

    lower: float
    """No pair is closer than this."""
    upper: float
    """This pair is at most this far apart. They touch when ``lower`` is 0: of round shapes what lies
    within the interval counts as touching."""
    pair: tuple[str, str]
    """Names of the two bodies."""
    points: NDArray[np.float64]
    """(2, 3): their nearest points, in the world."""
    gradient: NDArray[np.float64] | None = None
    """(dof,): the derivative of the distance by each coordinate (of a floating joint by its six
    velocities); zeros where they touch (``upper`` is 0): the distance stays 0 there, or is at its
    least. None if not asked for."""


@dataclass(frozen=True, slots=True, eq=False)
class RobotDistances(Compared):
    """The same for k configurations."""

    lower: NDArray[np.float64]
    """(k,)"""
    upper: NDArray[np.float64]
    """(k,)"""
    pair: NDArray[np.str_]
    """(k, 2): names of the bodies."""
    points: NDArray[np.float64]
    """(k, 2, 3)"""
    gradient: NDArray[np.float64] | None = None
    """(k, dof)"""

    def __len__(self) -> int:
        return len(self.upper)


@dataclass(frozen=True, slots=True)
class PathClear:
    """What is known of a straight line in joint space. True in an ``if`` when it is clear at every
    instant; an error there when it is not known. Instants are shares of the line, from 0 to 1."""

    clear: bool | None
    """None if not known."""
    certain_until: float
    """Before this instant all pairs are farther apart than the clearance, for certain."""
    contact: float | None
    """At this instant two bodies are not."""
    pair: tuple[str, str] | None
    """Which two, or for which it is not known."""
    why: str | None
    """Why it is not known: "budget", or "too close" to the clearance to tell."""
    configurations: int
    """How many were looked at."""
    tests: int
    """How many pairs were asked for their distance."""

    def __bool__(self) -> bool:
        return decided(self.clear)


class RobotWorld:
    """The bodies around a robot: ``robot.world``.

    >>> import nearhit as nh
    >>> robot = nh.Robot.example()
    >>> robot.world.add("table", nh.Box(1, 2, 0.1), pose=([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 0, -0.06]))
    >>> list(robot.world), "table" in robot.world, len(robot.world)
    (['table'], True, 1)
    >>> robot.world.remove("table")
    """

    __slots__ = ("_native",)

    def __init__(self, native: RobotChecker) -> None:
        self._native = native

    def add(self, name: str, body: Body, *, pose: Pose | None = None) -> None:
        """Puts a body in: a shape, a model, or anything that ``Model`` takes. A closed mesh is a solid,
        unless the robot was read with ``surfaces=True``. ``pose`` is where it is; the origin if left
        out."""
        self._native.add_to_world(name, _subject(body), pose)

    def remove(self, name: str) -> None:
        """Takes a body out that was added or attached."""
        self._native.remove(name)

    def __iter__(self) -> Iterator[str]:
        return iter([name for name, link, *_ in self._native.bodies if link is None])

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: object) -> bool:
        return any(name == other for other in self)

    def __repr__(self) -> str:
        return f"RobotWorld({list(self)})"


class Robot:
    """A robot with shapes, a world around it, and pairs of bodies that are checked.

    ``path``
        a URDF file; its meshes are COLLADA, STL, OBJ, PLY, OFF, glTF or 3MF files
    ``srdf``
        an SRDF file: groups, states, and pairs of links that are not checked
    ``packages``
        folders in which ``package://`` is looked for, before those above the file and those of ROS's
        environment
    ``surfaces``
        take closed meshes as surfaces, as other libraries do, not as solids
    ``base``
        where the root link is; the origin if left out

    Lengths are metres, angles radians. A configuration is a list of ``dof`` numbers,
    ``coordinate_names`` says of what. Touching counts as collision. Links that are one piece or
    neighbours are not checked with each other, nor pairs that the SRDF disables (``allowed``). Safe to
    use from many threads.

    >>> import nearhit as nh
    >>> robot = nh.Robot.example()
    >>> robot
    Robot('example', 5 coordinates, 7 bodies, 14 pairs)
    >>> robot.coordinate_names
    ('turn', 'lift', 'elbow', 'roll', 'finger')
    >>> robot.collides([0, 0, 0, 0, 0.02]), robot.collides([0, 1.9, 2.5, 0, 0.02])
    (False, True)
    >>> robot.collides(robot.random(1000, seed=1)).shape
    (1000,)
    """

    __slots__ = ("_dof", "_native")
    _native: RobotChecker
    _dof: int

    def __init__(
        self, path: Path, *, srdf: Path | None = None, packages: Iterable[Path] = (),
        surfaces: bool = False, base: Pose | None = None,
    ) -> None:  # fmt: skip
        self._hold(RobotChecker.open(path, srdf, list(packages), surfaces, base))

    def _hold(self, native: RobotChecker) -> None:
        self._native = native
        # Asked for with every configuration.
        self._dof = len(native.coordinate_names)

    @classmethod
    def from_text(
        cls, urdf: str, *, srdf: str | None = None, folder: Path = "",
        surfaces: bool = False, base: Pose | None = None,
    ) -> Robot:  # fmt: skip
        """Reads the texts of a URDF and an SRDF; relative paths of meshes are from ``folder``."""
        robot = cls.__new__(cls)
        robot._hold(RobotChecker.parse(urdf, srdf, folder, surfaces, base))
        return robot

    @classmethod
    def example(cls) -> Robot:
        """A small arm of primitives that needs no files."""
        return cls.from_text(_native.EXAMPLE_URDF, srdf=_native.EXAMPLE_SRDF)

    def copy(self) -> Robot:
        """Another with the same bodies: what is added to one is not added to the other. Cheap."""
        robot = type(self).__new__(type(self))
        robot._hold(self._native.copy())
        return robot

    def __copy__(self) -> Robot:
        return self.copy()

    def __repr__(self) -> str:
        counts = f"{self.dof} coordinates, {len(self.bodies)} bodies, {len(self.pairs)} pairs"
        return f"Robot({self.name!r}, {counts})"

    @property
    def name(self) -> str:
        """As the file calls it."""
        return self._native.name

    @property
    def dof(self) -> int:
        """How many numbers a configuration has."""
        return self._dof

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        """What the numbers of a configuration are: a joint's name, and for joints of several
        coordinates which of them, as "base/qx"."""
        return tuple(self._native.coordinate_names)

    @property
    def limits(self) -> NDArray[np.float64]:
        """(dof, 2): what each coordinate may be. Questions do not heed it."""
        return self._native.limits

    @property
    def links(self) -> tuple[str, ...]:
        """Names, in the order of the file."""
        return tuple(self._native.links)

    @property
    def joints(self) -> tuple[RobotJoint, ...]:
        """In the order of the file."""
        return tuple(RobotJoint(*joint) for joint in self._native.joints)

    @property
    def bodies(self) -> tuple[RobotBody, ...]:
        """What is checked: shapes of links, then what was added and attached."""
        return tuple(RobotBody(*body) for body in self._native.bodies)

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Names of the bodies that are checked with each other."""
        return tuple(self._native.pairs)

    @property
    def allowed(self) -> tuple[RobotAllowed, ...]:
        """Pairs of links that are not checked, and why."""
        return tuple(RobotAllowed(*pair) for pair in self._native.allowed)

    @property
    def groups(self) -> dict[str, tuple[str, ...]]:
        """Groups of the SRDF and their joints."""
        return {name: tuple(joints) for name, joints in self._native.groups}

    @property
    def ignored(self) -> tuple[str, ...]:
        """What the files have that means nothing here, with file and line."""
        return tuple(self._native.ignored)

    @property
    def world(self) -> RobotWorld:
        """The bodies around the robot."""
        return RobotWorld(self._native)

    def state(self, name: str) -> NDArray[np.float64]:
        """(dof,): a configuration that the SRDF names; coordinates that it leaves out are 0, or the
        limit nearest to it.

        >>> import nearhit as nh
        >>> nh.Robot.example().state("rest")
        array([0. , 0.5, 1. , 0. , 0. ])
        """
        return self._native.state(name)

    def random(self, count: int, *, seed: int = 0) -> NDArray[np.float64]:
        """(count, dof): configurations within the limits, evenly; the same for the same seed.
        Coordinates without limits: angles from -π to π, places from -1 to 1.

        >>> import nearhit as nh
        >>> nh.Robot.example().random(3, seed=7).shape
        (3, 5)
        """
        return self._native.random(count, seed)

    def link_poses(
        self, q: ArrayLike, *, threads: int | None = None, progress: Progress | None = None
    ) -> NDArray[np.float64]:
        """(links, 4, 4), or (k, links, 4, 4) for many configurations: where every link is.

        >>> import nearhit as nh
        >>> robot = nh.Robot.example()
        >>> robot.link_poses([0, 0, 0, 0, 0.02])[robot.links.index("hand")][:3, 3].round(6)
        array([0.  , 0.  , 1.09])
        """
        array = self._configurations(q)
        found = self._native.link_poses(np.atleast_2d(array), {"threads": threads, "progress": progress})
        return found[0] if array.ndim == 1 else found

    @overload
    def collides(self, q: list[float] | tuple[float, ...]) -> bool: ...
    @overload
    def collides(
        self, q: ArrayLike, *, threads: int | None = ..., progress: Progress | None = ...
    ) -> bool | NDArray[np.bool_]: ...
    def collides(
        self, q: ArrayLike, *, threads: int | None = None, progress: Progress | None = None
    ) -> bool | NDArray[np.bool_]:
        """Do any two bodies touch? Of one configuration (dof,) a bool, of many (k, dof) an array (k,).

        ``threads``
            of many: how many; all cores if left out
        ``progress``
            of many: called with how many are done and how many there are

        >>> import nearhit as nh
        >>> robot = nh.Robot.example()
        >>> robot.collides([[0, 0, 0, 0, 0.02], [0, 1.9, 2.5, 0, 0.02]])
        array([False,  True])
        """
        array = self._configurations(q)
        if array.ndim == 1:
            return self._native.collides(array)
        return self._native.collides_each(array, {"threads": threads, "progress": progress})

    def contacts(self, q: ArrayLike, *, within: float = 0.0) -> list[tuple[str, str]]:
        """All pairs of bodies that touch, or are at most ``within`` apart, of one configuration.

        >>> import nearhit as nh
        >>> nh.Robot.example().contacts([0, 1.9, 2.5, 0, 0.02])
        [('base', 'fore'), ('base', 'hand'), ('base', 'left'), ('base', 'right'), ('shoulder', 'fore'), ('shoulder', 'hand')]
        """
        return self._native.contacts(self._one(q), within)

    @overload
    def distance(self, q: list[float] | tuple[float, ...], *, gradient: bool = ...) -> RobotDistance: ...
    @overload
    def distance(
        self, q: ArrayLike, *, gradient: bool = ..., threads: int | None = ..., progress: Progress | None = ...
    ) -> RobotDistance | RobotDistances: ...
    def distance(
        self, q: ArrayLike, *, gradient: bool = False, threads: int | None = None, progress: Progress | None = None
    ) -> RobotDistance | RobotDistances:
        """The closest two bodies, and how far apart they are; of one configuration or of many.

        ``gradient``
            also the derivative of the distance by each coordinate
        ``threads``, ``progress``
            of many: as of ``collides``

        >>> import nearhit as nh
        >>> robot = nh.Robot.example()
        >>> found = robot.distance([0, 1.6, 2.0, 0, 0.04], gradient=True)
        >>> found.pair, round(found.upper, 6)
        (('base', 'hand'), 0.037366)
        >>> found.gradient.round(3)
        array([ 0.   ,  0.041, -0.327,  0.   ,  0.   ])
        """
        array = self._configurations(q)
        batch = {"threads": threads, "progress": progress}
        pairs, lower, upper, points, slopes = self._native.closest(np.atleast_2d(array), gradient, batch)
        names = np.array([name for name, *_ in self._native.bodies])
        if array.ndim > 1:
            return RobotDistances(lower, upper, names[pairs], points, slopes)
        a, b = names[pairs[0]]
        slope = None if slopes is None else slopes[0]
        return RobotDistance(float(lower[0]), float(upper[0]), (str(a), str(b)), points[0], slope)

    def distances(
        self, q: ArrayLike, *, threads: int | None = None, progress: Progress | None = None
    ) -> NDArray[np.float64]:
        """(pairs, 2), or (k, pairs, 2) for many configurations: the lower and the upper end of every
        pair's distance, in the order of ``pairs``; 0 if they touch.

        >>> import nearhit as nh
        >>> robot = nh.Robot.example()
        >>> found = robot.distances([0, 0, 0, 0, 0.02])
        >>> found.shape, robot.pairs[int(found[:, 1].argmin())]
        ((14, 2), ('fore', 'left'))
        """
        array = self._configurations(q)
        found = self._native.distances(np.atleast_2d(array), {"threads": threads, "progress": progress})
        return found[0] if array.ndim == 1 else found

    def path_clear(
        self, q0: ArrayLike, q1: ArrayLike, *,
        clearance: float = 0.0, resolution: float = 1e-6, budget: int | None = None,
    ) -> PathClear:  # fmt: skip
        """Are all pairs farther apart than the clearance at every instant of the straight line from
        one configuration to another? Proven by bounds on how far any point can move, not by samples.

        ``clearance``
            bodies must be farther apart than this
        ``resolution``
            a contact is located to this share of the line; where bodies come so close to the clearance
            that this does not tell, and no contact is found, the answer is not known
        ``budget``
            how many pairs may be asked for their distance; no end if left out

        >>> import nearhit as nh
        >>> robot = nh.Robot.example()
        >>> bool(robot.path_clear([0, 0, 0, 0, 0], [1, 0.5, 1, 0, 0], clearance=0.005))
        True
        >>> found = robot.path_clear([0, 0, 0, 0, 0], [0, 1.9, 2.5, 0, 0])
        >>> found.clear, found.pair, 0.8 < found.certain_until <= found.contact < 0.9
        (False, ('base', 'fore'), True)
        >>> found = robot.path_clear([0, 0, 0, 0, 0], [0, 1.9, 2.5, 0, 0], budget=20)
        >>> found.clear, found.why, found.certain_until < 0.8
        (None, 'budget', True)
        """
        ends = self._one(q0), self._one(q1)
        return PathClear(*self._native.path_clear(*ends, clearance, resolution, budget))

    def spheres(self, count: int, *, per_link: bool = False) -> dict[str, NDArray[np.float64]]:
        """Balls for each link that contain it, closed meshes with their inside: by the link's name (n,
        4), x, y, z in the link's frame and the radius. ``count`` in all, shared so that the largest are
        as small as can be, or for each link (``per_link``). ``spheres_text`` writes them for planners.

        >>> import nearhit as nh
        >>> balls = nh.Robot.example().spheres(24)
        >>> sorted(balls), sum(len(own) for own in balls.values())
        (['base', 'fore', 'hand', 'left', 'right', 'shoulder', 'upper'], 24)
        """
        return dict(self._native.spheres(_positive(count), per_link, "json")[0])

    def spheres_text(
        self, count: int, format: Literal["json", "urdf", "srdf", "curobo", "xrdf", "foam"], *, per_link: bool = False
    ) -> str:
        """The same as a text: JSON, a URDF whose collision geometry are the balls, an SRDF with
        ``link_sphere_approximation``, cuRobo's YAML, Isaac's XRDF or JSON in Foam's words."""
        return self._native.spheres(_positive(count), per_link, format)[1]

    def attach(self, link: str, body: Body, *, name: str | None = None, pose: Pose | None = None) -> str:
        """Attaches a body to a link: it moves with it, and is checked as if it were the link's. Returns
        its name, which is "attached" and a number if not given. ``detach`` takes it away.

        ``body``
            a shape, a model, or anything that ``Model`` takes; closed meshes are solids unless the
            robot was read with ``surfaces=True``
        ``pose``
            where it is on the link

        >>> import nearhit as nh
        >>> robot = nh.Robot.example()
        >>> tool = robot.attach("hand", nh.Cylinder(0.01, 0.4))
        >>> robot.bodies[-1].link, robot.bodies[-1].attached
        ('hand', True)
        >>> robot.detach(tool)
        """
        if name is None:
            taken = {body.name for body in self.bodies}
            name = next(f"attached {number}" for number in range(1, len(taken) + 2) if f"attached {number}" not in taken)
        self._native.attach(link, name, _subject(body), pose)
        return name

    def detach(self, name: str) -> None:
        """Takes away a body that was attached."""
        self._native.remove(name)

    def pad(self, link: str, margin: float) -> None:
        """Grows all bodies of a link by a margin, beside what they are grown by already."""
        self._native.pad(link, margin)

    def allow(self, a: str, b: str) -> None:
        """Two links may touch: they are not checked from now on."""
        self._native.set_allowed(a, b, True)

    def forbid(self, a: str, b: str) -> None:
        """Two links may not touch, whatever was said before."""
        self._native.set_allowed(a, b, False)

    def _configurations(self, q: ArrayLike) -> NDArray[np.float64]:
        array = np.ascontiguousarray(q, dtype=np.float64)
        if array.ndim not in (1, 2) or array.shape[-1] != self._dof:
            raise ValueError(f"q must have the shape ({self.dof},) or (k, {self.dof}), not {np.shape(q)}")
        return array

    def _one(self, q: ArrayLike) -> NDArray[np.float64]:
        array = self._configurations(q)
        if array.ndim != 1:
            raise ValueError(f"q must be one configuration, of the shape ({self.dof},), not {array.shape}")
        return array


def _positive(count: int) -> int:
    if count < 1:
        raise ValueError(f"count must be at least 1, not {count}")
    return count


def _subject(body: Body) -> Shape | Model:
    return body if isinstance(body, (Shape, Model)) else Model(body)
