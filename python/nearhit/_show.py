"""Pictures of bodies and of what was found about them: a page for any browser, or in a notebook."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _native
from ._clash import Clash, _split
from ._models import model_of
from ._native import Model, Scene, Shape
from ._nc import NcFinding
from ._robot import Robot

__all__ = ["Picture", "show"]


class Picture:
    """A page with bodies and marks: one file, nothing fetched from anywhere. A notebook shows it."""

    __slots__ = ("height", "html")

    def __init__(self, page: str, height: int) -> None:
        self.html = page
        """The page."""
        self.height = height
        """Of the frame in a notebook, in pixels."""

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the page to a file."""
        Path(path).write_text(self.html, encoding="utf-8")

    def open(self) -> str:
        """Opens the page in the browser; returns the file that it is in."""
        # Here, so that importing the package stays quick.
        import tempfile
        import webbrowser

        with tempfile.NamedTemporaryFile("w", suffix=".html", prefix="nearhit-", delete=False, encoding="utf-8") as file:
            file.write(self.html)
        webbrowser.open(Path(file.name).as_uri())
        return file.name

    def _repr_html_(self) -> str:
        """For notebooks: a frame of its own, so that pages do not disturb each other."""
        style = f"width: 100%; height: {self.height}px; border: 1px solid #8888"
        return f'<iframe srcdoc="{html.escape(self.html)}" style="{style}" sandbox="allow-scripts"></iframe>'

    def __repr__(self) -> str:
        return f"<Picture of {len(self.html) / 1e6:.1f} MB: save(path), open(), or the last line of a notebook's cell>"


def show(what: Any, found: Any = None, *, q: ArrayLike | None = None, height: int = 480) -> Picture:
    """A picture of bodies, with what was found about them in red. A notebook shows it where it is the
    last line of a cell; ``nh.show(...).open()`` opens it in the browser.

    ``what``
        a model, shape or mesh; several by names, each with its pose if it has one; a
        ``trimesh.Scene``; a `Scene`; or a `Robot`
    ``found``
        an answer, or several, with ``points``: a distance, clashes, findings of `nc`. The parts that
        clashes name are red
    ``q``
        of a robot: its configuration; all coordinates at 0, or in the middle of their limits, if left
        out
    ``height``
        of the frame in a notebook

    >>> import nearhit as nh
    >>> parts = {"ball": nh.Ball(1), "box": (nh.Box(1, 2, 3), (np.eye(3), [1.2, 0, 0]))}
    >>> picture = nh.show(parts, nh.distance(*(nh.Ball(1), nh.Box(1, 2, 3)), pose_b=(np.eye(3), [3, 0, 0])))
    >>> "<canvas" in picture.html and picture._repr_html_().startswith("<iframe srcdoc=")
    True
    >>> picture.save("/dev/null")
    """
    bodies = _bodies(what, q)
    if not bodies:
        raise ValueError("there is nothing to show: no body has a surface with an end")
    marks, named = _marks(found)
    everything = np.concatenate([corners for _, corners, _ in bodies])
    data = {
        "bodies": [_body(name, corners, faces, name in named) for name, corners, faces in bodies],
        "marks": _packed(marks, "<f4"),
        "low": everything.min(axis=0).tolist(),
        "high": everything.max(axis=0).tolist(),
    }
    # "</" would end the script element that the data is in.
    text = json.dumps(data).replace("</", "<\\/")
    page = (Path(__file__).parent / "_page.html").read_text(encoding="utf-8")
    return Picture(page.replace("{{data}}", text), height)


Surface = tuple[str, NDArray[np.float64], NDArray[np.int64]]


def _bodies(what: Any, q: Any) -> list[Surface]:
    """Name, corners and triangles of each, in the world."""
    if isinstance(what, Robot):
        return [(name, *surface) for name, surface in what._native.surfaces(_configuration(what, q))]
    if q is not None:
        raise ValueError("q is the configuration of a robot")
    if isinstance(what, Scene):
        rows: list[Any] = what._surfaces()
        return [(body if part == body else f"{body}/{part}", *surface) for body, part, surface in rows]
    if hasattr(what, "graph") and hasattr(what, "geometry"):
        return [(str(node), *_of_node(what, node)) for node in what.graph.nodes_geometry]
    named = what if isinstance(what, Mapping) else {"body": what}
    surfaces = [(str(name), _surface(body)) for name, body in named.items()]
    return [(name, *surface) for name, surface in surfaces if surface is not None]


def _configuration(robot: Robot, q: Any) -> NDArray[np.float64]:
    if q is not None:
        return np.ascontiguousarray(q, dtype=np.float64)
    limits = robot.limits
    middle = np.where(np.isfinite(limits).all(axis=1), limits.mean(axis=1), 0.0)
    # At 0 where that is allowed.
    return np.where((limits[:, 0] <= 0.0) & (limits[:, 1] >= 0.0), 0.0, middle)


def _surface(body: Any) -> Any:
    if isinstance(body, tuple) and len(body) == 2 and isinstance(body[0], Shape):
        body, pose = body
    else:
        body, pose = _split(body)
    if isinstance(body, (str, PathLike)):
        body = Model(body)
    return _native.surface(body if isinstance(body, Shape) else model_of(body), pose)


def _of_node(scene: Any, node: Any) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    transform, geometry = scene.graph[node]
    mesh = scene.geometry[geometry]
    pose = np.asarray(transform, dtype=np.float64)
    corners = np.asarray(mesh.vertices, dtype=np.float64) @ pose[:3, :3].T + pose[:3, 3]
    return corners, np.asarray(getattr(mesh, "faces", np.zeros((0, 3))), dtype=np.int64)


def _marks(found: Any) -> tuple[NDArray[np.float64], set[str]]:
    """(2 n, 3): ends of lines; and names of what is red."""
    if found is None:
        return np.zeros((0, 3)), set()
    many = isinstance(found, Iterable) and not hasattr(found, "points")
    answers = list(found) if many else [found]
    lines, named = [], set()
    for one in answers:
        if isinstance(one, NcFinding):
            if one.tip is not None and one.point is not None:
                lines.append(np.stack([one.tip, one.point]))
            named.add(one.body)
        elif hasattr(one, "points"):
            if one.points is not None:
                lines.append(np.asarray(one.points, dtype=np.float64).reshape(-1, 3))
        else:
            raise TypeError(f"a {type(one).__name__} has no points to show")
        if isinstance(one, Clash):
            named.update(one.names)
    pairs = [points[: len(points) // 2 * 2] for points in lines]
    return (np.concatenate(pairs) if pairs else np.zeros((0, 3))), named


def _body(name: str, corners: Any, faces: Any, marked: bool) -> dict[str, Any]:
    return {"name": name, "marked": marked, "corners": _packed(corners, "<f4"), "triangles": _packed(faces, "<u4")}


def _packed(array: Any, kind: str) -> str:
    """As the page reads it: numbers in a row, in base 64."""
    return base64.b64encode(np.ascontiguousarray(array, dtype=kind).tobytes()).decode("ascii")
