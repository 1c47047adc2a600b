"""Clash detection: parts in every form, findings that are known by construction, and how it is stopped."""

import csv
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from interrupts import HANGS
from shapes import box, moved

import nearhit as nh


def parts():
    """Cubes of edge 1 of which each pair is of a known class; tolerances aside everything is a binary fraction."""
    cube, small = box(1.0), box(0.25)
    return {
        "base": cube,
        "hard": (cube, moved(0.75, 0.25, 0.125)),
        "on top": (cube, moved(0, 0, 1)),
        "near": (cube, moved(-1.125, 0, 0)),
        "far": (cube, moved(50, 0, 0)),
        "core": (small, moved(0.125, 0.5, 0.5)),
    }


def classes(report):
    return {(found.a, found.b): found.kind for found in report}


KNOWN = {
    ("base", "hard"): "hard",
    ("base", "core"): "inside",
    ("base", "on top"): "touching",
    ("base", "near"): "close",
    ("on top", "near"): "close",
    ("hard", "on top"): "hard",
}


def test_sets_of_parts():
    only = nh.clash(parts(), clearance=0.1875, only=[("near", "on*"), "@tops:hard"], groups={"tops": ["on top"]})
    assert classes(only) == {("on top", "near"): "close", ("hard", "on top"): "hard"}
    assert only.pairs_near == only.pairs_judged == 2 and only.unused_rules == ()
    assert {found.touching_with for found in only} == {None}


def test_classes_and_lengths_are_those_known_by_construction():
    report = nh.clash(parts(), clearance=0.1875)
    assert classes(report) == KNOWN and report.is_complete and report.empty == ()
    assert report.pairs_judged == report.pairs_near >= len(KNOWN) and report.work.n_v > 0
    found = {(found.a, found.b): found for found in report}
    hard = found["base", "hard"]
    assert hard.depth.lower <= 0.25 <= hard.depth.upper and hard.depth.lower > 0.24 and hard.basis == "exact"
    assert np.isclose(np.linalg.norm(hard.points[0] - hard.points[1]), hard.depth.lower)
    close = found["base", "near"]
    assert close.gap == 0.125 and close.depth is None and close.points.shape == (2, 3)
    assert np.array_equal(close.points[:, 0], [0, -0.125])
    core = found["base", "core"]
    assert core.inside == "core" and core.gap == pytest.approx(0.125, rel=0.01)
    assert [one.kind for one in report][:2] == ["hard", "hard"] and report.count("hard") == 2
    assert len(hard.triangles_a) and hard.triangles_a.max() < 12


def test_duplicates_are_found_however_they_are_given():
    cube = box(1.0)
    apart = (cube[0].copy(), cube[1][::-1].copy())
    model = nh.Model(cube)
    for pair in ({"a": cube, "b": cube}, {"a": cube, "b": apart}, {"a": model, "b": model}, {"a": model, "b": apart}):
        assert [one.kind for one in nh.clash(pair)] == ["duplicate"]


def test_every_form_of_parts_gives_the_same(tmp_path):
    wanted = nh.clash(parts(), clearance=0.1875)
    models = {name: (nh.Model(part[0]), part[1]) for name, part in placed(parts()).items()}
    assert nh.clash(models, clearance=0.1875) == wanted
    world = {name: transformed(*part) for name, part in placed(parts()).items()}
    assert classes(nh.clash(world, clearance=0.1875)) == KNOWN
    files = []
    for name, mesh in world.items():
        files.append(tmp_path / f"{name}.obj")
        write_obj(files[-1], *mesh)
    assert classes(nh.clash(files, clearance=0.1875)) == KNOWN
    assert classes(nh.clash({file.stem: file for file in files}, clearance=0.1875)) == KNOWN
    (tmp_path / "again").mkdir()
    again = tmp_path / "again" / files[0].name
    shutil.copy(files[0], again)
    assert classes(nh.clash([str(files[0]), again])) == {("base", "base_2"): "duplicate"}


