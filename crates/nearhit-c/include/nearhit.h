/*
 * nearhit: collision detection and distance queries for triangle meshes.
 *
 * Licence: MIT or Apache-2.0, at your option.
 *
 * Made from crates/nearhit-c by cbindgen; do not edit. C++ programs may like nearhit.hpp better.
 *
 * STATUS. Functions that can fail return a nearhit_status, 0 for success, and take a pointer to a
 * nearhit_error, which may be NULL, that they fill in when they fail. Nothing of the library ends
 * the program or throws through C.
 *
 * POINTERS. A pointer to something that a function needs must not be NULL:
 * NEARHIT_STATUS_NULL_POINTER otherwise. Where NULL is allowed, the function says so. Pointers must
 * be what their type says: aligned, to as many elements as the count beside them, and to memory
 * that nothing else writes to during the call. A handle must come from this library and must not
 * have been freed; this is undefined behaviour and cannot be checked. Where a function fails, what
 * it was to fill in is as it was before, but for handles, which are NULL, and lists, which are
 * empty.
 *
 * OWNERSHIP. What a function makes (`..._new`, `..._read`, `..._load`, `..._clone`, and
 * nearhit_contact_regions) is the caller's and is freed by the `..._free` of its type, once. What a
 * function lends (pointers to const) belongs to the handle it was asked of. What goes in is read
 * during the call and never kept, but for models and shapes, which scenes, sphere-trees and robots
 * share.
 *
 * THREADS. There is no global state but the threads that batches, scenes and builders work on.
 * Meshes, models, shapes, sphere-trees and region lists never change: any number of threads may use
 * them at once. Scenes, robots and assemblies lock themselves. A scratch or a refinement in use says
 * NEARHIT_STATUS_BUSY to a second thread. Lists are for one thread at a time. A handle may be made by one thread and freed
 * by another. After fork, a child must not use batches, scenes or builders.
 *
 * COORDINATES. Poses say where a model is in the world; answers about two models are in the world,
 * answers about one model and points or rays are in the model's frame. Numbers beyond 1e300 are an
 * error.
 */


#ifndef NEARHIT_H
#define NEARHIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
/* Of this header; NEARHIT_ABI_VERSION and nearhit_abi_version() say whether a library fits it. */
#define NEARHIT_VERSION_MAJOR 0
#define NEARHIT_VERSION_MINOR 1
#define NEARHIT_VERSION_PATCH 0


/**
 * No triangle: where an answer has none to show.
 */
#define NEARHIT_NO_TRIANGLE UINT32_MAX

/**
 * A number of no body.
 */
#define NEARHIT_NO_ROBOT_BODY UINT32_MAX

/**
 * A number of no body: ids begin at 1.
 */
#define NEARHIT_NO_BODY 0

/**
 * All parts of a body, where a part can be named.
 */
#define NEARHIT_ALL_PARTS UINT32_MAX

/**
 * Bytes of a message, its zero included.
 */
#define NEARHIT_MESSAGE_BYTES 512

/**
 * The most corners that two triangles share.
 */
#define NEARHIT_MAX_OVERLAP_POINTS 6

/**
 * Of the binary interface: programs work with every library that has the same number. It changes
 * with the first number of the version, or the second while the first is 0.
 */
#define NEARHIT_ABI_VERSION 0

/**
 * What became of a call. Zero is success.
 */
enum nearhit_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * It was done.
     */
    NEARHIT_STATUS_OK = 0,
    /**
     * A pointer is NULL that must not be.
     */
    NEARHIT_STATUS_NULL_POINTER = 1,
    /**
     * A number, a choice or a text that is none of those allowed.
     */
    NEARHIT_STATUS_INVALID_ARGUMENT = 2,
    /**
     * The length of an array does not fit the others.
     */
    NEARHIT_STATUS_WRONG_SIZE = 3,
    /**
     * A mesh that is none: an index out of range, a coordinate that is not finite, no triangles.
     */
    NEARHIT_STATUS_MESH = 4,
    /**
     * A matrix that is not a rotation, or a number of a pose that is not finite.
     */
    NEARHIT_STATUS_POSE = 5,
    /**
     * A question that cannot be asked of these models, points or rays.
     */
    NEARHIT_STATUS_QUERY = 6,
    /**
     * Something that a scene refuses; it is as it was before.
     */
    NEARHIT_STATUS_SCENE = 7,
    /**
     * A motion that cannot be followed.
     */
    NEARHIT_STATUS_MOTION = 8,
    /**
     * A file that cannot be read or written.
     */
    NEARHIT_STATUS_IO = 9,
    /**
     * A file that makes no sense.
     */
    NEARHIT_STATUS_FILE = 10,
    /**
     * Working memory, or a refinement, that another thread is using at this moment.
     */
    NEARHIT_STATUS_BUSY = 11,
    /**
     * A fault of the library: please report it. What was asked has no answer; all handles stay
     * valid.
     */
    NEARHIT_STATUS_PANIC = 12,
    /**
     * A shape that is none, or a question that it has no answer to.
     */
    NEARHIT_STATUS_SHAPE = 13,
    /**
     * A robot's file, name or configuration that is refused.
     */
    NEARHIT_STATUS_ROBOT = 14,
    /**
     * A part, rule or option of an assembly that is refused.
     */
    NEARHIT_STATUS_CLASH = 15,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum nearhit_status nearhit_status;
#else
typedef int32_t nearhit_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Yes, no, or not known yet.
 */
enum nearhit_verdict
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * Certainly not.
     */
    NEARHIT_VERDICT_NO = 0,
    /**
     * Certainly.
     */
    NEARHIT_VERDICT_YES = 1,
    /**
     * The limit of the settings came first.
     */
    NEARHIT_VERDICT_MAYBE = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum nearhit_verdict nearhit_verdict;
#else
typedef int32_t nearhit_verdict;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * How two parts clash, worst first.
 */
enum nearhit_clash_class
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * A point of one surface is inside the other part, deeper than the tolerance.
     */
    NEARHIT_CLASH_CLASS_HARD = 0,
    /**
     * The surfaces do not touch, and one part, or a piece of it, is inside the other.
     */
    NEARHIT_CLASH_CLASS_INSIDE = 1,
    /**
     * Both surfaces are in the same place.
     */
    NEARHIT_CLASH_CLASS_DUPLICATE = 2,
    /**
     * A limit of work was reached: they touch, or are in each other.
     */
    NEARHIT_CLASH_CLASS_UNDECIDED = 3,
    /**
     * They touch, no deeper than the tolerance.
     */
    NEARHIT_CLASH_CLASS_TOUCHING = 4,
    /**
     * They do not touch, but are at most the clearance apart.
     */
    NEARHIT_CLASH_CLASS_CLOSE = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum nearhit_clash_class nearhit_clash_class;
#else
typedef int32_t nearhit_clash_class;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Where a point is.
 */
enum nearhit_location
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * Not in the solid.
     */
    NEARHIT_LOCATION_OUTSIDE = 0,
    /**
     * Exactly on a triangle.
     */
    NEARHIT_LOCATION_SURFACE = 1,
    /**
     * Within.
     */
    NEARHIT_LOCATION_INSIDE = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum nearhit_location nearhit_location;
#else
typedef int32_t nearhit_location;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * One of two bodies, or none.
 */
enum nearhit_side
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * None of the two.
     */
    NEARHIT_SIDE_NONE = 0,
    /**
     * The first.
     */
    NEARHIT_SIDE_A = 1,
    /**
     * The second.
     */
    NEARHIT_SIDE_B = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum nearhit_side nearhit_side;
#else
typedef int32_t nearhit_side;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What a tree is made for. Answers do not depend on it.
 */
enum nearhit_preset
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * For most.
     */
    NEARHIT_PRESET_BALANCED = 0,
    /**
     * Built in the shortest time: for meshes that are asked a few questions, or change.
     */
    NEARHIT_PRESET_FAST = 1,
    /**
     * Built with more care, for meshes that are asked very many questions.
     */
    NEARHIT_PRESET_BEST = 2,
    /**
     * In the least memory, with slower answers.
     */
    NEARHIT_PRESET_COMPACT = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum nearhit_preset nearhit_preset;
#else
typedef int32_t nearhit_preset;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What a query stops at.
 */
enum nearhit_limit
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * Nothing: it is answered in full.
     */
    NEARHIT_LIMIT_NONE = 0,
    /**
     * After `work` tests of volumes and triangles. Repeats exactly.
     */
    NEARHIT_LIMIT_WORK = 1,
    /**
     * After `microseconds`.
     */
    NEARHIT_LIMIT_TIME = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum nearhit_limit nearhit_limit;
#else
typedef int32_t nearhit_limit;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What the balls of a tree come from.
 */
enum nearhit_sphere_method
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * The medial axis and an optimisation: tight.
     */
    NEARHIT_SPHERE_METHOD_MEDIAL = 0,
    /**
     * The same, built several times quicker; balls stick out up to a third more.
     */
    NEARHIT_SPHERE_METHOD_QUICK_MEDIAL = 1,
    /**
     * The cells of an octree: quick to build, loose.
     */
    NEARHIT_SPHERE_METHOD_OCTREE = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum nearhit_sphere_method nearhit_sphere_method;
#else
typedef int32_t nearhit_sphere_method;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * How near bodies are found. Changes no answer.
 */
enum nearhit_broad_phase
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * A tree of boxes that is mended as they move.
     */
    NEARHIT_BROAD_PHASE_TREE = 0,
    /**
     * Sweep and prune: ends of boxes kept sorted.
     */
    NEARHIT_BROAD_PHASE_SWEEP = 1,
    /**
     * Every pair.
     */
    NEARHIT_BROAD_PHASE_BRUTE = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum nearhit_broad_phase nearhit_broad_phase;
#else
typedef int32_t nearhit_broad_phase;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Is a body a surface or a solid?
 */
enum nearhit_matter
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * As the scene's bodies are.
     */
    NEARHIT_MATTER_SCENE = 0,
    /**
     * A surface: nothing is inside it.
     */
    NEARHIT_MATTER_SURFACE = 1,
    /**
     * A solid: what is inside it is in contact with it.
     */
    NEARHIT_MATTER_SOLID = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum nearhit_matter nearhit_matter;
#else
typedef int32_t nearhit_matter;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * How a body gets from one pose to another.
 */
enum nearhit_motion_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * Its origin moves along a line while it turns the shorter way round at a steady rate, as
     * state spaces of motion planners interpolate.
     */
    NEARHIT_MOTION_KIND_LINEAR = 0,
    /**
     * About one axis of the world, and along it.
     */
    NEARHIT_MOTION_KIND_SCREW = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum nearhit_motion_kind nearhit_motion_kind;
#else
typedef int32_t nearhit_motion_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What a robot has several of, by number from 0.
 */
enum nearhit_robot_item
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * Links, in the order of the file.
     */
    NEARHIT_ROBOT_ITEM_LINK = 0,
    /**
     * Numbers of a configuration: one for a revolute, continuous or prismatic joint, named as it.
     */
    NEARHIT_ROBOT_ITEM_COORDINATE = 1,
    /**
     * Shapes that are checked: those of links in the order of the file, named as their links with
     * "#2", "#3" where there are several; then what was added and attached. Numbers change when a
     * body is taken away.
     */
    NEARHIT_ROBOT_ITEM_BODY = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum nearhit_robot_item nearhit_robot_item;
#else
typedef int32_t nearhit_robot_item;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Parts with names and places, of which clashes are sought. Calls from several threads wait for
 * each other.
 */
typedef struct nearhit_assembly nearhit_assembly;

