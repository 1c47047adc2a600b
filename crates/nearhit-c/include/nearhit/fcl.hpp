// The names of FCL's core over nearhit: BVHModel, primitives, CollisionObject, collide, distance.
// Header only, C++17, small enough to read. Licence: MIT or Apache-2.0, at your option; nothing of FCL is
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
// * Answers are exact; touching counts. Where FCL's rounding misses a contact, answers differ. Of
//   cylinders, cones and ellipsoids "apart" is proven.
// * A distance is 0 exactly in contact (FCL: -1 or 0). With enable_signed_distance the distance of
//   two primitives in contact is minus their penetration depth; where one is a mesh it is 0.
// * Contacts have pieces, a position, a normal from o1 to o2 and a depth, in the world. b1 and b2
//   are triangles of meshes, and -1 of primitives. The position of two triangles is the middle of
//   what they share; normal and depth are the shortest way out of that pair alone.
// * Primitives are solids, as in FCL, and a BVHModel is a surface: a mesh inside a box is in
//   contact with it, a box inside a mesh is not. They are never turned into triangles.
// * Capsules, cylinders and cones lie along z with whole lengths, as in FCL. Halfspace has a side
//   (n · x <= d); FCL's Plane, which has none, is not here. Convex takes its corners and ignores
//   the faces. No OcTree: nearhit::Shape::octree.
// * Meshes do not change: no update or replace models; make a new one.
// * Broad phases: nearhit::Scene instead of a manager with callbacks. Continuous collision:
//   nearhit::first_contact_of_shapes.
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

/// Something with a shape.
class CollisionGeometry {
public:
    virtual ~CollisionGeometry() = default;
    const Shape& shape() const {
        if (!shape_) nearhit::detail::fail(Error(NEARHIT_STATUS_INVALID_ARGUMENT, "the geometry has no model: endModel was not called"));
        return *shape_;
    }
    /// Of a mesh; null of a primitive.
    const Model* mesh() const noexcept { return model_.get(); }

protected:
    CollisionGeometry() = default;
    explicit CollisionGeometry(Shape shape) : shape_(std::make_shared<const Shape>(std::move(shape))) {}
    std::shared_ptr<const Shape> shape_;
    std::shared_ptr<const Model> model_;
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
        shape_.reset();
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
        shape_ = std::make_shared<const Shape>(Shape::mesh(*model_));
        return BVH_OK;
    }
    /// What endModel has made.
    const Model& model() const { return (void)shape(), *model_; }

private:
    std::vector<std::array<double, 3>> vertices_;
    std::vector<std::array<std::uint32_t, 3>> triangles_;
};

// Primitives about the origin; all are solids.

template <class S = double>
class Box : public CollisionGeometry {
public:
    Box(S x, S y, S z) : CollisionGeometry(Shape::cuboid(x, y, z)) {}
    template <class P>
    explicit Box(const P& side) : Box(side[0], side[1], side[2]) {}
};
template <class S = double>
class Sphere : public CollisionGeometry {
public:
    explicit Sphere(S radius) : CollisionGeometry(Shape::ball(radius)) {}
};
/// By its radii.
template <class S = double>
class Ellipsoid : public CollisionGeometry {
public:
    Ellipsoid(S a, S b, S c) : CollisionGeometry(Shape::ellipsoid(a, b, c)) {}
};
template <class S = double>
class Capsule : public CollisionGeometry {
public:
    Capsule(S radius, S lz) : CollisionGeometry(Shape::capsule(radius, lz)) {}
};
template <class S = double>
class Cylinder : public CollisionGeometry {
public:
    Cylinder(S radius, S lz) : CollisionGeometry(Shape::cylinder(radius, lz)) {}
};
template <class S = double>
class Cone : public CollisionGeometry {
public:
    Cone(S radius, S lz) : CollisionGeometry(Shape::cone(radius, lz)) {}
};
/// Everything with n · x <= d.
template <class S = double>
class Halfspace : public CollisionGeometry {
public:
    template <class P>
    Halfspace(const P& n, S d) : CollisionGeometry(Shape::half_space(n, d)) {}
};
template <class S = double>
class TriangleP : public CollisionGeometry {
public:
    template <class P>
    TriangleP(const P& a, const P& b, const P& c)
        : CollisionGeometry(Shape::hull(std::array<std::array<double, 3>, 3>{
              nearhit::detail::three(a), nearhit::detail::three(b), nearhit::detail::three(c)})) {}
};
/// The hull of its corners.
template <class S = double>
class Convex : public CollisionGeometry {
public:
    template <class Vertices, class... Faces>
    explicit Convex(const std::shared_ptr<Vertices>& vertices, const Faces&...) : CollisionGeometry(Shape::hull(*vertices)) {}
};
using Boxd = Box<double>;
using Sphered = Sphere<double>;
using Ellipsoidd = Ellipsoid<double>;
using Capsuled = Capsule<double>;
using Cylinderd = Cylinder<double>;
using Coned = Cone<double>;
using Halfspaced = Halfspace<double>;
using TrianglePd = TriangleP<double>;
using Convexd = Convex<double>;

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
    /// The triangles; -1 of primitives.
    std::intptr_t b1 = -1, b2 = -1;
    /// In the world, from o1 to o2, and where: with enable_contact.
    std::array<double, 3> normal{}, pos{};
    double penetration_depth = 0.0;
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
/// A piece that an answer names, as FCL numbers it.
inline std::intptr_t piece(const CollisionGeometry& geometry, std::uint32_t piece) {
    return geometry.mesh() && piece != NEARHIT_NO_TRIANGLE ? static_cast<std::intptr_t>(piece) : -1;
}

