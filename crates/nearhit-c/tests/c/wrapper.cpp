// nearhit.hpp: ownership, errors by exception and by value, types of others, views.
#include "check.h"

#include <nearhit.hpp>
#include <nearhit/fcl.hpp>

#include <cstring>

#include <thread>
#if __cplusplus >= 202002L
#include <span>
#endif
#ifdef NEARHIT_TEST_EIGEN
#include <Eigen/Geometry>
#endif

namespace {

using Points = std::vector<std::array<double, 3>>;
using Faces = std::vector<std::array<int, 3>>;

const Faces FACES{{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                  {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};

Points corners(double half) {
    Points points;
    for (int i = 0; i < 8; ++i) points.push_back({i & 1 ? half : -half, i & 2 ? half : -half, i & 4 ? half : -half});
    return points;
}

nearhit::Model box(double half) { return nearhit::Model(corners(half), FACES); }
nearhit::Pose place(double x, double y = 0.0, double z = 0.0) { return nearhit::Pose::from_translation(x, y, z); }

template <class Call>
nearhit::Status thrown(Call&& call) {
    try {
        call();
    } catch (const nearhit::Error& error) {
        CHECK(error.what()[0] != 0);
        return error.status();
    }
    return NEARHIT_STATUS_OK;
}

void ownership() {
    nearhit::Model one = box(1.0);
    nearhit::Model two = one;             // shares
    nearhit::Model three = std::move(one);
    CHECK(one.get() == nullptr && two.get() != three.get());
    CHECK(two.vertices().size() == 8 && three.triangles().size() == 12 && three.triangles()[1][2] == 3);
    two = three;
    three = box(0.5);
    CHECK(two.vertices()[7][0] == 1.0 && three.vertices()[7][0] == 0.5);
    // A model that was moved away is refused, not followed.
    CHECK(thrown([&] { nearhit::collide(one, place(0), two, place(0)); }) == NEARHIT_STATUS_NULL_POINTER);
    const nearhit::Mesh mesh(corners(2.0), FACES);
    const nearhit::Model of_mesh(mesh, NEARHIT_PRESET_COMPACT);
    CHECK(mesh.vertices().size() == 8 && of_mesh.bytes() > 0);
    of_mesh.save("wrapper.nhm");
    CHECK(nearhit::Model::load("wrapper.nhm").triangles().size() == 12);
}

void errors() {
    const nearhit::Model model = box(1.0);
    nearhit::Pose broken;
    broken.rotation[2][2] = 3.0;
    CHECK(thrown([&] { nearhit::distance(model, broken, model, place(0)); }) == NEARHIT_STATUS_POSE);
    const auto refused = nearhit::try_distance(model, broken, model, place(0));
    CHECK(!refused && !refused.has_value() && refused.error().status() == NEARHIT_STATUS_POSE);
    const auto found = nearhit::try_distance(model, place(0), model, place(3));
    CHECK(found && found->upper == 1.0 && (*found).upper == 1.0 && found.value().upper == 1.0);
    CHECK(thrown([] { nearhit::Model::read("nowhere.obj"); }) == NEARHIT_STATUS_IO);
    CHECK(!nearhit::Model::try_read("nowhere.obj"));
    CHECK(thrown([] { nearhit::Model(Points{{0, 0, 0}}, Faces{{0, 1, 2}}); }) == NEARHIT_STATUS_MESH);
    // Indices below zero are not taken for large ones.
    CHECK(thrown([] { nearhit::Model(corners(1.0), Faces{{0, -1, 2}}); }) == NEARHIT_STATUS_MESH);
    const std::vector<std::array<std::uint64_t, 3>> wide{{0, 1, (std::uint64_t{1} << 32) + 2}};
    CHECK(thrown([&] { nearhit::Model(corners(1.0), wide); }) == NEARHIT_STATUS_MESH);
    nearhit::fcl::BVHModel<> model_of_parts;
    model_of_parts.addSubModel(corners(1.0), FACES);
    model_of_parts.addSubModel(corners(1.0), Faces{{0, 1, -2}});
    CHECK(thrown([&] { model_of_parts.endModel(); }) == NEARHIT_STATUS_MESH);
    std::vector<nearhit::Pose> poses(5, place(3));
    poses[3].translation[1] = NAN;
    const auto batch = nearhit::Batch(model, {}, model, poses).try_collide();
    CHECK(!batch && batch.error().index() == 3);
}

void queries() {
    const nearhit::Model big = box(1.0), small = box(0.25);
    nearhit::Scratch scratch;
    const nearhit::Settings settings = nearhit::Settings().scratch(scratch).seed({0, 0});
    const nearhit::Pair apart(big, place(0), small, place(3)), crossing(big, place(0), small, place(1, 0.1));
    CHECK(apart.distance(settings).upper == 1.75 && apart.collide(settings).verdict == NEARHIT_VERDICT_NO);
    CHECK(nearhit::collide(big, place(0), small, place(1, 0.1)) && nearhit::within(big, place(0), small, place(3), 1.75));
    nearhit::ContactList list;
    crossing.contacts_with_points(list, settings);
    CHECK(list.is_complete() && list.pairs().size() == nearhit::contacts(big, place(0), small, place(1, 0.1)).size());
    std::size_t points = 0;
    for (std::size_t i = 0; i < list.pairs().size(); ++i)
        for (const auto& point : list.points(i)) {
            CHECK(NEAR(point[0], 1.0));
            ++points;
        }
    CHECK(points >= list.pairs().size());
    CHECK(crossing.collide(nearhit::Settings().work(0)).verdict == NEARHIT_VERDICT_MAYBE);
    CHECK(crossing.collide(nearhit::Settings().time_us(1e8)).verdict == NEARHIT_VERDICT_YES);
    const auto loose = apart.distance(nearhit::Settings().relative(0.3).absolute(0.1));
    CHECK(loose.lower <= 1.75 && 1.75 <= loose.upper);
    const nearhit::SolidPair solid = nearhit::Pair(big, place(0), small, place(0.5)).solid();
    CHECK(solid.collide().inside == NEARHIT_SIDE_B && solid.distance().upper < -0.7);
    CHECK(solid.within(-0.5).verdict == NEARHIT_VERDICT_YES && solid.local_depth().at_most >= 0.75);
    CHECK(std::fabs(solid.translational_depth().upper - 0.75) < 1e-3);
    const nearhit::RegionList regions = crossing.solid().contact_regions();
    CHECK(regions.size() == 1 && regions.is_complete() && regions[0].normal[0] > 0.9);
    CHECK(!regions.pairs(0).empty() && regions.curve(0, 0).size() >= 4 && !regions.manifold(0, 3).empty());
    CHECK(thrown([&] { (void)regions[1]; }) == NEARHIT_STATUS_INVALID_ARGUMENT);
    const std::array<double, 3> inside{0.5, 0, 0}, up{0, 0, 1};
    CHECK(big.closest_point(inside).distance == 0.5 && big.signed_distance(inside).distance == -0.5);
    CHECK(big.contains(inside).location == NEARHIT_LOCATION_INSIDE && big.first_hit(inside, up).distance == 1.0);
    const std::array<double, 3> below{0.5, 0.25, -3};
    CHECK(big.all_hits(below, up).size() == 2);
    const auto still = nearhit::Motion::still(place(0));
    const auto hit = nearhit::first_contact(big, still, small, nearhit::Motion::linear(place(4), place(-4)), 1e-6);
    CHECK(hit.verdict == NEARHIT_VERDICT_YES && std::fabs(hit.free_until - 2.75 / 8) < 1e-4);
    const auto turning = nearhit::Motion::screw(place(0), place(0.1));
    CHECK(nearhit::first_contact_of_solids(big, still, small, turning, 1e-6).free_until == 0.0);
    std::vector<nearhit::Pose> path;
    for (int i = 0; i < 100; ++i) path.push_back(place(0.05 * i));
    const auto distances = nearhit::Batch(big, {place(0)}, small, path).warm().threads(2).distance();
    const auto near = nearhit::Batch(big, {}, small, path).within(0.5);
    for (std::size_t i = 0; i < path.size(); ++i) {
        CHECK(distances[i].upper == nearhit::distance(big, place(0), small, path[i]).upper);
        CHECK((distances[i].upper <= 0.5) == (near[i].verdict == NEARHIT_VERDICT_YES));
    }
    nearhit::SphereTree tree(big, 2, NEARHIT_SPHERE_METHOD_OCTREE), other(small, 1, NEARHIT_SPHERE_METHOD_OCTREE);
    nearhit::Refinement refinement;
    const auto known = refinement.run(tree, place(0), other, place(3), nearhit::Settings().work(2));
    CHECK(tree.levels() == 3 && tree.level(0).size() == 1 && known.lower <= 1.75 && 1.75 <= known.upper);
    CHECK(refinement.run(tree, place(0), other, place(3)).verdict == NEARHIT_VERDICT_NO);
}

void scenes() {
    const nearhit::Model big = box(1.0), small = box(0.25);
    nearhit::Scene scene;
    const auto table = scene.add("table", big, place(0), nearhit::BodyOptions().fixed().group("walls"));
    const auto cup = scene.add("cup", small, place(1.2));
    const auto robot = scene.add_parts("robot", {{"base", &small, -1, place(0)}, {"arm", &small, 0, place(0.4)}}, place(9));
    CHECK(scene.size() == 3 && scene.find("cup") == cup && scene.collides() && scene.colliding()[0].body_a == table);
    scene.allow("walls", cup);
    CHECK(!scene.collides());
    scene.forbid("walls", cup);
    scene.set_pose(cup, place(2));
    CHECK(NEAR(scene.closest().upper, 0.75) && scene.within(0.75).size() == 1 && scene.nearest(2).size() == 2);
    scene.set_joint(robot, 1, place(-6.9));
    CHECK(NEAR(scene.pose(robot, 1).translation[0], 2.1) && scene.colliding()[0].part_b == 1);
    scene.allow(nearhit::Who(robot, 1), cup);
    CHECK(!scene.collides());
    scene.remove(cup);
    CHECK(thrown([&] { scene.remove(cup); }) == NEARHIT_STATUS_SCENE && !scene.try_find("cup"));
    nearhit::Scene solids(true, NEARHIT_BROAD_PHASE_SWEEP);
    solids.add("plate", big);
    solids.add("chip", small);
    solids.add("foil", small, place(5), nearhit::BodyOptions().surface());
    CHECK(solids.colliding().size() == 1 && solids.colliding()[0].inside == NEARHIT_SIDE_B);
}

/// As matrix libraries have it, without one.
struct Matrix {
    double rows_[4][4];
    double operator()(int row, int column) const { return rows_[row][column]; }
};
struct Frame {
    struct View3 {
        const double (*rows)[4];
        double operator()(int row, int column) const { return rows[row][column]; }
        double operator()(int row) const { return rows[row][3]; }
    };
    double rows_[4][4];
    View3 linear() const { return {rows_}; }
    View3 translation() const { return {rows_}; }
};

void types_of_others() {
    const double rows[4][4] = {{0, -1, 0, 3}, {1, 0, 0, 2}, {0, 0, 1, 1}, {0, 0, 0, 1}};
    Matrix matrix;
    Frame frame;
    std::memcpy(matrix.rows_, rows, sizeof rows);
    std::memcpy(frame.rows_, rows, sizeof rows);
    std::array<std::array<double, 4>, 4> arrays;
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 4; ++j) arrays[i][j] = rows[i][j];
    const nearhit::Pose expected = nearhit::Pose::from_matrix(&rows[0][0]);
    const float translation[3] = {3, 2, 1};
    for (const nearhit::Pose& pose : {nearhit::Pose(matrix), nearhit::Pose(frame), nearhit::Pose(arrays), nearhit::Pose(rows),
                                      nearhit::Pose::from_rows(matrix, translation)})
        CHECK(!std::memcmp(&pose, &expected, sizeof(nearhit_pose)));
    const double xyzw[4] = {0, 0, std::sqrt(0.5), std::sqrt(0.5)};
    CHECK(NEAR(nearhit::Pose::try_from_xyzw(xyzw, translation).value().rotation[1][0], 1.0));
    // Points and meshes in single precision, in arrays and in lists.
    const float points[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const std::uint16_t triangles[1][3] = {{0, 1, 2}};
    const nearhit::Model flat(points, triangles);
    const float above[3] = {0.25f, 0.25f, 2.0f};
    CHECK(flat.closest_point(above).distance == 2.0);
    const auto nearest = flat.closest_point(above);
    CHECK(nearhit::point(nearest.point)[2] == 0.0);
    CHECK((nearhit::point<std::array<float, 3>>(nearest.point)[0] == 0.25f));
#if __cplusplus >= 202002L
    const std::span<const std::array<double, 3>> span = flat.vertices();
    CHECK(span.size() == 3);
#endif
#ifdef NEARHIT_TEST_EIGEN
    Eigen::Isometry3d isometry = Eigen::Isometry3d::Identity();
    isometry.linear() = Eigen::AngleAxisd(0.5, Eigen::Vector3d(1, 2, 3).normalized()).toRotationMatrix();
    isometry.translation() = Eigen::Vector3d(1, 2, 3);
    const nearhit::Pose pose(isometry);
    CHECK(pose.to<Eigen::Isometry3d>().isApprox(isometry) && nearhit::Pose(isometry.matrix()).to<Eigen::Isometry3d>().isApprox(isometry));
    const Eigen::Quaterniond turn(isometry.linear());
    CHECK(nearhit::Pose::from_quaternion(turn, Eigen::Vector3d(1, 2, 3)).to<Eigen::Isometry3d>().isApprox(isometry));
    Eigen::MatrixXd vertices(3, 3);
    vertices << 0, 0, 0, 1, 0, 0, 0, 1, 0;
    Eigen::MatrixXi faces(1, 3);
    faces << 0, 1, 2;
    const nearhit::Model eigen(vertices, faces);
    CHECK(nearhit::point<Eigen::Vector3d>(eigen.closest_point(Eigen::Vector3d(0.25, 0.25, 2)).point).z() == 0.0);
    CHECK(nearhit::distance(eigen, nearhit::Pose(), eigen, isometry).upper >= 0.0);
#endif
}

void names_of_fcl() {
    namespace fcl = nearhit::fcl;
    const auto mesh = std::make_shared<fcl::BVHModel<fcl::OBBRSSd>>();
    CHECK(mesh->beginModel() == fcl::BVH_OK && mesh->endModel() == fcl::BVH_ERR_BUILD_EMPTY_MODEL);
    CHECK(thrown([&] { (void)mesh->model(); }) == NEARHIT_STATUS_INVALID_ARGUMENT);
    mesh->beginModel();
    mesh->addSubModel(corners(1.0), std::vector<fcl::Triangle>{{0, 2, 1}, {1, 2, 3}});
    mesh->addSubModel(corners(0.1), FACES);
    const Points three = {{0, 0, 5}, {1, 0, 5}, {0, 1, 5}};
    mesh->addTriangle(three[0], three[1], three[2]);
    CHECK(mesh->endModel() == fcl::BVH_OK && mesh->model().triangles().size() == 15);
    const auto solid = std::make_shared<fcl::Boxd>(1.0, 1.0, 1.0), large = std::make_shared<fcl::Boxd>(20.0, 20.0, 20.0);
    fcl::CollisionObjectd moving(solid, place(0, 0, 4.8)), still(mesh), around(large), inner(solid);
    fcl::CollisionResultd result;
    CHECK(fcl::collide(&still, &moving, fcl::CollisionRequestd(100, true), result) == 1 && result.isCollision());
    // The triangle at z = 5 in a box up to 5.3: down and out.
    CHECK(result.getContact(0).b1 == 14 && result.getContact(0).b2 == -1 && NEAR(result.getContact(0).pos[2], 5.15));
    CHECK(NEAR(result.getContact(0).normal[2], -1) && NEAR(result.getContact(0).penetration_depth, 0.3));
    // Two meshes: the middle of what two triangles share.
    const auto sheet = std::make_shared<fcl::BVHModel<>>();
    sheet->beginModel();
    sheet->addTriangle(std::array<double, 3>{0.1, 0.1, 4}, std::array<double, 3>{0.1, 0.3, 4}, std::array<double, 3>{0.1, 0.2, 6});
    sheet->endModel();
    const fcl::CollisionObjectd crossing(sheet), below(mesh);
    result.clear();
    CHECK(fcl::collide(&below, &crossing, fcl::CollisionRequestd(100, true), result) == 1);
    CHECK(NEAR(result.getContact(0).pos[2], 5) && NEAR(result.getContact(0).pos[0], 0.1) && result.getContact(0).b2 == 0);
    CHECK(result.getContact(0).penetration_depth > 0);
    moving.setTransform(place(0, 0, 7));
    result.clear();
    CHECK(fcl::collide(&still, &moving, fcl::CollisionRequestd(), result) == 0);
    fcl::DistanceResultd gap;
    CHECK(NEAR(fcl::distance(&still, &moving, fcl::DistanceRequestd(true), gap), 1.5) && NEAR(gap.nearest_points[0][2], 5.0));
    // A mesh in a box is in contact with it, and so is a box in a box; a box in a mesh is not.
    CHECK(fcl::collide(&around, &still, fcl::CollisionRequestd(), result) == 1 && fcl::distance(&around, &still, fcl::DistanceRequestd(), gap) == 0.0);
    result.clear();
    CHECK(fcl::collide(&around, &inner, fcl::CollisionRequestd(), result) == 1);
    CHECK(fcl::distance(&around, &inner, fcl::DistanceRequestd(false, true), gap) < -9.0);
    const auto shell = std::make_shared<fcl::BVHModel<fcl::RSSd>>();
    shell->beginModel();
    shell->addSubModel(corners(3.0), FACES);
    shell->endModel();
    fcl::CollisionObjectd outside(shell);
    result.clear();
    CHECK(fcl::collide(&outside, &inner, fcl::CollisionRequestd(), result) == 0);
    CHECK(NEAR(fcl::distance(&outside, &inner, fcl::DistanceRequestd(), gap), 2.5));
}

void primitives_of_fcl() {
    namespace fcl = nearhit::fcl;
    const std::array<double, 3> up{0, 0, 1}, a{0, 0, 0}, b{1, 0, 0}, c{0, 1, 0};
    const auto points = std::make_shared<const Points>(corners(1.0));
    const auto faces = std::make_shared<const std::vector<int>>();
    struct Kind {
        std::shared_ptr<fcl::CollisionGeometry> geometry;
        const char* name;
        double top;  // where a ball above it first touches, along z
    };
    const Kind kinds[] = {{std::make_shared<fcl::Boxd>(2, 2, 2), "box", 1},
                          {std::make_shared<fcl::Boxd>(std::array<double, 3>{2, 2, 2}), "box", 1},
                          {std::make_shared<fcl::Sphered>(1), "ball", 1},
                          {std::make_shared<fcl::Ellipsoidd>(1, 2, 3), "ellipsoid", 3},
                          {std::make_shared<fcl::Capsuled>(1, 2), "capsule", 2},
                          {std::make_shared<fcl::Cylinderd>(1, 2), "cylinder", 1},
                          {std::make_shared<fcl::Coned>(1, 2), "cone", 1},
                          {std::make_shared<fcl::Halfspaced>(up, 0.5), "half-space", 0.5},
                          {std::make_shared<fcl::TrianglePd>(a, b, c), "hull", 0},
                          {std::make_shared<fcl::Convexd>(points, 12, faces, true), "hull", 1}};
    const auto ball = std::make_shared<fcl::Sphered>(0.5);
    for (const Kind& kind : kinds) {
        CHECK(!std::strcmp(kind.geometry->shape().name(), kind.name) && !kind.geometry->mesh());
        const fcl::CollisionObjectd still(kind.geometry), above(ball, place(0, 0, kind.top + 2)), in(ball, place(0, 0, kind.top + 0.25));
        fcl::CollisionResultd result;
        fcl::DistanceResultd gap;
        CHECK(fcl::collide(&still, &above, fcl::CollisionRequestd(), result) == 0);
        CHECK(NEAR(fcl::distance(&still, &above, fcl::DistanceRequestd(true, true), gap), 1.5));
        CHECK(NEAR(gap.nearest_points[0][2], kind.top) && NEAR(gap.nearest_points[1][2], kind.top + 1.5) && gap.b1 == -1);
        CHECK(fcl::collide(&still, &in, fcl::CollisionRequestd(5, true), result) == 1);
        CHECK(result.getContact(0).b1 == -1 && result.getContact(0).normal[2] > 0.5);
        CHECK(fcl::distance(&still, &in, fcl::DistanceRequestd(), gap) == 0);
        CHECK(NEAR(fcl::distance(&still, &in, fcl::DistanceRequestd(true, true), gap), -result.getContact(0).penetration_depth));
        if (std::strcmp(kind.name, "cone")) CHECK(NEAR(gap.min_distance, -0.25) && NEAR(result.getContact(0).normal[2], 1));
    }
}

void shapes() {
    using nearhit::Shape;
    const nearhit::Model cube = box(1.0);
    Shape one = Shape::cuboid(2, 2, 2), other = Shape::parse("ball:0.5");
    Shape copy = one;
    copy = other;
    other = std::move(one);
    CHECK(!std::strcmp(copy.name(), "ball") && !std::strcmp(other.name(), "box") && copy.margin() == 0.5);
    const nearhit::ShapePair pair(other, place(100), copy, place(101.25));
    CHECK(pair.collide().verdict == NEARHIT_VERDICT_YES && NEAR(pair.penetration().upper, 0.25) && pair.contacts().size() == 1);
    CHECK(pair.distance().upper == 0 && pair.within(0).verdict == NEARHIT_VERDICT_YES);
    const std::vector<std::array<double, 3>> two{{0, 0, 0}, {0.5, 0, 0}};
    const double floor = -1;
    const std::array<double, 3> up{0, 0, 1};
    const std::vector<Shape> all{Shape::capsule(1, 2), Shape::cylinder(1, 2), Shape::cone(1, 2), Shape::truncated_cone(1, 2, 3),
                                 Shape::ellipsoid(1, 2, 3), Shape::hull(corners(1.0)), Shape::half_space(up, 0), Shape::point_cloud(two, {1}),
                                 Shape::height_field({0, 0, 0, 0}, 2, 1, 1), Shape::height_field({0, 0, 0, 0}, 2, 1, 1, &floor),
                                 Shape::octree(two, 1), Shape::octree_of_cells({{0, 0, 0, 1, 1, 1}}, 1), Shape(cube), Shape::solid(cube),
                                 other.swept(up), copy.grown(0.5)};
    for (const Shape& shape : all) {
        const auto gap = nearhit::ShapePair(shape, nearhit::Pose(), copy, place(0, 0, 10)).distance();
        CHECK(gap.upper > 5 && gap.upper < 10 && gap.lower <= gap.upper);
    }
    CHECK(NEAR(all[15].bounds().second[0], 1) && !all[6].try_bounds());
    CHECK(other.contains(two[1]) && NEAR(other.signed_distance(two[1]).upper, -0.5));
    CHECK(NEAR(other.first_hit({{-3, 0, 0}, {1, 0, 0}}).upper, 2) && !other.first_hit({{-3, 5, 0}, {1, 0, 0}}).is_hit);
    CHECK(thrown([] { Shape::ball(-1); }) == NEARHIT_STATUS_SHAPE && !Shape::try_parse("ball"));
    CHECK(thrown([] { Shape::height_field({1, 2, 3}, 2, 1, 1); }) == NEARHIT_STATUS_SHAPE);
    CHECK(!nearhit::ShapePair(all[12], nearhit::Pose(), copy, nearhit::Pose()).try_penetration());
    const auto moving = nearhit::Motion::linear(place(4), place(0));
    CHECK(NEAR(std::round(1e3 * nearhit::first_contact_of_shapes(other, nearhit::Motion::still({}), copy, moving, 1e-6).free_until), 625));
    nearhit::Scene scene;
    const auto ground = scene.add("floor", all[6], nearhit::Pose(), nearhit::BodyOptions().fixed());
    const auto drop = scene.add("ball", copy, place(0, 0, 0.25));
    CHECK(scene.collides() && scene.contacts().size() == 1 && scene.contacts()[0].body_a == ground && scene.contacts()[0].body_b == drop);
    CHECK(NEAR(scene.contacts()[0].depth_upper, 0.25));
    scene.add_parts("arm", {{"base", &cube, -1, place(10, 0, 10)}, {"tip", nullptr, 0, place(0, 0, -9.75), &copy}});
    CHECK(scene.contacts().size() == 2 && scene.contacts()[1].part_b == 1);
}

void robots() {
    const std::string urdf =
        "<robot name='arm'><link name='base'/><link name='hand'><collision><geometry><sphere radius='0.1'/></geometry>"
        "</collision></link><joint name='slide' type='prismatic'><parent link='base'/><child link='hand'/><axis xyz='1 0 0'/>"
        "<limit lower='0' upper='2' effort='1' velocity='1'/></joint></robot>";
    nearhit::Robot robot = nearhit::Robot::parse(urdf, "", ".", nearhit::RobotOptions().folder(".").base(place(0, 0, 1)));
    robot.add_to_world("wall", nearhit::Shape::cuboid(0.1, 1, 1), place(1, 0, 1));
    CHECK(robot.coordinates() == 1 && robot.links()[1] == "hand" && robot.bodies().back() == "wall" && robot.coordinate_names()[0] == "slide");
    CHECK(robot.limits()[0][1] == 2 && robot.configuration()[0] == 0 && !robot.try_configuration("nowhere"));
    const std::array<double, 1> clear{0.5}, touching{0.9}, through{2};
    const nearhit::RobotScratch scratch;
    CHECK(!robot.collides(clear) && robot.collides(touching, &scratch) && robot.pairs(touching).size() == 1 && robot.pairs(clear, 1).size() == 1);
    CHECK(NEAR(robot.distance(clear, &scratch).upper, 0.35) && NEAR(robot.link_poses(clear)[1].translation[0], 0.5));
    std::vector<double> gradient(1);
    CHECK(NEAR(robot.gradient(clear, gradient).upper, 0.35) && NEAR(gradient[0], -1));
    const auto each = robot.collides_each(std::vector<double>{0.5, 0.9, 2});
    CHECK(each == (std::vector<char>{0, 1, 0}));
    const nearhit::PathCheck path = robot.path_clear(clear, through);
    CHECK(path.is_clear == NEARHIT_VERDICT_NO && std::fabs(path.contact_at - 0.35 / 1.5) < 1e-5);
    nearhit::Robot copy = robot.clone();
    copy.remove("wall");
    CHECK(copy.path_clear(clear, through, nearhit::PathOptions(), &scratch).is_clear == NEARHIT_VERDICT_YES);
    CHECK(robot.path_clear(clear, through).is_clear == NEARHIT_VERDICT_NO);
    robot.attach("hand", "tool", nearhit::Shape::ball(0.5));
    robot.pad("hand", 0.1);
    robot.allow("base", "hand");
    CHECK(robot.collides(clear));
    CHECK(thrown([&] { robot.remove("leg"); }) == NEARHIT_STATUS_ROBOT && !nearhit::Robot::try_read("nowhere.urdf"));
    CHECK(thrown([&] { robot.collides(std::vector<double>(2)); }) == NEARHIT_STATUS_ROBOT);
}

void clashes() {
    const nearhit::Model cube = box(1.0);
    nearhit::Assembly assembly;
    assembly.add("one", cube);
    CHECK(assembly.add("two", cube, place(1.75)) == 1 && assembly.add("three", cube, place(0, 3)) == 2 && assembly.size() == 3);
    nearhit::ClashOptions options{};
    options.clearance = 1;
    const auto found = assembly.clashes(options);
    CHECK(found.size() == 3 && found[0].kind == NEARHIT_CLASH_CLASS_HARD && found[1].kind == NEARHIT_CLASH_CLASS_CLOSE);
    CHECK(found[0].part_b == 1 && NEAR(found[1].gap, 1) && found[0].volume_lower <= 1 && found[0].volume_upper >= 1 - 1e-9);
    options.clearance = -1;
    CHECK(!assembly.try_clashes(options) && assembly.clashes().size() == 1);
}

void threads() {
    const nearhit::Model big = box(1.0), small = box(0.25);
    std::vector<std::thread> all;
    for (int number = 0; number < 16; ++number)
        all.emplace_back([&, number] {
            nearhit::Scratch scratch;
            for (int i = 0; i < 50; ++i)
                CHECK(NEAR(nearhit::Pair(big, place(0), small, place(3 + number)).distance(nearhit::Settings().scratch(scratch)).upper,
                           1.75 + number));
        });
    for (std::thread& one : all) one.join();
}

}  // namespace

int main() {
    CHECK(nearhit::is_compatible());
    ownership();
    errors();
    queries();
    scenes();
    types_of_others();
    names_of_fcl();
    primitives_of_fcl();
    shapes();
    robots();
    clashes();
    threads();
    std::printf("wrapper: %d checks\n", checks_made);
}
