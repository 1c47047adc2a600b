"""Solids, points and rays, beside formulas and the surfaces' own queries."""

import numpy as np
import pytest
from shapes import random_poses, torus

import nearhit as nh

RADIUS, TUBE = 1.0, 0.4


@pytest.fixture(scope="module")
def ring():
    return nh.Model(torus(96, 48, RADIUS, TUBE))


@pytest.fixture(scope="module")
def small():
    return nh.Model(torus(16, 10, 0.12, 0.05))


def depth_in_ring(points):
    """Of the round torus: how far below its surface."""
    return TUBE - np.hypot(np.hypot(points[:, 0], points[:, 1]) - RADIUS, points[:, 2])


@pytest.fixture(scope="module")
def points():
    return np.random.default_rng(3).uniform(-1.5, 1.5, size=(3000, 3)) * [1, 1, 0.4]


def test_points_are_inside_or_outside(ring, points):
    below = depth_in_ring(points)
    sure = np.abs(below) > 0.01
    assert sure.mean() > 0.9 and 0.2 < (below > 0).mean() < 0.8 and ring.inside_method == "exact"
    assert np.array_equal(nh.inside(ring, points)[sure], (below > 0)[sure])
    signed, closest = nh.signed_distance(ring, points), nh.closest_point(ring, points)
    assert np.allclose(signed.distances, -below, atol=0.01) and np.array_equal(signed.triangles, closest.triangles)
    assert np.allclose(np.linalg.norm(closest.points - points, axis=1), closest.distances)
    assert np.array_equal(nh.winding_number(ring, points)[sure], (below > 0)[sure].astype(float))
    corner = ring.vertices[:1]
    assert nh.inside(ring, corner)[0] and not nh.inside(ring, corner, surface=False)[0]
    assert np.isnan(nh.winding_number(ring, corner)[0])


def test_meshes_with_holes_have_an_inside_too(ring, points):
    holes = nh.Model((ring.vertices, ring.faces[np.arange(len(ring)) % 10 != 0]))
    assert holes.inside_method == "generalised"
    sure = np.abs(depth_in_ring(points)) > 0.05
    assert (nh.inside(holes, points) == nh.inside(ring, points))[sure].mean() > 0.995


def test_nearest_triangles_begin_with_the_closest(ring, points):
    found = nh.nearest_triangles(ring, points[:50], 3)
    assert np.array_equal(np.diff(found.starts), np.full(50, 3))
    closest = nh.closest_point(ring, points[:50])
    assert np.array_equal(found.distances[::3], closest.distances) and np.array_equal(found.triangles[::3], closest.triangles)


def test_rays_hit(ring):
    rng = np.random.default_rng(5)
    origins, directions = rng.uniform(-2, 2, size=(500, 3)), rng.normal(size=(500, 3))
    first, every = nh.ray_first(ring, origins, directions), nh.ray_all(ring, origins, directions)
    counts = np.diff(every.starts)
    assert np.array_equal(counts > 0, first.triangles >= 0) and 50 < (counts > 0).sum() < 450
    hit = np.flatnonzero(counts)
    assert np.array_equal(every.distances[every.starts[hit]], first.distances[hit])
    unit = directions[hit] / np.linalg.norm(directions[hit], axis=1, keepdims=True)
    assert np.allclose(first.points[hit], origins[hit] + unit * first.distances[hit, None])
    assert np.isinf(first.distances[counts == 0]).all() and np.isnan(first.points[counts == 0]).all()
    # A ray from outside crosses a closed surface an even number of times.
    outside = ~nh.inside(ring, origins)
    assert (counts[outside] % 2 == 0).all() and (counts[~outside] % 2 == 1).all()