/**
 * Pairs of bodies that a question fills in. One thread at a time.
 */
typedef struct nearhit_body_pair_list nearhit_body_pair_list;

/**
 * Clashes that a search fills in. One thread at a time.
 */
typedef struct nearhit_clash_list nearhit_clash_list;

/**
 * A list of contacts that a query fills in and that is used again for the next, without
 * allocating. One thread at a time.
 */
typedef struct nearhit_contact_list nearhit_contact_list;

/**
 * A list of distances that a scene fills in. One thread at a time.
 */
typedef struct nearhit_gap_list nearhit_gap_list;

/**
 * A list of hits that a query fills in and that is used again for the next. One thread at a time.
 */
typedef struct nearhit_hit_list nearhit_hit_list;

/**
 * Triangles that have been checked. Never changes; any number of threads may use it at once.
 */
typedef struct nearhit_mesh nearhit_mesh;

/**
 * A mesh with its tree: what questions are asked of. Never changes; any number of threads may ask
 * it at once. A handle is one of several that may share the same model (nearhit_model_clone).
 */
typedef struct nearhit_model nearhit_model;

/**
 * How far two trees have been refined: to go on with when there is time again.
 */
typedef struct nearhit_refinement nearhit_refinement;

/**
 * The regions where two solids meet. Never changes once it is made; any number of threads may read
 * it at once.
 */
typedef struct nearhit_region_list nearhit_region_list;

/**
 * A robot with the shapes of its links, a world around it, and pairs of bodies that are checked.
 * Any number of threads may ask it at once; what changes it waits for them. Lengths are metres,
 * angles radians.
 */
typedef struct nearhit_robot nearhit_robot;

/**
 * Working memory of questions about robots, which also remembers what touched before. One for each
 * thread: used by two at once, the second gets NEARHIT_STATUS_BUSY. Answers do not depend on it.
 */
typedef struct nearhit_robot_scratch nearhit_robot_scratch;

/**
 * Many bodies that move. Any number of threads may use it at once: calls wait for each other. It
 * keeps the models of its bodies.
 */
typedef struct nearhit_scene nearhit_scene;

/**
 * Working memory of queries. With it a warm query allocates nothing. One for each thread: used by
 * two at once, the second gets NEARHIT_STATUS_BUSY.
 */
typedef struct nearhit_scratch nearhit_scratch;

/**
 * A solid primitive, a convex hull, a half-space, a point cloud, a height field, an octree, or a
 * mesh; with a margin that it is grown by. Never changes; any number of threads may use it at
 * once. Primitives lie about the origin of their frame; capsules, cylinders and cones along z.
 * Sizes are whole lengths, not halves. All are the caller's, to be freed with nearhit_shape_free.
 */
typedef struct nearhit_shape nearhit_shape;

/**
 * A list of contacts that a query of two shapes or of a scene fills in. One thread at a time.
 */
typedef struct nearhit_shape_contact_list nearhit_shape_contact_list;

/**
 * A model's surface covered by balls, level by level. Never changes; any number of threads may use
 * it at once. It keeps its model.
 */
typedef struct nearhit_sphere_tree nearhit_sphere_tree;

/**
 * A list of contacts that a scene fills in. One thread at a time.
 */
typedef struct nearhit_touch_list nearhit_touch_list;

/**
 * A rotation, then a translation: world = rotation · point + translation. Rows of the matrix one
 * after the other. Checked whenever it is used: a matrix off a rotation by up to 1e-5 becomes the
 * nearest rotation, anything else is an error. Where a pose is taken by pointer, NULL is the
 * identity.
 */
typedef struct nearhit_pose {
    /**
     * rotation[row][column].
     */
    double rotation[3][3];
    /**
     * Applied after the rotation.
     */
    double translation[3];
} nearhit_pose;

/**
 * Poses of two models: query i is about pose i of a and pose i of b. A body with one pose keeps it
 * in all queries; one with none (`count` 0) is at the identity.
 */
typedef struct nearhit_batch {
    /**
     * Poses of a.
     */
    const struct nearhit_pose *poses_a;
    /**
     * How many: as many as there are queries, or 1, or 0.
     */
    size_t count_a;
    /**
     * Poses of b.
     */
    const struct nearhit_pose *poses_b;
    /**
     * How many: as many as there are queries, or 1, or 0.
     */
    size_t count_b;
    /**
     * Not zero: each query looks first where the one before it found its answer, which pays for
     * poses along a path. Never changes a distance.
     */
    int32_t warm;
    /**
     * So many threads, made for this call; 0: all cores.
     */
    uint32_t threads;
} nearhit_batch;

/**
 * A triangle of a and a triangle of b, by index.
 */
typedef struct nearhit_triangle_pair {
    /**
     * In a's mesh.
     */
    uint32_t a;
    /**
     * In b's mesh.
     */
    uint32_t b;
} nearhit_triangle_pair;

/**
 * How to go about a question. All zero (`nearhit_settings settings = {0};`) is the default, and so
 * is NULL where a pointer to settings is taken: exact, without a limit, with working memory made
 * for this call.
 */
typedef struct nearhit_settings {
    /**
     * A nearhit_limit. What runs into it answers with what is certain: NEARHIT_VERDICT_MAYBE, or a
     * wider interval.
     */
    int32_t limit;
    /**
     * Not zero: look at `seed` first.
     */
    int32_t has_seed;
    /**
     * For NEARHIT_LIMIT_WORK.
     */
    uint64_t work;
    /**
     * For NEARHIT_LIMIT_TIME: finite, at least 0.
     */
    double microseconds;
    /**
     * Triangles of an earlier answer for the same models (a warm start). Never changes an answer,
     * only the time it takes; triangles that do not exist are ignored.
     */
    struct nearhit_triangle_pair seed;
    /**
     * A distance need not be better than to this share of it, 0.01 for one per cent. Finite, at
     * least 0.
     */
    double relative_error;
    /**
     * Nor better than to this length: either is enough. Finite, at least 0.
     */
    double absolute_error;
    /**
     * Working memory to use again from call to call, or NULL. Belongs to the caller.
     */
    struct nearhit_scratch *scratch;
} nearhit_settings;

/**
 * Work done.
 */
typedef struct nearhit_stats {
    /**
     * Pairs of bounding volumes tested.
     */
    uint64_t volume_tests;
    /**
     * Pairs of triangles tested.
     */
    uint64_t triangle_tests;
    /**
     * Volumes brought into the other's frame.
     */
    uint64_t updates;
} nearhit_stats;

/**
 * The answer of nearhit_collide.
 */
typedef struct nearhit_collide_result {
    /**
     * Do the surfaces share a point?
     */
    nearhit_verdict verdict;
    /**
     * Two triangles that touch, if the verdict is yes; otherwise NEARHIT_NO_TRIANGLE twice.
     */
    struct nearhit_triangle_pair triangles;
    /**
     * False: the limit came first.
     */
    bool is_complete;
    /**
     * Work done.
     */
    struct nearhit_stats stats;
} nearhit_collide_result;

/**
 * What went wrong, in words. The caller's: it needs no initialising and no freeing. Every function
 * takes a pointer to one, which may be NULL, and fills it in when its status is not
 * NEARHIT_STATUS_OK; on success it is left as it was.
 */
typedef struct nearhit_error {
    /**
     * The same as the function's.
     */
    nearhit_status status;
    /**
     * Which of many queries, points or rays, from 0; -1 where there is but one.
     */
    int64_t index;
    /**
     * UTF-8 that ends with a zero, with names, indices and values; cut if it is longer.
     */
    char message[NEARHIT_MESSAGE_BYTES];
} nearhit_error;

/**
 * The answer of nearhit_distance: lower <= distance <= upper.
 */
typedef struct nearhit_distance_result {
    /**
     * The distance is at least this.
     */
    double lower;
    /**
     * The distance is at most this; equal to `lower` unless an error was allowed or a limit
     * reached. Zero exactly when the surfaces touch.
     */
    double upper;
    /**
     * A point of a, in the world, that is `upper` away from `point_b`.
     */
    double point_a[3];
    /**
     * A point of b, in the world.
     */
    double point_b[3];
    /**
     * The triangles that the points are on: the seed of the next query.
     */
    struct nearhit_triangle_pair triangles;
    /**
     * False: the limit came first.
     */
    bool is_complete;
    /**
     * Work done.
     */
    struct nearhit_stats stats;
} nearhit_distance_result;

/**
 * The answer of nearhit_within.
 */
typedef struct nearhit_within_result {
    /**
     * Is the distance at most the limit?
     */
    nearhit_verdict verdict;
    /**
     * Two triangles that are as close, if the verdict is yes: not necessarily the closest.
     */
    struct nearhit_triangle_pair triangles;
    /**
     * The distance is at least this.
     */
    double lower;
    /**
     * The distance is at most this; infinite where nothing is known above the limit.
     */
    double upper;
    /**
     * False: the limit of the settings came first.
     */
    bool is_complete;
    /**
     * Work done.
     */
    struct nearhit_stats stats;
} nearhit_within_result;

/**
 * Two parts that clash.
 */
typedef struct nearhit_clash {
    /**
     * How.
     */
    nearhit_clash_class kind;
    /**
     * Number of one part, the smaller.
     */
    size_t part_a;
    /**
     * Number of the other.
     */
    size_t part_b;
    /**
     * How deep the deepest point of one surface is inside the other part: at least this.
     */
    double depth_lower;
    /**
     * At most this; infinite where that is not known.
     */
    double depth_upper;
    /**
     * The distance of parts that do not touch; 0 otherwise.
     */
    double gap;
    /**
     * The volume that both have in common: at least this.
     */
    double volume_lower;
    /**
     * At most this; infinite where that was not sought, or is not known.
     */
    double volume_upper;
    /**
     * The deepest or nearest point of the first, in the world.
     */
    double point_a[3];
    /**
     * That of the second.
     */
    double point_b[3];
} nearhit_clash;

/**
 * What is sought. All zero is the default, and so is NULL.
 */
typedef struct nearhit_clash_options {
    /**
     * Parts no deeper in each other than this only touch; 0 for a millionth of the assembly's
     * size.
     */
    double tolerance;
    /**
     * Parts closer than this are too close.
     */
    double clearance;
    /**
     * Hard clashes whose overlap has certainly less than this volume only touch.
     */
    double min_volume;
    /**
     * Not zero: volumes of overlaps are not sought, which takes about half of the time.
     */
    int32_t without_volumes;
    /**
     * Not zero: parts that only touch are not listed.
     */
    int32_t ignore_touching;
} nearhit_clash_options;

/**
 * A rigid motion over a time from 0 to 1.
 */
typedef struct nearhit_motion {
    /**
     * At time 0.
     */
    struct nearhit_pose from;
    /**
     * At time 1.
     */
    struct nearhit_pose to;
    /**
     * A nearhit_motion_kind.
     */
    int32_t kind;
} nearhit_motion;

/**
 * The answer of nearhit_first_contact.
 */
typedef struct nearhit_first_contact_result {
    /**
     * Do they come within the tolerance of each other?
     */
    nearhit_verdict verdict;
    /**
     * They certainly do not touch before this time, from 0 to 1.
     */
    double free_until;
    /**
     * Their distance then; points are in the world, as the bodies are then.
     */
    struct nearhit_distance_result distance;
    /**
     * Advances in time that it took.
     */
    uint64_t steps;
    /**
     * Work done.
     */
    struct nearhit_stats stats;
} nearhit_first_contact_result;

/**
 * The answer of nearhit_closest_point.
 */
