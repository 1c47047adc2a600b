// nearhit for C++17: collision detection and distance queries for triangle meshes, shapes, scenes
// and robots. Header only, on top of nearhit.h, which says what every answer means. Licence: MIT or Apache-2.0, at your option.
//
//   nearhit::Model gripper = nearhit::Model::read("gripper.stl");
//   nearhit::Model part(vertices, triangles);                    // containers, Eigen matrices, arrays
//   nearhit::Distance nearest = nearhit::distance(gripper, pose, part, other_pose);
//
// ERRORS. Every call that can fail comes twice: `distance` throws nearhit::Error, `try_distance`
// returns a nearhit::Result, which has a value or an error. With -fno-exceptions a throw is an
// abort.
//
// TYPES OF OTHERS. A point is anything with [0], [1], [2]; a pose is a nearhit::Pose or anything
// with linear() and translation() (Eigen::Isometry3d), or a 4x4 matrix with (i, j) or [i][j].
// Nothing of Eigen is included.
//
// THREADS and OWNERSHIP are those of nearhit.h; objects free what they own, and can be moved. A
// View lives as long as the object it was asked of, or until that is filled again.
#ifndef NEARHIT_HPP
#define NEARHIT_HPP

#include "nearhit.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace nearhit {

using Status = nearhit_status;
using Verdict = nearhit_verdict;
using Side = nearhit_side;
using Stats = nearhit_stats;
using TrianglePair = nearhit_triangle_pair;
using Collision = nearhit_collide_result;
using Distance = nearhit_distance_result;
using Within = nearhit_within_result;
using SolidCollision = nearhit_solid_collide_result;
using LocalDepth = nearhit_local_depth_result;
using TranslationalDepth = nearhit_translational_depth_result;
using FirstContact = nearhit_first_contact_result;
using ContactRegion = nearhit_region;
using ContactPoint = nearhit_contact_point;
using ClosestPoint = nearhit_closest_point_result;
using Containment = nearhit_contains_result;
using Ray = nearhit_ray;
using RayHit = nearhit_ray_hit;
using TreeSphere = nearhit_sphere;
using Refined = nearhit_refine_result;
using Touch = nearhit_touch;
using Gap = nearhit_gap;
using BodyId = std::uint64_t;

// ---------------------------------------------------------------- errors

/// Why a call has no answer.
class Error : public std::runtime_error {
public:
    explicit Error(const nearhit_error& error)
        : std::runtime_error(error.message), status_(error.status), index_(error.index) {}
    Error(Status status, const std::string& message) : std::runtime_error(message), status_(status), index_(-1) {}
    Status status() const noexcept { return status_; }
    /// Which of many queries, from 0; -1 where there is but one.
    std::int64_t index() const noexcept { return index_; }

private:
    Status status_;
    std::int64_t index_;
};

namespace detail {
[[noreturn]] inline void fail(const Error& error) {
#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
    throw error;
#else
    std::fprintf(stderr, "nearhit: %s\n", error.what());
    std::abort();
#endif
}
}  // namespace detail

/// A value or an error, as std::expected of C++23.
template <class T>
class Result {
public:
    Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : content_(std::in_place_index<1>, std::move(error)) {}
    bool has_value() const noexcept { return content_.index() == 0; }
    explicit operator bool() const noexcept { return has_value(); }
    /// The value; throws the error if there is none.
    const T& value() const& { return has_value() ? *std::get_if<0>(&content_) : (detail::fail(error()), *std::get_if<0>(&content_)); }
    T value() && {
        if (!has_value()) detail::fail(error());
        return std::move(*std::get_if<0>(&content_));
    }
    /// The value, which must be there.
    const T& operator*() const noexcept { return *std::get_if<0>(&content_); }
    const T* operator->() const noexcept { return std::get_if<0>(&content_); }
    /// The error, which must be there.
    const Error& error() const noexcept { return *std::get_if<1>(&content_); }

private:
    std::variant<T, Error> content_;
};

/// For calls that return nothing.
using Done = std::monostate;

namespace detail {
template <class T, class Call>
Result<T> asked(Call&& call) {
    nearhit_error error;
    T value;
    if (call(&value, &error) != NEARHIT_STATUS_OK) return Error(error);
    return value;
}
template <class Call>
Result<Done> done(Call&& call) {
    nearhit_error error;
    if (call(&error) != NEARHIT_STATUS_OK) return Error(error);
    return Done{};
}
template <class T, void (*Free)(T*)>
struct Deleter {
    void operator()(T* handle) const noexcept { Free(handle); }
};
template <class T, void (*Free)(T*)>
using Owned = std::unique_ptr<T, Deleter<T, Free>>;

template <class Owner, class Call>
Result<Owner> made(Call&& call) {
    nearhit_error error;
    typename Owner::Handle* handle = nullptr;
    if (call(&handle, &error) != NEARHIT_STATUS_OK) return Error(error);
    return Owner(handle);
}

// What other libraries' types offer.
template <class T, class = void>
struct has_call2 : std::false_type {};
template <class T>
struct has_call2<T, std::void_t<decltype(std::declval<const T&>()(0, 0))>> : std::true_type {};
template <class T, class = void>
struct has_frame : std::false_type {};
template <class T>
struct has_frame<T, std::void_t<decltype(std::declval<const T&>().linear()(0, 0)),
                                decltype(std::declval<const T&>().translation()(0))>> : std::true_type {};
template <class T, class = void>
struct has_rows : std::false_type {};
template <class T>
struct has_rows<T, std::void_t<decltype(std::declval<const T&>().rows()), decltype(std::declval<const T&>()(0, 0))>>
    : std::true_type {};
template <class T, class = void>
struct has_index2 : std::false_type {};
template <class T>
struct has_index2<T, std::void_t<decltype(std::declval<const T&>()[0][0])>> : std::true_type {};

template <class M>
double entry(const M& matrix, int row, int column) {
    if constexpr (has_call2<M>::value)
        return static_cast<double>(matrix(row, column));
    else
        return static_cast<double>(matrix[row][column]);
}

template <class P>
std::array<double, 3> three(const P& point) {
    return {static_cast<double>(point[0]), static_cast<double>(point[1]), static_cast<double>(point[2])};
}

/// An index of any type of number; what is no index becomes one that no mesh has, and is refused.
template <class I>
std::uint32_t index(I value, std::uint32_t offset = 0) {
    constexpr std::uint64_t none = 0xFFFFFFFFu;
    if (value < I{} || static_cast<std::uint64_t>(value) > none) return none;
    const std::uint64_t sum = static_cast<std::uint64_t>(value) + offset;
    return static_cast<std::uint32_t>(sum < none ? sum : none);
}

template <class To, class From>
To number(From value) {
    if constexpr (std::is_same_v<To, std::uint32_t>)
        return index(value);
    else
        return static_cast<To>(value);
}

/// Rows of a matrix (n x 3) or elements of a container, as a flat array.
template <class To, class Rows>
std::vector<To> flat(const Rows& rows) {
    std::vector<To> all;
    if constexpr (has_rows<Rows>::value) {
        const auto count = rows.rows();
        all.reserve(3 * static_cast<std::size_t>(count));
        for (auto row = count - count; row < count; ++row)
            for (int column = 0; column < 3; ++column) all.push_back(number<To>(rows(row, column)));
    } else {
        for (const auto& row : rows)
            for (int column = 0; column < 3; ++column) all.push_back(number<To>(row[column]));
    }
    return all;
}

/// Three numbers of an answer as another library's point.
template <class P>
P as(const double (&numbers)[3]) {
    P point{};
    for (int i = 0; i < 3; ++i) point[i] = numbers[i];
    return point;
}
}  // namespace detail