def test_a_part_inside_another_touches_it(ring, small):
    poses = random_poses(60, 9, 1.5)
    poses[:10, :3, :3] = np.eye(3)
    poses[:10, :3, 3] = [RADIUS, 0, 0]
    solid, surface = (nh.collide(ring, small, poses_b=poses, solid=solid) for solid in (True, False))
    assert (solid.touching >= surface.touching).all() and (solid.contained[:10] == 1).all()
    assert not surface.touching[:10].any()
    swapped = nh.collide(small, ring, poses_a=poses, solid=True)
    assert np.array_equal(swapped.touching, solid.touching) and (swapped.contained[:10] == 0).all()
    distances = nh.distance(ring, small, poses_b=poses, solid=True, rel_error=0.01)
    assert np.array_equal(distances.upper <= 0, solid.touching)
    assert np.allclose(distances.upper[:10], -TUBE, atol=0.01)
    apart = ~solid.touching
    assert np.array_equal(distances.upper[apart], nh.distance(ring, small, poses_b=poses, rel_error=0.01).upper[apart])
    for limit in (0.0, 0.2):
        near = nh.within(ring, small, limit, poses_b=poses, solid=True)
        assert np.array_equal(near.near, distances.upper <= limit)
    assert nh.within(ring, small, -0.3, pose_b=poses[0], solid=True).near is True
    assert nh.within(ring, small, -0.5, pose_b=poses[0], solid=True).near is False
    single = nh.collide(ring, small, pose_b=poses[0], solid=True)
    assert single.contained == "b" and single.triangles is None and bool(single)
    assert nh.distance(ring, small, pose_b=poses[0], solid=True, rel_error=0.01).upper == distances.upper[0]


def test_the_way_out_is_one(ring, small):
    poses = random_poses(40, 13, 1.2)
    found = nh.depth(ring, small, poses_b=poses, work=20_000)
    touching = nh.collide(ring, small, poses_b=poses, solid=True).touching
    assert np.array_equal(found.upper > 0, touching) and 5 < touching.sum() < 40
    moved = poses.copy()
    moved[:, :3, 3] += found.translation * (1 + 1e-9)
    assert not nh.collide(ring, small, poses_b=moved, solid=True).touching.any()
    assert (found.lower <= found.upper).all() and np.allclose(np.linalg.norm(found.translation, axis=1), found.upper)
    hurried = nh.depth(ring, small, poses_b=poses, work=1)
    assert not hurried.complete[touching].any() and hurried.complete.shape == (40,)
    single = nh.depth(ring, small, pose_b=poses[0], work=20_000)
    assert single.complete == found.complete[0]
    assert single.upper == found.upper[0] and np.array_equal(single.translation, found.translation[0])


def test_the_deepest_point_is_that_of_the_signed_distance(ring, small):
    poses = random_poses(40, 19, 1.2)
    found, signed = nh.local_depth(ring, small, poses_b=poses), nh.distance(ring, small, poses_b=poses, solid=True, rel_error=0.01)
    deep = signed.upper < -1e-3
    assert 5 < deep.sum() < 40 and found.complete.all() and len(found) == 40
    assert (found.lower <= -signed.lower + 1e-9)[deep].all() and (found.upper >= -signed.upper - 1e-9)[deep].all()
    for i in np.flatnonzero(deep):
        # The deepest point is inside the other solid, as deep as it says.
        point, other = found.points[i, found.deepest[i]], (small, ring)[found.deepest[i]]
        if other is small:
            point = (point - poses[i, :3, 3]) @ poses[i, :3, :3]
        assert nh.signed_distance(other, [point]).distances[0] == pytest.approx(-found.lower[i], rel=1e-6)
    single = nh.local_depth(ring, small, pose_b=poses[0])
    assert single.lower == found.lower[0] and np.array_equal(single.points, found.points[0])


def test_regions_are_where_they_meet(ring, small):
    poses = random_poses(40, 17, 1.2)
    found, contacts = nh.regions(ring, small, poses_b=poses), nh.contacts(ring, small, poses_b=poses)
    assert len(found) > 5 and len(found.triangles) == len(contacts.triangles)
    assert np.allclose(np.linalg.norm(found.normals, axis=1), 1)
    first = found.point_starts[:-1]
    assert np.array_equal(found.point_depths[first], found.depths)
    assert np.allclose(np.linalg.norm(found.points[:, 0] - found.points[:, 1], axis=1), found.point_depths)
    assert (np.diff(found.point_starts) <= 4).all() and found.complete.all()


