"""Examples in docstrings run, and the stubs know every name."""

import ast
import doctest
import inspect
from pathlib import Path

import numpy as np
import pytest

import nearhit
import nearhit._queries


@pytest.mark.parametrize("name", ["nearhit", "nearhit._queries", "nearhit.trimesh"])
def test_examples_in_docstrings_run(name):
    if name.endswith("trimesh"):
        pytest.importorskip("trimesh")
    module = __import__(name, fromlist=["x"])
    with np.printoptions(legacy=False):
        failed, tried = doctest.testmod(module)
    assert tried > 3 and failed == 0


def test_the_model_has_its_example():
    failed, tried = 0, 0
    for example in doctest.DocTestFinder().find(nearhit.Model, "Model", globs={}):
        result = doctest.DocTestRunner().run(example)
        failed, tried = failed + result.failed, tried + result.attempted
    assert tried > 3 and failed == 0


def test_stubs_know_every_option():
    stub = ast.parse((Path(nearhit.__file__).parent / "_queries.pyi").read_text())
    functions = [node for node in stub.body if isinstance(node, ast.FunctionDef)]
    for name in ("collide", "within", "distance", "contacts", "nearest_pairs", "pairs_within"):
        known = {arg.arg for node in functions if node.name == name for arg in node.args.args + node.args.kwonlyargs}
        own = set(inspect.signature(getattr(nearhit, name)).parameters) - {"options"}
        assert known == own | {"work", "budget_us", "seed", "warm", "threads", "progress"}, name


def test_stubs_know_every_native_name():
    stub = ast.parse((Path(nearhit.__file__).parent / "_native.pyi").read_text())
    model = next(node for node in stub.body if isinstance(node, ast.ClassDef) and node.name == "Model")
    known = {node.name for node in model.body if isinstance(node, ast.FunctionDef)}
    assert known >= {name for name in dir(nearhit.Model) if not name.startswith("_")}
    assert (Path(nearhit.__file__).parent / "py.typed").exists()
