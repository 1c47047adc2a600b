"""NC programs: the built-in job, findings that are known by construction, and how a check is stopped."""

import json
import pickle
import subprocess
import sys

import numpy as np
import pytest
from interrupts import HANGS
from shapes import box, moved

import nearhit as nh
from nearhit import _native

MILL = {"number": 1, "shape": "flat", "diameter": 10, "cutting_length": 20, "stick_out": 40, "holder": [{"diameter": 30, "length": 20}]}
TOOLS = {"units": "mm", "tools": [MILL]}


def demo(**options):
    """The job of ``nearhit nc --demo``."""
    section = [[0, -20], [80, -20], [80, -10], [50, -10], [50, 0], [0, 0]]
    corners = np.array([[x, y, z] for y in (0, 60) for x, z in section], dtype=float)
    front = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]]
    faces = front + [[a + 6, c + 6, b + 6] for a, b, c in front]
    for i in range(6):
        j = (i + 1) % 6
        faces += [[i, i + 6, j], [j, i + 6, j + 6]]
    return nh.nc(
        _native.NC_DEMO_PROGRAM, json.loads(_native.NC_DEMO_TOOLS), part={"step": (corners, faces)},
        stock={"block": (nh.Box(80, 60, 20), moved(40, 30, -10))},
        fixture={"clamp": (nh.Box(30, 20, 32), moved(-5, 30, -4))}, **options,
    )  # fmt: skip


def test_the_built_in_job_has_the_faults_that_its_comments_say():
    report = demo()
    found = [(one.line, one.tool, one.piece, one.body, one.kind) for one in report]
    holes = [(35, 2, "holder", body, "contact") for _ in range(2) for body in ("step", "block")]
    cuts = [(23, 1, "cutter", "step", "contact"), (24, 1, "cutter", "step", "contact"), (31, 1, "cutter", "clamp", "contact")]
    assert found == cuts + holes and (report.clear, report.ends_only, report.moves) == (24, 2, report.checked)
    gouge = report[0]
    assert gouge.clearance.lower <= -0.3 <= gouge.clearance.upper and gouge.needed == -0.01 and gouge.motion == "feed"
    assert report[2].motion == "rapid" and report[2].tip == pytest.approx([-25, 30, 5], abs=1e-3)
    assert report.is_complete and report.unchecked[0].line == 5 and report.unchecked[0].lines == 2
    assert gouge.after <= gouge.at and report.tests > 0 and not report.clearances


def test_rules_are_heeded():
    assert [one.line for one in demo(gouge=0.5) if one.role == "part" and one.piece == "cutter"] == []
    close = {(one.line, one.piece, one.body) for one in demo(clearance=2.0)}
    assert close > {(one.line, one.piece, one.body) for one in demo()}
    measured = demo(gouge=0.5, measure=100.0)
    assert {least.body for least in measured.clearances} == {"step", "block", "clamp"}


def test_what_is_not_located_has_no_place():
    """Where the limit of work ends the search, nothing after ``after`` is known."""
    report, all_of_it = demo(work=0), {(one.line, one.piece, one.body): one for one in demo()}
    without = [one for one in report if one.tip is None]
    assert len(without) > 3 and {one.kind for one in without} == {"contact", "undecided"}
    assert all((one.tip is None) == (one.point is None) for one in report)
    for one in without:
        known = all_of_it.get((one.line, one.piece, one.body))
        assert known is None or one.after <= known.at + 1e-9
    assert all(one.tip is not None for one in demo()) and report == demo(work=0)


def test_every_move_has_what_is_certain_of_it():
    assert demo().each == ()
    report = demo(each=True)
    assert len(report.each) == report.moves and [one.line for one in report.each] == sorted(one.line for one in report.each)
    kinds = [one.kind for one in report.each]
    assert (kinds.count("clear"), kinds.count("end")) == (report.clear, report.ends_only)
    assert {report.each[one.move].kind for one in report} == {"contact"} and kinds.count("contact") == 5
    gouge = report.each[report[0].move]
    assert (gouge.piece, gouge.body, gouge.line) == ("cutter", "step", 23)
    assert gouge.from_part == gouge.clear_by == report[0].clearance.lower
    assert all(one.clear_by <= 10 and one.from_part is not None for one in report.each)
    assert all(one.from_part >= -0.01 for one in report.each if one.kind == "clear")
    far = demo(each=True, measure=1000.0)
    assert all(a.clear_by <= b.clear_by for a, b in zip(report.each, far.each))
    assert all(one.piece and one.body for one in far.each)