typedef struct nearhit_closest_point_result {
    /**
     * The point of the surface nearest to the one given.
     */
    double point[3];
    /**
     * How far away it is; of nearhit_signed_distance, negative inside.
     */
    double distance;
    /**
     * The triangle it is on.
     */
    uint32_t triangle;
} nearhit_closest_point_result;

/**
 * The answer of nearhit_contains.
 */
typedef struct nearhit_contains_result {
    /**
     * Where the point is.
     */
    nearhit_location location;
    /**
     * Is that beyond doubt? Always for closed meshes; for those with holes when the winding number
     * is on one side of one half by more than its error.
     */
    bool is_certain;
    /**
     * How often the surface winds around the point; NaN on the surface, where it jumps.
     */
    double winding;
    /**
     * How far that may be off: 0 unless the mesh has holes.
     */
    double winding_error;
} nearhit_contains_result;

/**
 * A ray: where it starts and where it goes.
 */
typedef struct nearhit_ray {
    /**
     * Where it starts.
     */
    double origin[3];
    /**
     * Where it goes; need not have unit length, but must not be zero.
     */
    double direction[3];
} nearhit_ray;

/**
 * Where a ray meets a triangle.
 */
typedef struct nearhit_ray_hit {
    /**
     * How far along the ray, as a length; infinite if it hits nothing.
     */
    double distance;
    /**
     * Where.
     */
    double point[3];
    /**
     * The triangle, NEARHIT_NO_TRIANGLE if it hits nothing.
     */
    uint32_t triangle;
} nearhit_ray_hit;

/**
 * A point of contact, in the world.
 */
typedef struct nearhit_contact_point {
    /**
     * On a's surface.
     */
    double point_a[3];
    /**
     * On b's surface.
     */
    double point_b[3];
    /**
     * How far apart the two are.
     */
    double depth;
} nearhit_contact_point;

/**
 * One connected contact, in the world.
 */
typedef struct nearhit_region {
    /**
     * The way out for b: of unit length.
     */
    double normal[3];
    /**
     * How deep the deepest point found is below the other surface.
     */
    double depth;
    /**
     * That point, and the point of the other surface nearest to it.
     */
    struct nearhit_contact_point deepest;
    /**
     * How many pairs of triangles meet (nearhit_region_list_pairs).
     */
    size_t pair_count;
    /**
     * How many curves they meet along (nearhit_region_list_curve).
     */
    size_t curve_count;
    /**
     * How many points there are to choose from (nearhit_region_list_manifold).
     */
    size_t point_count;
} nearhit_region;

/**
 * How a robot is read. All zero is the default, and so is NULL.
 */
typedef struct nearhit_robot_options {
    /**
     * Folders (UTF-8) in which packages are sought for `package://` addresses, beside those that
     * ROS_PACKAGE_PATH names and those above the file.
     */
    const char *const *folders;
    /**
     * How many.
     */
    size_t folder_count;
    /**
     * Not zero: closed meshes are surfaces, as in other libraries, and not solids.
     */
    int32_t surfaces;
    /**
     * Where the root link is.
     */
    const struct nearhit_pose *world_from_root;
} nearhit_robot_options;

/**
 * Two bodies of a robot, by number (NEARHIT_ROBOT_ITEM_BODY).
 */
typedef struct nearhit_body_pair {
    /**
     * One.
     */
    uint32_t a;
    /**
     * The other.
     */
    uint32_t b;
} nearhit_body_pair;

/**
 * The closest two bodies: the answer of nearhit_robot_distance.
 */
typedef struct nearhit_robot_distance_result {
    /**
     * Which; NEARHIT_NO_ROBOT_BODY twice if no pair is checked.
     */
    struct nearhit_body_pair bodies;
    /**
     * The least distance of all pairs is at least this; infinite if no pair is checked.
     */
    double lower;
    /**
     * At most this; 0 in contact.
     */
    double upper;
    /**
     * A point of the first, in the world.
     */
    double point_a[3];
    /**
     * A point of the second, in the world.
     */
    double point_b[3];
} nearhit_robot_distance_result;

/**
 * How a line is checked. All zero is the default, and so is NULL.
 */
typedef struct nearhit_path_options {
    /**
     * Bodies must be farther apart than this at every instant.
     */
    double clearance;
    /**
     * A contact is located to this share of the line; 0 for a millionth.
     */
    double resolution;
    /**
     * How many pairs may be asked for their distance; 0 for any number.
     */
    uint64_t budget;
} nearhit_path_options;

/**
 * The answer of nearhit_robot_path_clear. Instants are shares of the line, from 0 to 1.
 */
typedef struct nearhit_path_result {
    /**
     * Are all pairs farther apart than the clearance at every instant? Maybe: the budget ran out,
     * or two bodies come within a hair of the clearance.
     */
    nearhit_verdict is_clear;
    /**
     * Before this instant they certainly are.
     */
    double certain_until;
    /**
     * At this instant two are not; infinite if there is none or none was found.
     */
    double contact_at;
    /**
     * These two, or a pair that is not known; NEARHIT_NO_ROBOT_BODY twice if all is clear.
     */
    struct nearhit_body_pair bodies;
    /**
     * Configurations looked at.
     */
    uint64_t configurations;
    /**
     * Pairs asked for their distance.
     */
    uint64_t tests;
} nearhit_path_result;

/**
 * One side of a pair that is allowed: a body, one of its parts, or a group.
 */
typedef struct nearhit_who {
    /**
     * Name of a group (UTF-8); NULL: a body is meant.
     */
    const char *group;
    /**
     * The body, if `group` is NULL.
     */
    uint64_t body;
    /**
     * One of its parts, or NEARHIT_ALL_PARTS.
     */
    uint32_t part;
} nearhit_who;

/**
 * More about a body. All zero is the default, and so is NULL.
 */
typedef struct nearhit_body_options {
    /**
     * Name of its group (UTF-8), or NULL. Copied.
     */
    const char *group;
    /**
     * A nearhit_matter.
     */
    int32_t matter;
    /**
     * Not zero: part of the environment, and not asked about against others such.
     */
    int32_t is_fixed;
} nearhit_body_options;

/**
 * A part of a body of several.
 */
typedef struct nearhit_part {
    /**
     * Its name (UTF-8), unique in the body. Copied.
     */
    const char *name;
    /**
     * The mesh it is of, which the scene keeps; NULL if it has a shape.
     */
    const struct nearhit_model *model;
    /**
     * The number of its parent, a part that comes before it, or -1. A part and its parent are
     * never tested against each other.
     */
    int64_t parent;
    /**
     * Where it is, relative to that part, or to the body.
     */
    struct nearhit_pose parent_from_part;
    /**
     * The shape it is of, which the scene keeps; NULL if it has a model.
     */
    const struct nearhit_shape *shape;
} nearhit_part;

/**
 * Two parts in contact.
 */
typedef struct nearhit_touch {
    /**
     * Number of a body.
     */
    uint64_t body_a;
    /**
     * Number of the other.
     */
    uint64_t body_b;
    /**
     * Number of a's part, 0 for a rigid body.
     */
    uint32_t part_a;
    /**
     * Number of b's part.
     */
    uint32_t part_b;
    /**
     * Two triangles that touch, if the surfaces do; otherwise NEARHIT_NO_TRIANGLE twice.
     */
    struct nearhit_triangle_pair triangles;
    /**
     * If the surfaces do not touch: which of the two is inside the other.
     */
    nearhit_side inside;
} nearhit_touch;

/**
 * Two parts and how far apart they are.
 */
typedef struct nearhit_gap {
    /**
     * Number of a body; NEARHIT_NO_BODY where there is no pair.
     */
    uint64_t body_a;
    /**
     * Number of the other.
     */
    uint64_t body_b;
    /**
     * Number of a's part, 0 for a rigid body.
     */
    uint32_t part_a;
    /**
     * Number of b's part.
     */
    uint32_t part_b;
    /**
     * The distance is at least this; below zero, two solids in contact: minus the depth. An
     * interval where a shape is no mesh.
     */
    double lower;
    /**
     * The distance is at most this; equal to `lower` unless it is a depth.
     */
    double upper;
    /**
     * A point of a, in the world.
     */
    double point_a[3];
    /**
     * A point of b, in the world.
     */
    double point_b[3];
    /**
     * The triangles that the points are on.
     */
    struct nearhit_triangle_pair triangles;
} nearhit_gap;

/**
 * One contact of two shapes.
 */
typedef struct nearhit_shape_contact {
    /**
     * In a scene, the number of a's body; otherwise NEARHIT_NO_BODY.
     */
    uint64_t body_a;
    /**
     * In a scene, the number of b's body.
     */
    uint64_t body_b;
    /**
     * In a scene, the number of a's part; otherwise 0.
     */
    uint32_t part_a;
    /**
     * In a scene, the number of b's part.
     */
    uint32_t part_b;
    /**
     * Which triangles of meshes, points of clouds, triangles of height fields, cells of octrees; 0
     * for another shape.
     */
    struct nearhit_triangle_pair pieces;
    /**
     * Half-way between the two points that lie deepest in the other piece, in the world.
     */
    double point[3];
    /**
     * From a to b, of length one, in the world: the shortest way out for b.
     */
    double normal[3];
    /**
     * How far b would have to move along it to touch only: at least this.
     */
    double depth_lower;
    /**
     * At most this.
     */
    double depth_upper;
} nearhit_shape_contact;

/**
 * The answer of nearhit_shape_penetration.
 */
typedef struct nearhit_penetration_result {
    /**
     * No shorter translation takes the shapes apart.
     */
    double lower;
    /**
     * Moving b by this along `normal` leaves them touching at most; zero if they are apart,
     * infinite between half-spaces that cannot be taken apart.
     */
    double upper;
    /**
     * From a to b, of length one, in the world.
     */
    double normal[3];
    /**
     * The point of a that lies deepest in b, along the normal, in the world.
     */
    double point_a[3];
    /**
     * The point of b that lies deepest in a, in the world.
     */
    double point_b[3];
} nearhit_penetration_result;

/**
 * The answer of nearhit_shape_signed_distance.
 */
typedef struct nearhit_shape_point_result {
    /**
     * The signed distance is at least this; below zero inside.
     */
    double lower;
    /**
     * At most this.
     */
    double upper;
    /**
     * The closest point of the surface.
     */
    double point[3];
} nearhit_shape_point_result;

/**
 * The answer of nearhit_shape_first_hit.
 */
typedef struct nearhit_shape_ray_hit {
    /**
     * Does the ray meet the shape, or come too near to tell? "False" is proven; then the distances
     * are infinite.
     */
    bool is_hit;
    /**
     * The ray is free before this length; 0 if it begins inside.
     */
    double lower;
    /**
     * It has met the shape at this length; infinite for a graze that cannot be told from a miss.
     */
    double upper;
    /**
     * The point of the ray at the lower end; that of its origin if it hits nothing.
     */
    double point[3];
    /**
     * Out of the shape, of length one; zero if the ray begins inside, touches a mesh, or hits
     * nothing.
     */
    double normal[3];
    /**
     * The triangle of a mesh; 0 for another shape.
     */
    uint32_t triangle;
} nearhit_shape_ray_hit;

/**
 * The answer of nearhit_solid_collide and nearhit_solid_within.
 */
typedef struct nearhit_solid_collide_result {
    /**
     * Do the solids share a point? Of nearhit_solid_within: are they at most the limit apart?
     */
    nearhit_verdict verdict;
    /**
     * Of nearhit_solid_collide: two triangles that touch, if the surfaces do; otherwise
     * NEARHIT_NO_TRIANGLE twice.
     */
    struct nearhit_triangle_pair triangles;
    /**
     * If the surfaces do not touch: of which body a piece lies inside the other.
     */
    nearhit_side inside;
    /**
     * A vertex of that piece, NEARHIT_NO_TRIANGLE if there is none.
     */
    uint32_t vertex;
    /**
     * False: the limit of the settings came first.
     */
    bool is_complete;
    /**
     * Work done.
     */
    struct nearhit_stats stats;
} nearhit_solid_collide_result;