def test_scenes_of_trimesh():
    trimesh = pytest.importorskip("trimesh")
    scene = trimesh.Scene()
    cube = trimesh.creation.box((1, 1, 1))
    for name, x, scale in (("a", 0, 1), ("b", 0.75, 1), ("c", 4, 2), ("d", 5.25, 1)):
        transform = np.diag([scale, scale, scale, 1.0])
        transform[0, 3] = x
        scene.add_geometry(cube, node_name=name, geom_name="cube", transform=transform)
    scene.add_geometry(trimesh.PointCloud(np.eye(3)), node_name="points")
    report = nh.clash(scene)
    assert classes(report) == {("a", "b"): "hard", ("c", "d"): "hard"} and report.empty == ("points",)
    assert all(found.depth.lower <= 0.25 <= found.depth.upper for found in report)
    mirrored = np.diag([-1.0, 1, 1, 1])
    scene.add_geometry(cube, node_name="m", geom_name="cube", transform=mirrored + 0)
    assert ("a", "m") in classes(nh.clash(scene))


def test_rules_groups_and_ignored_classes():
    given = parts()
    report = nh.clash(given, clearance=0.1875, allow=["base:@loose", ("hard", "on*")], groups={"loose": ["ha??", "near"]})
    assert set(classes(report)) == {("base", "core"), ("base", "on top"), ("on top", "near")} and report.allowed == 3
    unused = nh.clash(given, allow=["bolt*:base"])
    assert unused.unused_rules == ("bolt*:base",) and unused.allowed == 0
    assert set(classes(nh.clash(given, clearance=0.1875, ignore=["hard", "close"])).values()) == {"inside", "touching"}
    # Less deep than half of the tolerance: it only touches.
    assert classes(nh.clash(given, tolerance=0.51))["base", "hard"] == "touching"


def test_names_with_characters_that_rules_give_a_meaning():
    names = {"base": "M8:40", "hard": "bolt, long", "core": "a*b"}
    given = {names.get(name, name): shape for name, shape in parts().items()}
    clashing = {frozenset(pair) for pair in classes(nh.clash(given))}
    assert clashing >= {frozenset(("M8:40", "bolt, long")), frozenset(("M8:40", "a*b"))}

    def allowed(*rules, **groups):
        return clashing - {frozenset(pair) for pair in classes(nh.clash(given, allow=rules, groups=groups))}

    assert allowed(r"M8\:40:a\*b") == allowed(("M8:40", r"a\*b")) == {frozenset(("M8:40", "a*b"))}
    assert allowed("@x:M8?40", x=["bolt, long"]) == {frozenset(("M8:40", "bolt, long"))}
    with pytest.raises(nh.QueryError, match="a rule is A:B"):
        nh.clash(given, allow=["M8:40:a"])


def test_limits_of_work_leave_pairs_undecided():
    report = nh.clash(parts(), pair_work=1)
    assert report.is_complete and report.count("undecided") > 0
    assert all(found.depth is not None for found in report if found.kind == "undecided")