/// An answer's point as another library's: `nearhit::point<Eigen::Vector3d>(nearest.point_a)`.
template <class P = std::array<double, 3>>
P point(const double (&numbers)[3]) {
    return detail::as<P>(numbers);
}

/// Values that belong to something else; a std::span can be made of it.
template <class T>
class View {
public:
    using value_type = T;
    View() = default;
    View(const T* data, std::size_t size) : data_(data), size_(size) {}
    const T* data() const noexcept { return data_; }
    std::size_t size() const noexcept { return size_; }
    bool empty() const noexcept { return size_ == 0; }
    const T* begin() const noexcept { return data_; }
    const T* end() const noexcept { return data_ + size_; }
    const T& operator[](std::size_t index) const noexcept { return data_[index]; }

private:
    const T* data_ = nullptr;
    std::size_t size_ = 0;
};

namespace detail {
/// Three numbers at a time.
using Point = std::array<double, 3>;
inline View<Point> points(const double* numbers, std::size_t count) {
    static_assert(sizeof(Point) == 3 * sizeof(double), "points are three numbers and nothing else");
    return {reinterpret_cast<const Point*>(numbers), count};
}
}  // namespace detail

// ---------------------------------------------------------------- poses

/// A rotation, then a translation. Checked by the library whenever it is used.
class Pose : public nearhit_pose {
public:
    /// The identity.
    Pose() : nearhit_pose(nearhit_pose_identity()) {}
    Pose(const nearhit_pose& pose) : nearhit_pose(pose) {}
    /// Anything that places: with linear() and translation(), or a 4x4 matrix with (i, j) or
    /// [i][j].
    template <class T, std::enable_if_t<!std::is_base_of_v<nearhit_pose, T>, int> = 0>
    Pose(const T& transform) : nearhit_pose(nearhit_pose_identity()) {
        for (int row = 0; row < 3; ++row) {
            for (int column = 0; column < 3; ++column) {
                if constexpr (detail::has_frame<T>::value)
                    rotation[row][column] = static_cast<double>(transform.linear()(row, column));
                else
                    rotation[row][column] = detail::entry(transform, row, column);
            }
            if constexpr (detail::has_frame<T>::value)
                translation[row] = static_cast<double>(transform.translation()(row));
            else
                translation[row] = detail::entry(transform, row, 3);
        }
    }
    /// A 3x3 matrix with (i, j) or [i][j], and a point.
    template <class R, class P>
    static Pose from_rows(const R& rotation, const P& translation) {
        Pose pose;
        for (int row = 0; row < 3; ++row) {
            for (int column = 0; column < 3; ++column) pose.rotation[row][column] = detail::entry(rotation, row, column);
            pose.translation[row] = static_cast<double>(translation[row]);
        }
        return pose;
    }
    template <class P>
    static Pose from_translation(const P& translation) {
        Pose pose;
        for (int row = 0; row < 3; ++row) pose.translation[row] = static_cast<double>(translation[row]);
        return pose;
    }
    static Pose from_translation(double x, double y, double z) { return from_translation(std::array<double, 3>{x, y, z}); }
    /// Sixteen numbers, row by row.
    static Result<Pose> try_from_matrix(const double* rows) {
        return detail::asked<Pose>([&](Pose* pose, nearhit_error* error) { return nearhit_pose_from_matrix(rows, pose, error); });
    }
    static Pose from_matrix(const double* rows) { return try_from_matrix(rows).value(); }
    /// Anything with x(), y(), z() and w(), such as Eigen::Quaterniond.
    template <class Q, class P>
    static Result<Pose> try_from_quaternion(const Q& quaternion, const P& translation) {
        const double xyzw[4] = {static_cast<double>(quaternion.x()), static_cast<double>(quaternion.y()),
                                static_cast<double>(quaternion.z()), static_cast<double>(quaternion.w())};
        return try_from_xyzw(xyzw, translation);
    }
    template <class P>
    static Result<Pose> try_from_xyzw(const double (&xyzw)[4], const P& translation) {
        const std::array<double, 3> t = detail::three(translation);
        return detail::asked<Pose>([&](Pose* pose, nearhit_error* error) {
            return nearhit_pose_from_quaternion(xyzw, t.data(), pose, error);
        });
    }
    template <class Q, class P>
    static Pose from_quaternion(const Q& quaternion, const P& translation) {
        return try_from_quaternion(quaternion, translation).value();
    }
    /// As another library's, which has linear() and translation(): `pose.to<Eigen::Isometry3d>()`.
    template <class T>
    T to() const {
        T transform;
        for (int row = 0; row < 3; ++row) {
            for (int column = 0; column < 3; ++column) transform.linear()(row, column) = rotation[row][column];
            transform.translation()(row) = translation[row];
        }
        return transform;
    }
};