/**
 * The answer of nearhit_solid_local_depth.
 */
typedef struct nearhit_local_depth_result {
    /**
     * The depth is at least this: how deep `point` is. Not positive if no point of one surface is
     * inside the other solid.
     */
    double depth;
    /**
     * The depth is at most this.
     */
    double at_most;
    /**
     * Whose surface the deepest point is on.
     */
    nearhit_side side;
    /**
     * The deepest point found, in the world.
     */
    double point[3];
    /**
     * The point of the other surface nearest to it, in the world.
     */
    double closest[3];
    /**
     * The triangles that the two points are on.
     */
    struct nearhit_triangle_pair triangles;
    /**
     * As exact as asked for? False: the limit came first, or a mesh has holes.
     */
    bool is_complete;
    /**
     * Work done.
     */
    struct nearhit_stats stats;
} nearhit_local_depth_result;

/**
 * The answer of nearhit_solid_translational_depth.
 */
typedef struct nearhit_translational_depth_result {
    /**
     * No shorter translation separates the solids.
     */
    double lower;
    /**
     * The length of `translation`; zero if the solids are not in contact.
     */
    double upper;
    /**
     * Moves b, in the world, so that the solids do not touch.
     */
    double translation[3];
    /**
     * Are both solids convex? Then the two bounds are the same but for rounding.
     */
    bool is_convex;
    /**
     * False: the limit came first.
     */
    bool is_complete;
    /**
     * Work done.
     */
    struct nearhit_stats stats;
} nearhit_translational_depth_result;

/**
 * A ball of a tree, in the model's frame.
 */
typedef struct nearhit_sphere {
    /**
     * Its centre.
     */
    double center[3];
    /**
     * Its radius.
     */
    double radius;
    /**
     * How far it reaches beyond the surface at most.
     */
    double error;
    /**
     * The place of its parent in the level above, -1 for the root.
     */
    int64_t parent;
} nearhit_sphere;

/**
 * The answer of nearhit_refinement_run.
 */
typedef struct nearhit_refine_result {
    /**
     * Do the surfaces share a point? Maybe, as long as balls meet and not all is done.
     */
    nearhit_verdict verdict;
    /**
     * The deepest level whose balls have all been looked at.
     */
    uint32_t level;
    /**
     * The distance of the surfaces is at least this.
     */
    double lower;
    /**
     * The distance of the surfaces is at most this.
     */
    double upper;
    /**
     * Two triangles that touch, if the verdict is yes; otherwise NEARHIT_NO_TRIANGLE twice.
     */
    struct nearhit_triangle_pair triangles;
    /**
     * Is there nothing left to do?
     */
    bool is_complete;
    /**
     * Work done on this pair so far.
     */
    struct nearhit_stats stats;
} nearhit_refine_result;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * nearhit_collide for many poses, on all cores. `results` has room for `result_count` answers,
 * which must be the number of queries. The error's index says which query was refused; then no
 * answer is written. The settings' scratch is not used. Settings may be NULL.
 */
nearhit_status nearhit_collide_batch(const struct nearhit_model *a,
                                     const struct nearhit_model *b,
                                     const struct nearhit_batch *batch,
                                     const struct nearhit_settings *settings,
                                     struct nearhit_collide_result *results,
                                     size_t result_count,
                                     struct nearhit_error *error);

/**
 * nearhit_distance for many poses, on all cores; see nearhit_collide_batch.
 */
nearhit_status nearhit_distance_batch(const struct nearhit_model *a,
                                      const struct nearhit_model *b,
                                      const struct nearhit_batch *batch,
                                      const struct nearhit_settings *settings,
                                      struct nearhit_distance_result *results,
                                      size_t result_count,
                                      struct nearhit_error *error);

/**
 * nearhit_within for many poses, on all cores; see nearhit_collide_batch.
 */
nearhit_status nearhit_within_batch(const struct nearhit_model *a,
                                    const struct nearhit_model *b,
                                    const struct nearhit_batch *batch,
                                    double limit,
                                    const struct nearhit_settings *settings,
                                    struct nearhit_within_result *results,
                                    size_t result_count,
                                    struct nearhit_error *error);

/**
 * An assembly without parts. It is the caller's, to be freed with nearhit_assembly_free.
 */
nearhit_status nearhit_assembly_new(struct nearhit_assembly **out, struct nearhit_error *error);

/**
 * Frees an assembly; NULL is allowed. No other call may be using it.
 */
void nearhit_assembly_free(struct nearhit_assembly *assembly);

/**
 * Adds a part. `name` (UTF-8) is copied; the assembly keeps the model, which several parts may
 * share. Its number, from 0, goes to `part`, which may be NULL. The pose may be NULL.
 */
nearhit_status nearhit_assembly_add(struct nearhit_assembly *assembly,
                                    const char *name,
                                    const struct nearhit_model *model,
                                    const struct nearhit_pose *world_from_part,
                                    size_t *part,
                                    struct nearhit_error *error);

/**
 * The number of parts; 0 for NULL.
 */
size_t nearhit_assembly_count(struct nearhit_assembly *assembly);

/**
 * An empty list. It is the caller's, to be freed with nearhit_clash_list_free.
 */
nearhit_status nearhit_clash_list_new(struct nearhit_clash_list **out, struct nearhit_error *error);

/**
 * Frees a list; NULL is allowed.
 */
void nearhit_clash_list_free(struct nearhit_clash_list *list);

/**
 * The clashes; their number goes to `count`, which may be NULL. They are the list's and live until
 * it is filled again or freed. NULL for NULL.
 */
const struct nearhit_clash *nearhit_clash_list_clashes(const struct nearhit_clash_list *list,
                                                       size_t *count);

/**
 * All pairs of parts that clash, worst first, sought on all cores. What was in `list` before is
 * gone; after an error it is empty. Options may be NULL.
 */
nearhit_status nearhit_assembly_clashes(struct nearhit_assembly *assembly,
                                        const struct nearhit_clash_options *options,
                                        struct nearhit_clash_list *list,
                                        struct nearhit_error *error);

/**
 * An empty list. It is the caller's, to be freed with nearhit_contact_list_free.
 */
nearhit_status nearhit_contact_list_new(struct nearhit_contact_list **out,
                                        struct nearhit_error *error);

/**
 * Frees a list; NULL is allowed.
 */
void nearhit_contact_list_free(struct nearhit_contact_list *list);

/**
 * All pairs of triangles that share a point, ordered by a's index, then b's. What was in `list`
 * before is gone; after an error it is empty. Poses and settings may be NULL.
 */
nearhit_status nearhit_contacts(const struct nearhit_model *a,
                                const struct nearhit_pose *world_from_a,
                                const struct nearhit_model *b,
                                const struct nearhit_pose *world_from_b,
                                const struct nearhit_settings *settings,
                                struct nearhit_contact_list *list,
                                struct nearhit_error *error);

/**
 * nearhit_contacts, and for each pair the points that its triangles share
 * (nearhit_contact_list_points).
 */
nearhit_status nearhit_contacts_with_points(const struct nearhit_model *a,
                                            const struct nearhit_pose *world_from_a,
                                            const struct nearhit_model *b,
                                            const struct nearhit_pose *world_from_b,
                                            const struct nearhit_settings *settings,
                                            struct nearhit_contact_list *list,
                                            struct nearhit_error *error);

/**
 * The pairs; their number goes to `count`, which may be NULL. They are the list's and live until
 * it is filled again or freed. NULL for NULL.
 */
const struct nearhit_triangle_pair *nearhit_contact_list_pairs(const struct nearhit_contact_list *list,
                                                               size_t *count);

/**
 * The corners of what pair `index` shares, three numbers each, in the world; their number goes to
 * `count`, which may be NULL: 1 a point, 2 a segment, 3 to 6 a convex polygon. They are the list's
 * and live until it is filled again or freed. NULL, and a count of 0, if there is no such pair or
 * if the list was filled without points.
 */
const double *nearhit_contact_list_points(const struct nearhit_contact_list *list,
                                          size_t index,
                                          size_t *count);

/**
 * Was everything looked at? False: the limit came first, and there may be more contacts. False for
 * NULL, and for a list that was not filled.
 */
bool nearhit_contact_list_is_complete(const struct nearhit_contact_list *list);

/**
 * Work done; zeros for NULL.
 */
struct nearhit_stats nearhit_contact_list_stats(const struct nearhit_contact_list *list);

/**
 * A mesh of arrays: three coordinates for each of `vertex_count` vertices, and three indices of
 * vertices, from 0, for each of `triangle_count` triangles. The arrays are copied. Degenerate and
 * duplicate triangles are allowed. The mesh is the caller's, to be freed with nearhit_mesh_free.
 */
nearhit_status nearhit_mesh_new(const double *vertices,
                                size_t vertex_count,
                                const uint32_t *triangles,
                                size_t triangle_count,
                                struct nearhit_mesh **out,
                                struct nearhit_error *error);

/**
 * Reads a mesh from an OBJ, STL, PLY, OFF, glTF, GLB, COLLADA or 3MF file, told apart by its
 * extension. `path` is UTF-8. Errors name file, line and value. The mesh is the caller's, to be
 * freed with nearhit_mesh_free.
 */
nearhit_status nearhit_mesh_read(const char *path,
                                 struct nearhit_mesh **out,
                                 struct nearhit_error *error);

/**
 * Frees a mesh; NULL is allowed. Models made from it are not touched.
 */
void nearhit_mesh_free(struct nearhit_mesh *mesh);

/**
 * Its vertices, three coordinates each; their number goes to `count`, which may be NULL. The
 * numbers are the mesh's and live as long as it does. NULL for NULL.
 */
const double *nearhit_mesh_vertices(const struct nearhit_mesh *mesh, size_t *count);

/**
 * Its triangles, three indices each; their number goes to `count`, which may be NULL. The numbers
 * are the mesh's and live as long as it does. NULL for NULL.
 */
const uint32_t *nearhit_mesh_triangles(const struct nearhit_mesh *mesh, size_t *count);

/**
 * A model of a mesh, which is copied; `preset` is a nearhit_preset, usually 0. The model is the
 * caller's, to be freed with nearhit_model_free.
 */
nearhit_status nearhit_model_new(const struct nearhit_mesh *mesh,
                                 int32_t preset,
                                 struct nearhit_model **out,
                                 struct nearhit_error *error);

/**
 * nearhit_mesh_new and nearhit_model_new in one call, without a copy of the mesh. The model is the
 * caller's, to be freed with nearhit_model_free.
 */
nearhit_status nearhit_model_from_arrays(const double *vertices,
                                         size_t vertex_count,
                                         const uint32_t *triangles,
                                         size_t triangle_count,
                                         int32_t preset,
                                         struct nearhit_model **out,
                                         struct nearhit_error *error);

/**
 * nearhit_mesh_read and nearhit_model_new in one call. The model is the caller's, to be freed with
 * nearhit_model_free.
 */
nearhit_status nearhit_model_read(const char *path,
                                  int32_t preset,
                                  struct nearhit_model **out,
                                  struct nearhit_error *error);

/**
 * Writes a model, mesh and tree, to a file that nearhit_model_load reads. `path` is UTF-8.
 */