def test_threads_change_nothing_and_progress_is_told():
    told = []
    first = nh.clash(parts(), clearance=0.1875, threads=1, progress=lambda *now: told.append(now))
    assert first == nh.clash(parts(), clearance=0.1875, threads=3) and told[-1] == (first.pairs_near,) * 2
    with pytest.raises(ZeroDivisionError):
        nh.clash(parts(), progress=lambda done, count: 1 // 0)


def test_findings_are_values():
    report = nh.clash(parts(), clearance=0.1875)
    assert pickle.loads(pickle.dumps(report)) == report and report[0] != report[1] and bool(report)
    assert not nh.clash({"a": box(1.0), "b": (box(1.0), moved(9, 9, 9))})


REFUSALS = [
    (dict(tolerance=-1), nh.QueryError, "tolerance -1"),
    (dict(clearance=np.nan), nh.QueryError, "clearance NaN"),
    (dict(ignore=["soft"]), ValueError, "there is no class 'soft'; known: hard, inside"),
    (dict(allow=["base"]), nh.QueryError, "base: a rule is A:B"),
    (dict(allow=["@bolts:base"]), nh.QueryError, 'there is no group "bolts"'),
    (dict(pair_work=-1), ValueError, "pair_work must be a number of at least 0, not -1"),
    (dict(threads=0), ValueError, "threads must be at least 1"),
]


@pytest.mark.parametrize("options, kind, message", REFUSALS, ids=range(len(REFUSALS)))
def test_refusals_say_what_is_wrong(options, kind, message):
    with pytest.raises(kind, match=message):
        nh.clash(parts(), **options)


def test_refused_parts_are_named():
    with pytest.raises(nh.PoseError, match='part "lid": pose: the matrix is not a rotation'):
        nh.clash({"base": box(1.0), "lid": (box(1.0), np.diag([2.0, 1, 1, 1]))})
    with pytest.raises(ValueError, match="must have the shape"):
        nh.clash({"base": box(1.0), "lid": (box(1.0), np.eye(3))})
    with pytest.raises(FileNotFoundError):
        nh.clash("no such file.glb")
    with pytest.raises(nh.QueryError, match='parts "a" and "b"'):
        nh.clash({"a": nh.Model(box(1.0)), "b": nh.Model(box(1.0), volume="obb")})


STOPPED = """
import sys
sys.path[:0] = {path!r}
import numpy as np, nearhit as nh, signal
from interrupts import Interrupt
from shapes import torus, moved
signal.signal(signal.SIGINT, signal.default_int_handler)
ring = nh.Model(torus(120, 60))
parts = {{f"ring {{i}}": (ring, moved(0.01 * i, 0.003 * i, 0.002 * i)) for i in range(80)}}
half = nh.clash(parts, progress=lambda done, count: done == 0)
print(half.is_complete, 0 < half.pairs_judged < half.pairs_near == 80 * 79 // 2)
try:
    nh.clash(parts, progress=Interrupt(after=1).progress)
except KeyboardInterrupt as stopped:
    report = stopped.report
    print(type(stopped).__name__, report.is_complete, report.pairs_judged < report.pairs_near, str(stopped).split()[1:])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of another kind")
def test_a_search_that_is_stopped_has_what_was_found():
    script = STOPPED.format(path=[str(p) for p in sys.path if p])
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=HANGS)
    words = ["of", "3160", "pairs", "of", "parts", "were", "judged"]
    assert run.stdout == f"False True\nClashInterrupted False True {words}\n", run.stderr


COMMANDS = [Path(__file__).parents[2] / "target" / profile / "nearhit" for profile in ("release", "debug")]


@pytest.mark.skipif(not any(map(Path.exists, COMMANDS)), reason="the command nearhit is not built")
def test_a_generated_assembly_has_the_findings_it_was_made_with(tmp_path):
    command = next(filter(Path.exists, COMMANDS))
    subprocess.run([command, "cases", "assembly", "--parts", "60", "--out", tmp_path], check=True, capture_output=True)
    with (tmp_path / "assembly" / "expected.csv").open() as file:
        expected = {tuple(sorted((row["a"], row["b"]))): row["class"] for row in csv.DictReader(file)}
    report = nh.clash(tmp_path / "assembly" / "assembly.glb", clearance=0.05)
    assert {tuple(sorted(names)): kind for names, kind in classes(report).items()} == expected
    assert len(expected) > 20 and set(expected.values()) >= {"hard", "inside", "duplicate", "touching", "close"}


def placed(given):
    """Each with a pose."""
    return {name: part if isinstance(part[0], tuple) else (part, np.eye(4)) for name, part in given.items()}


def transformed(mesh, pose):
    """In the world."""
    return mesh[0] @ pose[:3, :3].T + pose[:3, 3], mesh[1]


def write_obj(path, vertices, faces):
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in vertices.tolist()] + [f"f {a} {b} {c}" for a, b, c in (faces + 1).tolist()]
    path.write_text("\n".join(lines) + "\n")


def test_one_part_is_no_assembly():
    for few in ({}, {"a": box(1.0)}, []):
        with pytest.raises(ValueError, match=f"at least two parts with triangles, found {len(few)}"):
            nh.clash(few)


def test_what_is_no_assembly_is_told():
    for wrong in (None, 5, b"machine.glb", nh.Model(box(1.0))):
        with pytest.raises(TypeError, match=f"^parts must be .*, not {type(wrong).__name__}$"):
            nh.clash(wrong)
