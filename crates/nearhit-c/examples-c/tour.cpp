// A tour of nearhit.hpp: surfaces, solids, points, poses in batches, motion, budgets, scenes.
#include <nearhit.hpp>

#include <cstdio>

namespace {

using Points = std::vector<std::array<double, 3>>;
using Faces = std::vector<std::array<unsigned, 3>>;

/// A cube with corners at plus and minus `half`.
nearhit::Model cube(double half) {
    Points points;
    for (int i = 0; i < 8; ++i) points.push_back({i & 1 ? half : -half, i & 2 ? half : -half, i & 4 ? half : -half});
    const Faces faces{{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                      {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    return nearhit::Model(points, faces);
}

nearhit::Pose at(double x, double y, double z) { return nearhit::Pose::from_translation(x, y, z); }

}  // namespace

int main() {
    const nearhit::Model big = cube(1.0), small = cube(0.25);

    // Two surfaces.
    const nearhit::Pair apart(big, nearhit::Pose(), small, at(3, 0, 0));
    const nearhit::Distance nearest = apart.distance();
    std::printf("apart by %g, from x = %g to x = %g\n", nearest.upper, nearest.point_a[0], nearest.point_b[0]);
    std::printf("within 2: %s\n", apart.within(2.0).verdict == NEARHIT_VERDICT_YES ? "yes" : "no");
    nearhit::ContactList contacts;
    nearhit::Pair(big, nearhit::Pose(), small, at(1, 0.1, 0)).contacts_with_points(contacts);
    std::printf("%zu pairs of triangles touch, the first in %zu points\n", contacts.pairs().size(), contacts.points(0).size());

    // Two solids.
    const nearhit::SolidPair inside = nearhit::Pair(big, nearhit::Pose(), small, at(0.5, 0, 0)).solid();
    std::printf("solids in contact: %s, signed distance %g\n",
                inside.collide().verdict == NEARHIT_VERDICT_YES ? "yes" : "no", inside.distance().upper);
    const nearhit::TranslationalDepth out = inside.translational_depth();
    std::printf("out by %.6f along (%.3f, %.3f, %.3f)\n", out.upper, out.translation[0], out.translation[1], out.translation[2]);
    const nearhit::RegionList regions = nearhit::Pair(big, nearhit::Pose(), small, at(1, 0.1, 0)).solid().contact_regions();
    std::printf("%zu region, normal x = %.3f, %zu points of a manifold\n", regions.size(), regions[0].normal[0],
                regions.manifold(0, 4).size());

    // One model.
    const std::array<double, 3> center{0, 0, 0}, right{1, 0.1, 0.2};
    std::printf("the center is %g deep; a ray leaves at %g\n", -big.signed_distance(center).distance,
                big.first_hit(center, right).distance);

    // Many poses on all cores, each starting where the last ended.
    std::vector<nearhit::Pose> path;
    for (int i = 0; i < 1000; ++i) path.push_back(at(0.004 * i, 0, 0));
    std::size_t free = 0;
    for (const nearhit::Collision& one : nearhit::Batch(big, {}, small, path).warm().collide())
        free += one.verdict == NEARHIT_VERDICT_NO;
    std::printf("%zu of 1000 poses free\n", free);

    // A motion: proven for every instant.
    const auto still = nearhit::Motion::still(nearhit::Pose());
    const auto hit = nearhit::first_contact(big, still, small, nearhit::Motion::linear(at(4, 0, 0), at(-4, 0, 0)), 1e-6);
    std::printf("first contact at time %.4f\n", hit.free_until);

    // What is certain after little work, and errors without exceptions.
    const nearhit::Distance early = apart.distance(nearhit::Settings().work(1));
    std::printf("after one test: between %g and %g\n", early.lower, early.upper);
    nearhit::Pose broken;
    broken.rotation[0][0] = 2.0;
    const auto refused = nearhit::try_distance(big, broken, small, nearhit::Pose());
    std::printf("%s\n", refused ? "?" : refused.error().what());

    // Many bodies.
    nearhit::Scene scene;
    scene.add("table", big, nearhit::Pose(), nearhit::BodyOptions().fixed());
    const nearhit::BodyId cup = scene.add("cup", small, at(0, 0, 1.2));
    std::printf("scene: %zu touching\n", scene.colliding().size());
    scene.set_pose(cup, at(0, 0, 2));
    std::printf("after the move: %zu touching, closest %g apart\n", scene.colliding().size(), scene.closest().upper);
}
