"""What other programs here need of Pinocchio with Coal: a robot with the pairs that nearhit checks.

    pip install pin==4.1 coal==3.0.3 example-robot-data==6.0.0     (in an environment of its own)
    pip install .                                                  (nearhit, from this tree)

Says that it skips, and why, where the packages are not installed.
"""

import pathlib
import sys
import xml.etree.ElementTree as tree

try:
    import coal
    import nearhit as nh
    import numpy as np
    import pinocchio as pin
except ImportError as missing:
    sys.exit(f"skipped: {missing}; see the first lines of lab/robots/peer.py")

DATA = "share/example-robot-data/robots"
CHOSEN = {
    "panda": ("panda_description/urdf/panda.urdf", "panda_description/srdf/panda.srdf"),
    "ur5": ("ur_description/urdf/ur5_robot.urdf", "ur_description/srdf/ur5.srdf"),
    "talos": ("talos_data/robots/talos_reduced.urdf", "talos_data/srdf/talos.srdf"),
    "romeo": ("romeo_description/urdf/romeo.urdf", "romeo_description/srdf/romeo.srdf"),
}


def folder():
    above = pathlib.Path(pin.__file__).resolve().parents
    found = next((p / DATA for p in above if (p / DATA).is_dir()), None)
    if found is None:
        sys.exit("skipped: example-robot-data is not installed; see the first lines of lab/robots/peer.py")
    return found


class Peer:
    """A model of Pinocchio, with the pairs that nearhit checks."""

    def __init__(self, urdf, ours, root):
        self.follow = followers(urdf)
        self.model = pin.buildModelFromUrdf(str(urdf))
        shares = [str(p) for p in (root, root.parent.parent, *urdf.parents)]
        self.geometry = pin.buildGeomFromUrdf(self.model, str(urdf), pin.GeometryType.COLLISION, package_dirs=shares)
        self.index = {name: self.geometry.getGeometryId(peer) for name, peer in self.names(ours).items()}
        self.geometry.removeAllCollisionPairs()
        for a, b in ours.pairs:
            self.geometry.addCollisionPair(pin.CollisionPair(self.index[a], self.index[b]))
        self.data, self.geometry_data = self.model.createData(), self.geometry.createData()
        for request in self.geometry_data.distanceRequests:
            request.enable_signed_distance = False

    def careful(self):
        """With Coal's own tolerance of 1e-6 distances of round shapes are off by more than that, and
        pairs that touch by millimetres are said to be apart: for answers, not for speed, it is asked
        to look closer, and begins each question anew."""
        for requests in (self.geometry_data.distanceRequests, self.geometry_data.collisionRequests):
            for request in requests:
                request.gjk_tolerance = request.epa_tolerance = 1e-11
                request.gjk_max_iterations = request.epa_max_iterations = 1000
                request.gjk_initial_guess = coal.GJKInitialGuess.DefaultGuess
                request.enable_cached_gjk_guess = False

    def opinions(self, a, b):
        """What Coal says of two bodies where they are now, asked afresh with several tolerances."""
        said = set()
        for tolerance in (1e-6, 1e-9, 1e-12):
            request = coal.CollisionRequest()
            request.gjk_tolerance = request.epa_tolerance = tolerance
            request.gjk_max_iterations = request.epa_max_iterations = 1000
            shapes = [self.geometry.geometryObjects[self.index[name]].geometry for name in (a, b)]
            places = [self.geometry_data.oMg[self.index[name]] for name in (a, b)]
            a_at, b_at = (coal.Transform3s(place.rotation, place.translation) for place in places)
            said.add(bool(coal.collide(shapes[0], a_at, shapes[1], b_at, request, coal.CollisionResult())))
        return said

    def foreign(self, name):
        """How many triangles of Coal's mesh the file does not have, as nearhit reads it."""
        body = self.geometry.geometryObjects[self.index[name]]
        if not hasattr(body.geometry, "num_tris"):
            return 0
        file = nh.Model(body.meshPath)
        places = np.asarray(file.vertices)

        def corners(vertices, faces):
            # By the first of the file's vertices that are nearest: many are written twice.
            nearest = np.array([np.abs(places - vertex).max(axis=1).round(7).argmin() for vertex in np.asarray(vertices)])
            return {tuple(sorted(triangle)) for triangle in nearest[np.asarray(faces)].tolist()}

        indices = (body.geometry.tri_indices(i) for i in range(body.geometry.num_tris))
        theirs = corners(body.geometry.vertices() / body.meshScale, [[one[0], one[1], one[2]] for one in indices])
        return len(theirs - corners(file.vertices, file.faces))

    def names(self, ours):
        """Our body `link`, `link#2` is Pinocchio's `link_0`, `link_1`."""
        names = {}
        for body in ours.bodies:
            link, _, number = body.name.partition("#")
            names[body.name] = f"{link}_{int(number or 1) - 1}"
        return names

    def q(self, ours, row):
        """By the names of joints; followers of others have coordinates here."""
        values = dict(zip(ours.coordinate_names, row))
        full = pin.neutral(self.model)
        for index in range(1, self.model.njoints):
            joint, name = self.model.joints[index], self.model.names[index]
            value = values.get(name, self.follow.get(name, lambda values: 0.0)(values))
            full[joint.idx_q : joint.idx_q + joint.nq] = [value] if joint.nq == 1 else [np.cos(value), np.sin(value)]
        return full

    def contacts(self, q, first):
        return pin.computeCollisions(self.model, self.data, self.geometry, self.geometry_data, q, first)

    def touching(self, q):
        """All pairs that touch, by our names, given our pairs in the same order."""
        self.contacts(q, False)
        return [index for index, found in enumerate(self.geometry_data.collisionResults) if found.isCollision()]

    def add_ball(self, ours, center, radius):
        """A ball in the world, checked with every body of ours."""
        pose = pin.SE3(np.eye(3), np.asarray(center))
        ball = pin.GeometryObject("ball of the world", 0, 0, pose, coal.Sphere(radius))
        self.remove_ball()
        index = self.geometry.addGeometryObject(ball)
        for body in self.index.values():
            self.geometry.addCollisionPair(pin.CollisionPair(body, index))
        self.geometry_data = self.geometry.createData()

    def remove_ball(self):
        if self.geometry.existGeometryName("ball of the world"):
            self.geometry.removeGeometryObject("ball of the world")
            self.geometry_data = self.geometry.createData()

    def distances(self, q):
        pin.computeDistances(self.model, self.data, self.geometry, self.geometry_data, q)
        return np.array([found.min_distance for found in self.geometry_data.distanceResults])


def followers(urdf):
    """What joints that mimic others are, by the URDF."""
    found = {}
    for joint in tree.parse(urdf).getroot().iter("joint"):
        mimic = joint.find("mimic")
        if mimic is not None:
            factor, offset = float(mimic.get("multiplier", 1)), float(mimic.get("offset", 0))
            master = mimic.get("joint")
            found[joint.get("name")] = lambda values, m=master, f=factor, o=offset: f * values.get(m, 0.0) + o
    return found