// ---------------------------------------------------------------- settings

/// Working memory that is used again from call to call; one for each thread.
class Scratch {
public:
    using Handle = nearhit_scratch;
    Scratch() : Scratch(try_new().value().handle_.release()) {}
    explicit Scratch(Handle* handle) : handle_(handle) {}
    static Result<Scratch> try_new() {
        return detail::made<Scratch>([](Handle** out, nearhit_error* error) { return nearhit_scratch_new(out, error); });
    }
    Handle* get() const noexcept { return handle_.get(); }

private:
    detail::Owned<Handle, nearhit_scratch_free> handle_;
};

/// How to go about a question: `Settings().work(1000).scratch(memory)`.
class Settings : public nearhit_settings {
public:
    Settings() : nearhit_settings() {}
    Settings& work(std::uint64_t units) { limit = NEARHIT_LIMIT_WORK; nearhit_settings::work = units; return *this; }
    Settings& time_us(double value) { limit = NEARHIT_LIMIT_TIME; microseconds = value; return *this; }
    Settings& seed(TrianglePair pair) { has_seed = 1; nearhit_settings::seed = pair; return *this; }
    Settings& relative(double error) { relative_error = error; return *this; }
    Settings& absolute(double error) { absolute_error = error; return *this; }
    Settings& scratch(const Scratch& memory) { nearhit_settings::scratch = memory.get(); return *this; }
};

// ---------------------------------------------------------------- meshes and models

/// Triangles that have been checked.
class Mesh {
public:
    using Handle = nearhit_mesh;
    explicit Mesh(Handle* handle) : handle_(handle) {}
    /// Containers of points and of triples of indices, or matrices (n x 3).
    template <class Vertices, class Triangles>
    Mesh(const Vertices& vertices, const Triangles& triangles)
        : Mesh(try_new(vertices, triangles).value().handle_.release()) {}
    template <class Vertices, class Triangles>
    static Result<Mesh> try_new(const Vertices& vertices, const Triangles& triangles) {
        const std::vector<double> v = detail::flat<double>(vertices);
        const std::vector<std::uint32_t> t = detail::flat<std::uint32_t>(triangles);
        return detail::made<Mesh>([&](Handle** out, nearhit_error* error) {
            return nearhit_mesh_new(v.data(), v.size() / 3, t.data(), t.size() / 3, out, error);
        });
    }
    static Result<Mesh> try_read(const std::string& path) {
        return detail::made<Mesh>([&](Handle** out, nearhit_error* error) { return nearhit_mesh_read(path.c_str(), out, error); });
    }
    static Mesh read(const std::string& path) { return try_read(path).value(); }
    View<detail::Point> vertices() const {
        std::size_t count = 0;
        const double* numbers = nearhit_mesh_vertices(get(), &count);
        return detail::points(numbers, count);
    }
    View<std::array<std::uint32_t, 3>> triangles() const {
        std::size_t count = 0;
        const std::uint32_t* numbers = nearhit_mesh_triangles(get(), &count);
        return {reinterpret_cast<const std::array<std::uint32_t, 3>*>(numbers), count};
    }
    const Handle* get() const noexcept { return handle_.get(); }

private:
    detail::Owned<Handle, nearhit_mesh_free> handle_;
};

/// A mesh with its tree: what questions are asked of. Copies share it.
class Model {
public:
    using Handle = nearhit_model;
    explicit Model(Handle* handle) : handle_(handle) {}
    explicit Model(const Mesh& mesh, nearhit_preset preset = NEARHIT_PRESET_BALANCED)
        : Model(try_new(mesh, preset).value().handle_.release()) {}
    template <class Vertices, class Triangles>
    Model(const Vertices& vertices, const Triangles& triangles, nearhit_preset preset = NEARHIT_PRESET_BALANCED)
        : Model(try_new(vertices, triangles, preset).value().handle_.release()) {}
    Model(const Model& other) : Model(other.try_clone().value().handle_.release()) {}
    Model(Model&&) noexcept = default;
    Model& operator=(Model other) noexcept {
        handle_ = std::move(other.handle_);
        return *this;
    }
    static Result<Model> try_new(const Mesh& mesh, nearhit_preset preset = NEARHIT_PRESET_BALANCED) {
        return detail::made<Model>(
            [&](Handle** out, nearhit_error* error) { return nearhit_model_new(mesh.get(), preset, out, error); });
    }
    template <class Vertices, class Triangles>
    static Result<Model> try_new(const Vertices& vertices, const Triangles& triangles,
                                 nearhit_preset preset = NEARHIT_PRESET_BALANCED) {
        const std::vector<double> v = detail::flat<double>(vertices);
        const std::vector<std::uint32_t> t = detail::flat<std::uint32_t>(triangles);
        return detail::made<Model>([&](Handle** out, nearhit_error* error) {
            return nearhit_model_from_arrays(v.data(), v.size() / 3, t.data(), t.size() / 3, preset, out, error);
        });
    }
    /// An OBJ, STL, PLY, OFF, glTF, GLB, COLLADA or 3MF file.
    static Result<Model> try_read(const std::string& path, nearhit_preset preset = NEARHIT_PRESET_BALANCED) {
        return detail::made<Model>(
            [&](Handle** out, nearhit_error* error) { return nearhit_model_read(path.c_str(), preset, out, error); });
    }
    static Model read(const std::string& path, nearhit_preset preset = NEARHIT_PRESET_BALANCED) {
        return try_read(path, preset).value();
    }
    /// A file that `save` wrote.
    static Result<Model> try_load(const std::string& path) {
        return detail::made<Model>([&](Handle** out, nearhit_error* error) { return nearhit_model_load(path.c_str(), out, error); });
    }
    static Model load(const std::string& path) { return try_load(path).value(); }
    Result<Done> try_save(const std::string& path) const {
        return detail::done([&](nearhit_error* error) { return nearhit_model_save(get(), path.c_str(), error); });
    }
    void save(const std::string& path) const { try_save(path).value(); }
    Result<Model> try_clone() const {
        return detail::made<Model>([&](Handle** out, nearhit_error* error) { return nearhit_model_clone(get(), out, error); });
    }
    View<detail::Point> vertices() const {
        std::size_t count = 0;
        const double* numbers = nearhit_model_vertices(get(), &count);
        return detail::points(numbers, count);
    }
    View<std::array<std::uint32_t, 3>> triangles() const {
        std::size_t count = 0;
        const std::uint32_t* numbers = nearhit_model_triangles(get(), &count);
        return {reinterpret_cast<const std::array<std::uint32_t, 3>*>(numbers), count};
    }
    std::size_t bytes() const noexcept { return nearhit_model_bytes(get()); }
    const Handle* get() const noexcept { return handle_.get(); }