/// The middle of what each pair of triangles shares, in the order of the pairs.
inline std::vector<std::array<double, 3>> middles(const Pair& pair) {
    ContactList list;
    pair.contacts_with_points(list);
    std::vector<std::array<double, 3>> all(list.pairs().size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto points = list.points(i);
        for (const auto& point : points)
            for (std::size_t axis = 0; axis < 3; ++axis) all[i][axis] += point[axis] / static_cast<double>(points.size());
    }
    return all;
}
}  // namespace detail

/// How many contacts there are, at most as many as are asked for.
template <class S>
std::size_t collide(const CollisionObject<S>* o1, const CollisionObject<S>* o2, const CollisionRequest<S>& request,
                    CollisionResult<S>& result) {
    const CollisionGeometry &first = *o1->collisionGeometry(), &second = *o2->collisionGeometry();
    const ShapePair pair(first.shape(), o1->getTransform(), second.shape(), o2->getTransform());
    Contact<S> contact;
    contact.o1 = &first;
    contact.o2 = &second;
    if (request.num_max_contacts <= 1 && !request.enable_contact) {
        const Collision found = pair.collide();
        if (found.verdict == NEARHIT_VERDICT_YES) {
            contact.b1 = detail::piece(first, found.triangles.a);
            contact.b2 = detail::piece(second, found.triangles.b);
            result.addContact(contact);
        }
        return result.numContacts();
    }
    std::vector<std::array<double, 3>> middles;
    if (request.enable_contact && first.mesh() && second.mesh())
        middles = detail::middles(Pair(*first.mesh(), o1->getTransform(), *second.mesh(), o2->getTransform()));
    const std::vector<ShapeContact> found = pair.contacts();
    for (std::size_t i = 0; i < found.size() && result.numContacts() < request.num_max_contacts; ++i) {
        contact.b1 = detail::piece(first, found[i].pieces.a);
        contact.b2 = detail::piece(second, found[i].pieces.b);
        if (request.enable_contact) {
            contact.pos = middles.empty() ? point(found[i].point) : middles.at(i);
            contact.normal = point(found[i].normal);
            contact.penetration_depth = found[i].depth_upper;
        }
        result.addContact(contact);
    }
    return result.numContacts();
}

/// How far apart; 0 in contact, or below with enable_signed_distance and two primitives.
template <class S>
double distance(const CollisionObject<S>* o1, const CollisionObject<S>* o2, const DistanceRequest<S>& request,
                DistanceResult<S>& result) {
    const CollisionGeometry &first = *o1->collisionGeometry(), &second = *o2->collisionGeometry();
    const ShapePair pair(first.shape(), o1->getTransform(), second.shape(), o2->getTransform());
    const Distance found = pair.distance(Settings().relative(request.rel_err).absolute(request.abs_err));
    result.min_distance = found.upper;
    result.b1 = detail::piece(first, found.triangles.a);
    result.b2 = detail::piece(second, found.triangles.b);
    result.nearest_points[0] = point(found.point_a);
    result.nearest_points[1] = point(found.point_b);
    if (request.enable_signed_distance && found.lower == 0.0 && !first.mesh() && !second.mesh()) {
        const Penetration depth = pair.penetration();
        result.min_distance = -depth.upper;
        result.nearest_points[0] = point(depth.point_a);
        result.nearest_points[1] = point(depth.point_b);
    }
    return result.min_distance;
}

}  // namespace fcl
}  // namespace nearhit

#endif  // NEARHIT_FCL_HPP
