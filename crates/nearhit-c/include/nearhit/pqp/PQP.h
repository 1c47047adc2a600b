// The names of PQP (Larsen, Gottschalk, Lin, Manocha; University of North Carolina) over nearhit,
// so that programs written for PQP compile unchanged: put this folder on the include path and link
// nearhit instead of PQP. C++17. Licence: MIT or Apache-2.0, at your option; nothing of PQP is in
// it.
//
// What differs from PQP:
// * Answers are exact. Where PQP's rounding misses a contact or invents one, answers differ; a
//   distance of 0 means contact, and only that.
// * Matrices must be rotations to 1e-5, and are then made exact; others, and numbers that are not
//   finite, give PQP_ERR_NEARHIT. The result's `error` says why.
// * PQP_ALL_CONTACTS lists pairs in the order in which the triangles were added.
// * Counters count nearhit's tests, which are of other volumes. Priority queues need no size: qsize
//   is not used.
// * Results of one pair of models may be asked for by many threads at once, each with its own
//   result.
// * Fields that show the inside of PQP's trees (tris, b, child) are not there.
#ifndef PQP_H
#define PQP_H

#include "../../nearhit.h"
#include "PQP_Compile.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

const int PQP_OK = 0;
const int PQP_ERR_MODEL_OUT_OF_MEMORY = -1;
const int PQP_ERR_OUT_OF_MEMORY = -2;
const int PQP_ERR_UNPROCESSED_MODEL = -3;
const int PQP_ERR_BUILD_OUT_OF_SEQUENCE = -4;
const int PQP_ERR_BUILD_EMPTY_MODEL = -5;
/// Not of PQP: nearhit refused the numbers; see the result's `error`.
const int PQP_ERR_NEARHIT = -100;

const int PQP_ALL_CONTACTS = 1;
const int PQP_FIRST_CONTACT = 2;

enum PQP_BUILD_STATE { PQP_BUILD_STATE_EMPTY, PQP_BUILD_STATE_BEGUN, PQP_BUILD_STATE_PROCESSED };

/// Triangles, then a tree: BeginModel, AddTri as often as needed, EndModel.
class PQP_Model {
public:
    int build_state = PQP_BUILD_STATE_EMPTY;
    int num_tris = 0;
    /// Where the last distance query found its answer: the next one looks there first.
    std::atomic<std::uint32_t> last_tri{0};
    nearhit_model* model = nullptr;
    std::vector<int> ids;
    nearhit_error error;

    PQP_Model() { error.message[0] = 0; }
    ~PQP_Model() { nearhit_model_free(model); }
    PQP_Model(const PQP_Model&) = delete;
    PQP_Model& operator=(const PQP_Model&) = delete;

    int BeginModel(int n = 8) {
        const bool was_empty = build_state == PQP_BUILD_STATE_EMPTY;
        nearhit_model_free(model);
        model = nullptr;
        num_tris = 0;
        ids.clear();
        corners_.clear();
        if (n > 0) corners_.reserve(9 * static_cast<std::size_t>(n));
        build_state = PQP_BUILD_STATE_BEGUN;
        return was_empty ? PQP_OK : PQP_ERR_BUILD_OUT_OF_SEQUENCE;
    }

    int AddTri(const PQP_REAL* p1, const PQP_REAL* p2, const PQP_REAL* p3, int id) {
        if (build_state == PQP_BUILD_STATE_PROCESSED) return PQP_ERR_BUILD_OUT_OF_SEQUENCE;
        if (build_state == PQP_BUILD_STATE_EMPTY) BeginModel();
        for (const PQP_REAL* corner : {p1, p2, p3}) corners_.insert(corners_.end(), corner, corner + 3);
        ids.push_back(id);
        ++num_tris;
        return PQP_OK;
    }