nearhit_status nearhit_model_save(const struct nearhit_model *model,
                                  const char *path,
                                  struct nearhit_error *error);

/**
 * Reads a file that nearhit_model_save, the command or the Python package wrote. It is checked in
 * full: whatever its bytes are, the answer is an error or a model whose answers are right. The
 * model is the caller's, to be freed with nearhit_model_free.
 */
nearhit_status nearhit_model_load(const char *path,
                                  struct nearhit_model **out,
                                  struct nearhit_error *error);

/**
 * Another handle of the same model, which takes no memory to speak of. It is the caller's, to be
 * freed with nearhit_model_free; the model lives as long as any handle, tree or scene that has it.
 */
nearhit_status nearhit_model_clone(const struct nearhit_model *model,
                                   struct nearhit_model **out,
                                   struct nearhit_error *error);

/**
 * Frees a handle; NULL is allowed. Scenes and sphere-trees that have the model keep it.
 */
void nearhit_model_free(struct nearhit_model *model);

/**
 * Its vertices, three coordinates each; their number goes to `count`, which may be NULL. The
 * numbers are the model's and live as long as it does. NULL for NULL.
 */
const double *nearhit_model_vertices(const struct nearhit_model *model, size_t *count);

/**
 * Its triangles, three indices each; their number goes to `count`, which may be NULL. The numbers
 * are the model's and live as long as it does. NULL for NULL.
 */
const uint32_t *nearhit_model_triangles(const struct nearhit_model *model, size_t *count);

/**
 * Memory held, mesh included; 0 for NULL.
 */
size_t nearhit_model_bytes(const struct nearhit_model *model);

/**
 * The first time at which two moving surfaces are within `tolerance` of each other (time of
 * impact). It is proven for every instant that they do not touch before. NULL for a motion rests
 * at the identity; settings may be NULL.
 */
nearhit_status nearhit_first_contact(const struct nearhit_model *a,
                                     const struct nearhit_motion *motion_a,
                                     const struct nearhit_model *b,
                                     const struct nearhit_motion *motion_b,
                                     double tolerance,
                                     const struct nearhit_settings *settings,
                                     struct nearhit_first_contact_result *result,
                                     struct nearhit_error *error);

/**
 * nearhit_first_contact of two solids: one that is inside the other at the start is in contact.
 */
nearhit_status nearhit_solid_first_contact(const struct nearhit_model *a,
                                           const struct nearhit_motion *motion_a,
                                           const struct nearhit_model *b,
                                           const struct nearhit_motion *motion_b,
                                           double tolerance,
                                           const struct nearhit_settings *settings,
                                           struct nearhit_first_contact_result *result,
                                           struct nearhit_error *error);

/**
 * The point of the model's surface nearest to `point` (three numbers, in the model's frame). Of
 * the settings only the scratch matters; they may be NULL.
 */
nearhit_status nearhit_closest_point(const struct nearhit_model *model,
                                     const double *point,
                                     const struct nearhit_settings *settings,
                                     struct nearhit_closest_point_result *result,
                                     struct nearhit_error *error);

/**
 * The distance of `point` from the model's surface, negative inside the solid. Of the settings
 * only the scratch matters; they may be NULL.
 */
nearhit_status nearhit_signed_distance(const struct nearhit_model *model,
                                       const double *point,
                                       const struct nearhit_settings *settings,
                                       struct nearhit_closest_point_result *result,
                                       struct nearhit_error *error);

/**
 * Is `point` inside the solid? Exact for closed meshes. Of the settings only the scratch matters;
 * they may be NULL.
 */
nearhit_status nearhit_contains(const struct nearhit_model *model,
                                const double *point,
                                const struct nearhit_settings *settings,
                                struct nearhit_contains_result *result,
                                struct nearhit_error *error);

/**
 * The first triangle along a ray. Of the settings only the scratch matters; they may be NULL.
 */
nearhit_status nearhit_first_hit(const struct nearhit_model *model,
                                 const struct nearhit_ray *ray,
                                 const struct nearhit_settings *settings,
                                 struct nearhit_ray_hit *result,
                                 struct nearhit_error *error);

/**
 * nearhit_closest_point for `count` points of three numbers, on all cores. `results` has room for
 * `result_count` answers, which must be `count`. The error's index says which point was refused;
 * then no answer is written.
 */
nearhit_status nearhit_closest_point_each(const struct nearhit_model *model,
                                          const double *points,
                                          size_t count,
                                          struct nearhit_closest_point_result *results,
                                          size_t result_count,
                                          struct nearhit_error *error);

/**
 * nearhit_signed_distance for many points, on all cores; see nearhit_closest_point_each.
 */
nearhit_status nearhit_signed_distance_each(const struct nearhit_model *model,
                                            const double *points,
                                            size_t count,
                                            struct nearhit_closest_point_result *results,
                                            size_t result_count,
                                            struct nearhit_error *error);

/**
 * nearhit_contains for many points, on all cores; see nearhit_closest_point_each.
 */
nearhit_status nearhit_contains_each(const struct nearhit_model *model,
                                     const double *points,
                                     size_t count,
                                     struct nearhit_contains_result *results,
                                     size_t result_count,
                                     struct nearhit_error *error);

/**
 * nearhit_first_hit for many rays, on all cores; see nearhit_closest_point_each.
 */
nearhit_status nearhit_first_hit_each(const struct nearhit_model *model,
                                      const struct nearhit_ray *rays,
                                      size_t count,
                                      struct nearhit_ray_hit *results,
                                      size_t result_count,
                                      struct nearhit_error *error);

/**
 * An empty list. It is the caller's, to be freed with nearhit_hit_list_free.
 */
nearhit_status nearhit_hit_list_new(struct nearhit_hit_list **out, struct nearhit_error *error);

/**
 * Frees a list; NULL is allowed.
 */
void nearhit_hit_list_free(struct nearhit_hit_list *list);

/**
 * The hits, from the nearest on; their number goes to `count`, which may be NULL. They are the
 * list's and live until it is filled again or freed. NULL for NULL.
 */
const struct nearhit_ray_hit *nearhit_hit_list_hits(const struct nearhit_hit_list *list,
                                                    size_t *count);

/**
 * Every triangle that a ray meets, from the nearest on. What was in `list` before is gone; after
 * an error it is empty. Of the settings only the scratch matters; they may be NULL.
 */
nearhit_status nearhit_all_hits(const struct nearhit_model *model,
                                const struct nearhit_ray *ray,
                                const struct nearhit_settings *settings,
                                struct nearhit_hit_list *list,
                                struct nearhit_error *error);

/**
 * The identity.
 */
struct nearhit_pose nearhit_pose_identity(void);

/**
 * From a homogeneous 4x4 matrix of 16 numbers, row by row; the last row must be 0 0 0 1. The pose
 * is checked, and its rotation made exact.
 */
nearhit_status nearhit_pose_from_matrix(const double *rows,
                                        struct nearhit_pose *out,
                                        struct nearhit_error *error);

/**
 * From a unit quaternion of four numbers, x y z w, and a translation of three. The quaternion's
 * length may be off by 1e-5.
 */
nearhit_status nearhit_pose_from_quaternion(const double *xyzw,
                                            const double *translation,
                                            struct nearhit_pose *out,
                                            struct nearhit_error *error);

/**
 * Where the surfaces of two solids meet, in an order that repeats. A solid wholly inside the other
 * has no regions: ask nearhit_solid_collide. The list is the caller's, to be freed with
 * nearhit_region_list_free. Poses and settings may be NULL.
 */
nearhit_status nearhit_contact_regions(const struct nearhit_model *a,
                                       const struct nearhit_pose *world_from_a,
                                       const struct nearhit_model *b,
                                       const struct nearhit_pose *world_from_b,
                                       const struct nearhit_settings *settings,
                                       struct nearhit_region_list **out,
                                       struct nearhit_error *error);

/**
 * Frees a list; NULL is allowed.
 */
void nearhit_region_list_free(struct nearhit_region_list *list);

/**
 * The number of regions; 0 for NULL.
 */
size_t nearhit_region_list_count(const struct nearhit_region_list *list);

/**
 * Was everything looked at? False: the limit came first. False for NULL.
 */
bool nearhit_region_list_is_complete(const struct nearhit_region_list *list);

/**
 * Work done; zeros for NULL.
 */
struct nearhit_stats nearhit_region_list_stats(const struct nearhit_region_list *list);

/**
 * Region `index`, from 0.
 */
nearhit_status nearhit_region_list_get(const struct nearhit_region_list *list,
                                       size_t index,
                                       struct nearhit_region *result,
                                       struct nearhit_error *error);

/**
 * The pairs of triangles of region `index` that meet; their number goes to `count`, which may be
 * NULL. They are the list's and live as long as it does. NULL, and a count of 0, if there is no
 * such region.
 */
const struct nearhit_triangle_pair *nearhit_region_list_pairs(const struct nearhit_region_list *list,
                                                              size_t index,
                                                              size_t *count);

/**
 * The points along curve `curve` of region `index`, three numbers each, in the world; their number
 * goes to `count`, and to `is_closed` whether the curve leads back to its first point, which is
 * not repeated; both may be NULL. The numbers are the list's and live as long as it does. NULL,
 * and a count of 0, if there is no such curve.
 */
const double *nearhit_region_list_curve(const struct nearhit_region_list *list,
                                        size_t index,
                                        size_t curve,
                                        size_t *count,
                                        bool *is_closed);

/**
 * At most `room` points that stand for region `index` (a contact manifold): the deepest, then
 * always the one farthest from those chosen. `points` has room for `room` of them; how many were
 * written goes to `count`.
 */
nearhit_status nearhit_region_list_manifold(const struct nearhit_region_list *list,
                                            size_t index,
                                            struct nearhit_contact_point *points,
                                            size_t room,
                                            size_t *count,
                                            struct nearhit_error *error);

/**
 * Reads a robot from a URDF file and, unless `srdf` is NULL, an SRDF file with pairs of links that
 * may touch. Paths are UTF-8; errors name file, line and element. Options may be NULL. The robot
 * is the caller's, to be freed with nearhit_robot_free.
 */
nearhit_status nearhit_robot_read(const char *urdf,
                                  const char *srdf,
                                  const struct nearhit_robot_options *options,
                                  struct nearhit_robot **out,
                                  struct nearhit_error *error);

/**
 * nearhit_robot_read of the files' contents (UTF-8). Files they name are sought from `folder`
 * (UTF-8) on. `srdf` and options may be NULL. The robot is the caller's, to be freed with
 * nearhit_robot_free.
 */
nearhit_status nearhit_robot_parse(const char *urdf,
                                   const char *srdf,
                                   const char *folder,
                                   const struct nearhit_robot_options *options,
                                   struct nearhit_robot **out,
                                   struct nearhit_error *error);

/**
 * A robot like it, with a world of its own. It is the caller's, to be freed with
 * nearhit_robot_free.
 */
nearhit_status nearhit_robot_clone(struct nearhit_robot *robot,
                                   struct nearhit_robot **out,
                                   struct nearhit_error *error);

/**
 * Frees a robot; NULL is allowed. No other call may be using it.
 */
void nearhit_robot_free(struct nearhit_robot *robot);

/**
 * How many of a nearhit_robot_item it has; 0 for NULL and for an item that is none.
 */
size_t nearhit_robot_count(struct nearhit_robot *robot, int32_t item);

/**
 * The name (UTF-8, with a zero at its end) of number `index` of a nearhit_robot_item, written to
 * `name`, which has room for `room` bytes. Where that is too little, NEARHIT_STATUS_WRONG_SIZE
 * says how many are needed.
 */
