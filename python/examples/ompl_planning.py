"""OMPL (PyPI: ompl) plans for a robot arm; nearhit answers every question, and certifies the path that comes out.

    python python/examples/ompl_planning.py [SECONDS]

OMPL looks at states along each motion. `Robot.path_clear` then proves every instant of every piece of the path clear, or says where it is not: such a path is planned again
with more clearance.
"""

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

import nearhit as nh


def arm_and_shelf() -> nh.Robot:
    """The small example arm between two boards."""
    robot = nh.Robot.example()
    robot.world.add("upper board", nh.Box(0.5, 1.2, 0.02), pose=(np.eye(3), [0.55, 0.0, 0.75]))
    robot.world.add("post", nh.Cylinder(0.05, 1.6), pose=(np.eye(3), [0.45, 0.0, 0.4]))
    return robot


def free_pair(robot: nh.Robot, seed: int = 0) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Two configurations without contact, with no straight way from one to the other."""
    some = robot.random(400, seed=seed)
    some = some[~robot.collides(some)]
    for start, goal in zip(some, some[1:]):
        if not robot.path_clear(start, goal):
            return start, goal
    raise ValueError("every way is free")


def plan(robot: nh.Robot, start: NDArray[np.float64], goal: NDArray[np.float64], seconds: float = 5.0, clearance: float = 0.0) -> NDArray[np.float64] | None:
    """Configurations (n, dof) from start to goal, as OMPL finds them; None if it does not."""
    from ompl import base, geometric, util  # type: ignore[import-not-found, import-untyped, attr-defined, unused-ignore]

    util.setLogLevel(util.LogLevel.LOG_ERROR)
    space = base.RealVectorStateSpace(robot.dof)
    bounds = base.RealVectorBounds(robot.dof)
    for index, (low, high) in enumerate(robot.limits):
        bounds.setLow(index, float(low))
        bounds.setHigh(index, float(high))
    space.setBounds(bounds)
    setup = geometric.SimpleSetup(space)

    def numbers(state: Any) -> list[float]:
        return [state[index] for index in range(robot.dof)]

    if clearance > 0.0:
        setup.setStateValidityChecker(lambda state: robot.distance(numbers(state)).lower > clearance)
    else:
        setup.setStateValidityChecker(lambda state: not robot.collides(numbers(state)))
    ends = []
    for q in (start, goal):
        state: Any = space.allocState()
        for index, value in enumerate(q):
            state[index] = float(value)
        ends.append(state)
    setup.setStartAndGoalStates(*ends)
    setup.setPlanner(geometric.RRTConnect(setup.getSpaceInformation()))
    if not setup.solve(seconds):
        return None
    path = setup.getSolutionPath()
    return np.array([numbers(path.getState(index)) for index in range(path.getStateCount())])


def certified(robot: nh.Robot, path: NDArray[np.float64]) -> int | None:
    """Is every instant of every piece clear? Where it is not, the first piece that is not."""
    for index, (start, end) in enumerate(zip(path, path[1:])):
        if not robot.path_clear(start, end):
            return index
    return None


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 5.0
    robot = arm_and_shelf()
    start, goal = free_pair(robot)
    for clearance in (0.0, 0.005, 0.02):
        path = plan(robot, start, goal, seconds, clearance)
        if path is None:
            print(f"no path found with a clearance of {clearance}")
            continue
        wrong = certified(robot, path)
        if wrong is None:
            print(f"a path of {len(path)} configurations, proven clear at every instant")
            return
        print(f"piece {wrong} of {len(path) - 1} touches something between OMPL's samples; planned again")


if __name__ == "__main__":
    main()
