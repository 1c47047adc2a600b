// OMPL with nearhit: a state validity checker, and a motion validator that proves every instant of a
// motion free instead of sampling it. A rigid body passes through a hole in a wall.
#include <nearhit.hpp>

#include <ompl/base/MotionValidator.h>
#include <ompl/base/SpaceInformation.h>
#include <ompl/base/StateValidityChecker.h>
#include <ompl/base/spaces/SE3StateSpace.h>
#include <ompl/geometric/SimpleSetup.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/util/RandomNumbers.h>

#include <cstdio>

namespace ob = ompl::base;
namespace og = ompl::geometric;

namespace {

/// What both validators ask about.
struct World {
    nearhit::Model robot, obstacles;
    /// Kept free around the robot.
    double clearance;
};

nearhit::Pose pose_of(const ob::State* state) {
    const auto& se3 = *state->as<ob::SE3StateSpace::StateType>();
    const auto& turn = se3.rotation();
    const double length = std::sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z + turn.w * turn.w);
    const double xyzw[4] = {turn.x / length, turn.y / length, turn.z / length, turn.w / length};
    return nearhit::Pose::try_from_xyzw(xyzw, std::array<double, 3>{se3.getX(), se3.getY(), se3.getZ()}).value();
}

class StateChecker : public ob::StateValidityChecker {
public:
    StateChecker(const ob::SpaceInformationPtr& si, std::shared_ptr<const World> world)
        : ob::StateValidityChecker(si), world_(std::move(world)) {}

    bool isValid(const ob::State* state) const override {
        if (!si_->satisfiesBounds(state)) return false;
        // Queries take no turns: planners with several threads need nothing more.
        thread_local nearhit::Scratch scratch;
        const nearhit::Pair pair(world_->obstacles, nearhit::Pose(), world_->robot, pose_of(state));
        return pair.solid().within(world_->clearance, nearhit::Settings().scratch(scratch)).verdict == NEARHIT_VERDICT_NO;
    }
    double clearance(const ob::State* state) const override {
        return nearhit::Pair(world_->obstacles, nearhit::Pose(), world_->robot, pose_of(state)).distance().lower;
    }

private:
    std::shared_ptr<const World> world_;
};

/// OMPL interpolates positions along a line and rotations along the shorter arc: a linear motion. The
/// time of first contact is proven, so that nothing thin is jumped over, whatever the resolution.
class MotionChecker : public ob::MotionValidator {
public:
    MotionChecker(const ob::SpaceInformationPtr& si, std::shared_ptr<const World> world)
        : ob::MotionValidator(si), world_(std::move(world)) {}

    bool checkMotion(const ob::State* from, const ob::State* to) const override { return free_until(from, to) >= 1.0; }

    bool checkMotion(const ob::State* from, const ob::State* to, std::pair<ob::State*, double>& last) const override {
        const double time = free_until(from, to);
        if (time >= 1.0) return true;
        last.second = time;
        if (last.first) si_->getStateSpace()->interpolate(from, to, time, last.first);
        return false;
    }

private:
    double free_until(const ob::State* from, const ob::State* to) const {
        thread_local nearhit::Scratch scratch;
        const auto motion = nearhit::Motion::linear(pose_of(from), pose_of(to));
        const auto still = nearhit::Motion::still(nearhit::Pose());
        const auto found = nearhit::first_contact_of_solids(world_->obstacles, still, world_->robot, motion, world_->clearance,
                                                            nearhit::Settings().scratch(scratch));
        return found.verdict == NEARHIT_VERDICT_NO ? 1.0 : found.free_until;
    }
    std::shared_ptr<const World> world_;
};

using Points = std::vector<std::array<double, 3>>;
using Faces = std::vector<std::array<std::uint32_t, 3>>;

void add_box(Points& points, Faces& faces, std::array<double, 3> low, std::array<double, 3> high) {
    const auto first = static_cast<std::uint32_t>(points.size());
    for (int i = 0; i < 8; ++i)
        points.push_back({i & 1 ? high[0] : low[0], i & 2 ? high[1] : low[1], i & 4 ? high[2] : low[2]});
    for (const auto& face : Faces{{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                  {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}})
        faces.push_back({first + face[0], first + face[1], first + face[2]});
}

std::shared_ptr<const World> make_world() {
    // A wall with a square hole of side 1.2, thinner than any sensible step; a rod of length 1.6.
    Points wall, rod;
    Faces wall_faces, rod_faces;
    add_box(wall, wall_faces, {-0.001, -2.0, -2.0}, {0.001, -0.6, 2.0});
    add_box(wall, wall_faces, {-0.001, 0.6, -2.0}, {0.001, 2.0, 2.0});
    add_box(wall, wall_faces, {-0.001, -0.6, -2.0}, {0.001, 0.6, -0.6});
    add_box(wall, wall_faces, {-0.001, -0.6, 0.6}, {0.001, 0.6, 2.0});
    add_box(rod, rod_faces, {-0.1, -0.8, -0.1}, {0.1, 0.8, 0.1});
    return std::make_shared<World>(World{nearhit::Model(rod, rod_faces), nearhit::Model(wall, wall_faces), 0.01});
}

}  // namespace

int main() {
    ompl::msg::setLogLevel(ompl::msg::LOG_WARN);
    ompl::RNG::setSeed(7);
    const auto space = std::make_shared<ob::SE3StateSpace>();
    ob::RealVectorBounds bounds(3);
    bounds.setLow(-2.0);
    bounds.setHigh(2.0);
    space->setBounds(bounds);

    og::SimpleSetup setup(space);
    const auto world = make_world();
    const auto& si = setup.getSpaceInformation();
    setup.setStateValidityChecker(std::make_shared<StateChecker>(si, world));
    si->setMotionValidator(std::make_shared<MotionChecker>(si, world));

    ob::ScopedState<ob::SE3StateSpace> start(space), goal(space);
    start->setXYZ(-1.0, 0.0, 0.0);
    start->rotation().setIdentity();
    goal->setXYZ(1.0, 0.0, 0.0);
    goal->rotation().setIdentity();
    setup.setStartAndGoalStates(start, goal);
    setup.setPlanner(std::make_shared<og::RRTConnect>(si));

    std::printf("straight through the wall: %s\n", si->checkMotion(start.get(), goal.get()) ? "free" : "blocked");
    if (!setup.solve(30.0) || !setup.haveExactSolutionPath()) {
        std::printf("no path\n");
        return 1;
    }
    const og::PathGeometric& path = setup.getSolutionPath();
    std::printf("a path; every motion of it is proven free: %s\n", path.check() ? "yes" : "no");
    return path.check() ? 0 : 1;
}