nearhit_status nearhit_robot_name(struct nearhit_robot *robot,
                                  int32_t item,
                                  size_t index,
                                  char *name,
                                  size_t room,
                                  struct nearhit_error *error);

/**
 * The number of what has that name (UTF-8) among a nearhit_robot_item.
 */
nearhit_status nearhit_robot_find(struct nearhit_robot *robot,
                                  int32_t item,
                                  const char *name,
                                  size_t *index,
                                  struct nearhit_error *error);

/**
 * The limits of each coordinate, lower and upper: `limits` has room for `count` pairs of numbers,
 * as many as there are coordinates. What turns without limits has minus and plus pi, what slides
 * without limits infinite ones.
 */
nearhit_status nearhit_robot_limits(struct nearhit_robot *robot,
                                    double *limits,
                                    size_t count,
                                    struct nearhit_error *error);

/**
 * A configuration by its name (UTF-8), as the SRDF has it (a group state), or for NULL the neutral
 * one: all zeros, or the limits nearest to them. `q` has room for `count` numbers, as
 * many as there are coordinates.
 */
nearhit_status nearhit_robot_configuration(struct nearhit_robot *robot,
                                           const char *name,
                                           double *q,
                                           size_t count,
                                           struct nearhit_error *error);

/**
 * Puts a body into the world. `name` (UTF-8) is unique, and copied; the robot keeps the shape. The
 * pose may be NULL.
 */
nearhit_status nearhit_robot_add_to_world(struct nearhit_robot *robot,
                                          const char *name,
                                          const struct nearhit_shape *shape,
                                          const struct nearhit_pose *world_from_body,
                                          struct nearhit_error *error);

/**
 * Attaches a body to a link: it moves with it, and is checked as if it were the link's. Otherwise
 * as nearhit_robot_add_to_world.
 */
nearhit_status nearhit_robot_attach(struct nearhit_robot *robot,
                                    const char *link,
                                    const char *name,
                                    const struct nearhit_shape *shape,
                                    const struct nearhit_pose *link_from_body,
                                    struct nearhit_error *error);

/**
 * Takes away a body that was added or attached.
 */
nearhit_status nearhit_robot_remove(struct nearhit_robot *robot,
                                    const char *name,
                                    struct nearhit_error *error);

/**
 * Grows all bodies of a link by a margin (padding), beside what they are grown by already.
 */
nearhit_status nearhit_robot_pad(struct nearhit_robot *robot,
                                 const char *link,
                                 double margin,
                                 struct nearhit_error *error);

/**
 * Two links may touch from now on (`is_allowed` not zero), or are checked from now on (zero): the
 * allowed-collision matrix.
 */
nearhit_status nearhit_robot_allow(struct nearhit_robot *robot,
                                   const char *a,
                                   const char *b,
                                   int32_t is_allowed,
                                   struct nearhit_error *error);

/**
 * Working memory for one thread. It is the caller's, to be freed with nearhit_robot_scratch_free.
 */
nearhit_status nearhit_robot_scratch_new(struct nearhit_robot_scratch **out,
                                         struct nearhit_error *error);

/**
 * Frees working memory; NULL is allowed. No question may be using it.
 */
void nearhit_robot_scratch_free(struct nearhit_robot_scratch *scratch);

/**
 * An empty list. It is the caller's, to be freed with nearhit_body_pair_list_free.
 */
nearhit_status nearhit_body_pair_list_new(struct nearhit_body_pair_list **out,
                                          struct nearhit_error *error);

/**
 * Frees a list; NULL is allowed.
 */
void nearhit_body_pair_list_free(struct nearhit_body_pair_list *list);

/**
 * The pairs; their number goes to `count`, which may be NULL. They are the list's and live until
 * it is filled again or freed. NULL for NULL.
 */
const struct nearhit_body_pair *nearhit_body_pair_list_pairs(const struct nearhit_body_pair_list *list,
                                                             size_t *count);

/**
 * Where every link is in the world at the configuration `q` of `count` numbers (forward
 * kinematics): `poses` has room for `pose_count` of them, as many as there are links.
 */
nearhit_status nearhit_robot_link_poses(struct nearhit_robot *robot,
                                        const double *q,
                                        size_t count,
                                        struct nearhit_pose *poses,
                                        size_t pose_count,
                                        struct nearhit_error *error);

/**
 * Do any two bodies touch at the configuration `q` of `count` numbers? `scratch` may be NULL.
 */
nearhit_status nearhit_robot_collides(struct nearhit_robot *robot,
                                      const double *q,
                                      size_t count,
                                      struct nearhit_robot_scratch *scratch,
                                      bool *result,
                                      struct nearhit_error *error);

/**
 * nearhit_robot_collides of `count` configurations, one after the other in `q`, each of as many
 * numbers as there are coordinates, on all cores. `results` has room for `count` answers.
 */
nearhit_status nearhit_robot_collides_each(struct nearhit_robot *robot,
                                           const double *q,
                                           size_t count,
                                           bool *results,
                                           struct nearhit_error *error);

/**
 * All pairs of bodies that touch at `q`, or that are at most `limit` apart if `limit` is above 0.
 * What was in `list` before is gone; after an error it is empty. `scratch` may be NULL.
 */
nearhit_status nearhit_robot_pairs(struct nearhit_robot *robot,
                                   const double *q,
                                   size_t count,
                                   double limit,
                                   struct nearhit_robot_scratch *scratch,
                                   struct nearhit_body_pair_list *list,
                                   struct nearhit_error *error);

/**
 * The closest two bodies at the configuration `q` of `count` numbers, and how far apart they are.
 * `scratch` may be NULL.
 */
nearhit_status nearhit_robot_distance(struct nearhit_robot *robot,
                                      const double *q,
                                      size_t count,
                                      struct nearhit_robot_scratch *scratch,
                                      struct nearhit_robot_distance_result *result,
                                      struct nearhit_error *error);

/**
 * nearhit_robot_distance, and how it changes with the configuration: `gradient` has room for
 * `gradient_count` numbers, one for each coordinate (six for a floating joint: three of
 * translation, three of rotation). Zeros where the pair touches (`upper` is 0): the distance stays
 * 0 there, or is at its least.
 */
nearhit_status nearhit_robot_gradient(struct nearhit_robot *robot,
                                      const double *q,
                                      size_t count,
                                      struct nearhit_robot_scratch *scratch,
                                      struct nearhit_robot_distance_result *result,
                                      double *gradient,
                                      size_t gradient_count,
                                      struct nearhit_error *error);

/**
 * Are all pairs of bodies farther apart than a clearance at every instant of the straight line
 * from the configuration `from` to `to`, each of `count` numbers? Proven for every instant, not
 * for samples. Options and `scratch` may be NULL.
 */
nearhit_status nearhit_robot_path_clear(struct nearhit_robot *robot,
                                        const double *from,
                                        const double *to,
                                        size_t count,
                                        const struct nearhit_path_options *options,
                                        struct nearhit_robot_scratch *scratch,
                                        struct nearhit_path_result *result,
                                        struct nearhit_error *error);

/**
 * An empty scene: `broad_phase` is a nearhit_broad_phase, usually 0; its bodies are surfaces, or
 * solids if `is_solid` is not zero. The scene is the caller's, to be freed with
 * nearhit_scene_free.
 */
nearhit_status nearhit_scene_new(int32_t broad_phase,
                                 int32_t is_solid,
                                 struct nearhit_scene **out,
                                 struct nearhit_error *error);

/**
 * Frees a scene; NULL is allowed. No other call may be using it.
 */
void nearhit_scene_free(struct nearhit_scene *scene);

/**
 * Takes a body out.
 */
nearhit_status nearhit_scene_remove(struct nearhit_scene *scene,
                                    uint64_t body,
                                    struct nearhit_error *error);

/**
 * Moves a body. The pose may be NULL.
 */
nearhit_status nearhit_scene_move(struct nearhit_scene *scene,
                                  uint64_t body,
                                  const struct nearhit_pose *world_from_body,
                                  struct nearhit_error *error);

/**
 * Moves a part of a body relative to its parent, or to the body. The pose may be NULL.
 */
nearhit_status nearhit_scene_move_part(struct nearhit_scene *scene,
                                       uint64_t body,
                                       uint32_t part,
                                       const struct nearhit_pose *parent_from_part,
                                       struct nearhit_error *error);

/**
 * Where a part of a body is in the world: part 0 of a rigid body is the body.
 */
nearhit_status nearhit_scene_pose(struct nearhit_scene *scene,
                                  uint64_t body,
                                  uint32_t part,
                                  struct nearhit_pose *out,
                                  struct nearhit_error *error);

/**
 * The number of bodies; 0 for NULL.
 */
size_t nearhit_scene_count(struct nearhit_scene *scene);

/**
 * The number of the body with that name (UTF-8).
 */
nearhit_status nearhit_scene_find(struct nearhit_scene *scene,
                                  const char *name,
                                  uint64_t *body,
                                  struct nearhit_error *error);

/**
 * Pairs of these two are not asked about from now on (the allowed-collision matrix).
 */
nearhit_status nearhit_scene_allow(struct nearhit_scene *scene,
                                   const struct nearhit_who *a,
                                   const struct nearhit_who *b,
                                   struct nearhit_error *error);

/**
 * Takes back what nearhit_scene_allow was told in the same words.
 */
nearhit_status nearhit_scene_forbid(struct nearhit_scene *scene,
                                    const struct nearhit_who *a,
                                    const struct nearhit_who *b,
                                    struct nearhit_error *error);

/**
 * Puts a body in. `name` (UTF-8) is unique in the scene, and copied. The scene keeps the model;
 * the caller's handle stays the caller's. The body's number, never used again, goes to `body`,
 * which may be NULL. Pose and options may be NULL.
 */
nearhit_status nearhit_scene_add(struct nearhit_scene *scene,
                                 const char *name,
                                 const struct nearhit_model *model,
                                 const struct nearhit_pose *world_from_body,
                                 const struct nearhit_body_options *options,
                                 uint64_t *body,
                                 struct nearhit_error *error);

/**
 * nearhit_scene_add of any shape. A mesh is the surface or the solid that its shape says, unless
 * the options or the scene say otherwise; other shapes are solids.
 */
nearhit_status nearhit_scene_add_shape(struct nearhit_scene *scene,
                                       const char *name,
                                       const struct nearhit_shape *shape,
                                       const struct nearhit_pose *world_from_body,
                                       const struct nearhit_body_options *options,
                                       uint64_t *body,
                                       struct nearhit_error *error);

/**
 * Puts a body of `part_count` parts in, such as a robot of links. Otherwise as nearhit_scene_add.
 */
nearhit_status nearhit_scene_add_parts(struct nearhit_scene *scene,
                                       const char *name,
                                       const struct nearhit_part *parts,
                                       size_t part_count,
                                       const struct nearhit_pose *world_from_body,
                                       const struct nearhit_body_options *options,
                                       uint64_t *body,
                                       struct nearhit_error *error);

/**
 * An empty list. It is the caller's, to be freed with nearhit_touch_list_free.
 */
nearhit_status nearhit_touch_list_new(struct nearhit_touch_list **out, struct nearhit_error *error);

/**
 * Frees a list; NULL is allowed.
 */
void nearhit_touch_list_free(struct nearhit_touch_list *list);

/**
 * The contacts; their number goes to `count`, which may be NULL. They are the list's and live
 * until it is filled again or freed. NULL for NULL.
 */
const struct nearhit_touch *nearhit_touch_list_touches(const struct nearhit_touch_list *list,
                                                       size_t *count);

