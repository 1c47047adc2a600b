// The names of FCL's core over nearhit: BVHModel, Box, CollisionObject, collide, distance. Header
// only, C++17, small enough to read. Licence: MIT or Apache-2.0, at your option; nothing of FCL is
// in it.
//
//   namespace fcl = nearhit::fcl;
//   auto geometry = std::make_shared<fcl::BVHModel<fcl::OBBRSSd>>();
//   geometry->beginModel();
//   geometry->addSubModel(points, triangles);      // anything with [0], [1], [2] in any container
//   geometry->endModel();
//   fcl::CollisionObjectd object(geometry, transform);   // an Eigen::Isometry3d, a nearhit::Pose ...
//
// What differs from FCL:
// * The bounding volume of a BVHModel is a name without meaning: there is one engine.
// * Answers are exact; touching counts. Where FCL's rounding misses a contact, answers differ.
// * A distance is 0 exactly in contact (FCL: -1 or 0). With enable_signed_distance the distance of
//   two primitives in contact is minus the depth of the deepest point; FCL's is that of EPA.
// * Contacts have triangles and a position, the middle of what the two triangles share; of surfaces
//   there is no normal and no depth (nearhit::SolidPair::contact_regions and translational_depth
//   know).
// * A Box is a solid, as in FCL, and a BVHModel a surface: a mesh inside a box is in contact with
//   it, a box inside a mesh is not. Box is made of triangles, exactly. Other primitives: none so
//   far.
// * Meshes do not change: no update or replace models; make a new one.
// * Broad phases: nearhit::Scene instead of a manager with callbacks. Continuous collision:
//   nearhit::first_contact.
// * Errors (NaN, indices out of range, matrices that are no rotations) are nearhit::Error
//   exceptions.
#ifndef NEARHIT_FCL_HPP
#define NEARHIT_FCL_HPP

#include "../nearhit.hpp"

#include <limits>

