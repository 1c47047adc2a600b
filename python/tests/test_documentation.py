"""Examples in docstrings run, help tells of every option, and types are right."""

import ast
import doctest
import inspect
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import nearhit

FOLDER = Path(nearhit.__file__).parent
QUERIES = ["_anytime", "_checks", "_clash", "_gradients", "_matrix", "_nc", "_pairs", "_points", "_robot", "_shapes", "_show", "_solids", "_surfaces"]


PACKAGES = ["nearhit.spread", "nearhit.fcl", "nearhit.trimesh"] + [
    f"nearhit.{name}"
    for name in ("fcl._geometry", "fcl._objects", "fcl._narrow", "fcl._manager", "trimesh._collision", "trimesh._proximity", "trimesh._rays", "trimesh._install")
]


@pytest.mark.parametrize("name", ["nearhit", *(f"nearhit.{name}" for name in QUERIES), *PACKAGES])
def test_examples_in_docstrings_run(name):
    if "trimesh" in name:
        pytest.importorskip("trimesh")
    module = __import__(name, fromlist=["x"])
    with np.printoptions(legacy=False):
        failed, tried = doctest.testmod(module)
    assert tried > 1 and failed == 0


def test_code_of_the_readme_runs():
    text = (Path(__file__).parent.parent / "README.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 1
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {})


@pytest.mark.parametrize("kind", [nearhit.Model, nearhit.Shape, nearhit.SphereTree, nearhit.Scene])
def test_native_classes_have_their_examples(kind):
    failed, tried = 0, 0
    for example in doctest.DocTestFinder().find(kind, kind.__name__, globs={}):
        result = doctest.DocTestRunner().run(example)
        failed, tried = failed + result.failed, tried + result.attempted
    assert tried > 2 and failed == 0


OPTIONS = ("pose_a", "pose_b", "poses_a", "poses_b", "work", "budget_us", "seed", "warm", "threads", "progress")


def functions_of(module):
    names = sys.modules[f"nearhit.{module}"].__all__
    return {name: getattr(nearhit, name) for name in names if inspect.isfunction(getattr(nearhit, name))}


def test_help_tells_of_every_option():
    asked = {name: ask for module in ("_surfaces", "_pairs", "_solids", "_anytime") for name, ask in functions_of(module).items()}
    assert len(asked) >= 10
    for name, ask in asked.items():
        signature = inspect.signature(ask)
        # In the order in which the native module takes them.
        options = OPTIONS[:7] if name == "path" else OPTIONS  # a path is one question, asked in one thread
        assert tuple(signature.parameters)[-len(options) :] == options, name
        documentation = inspect.getdoc(ask)
        own = [p.name for p in signature.parameters.values() if p.kind is p.KEYWORD_ONLY]
        assert all(f"``{option}" in documentation for option in own), name
        assert documentation.count(">>>") >= 2, name


def test_every_public_name_is_documented_and_exported():
    for name in nearhit.__all__:
        # A Literal has no documentation of its own.
        assert name == "ClashKind" or inspect.getdoc(getattr(nearhit, name)), name
    assert len(set(nearhit.__all__)) == len(nearhit.__all__)
    for module in QUERIES:
        here = {name for name, value in vars(sys.modules[f"nearhit.{module}"]).items() if getattr(value, "__module__", "") == f"nearhit.{module}"}
        assert {name for name in here if not name.startswith("_")} <= set(nearhit.__all__), module


def test_stubs_know_every_native_class():
    stub = ast.parse((FOLDER / "_native.pyi").read_text())
    for kind in (nearhit.Model, nearhit.Shape, nearhit.SphereTree, nearhit.Scene, nearhit.Collision, nearhit.Distance):
        model = next(node for node in stub.body if isinstance(node, ast.ClassDef) and node.name == kind.__name__)
        known = {node.name for node in model.body if isinstance(node, ast.FunctionDef)}
        assert known >= {name for name in dir(kind) if not name.startswith("_")}
    assert (FOLDER / "py.typed").exists()


def test_types_are_right(tmp_path):
    """Of code as users write it, of the package itself, and of the examples."""
    pytest.importorskip("mypy")
    examples = [str(path) for path in sorted((Path(__file__).parent.parent / "examples").glob("*.py"))]
    check = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path)]
    for what in ([str(Path(__file__).parent / "typed_usage.py")], ["-p", "nearhit"], examples):
        run = subprocess.run([*check, *what], capture_output=True, text=True, cwd=tmp_path)
        assert run.returncode == 0, run.stdout + run.stderr