/**
 * An empty list. It is the caller's, to be freed with nearhit_gap_list_free.
 */
nearhit_status nearhit_gap_list_new(struct nearhit_gap_list **out, struct nearhit_error *error);

/**
 * Frees a list; NULL is allowed.
 */
void nearhit_gap_list_free(struct nearhit_gap_list *list);

/**
 * The distances; their number goes to `count`, which may be NULL. They are the list's and live
 * until it is filled again or freed. NULL for NULL.
 */
const struct nearhit_gap *nearhit_gap_list_gaps(const struct nearhit_gap_list *list, size_t *count);

/**
 * Is any pair of bodies in contact? Stops at the first.
 */
nearhit_status nearhit_scene_collides(struct nearhit_scene *scene,
                                      bool *result,
                                      struct nearhit_error *error);

/**
 * All pairs of parts in contact: those that touch and, of solids, those of which one is inside the
 * other. In the order of the bodies. What was in `list` before is gone; after an error it is
 * empty.
 */
nearhit_status nearhit_scene_pairs(struct nearhit_scene *scene,
                                   struct nearhit_touch_list *list,
                                   struct nearhit_error *error);

/**
 * All pairs of parts at most `limit` apart, with their distances; those in contact, too. `limit`
 * is finite and at least 0. What was in `list` before is gone; after an error it is empty.
 */
nearhit_status nearhit_scene_within(struct nearhit_scene *scene,
                                    double limit,
                                    struct nearhit_gap_list *list,
                                    struct nearhit_error *error);

/**
 * The `count` pairs of parts that are closest, from the closest on. What was in `list` before is
 * gone; after an error it is empty.
 */
nearhit_status nearhit_scene_nearest(struct nearhit_scene *scene,
                                     size_t count,
                                     struct nearhit_gap_list *list,
                                     struct nearhit_error *error);

/**
 * The closest pair of parts. Where there is no pair to ask about, its bodies are NEARHIT_NO_BODY
 * and its distance infinite.
 */
nearhit_status nearhit_scene_closest(struct nearhit_scene *scene,
                                     struct nearhit_gap *result,
                                     struct nearhit_error *error);

/**
 * Working memory for queries of one thread. It is the caller's, to be freed with
 * nearhit_scratch_free.
 */
nearhit_status nearhit_scratch_new(struct nearhit_scratch **out, struct nearhit_error *error);

/**
 * Frees working memory; NULL is allowed. No query may be using it.
 */
void nearhit_scratch_free(struct nearhit_scratch *scratch);

/**
 * A ball. The shape is the caller's, to be freed with nearhit_shape_free.
 */
nearhit_status nearhit_shape_ball(double radius,
                                  struct nearhit_shape **out,
                                  struct nearhit_error *error);

/**
 * All points within `radius` of a segment of this length along z. The shape is the caller's, to be
 * freed with nearhit_shape_free.
 */
nearhit_status nearhit_shape_capsule(double radius,
                                     double length,
                                     struct nearhit_shape **out,
                                     struct nearhit_error *error);

/**
 * A box by its whole sizes. The shape is the caller's, to be freed with nearhit_shape_free.
 */
nearhit_status nearhit_shape_box(double x,
                                 double y,
                                 double z,
                                 struct nearhit_shape **out,
                                 struct nearhit_error *error);

/**
 * A cylinder about z. The shape is the caller's, to be freed with nearhit_shape_free.
 */
nearhit_status nearhit_shape_cylinder(double radius,
                                      double length,
                                      struct nearhit_shape **out,
                                      struct nearhit_error *error);

/**
 * A truncated cone about z: radii of the bottom at -length / 2 and of the top at +length / 2. A
 * top of 0 is a cone. The shape is the caller's, to be freed with nearhit_shape_free.
 */
nearhit_status nearhit_shape_cone(double bottom,
                                  double top,
                                  double length,
                                  struct nearhit_shape **out,
                                  struct nearhit_error *error);

/**
 * An ellipsoid along the axes, by its radii. The shape is the caller's, to be freed with
 * nearhit_shape_free.
 */
nearhit_status nearhit_shape_ellipsoid(double x,
                                       double y,
                                       double z,
                                       struct nearhit_shape **out,
                                       struct nearhit_error *error);

/**
 * The convex hull of `count` points of three numbers, which are copied. They may coincide or lie
 * in a plane. The shape is the caller's, to be freed with nearhit_shape_free.
 */
nearhit_status nearhit_shape_hull(const double *points,
                                  size_t count,
                                  struct nearhit_shape **out,
                                  struct nearhit_error *error);

/**
 * Everything with normal · x <= offset. `normal` has three numbers, and need not have length one.
 * The shape is the caller's, to be freed with nearhit_shape_free.
 */
nearhit_status nearhit_shape_half_space(const double *normal,
                                        double offset,
                                        struct nearhit_shape **out,
                                        struct nearhit_error *error);

/**
 * A point cloud: a ball about each of `count` points of three numbers, with one radius for all of
 * them (`radius_count` is 1) or one for each. Both are copied. The shape is the caller's, to be
 * freed with nearhit_shape_free.
 */
nearhit_status nearhit_shape_point_cloud(const double *points,
                                         size_t count,
                                         const double *radii,
                                         size_t radius_count,
                                         struct nearhit_shape **out,
                                         struct nearhit_error *error);

/**
 * A height field as a surface: `rows` rows of `columns` heights along z, which are copied. Column
 * j lies at x = j * spacing_x, row i at y = i * spacing_y. If `floor` is not NULL it is a solid:
 * everything between the surface and that height. The shape is the caller's, to be freed with
 * nearhit_shape_free.
 */
nearhit_status nearhit_shape_height_field(const double *heights,
                                          size_t rows,
                                          size_t columns,
                                          double spacing_x,
                                          double spacing_y,
                                          const double *floor,
                                          struct nearhit_shape **out,
                                          struct nearhit_error *error);

/**
 * An octree, as a solid, of the cells of a grid that hold at least one of `count` points of three
 * numbers. Cell i of an axis goes from i * resolution to (i + 1) * resolution. The shape is the
 * caller's, to be freed with nearhit_shape_free.
 */
nearhit_status nearhit_shape_octree(const double *points,
                                    size_t count,
                                    double resolution,
                                    struct nearhit_shape **out,
                                    struct nearhit_error *error);

/**
 * An octree, as a solid, of `count` boxes of cells: six numbers each, the first cell along x, y
 * and z, then the last. The shape is the caller's, to be freed with nearhit_shape_free.
 */
nearhit_status nearhit_shape_octree_of_cells(const int32_t *boxes,
                                             size_t count,
                                             double resolution,
                                             struct nearhit_shape **out,
                                             struct nearhit_error *error);

/**
 * A mesh: a surface, or a solid if `is_solid` is not zero. The shape shares the model; the
 * caller's handle stays the caller's. The shape is the caller's, to be freed with
 * nearhit_shape_free.
 */
nearhit_status nearhit_shape_mesh(const struct nearhit_model *model,
                                  int32_t is_solid,
                                  struct nearhit_shape **out,
                                  struct nearhit_error *error);

/**
 * A shape of a text (UTF-8) such as "ball:0.5", "capsule:0.1,1", "box:1,2,3+0.1" or
 * "half-space:0,0,1,0"; the error of one that is none has all forms. The shape is the caller's, to
 * be freed with nearhit_shape_free.
 */
nearhit_status nearhit_shape_parse(const char *written,
                                   struct nearhit_shape **out,
                                   struct nearhit_error *error);

/**
 * Another handle of the same shape. It is the caller's, to be freed with nearhit_shape_free.
 */
nearhit_status nearhit_shape_clone(const struct nearhit_shape *shape,
                                   struct nearhit_shape **out,
                                   struct nearhit_error *error);

/**
 * The shape grown by a margin all around (padding, rounded edges), as a new one. It is the
 * caller's, to be freed with nearhit_shape_free; the one given stays as it is.
 */
nearhit_status nearhit_shape_grown(const struct nearhit_shape *shape,
                                   double margin,
                                   struct nearhit_shape **out,
                                   struct nearhit_error *error);

/**
 * What a convex shape covers while it is moved by three numbers along a straight line, as a new
 * shape. It is the caller's, to be freed with nearhit_shape_free; the one given stays as it is.
 */
nearhit_status nearhit_shape_swept(const struct nearhit_shape *shape,
                                   const double *by,
                                   struct nearhit_shape **out,
                                   struct nearhit_error *error);

/**
 * Frees a shape; NULL is allowed. Scenes and robots that have it keep it.
 */
void nearhit_shape_free(struct nearhit_shape *shape);

/**
 * Kind of shape: "ball", "capsule", "box", "cylinder", "cone", "ellipsoid", "hull", "sweep",
 * "half-space", "mesh", "point cloud", "height field" or "octree". The text is the library's and
 * lives as long as it is loaded. NULL for NULL.
 */
const char *nearhit_shape_name(const struct nearhit_shape *shape);

/**
 * What it is grown by: the radius of a ball or capsule. 0 for NULL.
 */
double nearhit_shape_margin(const struct nearhit_shape *shape);

/**
 * A box around the shape in its own frame: its lowest corner goes to `low`, its highest to `high`,
 * three numbers each. A half-space has none: NEARHIT_STATUS_SHAPE.
 */
nearhit_status nearhit_shape_bounds(const struct nearhit_shape *shape,
                                    double (*low)[3],
                                    double (*high)[3],
                                    struct nearhit_error *error);

/**
 * An empty list. It is the caller's, to be freed with nearhit_shape_contact_list_free.
 */
nearhit_status nearhit_shape_contact_list_new(struct nearhit_shape_contact_list **out,
                                              struct nearhit_error *error);

/**
 * Frees a list; NULL is allowed.
 */
void nearhit_shape_contact_list_free(struct nearhit_shape_contact_list *list);

/**
 * The contacts; their number goes to `count`, which may be NULL. They are the list's and live
 * until it is filled again or freed. NULL for NULL.
 */
const struct nearhit_shape_contact *nearhit_shape_contact_list_contacts(const struct nearhit_shape_contact_list *list,
                                                                        size_t *count);

/**
 * Was everything looked at? False: the limit came first, and there may be more contacts. False for
 * NULL, and for a list that was not filled.
 */
bool nearhit_shape_contact_list_is_complete(const struct nearhit_shape_contact_list *list);

/**
 * Work done; zeros for NULL.
 */
struct nearhit_stats nearhit_shape_contact_list_stats(const struct nearhit_shape_contact_list *list);

/**
 * Where do the two shapes touch, and how deep? One contact for two convex shapes, one for each
 * pair of pieces that touch where a shape is a mesh, point cloud, height field or octree. A shape
 * wholly inside of a solid mesh touches no triangle: it has no contacts, though it collides. What
 * was in `list` before is gone; after an error it is empty. Poses and settings may be NULL.
 */
nearhit_status nearhit_shape_contacts(const struct nearhit_shape *a,
                                      const struct nearhit_pose *world_from_a,
                                      const struct nearhit_shape *b,
                                      const struct nearhit_pose *world_from_b,
                                      const struct nearhit_settings *settings,
                                      struct nearhit_shape_contact_list *list,
                                      struct nearhit_error *error);

/**
 * All contacts of all bodies of a scene, with points, normals and depths: those of
 * nearhit_shape_contacts for each pair of nearhit_scene_pairs, in that order. A pair of which one
 * is inside the other, its surface untouched, has none. What was in `list` before is gone; after
 * an error it is empty.
 */
nearhit_status nearhit_scene_contacts(struct nearhit_scene *scene,
                                      struct nearhit_shape_contact_list *list,
                                      struct nearhit_error *error);

