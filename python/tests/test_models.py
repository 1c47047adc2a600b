"""Models from anything that is a mesh, and what is refused."""

import pickle
import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import nearhit as nh


def known(volume):
    """What the library says that it knows, when it is asked for what it does not."""
    with pytest.raises(ValueError, match="known: ") as refused:
        nh.Model(([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]), volume=volume)
    return str(refused.value).split("known: ")[1].split(", ")


VOLUMES = ["auto", *known("box")]


def test_the_types_list_every_volume():
    stub = (Path(nh.__file__).parent / "_native.pyi").read_text(encoding="utf-8")
    listed = re.findall(r'"([^"]+)"', stub.split("Volume = Literal[")[1].split("]")[0])
    presets = [f"auto:{preset}" for preset in known("auto:none")]
    assert len(presets) == 4 and len(VOLUMES) > 13
    assert sorted(listed) == sorted([*VOLUMES, *presets])


def test_the_guide_lists_every_volume():
    guide = (Path(__file__).parent.parent.parent / "docs/guide/src/research.md").read_text(encoding="utf-8")
    table = guide.split("| name | volume |")[1].split("\n\n")[0]
    polytopes = re.search(r"with k = ([\d, ]+)", table).group(1).split(", ")
    listed = [name for name in re.findall(r"`(\w+)`", table) if "kdop" not in name] + [f"kdop{k}" for k in polytopes]
    assert sorted(["auto", *(name.strip() for name in listed)]) == sorted(VOLUMES)


def test_a_mesh_may_be_anything_with_vertices_and_faces(mesh, tmp_path):
    vertices, faces = mesh
    wanted = nh.Model(mesh)
    lines = [f"v {x!r} {y!r} {z!r}\n" for x, y, z in vertices.tolist()] + [f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in faces]
    path = tmp_path / "torus.obj"
    path.write_text("".join(lines))
    same = [
        (vertices.tolist(), faces.tolist()),
        (np.asfortranarray(vertices), np.asfortranarray(faces)),
        (np.repeat(vertices, 2, axis=0)[::2], faces[::-1][::-1]),
        (vertices.astype(">f8"), faces.astype(">i4")),
        SimpleNamespace(vertices=vertices, faces=faces),
        path,
        str(path),
    ]
    same += [(vertices, faces.astype(kind)) for kind in (np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64)]
    for given in same:
        model = nh.Model(given)
        assert np.array_equal(model.vertices, vertices) and np.array_equal(model.faces, faces)
        assert model.to_bytes() == wanted.to_bytes()
    single = nh.Model((vertices.astype(np.float32), faces))
    assert np.array_equal(single.vertices, vertices.astype(np.float32).astype(float))


@pytest.mark.parametrize("volume", VOLUMES)
def test_files_and_pickles_keep_the_tree(mesh, tmp_path, volume):
    model = nh.Model(mesh, volume=volume)
    assert model.volume == volume and len(model) == len(mesh[1])
    path = tmp_path / "torus.nhm"
    model.save(path)
    for copy in (nh.Model.load(path), nh.Model.load(str(path)), pickle.loads(pickle.dumps(model))):
        assert copy.to_bytes() == model.to_bytes() and copy.volume == volume
    levels = model.levels()
    leaves = sum(level["leaves"] for level in levels)
    assert levels[0]["nodes"] == 1 and (leaves == len(model) or (volume == "auto" and len(model) // 8 <= leaves <= len(model)))
    assert sum(level["bytes"] for level in levels) < model.nbytes


def test_flying_models_have_more_to_keep(mesh):
    plain, flying = (nh.Model(mesh, volume="kdop26", rule="min-sum", leaf_size=4, flying=fly) for fly in (False, True))
    assert len(flying.to_bytes()) > len(plain.to_bytes())
    assert pickle.loads(pickle.dumps(flying)).to_bytes() == flying.to_bytes()


REFUSALS = [
    (lambda v, f: nh.Model((v[:, :2], f)), ValueError, r"vertices must have the shape \(n, 3\), not \(288, 2\)"),
    (lambda v, f: nh.Model((v, f[:, :2])), ValueError, r"faces must have the shape \(n, 3\), not \(576, 2\)"),
    (lambda v, f: nh.Model((v, f.astype(float))), TypeError, "faces must be integers, not float64"),
    (lambda v, f: nh.Model((v, f[:0])), nh.MeshError, "the mesh has no triangles"),
    (lambda v, f: nh.Model((v, f + 5)), nh.MeshError, "names vertex 288, but there are 288 vertices"),
    (lambda v, f: nh.Model((v, f - 1)), nh.MeshError, "names vertex -1, which is not an index"),
    (lambda v, f: nh.Model((v, f.astype(np.uint64) + 2**63)), nh.MeshError, "names vertex 9223372036854775808"),
    (lambda v, f: nh.Model((v * np.nan, f)), nh.MeshError, "vertex 0: coordinate x is NaN, not a finite number"),
    (lambda v, f: nh.Model(3), TypeError, "a mesh is a path"),
    (lambda v, f: nh.Model("torus.txt"), nh.FileError, 'torus.txt: unknown extension "txt"'),
    (lambda v, f: nh.Model("none.obj"), FileNotFoundError, "none.obj"),
    (lambda v, f: nh.Model.load("none.nhm"), FileNotFoundError, "none.nhm"),
    (lambda v, f: nh.Model.from_bytes(b"solid cube"), nh.FileError, "not a nearhit model"),
    (lambda v, f: nh.Model((v, f), volume="box"), ValueError, "unknown volume 'box'"),
    (lambda v, f: nh.Model((v, f), volume="obb", rule="best"), ValueError, "there is no rule 'best'"),
    (lambda v, f: nh.Model((v, f), leaf_size=3), ValueError, "the default engine has its own way"),
]


@pytest.mark.parametrize("attempt, kind, message", REFUSALS, ids=range(len(REFUSALS)))
def test_refusals_say_what_is_wrong(mesh, attempt, kind, message):
    with pytest.raises(kind, match=message):
        attempt(*mesh)


def test_damaged_files_are_found(mesh):
    data = bytearray(nh.Model(mesh).to_bytes())
    data[1000] ^= 1
    with pytest.raises(nh.FileError, match="the mesh is damaged"):
        nh.Model.from_bytes(bytes(data))
