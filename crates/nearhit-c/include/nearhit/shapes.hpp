// nearhit for C++17: shapes that are no meshes, and meshes beside them. Part of nearhit.hpp, which
// includes it. Licence: MIT or Apache-2.0, at your option.
//
//   nearhit::Shape table = nearhit::Shape::cuboid(1, 2, 0.1), cup = nearhit::Shape::cylinder(0.04, 0.12);
//   nearhit::Distance gap = nearhit::ShapePair(table, {}, cup, pose).distance();
#ifndef NEARHIT_SHAPES_HPP
#define NEARHIT_SHAPES_HPP
#ifndef NEARHIT_HPP
#error "include nearhit.hpp: nearhit/shapes.hpp is a part of it"
#endif

namespace nearhit {

using Penetration = nearhit_penetration_result;
using ShapeContact = nearhit_shape_contact;
using ShapePoint = nearhit_shape_point_result;
using ShapeHit = nearhit_shape_ray_hit;

/// A solid primitive, a hull, a half-space, a set of pieces, or a mesh; with a margin that it is
/// grown by. Copies share what is large.
class Shape {
public:
    using Handle = nearhit_shape;
    explicit Shape(Handle* handle) : handle_(handle) {}
    Shape(const Shape& other) : Shape(copy(other)) {}
    Shape(Shape&&) noexcept = default;
    Shape& operator=(const Shape& other) { return *this = Shape(other); }
    Shape& operator=(Shape&&) noexcept = default;
    /// A mesh as a surface.
    Shape(const Model& model) : Shape(mesh(model)) {}

    static Result<Shape> try_ball(double radius) {
        return make([&](Handle** out, nearhit_error* error) { return nearhit_shape_ball(radius, out, error); });
    }
    static Shape ball(double radius) { return try_ball(radius).value(); }
    /// Along z; `length` is that of its segment.
    static Result<Shape> try_capsule(double radius, double length) {
        return make([&](Handle** out, nearhit_error* error) { return nearhit_shape_capsule(radius, length, out, error); });
    }
    static Shape capsule(double radius, double length) { return try_capsule(radius, length).value(); }
    /// A box, by whole sizes.
    static Result<Shape> try_cuboid(double x, double y, double z) {
        return make([&](Handle** out, nearhit_error* error) { return nearhit_shape_box(x, y, z, out, error); });
    }
    static Shape cuboid(double x, double y, double z) { return try_cuboid(x, y, z).value(); }
    /// About z.
    static Result<Shape> try_cylinder(double radius, double length) {
        return make([&](Handle** out, nearhit_error* error) { return nearhit_shape_cylinder(radius, length, out, error); });
    }
    static Shape cylinder(double radius, double length) { return try_cylinder(radius, length).value(); }
    /// About z, its tip at +length / 2.
    static Shape cone(double radius, double length) { return truncated_cone(radius, 0, length); }
    static Result<Shape> try_truncated_cone(double bottom, double top, double length) {
        return make([&](Handle** out, nearhit_error* error) { return nearhit_shape_cone(bottom, top, length, out, error); });
    }
    static Shape truncated_cone(double bottom, double top, double length) { return try_truncated_cone(bottom, top, length).value(); }
    static Result<Shape> try_ellipsoid(double x, double y, double z) {
        return make([&](Handle** out, nearhit_error* error) { return nearhit_shape_ellipsoid(x, y, z, out, error); });
    }
    static Shape ellipsoid(double x, double y, double z) { return try_ellipsoid(x, y, z).value(); }
    /// The convex hull of points: a container of them, or a matrix (n x 3).
    template <class Points>
    static Result<Shape> try_hull(const Points& points) {
        const std::vector<double> all = detail::flat<double>(points);
        return make([&](Handle** out, nearhit_error* error) { return nearhit_shape_hull(all.data(), all.size() / 3, out, error); });
    }
    template <class Points>
    static Shape hull(const Points& points) { return try_hull(points).value(); }
    /// Everything with normal · x <= offset.
    template <class P>
    static Result<Shape> try_half_space(const P& normal, double offset) {
        const detail::Point n = detail::three(normal);
        return make([&](Handle** out, nearhit_error* error) { return nearhit_shape_half_space(n.data(), offset, out, error); });
    }
    template <class P>
    static Shape half_space(const P& normal, double offset) { return try_half_space(normal, offset).value(); }
    /// A ball about each point; one radius for all of them, or one for each.
    template <class Points>
    static Result<Shape> try_point_cloud(const Points& points, const std::vector<double>& radii) {
        const std::vector<double> all = detail::flat<double>(points);
        return make([&](Handle** out, nearhit_error* error) {
            return nearhit_shape_point_cloud(all.data(), all.size() / 3, radii.data(), radii.size(), out, error);
        });
    }
    template <class Points>
    static Shape point_cloud(const Points& points, const std::vector<double>& radii) { return try_point_cloud(points, radii).value(); }
    /// Rows of `columns` heights; with a floor it is a solid.
    static Result<Shape> try_height_field(const std::vector<double>& heights, std::size_t columns, double spacing_x,
                                          double spacing_y, const double* floor = nullptr) {
        const std::size_t rows = columns ? heights.size() / columns : 0;
        if (rows * columns != heights.size()) return Error(NEARHIT_STATUS_SHAPE, "the heights are not rows of as many columns");
        return make([&](Handle** out, nearhit_error* error) {
            return nearhit_shape_height_field(heights.data(), rows, columns, spacing_x, spacing_y, floor, out, error);
        });
    }
    static Shape height_field(const std::vector<double>& heights, std::size_t columns, double spacing_x, double spacing_y,
                              const double* floor = nullptr) {
        return try_height_field(heights, columns, spacing_x, spacing_y, floor).value();
    }
    /// The cells of a grid that hold points.
    template <class Points>
    static Result<Shape> try_octree(const Points& points, double resolution) {
        const std::vector<double> all = detail::flat<double>(points);
        return make([&](Handle** out, nearhit_error* error) {
            return nearhit_shape_octree(all.data(), all.size() / 3, resolution, out, error);
        });
    }
    template <class Points>
    static Shape octree(const Points& points, double resolution) { return try_octree(points, resolution).value(); }
    /// Boxes of cells: first and last along x, y, z.
    static Result<Shape> try_octree_of_cells(const std::vector<std::array<std::int32_t, 6>>& boxes, double resolution) {
        return make([&](Handle** out, nearhit_error* error) {
            return nearhit_shape_octree_of_cells(boxes.empty() ? nullptr : boxes.front().data(), boxes.size(), resolution, out, error);
        });
    }
    static Shape octree_of_cells(const std::vector<std::array<std::int32_t, 6>>& boxes, double resolution) {
        return try_octree_of_cells(boxes, resolution).value();
    }
    /// A mesh as a surface, or as a solid.
    static Shape mesh(const Model& model) { return of_model(model, 0).value(); }
    static Shape solid(const Model& model) { return of_model(model, 1).value(); }
    /// As "box:1,2,3+0.1".
    static Result<Shape> try_parse(const std::string& text) {
        return make([&](Handle** out, nearhit_error* error) { return nearhit_shape_parse(text.c_str(), out, error); });
    }
    static Shape parse(const std::string& text) { return try_parse(text).value(); }