    // Points and rays, in the model's frame.
    template <class P>
    Result<ClosestPoint> try_closest_point(const P& point, const Settings& settings = {}) const {
        const auto p = detail::three(point);
        return detail::asked<ClosestPoint>([&](ClosestPoint* result, nearhit_error* error) {
            return nearhit_closest_point(get(), p.data(), &settings, result, error);
        });
    }
    template <class P>
    ClosestPoint closest_point(const P& point, const Settings& settings = {}) const {
        return try_closest_point(point, settings).value();
    }
    template <class P>
    Result<ClosestPoint> try_signed_distance(const P& point, const Settings& settings = {}) const {
        const auto p = detail::three(point);
        return detail::asked<ClosestPoint>([&](ClosestPoint* result, nearhit_error* error) {
            return nearhit_signed_distance(get(), p.data(), &settings, result, error);
        });
    }
    template <class P>
    ClosestPoint signed_distance(const P& point, const Settings& settings = {}) const {
        return try_signed_distance(point, settings).value();
    }
    template <class P>
    Result<Containment> try_contains(const P& point, const Settings& settings = {}) const {
        const auto p = detail::three(point);
        return detail::asked<Containment>([&](Containment* result, nearhit_error* error) {
            return nearhit_contains(get(), p.data(), &settings, result, error);
        });
    }
    template <class P>
    Containment contains(const P& point, const Settings& settings = {}) const {
        return try_contains(point, settings).value();
    }
    template <class P, class D>
    Result<RayHit> try_first_hit(const P& origin, const D& direction, const Settings& settings = {}) const {
        const Ray ray{{origin[0], origin[1], origin[2]}, {direction[0], direction[1], direction[2]}};
        return detail::asked<RayHit>([&](RayHit* result, nearhit_error* error) {
            return nearhit_first_hit(get(), &ray, &settings, result, error);
        });
    }
    /// The first triangle along a ray; its triangle is NEARHIT_NO_TRIANGLE if there is none.
    template <class P, class D>
    RayHit first_hit(const P& origin, const D& direction, const Settings& settings = {}) const {
        return try_first_hit(origin, direction, settings).value();
    }
    template <class P, class D>
    Result<std::vector<RayHit>> try_all_hits(const P& origin, const D& direction, const Settings& settings = {}) const {
        const Ray ray{{origin[0], origin[1], origin[2]}, {direction[0], direction[1], direction[2]}};
        nearhit_error error;
        nearhit_hit_list* made = nullptr;
        if (nearhit_hit_list_new(&made, &error) != NEARHIT_STATUS_OK) return Error(error);
        const detail::Owned<nearhit_hit_list, nearhit_hit_list_free> list(made);
        if (nearhit_all_hits(get(), &ray, &settings, made, &error) != NEARHIT_STATUS_OK) return Error(error);
        std::size_t count = 0;
        const RayHit* hits = nearhit_hit_list_hits(made, &count);
        return std::vector<RayHit>(hits, hits + count);
    }
    template <class P, class D>
    std::vector<RayHit> all_hits(const P& origin, const D& direction, const Settings& settings = {}) const {
        return try_all_hits(origin, direction, settings).value();
    }

private:
    detail::Owned<Handle, nearhit_model_free> handle_;
};

// ---------------------------------------------------------------- two models

/// Pairs of triangles that touch; filled by Pair::contacts, again and again without allocating.
class ContactList {
public:
    using Handle = nearhit_contact_list;
    ContactList() : ContactList(try_new().value().handle_.release()) {}
    explicit ContactList(Handle* handle) : handle_(handle) {}
    static Result<ContactList> try_new() {
        return detail::made<ContactList>([](Handle** out, nearhit_error* error) { return nearhit_contact_list_new(out, error); });
    }
    View<TrianglePair> pairs() const {
        std::size_t count = 0;
        const TrianglePair* first = nearhit_contact_list_pairs(get(), &count);
        return {first, count};
    }
    /// What pair `index` shares, in the world; empty if the list was filled without points.
    View<detail::Point> points(std::size_t index) const {
        std::size_t count = 0;
        const double* first = nearhit_contact_list_points(get(), index, &count);
        return detail::points(first, count);
    }
    bool is_complete() const noexcept { return nearhit_contact_list_is_complete(get()); }
    Stats stats() const noexcept { return nearhit_contact_list_stats(get()); }
    Handle* get() const noexcept { return handle_.get(); }

private:
    detail::Owned<Handle, nearhit_contact_list_free> handle_;
};