def test_sphere_trees_refine(small):
    tree = nh.SphereTree(small, depth=2, method="octree")
    assert len(tree) == 3 and tree.model is small and "SphereTree" in repr(tree)
    for level in range(3):
        centers, radii, errors, parents = tree.level(level)
        assert len(centers) == len(radii) == len(errors) == len(parents) and (radii > 0).all()
    # Every vertex is in a ball of the last level.
    gaps = np.linalg.norm(small.vertices[:, None] - centers[None], axis=2) - radii
    assert (gaps.min(axis=1) <= 1e-12).all()
    poses = random_poses(50, 21, 0.25)
    exact, refined = nh.distance(small, small, poses_b=poses), nh.refine(tree, tree, poses_b=poses)
    assert np.array_equal(refined.touching, exact.upper == 0) and refined.known.all() and 5 < refined.touching.sum() < 45
    hurried = nh.refine(tree, tree, poses_b=poses, work=20)
    assert (hurried.lower <= exact.lower).all() and (hurried.upper >= exact.upper).all() and not hurried.known.all()
    single = nh.refine(tree, tree, pose_b=poses[0])
    assert single.touching == refined.touching[0] and single.level == refined.level[0]
    with pytest.raises(ValueError, match="depth must be at most 6, not 9"):
        nh.SphereTree(small, depth=9)
    with pytest.raises(ValueError, match="there is no method 'cubes'; known: medial, octree"):
        nh.SphereTree(small, method="cubes")
    with pytest.raises(IndexError, match="there is no level 3: the tree has 3"):
        tree.level(3)


def test_a_refinement_follows_bodies_that_move(small):
    tree = nh.SphereTree(small, depth=2, method="octree")
    poses = np.tile(np.eye(4), (60, 1, 1))
    poses[:, 0, 3] = np.linspace(0.5, 0.1, 60)
    exact, fresh = nh.distance(small, small, poses_b=poses), nh.refine(tree, tree, poses_b=poses)
    assert 5 < (exact.upper == 0).sum() < 55
    refinement = nh.Refinement(tree, tree, pose_b=poses[0])
    work = 0
    for i, pose in enumerate(poses):
        refinement.follow(pose_b=pose)
        hurried = refinement.run(work=5)
        assert hurried.lower <= exact.lower[i] and exact.upper[i] <= hurried.upper
        assert hurried.touching in (None, exact.upper[i] == 0)
        found = refinement.run()
        assert found.touching == (exact.upper[i] == 0) and found.lower <= exact.upper[i] <= found.upper
        work += sum(found.work)
    assert work < fresh.work.sum()


def test_averages_guess(small):
    poses = random_poses(60, 23, 0.3)
    found, exact = nh.adb(small, small, poses_b=poses), nh.collide(small, small, poses_b=poses)
    assert found.known.all() and (found.touching == exact.touching).mean() > 0.7
    assert ((0 <= found.probability) & (found.probability <= 1)).all()
    single = nh.adb(small, small, pose_b=poses[0])
    assert single.touching == found.touching[0] and single.probability == found.probability[0]
    assert nh.adb(small, small, work=0).touching is None
    paper = nh.adb(small, small, poses_b=poses, rule="anywhere")
    assert paper.known.all() and (paper.probability != found.probability).any()
    rare, frequent = (nh.adb(small, small, poses_b=poses, base_rate=rate) for rate in (0.01, 0.9))
    assert (rare.probability <= frequent.probability).all() and (rare.probability < frequent.probability).any()
    assert np.array_equal(rare.touching, found.touching)
    refused = (
        (dict(base_rate=1.5), "base_rate must be a share from 0 to 1, not 1.5"),
        (dict(p_min=0.0), "p_min must be above 0"),
        (dict(k_min=0), "k_min must be from 1 to 4294967295, not 0"),
        (dict(k_min=-1), "k_min must be from 1 to 4294967295, not -1"),
        (dict(k_min=2**70), "k_min must be from 1 to"),
        (dict(rule="leaves"), "there is no rule 'leaves'; known: crossings, anywhere"),
    )
    for options, message in refused:
        with pytest.raises(ValueError, match=message):
            nh.adb(small, small, **options)


REFUSALS = [
    (lambda m: nh.inside(m, [[0, np.nan, 0]]), nh.QueryError, "point 0: coordinate y is NaN"),
    (lambda m: nh.inside(m, [0, 0, 0]), ValueError, r"points must have the shape \(n, 3\), not \(3,\)"),
    (lambda m: nh.ray_first(m, [[0, 0, 0]], [[0, 0, 0]]), nh.QueryError, "query 0: "),
    (lambda m: nh.ray_first(m, [[0, 0, 0]], np.ones((2, 3))), ValueError, "there are 1 origins, but 2 directions"),
    (lambda m: nh.nearest_triangles(m, [[0, 0, 0]], -1), ValueError, "count must be at least 0, not -1"),
    (lambda m: nh.within(m, m, np.nan, solid=True), ValueError, "limit must be a number, not nan"),
]


