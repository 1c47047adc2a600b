"""Geometries: python-fcl's classes on nearhit's shapes and models.

A geometry makes what is asked about when it is first needed, and again after one of its sizes was
set.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._native import Model, Placed
from .._shapes import Ball, HalfSpace, Hull, Shape
from .._shapes import Box as _Box
from .._shapes import Capsule as _Capsule
from .._shapes import Cone as _Cone
from .._shapes import Cylinder as _Cylinder
from .._shapes import Ellipsoid as _Ellipsoid
from ._data import NODE_TYPE, OBJECT_TYPE, Vector

BUILT, BEGUN, EMPTY = 2, 1, 0
"""States of a `BVHModel`."""


def vector(value: ArrayLike, name: str = "a vector") -> Vector:
    """(3,), of its own."""
    array = np.array(value, dtype=np.float64).reshape(-1)
    if array.shape != (3,):
        raise ValueError(f"{name} has 3 numbers, not {array.size}")
    return array


class CollisionGeometry:
    """What all geometries share. It is none itself."""

    __slots__ = ("__weakref__", "_center", "_placed")

    _node: NODE_TYPE | None = None
    _object = OBJECT_TYPE.OT_GEOM

    def __init__(self) -> None:
        self._placed: Placed | None = None
        self._center: Vector | None = None

    def getNodeType(self) -> int | None:
        """One of `NODE_TYPE`."""
        return None if self._node is None else int(self._node)

    def computeLocalAABB(self) -> None:
        """Nothing to do: the box is always that of the sizes as they are."""

    @property
    def aabb_center(self) -> Vector | None:
        """The middle of the box around the geometry, in its own frame; zero for half-spaces and
        planes. What is assigned is returned, and changes nothing else."""
        if self._node is None:
            return None
        if self._center is not None:
            return self._center.copy()
        middle = self._base().bounds.mean(axis=0)
        return middle if np.isfinite(middle).all() else np.zeros(3)

    @aabb_center.setter
    def aabb_center(self, value: ArrayLike) -> None:
        if self._node is None:
            raise ReferenceError("a CollisionGeometry without a kind has no box")
        self._center = vector(value, "aabb_center")

    def _base(self) -> Placed:
        """At the origin."""
        if self._placed is None:
            self._placed = Placed(self._subject())
        return self._placed

    def _subject(self) -> Shape | Model:
        raise ValueError("a CollisionGeometry without a kind cannot be asked about")

    def _changed(self) -> None:
        self._placed = None

    def __repr__(self) -> str:
        return f"<nearhit.fcl.{type(self).__name__}>"


class _Sized(CollisionGeometry):
    """A geometry that is all said by some numbers."""

    __slots__ = ("_sizes",)

    def __init__(self, *sizes: float) -> None:
        super().__init__()
        self._sizes = [float(size) for size in sizes]
        self._base()

    def _set(self, index: int, value: float) -> None:
        before = self._sizes[index]
        self._sizes[index] = float(value)
        self._replaced(lambda: self._sizes.__setitem__(index, before))

    def _set_all(self, values: ArrayLike) -> None:
        before = self._sizes
        self._sizes = vector(values).tolist()
        self._replaced(lambda: setattr(self, "_sizes", before))

    def _replaced(self, undo: Any) -> None:
        """Sizes that make no shape are refused, and nothing is changed."""
        self._changed()
        try:
            self._base()
        except ValueError:
            undo()
            self._changed()
            raise

    def __repr__(self) -> str:
        return f"nearhit.fcl.{type(self).__name__}({', '.join(map(repr, self._sizes))})"


class Box(_Sized):
    """A box about the origin, by its whole sides."""

    __slots__ = ()
    _node = NODE_TYPE.GEOM_BOX

    def __init__(self, x: float, y: float, z: float) -> None:
        super().__init__(x, y, z)

    def _subject(self) -> Shape:
        return _Box(*self._sizes)

    @property
    def side(self) -> Vector:
        """(3,)"""
        return np.array(self._sizes)

    @side.setter
    def side(self, value: ArrayLike) -> None:
        self._set_all(value)


class Sphere(_Sized):
    """A ball about the origin."""

    __slots__ = ()
    _node = NODE_TYPE.GEOM_SPHERE

    def __init__(self, radius: float) -> None:
        super().__init__(radius)

    def _subject(self) -> Shape:
        return Ball(self._sizes[0])

    @property
    def radius(self) -> float:
        return self._sizes[0]

    @radius.setter
    def radius(self, value: float) -> None:
        self._set(0, value)


class Ellipsoid(_Sized):
    """An ellipsoid about the origin, by its radii."""

    __slots__ = ()
    _node = NODE_TYPE.GEOM_ELLIPSOID

    def __init__(self, a: float, b: float, c: float) -> None:
        super().__init__(a, b, c)

    def _subject(self) -> Shape:
        return _Ellipsoid(*self._sizes)

    @property
    def radii(self) -> Vector:
        """(3,)"""
        return np.array(self._sizes)

    @radii.setter
    def radii(self, values: ArrayLike) -> None:
        self._set_all(values)


class _Round(_Sized):
    """Of a radius and a length along z, about the origin."""

    __slots__ = ()

    def __init__(self, radius: float, lz: float) -> None:
        super().__init__(radius, lz)

    @property
    def radius(self) -> float:
        return self._sizes[0]

    @radius.setter
    def radius(self, value: float) -> None:
        self._set(0, value)

    @property
    def lz(self) -> float:
        """The length along z; of a capsule between the middles of its ends."""
        return self._sizes[1]

    @lz.setter
    def lz(self, value: float) -> None:
        self._set(1, value)


class Capsule(_Round):
    """All points within ``radius`` of a segment of length ``lz`` along z about the origin."""

    __slots__ = ()
    _node = NODE_TYPE.GEOM_CAPSULE

    def _subject(self) -> Shape:
        return _Capsule(*self._sizes)


class Cone(_Round):
    """A cone about z: its base at ``-lz / 2``, its tip at ``lz / 2``."""

    __slots__ = ()
    _node = NODE_TYPE.GEOM_CONE

    def _subject(self) -> Shape:
        return _Cone(*self._sizes)


class Cylinder(_Round):
    """A cylinder about z, from ``-lz / 2`` to ``lz / 2``."""

    __slots__ = ()
    _node = NODE_TYPE.GEOM_CYLINDER

    def _subject(self) -> Shape:
        return _Cylinder(*self._sizes)


class TriangleP(CollisionGeometry):
    """A triangle."""

    __slots__ = ("_corners",)
    _node = NODE_TYPE.GEOM_TRIANGLE

    def __init__(self, a: ArrayLike, b: ArrayLike, c: ArrayLike) -> None:
        super().__init__()
        self._corners = [vector(a), vector(b), vector(c)]
        self._base()

    def _subject(self) -> Shape:
        return Hull(self._corners)

    def _set(self, corner: int, value: ArrayLike) -> None:
        self._corners[corner] = vector(value)
        self._changed()

    @property
    def a(self) -> Vector:
        return self._corners[0].copy()

    @a.setter
    def a(self, value: ArrayLike) -> None:
        self._set(0, value)

    @property
    def b(self) -> Vector:
        return self._corners[1].copy()

    @b.setter
    def b(self, value: ArrayLike) -> None:
        self._set(1, value)

    @property
    def c(self) -> Vector:
        return self._corners[2].copy()

    @c.setter
    def c(self, value: ArrayLike) -> None:
        self._set(2, value)


class Convex(CollisionGeometry):
    """The convex hull of vertices (n, 3).

    ``faces`` is a flat list: the number of a face's corners, their indices, and so on, as python-fcl
    takes it. The hull is that of the vertices, whatever the faces say.
    """

    __slots__ = ("_faces", "_vertices")
    _node = NODE_TYPE.GEOM_CONVEX

    def __init__(self, vertices: ArrayLike, num_faces: int, faces: ArrayLike | Iterable[int]) -> None:
        super().__init__()
        self._vertices = np.array(vertices, dtype=np.float64)
        if self._vertices.ndim != 2 or self._vertices.shape[1] != 3:
            raise ValueError(f"vertices must have the shape (n, 3), not {self._vertices.shape}")
        self._faces = _faces(np.asarray(faces, dtype=np.int64).ravel().tolist(), int(num_faces), len(self._vertices))
        self._base()

    def _subject(self) -> Shape:
        return Hull(self._vertices)

    @property
    def num_faces(self) -> int:
        return len(self._faces)


def _faces(flat: Sequence[int], count: int, vertices: int) -> list[Sequence[int]]:
    """What python-fcl reads without looking."""
    faces, at = [], 0
    for number in range(count):
        if at >= len(flat):
            raise ValueError(f"faces end after {number} of {count}")
        face = flat[at + 1 : at + 1 + flat[at]]
        if flat[at] < 3 or len(face) != flat[at]:
            raise ValueError(f"face {number} says {flat[at]} corners and has {len(face)}; at least 3 make a face")
        if not all(0 <= corner < vertices for corner in face):
            raise ValueError(f"face {number} is {face}: there are vertices 0 to {vertices - 1}")
        faces.append(face)
        at += 1 + flat[at]
    if at != len(flat):
        raise ValueError(f"faces have {len(flat)} numbers, of which {count} faces need {at}")
    return faces


class _Flat(CollisionGeometry):
    """Said by a normal and an offset. The normal need not have length one."""

    __slots__ = ("_d", "_n")

    def __init__(self, n: ArrayLike, d: float) -> None:
        super().__init__()
        self._n, self._d = vector(n, "a normal"), float(d)
        self._base()

    def _subject(self) -> Shape:
        return HalfSpace(self._n, self._d)

    @property
    def n(self) -> Vector:
        """The normal, of length one."""
        return self._n / np.linalg.norm(self._n)

    @n.setter
    def n(self, value: ArrayLike) -> None:
        self._n = vector(value, "a normal")
        self._changed()

    @property
    def d(self) -> float:
        """The offset along the normal of length one."""
        return float(self._d / np.linalg.norm(self._n))

    @d.setter
    def d(self, value: float) -> None:
        self._n, self._d = self.n, float(value)
        self._changed()


class Halfspace(_Flat):
    """Everything with ``n · x <= d``."""

    __slots__ = ()
    _node = NODE_TYPE.GEOM_HALFSPACE


class Plane(_Flat):
    """Everything with ``n · x = d``."""

    __slots__ = ("_other",)
    _node = NODE_TYPE.GEOM_PLANE

    def __init__(self, n: ArrayLike, d: float) -> None:
        self._other: Placed | None = None
        super().__init__(n, d)

    def _changed(self) -> None:
        super()._changed()
        self._other = None

    def _above(self) -> Placed:
        """The half-space on the other side, at the origin."""
        if self._other is None:
            self._other = Placed(HalfSpace(-self._n, -self._d))
        return self._other


class BVHModel(CollisionGeometry):
    """A mesh: a surface.

    >>> import nearhit.fcl as fcl
    >>> mesh = fcl.BVHModel()
    >>> _ = mesh.beginModel(3, 1)
    >>> mesh.addSubModel([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    True
    >>> _ = mesh.endModel()
    >>> mesh.num_tries_()
    1
    """

    __slots__ = ("_count", "_model", "_pieces", "_state", "_vertices")
    _node = NODE_TYPE.BV_OBBRSS
    _object = OBJECT_TYPE.OT_BVH

    def __init__(self) -> None:
        super().__init__()
        self._clear(EMPTY)

    def _clear(self, state: int) -> None:
        self._state, self._count, self._vertices = state, 0, 0
        self._pieces: list[tuple[NDArray[np.float64], NDArray[np.int64]]] = []
        self._model: Model | None = None
        self._changed()

    def num_tries_(self) -> int:
        """The number of triangles."""
        return self._count

    def buildState(self) -> int:
        """0: empty, 1: begun, 2: built."""
        return self._state

    def beginModel(self, num_tris_: int = 0, num_vertices_: int = 0) -> int:
        """Begins, anew if there was something. The numbers are not needed."""
        self._clear(BEGUN)
        return 0

    def endModel(self) -> int:
        """Builds the tree. As in FCL a model that was not begun is code -2, an empty one -3."""
        if self._state != BEGUN:
            return -2
        if self._count == 0:
            return -3
        vertices, faces = np.concatenate([v for v, _ in self._pieces]), np.concatenate([f for _, f in self._pieces])
        self._model = Model((vertices, faces))
        self._pieces, self._state = [], BUILT
        self._changed()
        return 0

    def addVertex(self, x: float, y: float, z: float) -> bool:
        """Adds a vertex, which is of no triangle."""
        return self._add(np.array([[x, y, z]], dtype=np.float64), np.empty((0, 3), dtype=np.int64))

    def addTriangle(self, v1: ArrayLike, v2: ArrayLike, v3: ArrayLike) -> bool:
        """Adds a triangle by its corners."""
        return self._add(np.array([vector(v1), vector(v2), vector(v3)]), np.array([[0, 1, 2]]))

    def addSubModel(self, verts: ArrayLike, triangles: ArrayLike) -> bool:
        """Adds a mesh: vertices (n, 3) and triangles (m, 3)."""
        vertices, faces = np.array(verts, dtype=np.float64), np.array(triangles, dtype=np.int64)
        for array, name in ((vertices, "verts"), (faces, "triangles")):
            if array.ndim != 2 or array.shape[1] != 3:
                raise ValueError(f"{name} must have the shape (n, 3), not {array.shape}")
        if faces.size and not 0 <= faces.min() <= faces.max() < len(vertices):
            raise ValueError(f"triangles name vertices {faces.min()} to {faces.max()}: there are {len(vertices)}")
        return self._add(vertices, faces)

    def _add(self, vertices: NDArray[np.float64], faces: NDArray[np.int64]) -> bool:
        if self._state != BEGUN:
            raise ValueError("BVH construction does not follow correct sequence: beginModel comes first")
        self._pieces.append((vertices, faces + self._vertices))
        self._count += len(faces)
        self._vertices += len(vertices)
        return True

    def _subject(self) -> Model:
        if self._model is None:
            raise ValueError("BVH geometry is not prepared: beginModel, addSubModel and endModel come first")
        return self._model

    def __repr__(self) -> str:
        return f"<nearhit.fcl.BVHModel of {self._count} triangles>"


def built(model: Model) -> BVHModel:
    """A mesh that has its tree already."""
    mesh = BVHModel()
    mesh._model, mesh._state, mesh._count, mesh._vertices = model, BUILT, len(model), len(model.vertices)
    return mesh


class _HullOf(Convex):
    """A convex mesh whose hull is made when it is first needed."""

    __slots__ = ("_model",)

    def __init__(self, model: Model) -> None:
        CollisionGeometry.__init__(self)
        self._model = model

    def _subject(self) -> Shape:
        return Hull(self._model.vertices)

    @property
    def num_faces(self) -> int:
        return len(self._model)


def hull_of(model: Model) -> Convex:
    """A convex mesh as a solid."""
    return _HullOf(model)
