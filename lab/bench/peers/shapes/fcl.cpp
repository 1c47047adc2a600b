// FCL's shapes, by its general functions and their defaults.
#include "harness.hpp"
#include <fcl/fcl.h>
#include <memory>

using namespace fcl;

std::shared_ptr<CollisionGeometryd> shape(const ShapeText& text) {
    const auto& s = text.sizes;
    if (text.kind == "ball") return std::make_shared<Sphered>(s[0]);
    if (text.kind == "capsule") return std::make_shared<Capsuled>(s[0], s[1]);
    if (text.kind == "box") return std::make_shared<Boxd>(s[0], s[1], s[2]);
    if (text.kind == "cylinder") return std::make_shared<Cylinderd>(s[0], s[1]);
    if (text.kind == "cone") return std::make_shared<Coned>(s[0], s[1]);
    if (text.kind == "ellipsoid") return std::make_shared<Ellipsoidd>(s[0], s[1], s[2]);
    if (text.kind == "halfspace") return std::make_shared<Halfspaced>(Vector3d(s[0], s[1], s[2]), s[3]);
    auto points = std::make_shared<std::vector<Vector3d>>();
    for (auto& p : text.points) points->emplace_back(p[0], p[1], p[2]);
    if (text.kind == "hull") {
        auto faces = std::make_shared<std::vector<int>>();
        for (auto& f : text.faces) faces->insert(faces->end(), {3, int(f[0]), int(f[1]), int(f[2])});
        return std::make_shared<Convexd>(points, int(text.faces.size()), faces, false);
    }
    auto mesh = std::make_shared<BVHModel<OBBRSSd>>();
    std::vector<Triangle> triangles;
    for (auto& f : text.faces) triangles.emplace_back(f[0], f[1], f[2]);
    mesh->beginModel(int(triangles.size()), int(points->size()));
    mesh->addSubModel(*points, triangles);
    mesh->endModel();
    return mesh;
}

struct Fcl {
    Text text;
    std::vector<std::shared_ptr<CollisionGeometryd>> shapes;
    std::vector<std::vector<Transform3d>> poses;
    CollisionGeometryd *a = nullptr, *b = nullptr;
    std::string question;
    size_t pair = 0;
    Transform3d identity = Transform3d::Identity();

    bool prepare(const std::string& asked, size_t index) {
        question = asked;
        pair = index;
        a = shapes[text.pairs[index].a].get();
        b = shapes[text.pairs[index].b].get();
        const auto &of_a = text.shapes[text.pairs[index].a].kind, &of_b = text.shapes[text.pairs[index].b].kind;
        // It has no distance to half-spaces, no guess for distances, no depth of meshes.
        if (asked == "distance" && (of_a == "halfspace" || of_b == "halfspace")) return false;
        return asked == "collide" || asked == "distance" || (asked == "depth" && of_a != "mesh");
    }

    double ask(size_t index) {
        const auto& pose = poses[pair][index];
        if (question == "distance") {
            DistanceRequestd request;
            DistanceResultd result;
            distance(a, identity, b, pose, request, result);
            return std::max(0.0, result.min_distance);
        }
        CollisionRequestd request(1, question == "depth");
        CollisionResultd result;
        collide(a, identity, b, pose, request, result);
        if (question == "collide") return result.isCollision();
        return result.isCollision() ? result.getContact(0).penetration_depth : 0.0;
    }
};

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    Fcl peer;
    peer.text = read_text(argv[1]);
    for (auto& text : peer.text.shapes) peer.shapes.push_back(shape(text));
    for (auto& pair : peer.text.pairs) {
        auto& poses = peer.poses.emplace_back();
        for (auto& p : pair.poses) {
            auto& pose = poses.emplace_back(Transform3d::Identity());
            pose.linear() << p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8];
            pose.translation() << p[9], p[10], p[11];
        }
    }
    return serve(peer, peer.text);
}
