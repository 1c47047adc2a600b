"""STEP and IFC files: by other packages, or an error that says which."""

import importlib
import importlib.util
import json
import struct
import sys

import pytest

import nearhit as nh
from nearhit import convert

CUBE = ([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)],
        [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
         [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]])  # fmt: skip


def test_missing_packages_are_named(tmp_path, monkeypatch):
    for suffix, package in ((".step", "cascadio"), (".stp", "cascadio"), (".ifc", "ifcopenshell")):
        path = tmp_path / f"part{suffix}"
        path.write_text("ISO-10303-21;")
        monkeypatch.setitem(sys.modules, package, None)
        with pytest.raises(ImportError, match=f"pip install {package}"):
            nh.clash(str(path))
    with pytest.raises(FileNotFoundError, match="no such file"):
        convert.convert(tmp_path / "none.step", tmp_path / "out.glb")
    (tmp_path / "part.txt").write_text("")
    with pytest.raises(ValueError, match="only .step"):
        convert.convert(tmp_path / "part.txt", tmp_path / "out.glb")


def test_parts_keep_names_and_places(tmp_path):
    glb = convert._Glb()
    mesh = glb.mesh(*CUBE)
    moved = [[1, 0, 0, 0.5], [0, 1, 0, 0.25], [0, 0, 1, 0.25], [0, 0, 0, 1]]
    glb.node("IfcWall/W0/1UGmCGUK10t9RYpv5v7teC", mesh, [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    glb.node("IfcWall/W1/01b8XApnT0ShEX$d9wdrrR", mesh, moved)
    assert glb.mesh([], []) is None
    (tmp_path / "walls.glb").write_bytes(glb.bytes())
    (found,) = nh.clash(str(tmp_path / "walls.glb"))
    assert found.kind == "hard" and found.a.startswith("IfcWall/W0/")
    assert found.overlap.volume.lower <= 0.5 * 0.75 * 0.75 <= found.overlap.volume.upper


def test_nodes_are_called_after_products():
    scene = {"nodes": [{"name": "box", "children": [1, 2]}, {"name": "NAUO1", "mesh": 0}, {"name": "NAUO2", "mesh": 1}],
             "meshes": [{"name": "side"}, {}]}  # fmt: skip
    glb = convert._named_by_product(convert._framed(json.dumps(scene).encode(), b"rest"))
    length = struct.unpack_from("<I", glb, 12)[0]
    named = json.loads(glb[20 : 20 + length])
    assert [node["name"] for node in named["nodes"]] == ["box", "side", "NAUO2"]
    assert glb.endswith(b"rest") and struct.unpack_from("<I", glb, 8)[0] == len(glb)


@pytest.mark.skipif(importlib.util.find_spec("ifcopenshell") is None, reason="needs ifcopenshell")
def test_damaged_ifc_is_refused(tmp_path):
    (tmp_path / "bad.ifc").write_text("no IFC")
    with pytest.raises(ValueError, match="bad.ifc"):
        convert.convert(tmp_path / "bad.ifc", tmp_path / "bad.glb")
