"""Pictures: what the page is given is what the bodies are."""

import base64
import json
import re

import numpy as np
import pytest
from shapes import box, moved

import nearhit as nh


def data(picture):
    return json.loads(re.search(r'<script id="data" type="application/json">(.*?)</script>', picture.html, re.DOTALL)[1])


def corners(body):
    return np.frombuffer(base64.b64decode(body["corners"]), "<f4").reshape(-1, 3)


def faces(body):
    return np.frombuffer(base64.b64decode(body["triangles"]), "<u4").reshape(-1, 3)


def volume(body):
    a, b, c = (corners(body).astype(float)[faces(body)[:, k]] for k in range(3))
    return np.einsum("ij,ij->", a, np.cross(b, c)) / 6


def test_models_meshes_and_shapes_are_where_they_are(tmp_path):
    parts = {
        "model": nh.Model(box(2.0)), "mesh": (box(1.0), moved(5, 0, 0)), "box": (nh.Box(1, 2, 3), moved(0, 9, 0)),
        "rod": (nh.Cylinder(1, 4), moved(0, 0, 7)), "floor": nh.HalfSpace([0, 0, 1], 0),
    }  # fmt: skip
    shown = data(nh.show(parts))
    bodies = {body["name"]: body for body in shown["bodies"]}
    assert list(bodies) == ["model", "mesh", "box", "rod"], "a half-space has no end"
    assert volume(bodies["model"]) == pytest.approx(8) and volume(bodies["mesh"]) == pytest.approx(1)
    assert corners(bodies["mesh"]).min(axis=0).tolist() == [5, 0, 0]
    assert volume(bodies["box"]) == pytest.approx(6) and corners(bodies["box"]).max(axis=0).tolist() == [0.5, 10, 1.5]
    assert volume(bodies["rod"]) == pytest.approx(4 * np.pi, rel=0.01)
    assert shown["low"] == pytest.approx([-1, -1, -1.5]) and shown["high"] == pytest.approx([6, 10, 9])
    nh.show(parts).save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text().endswith("</html>\n")
    frame = nh.show(box(1.0), height=300)._repr_html_()
    assert 'height: 300px' in frame and "<canvas" not in frame and "&lt;canvas" in frame
    with pytest.raises(ValueError, match="nothing to show"):
        nh.show(nh.HalfSpace([0, 0, 1], 0))


def test_answers_are_marked():
    parts = {"base": box(1.0), "wedge": (box(1.0), moved(0.75, 0.25, 0.125)), "far": (box(1.0), moved(9, 0, 0))}
    report = nh.clash(parts)
    shown = data(nh.show(parts, report))
    assert [body["marked"] for body in shown["bodies"]] == [True, True, False]
    marks = np.frombuffer(base64.b64decode(shown["marks"]), "<f4").reshape(-1, 2, 3)
    assert np.allclose(marks[0], report[0].points)
    gap = nh.distance(nh.Model(box(1.0)), nh.Ball(1), pose_b=moved(5, 0.5, 0.5))
    marks = data(nh.show(parts, gap))["marks"]
    assert np.allclose(np.frombuffer(base64.b64decode(marks), "<f4").reshape(2, 3), gap.points)
    with pytest.raises(TypeError, match="a str has no points to show"):
        nh.show(parts, ["a"])


def test_scenes_and_robots():
    scene = nh.Scene()
    scene.add("a", nh.Model(box(1.0)))
    scene.add("b", nh.Ball(1), pose=moved(3, 0, 0))
    bodies = {body["name"]: body for body in data(nh.show(scene))["bodies"]}
    assert set(bodies) == {"a", "b"} and np.allclose(corners(bodies["b"]).mean(axis=0), [3, 0, 0], atol=0.05)
    robot = nh.Robot.example()
    bent = data(nh.show(robot, q=[0, 1, 1, 0, 0]))
    assert {body["name"] for body in bent["bodies"]} == {body.name for body in robot.bodies}
    assert bent["high"] != data(nh.show(robot))["high"]
    with pytest.raises(nh.RobotError):
        nh.show(robot, q=[0, 1])
    with pytest.raises(ValueError, match="q is the configuration of a robot"):
        nh.show(scene, q=[0])


def test_names_cannot_end_the_page():
    picture = nh.show({"</script><b>": nh.Box(1, 1, 1)})
    assert picture.html.count("</script>") == 2 and data(picture)["bodies"][0]["name"] == "</script><b>"