    int EndModel() {
        if (build_state == PQP_BUILD_STATE_PROCESSED) return PQP_ERR_BUILD_OUT_OF_SEQUENCE;
        if (num_tris == 0) return PQP_ERR_BUILD_EMPTY_MODEL;
        std::vector<std::uint32_t> triangles(3 * ids.size());
        for (std::size_t i = 0; i < triangles.size(); ++i) triangles[i] = static_cast<std::uint32_t>(i);
        if (nearhit_model_from_arrays(corners_.data(), corners_.size() / 3, triangles.data(), ids.size(),
                                      NEARHIT_PRESET_BALANCED, &model, &error) != NEARHIT_STATUS_OK) {
            std::fprintf(stderr, "PQP_Model: %s\n", error.message);
            return PQP_ERR_NEARHIT;
        }
        std::vector<double>().swap(corners_);
        last_tri = 0;
        build_state = PQP_BUILD_STATE_PROCESSED;
        return PQP_OK;
    }

    /// Bytes; written to stderr if `msg` is not zero.
    int MemUsage(int msg) {
        const std::size_t bytes = nearhit_model_bytes(model) + ids.capacity() * sizeof(int) + sizeof(PQP_Model);
        if (msg) std::fprintf(stderr, "Total for model %p: %zu bytes, %d triangles\n", static_cast<void*>(this), bytes, num_tris);
        return static_cast<int>(bytes);
    }

private:
    std::vector<double> corners_;
};

struct CollisionPair {
    int id1;
    int id2;
};

namespace nearhit_pqp {

/// What every result has.
struct Counters {
    int num_bv_tests = 0;
    int num_tri_tests = 0;
    double query_time_secs = 0.0;
    nearhit_error error;

    Counters() { error.message[0] = 0; }
    int NumBVTests() const { return num_bv_tests; }
    int NumTriTests() const { return num_tri_tests; }
    double QueryTimeSecs() const { return query_time_secs; }

    void count(const nearhit_stats& stats) {
        num_bv_tests += static_cast<int>(stats.volume_tests);
        num_tri_tests += static_cast<int>(stats.triangle_tests);
    }
};

/// The time of a query, from its making to its end.
class Watch {
public:
    explicit Watch(Counters* counters) : counters_(counters), start_(std::chrono::steady_clock::now()) {
        counters->num_bv_tests = counters->num_tri_tests = 0;
    }
    ~Watch() {
        counters_->query_time_secs = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }

private:
    Counters* counters_;
    std::chrono::steady_clock::time_point start_;
};

/// Working memory of one thread, kept from query to query.
inline nearhit_scratch* scratch() {
    struct Memory {
        nearhit_scratch* handle = nullptr;
        Memory() { nearhit_scratch_new(&handle, nullptr); }
        ~Memory() { nearhit_scratch_free(handle); }
    };
    thread_local Memory memory;
    return memory.handle;
}

inline nearhit_settings settings() {
    nearhit_settings settings = {};
    settings.scratch = scratch();
    return settings;
}

inline nearhit_pose pose(PQP_REAL R[3][3], PQP_REAL T[3]) {
    nearhit_pose pose;
    std::memcpy(pose.rotation, R, sizeof pose.rotation);
    std::memcpy(pose.translation, T, sizeof pose.translation);
    return pose;
}

/// A point of the world in the frame of a model, as PQP gives points: Rᵀ (p - T).
inline void to_model(const nearhit_pose& pose, const double world[3], PQP_REAL local[3]) {
    for (int column = 0; column < 3; ++column) {
        local[column] = 0.0;
        for (int row = 0; row < 3; ++row)
            local[column] += pose.rotation[row][column] * (world[row] - pose.translation[row]);
    }
}

inline bool are_processed(const PQP_Model* o1, const PQP_Model* o2) {
    return o1->build_state == PQP_BUILD_STATE_PROCESSED && o2->build_state == PQP_BUILD_STATE_PROCESSED;
}

}  // namespace nearhit_pqp

struct PQP_CollideResult : nearhit_pqp::Counters {
    std::vector<CollisionPair> pairs;
    nearhit_contact_list* list = nullptr;

