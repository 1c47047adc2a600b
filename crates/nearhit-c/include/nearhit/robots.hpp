// nearhit for C++17: robots of URDF and SRDF files. Part of nearhit.hpp, which includes it.
// Licence: MIT or Apache-2.0, at your option.
//
//   nearhit::Robot robot = nearhit::Robot::read("arm.urdf", "arm.srdf");
//   robot.add_to_world("table", nearhit::Shape::cuboid(1, 1, 0.1));
//   bool hit = robot.collides(q);                       // any container of doubles
//   bool free = robot.path_clear(q, other).is_clear == NEARHIT_VERDICT_YES;
#ifndef NEARHIT_ROBOTS_HPP
#define NEARHIT_ROBOTS_HPP
#ifndef NEARHIT_HPP
#error "include nearhit.hpp: nearhit/robots.hpp is a part of it"
#endif

namespace nearhit {

using BodyPair = nearhit_body_pair;
using RobotDistance = nearhit_robot_distance_result;
using PathCheck = nearhit_path_result;
using PathOptions = nearhit_path_options;

/// How a robot is read: `RobotOptions().folder("packages").surfaces()`.
class RobotOptions {
public:
    /// Packages are sought in it.
    RobotOptions& folder(std::string path) { folders_.push_back(std::move(path)); return *this; }
    /// Closed meshes are surfaces.
    RobotOptions& surfaces() { surfaces_ = 1; return *this; }
    /// Where the root link is.
    RobotOptions& base(const Pose& world_from_root) { base_ = world_from_root; return *this; }
    /// Calls with the options as C has them.
    template <class Call>
    auto use(Call&& call) const {
        std::vector<const char*> folders;
        for (const std::string& folder : folders_) folders.push_back(folder.c_str());
        const nearhit_robot_options options{folders.data(), folders.size(), surfaces_, &base_};
        return call(&options);
    }

private:
    std::vector<std::string> folders_;
    std::int32_t surfaces_ = 0;
    Pose base_;
};

/// Working memory of questions about robots; one for each thread.
class RobotScratch {
public:
    using Handle = nearhit_robot_scratch;
    RobotScratch() : RobotScratch(try_new().value().handle_.release()) {}
    explicit RobotScratch(Handle* handle) : handle_(handle) {}
    static Result<RobotScratch> try_new() {
        return detail::made<RobotScratch>([](Handle** out, nearhit_error* error) { return nearhit_robot_scratch_new(out, error); });
    }
    Handle* get() const noexcept { return handle_.get(); }

private:
    detail::Owned<Handle, nearhit_robot_scratch_free> handle_;
};

/// A robot, a world around it, and the pairs of bodies that are checked. Configurations are
/// containers of doubles with data() and size(). Threads may ask at once; changes wait for them.
class Robot {
public:
    using Handle = nearhit_robot;
    explicit Robot(Handle* handle) : handle_(handle) {}
    /// `srdf` may be empty.
    static Result<Robot> try_read(const std::string& urdf, const std::string& srdf = {}, const RobotOptions& options = {}) {
        return options.use([&](const nearhit_robot_options* how) {
            return detail::made<Robot>([&](Handle** out, nearhit_error* error) {
                return nearhit_robot_read(urdf.c_str(), srdf.empty() ? nullptr : srdf.c_str(), how, out, error);
            });
        });
    }
    static Robot read(const std::string& urdf, const std::string& srdf = {}, const RobotOptions& options = {}) {
        return try_read(urdf, srdf, options).value();
    }
    /// Of the files' contents; what they name is sought from `folder` on.
    static Result<Robot> try_parse(const std::string& urdf, const std::string& srdf = {}, const std::string& folder = ".",
                                   const RobotOptions& options = {}) {
        return options.use([&](const nearhit_robot_options* how) {
            return detail::made<Robot>([&](Handle** out, nearhit_error* error) {
                return nearhit_robot_parse(urdf.c_str(), srdf.empty() ? nullptr : srdf.c_str(), folder.c_str(), how, out, error);
            });
        });
    }
    static Robot parse(const std::string& urdf, const std::string& srdf = {}, const std::string& folder = ".",
                       const RobotOptions& options = {}) {
        return try_parse(urdf, srdf, folder, options).value();
    }
    /// A robot like it, with a world of its own.
    Result<Robot> try_clone() const {
        return detail::made<Robot>([&](Handle** out, nearhit_error* error) { return nearhit_robot_clone(get(), out, error); });
    }
    Robot clone() const { return try_clone().value(); }