/// Where the surfaces of two solids meet.
class RegionList {
public:
    using Handle = nearhit_region_list;
    explicit RegionList(Handle* handle) : handle_(handle) {}
    std::size_t size() const noexcept { return nearhit_region_list_count(get()); }
    bool is_complete() const noexcept { return nearhit_region_list_is_complete(get()); }
    ContactRegion operator[](std::size_t index) const {
        return detail::asked<ContactRegion>([&](ContactRegion* result, nearhit_error* error) {
                   return nearhit_region_list_get(get(), index, result, error);
               }).value();
    }
    View<TrianglePair> pairs(std::size_t index) const {
        std::size_t count = 0;
        const TrianglePair* first = nearhit_region_list_pairs(get(), index, &count);
        return {first, count};
    }
    View<detail::Point> curve(std::size_t index, std::size_t curve) const {
        std::size_t count = 0;
        const double* first = nearhit_region_list_curve(get(), index, curve, &count, nullptr);
        return detail::points(first, count);
    }
    /// At most so many points that stand for a region: a contact manifold.
    std::vector<ContactPoint> manifold(std::size_t index, std::size_t most) const {
        std::vector<ContactPoint> points(most);
        const auto count = detail::asked<std::size_t>([&](std::size_t* count, nearhit_error* error) {
            return nearhit_region_list_manifold(get(), index, points.data(), points.size(), count, error);
        });
        points.resize(count.value());
        return points;
    }
    const Handle* get() const noexcept { return handle_.get(); }

private:
    detail::Owned<Handle, nearhit_region_list_free> handle_;
};

class SolidPair;

/// Two models and where they are: what a question is asked of. The models must outlive it.
class Pair {
public:
    Pair(const Model& a, const Pose& world_from_a, const Model& b, const Pose& world_from_b)
        : a_(a.get()), b_(b.get()), world_from_a_(world_from_a), world_from_b_(world_from_b) {}

    /// Do the surfaces share a point?
    Collision collide(const Settings& settings = {}) const { return try_collide(settings).value(); }
    Result<Collision> try_collide(const Settings& settings = {}) const {
        return ask<Collision>(nearhit_collide, settings);
    }
    /// How far apart, and where?
    Distance distance(const Settings& settings = {}) const { return try_distance(settings).value(); }
    Result<Distance> try_distance(const Settings& settings = {}) const {
        return ask<Distance>(nearhit_distance, settings);
    }
    /// At most `limit` apart?
    Within within(double limit, const Settings& settings = {}) const { return try_within(limit, settings).value(); }
    Result<Within> try_within(double limit, const Settings& settings = {}) const {
        return detail::asked<Within>([&](Within* result, nearhit_error* error) {
            return nearhit_within(a_, &world_from_a_, b_, &world_from_b_, limit, &settings, result, error);
        });
    }
    /// All pairs of triangles that touch.
    void contacts(ContactList& list, const Settings& settings = {}) const { try_contacts(list, settings).value(); }
    Result<Done> try_contacts(ContactList& list, const Settings& settings = {}) const {
        return detail::done([&](nearhit_error* error) {
            return nearhit_contacts(a_, &world_from_a_, b_, &world_from_b_, &settings, list.get(), error);
        });
    }
    /// The same, with the points that each pair shares.
    void contacts_with_points(ContactList& list, const Settings& settings = {}) const {
        try_contacts_with_points(list, settings).value();
    }
    Result<Done> try_contacts_with_points(ContactList& list, const Settings& settings = {}) const {
        return detail::done([&](nearhit_error* error) {
            return nearhit_contacts_with_points(a_, &world_from_a_, b_, &world_from_b_, &settings, list.get(), error);
        });
    }
    /// The same two as solids.
    SolidPair solid() const;

private:
    friend class SolidPair;
    template <class T, class Call>
    Result<T> ask(Call call, const Settings& settings) const {
        return detail::asked<T>([&](T* result, nearhit_error* error) {
            return call(a_, &world_from_a_, b_, &world_from_b_, &settings, result, error);
        });
    }
    const nearhit_model* a_;
    const nearhit_model* b_;
    Pose world_from_a_, world_from_b_;
};

/// Two models as solids: inside counts.
class SolidPair {
public:
    explicit SolidPair(const Pair& pair) : pair_(pair) {}
    SolidCollision collide(const Settings& settings = {}) const { return try_collide(settings).value(); }
    Result<SolidCollision> try_collide(const Settings& settings = {}) const {
        return pair_.ask<SolidCollision>(nearhit_solid_collide, settings);
    }
    /// Below zero in contact: minus the depth.
    Distance distance(const Settings& settings = {}) const { return try_distance(settings).value(); }
    Result<Distance> try_distance(const Settings& settings = {}) const {
        return pair_.ask<Distance>(nearhit_solid_distance, settings);
    }
    SolidCollision within(double limit, const Settings& settings = {}) const { return try_within(limit, settings).value(); }
    Result<SolidCollision> try_within(double limit, const Settings& settings = {}) const {
        return detail::asked<SolidCollision>([&](SolidCollision* result, nearhit_error* error) {
            return nearhit_solid_within(pair_.a_, &pair_.world_from_a_, pair_.b_, &pair_.world_from_b_, limit, &settings,
                                        result, error);
        });
    }
    LocalDepth local_depth(const Settings& settings = {}) const { return try_local_depth(settings).value(); }
    Result<LocalDepth> try_local_depth(const Settings& settings = {}) const {
        return pair_.ask<LocalDepth>(nearhit_solid_local_depth, settings);
    }
    /// The shortest translation of b that separates the two.
    TranslationalDepth translational_depth(const Settings& settings = {}) const {
        return try_translational_depth(settings).value();
    }
    Result<TranslationalDepth> try_translational_depth(const Settings& settings = {}) const {
        return pair_.ask<TranslationalDepth>(nearhit_solid_translational_depth, settings);
    }
    RegionList contact_regions(const Settings& settings = {}) const { return try_contact_regions(settings).value(); }
    Result<RegionList> try_contact_regions(const Settings& settings = {}) const {
        return detail::made<RegionList>([&](nearhit_region_list** out, nearhit_error* error) {
            return nearhit_contact_regions(pair_.a_, &pair_.world_from_a_, pair_.b_, &pair_.world_from_b_, &settings, out,
                                           error);
        });
    }

private:
    Pair pair_;
};

inline SolidPair Pair::solid() const { return SolidPair(*this); }

// The simple case in one call.

