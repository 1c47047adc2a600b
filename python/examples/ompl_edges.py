"""A planner of OMPL whose edges are proven: clear at every instant, not at samples.

    pip install ompl
    python python/examples/ompl_edges.py [ROBOT.urdf [ROBOT.srdf]]

Plans with RRT-Connect between two random free configurations, in a scene of a table and four posts
around the robot. OMPL asks about an edge; `Robot.path_clear` answers for all of it. At the end the
path that OMPL has made shorter is proven once more, edge by edge, with the clearance that is left.
"""

import sys

import numpy as np
from ompl import base, geometric

import nearhit as nh

CLEARANCE = 0.002
BUDGET = 20_000
"""Tests of pairs for one edge: what is not proven by then counts as blocked."""


def robot_in_a_scene(arguments):
    robot = nh.Robot(arguments[0], srdf=arguments[1] if len(arguments) > 1 else None) if arguments else nh.Robot.example()
    robot.world.add("table", nh.Box(3, 3, 0.02), pose=(np.eye(3), [0, 0, -0.3]))
    for number, (x, y) in enumerate([(0.45, 0.45), (-0.45, 0.45), (-0.45, -0.45), (0.45, -0.45)]):
        robot.world.add(f"post {number}", nh.Cylinder(0.03, 1.6), pose=(np.eye(3), [x, y, 0.5]))
    return robot


class Edges(base.MotionValidator):
    """Edges of a planner, by proof."""

    def __init__(self, information, robot, q):
        super().__init__(information)
        self.robot, self.q = robot, q
        self.asked = self.proven = 0

    def checkMotion(self, start, end, *last):  # noqa: N802, the name is OMPL's
        found = self.robot.path_clear(self.q(start), self.q(end), clearance=CLEARANCE, budget=BUDGET)
        self.asked += 1
        self.proven += found.clear is True
        return found.clear is True


def free(robot, seed):
    """A random configuration with room around it."""
    for q in robot.random(10_000, seed=seed):
        if robot.distance(q).lower > 2 * CLEARANCE:
            return q
    sys.exit("no free configuration was found")


def plan(robot, seconds, seed=1):
    """A path of configurations, and what was asked for it."""
    space = base.RealVectorStateSpace(robot.dof)
    bounds = base.RealVectorBounds(robot.dof)
    for index, (low, high) in enumerate(robot.limits):
        bounds.setLow(index, float(low))
        bounds.setHigh(index, float(high))
    space.setBounds(bounds)

    def q(state):
        return np.array([state[index] for index in range(robot.dof)])

    def state(values):
        made = space.allocState()
        for index, value in enumerate(values):
            made[index] = float(value)
        return made

    setup = geometric.SimpleSetup(space)
    information = setup.getSpaceInformation()
    setup.setStateValidityChecker(lambda one: not robot.contacts(q(one), within=CLEARANCE))
    edges = Edges(information, robot, q)
    information.setMotionValidator(edges)
    setup.setStartAndGoalStates(state(free(robot, seed)), state(free(robot, seed + 1)))
    setup.setPlanner(geometric.RRTConnect(information))
    if not setup.solve(seconds):
        sys.exit(f"no path in {seconds} s")
    setup.simplifySolution()
    return np.array([q(one) for one in setup.getSolutionPath().getStates()]), edges


def main():
    robot = robot_in_a_scene(sys.argv[1:])
    path, edges = plan(robot, seconds=20.0)
    print(f"{edges.proven} of {edges.asked} edges were proven clear; the path has {len(path)} configurations")
    whole = [robot.path_clear(q0, q1, clearance=CLEARANCE) for q0, q1 in zip(path, path[1:])]
    assert all(found.clear for found in whole)
    closest = min(robot.distance(q0 * (1 - t) + q1 * t).upper for q0, q1 in zip(path, path[1:]) for t in np.linspace(0, 1, 50))
    print(f"all of it is at least {CLEARANCE} m clear; the closest seen at samples is {closest:.4f} m")


if __name__ == "__main__":
    main()