def test_the_unit_of_a_table_that_does_not_say_it(tmp_path):
    (tmp_path / "mill.tbl").write_text("T1 Z2 D1\n")
    options = dict(fixture=nh.Box(10, 10, 10), each=True, measure=100.0, start=(0, 0, 50))
    reports = [nh.nc("G21 G90 T1 M6\nG1 X0 Y30 Z0", tmp_path / "mill.tbl", tool_unit=unit, **options) for unit in ("mm", "inch")]
    assert [round(report.each[-1].clear_by, 6) for report in reports] == [24.5, 12.3]
    assert ["millimetres" in reports[0].remarks[0], "inches" in reports[1].remarks[0]] == [True, True]
    with pytest.raises(ValueError, match="tool_unit is 'cm'; known: mm, inch"):
        nh.nc("G21\nG1 X0", tmp_path / "mill.tbl", tool_unit="cm", fixture=nh.Box(1, 1, 1))


def test_bodies_of_every_kind_and_place_are_the_same(tmp_path):
    program = "G0 X-50 Y3 Z-2\nG1 X50 F100\nG3 X50 Y20 R8.5\nG0 Z90"
    options = dict(start=(-50, 3, 90), rapid="straight", tool_change="same")
    turned = np.array([[0.0, -1, 0, 7], [1, 0, 0, -2], [0, 0, 1, 1], [0, 0, 0, 1]])
    corners, faces = box(8.0)
    there = corners @ turned[:3, :3].T + turned[:3, 3]
    first = nh.nc(program, TOOLS, fixture={"post": (there, faces)}, **options)
    assert [one.line for one in first] == [2] and first[0].piece == "cutter"
    path = tmp_path / "post.obj"
    lines = ["v " + " ".join(map(repr, map(float, corner))) for corner in there]
    path.write_text("\n".join(lines + ["f " + " ".join(str(i + 1) for i in face) for face in faces]))
    shape = (nh.Box(8, 8, 8), turned @ moved(4, 4, 4))
    for body in (((corners, faces), turned), nh.Model((there, faces)), path, str(path), [path], shape, (nh.Model(box(8.0)), turned)):
        report = nh.nc(program, TOOLS, fixture=body, **options)
        assert [(one.line, one.piece) for one in report] == [(2, "cutter")], body
        assert report[0].tip == pytest.approx(first[0].tip, abs=2e-3)
    assert nh.nc(program, TOOLS, fixture=path, **options)[0].body == "post.obj"
    names = [one.body for one in nh.nc(program, TOOLS, fixture=[shape, shape], **options)]
    assert names == ["fixture 1", "fixture 2"]
    # A tool that is inside of a posed solid touches it.
    deep = nh.nc("G1 X1 F1\nG1 X2", TOOLS, machine=(box(900.0), moved(-450, -450, -450)), start=(0, 0, 0))
    assert {one.at for one in deep} == {0.0} and len(deep) == 6


def test_files_and_formats(tmp_path):
    pin = {"pin": (nh.Cylinder(0.01, 10), moved(50, 0, 0))}
    (tmp_path / "face.nc").write_text("G1 X100 F600\n")
    (tmp_path / "tools.json").write_text(json.dumps(TOOLS))
    assert len(nh.nc(tmp_path / "face.nc", tmp_path / "tools.json", fixture=pin, start=(0, 0, 0))) == 1
    assert len(nh.nc(str(tmp_path / "face.nc"), [TOOLS], fixture=pin, start=(0, 0, 0))) == 1
    apt = "UNITS/MM\nFROM/0,0,0\nGOTO/100,0,0,0,0,1\n"
    assert [one.line for one in nh.nc(apt, TOOLS, fixture=pin, format="apt")] == [3]
    poses = "x,y,z,i,j,k\n0,0,0,0,0,1\n100,0,0,0.6,0,0.8\n"
    assert nh.nc(poses, TOOLS, fixture=pin, format="csv")[0].line == 3
    shifted = nh.nc("G55\nG1 X100 F600", TOOLS, fixture=pin, start=(0, 90, 0), offsets={"g55": (0, 90, 0)})
    assert shifted.clear == 1
    post = {"post": (nh.Box(2, 2, 2), moved(30, 30, 0))}
    program = "G0 X100 Y50\nG0 X0"
    assert [one.line for one in nh.nc(program, TOOLS, fixture=post, start=(0, 0, 0), rapid=(1, 1, 1))] == [1]
    assert not nh.nc(program, TOOLS, fixture=post, start=(0, 0, 0), rapid=(1, 0.1, 1))