    /// Grown by a margin all around.
    Result<Shape> try_grown(double margin) const {
        return make([&](Handle** out, nearhit_error* error) { return nearhit_shape_grown(get(), margin, out, error); });
    }
    Shape grown(double margin) const { return try_grown(margin).value(); }
    /// What a convex shape covers while it is moved along a straight line.
    template <class P>
    Result<Shape> try_swept(const P& by) const {
        const detail::Point b = detail::three(by);
        return make([&](Handle** out, nearhit_error* error) { return nearhit_shape_swept(get(), b.data(), out, error); });
    }
    template <class P>
    Shape swept(const P& by) const { return try_swept(by).value(); }

    const char* name() const noexcept { return nearhit_shape_name(get()); }
    double margin() const noexcept { return nearhit_shape_margin(get()); }
    /// Lowest and highest corner of a box around it; a half-space has none.
    Result<std::pair<detail::Point, detail::Point>> try_bounds() const {
        double low[3], high[3];
        nearhit_error error;
        if (nearhit_shape_bounds(get(), &low, &high, &error) != NEARHIT_STATUS_OK) return Error(error);
        return std::make_pair(point(low), point(high));
    }
    std::pair<detail::Point, detail::Point> bounds() const { return try_bounds().value(); }

    /// Points and rays are in the shape's frame.
    template <class P>
    Result<bool> try_contains(const P& position) const {
        const detail::Point p = detail::three(position);
        return detail::asked<bool>([&](bool* result, nearhit_error* error) {
            return nearhit_shape_contains(get(), p.data(), nullptr, result, error);
        });
    }
    template <class P>
    bool contains(const P& position) const { return try_contains(position).value(); }
    template <class P>
    Result<ShapePoint> try_signed_distance(const P& position) const {
        const detail::Point p = detail::three(position);
        return detail::asked<ShapePoint>([&](ShapePoint* result, nearhit_error* error) {
            return nearhit_shape_signed_distance(get(), p.data(), nullptr, result, error);
        });
    }
    template <class P>
    ShapePoint signed_distance(const P& position) const { return try_signed_distance(position).value(); }
    Result<ShapeHit> try_first_hit(const Ray& ray) const {
        return detail::asked<ShapeHit>([&](ShapeHit* result, nearhit_error* error) {
            return nearhit_shape_first_hit(get(), &ray, nullptr, result, error);
        });
    }
    ShapeHit first_hit(const Ray& ray) const { return try_first_hit(ray).value(); }
    const Handle* get() const noexcept { return handle_.get(); }

private:
    template <class Call>
    static Result<Shape> make(Call&& call) { return detail::made<Shape>(std::forward<Call>(call)); }
    static Result<Shape> of_model(const Model& model, int is_solid) {
        return make([&](Handle** out, nearhit_error* error) { return nearhit_shape_mesh(model.get(), is_solid, out, error); });
    }
    static Handle* copy(const Shape& other) {
        return make([&](Handle** out, nearhit_error* error) { return nearhit_shape_clone(other.get(), out, error); })
            .value()
            .handle_.release();
    }
    detail::Owned<Handle, nearhit_shape_free> handle_;
};

namespace detail {
/// Fills a list of contacts and copies them.
template <class Call>
Result<std::vector<ShapeContact>> shape_contacts(Call&& call) {
    nearhit_error error;
    nearhit_shape_contact_list* list = nullptr;
    if (nearhit_shape_contact_list_new(&list, &error) != NEARHIT_STATUS_OK) return Error(error);
    const Owned<nearhit_shape_contact_list, nearhit_shape_contact_list_free> owned(list);
    if (call(list, &error) != NEARHIT_STATUS_OK) return Error(error);
    std::size_t count = 0;
    const ShapeContact* first = nearhit_shape_contact_list_contacts(list, &count);
    return std::vector<ShapeContact>(first, first + count);
}
}  // namespace detail

/// Two shapes and where they are. The shapes must outlive it.
class ShapePair {
public:
    ShapePair(const Shape& a, const Pose& world_from_a, const Shape& b, const Pose& world_from_b)
        : a_(a.get()), b_(b.get()), world_from_a_(world_from_a), world_from_b_(world_from_b) {}
    Collision collide(const Settings& settings = {}) const { return try_collide(settings).value(); }
    Result<Collision> try_collide(const Settings& settings = {}) const { return ask<Collision>(nearhit_shape_collide, settings); }
    Distance distance(const Settings& settings = {}) const { return try_distance(settings).value(); }
    Result<Distance> try_distance(const Settings& settings = {}) const { return ask<Distance>(nearhit_shape_distance, settings); }
    Within within(double limit, const Settings& settings = {}) const { return try_within(limit, settings).value(); }
    Result<Within> try_within(double limit, const Settings& settings = {}) const {
        return detail::asked<Within>([&](Within* result, nearhit_error* error) {
            return nearhit_shape_within(a_, &world_from_a_, b_, &world_from_b_, limit, &settings, result, error);
        });
    }
    /// How deep, and which way out; of convex shapes and half-spaces.
    Penetration penetration(const Settings& settings = {}) const { return try_penetration(settings).value(); }
    Result<Penetration> try_penetration(const Settings& settings = {}) const {
        return ask<Penetration>(nearhit_shape_penetration, settings);
    }
    /// Where, which way out and how deep: one for two convex shapes, otherwise one a pair of pieces.
    std::vector<ShapeContact> contacts(const Settings& settings = {}) const { return try_contacts(settings).value(); }
    Result<std::vector<ShapeContact>> try_contacts(const Settings& settings = {}) const {
        return detail::shape_contacts([&](nearhit_shape_contact_list* list, nearhit_error* error) {
            return nearhit_shape_contacts(a_, &world_from_a_, b_, &world_from_b_, &settings, list, error);
        });
    }

private:
    template <class T, class Call>
    Result<T> ask(Call call, const Settings& settings) const {
        return detail::asked<T>([&](T* result, nearhit_error* error) {
            return call(a_, &world_from_a_, b_, &world_from_b_, &settings, result, error);
        });
    }
    const nearhit_shape* a_;
    const nearhit_shape* b_;
    Pose world_from_a_, world_from_b_;
};

/// The first time at which two moving shapes are within `tolerance` of each other; proven for every
/// instant before.
inline Result<FirstContact> try_first_contact_of_shapes(const Shape& a, const Motion& motion_a, const Shape& b,
                                                        const Motion& motion_b, double tolerance,
                                                        const Settings& settings = {}) {
    return detail::asked<FirstContact>([&](FirstContact* result, nearhit_error* error) {
        return nearhit_shape_first_contact(a.get(), &motion_a, b.get(), &motion_b, tolerance, &settings, result, error);
    });
}
inline FirstContact first_contact_of_shapes(const Shape& a, const Motion& motion_a, const Shape& b, const Motion& motion_b,
                                            double tolerance, const Settings& settings = {}) {
    return try_first_contact_of_shapes(a, motion_a, b, motion_b, tolerance, settings).value();
}

}  // namespace nearhit

#endif  // NEARHIT_SHAPES_HPP