inline bool collide(const Model& a, const Pose& world_from_a, const Model& b, const Pose& world_from_b) {
    return Pair(a, world_from_a, b, world_from_b).collide().verdict == NEARHIT_VERDICT_YES;
}
inline Distance distance(const Model& a, const Pose& world_from_a, const Model& b, const Pose& world_from_b) {
    return Pair(a, world_from_a, b, world_from_b).distance();
}
inline Result<Distance> try_distance(const Model& a, const Pose& world_from_a, const Model& b, const Pose& world_from_b) {
    return Pair(a, world_from_a, b, world_from_b).try_distance();
}
inline bool within(const Model& a, const Pose& world_from_a, const Model& b, const Pose& world_from_b, double limit) {
    return Pair(a, world_from_a, b, world_from_b).within(limit).verdict == NEARHIT_VERDICT_YES;
}
inline std::vector<TrianglePair> contacts(const Model& a, const Pose& world_from_a, const Model& b,
                                          const Pose& world_from_b) {
    ContactList list;
    Pair(a, world_from_a, b, world_from_b).contacts(list);
    const View<TrianglePair> pairs = list.pairs();
    return {pairs.begin(), pairs.end()};
}

// ---------------------------------------------------------------- many poses

/// Many poses of two models at once, on all cores: as many of each as there are queries, or one, or
/// none for the identity.
class Batch {
public:
    Batch(const Model& a, std::vector<Pose> poses_a, const Model& b, std::vector<Pose> poses_b)
        : a_(a.get()), b_(b.get()), poses_a_(std::move(poses_a)), poses_b_(std::move(poses_b)) {}
    /// Poses along a path: each query starts where the last one ended.
    Batch& warm() { warm_ = 1; return *this; }
    Batch& threads(std::uint32_t count) { threads_ = count; return *this; }
    std::size_t size() const noexcept { return poses_a_.size() > poses_b_.size() ? poses_a_.size() : poses_b_.size(); }
    std::vector<Collision> collide(const Settings& settings = {}) const { return try_collide(settings).value(); }
    Result<std::vector<Collision>> try_collide(const Settings& settings = {}) const {
        return ask<Collision>(nearhit_collide_batch, settings);
    }
    std::vector<Distance> distance(const Settings& settings = {}) const { return try_distance(settings).value(); }
    Result<std::vector<Distance>> try_distance(const Settings& settings = {}) const {
        return ask<Distance>(nearhit_distance_batch, settings);
    }
    std::vector<Within> within(double limit, const Settings& settings = {}) const { return try_within(limit, settings).value(); }
    Result<std::vector<Within>> try_within(double limit, const Settings& settings = {}) const {
        const auto call = [limit](const nearhit_model* a, const nearhit_model* b, const nearhit_batch* batch,
                                  const nearhit_settings* settings, Within* results, std::size_t count,
                                  nearhit_error* error) {
            return nearhit_within_batch(a, b, batch, limit, settings, results, count, error);
        };
        return ask<Within>(call, settings);
    }

private:
    template <class T, class Call>
    Result<std::vector<T>> ask(Call call, const Settings& settings) const {
        static_assert(sizeof(Pose) == sizeof(nearhit_pose), "a Pose is a nearhit_pose and nothing else");
        std::vector<T> results(size());
        const nearhit_batch batch{poses_a_.data(), poses_a_.size(), poses_b_.data(), poses_b_.size(), warm_, threads_};
        nearhit_error error;
        if (call(a_, b_, &batch, &settings, results.data(), results.size(), &error) != NEARHIT_STATUS_OK) return Error(error);
        return results;
    }
    const nearhit_model* a_;
    const nearhit_model* b_;
    std::vector<Pose> poses_a_, poses_b_;
    std::int32_t warm_ = 0;
    std::uint32_t threads_ = 0;
};

// ---------------------------------------------------------------- motion

/// A rigid motion over a time from 0 to 1.
class Motion : public nearhit_motion {
public:
    static Motion still(const Pose& pose) { return Motion(pose, pose, NEARHIT_MOTION_KIND_LINEAR); }
    /// Along a line, turning the shorter way round.
    static Motion linear(const Pose& from, const Pose& to) { return Motion(from, to, NEARHIT_MOTION_KIND_LINEAR); }
    static Motion screw(const Pose& from, const Pose& to) { return Motion(from, to, NEARHIT_MOTION_KIND_SCREW); }

private:
    Motion(const Pose& from, const Pose& to, std::int32_t kind) : nearhit_motion{from, to, kind} {}
};

/// The first time at which the two are within `tolerance` of each other; proven for every instant
/// before.
inline Result<FirstContact> try_first_contact(const Model& a, const Motion& motion_a, const Model& b, const Motion& motion_b,
                                              double tolerance, const Settings& settings = {}) {
    return detail::asked<FirstContact>([&](FirstContact* result, nearhit_error* error) {
        return nearhit_first_contact(a.get(), &motion_a, b.get(), &motion_b, tolerance, &settings, result, error);
    });
}
inline FirstContact first_contact(const Model& a, const Motion& motion_a, const Model& b, const Motion& motion_b,
                                  double tolerance, const Settings& settings = {}) {
    return try_first_contact(a, motion_a, b, motion_b, tolerance, settings).value();
}
inline Result<FirstContact> try_first_contact_of_solids(const Model& a, const Motion& motion_a, const Model& b,
                                                        const Motion& motion_b, double tolerance,
                                                        const Settings& settings = {}) {
    return detail::asked<FirstContact>([&](FirstContact* result, nearhit_error* error) {
        return nearhit_solid_first_contact(a.get(), &motion_a, b.get(), &motion_b, tolerance, &settings, result, error);
    });
}
inline FirstContact first_contact_of_solids(const Model& a, const Motion& motion_a, const Model& b, const Motion& motion_b,
                                            double tolerance, const Settings& settings = {}) {
    return try_first_contact_of_solids(a, motion_a, b, motion_b, tolerance, settings).value();
}

}  // namespace nearhit

#include "nearhit/shapes.hpp"