    PQP_CollideResult() = default;
    ~PQP_CollideResult() { nearhit_contact_list_free(list); }
    PQP_CollideResult(const PQP_CollideResult&) = delete;
    PQP_CollideResult& operator=(const PQP_CollideResult&) = delete;

    void FreePairsList() { std::vector<CollisionPair>().swap(pairs); }
    int Colliding() const { return !pairs.empty(); }
    int NumPairs() const { return static_cast<int>(pairs.size()); }
    int Id1(int k) const { return pairs[static_cast<std::size_t>(k)].id1; }
    int Id2(int k) const { return pairs[static_cast<std::size_t>(k)].id2; }
};

struct PQP_DistanceResult : nearhit_pqp::Counters {
    PQP_REAL rel_err = 0.0;
    PQP_REAL abs_err = 0.0;
    PQP_REAL distance = 0.0;
    PQP_REAL p1[3] = {0.0, 0.0, 0.0};
    PQP_REAL p2[3] = {0.0, 0.0, 0.0};
    int qsize = 2;

    PQP_REAL Distance() const { return distance; }
    const PQP_REAL* P1() const { return p1; }
    const PQP_REAL* P2() const { return p2; }
};

struct PQP_ToleranceResult : nearhit_pqp::Counters {
    int closer_than_tolerance = 0;
    PQP_REAL tolerance = 0.0;
    PQP_REAL distance = 0.0;
    PQP_REAL p1[3] = {0.0, 0.0, 0.0};
    PQP_REAL p2[3] = {0.0, 0.0, 0.0};
    int qsize = 2;

    PQP_REAL Distance() const { return distance; }
    const PQP_REAL* P1() const { return p1; }
    const PQP_REAL* P2() const { return p2; }
    int CloserThanTolerance() const { return closer_than_tolerance; }
};

/// Do two models touch? All pairs of triangles that do, or the first one found.
inline int PQP_Collide(PQP_CollideResult* result, PQP_REAL R1[3][3], PQP_REAL T1[3], PQP_Model* o1, PQP_REAL R2[3][3],
                       PQP_REAL T2[3], PQP_Model* o2, int flag = PQP_ALL_CONTACTS) {
    result->pairs.clear();
    if (!nearhit_pqp::are_processed(o1, o2)) return PQP_ERR_UNPROCESSED_MODEL;
    const nearhit_pqp::Watch watch(result);
    const nearhit_pose pose1 = nearhit_pqp::pose(R1, T1), pose2 = nearhit_pqp::pose(R2, T2);
    const nearhit_settings settings = nearhit_pqp::settings();
    const auto add = [&](nearhit_triangle_pair pair) { result->pairs.push_back({o1->ids[pair.a], o2->ids[pair.b]}); };
    if (flag == PQP_FIRST_CONTACT) {
        nearhit_collide_result found;
        if (nearhit_collide(o1->model, &pose1, o2->model, &pose2, &settings, &found, &result->error) != NEARHIT_STATUS_OK)
            return PQP_ERR_NEARHIT;
        result->count(found.stats);
        if (found.verdict == NEARHIT_VERDICT_YES) add(found.triangles);
        return PQP_OK;
    }
    if (!result->list && nearhit_contact_list_new(&result->list, &result->error) != NEARHIT_STATUS_OK)
        return PQP_ERR_OUT_OF_MEMORY;
    if (nearhit_contacts(o1->model, &pose1, o2->model, &pose2, &settings, result->list, &result->error) != NEARHIT_STATUS_OK)
        return PQP_ERR_NEARHIT;
    result->count(nearhit_contact_list_stats(result->list));
    std::size_t count = 0;
    const nearhit_triangle_pair* found = nearhit_contact_list_pairs(result->list, &count);
    for (std::size_t i = 0; i < count; ++i) add(found[i]);
    return PQP_OK;
}