    std::size_t coordinates() const noexcept { return count(NEARHIT_ROBOT_ITEM_COORDINATE); }
    std::vector<std::string> links() const { return names(NEARHIT_ROBOT_ITEM_LINK); }
    std::vector<std::string> coordinate_names() const { return names(NEARHIT_ROBOT_ITEM_COORDINATE); }
    std::vector<std::string> bodies() const { return names(NEARHIT_ROBOT_ITEM_BODY); }
    /// Lower and upper of each coordinate.
    std::vector<std::array<double, 2>> limits() const {
        std::vector<std::array<double, 2>> all(coordinates());
        check([&](nearhit_error* error) {
            return nearhit_robot_limits(get(), all.empty() ? nullptr : all.front().data(), all.size(), error);
        }).value();
        return all;
    }
    /// By the name that the SRDF has for it; the neutral one for an empty name.
    Result<std::vector<double>> try_configuration(const std::string& name = {}) const {
        std::vector<double> q(coordinates());
        const auto done = check([&](nearhit_error* error) {
            return nearhit_robot_configuration(get(), name.empty() ? nullptr : name.c_str(), q.data(), q.size(), error);
        });
        if (!done) return done.error();
        return q;
    }
    std::vector<double> configuration(const std::string& name = {}) const { return try_configuration(name).value(); }

    void add_to_world(const std::string& name, const Shape& shape, const Pose& world_from_body = {}) {
        try_add_to_world(name, shape, world_from_body).value();
    }
    Result<Done> try_add_to_world(const std::string& name, const Shape& shape, const Pose& world_from_body = {}) {
        return check([&](nearhit_error* error) {
            return nearhit_robot_add_to_world(get(), name.c_str(), shape.get(), &world_from_body, error);
        });
    }
    void attach(const std::string& link, const std::string& name, const Shape& shape, const Pose& link_from_body = {}) {
        try_attach(link, name, shape, link_from_body).value();
    }
    Result<Done> try_attach(const std::string& link, const std::string& name, const Shape& shape, const Pose& link_from_body = {}) {
        return check([&](nearhit_error* error) {
            return nearhit_robot_attach(get(), link.c_str(), name.c_str(), shape.get(), &link_from_body, error);
        });
    }
    void remove(const std::string& name) { try_remove(name).value(); }
    Result<Done> try_remove(const std::string& name) {
        return check([&](nearhit_error* error) { return nearhit_robot_remove(get(), name.c_str(), error); });
    }
    void pad(const std::string& link, double margin) { try_pad(link, margin).value(); }
    Result<Done> try_pad(const std::string& link, double margin) {
        return check([&](nearhit_error* error) { return nearhit_robot_pad(get(), link.c_str(), margin, error); });
    }
    /// Two links may touch, or are checked, from now on.
    void allow(const std::string& a, const std::string& b, bool allowed = true) { try_allow(a, b, allowed).value(); }
    Result<Done> try_allow(const std::string& a, const std::string& b, bool allowed = true) {
        return check([&](nearhit_error* error) { return nearhit_robot_allow(get(), a.c_str(), b.c_str(), allowed ? 1 : 0, error); });
    }