namespace nearhit {

// ---------------------------------------------------------------- sphere-trees

/// A model's surface covered by balls, level by level.
class SphereTree {
public:
    using Handle = nearhit_sphere_tree;
    explicit SphereTree(Handle* handle) : handle_(handle) {}
    explicit SphereTree(const Model& model, std::uint32_t depth = 3,
                        nearhit_sphere_method method = NEARHIT_SPHERE_METHOD_MEDIAL)
        : SphereTree(try_new(model, depth, method).value().handle_.release()) {}
    static Result<SphereTree> try_new(const Model& model, std::uint32_t depth = 3,
                                      nearhit_sphere_method method = NEARHIT_SPHERE_METHOD_MEDIAL) {
        return detail::made<SphereTree>([&](Handle** out, nearhit_error* error) {
            return nearhit_sphere_tree_new(model.get(), depth, method, out, error);
        });
    }
    std::size_t levels() const noexcept { return nearhit_sphere_tree_level_count(get()); }
    View<TreeSphere> level(std::size_t level) const {
        std::size_t count = 0;
        const TreeSphere* first = nearhit_sphere_tree_level(get(), level, &count);
        return {first, count};
    }
    const Handle* get() const noexcept { return handle_.get(); }

private:
    detail::Owned<Handle, nearhit_sphere_tree_free> handle_;
};

/// How far two trees have been refined.
class Refinement {
public:
    using Handle = nearhit_refinement;
    Refinement() : Refinement(try_new().value().handle_.release()) {}
    explicit Refinement(Handle* handle) : handle_(handle) {}
    static Result<Refinement> try_new() {
        return detail::made<Refinement>([](Handle** out, nearhit_error* error) { return nearhit_refinement_new(out, error); });
    }
    /// Goes on until the limit of the settings; follows trees that have moved.
    Refined run(const SphereTree& a, const Pose& world_from_a, const SphereTree& b, const Pose& world_from_b,
                const Settings& settings = {}) {
        return try_run(a, world_from_a, b, world_from_b, settings).value();
    }
    Result<Refined> try_run(const SphereTree& a, const Pose& world_from_a, const SphereTree& b, const Pose& world_from_b,
                            const Settings& settings = {}) {
        return detail::asked<Refined>([&](Refined* result, nearhit_error* error) {
            return nearhit_refinement_run(get(), a.get(), &world_from_a, b.get(), &world_from_b, &settings, result, error);
        });
    }
    Handle* get() const noexcept { return handle_.get(); }

private:
    detail::Owned<Handle, nearhit_refinement_free> handle_;
};

// ---------------------------------------------------------------- scenes

/// More about a body: `BodyOptions().fixed().group("walls")`.
class BodyOptions {
public:
    BodyOptions& group(std::string name) { group_ = std::move(name); return *this; }
    BodyOptions& fixed() { is_fixed_ = 1; return *this; }
    BodyOptions& solid() { matter_ = NEARHIT_MATTER_SOLID; return *this; }
    BodyOptions& surface() { matter_ = NEARHIT_MATTER_SURFACE; return *this; }
    nearhit_body_options get() const noexcept { return {group_.empty() ? nullptr : group_.c_str(), matter_, is_fixed_}; }

private:
    std::string group_;
    std::int32_t matter_ = NEARHIT_MATTER_SCENE;
    std::int32_t is_fixed_ = 0;
};

/// A part of a body of several; `parent` is the number of a part before it, or -1. It has a model
/// or a shape; the other is null.
struct Part {
    std::string name;
    const Model* model = nullptr;
    std::int64_t parent = -1;
    Pose parent_from_part = {};
    const Shape* shape = nullptr;
};

/// A body, one of its parts, or a group of bodies.
class Who {
public:
    Who(BodyId body) : body_(body) {}
    Who(BodyId body, std::uint32_t part) : body_(body), part_(part) {}
    Who(std::string group) : group_(std::move(group)) {}
    Who(const char* group) : group_(group) {}
    nearhit_who get() const noexcept { return {group_.empty() ? nullptr : group_.c_str(), body_, part_}; }

private:
    std::string group_;
    BodyId body_ = NEARHIT_NO_BODY;
    std::uint32_t part_ = NEARHIT_ALL_PARTS;
};

/// Many bodies that move. Threads wait for each other.
class Scene {
public:
    using Handle = nearhit_scene;
    explicit Scene(Handle* handle) : handle_(handle) {}
    explicit Scene(bool solid = false, nearhit_broad_phase broad = NEARHIT_BROAD_PHASE_TREE)
        : Scene(try_new(solid, broad).value().handle_.release()) {}
    static Result<Scene> try_new(bool solid = false, nearhit_broad_phase broad = NEARHIT_BROAD_PHASE_TREE) {
        return detail::made<Scene>(
            [&](Handle** out, nearhit_error* error) { return nearhit_scene_new(broad, solid ? 1 : 0, out, error); });
    }
    BodyId add(const std::string& name, const Model& model, const Pose& world_from_body = {}, const BodyOptions& options = {}) {
        return try_add(name, model, world_from_body, options).value();
    }
    Result<BodyId> try_add(const std::string& name, const Model& model, const Pose& world_from_body = {},
                           const BodyOptions& options = {}) {
        const nearhit_body_options more = options.get();
        return detail::asked<BodyId>([&](BodyId* body, nearhit_error* error) {
            return nearhit_scene_add(get(), name.c_str(), model.get(), &world_from_body, &more, body, error);
        });
    }
    /// Any shape.
    BodyId add(const std::string& name, const Shape& shape, const Pose& world_from_body = {}, const BodyOptions& options = {}) {
        return try_add(name, shape, world_from_body, options).value();
    }
    Result<BodyId> try_add(const std::string& name, const Shape& shape, const Pose& world_from_body = {},
                           const BodyOptions& options = {}) {
        const nearhit_body_options more = options.get();
        return detail::asked<BodyId>([&](BodyId* body, nearhit_error* error) {
            return nearhit_scene_add_shape(get(), name.c_str(), shape.get(), &world_from_body, &more, body, error);
        });
    }
    BodyId add_parts(const std::string& name, const std::vector<Part>& parts, const Pose& world_from_body = {},
                     const BodyOptions& options = {}) {
        return try_add_parts(name, parts, world_from_body, options).value();
    }
    Result<BodyId> try_add_parts(const std::string& name, const std::vector<Part>& parts, const Pose& world_from_body = {},
                                 const BodyOptions& options = {}) {
        std::vector<nearhit_part> all;
        for (const Part& part : parts)
            all.push_back({part.name.c_str(), part.model ? part.model->get() : nullptr, part.parent, part.parent_from_part,
                           part.shape ? part.shape->get() : nullptr});
        const nearhit_body_options more = options.get();
        return detail::asked<BodyId>([&](BodyId* body, nearhit_error* error) {
            return nearhit_scene_add_parts(get(), name.c_str(), all.data(), all.size(), &world_from_body, &more, body, error);
        });
    }
    void remove(BodyId body) { try_remove(body).value(); }
    Result<Done> try_remove(BodyId body) {
        return detail::done([&](nearhit_error* error) { return nearhit_scene_remove(get(), body, error); });
    }
    void set_pose(BodyId body, const Pose& world_from_body) { try_set_pose(body, world_from_body).value(); }
    Result<Done> try_set_pose(BodyId body, const Pose& world_from_body) {
        return detail::done([&](nearhit_error* error) { return nearhit_scene_move(get(), body, &world_from_body, error); });
    }
    void set_joint(BodyId body, std::uint32_t part, const Pose& parent_from_part) {
        try_set_joint(body, part, parent_from_part).value();
    }
    Result<Done> try_set_joint(BodyId body, std::uint32_t part, const Pose& parent_from_part) {
        return detail::done(
            [&](nearhit_error* error) { return nearhit_scene_move_part(get(), body, part, &parent_from_part, error); });
    }
    Pose pose(BodyId body, std::uint32_t part = 0) const {
        return detail::asked<Pose>([&](Pose* out, nearhit_error* error) {
                   return nearhit_scene_pose(get(), body, part, out, error);
               }).value();
    }
    Result<BodyId> try_find(const std::string& name) const {
        return detail::asked<BodyId>(
            [&](BodyId* body, nearhit_error* error) { return nearhit_scene_find(get(), name.c_str(), body, error); });
    }
    BodyId find(const std::string& name) const { return try_find(name).value(); }
    std::size_t size() const noexcept { return nearhit_scene_count(get()); }
    /// Pairs of these two are not asked about from now on.
    void allow(const Who& a, const Who& b) { try_allow(a, b).value(); }
    Result<Done> try_allow(const Who& a, const Who& b) {
        const nearhit_who first = a.get(), second = b.get();
        return detail::done([&](nearhit_error* error) { return nearhit_scene_allow(get(), &first, &second, error); });
    }
    void forbid(const Who& a, const Who& b) { try_forbid(a, b).value(); }
    Result<Done> try_forbid(const Who& a, const Who& b) {
        const nearhit_who first = a.get(), second = b.get();
        return detail::done([&](nearhit_error* error) { return nearhit_scene_forbid(get(), &first, &second, error); });
    }
    /// Is any pair in contact?
    bool collides() const { return try_collides().value(); }
    Result<bool> try_collides() const {
        return detail::asked<bool>([&](bool* result, nearhit_error* error) { return nearhit_scene_collides(get(), result, error); });
    }
    /// All pairs in contact.
    std::vector<Touch> colliding() const { return try_colliding().value(); }
    Result<std::vector<Touch>> try_colliding() const {
        nearhit_error error;
        nearhit_touch_list* list = nullptr;
        if (nearhit_touch_list_new(&list, &error) != NEARHIT_STATUS_OK) return Error(error);
        const detail::Owned<nearhit_touch_list, nearhit_touch_list_free> owned(list);
        if (nearhit_scene_pairs(get(), list, &error) != NEARHIT_STATUS_OK) return Error(error);
        std::size_t count = 0;
        const Touch* first = nearhit_touch_list_touches(list, &count);
        return std::vector<Touch>(first, first + count);
    }
    /// All contacts of all pairs, with points, normals and depths.
    std::vector<ShapeContact> contacts() const { return try_contacts().value(); }
    Result<std::vector<ShapeContact>> try_contacts() const {
        return detail::shape_contacts([&](nearhit_shape_contact_list* list, nearhit_error* error) {
            return nearhit_scene_contacts(get(), list, error);
        });
    }
    /// All pairs at most `limit` apart.
    std::vector<Gap> within(double limit) const { return try_within(limit).value(); }
    Result<std::vector<Gap>> try_within(double limit) const {
        return gaps([&](nearhit_gap_list* list, nearhit_error* error) { return nearhit_scene_within(get(), limit, list, error); });
    }
    /// The `count` closest pairs.
    std::vector<Gap> nearest(std::size_t count) const { return try_nearest(count).value(); }
    Result<std::vector<Gap>> try_nearest(std::size_t count) const {
        return gaps([&](nearhit_gap_list* list, nearhit_error* error) { return nearhit_scene_nearest(get(), count, list, error); });
    }
    /// The closest pair; its bodies are NEARHIT_NO_BODY if there is none.
    Gap closest() const { return try_closest().value(); }
    Result<Gap> try_closest() const {
        return detail::asked<Gap>([&](Gap* result, nearhit_error* error) { return nearhit_scene_closest(get(), result, error); });
    }
    Handle* get() const noexcept { return handle_.get(); }

private:
    template <class Call>
    static Result<std::vector<Gap>> gaps(Call&& call) {
        nearhit_error error;
        nearhit_gap_list* list = nullptr;
        if (nearhit_gap_list_new(&list, &error) != NEARHIT_STATUS_OK) return Error(error);
        const detail::Owned<nearhit_gap_list, nearhit_gap_list_free> owned(list);
        if (call(list, &error) != NEARHIT_STATUS_OK) return Error(error);
        std::size_t count = 0;
        const Gap* first = nearhit_gap_list_gaps(list, &count);
        return std::vector<Gap>(first, first + count);
    }
    detail::Owned<Handle, nearhit_scene_free> handle_;
};

}  // namespace nearhit

#include "nearhit/clash.hpp"
#include "nearhit/robots.hpp"

namespace nearhit {

// ---------------------------------------------------------------- version

/// Does the library that was loaded fit the header that this was compiled with?
inline bool is_compatible() noexcept { return nearhit_abi_version() == NEARHIT_ABI_VERSION; }

}  // namespace nearhit

#endif  // NEARHIT_HPP