@pytest.mark.parametrize("ask, kind, message", REFUSALS, ids=range(len(REFUSALS)))
def test_refusals_say_what_is_wrong(small, ask, kind, message):
    with pytest.raises(kind, match=message):
        ask(small)


def test_rays_are_judged_by_the_numbers_given():
    """Small whole numbers against fractions: many rays meet an edge or a corner exactly."""
    corners = [[0, 0, 0], [5, 1, 0], [1, 5, 2], [2, 1, 7]]
    faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
    model = nh.Model((corners, faces))
    rng = np.random.default_rng(8)
    directions = rng.integers(-7, 8, size=(600, 3)).astype(float)
    directions[(directions == 0).all(axis=1)] = [3, 7, -1]
    targets = np.array(corners, dtype=float)[rng.integers(0, 4, size=600)]
    origins = targets - directions * rng.integers(1, 6, size=(600, 1))
    counts = np.diff(nh.ray_all(model, origins, directions).starts)
    expected = [sum(_meets(o, d, [corners[i] for i in face]) for face in faces) for o, d in zip(origins, directions)]
    assert counts.tolist() == expected and min(expected) >= 3


def _meets(origin, direction, triangle):
    """A ray and a triangle in fractions; rays in the plane are asked about at its corners alone."""
    from fractions import Fraction

    o, d, a, b, c = ([Fraction(x) for x in v] for v in (origin, direction, *triangle))
    minus = lambda p, q: [x - y for x, y in zip(p, q)]  # noqa: E731
    dot = lambda p, q: sum(x * y for x, y in zip(p, q))  # noqa: E731
    cross = lambda p, q: [p[i - 2] * q[i - 1] - p[i - 1] * q[i - 2] for i in range(3)]  # noqa: E731
    normal = cross(minus(b, a), minus(c, a))
    slope = dot(normal, d)
    if slope == 0:
        ahead = [minus(p, o) for p in (a, b, c)]
        return any(cross(w, d) == [0, 0, 0] and dot(w, d) >= 0 for w in ahead) or _crosses(o, d, a, b, c, cross, dot, minus)
    t = dot(normal, minus(a, o)) / slope
    x = [p + t * q for p, q in zip(o, d)]
    return t >= 0 and all(dot(cross(minus(q, p), minus(x, p)), normal) >= 0 for p, q in ((a, b), (b, c), (c, a)))


def _crosses(o, d, a, b, c, cross, dot, minus):
    for p, q in ((a, b), (b, c), (c, a)):
        way, edge = minus(p, o), minus(q, p)
        across = cross(d, edge)
        square = dot(across, across)
        if square and dot(way, across) == 0:
            along, share = dot(cross(way, edge), across), dot(cross(way, d), across)
            if along >= 0 and 0 <= share <= square:
                return True
    return False


def test_overlap_of_boxes_is_a_formula():
    corners = [[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    sides = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    cube = nh.Model((corners, [t for p, q, r, s in sides for t in ([p, q, r], [p, r, s])]))
    offsets = np.random.default_rng(27).uniform(-1.4, 1.4, (50, 3))
    poses = np.tile(np.eye(4), (50, 1, 1))
    poses[:, :3, 3] = offsets
    found = nh.overlap(cube, cube, poses_b=poses)
    truth = np.prod(np.maximum(1.0 - np.abs(offsets), 0.0), axis=1)
    assert (found.volume_lower <= truth + 1e-15).all() and (truth - 1e-15 <= found.volume_upper).all()
    assert (found.volume_upper - found.volume_lower < 1e-12).all() and found.complete.all()
    assert 5 < (truth > 0.0).sum() < 50
    for index in np.flatnonzero(truth > 1e-3):
        one = nh.overlap(cube, cube, pose_b=poses[index])
        assert one.volume_lower == found.volume_lower[index]
        np.testing.assert_allclose(one.center, one.bounds.mean(axis=0), atol=1e-9)
    apart = nh.overlap(cube, cube, pose_b=(np.eye(3), [5.0, 0.0, 0.0]))
    assert apart.volume_upper == 0.0 and np.isnan(apart.center).all() and apart.through == -1


def test_no_more_points_of_a_region_than_there_are():
    ring = nh.Model(torus(12, 8))
    place = np.eye(4)
    place[0, 3] = 0.3
    some = nh.regions(ring, ring, pose_b=place, most_points=1000)
    many = nh.regions(ring, ring, pose_b=place, most_points=10**18)
    assert str(some) == str(many)
