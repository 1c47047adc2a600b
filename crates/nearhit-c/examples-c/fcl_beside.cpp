// FCL and nearhit in one program: the same calls by the same names, the answers compared. FCL comes
// from Debian's libfcl-dev.
#include <fcl/fcl.h>
#include <nearhit/fcl.hpp>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <random>

namespace {

/// A torus around z of 2 * n * n triangles.
void torus(int n, double major, double minor, std::vector<Eigen::Vector3d>& points, std::vector<fcl::Triangle>& triangles) {
    const double turn = 2.0 * 3.14159265358979323846 / n;
    for (int u = 0; u < n; ++u)
        for (int v = 0; v < n; ++v) {
            const double ring = major + minor * std::cos(v * turn);
            points.emplace_back(ring * std::cos(u * turn), ring * std::sin(u * turn), minor * std::sin(v * turn));
        }
    const auto at = [n](int u, int v) { return static_cast<std::size_t>((u % n) * n + v % n); };
    for (int u = 0; u < n; ++u)
        for (int v = 0; v < n; ++v) {
            triangles.emplace_back(at(u, v), at(u + 1, v), at(u + 1, v + 1));
            triangles.emplace_back(at(u, v), at(u + 1, v + 1), at(u, v + 1));
        }
}

Eigen::Isometry3d random_pose(std::mt19937& random) {
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform(-2.0, 2.0);
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    pose.linear() = Eigen::Quaterniond(normal(random), normal(random), normal(random), normal(random)).normalized().toRotationMatrix();
    pose.translation() = Eigen::Vector3d(uniform(random), uniform(random), uniform(random));
    return pose;
}

struct Answers {
    std::vector<bool> collides;
    std::vector<double> distances;
    double collide_us = 0.0, distance_us = 0.0;
};

double microseconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}

/// The same text for both libraries.
template <class Model, class Object, class CollisionRequest, class CollisionResult, class DistanceRequest, class DistanceResult>
Answers ask(const std::vector<Eigen::Isometry3d>& poses) {
    std::vector<Eigen::Vector3d> points;
    std::vector<fcl::Triangle> triangles;
    torus(50, 1.0, 0.2, points, triangles);
    auto geometry = std::make_shared<Model>();
    geometry->beginModel();
    geometry->addSubModel(points, triangles);
    geometry->endModel();
    Object still(geometry, Eigen::Isometry3d::Identity());
    Object moving(geometry, Eigen::Isometry3d::Identity());
    Answers answers;
    for (const auto& pose : poses) {
        moving.setTransform(pose);
        CollisionResult touch;
        const auto before = std::chrono::steady_clock::now();
        collide(&still, &moving, CollisionRequest(), touch);
        answers.collide_us += microseconds_since(before);
        DistanceResult gap;
        const auto between = std::chrono::steady_clock::now();
        distance(&still, &moving, DistanceRequest(), gap);
        answers.distance_us += microseconds_since(between);
        answers.collides.push_back(touch.isCollision());
        answers.distances.push_back(gap.min_distance);
    }
    return answers;
}

}  // namespace

int main() {
    std::mt19937 random(1);
    std::vector<Eigen::Isometry3d> poses;
    for (int i = 0; i < 300; ++i) poses.push_back(random_pose(random));
    const Answers theirs = ask<fcl::BVHModel<fcl::OBBRSSd>, fcl::CollisionObjectd, fcl::CollisionRequestd,
                               fcl::CollisionResultd, fcl::DistanceRequestd, fcl::DistanceResultd>(poses);
    namespace ours = nearhit::fcl;
    const Answers mine = ask<ours::BVHModel<ours::OBBRSSd>, ours::CollisionObjectd, ours::CollisionRequestd,
                             ours::CollisionResultd, ours::DistanceRequestd, ours::DistanceResultd>(poses);
    std::size_t touching = 0, same = 0;
    double worst = 0.0;
    for (std::size_t i = 0; i < poses.size(); ++i) {
        touching += mine.collides[i];
        same += mine.collides[i] == theirs.collides[i];
        if (!mine.collides[i] && !theirs.collides[i])
            worst = std::max(worst, std::fabs(mine.distances[i] - theirs.distances[i]));
    }
    std::printf("%zu poses, %zu in contact, the same verdict on %zu; distances differ by %.1e at most\n", poses.size(), touching,
                same, worst);
    std::fprintf(stderr, "FCL takes %.1f times as long to collide and %.1f times as long for a distance\n",
                 theirs.collide_us / mine.collide_us, theirs.distance_us / mine.distance_us);
    return same == poses.size() && worst < 1e-9 && touching > 50 && touching < 250 ? 0 : 1;
}