TRUNNION = {
    "axes": [
        {"letter": "A", "on": "table", "direction": [1, 0, 0], "point": [0, 0, -50]},
        {"letter": "C", "on": "table", "direction": [0, 0, 1], "point": [0, 0, 0]},
    ]
}


def test_rotary_axes(tmp_path):
    """A table that tips by 90 degrees brings the tool to the work's back; the post there is hit."""
    post = {"post": (nh.Box(4, 4, 4), moved(0, 40, -50))}
    program = "G1 X0 Y0 Z60 F100\nA90\nZ5\nG1 Z60"
    options = dict(fixture=post, start=(0, 0, 60), rapid="straight")
    report = nh.nc(program, TOOLS, kinematics=TRUNNION, **options)
    # Seen from the work the tip comes down along y: from 110 to 55, beyond the post's 42.
    assert not report and report.moves == 3
    # 12 mm lower it touches at y = 42, where the tool's face is.
    deeper = nh.nc(program.replace("Z5\n", "Z-20\n"), TOOLS, kinematics=TRUNNION, **options)
    assert [one.line for one in deeper] == [3, 4] and deeper[0].tip == pytest.approx([0, 42, -50], abs=2e-3)
    (tmp_path / "trunnion.json").write_text(json.dumps(TRUNNION))
    assert nh.nc(program, TOOLS, kinematics=tmp_path / "trunnion.json", **options) == report
    with pytest.raises(nh.NcError, match="program.nc:2: A90: is not supported: rotary axes without"):
        nh.nc(program, TOOLS, **options)
    with pytest.raises(nh.NcError, match="wall: a body of the machine"):
        nh.nc(program, TOOLS, kinematics=TRUNNION, machine={"wall": nh.Box(1, 1, 1)})
    with pytest.raises(nh.NcError, match="kinematics: axis 1: letter"):
        nh.nc(program, TOOLS, kinematics={"axes": [{**TRUNNION["axes"][0], "letter": "X"}]}, **options)


def test_rapids_may_go_anywhere():
    post = {"post": (nh.Box(2, 2, 50), moved(90, 10, 0))}
    program = "G0 X100 Y100\nG0 X0 Y0"
    assert [one.kind for one in nh.nc(program, TOOLS, fixture=post, start=(0, 0, 0))] == ["possible"] * 4
    assert not nh.nc(program, TOOLS, fixture=post, start=(0, 0, 0), rapid="straight")


