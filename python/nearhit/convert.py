"""STEP and IFC files as GLB files, by packages made for them.

    pip install cascadio                            # STEP
    pip install ifcopenshell                        # IFC
    python -m nearhit.convert gearbox.step gearbox.glb
    nearhit clash gearbox.glb

`clash` does the same for such files by itself. Parts of a STEP file are called after their
assemblies and product, ``gearbox/shaft``; those of an IFC file ``IfcWall/name/GUID``, so that rules
can name classes (``IfcWall/*``) and BCF files have the GUIDs. Lengths are in metres, as GLB has
them; an IFC file keeps its axes, z up.
"""

from __future__ import annotations

import importlib
import json
import struct
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["convert"]

_STEP = {".step", ".stp"}
_IFC = {".ifc"}
_LEFT_OUT = (
    "IfcOpeningElement", "IfcSpace", "IfcSpatialZone", "IfcExternalSpatialElement", "IfcVirtualElement", "IfcGrid", "IfcAnnotation"
)  # fmt: skip
"""Classes that are no parts: what is cut away, rooms and zones, boundaries in the air, lines."""


def convert(
    path: str | PathLike[str], to: str | PathLike[str], *, deflection: float = 0.01, angle: float = 0.5
) -> None:
    """Writes a STEP or IFC file as a GLB file.

    Curved faces of STEP files become triangles that are off by at most ``deflection`` (in the file's
    unit) and ``angle`` (in radians).
    """
    source, target = Path(fspath(path)), Path(fspath(to))
    if not source.is_file():
        raise FileNotFoundError(f"{source}: there is no such file")
    suffix = source.suffix.lower()
    if suffix in _STEP:
        _step(source, target, deflection, angle)
    elif suffix in _IFC:
        _ifc(source, target)
    else:
        raise ValueError(f"{source}: only .step, .stp and .ifc files are converted; others are read as they are")


def is_converted(path: str) -> bool:
    """Is it a file that `clash` converts before it reads it?"""
    return Path(path).suffix.lower() in _STEP | _IFC


@contextmanager
def as_glb(path: str) -> Iterator[str]:
    """A GLB file of a STEP or IFC file, for a while."""
    # Here alone, for it takes a while to import.
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        made = str(Path(folder) / (Path(path).stem + ".glb"))
        convert(path, made)
        yield made


def _package(name: str, source: Path) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        package = name.split(".")[0]
        raise ImportError(
            f"{source}: {source.suffix} files are read by the package {package}, which is not installed: "
            f"pip install {package}"
        ) from error


def _step(source: Path, target: Path, deflection: float, angle: float) -> None:
    cascadio = _package("cascadio", source)
    if cascadio.step_to_glb(str(source), str(target), deflection, angle) != 0 or not target.is_file():
        raise ValueError(f"{source}: cascadio could not read it as STEP")
    target.write_bytes(_named_by_product(target.read_bytes()))


def _named_by_product(glb: bytes) -> bytes:
    """With nodes called after their product: a STEP file's own names of places (``NAUO17``) say
    nothing."""
    length = struct.unpack_from("<I", glb, 12)[0]
    scene, rest = json.loads(glb[20 : 20 + length]), glb[20 + length :]
    nodes, meshes = scene.get("nodes", []), scene.get("meshes", [])
    for node in nodes:
        name = meshes[node["mesh"]].get("name") if "mesh" in node else None
        if name:
            node["name"] = name
    return _framed(json.dumps(scene).encode(), rest)