namespace nearhit {
namespace fcl {

template <class S> struct AABB {};
template <class S> struct OBB {};
template <class S> struct RSS {};
template <class S> struct OBBRSS {};
template <class S> struct kIOS {};
using OBBRSSd = OBBRSS<double>;
using RSSd = RSS<double>;
using OBBd = OBB<double>;

enum BVHReturnCode { BVH_OK = 0, BVH_ERR_MODEL_OUT_OF_MEMORY = -1, BVH_ERR_BUILD_OUT_OF_SEQUENCE = -2, BVH_ERR_BUILD_EMPTY_MODEL = -3 };

/// Something with a model.
class CollisionGeometry {
public:
    virtual ~CollisionGeometry() = default;
    const Model& model() const {
        if (!model_) nearhit::detail::fail(Error(NEARHIT_STATUS_INVALID_ARGUMENT, "the geometry has no model: endModel was not called"));
        return *model_;
    }
    bool isSolid() const noexcept { return is_solid_; }

protected:
    std::shared_ptr<const Model> model_;
    bool is_solid_ = false;
};

/// A triangle by the indices of its corners.
class Triangle {
public:
    Triangle() = default;
    Triangle(std::size_t p1, std::size_t p2, std::size_t p3) : corners_{p1, p2, p3} {}
    std::size_t operator[](int i) const { return corners_[static_cast<std::size_t>(i)]; }
    std::size_t& operator[](int i) { return corners_[static_cast<std::size_t>(i)]; }

private:
    std::array<std::size_t, 3> corners_{};
};

/// A mesh: beginModel, addTriangle or addSubModel, endModel. A surface.
template <class BV = OBBRSSd>
class BVHModel : public CollisionGeometry {
public:
    int beginModel(int triangles = 0, int vertices = 0) {
        vertices_.clear();
        triangles_.clear();
        vertices_.reserve(static_cast<std::size_t>(vertices > 0 ? vertices : 0));
        triangles_.reserve(static_cast<std::size_t>(triangles > 0 ? triangles : 0));
        model_.reset();
        return BVH_OK;
    }
    template <class P>
    int addTriangle(const P& p1, const P& p2, const P& p3) {
        const auto first = static_cast<std::uint32_t>(vertices_.size());
        vertices_.insert(vertices_.end(), {nearhit::detail::three(p1), nearhit::detail::three(p2), nearhit::detail::three(p3)});
        triangles_.push_back({first, first + 1, first + 2});
        return BVH_OK;
    }
    template <class Points, class Triangles>
    int addSubModel(const Points& points, const Triangles& triangles) {
        const auto first = static_cast<std::uint32_t>(vertices_.size());
        for (const auto& point : points) vertices_.push_back(nearhit::detail::three(point));
        for (const auto& triangle : triangles)
            triangles_.push_back({nearhit::detail::index(triangle[0], first), nearhit::detail::index(triangle[1], first),
                                  nearhit::detail::index(triangle[2], first)});
        return BVH_OK;
    }
    int endModel() {
        if (triangles_.empty()) return BVH_ERR_BUILD_EMPTY_MODEL;
        model_ = std::make_shared<const Model>(vertices_, triangles_);
        return BVH_OK;
    }

private:
    std::vector<std::array<double, 3>> vertices_;
    std::vector<std::array<std::uint32_t, 3>> triangles_;
};

/// A solid box around the origin, with these lengths of its sides.
template <class S = double>
class Box : public CollisionGeometry {
public:
    Box(S x, S y, S z) {
        std::vector<std::array<double, 3>> corners;
        for (int i = 0; i < 8; ++i)
            corners.push_back({(i & 1 ? 0.5 : -0.5) * x, (i & 2 ? 0.5 : -0.5) * y, (i & 4 ? 0.5 : -0.5) * z});
        const std::vector<std::array<std::uint32_t, 3>> faces{{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                                              {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
        model_ = std::make_shared<const Model>(corners, faces);
        is_solid_ = true;
    }
};
using Boxd = Box<double>;

/// A geometry and where it is.
template <class S = double>
class CollisionObject {
public:
    explicit CollisionObject(std::shared_ptr<CollisionGeometry> geometry, const Pose& transform = {})
        : geometry_(std::move(geometry)), transform_(transform) {}
    void setTransform(const Pose& transform) { transform_ = transform; }
    template <class R, class P>
    void setTransform(const R& rotation, const P& translation) { transform_ = Pose::from_rows(rotation, translation); }
    const Pose& getTransform() const { return transform_; }
    const std::shared_ptr<CollisionGeometry>& collisionGeometry() const { return geometry_; }
    void setUserData(void* data) { user_data_ = data; }
    void* getUserData() const { return user_data_; }

private:
    std::shared_ptr<CollisionGeometry> geometry_;
    Pose transform_;
    void* user_data_ = nullptr;
};
using CollisionObjectd = CollisionObject<double>;

template <class S = double>
struct Contact {
    const CollisionGeometry* o1 = nullptr;
    const CollisionGeometry* o2 = nullptr;
    /// The triangles; -1 where one is inside the other.
    std::intptr_t b1 = -1, b2 = -1;
    /// In the world; of a pair that touches, the middle of what it shares.
    std::array<double, 3> pos{};
};

template <class S = double>
struct CollisionRequest {
    std::size_t num_max_contacts;
    bool enable_contact;
    explicit CollisionRequest(std::size_t num_max_contacts_ = 1, bool enable_contact_ = false)
        : num_max_contacts(num_max_contacts_), enable_contact(enable_contact_) {}
};

template <class S = double>
class CollisionResult {
public:
    bool isCollision() const noexcept { return !contacts_.empty(); }
    std::size_t numContacts() const noexcept { return contacts_.size(); }
    const Contact<S>& getContact(std::size_t i) const { return contacts_.at(i); }
    void getContacts(std::vector<Contact<S>>& contacts) const { contacts = contacts_; }
    void addContact(const Contact<S>& contact) { contacts_.push_back(contact); }
    void clear() { contacts_.clear(); }

private:
    std::vector<Contact<S>> contacts_;
};

template <class S = double>
struct DistanceRequest {
    bool enable_nearest_points;
    bool enable_signed_distance;
    double rel_err, abs_err;
    explicit DistanceRequest(bool nearest = false, bool is_signed = false, double relative = 0.0, double absolute = 0.0)
        : enable_nearest_points(nearest), enable_signed_distance(is_signed), rel_err(relative), abs_err(absolute) {}
};

template <class S = double>
struct DistanceResult {
    double min_distance = (std::numeric_limits<double>::max)();
    std::array<double, 3> nearest_points[2]{};
    std::intptr_t b1 = -1, b2 = -1;
    void clear() { *this = DistanceResult(); }
};
using Contactd = Contact<double>;
using CollisionRequestd = CollisionRequest<double>;
using CollisionResultd = CollisionResult<double>;
using DistanceRequestd = DistanceRequest<double>;
using DistanceResultd = DistanceResult<double>;

namespace detail {
/// Is a point of `surface` inside `solid`? The two do not touch.
inline bool holds(const Model& solid, const Pose& at_solid, const Model& surface, const Pose& at_surface) {
    for (const auto& vertex : surface.vertices()) {
        double world[3], local[3] = {0.0, 0.0, 0.0};
        for (int i = 0; i < 3; ++i) {
            world[i] = at_surface.translation[i] - at_solid.translation[i];
            for (int j = 0; j < 3; ++j) world[i] += at_surface.rotation[i][j] * vertex[static_cast<std::size_t>(j)];
        }
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) local[i] += at_solid.rotation[j][i] * world[j];
        if (solid.contains(local).location != NEARHIT_LOCATION_OUTSIDE) return true;
    }
    return false;
}

/// Is one inside the other, and the other a solid? The surfaces do not touch.
template <class S>
bool contained(const CollisionObject<S>& a, const CollisionObject<S>& b) {
    const CollisionGeometry &first = *a.collisionGeometry(), &second = *b.collisionGeometry();
    return (first.isSolid() && holds(first.model(), a.getTransform(), second.model(), b.getTransform())) ||
           (second.isSolid() && holds(second.model(), b.getTransform(), first.model(), a.getTransform()));
}
}  // namespace detail

/// How many contacts there are, at most as many as are asked for.
template <class S>
std::size_t collide(const CollisionObject<S>* o1, const CollisionObject<S>* o2, const CollisionRequest<S>& request,
                    CollisionResult<S>& result) {
    const CollisionGeometry &first = *o1->collisionGeometry(), &second = *o2->collisionGeometry();
    const Pair pair(first.model(), o1->getTransform(), second.model(), o2->getTransform());
    Contact<S> contact;
    contact.o1 = &first;
    contact.o2 = &second;
    if (request.num_max_contacts <= 1 && !request.enable_contact) {
        const Collision found = pair.collide();
        if (found.verdict == NEARHIT_VERDICT_YES) {
            contact.b1 = found.triangles.a;
            contact.b2 = found.triangles.b;
            result.addContact(contact);
        }
    } else {
        ContactList list;
        request.enable_contact ? pair.contacts_with_points(list) : pair.contacts(list);
        for (std::size_t i = 0; i < list.pairs().size() && result.numContacts() < request.num_max_contacts; ++i) {
            contact.b1 = list.pairs()[i].a;
            contact.b2 = list.pairs()[i].b;
            contact.pos = {};
            const auto points = list.points(i);
            for (const auto& point : points)
                for (std::size_t axis = 0; axis < 3; ++axis) contact.pos[axis] += point[axis] / static_cast<double>(points.size());
            result.addContact(contact);
        }
    }
    if (!result.isCollision() && detail::contained(*o1, *o2)) result.addContact(contact);
    return result.numContacts();
}

/// How far apart; 0 in contact, or below with enable_signed_distance.
template <class S>
double distance(const CollisionObject<S>* o1, const CollisionObject<S>* o2, const DistanceRequest<S>& request,
                DistanceResult<S>& result) {
    const CollisionGeometry &first = *o1->collisionGeometry(), &second = *o2->collisionGeometry();
    const Pair pair(first.model(), o1->getTransform(), second.model(), o2->getTransform());
    const Settings settings = Settings().relative(request.rel_err).absolute(request.abs_err);
    Distance found;
    if (first.isSolid() && second.isSolid()) {
        found = pair.solid().distance(settings);
        if (!request.enable_signed_distance && found.upper < 0.0) found.upper = 0.0;
    } else {
        found = pair.distance(settings);
        if (found.upper > 0.0 && detail::contained(*o1, *o2)) found.upper = 0.0;
    }
    result.min_distance = found.upper;
    result.b1 = found.triangles.a;
    result.b2 = found.triangles.b;
    result.nearest_points[0] = point(found.point_a);
    result.nearest_points[1] = point(found.point_b);
    return result.min_distance;
}

}  // namespace fcl
}  // namespace nearhit

#endif  // NEARHIT_FCL_HPP
