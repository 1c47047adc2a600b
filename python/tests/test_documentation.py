"""Examples in docstrings run, and the stubs know every name."""

import ast
import doctest
import inspect
import re
from pathlib import Path

import numpy as np
import pytest

import nearhit
import nearhit._points
import nearhit._queries


@pytest.mark.parametrize("name", ["nearhit", "nearhit._queries", "nearhit._points", "nearhit.trimesh"])
def test_examples_in_docstrings_run(name):
    if name.endswith("trimesh"):
        pytest.importorskip("trimesh")
    module = __import__(name, fromlist=["x"])
    with np.printoptions(legacy=False):
        failed, tried = doctest.testmod(module)
    assert tried > 3 and failed == 0


def test_code_of_the_readme_runs():
    text = (Path(__file__).parent.parent / "README.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 1
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {})


@pytest.mark.parametrize("kind", [nearhit.Model, nearhit.SphereTree, nearhit.Scene])
def test_native_classes_have_their_examples(kind):
    failed, tried = 0, 0
    for example in doctest.DocTestFinder().find(kind, kind.__name__, globs={}):
        result = doctest.DocTestRunner().run(example)
        failed, tried = failed + result.failed, tried + result.attempted
    assert tried > 2 and failed == 0


def test_stubs_know_every_option():
    stub = ast.parse((Path(nearhit.__file__).parent / "_queries.pyi").read_text())
    functions = [node for node in stub.body if isinstance(node, ast.FunctionDef)]
    asked = ("collide", "within", "distance", "contacts", "nearest_pairs", "pairs_within", "depth", "regions", "refine", "adb")
    for name in asked:
        known = {arg.arg for node in functions if node.name == name for arg in node.args.args + node.args.kwonlyargs}
        own = set(inspect.signature(getattr(nearhit, name)).parameters) - {"options"}
        assert known == own | {"work", "budget_us", "seed", "warm", "threads", "progress"}, name


def test_stubs_know_every_native_name():
    stub = ast.parse((Path(nearhit.__file__).parent / "_native.pyi").read_text())
    for kind in (nearhit.Model, nearhit.SphereTree, nearhit.Scene, nearhit.Collision, nearhit.Distance):
        model = next(node for node in stub.body if isinstance(node, ast.ClassDef) and node.name == kind.__name__)
        known = {node.name for node in model.body if isinstance(node, ast.FunctionDef)}
        assert known >= {name for name in dir(kind) if not name.startswith("_")}
    functions = {node.name for node in stub.body if isinstance(node, ast.FunctionDef)}
    assert functions == {name for name in dir(nearhit._native) if inspect.isbuiltin(getattr(nearhit._native, name))}
    assert (Path(nearhit.__file__).parent / "py.typed").exists()