def _framed(text: bytes, rest: bytes) -> bytes:
    """A GLB file of its JSON and the chunks after that."""
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text + rest
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def _ifc(source: Path, target: Path) -> None:
    ifcopenshell = _package("ifcopenshell", source)
    geom = _package("ifcopenshell.geom", source)
    shape_of = _package("ifcopenshell.util.shape", source)
    try:
        model = ifcopenshell.open(str(source))
    except Exception as error:
        raise ValueError(f"{source}: ifcopenshell could not read it as IFC: {error}") from error
    left_out = [element for name in _LEFT_OUT for element in _by_type(model, name)]
    iterator = geom.iterator(geom.settings(), model, **({"exclude": left_out} if left_out else {}))
    glb, shapes = _Glb(), dict[str, int | None]()
    if iterator.initialize():
        while True:
            shape = iterator.get()
            element, key = model.by_guid(shape.guid), str(shape.geometry.id)
            if key not in shapes:
                shapes[key] = glb.mesh(shape_of.get_vertices(shape.geometry), shape_of.get_faces(shape.geometry))
            mesh = shapes[key]
            if mesh is not None:
                name = f"{element.is_a()}/{element.Name or 'unnamed'}/{shape.guid}"
                glb.node(name, mesh, shape_of.get_shape_matrix(shape))
            if not iterator.next():
                break
    if not glb.nodes:
        raise ValueError(f"{source}: no element of it has a shape")
    target.write_bytes(glb.bytes())


def _by_type(model: Any, name: str) -> list[Any]:
    try:
        return list(model.by_type(name))
    except RuntimeError:
        return []  # not in this version of IFC


class _Glb:
    """A binary glTF file: meshes, each once, and nodes that place them."""

    def __init__(self) -> None:
        self.nodes: list[dict[str, Any]] = []
        self._meshes: list[dict[str, Any]] = []
        self._accessors: list[dict[str, Any]] = []
        self._views: list[dict[str, Any]] = []
        self._data = bytearray()

    def mesh(self, vertices: NDArray[Any], faces: NDArray[Any]) -> int | None:
        """Its number; none if it has no triangles."""
        points = np.ascontiguousarray(vertices, dtype="<f4").reshape(-1, 3)
        corners = np.ascontiguousarray(faces, dtype="<u4").reshape(-1)
        if not len(points) or not len(corners):
            return None
        position = self._accessor(points, 5126, "VEC3", len(points))
        self._accessors[position] |= {"min": points.min(axis=0).tolist(), "max": points.max(axis=0).tolist()}
        index = self._accessor(corners, 5125, "SCALAR", len(corners))
        self._meshes.append({"primitives": [{"attributes": {"POSITION": position}, "indices": index}]})
        return len(self._meshes) - 1

    def node(self, name: str, mesh: int, matrix: NDArray[Any]) -> None:
        columns = np.asarray(matrix, dtype=np.float64).T.reshape(-1).tolist()
        self.nodes.append({"name": name, "mesh": mesh, "matrix": columns})

    def _accessor(self, array: NDArray[Any], component: int, kind: str, count: int) -> int:
        self._views.append({"buffer": 0, "byteOffset": len(self._data), "byteLength": array.nbytes})
        self._data += array.tobytes()
        self._accessors.append(
            {"bufferView": len(self._views) - 1, "componentType": component, "type": kind, "count": count}
        )
        return len(self._accessors) - 1

    def bytes(self) -> bytes:
        text = json.dumps(
            {
                "asset": {"version": "2.0", "generator": "nearhit"},
                "scene": 0,
                "scenes": [{"nodes": list(range(len(self.nodes)))}],
                "nodes": self.nodes,
                "meshes": self._meshes,
                "accessors": self._accessors,
                "bufferViews": self._views,
                "buffers": [{"byteLength": len(self._data)}],
            }
        ).encode()
        return _framed(text, struct.pack("<II", len(self._data), 0x004E4942) + bytes(self._data))


def main(arguments: list[str]) -> int:
    """``python -m nearhit.convert IN OUT.glb``."""
    if len(arguments) != 2:
        print("usage: python -m nearhit.convert FILE.step|FILE.ifc OUT.glb", file=sys.stderr)
        return 2
    try:
        convert(arguments[0], arguments[1])
    except (ImportError, OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
