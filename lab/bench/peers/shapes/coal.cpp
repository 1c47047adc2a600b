// Coal's shapes, by the functors that its users keep for a pair (ComputeCollision, ComputeDistance).
#include "harness.hpp"
#include <coal/BVH/BVH_model.h>
#include <coal/collision.h>
#include <coal/distance.h>
#include <coal/shape/convex.h>
#include <coal/shape/geometric_shapes.h>
#include <memory>

using namespace coal;

std::shared_ptr<CollisionGeometry> shape(const ShapeText& text) {
    const auto& s = text.sizes;
    if (text.kind == "ball") return std::make_shared<Sphere>(s[0]);
    if (text.kind == "capsule") return std::make_shared<Capsule>(s[0], s[1]);
    if (text.kind == "box") return std::make_shared<Box>(s[0], s[1], s[2]);
    if (text.kind == "cylinder") return std::make_shared<Cylinder>(s[0], s[1]);
    if (text.kind == "cone") return std::make_shared<Cone>(s[0], s[1]);
    if (text.kind == "ellipsoid") return std::make_shared<Ellipsoid>(s[0], s[1], s[2]);
    if (text.kind == "halfspace") return std::make_shared<Halfspace>(Vec3s(s[0], s[1], s[2]), s[3]);
    auto points = std::make_shared<std::vector<Vec3s>>();
    for (auto& p : text.points) points->emplace_back(p[0], p[1], p[2]);
    auto faces = std::make_shared<std::vector<Triangle>>();
    for (auto& f : text.faces) faces->emplace_back(f[0], f[1], f[2]);
    if (text.kind == "hull")
        return std::make_shared<Convex<Triangle>>(points, unsigned(points->size()), faces, unsigned(faces->size()));
    auto mesh = std::make_shared<BVHModel<OBBRSS>>();
    mesh->beginModel(unsigned(faces->size()), unsigned(points->size()));
    mesh->addSubModel(*points, *faces);
    mesh->endModel();
    return mesh;
}

struct Coal {
    Text text;
    std::vector<std::shared_ptr<CollisionGeometry>> shapes;
    std::vector<std::vector<Transform3s>> poses;
    std::unique_ptr<ComputeCollision> collider;
    std::unique_ptr<ComputeDistance> measurer;
    DistanceRequest warm;
    std::string question;
    size_t pair = 0;
    Transform3s identity;

    bool prepare(const std::string& asked, size_t index) {
        question = asked;
        pair = index;
        auto *a = shapes[text.pairs[index].a].get(), *b = shapes[text.pairs[index].b].get();
        bool mesh = text.shapes[text.pairs[index].a].kind == "mesh";
        if (mesh && question == "depth") return false;
        if (mesh && text.shapes[text.pairs[index].b].kind == "halfspace" && question == "distance") return false;
        collider = std::make_unique<ComputeCollision>(a, b);
        measurer = std::make_unique<ComputeDistance>(a, b);
        warm = DistanceRequest();
        warm.enable_signed_distance = false;
        warm.gjk_initial_guess = GJKInitialGuess::CachedGuess;
        return true;
    }

    double ask(size_t index) {
        const auto& pose = poses[pair][index];
        if (question == "collide") {
            CollisionRequest request;
            request.num_max_contacts = 1;
            request.enable_contact = false;
            CollisionResult result;
            (*collider)(identity, pose, request, result);
            return result.isCollision();
        }
        if (question == "depth") {
            CollisionRequest request;
            request.num_max_contacts = 1;
            request.enable_contact = true;
            CollisionResult result;
            (*collider)(identity, pose, request, result);
            return result.isCollision() ? -result.getContact(0).penetration_depth : 0.0;
        }
        DistanceResult result;
        if (question == "warm") {
            (*measurer)(identity, pose, warm, result);
            warm.updateGuess(result);
            return std::max(0.0, result.min_distance);
        }
        DistanceRequest request;
        request.enable_signed_distance = false;
        (*measurer)(identity, pose, request, result);
        return std::max(0.0, result.min_distance);
    }
};

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    Coal peer;
    peer.text = read_text(argv[1]);
    for (auto& text : peer.text.shapes) peer.shapes.push_back(shape(text));
    for (auto& pair : peer.text.pairs) {
        auto& poses = peer.poses.emplace_back();
        for (auto& p : pair.poses) {
            Matrix3s rotation;
            rotation << p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8];
            poses.emplace_back(rotation, Vec3s(p[9], p[10], p[11]));
        }
    }
    return serve(peer, peer.text);
}