def test_threads_change_nothing_and_progress_is_told():
    told = []
    first = demo(threads=1, progress=lambda *now: told.append(now))
    assert first == demo(threads=3) and told[-1] == (31, 31)
    with pytest.raises(ZeroDivisionError):
        demo(progress=lambda done, count: 1 // 0)
    assert pickle.loads(pickle.dumps(first)) == first and first[0] != first[1] and bool(first)


PIN = (nh.Box(1, 1, 1), moved(50, 0, 0))
REFUSALS = [
    (dict(program="G1 X1\nG41 D1 X3"), nh.NcError, r"program.nc:2: G41: is not supported"),
    (dict(program="T3 M6\nG1 X1 Y0 Z0\n"), nh.NcError, r"program.nc:2: tool 3 is not in the tool table, which has 1"),
    (dict(program="no such file.nc"), FileNotFoundError, "no such file"),
    (dict(tools="no such table.json"), FileNotFoundError, "no such table"),
    (dict(tools={"tools": [{**MILL, "shape": "star"}]}), nh.NcError, "tool 1: .*star"),
    (dict(fixture=()), ValueError, "nothing to check against"),
    (dict(fixture={"floor": nh.HalfSpace([0, 0, 1], 0)}), nh.NcError, "floor: a half-space has no end"),
    (dict(fixture={"lid": (nh.Box(1, 1, 1), np.diag([2.0, 1, 1, 1]))}), nh.PoseError, 'part "lid": pose'),
    (dict(gouge=-1), nh.NcError, "the gouge is -1"),
    (dict(clearance=np.nan), nh.NcError, "the clearance is NaN"),
    (dict(rapid="fast"), ValueError, "rapid is 'fast'; known: anywhere, straight, or three numbers"),
    (dict(rapid=(1, 0, 1)), nh.NcError, "the speed of an axis is 0"),
    (dict(tool_change="home"), ValueError, "tool_change is 'home'"),
    (dict(start=(1, 2)), ValueError, "start must be three numbers"),
    (dict(offsets={"G60": (0, 0, 0)}), ValueError, "there is no coordinate system 'G60'"),
    (dict(format="step"), ValueError, "there is no format 'step'"),
    (dict(work=-1), ValueError, "work must be a number of at least 0"),
    (dict(threads=0), ValueError, "threads must be at least 1"),
]


@pytest.mark.parametrize("options, kind, message", REFUSALS, ids=range(len(REFUSALS)))
def test_refusals_say_what_is_wrong(options, kind, message):
    given = {"program": "G1 X1\nG1 X2", "tools": TOOLS, "fixture": PIN, "start": (0, 0, 0), **options}
    with pytest.raises(kind, match=message):
        nh.nc(given.pop("program"), given.pop("tools"), **given)


STOPPED = """
import sys
sys.path[:0] = {path!r}
import numpy as np, nearhit as nh, signal
from interrupts import Interrupt
signal.signal(signal.SIGINT, signal.default_int_handler)
mill = {{"number": 1, "shape": "bull", "corner_radius": 1, "diameter": 10, "cutting_length": 20}}
x = np.linspace(-60, 60, 400)
z = np.add.outer(np.sin(x / 7), np.cos(x / 5))
field = (nh.HeightField(z, 0.3, 0.3), (np.eye(3), [-60, -60, 0]))
program = "\\n".join(f"G1 X{{(-1) ** i * 50}} Y{{i % 90 - 45}} Z-0.5 F100" for i in range(200000))
half = nh.nc(program, {{"tools": [mill]}}, part=field, start=(50, 0, 0), progress=lambda done, count: done == 0)
print(half.is_complete, 0 < half.checked < half.moves)
try:
    nh.nc(program, {{"tools": [mill]}}, part=field, start=(50, 0, 0), progress=Interrupt(after=1).progress)
except KeyboardInterrupt as stopped:
    report = stopped.report
    print(type(stopped).__name__, report.is_complete, report.checked < report.moves)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of another kind")
def test_a_check_that_is_stopped_has_what_was_found():
    script = STOPPED.format(path=[str(p) for p in sys.path if p])
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=HANGS)
    assert run.stdout == "False True\nNcInterrupted False True\n", run.stderr


def test_what_is_no_program_or_table_is_told():
    text, pin = "G0 X0 Y0 Z0\nG1 X1 F1", nh.Cylinder(0.01, 10)
    for wrong in (b"G0 X1\nG0 X2", None, 5):
        with pytest.raises(TypeError, match="^program must be a path, or a text"):
            nh.nc(wrong, TOOLS, fixture=pin)
    for wrong in (5, None, [5], b"tools.json"):
        with pytest.raises(TypeError, match="^tools must be a path"):
            nh.nc(text, wrong, fixture=pin)
    with pytest.raises(nh.NcError, match="the program is empty"):
        nh.nc("\n", TOOLS, fixture=pin)


def test_other_things_than_trees_and_robots_are_told():
    model = nh.Model(box(1.0))
    for ask in (nh.refine, nh.Refinement):
        with pytest.raises(TypeError, match="^a must be a SphereTree, not Model$"):
            ask(model, model)
    with pytest.raises(TypeError, match="^robot must be a Robot, not Model$"):
        nh.collision_matrix(model)