/**
 * Do the two shapes share a point? Touching counts. Shapes are solids but for meshes that are
 * surfaces. Exact where all is flat, or flat and grown; of cylinders, cones and ellipsoids "no" is
 * proven. The answer's triangles are those of meshes, pieces of point clouds, height fields and
 * octrees, 0 otherwise. Poses and settings may be NULL.
 */
nearhit_status nearhit_shape_collide(const struct nearhit_shape *a,
                                     const struct nearhit_pose *world_from_a,
                                     const struct nearhit_shape *b,
                                     const struct nearhit_pose *world_from_b,
                                     const struct nearhit_settings *settings,
                                     struct nearhit_collide_result *result,
                                     struct nearhit_error *error);

/**
 * Are the two shapes at most `limit` apart? A negative limit is never met; NaN is an error. Poses
 * and settings may be NULL.
 */
nearhit_status nearhit_shape_within(const struct nearhit_shape *a,
                                    const struct nearhit_pose *world_from_a,
                                    const struct nearhit_shape *b,
                                    const struct nearhit_pose *world_from_b,
                                    double limit,
                                    const struct nearhit_settings *settings,
                                    struct nearhit_within_result *result,
                                    struct nearhit_error *error);

/**
 * How far apart are the two shapes, and where are they closest? Zero if they overlap
 * (nearhit_shape_penetration knows how deep). Poses and settings may be NULL.
 */
nearhit_status nearhit_shape_distance(const struct nearhit_shape *a,
                                      const struct nearhit_pose *world_from_a,
                                      const struct nearhit_shape *b,
                                      const struct nearhit_pose *world_from_b,
                                      const struct nearhit_settings *settings,
                                      struct nearhit_distance_result *result,
                                      struct nearhit_error *error);

/**
 * How deep do the two shapes overlap, and which way out is the shortest (penetration depth, EPA)?
 * For convex shapes and half-spaces; a mesh, point cloud, height field or octree is
 * NEARHIT_STATUS_SHAPE: nearhit_shape_contacts has depths for each of their pieces. Poses and
 * settings may be NULL.
 */
nearhit_status nearhit_shape_penetration(const struct nearhit_shape *a,
                                         const struct nearhit_pose *world_from_a,
                                         const struct nearhit_shape *b,
                                         const struct nearhit_pose *world_from_b,
                                         const struct nearhit_settings *settings,
                                         struct nearhit_penetration_result *result,
                                         struct nearhit_error *error);

/**
 * The first time at which two moving shapes are within `tolerance` of each other (time of impact).
 * It is proven for every instant that they do not touch before. NULL for a motion rests at the
 * identity; settings may be NULL.
 */
nearhit_status nearhit_shape_first_contact(const struct nearhit_shape *a,
                                           const struct nearhit_motion *motion_a,
                                           const struct nearhit_shape *b,
                                           const struct nearhit_motion *motion_b,
                                           double tolerance,
                                           const struct nearhit_settings *settings,
                                           struct nearhit_first_contact_result *result,
                                           struct nearhit_error *error);

/**
 * Does a point, three numbers in the shape's frame, belong to the shape? Exact where the shape is
 * flat, or flat and grown; of round shapes "no" is proven. Settings may be NULL.
 */
nearhit_status nearhit_shape_contains(const struct nearhit_shape *shape,
                                      const double *position,
                                      const struct nearhit_settings *settings,
                                      bool *result,
                                      struct nearhit_error *error);

/**
 * How far is a point, three numbers in the shape's frame, from the shape's surface, below zero
 * inside? A mesh that is a surface has no inside. Settings may be NULL.
 */
nearhit_status nearhit_shape_signed_distance(const struct nearhit_shape *shape,
                                             const double *position,
                                             const struct nearhit_settings *settings,
                                             struct nearhit_shape_point_result *result,
                                             struct nearhit_error *error);

/**
 * Where does a ray, in the shape's frame, meet the shape first? Settings may be NULL.
 */
nearhit_status nearhit_shape_first_hit(const struct nearhit_shape *shape,
                                       const struct nearhit_ray *along,
                                       const struct nearhit_settings *settings,
                                       struct nearhit_shape_ray_hit *result,
                                       struct nearhit_error *error);

/**
 * Do the solids a and b share a point, also when one is wholly inside the other? Exact for closed
 * meshes; for meshes with holes, inside is told by winding numbers. Poses and settings may be
 * NULL.
 */
nearhit_status nearhit_solid_collide(const struct nearhit_model *a,
                                     const struct nearhit_pose *world_from_a,
                                     const struct nearhit_model *b,
                                     const struct nearhit_pose *world_from_b,
                                     const struct nearhit_settings *settings,
                                     struct nearhit_solid_collide_result *result,
                                     struct nearhit_error *error);

/**
 * Is the signed distance of the solids at most `limit`? NaN is an error. Poses and settings may be
 * NULL.
 */
nearhit_status nearhit_solid_within(const struct nearhit_model *a,
                                    const struct nearhit_pose *world_from_a,
                                    const struct nearhit_model *b,
                                    const struct nearhit_pose *world_from_b,
                                    double limit,
                                    const struct nearhit_settings *settings,
                                    struct nearhit_solid_collide_result *result,
                                    struct nearhit_error *error);

/**
 * The signed distance of the solids, as an interval: how far apart they are, or, below zero, minus
 * how deep the deepest point of one surface is below the other. Poses and settings may be NULL.
 */
nearhit_status nearhit_solid_distance(const struct nearhit_model *a,
                                      const struct nearhit_pose *world_from_a,
                                      const struct nearhit_model *b,
                                      const struct nearhit_pose *world_from_b,
                                      const struct nearhit_settings *settings,
                                      struct nearhit_distance_result *result,
                                      struct nearhit_error *error);

/**
 * The deepest point of one surface below the other, as an interval. The settings' errors say how
 * narrow it must be. Poses and settings may be NULL.
 */
nearhit_status nearhit_solid_local_depth(const struct nearhit_model *a,
                                         const struct nearhit_pose *world_from_a,
                                         const struct nearhit_model *b,
                                         const struct nearhit_pose *world_from_b,
                                         const struct nearhit_settings *settings,
                                         struct nearhit_local_depth_result *result,
                                         struct nearhit_error *error);

/**
 * The shortest translation of b that separates the two solids (penetration depth, minimum
 * translation vector), as an interval. Poses and settings may be NULL.
 */
nearhit_status nearhit_solid_translational_depth(const struct nearhit_model *a,
                                                 const struct nearhit_pose *world_from_a,
                                                 const struct nearhit_model *b,
                                                 const struct nearhit_pose *world_from_b,
                                                 const struct nearhit_settings *settings,
                                                 struct nearhit_translational_depth_result *result,
                                                 struct nearhit_error *error);

/**
 * Builds the sphere-tree of a model: `depth` levels below the root, at most 6; `method` is a
 * nearhit_sphere_method. The tree is the caller's, to be freed with nearhit_sphere_tree_free; it
 * keeps the model.
 */
nearhit_status nearhit_sphere_tree_new(const struct nearhit_model *model,
                                       uint32_t depth,
                                       int32_t method,
                                       struct nearhit_sphere_tree **out,
                                       struct nearhit_error *error);

/**
 * Frees a tree; NULL is allowed.
 */
void nearhit_sphere_tree_free(struct nearhit_sphere_tree *tree);

/**
 * The number of levels, the root's included; 0 for NULL.
 */
size_t nearhit_sphere_tree_level_count(const struct nearhit_sphere_tree *tree);

/**
 * The balls of a level, from 0 for the root's; their number goes to `count`, which may be NULL.
 * They are the tree's and live as long as it does. NULL, and a count of 0, if there is no such
 * level.
 */
const struct nearhit_sphere *nearhit_sphere_tree_level(const struct nearhit_sphere_tree *tree,
                                                       size_t level,
                                                       size_t *count);

/**
 * A refinement that has not begun. It is the caller's, to be freed with nearhit_refinement_free.
 * One thread at a time: a second gets NEARHIT_STATUS_BUSY.
 */
nearhit_status nearhit_refinement_new(struct nearhit_refinement **out, struct nearhit_error *error);

/**
 * Frees a refinement; NULL is allowed.
 */
void nearhit_refinement_free(struct nearhit_refinement *refinement);

/**
 * Refines until the settings' limit, and says what is certain by then. Called again with the same
 * trees and poses it goes on where it was; with the same trees elsewhere it keeps what is still
 * certain; with other trees it begins anew. The limit is for this call. Poses and settings may be
 * NULL.
 */
nearhit_status nearhit_refinement_run(struct nearhit_refinement *refinement,
                                      const struct nearhit_sphere_tree *a,
                                      const struct nearhit_pose *world_from_a,
                                      const struct nearhit_sphere_tree *b,
                                      const struct nearhit_pose *world_from_b,
                                      const struct nearhit_settings *settings,
                                      struct nearhit_refine_result *result,
                                      struct nearhit_error *error);

/**
 * The name of a status as in this header, such as "NEARHIT_STATUS_MESH"; "unknown status" for a
 * number that is none. The text is the library's and lives as long as it is loaded.
 */
const char *nearhit_status_name(int32_t status);

/**
 * Do the surfaces of a and b share a point? Exact: touching counts. Poses and settings may be NULL
 * (identity, default).
 */
nearhit_status nearhit_collide(const struct nearhit_model *a,
                               const struct nearhit_pose *world_from_a,
                               const struct nearhit_model *b,
                               const struct nearhit_pose *world_from_b,
                               const struct nearhit_settings *settings,
                               struct nearhit_collide_result *result,
                               struct nearhit_error *error);

/**
 * How far apart are the surfaces of a and b, and where are they closest? Exact unless the settings
 * allow an error. Poses and settings may be NULL.
 */
nearhit_status nearhit_distance(const struct nearhit_model *a,
                                const struct nearhit_pose *world_from_a,
                                const struct nearhit_model *b,
                                const struct nearhit_pose *world_from_b,
                                const struct nearhit_settings *settings,
                                struct nearhit_distance_result *result,
                                struct nearhit_error *error);

/**
 * Are the surfaces of a and b at most `limit` apart? The same as distance <= limit, and cheaper. A
 * negative limit is never met; NaN is an error. Poses and settings may be NULL.
 */
nearhit_status nearhit_within(const struct nearhit_model *a,
                              const struct nearhit_pose *world_from_a,
                              const struct nearhit_model *b,
                              const struct nearhit_pose *world_from_b,
                              double limit,
                              const struct nearhit_settings *settings,
                              struct nearhit_within_result *result,
                              struct nearhit_error *error);

/**
 * Along what do two triangles meet? Writes the corners of their intersection, in the world, to
 * `points`, which has room for NEARHIT_MAX_OVERLAP_POINTS points of three numbers; their number
 * goes to `count`: 0 nothing, 1 a point, 2 a segment, 3 to 6 a convex polygon. Poses may be NULL.
 */
nearhit_status nearhit_overlap(const struct nearhit_model *a,
                               const struct nearhit_pose *world_from_a,
                               const struct nearhit_model *b,
                               const struct nearhit_pose *world_from_b,
                               struct nearhit_triangle_pair triangles,
                               double *points,
                               size_t *count,
                               struct nearhit_error *error);

/**
 * The version of the library, such as "0.1.0". The text is the library's and lives as long as it
 * is loaded.
 */
const char *nearhit_version(void);

/**
 * NEARHIT_ABI_VERSION of the library: compare it with that of the header that a program was
 * compiled with.
 */
uint32_t nearhit_abi_version(void);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* NEARHIT_H */
