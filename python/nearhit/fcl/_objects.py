"""Transforms, and geometries with a place."""

from __future__ import annotations

from typing import overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._native import Placed
from ._data import Vector
from ._geometry import CollisionGeometry, Plane, vector


def _rotation(value: ArrayLike) -> NDArray[np.float64]:
    """From a matrix, or a quaternion w, x, y, z of any length but 0."""
    array = np.asarray(value, dtype=np.float64)
    if array.shape == (3, 3):
        return array
    if array.shape == (4,):
        return _from_quaternion(array)
    raise ValueError(f"a rotation is a (3, 3) matrix or a quaternion (w, x, y, z), not an array {array.shape}")


def _from_quaternion(quaternion: ArrayLike) -> NDArray[np.float64]:
    array = np.asarray(quaternion, dtype=np.float64)
    if array.shape != (4,):
        raise ValueError(f"a quaternion (w, x, y, z) has 4 numbers, not the shape {array.shape}")
    length = float(np.linalg.norm(array))
    if not 0.0 < length < float("inf"):
        raise ValueError(f"the quaternion {array.tolist()} says no rotation")
    w, x, y, z = (array / length).tolist()
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def _to_quaternion(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """By its largest part, which is not near 0."""
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = matrix.tolist()
    w2, x2, y2, z2 = 1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz
    rows = {
        w2: (w2, zy - yz, xz - zx, yx - xy),
        x2: (zy - yz, x2, xy + yx, xz + zx),
        y2: (xz - zx, xy + yx, y2, yz + zy),
        z2: (yx - xy, xz + zx, yz + zy, z2),
    }
    row: NDArray[np.float64] = np.array(rows[max(rows)])
    length = float(np.linalg.norm(row))
    return row / (length if row[0] >= 0.0 else -length)


class Transform:
    """A rotation and a translation.

    ``Transform()``, ``Transform(other)``, ``Transform(rotation)``, ``Transform(translation)`` or
    ``Transform(rotation, translation)``; a rotation is a (3, 3) matrix or a quaternion (w, x, y, z).

    >>> import nearhit.fcl as fcl
    >>> fcl.Transform([0.0, 1.0, 0.0, 0.0], [1, 2, 3]).getRotation().diagonal()
    array([ 1., -1., -1.])
    """

    __slots__ = ("_matrix",)

    @overload
    def __init__(self) -> None: ...
    @overload
    def __init__(self, rotation: Transform | ArrayLike, /) -> None: ...
    @overload
    def __init__(self, rotation: ArrayLike, translation: ArrayLike, /) -> None: ...
    def __init__(self, *args: Transform | ArrayLike) -> None:
        self._matrix = np.eye(4)
        if len(args) == 1 and isinstance(args[0], Transform):
            self._matrix[:] = args[0]._matrix
        elif len(args) == 1:
            array = np.asarray(args[0], dtype=np.float64)
            if array.shape == (3,):
                self._matrix[:3, 3] = array
            else:
                self._matrix[:3, :3] = _rotation(array)
        elif len(args) == 2:
            self._matrix[:3, :3] = _rotation(args[0])  # type: ignore[arg-type]
            translation = np.asarray(args[1], dtype=np.float64).squeeze()
            if translation.shape != (3,):
                raise ValueError(f"Translation must be (3,), not {translation.shape}.")
            self._matrix[:3, 3] = translation
        elif args:
            raise ValueError("Too many arguments to Transform().")

    def getRotation(self) -> NDArray[np.float64]:
        """(3, 3)"""
        return self._matrix[:3, :3].copy()

    def getTranslation(self) -> Vector:
        """(3,)"""
        return self._matrix[:3, 3].copy()

    def getQuatRotation(self) -> NDArray[np.float64]:
        """(4,): w, x, y, z"""
        return _to_quaternion(self._matrix[:3, :3])

    def setRotation(self, R: ArrayLike) -> None:
        self._matrix[:3, :3] = np.asarray(R, dtype=np.float64).reshape(3, 3)

    def setTranslation(self, T: ArrayLike) -> None:
        self._matrix[:3, 3] = vector(T, "a translation")

    def setQuatRotation(self, q: ArrayLike) -> None:
        self._matrix[:3, :3] = _from_quaternion(q)

    def __repr__(self) -> str:
        return f"nearhit.fcl.Transform({self._matrix[:3, :3].tolist()}, {self._matrix[:3, 3].tolist()})"


class CollisionObject:
    """A geometry with a place.

    >>> import nearhit.fcl as fcl
    >>> ball = fcl.CollisionObject(fcl.Sphere(1.0), fcl.Transform([0.0, 0.0, 2.0]))
    >>> ball.getTranslation()
    array([0., 0., 2.])
    """

    __slots__ = ("__weakref__", "_above", "_at", "_base", "_geometry", "_matrix", "_moves", "_news")

    def __init__(self, geom: CollisionGeometry | None = None, tf: Transform | None = None) -> None:
        if geom is None or geom.getNodeType() is None:
            raise ValueError("a CollisionObject needs a geometry: a Box, a Sphere, a BVHModel, …")
        self._geometry = geom
        self._matrix = np.eye(4) if tf is None else tf._matrix.copy()
        self._base: Placed | None = None
        self._at: Placed | None = None
        self._above: Placed | None = None
        self._moves = 0
        self._news: set[CollisionObject] | None = None

    def _moved(self) -> None:
        self._at = None
        self._moves += 1
        if self._news is not None:
            self._news.add(self)

    def _placed(self) -> Placed:
        """Where it is, as large as its geometry is now."""
        base = self._geometry._placed
        if base is None:
            base = self._geometry._base()
        if self._at is None or base is not self._base:
            self._base, self._at, self._above = base, base.moved(self._matrix), None
        return self._at

    def _sides(self) -> tuple[Placed, Placed]:
        """Of a plane: the half-spaces on both sides."""
        below, geometry = self._placed(), self._geometry
        assert isinstance(geometry, Plane)
        if self._above is None:
            self._above = geometry._above().moved(self._matrix)
        return below, self._above

    @property
    def collision_geometry(self) -> CollisionGeometry:
        """The geometry, the very one."""
        return self._geometry

    def getObjectType(self) -> int:
        """One of `OBJECT_TYPE`."""
        return int(self._geometry._object)

    def getNodeType(self) -> int:
        """One of `NODE_TYPE`."""
        return int(self._geometry.getNodeType() or 0)

    def getTranslation(self) -> Vector:
        """(3,)"""
        return self._matrix[:3, 3].copy()

    def setTranslation(self, vec: ArrayLike) -> None:
        self._matrix[:3, 3] = vector(vec, "a translation")
        self._moved()

    def getRotation(self) -> NDArray[np.float64]:
        """(3, 3)"""
        return self._matrix[:3, :3].copy()

    def setRotation(self, mat: ArrayLike) -> None:
        self._matrix[:3, :3] = np.asarray(mat, dtype=np.float64).reshape(3, 3)
        self._moved()

    def getQuatRotation(self) -> NDArray[np.float64]:
        """(4,): w, x, y, z"""
        return _to_quaternion(self._matrix[:3, :3])

    def setQuatRotation(self, q: ArrayLike) -> None:
        self._matrix[:3, :3] = _from_quaternion(q)
        self._moved()

    def getTransform(self) -> Transform:
        """A copy."""
        found = Transform()
        found._matrix[:] = self._matrix
        return found

    def setTransform(self, tf: Transform) -> None:
        self._matrix[:] = tf._matrix
        self._moved()

    def isOccupied(self) -> bool:
        """Always: there is no cost density."""
        return True

    def isFree(self) -> bool:
        """Never."""
        return False

    def isUncertain(self) -> bool:
        """Never."""
        return False

    def __repr__(self) -> str:
        return f"<nearhit.fcl.CollisionObject of {self._geometry!r} at {self._matrix[:3, 3].tolist()}>"
