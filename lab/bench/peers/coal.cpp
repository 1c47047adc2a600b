// Coal: boxes (OBB) for contact and margins, rectangle-swept spheres with boxes (OBBRSS) for distance; build time and memory are of the boxes.
#include "harness.hpp"
#include <coal/BVH/BVH_model.h>
#include <coal/collision.h>
#include <coal/distance.h>
#include <limits>
#include <memory>

using namespace coal;

template <class BV>
std::shared_ptr<BVHModel<BV>> model(const Soup& soup) {
    auto made = std::make_shared<BVHModel<BV>>();
    std::vector<Vec3s> vertices;
    for (auto& v : soup.vertices) vertices.emplace_back(v[0], v[1], v[2]);
    std::vector<Triangle> triangles;
    for (auto& t : soup.triangles) triangles.emplace_back(t[0], t[1], t[2]);
    made->beginModel(static_cast<unsigned>(triangles.size()), static_cast<unsigned>(vertices.size()));
    made->addSubModel(vertices, triangles);
    made->endModel();
    return made;
}

Transform3s transform(const PoseNumbers& p) {
    Matrix3s rotation;
    rotation << p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8];
    return Transform3s(rotation, Vec3s(p[9], p[10], p[11]));
}

struct Coal {
    Case data;
    std::vector<std::array<Transform3s, 2>> poses;
    std::shared_ptr<BVHModel<OBB>> boxes[2];
    std::shared_ptr<BVHModel<OBBRSS>> swept[2];
    std::string question;
    double limit = 0;

    bool prepare(const std::string& asked, const std::string& parameter) {
        question = asked;
        if (asked == "within") limit = std::stod(parameter);
        return asked == "collide" || asked == "contacts" || asked == "distance" || asked == "within";
    }

    double ask(size_t index) {
        const auto& [a, b] = poses[index];
        if (question == "distance") {
            DistanceRequest request;
            request.enable_signed_distance = false;
            DistanceResult result;
            distance(swept[0].get(), a, swept[1].get(), b, request, result);
            return std::max(0.0, result.min_distance);
        }
        bool all = question == "contacts";
        CollisionRequest request;
        request.num_max_contacts = all ? std::numeric_limits<size_t>::max() : 1;
        request.enable_contact = false;
        if (question == "within") request.security_margin = limit;
        CollisionResult result;
        collide(boxes[0].get(), a, boxes[1].get(), b, request, result);
        return all ? static_cast<double>(result.numContacts()) : result.isCollision();
    }
};

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    Coal peer;
    peer.data = read_case(argv[1]);
    for (auto& pose : peer.data.poses) peer.poses.push_back({transform(pose[0]), transform(pose[1])});
    size_t before = allocated();
    auto start = Clock::now();
    peer.boxes[0] = model<OBB>(peer.data.a);
    peer.boxes[1] = model<OBB>(peer.data.b);
    double build = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    size_t bytes = allocated() - before;
    peer.swept[0] = model<OBBRSS>(peer.data.a);
    peer.swept[1] = model<OBBRSS>(peer.data.b);
    return serve(peer, build, bytes);
}