/// How far apart are two models? Both errors are kept to: the smaller counts.
inline int PQP_Distance(PQP_DistanceResult* result, PQP_REAL R1[3][3], PQP_REAL T1[3], PQP_Model* o1, PQP_REAL R2[3][3],
                        PQP_REAL T2[3], PQP_Model* o2, PQP_REAL rel_err, PQP_REAL abs_err, int qsize = 2) {
    if (!nearhit_pqp::are_processed(o1, o2)) return PQP_ERR_UNPROCESSED_MODEL;
    const nearhit_pqp::Watch watch(result);
    result->rel_err = rel_err;
    result->abs_err = abs_err;
    result->qsize = qsize;
    const nearhit_pose pose1 = nearhit_pqp::pose(R1, T1), pose2 = nearhit_pqp::pose(R2, T2);
    nearhit_settings settings = nearhit_pqp::settings();
    settings.has_seed = 1;
    settings.seed = {o1->last_tri, o2->last_tri};
    const bool is_exact = !(rel_err > 0.0 && abs_err > 0.0);
    // nearhit is content with either error, PQP with both: one after the other, then exactly.
    const double attempts[3][2] = {{rel_err, 0.0}, {0.0, abs_err}, {0.0, 0.0}};
    nearhit_distance_result found;
    for (int attempt = is_exact ? 2 : 0; attempt < 3; ++attempt) {
        settings.relative_error = attempts[attempt][0];
        settings.absolute_error = attempts[attempt][1];
        if (nearhit_distance(o1->model, &pose1, o2->model, &pose2, &settings, &found, &result->error) != NEARHIT_STATUS_OK)
            return PQP_ERR_NEARHIT;
        result->count(found.stats);
        settings.seed = found.triangles;
        if (found.upper - found.lower <= abs_err && found.upper <= (1.0 + rel_err) * found.lower) break;
    }
    o1->last_tri = found.triangles.a;
    o2->last_tri = found.triangles.b;
    result->distance = found.upper;
    nearhit_pqp::to_model(pose1, found.point_a, result->p1);
    nearhit_pqp::to_model(pose2, found.point_b, result->p2);
    return PQP_OK;
}

/// Are two models at most `tolerance` apart?
inline int PQP_Tolerance(PQP_ToleranceResult* result, PQP_REAL R1[3][3], PQP_REAL T1[3], PQP_Model* o1, PQP_REAL R2[3][3],
                         PQP_REAL T2[3], PQP_Model* o2, PQP_REAL tolerance, int qsize = 2) {
    if (!nearhit_pqp::are_processed(o1, o2)) return PQP_ERR_UNPROCESSED_MODEL;
    const nearhit_pqp::Watch watch(result);
    result->tolerance = tolerance < 0.0 ? 0.0 : tolerance;
    result->qsize = qsize;
    result->closer_than_tolerance = 0;
    const nearhit_pose pose1 = nearhit_pqp::pose(R1, T1), pose2 = nearhit_pqp::pose(R2, T2);
    nearhit_settings settings = nearhit_pqp::settings();
    nearhit_within_result found;
    if (nearhit_within(o1->model, &pose1, o2->model, &pose2, result->tolerance, &settings, &found, &result->error) !=
        NEARHIT_STATUS_OK)
        return PQP_ERR_NEARHIT;
    result->count(found.stats);
    if (found.verdict != NEARHIT_VERDICT_YES) return PQP_OK;
    // The points of the pair that was found: a search that ends where it starts.
    settings.has_seed = 1;
    settings.seed = found.triangles;
    settings.limit = NEARHIT_LIMIT_WORK;
    settings.work = 0;
    nearhit_distance_result pair;
    if (nearhit_distance(o1->model, &pose1, o2->model, &pose2, &settings, &pair, &result->error) != NEARHIT_STATUS_OK)
        return PQP_ERR_NEARHIT;
    result->closer_than_tolerance = 1;
    result->distance = pair.upper;
    nearhit_pqp::to_model(pose1, pair.point_a, result->p1);
    nearhit_pqp::to_model(pose2, pair.point_b, result->p2);
    return PQP_OK;
}

#endif  // PQP_H