    /// Where every link is.
    template <class Q>
    Result<std::vector<Pose>> try_link_poses(const Q& q) const {
        std::vector<Pose> poses(count(NEARHIT_ROBOT_ITEM_LINK));
        const auto done = check([&](nearhit_error* error) {
            return nearhit_robot_link_poses(get(), q.data(), size(q), poses.data(), poses.size(), error);
        });
        if (!done) return done.error();
        return poses;
    }
    template <class Q>
    std::vector<Pose> link_poses(const Q& q) const { return try_link_poses(q).value(); }
    /// Do any two bodies touch?
    template <class Q>
    Result<bool> try_collides(const Q& q, const RobotScratch* scratch = nullptr) const {
        return detail::asked<bool>([&](bool* result, nearhit_error* error) {
            return nearhit_robot_collides(get(), q.data(), size(q), memory(scratch), result, error);
        });
    }
    template <class Q>
    bool collides(const Q& q, const RobotScratch* scratch = nullptr) const { return try_collides(q, scratch).value(); }
    /// Of many configurations, one after the other, on all cores; 1 where two bodies touch.
    template <class Q>
    Result<std::vector<char>> try_collides_each(const Q& configurations) const {
        static_assert(sizeof(bool) == 1, "an answer is a byte");
        const std::size_t length = coordinates(), many = length ? size(configurations) / length : 0;
        if (many * length != size(configurations))
            return Error(NEARHIT_STATUS_WRONG_SIZE, "the numbers are not configurations one after the other");
        std::vector<char> answers(many);
        std::unique_ptr<bool[]> found(new bool[many + 1]);
        const auto done = check([&](nearhit_error* error) {
            return nearhit_robot_collides_each(get(), configurations.data(), many, found.get(), error);
        });
        if (!done) return done.error();
        for (std::size_t i = 0; i < many; ++i) answers[i] = found[i] ? 1 : 0;
        return answers;
    }
    template <class Q>
    std::vector<char> collides_each(const Q& configurations) const { return try_collides_each(configurations).value(); }
    /// All pairs that touch, or that are at most `limit` apart.
    template <class Q>
    Result<std::vector<BodyPair>> try_pairs(const Q& q, double limit = 0.0, const RobotScratch* scratch = nullptr) const {
        nearhit_error error;
        nearhit_body_pair_list* list = nullptr;
        if (nearhit_body_pair_list_new(&list, &error) != NEARHIT_STATUS_OK) return Error(error);
        const detail::Owned<nearhit_body_pair_list, nearhit_body_pair_list_free> owned(list);
        if (nearhit_robot_pairs(get(), q.data(), size(q), limit, memory(scratch), list, &error) != NEARHIT_STATUS_OK) return Error(error);
        std::size_t count = 0;
        const BodyPair* first = nearhit_body_pair_list_pairs(list, &count);
        return std::vector<BodyPair>(first, first + count);
    }
    template <class Q>
    std::vector<BodyPair> pairs(const Q& q, double limit = 0.0, const RobotScratch* scratch = nullptr) const {
        return try_pairs(q, limit, scratch).value();
    }
    /// The closest two bodies.
    template <class Q>
    Result<RobotDistance> try_distance(const Q& q, const RobotScratch* scratch = nullptr) const {
        return detail::asked<RobotDistance>([&](RobotDistance* result, nearhit_error* error) {
            return nearhit_robot_distance(get(), q.data(), size(q), memory(scratch), result, error);
        });
    }
    template <class Q>
    RobotDistance distance(const Q& q, const RobotScratch* scratch = nullptr) const { return try_distance(q, scratch).value(); }
    /// The same, and how it changes with each coordinate; `gradient` has data() and size().
    template <class Q, class G>
    Result<RobotDistance> try_gradient(const Q& q, G& gradient, const RobotScratch* scratch = nullptr) const {
        return detail::asked<RobotDistance>([&](RobotDistance* result, nearhit_error* error) {
            return nearhit_robot_gradient(get(), q.data(), size(q), memory(scratch), result, gradient.data(), size(gradient), error);
        });
    }
    template <class Q, class G>
    RobotDistance gradient(const Q& q, G& gradient, const RobotScratch* scratch = nullptr) const {
        return try_gradient(q, gradient, scratch).value();
    }
    /// Is the straight line from one configuration to another clear, at every instant?
    template <class Q>
    Result<PathCheck> try_path_clear(const Q& from, const Q& to, const PathOptions& options = {}, const RobotScratch* scratch = nullptr) const {
        if (size(from) != size(to)) return Error(NEARHIT_STATUS_WRONG_SIZE, "the two configurations have different lengths");
        return detail::asked<PathCheck>([&](PathCheck* result, nearhit_error* error) {
            return nearhit_robot_path_clear(get(), from.data(), to.data(), size(from), &options, memory(scratch), result, error);
        });
    }
    template <class Q>
    PathCheck path_clear(const Q& from, const Q& to, const PathOptions& options = {}, const RobotScratch* scratch = nullptr) const {
        return try_path_clear(from, to, options, scratch).value();
    }
    Handle* get() const noexcept { return handle_.get(); }

private:
    template <class Q>
    static std::size_t size(const Q& q) { return static_cast<std::size_t>(q.size()); }
    static nearhit_robot_scratch* memory(const RobotScratch* scratch) { return scratch ? scratch->get() : nullptr; }
    template <class Call>
    static Result<Done> check(Call&& call) { return detail::done(std::forward<Call>(call)); }
    std::size_t count(nearhit_robot_item item) const noexcept { return nearhit_robot_count(get(), item); }
    std::vector<std::string> names(nearhit_robot_item item) const {
        std::vector<std::string> all;
        for (std::size_t index = 0; index < count(item); ++index) {
            std::vector<char> name(64);
            nearhit_error error;
            nearhit_status status;
            while ((status = nearhit_robot_name(get(), item, index, name.data(), name.size(), &error)) == NEARHIT_STATUS_WRONG_SIZE)
                name.resize(2 * name.size());
            if (status != NEARHIT_STATUS_OK) detail::fail(Error(error));
            all.emplace_back(name.data());
        }
        return all;
    }
    detail::Owned<Handle, nearhit_robot_free> handle_;
};

}  // namespace nearhit

#endif  // NEARHIT_ROBOTS_HPP
