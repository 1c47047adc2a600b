"""The examples run, and what they find is right."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"


def example(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_planning(capsys, monkeypatch):
    planning = example("planning")
    free, passable = planning.plan(400)
    assert 100 < len(free) < 400 and 0 < passable.sum() < len(free) - 1
    # Beyond its own half length from the wall's plane the rod cannot touch it.
    through = passable & (free[:-1, 1] * free[1:, 1] < 0)
    assert through.any() and (np.abs(free[:-1][through][:, [0, 2]]).max() <= 1)
    monkeypatch.setattr("sys.argv", ["planning.py", "300"])
    planning.main()
    assert "of 300 configurations are free" in capsys.readouterr().out


def test_assembly(capsys, monkeypatch):
    pytest.importorskip("trimesh")
    assembly = example("assembly")
    monkeypatch.setattr("sys.argv", ["assembly.py"])
    assembly.main()
    # The board ends 1.25 inside the right post.
    assert capsys.readouterr().out == (
        "board and right post clash: 1.25 deep\nboard and left post are only 0.25 apart\n"
        "board and box are only 0.5 apart\n3 of 3 pairs of parts that are near each other\n"
    )


def test_haptic(capsys, monkeypatch):
    haptic = example("haptic")
    log = haptic.simulate(60, budget_us=1e6)
    assert (log[:, 0] == log[:, 1]).all() and (log[:, 1] > 0).all()
    hurried = haptic.simulate(60, budget_us=0.0)
    assert (hurried[:, 0] <= log[:, 0]).all() and (hurried[:, 1] >= log[:, 1]).all()
    monkeypatch.setattr("sys.argv", ["haptic.py", "30"])
    haptic.main()
    assert "30 frames" in capsys.readouterr().out


def test_ompl_edges(capsys, monkeypatch):
    pytest.importorskip("ompl")
    edges = example("ompl_edges")
    monkeypatch.setattr("sys.argv", ["ompl_edges.py"])
    edges.main()
    first, second = capsys.readouterr().out.splitlines()
    assert "edges were proven clear" in first and float(second.split()[-2]) >= edges.CLEARANCE
