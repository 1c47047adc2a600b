/* What must be refused: NULL, wrong sizes, numbers that are none, choices that do not exist, files that
 * make no sense. Errors, never crashes; and what is refused changes nothing. */
#include "check.h"

static nearhit_error error;

#define NULL_REFUSED(call) REFUSED(call, NEARHIT_STATUS_NULL_POINTER, "NULL")
#define ARGUMENT_REFUSED(call, words) REFUSED(call, NEARHIT_STATUS_INVALID_ARGUMENT, words)

/* All that is freed may be NULL, and all that is looked at. */
static void null_is_nothing(void) {
    size_t count = 7;
    nearhit_mesh_free(NULL);
    nearhit_model_free(NULL);
    nearhit_scratch_free(NULL);
    nearhit_contact_list_free(NULL);
    nearhit_region_list_free(NULL);
    nearhit_hit_list_free(NULL);
    nearhit_touch_list_free(NULL);
    nearhit_gap_list_free(NULL);
    nearhit_scene_free(NULL);
    nearhit_sphere_tree_free(NULL);
    nearhit_refinement_free(NULL);
    CHECK(nearhit_mesh_vertices(NULL, &count) == NULL && nearhit_mesh_triangles(NULL, NULL) == NULL);
    CHECK(nearhit_model_vertices(NULL, &count) == NULL && nearhit_model_triangles(NULL, NULL) == NULL);
    CHECK(nearhit_model_bytes(NULL) == 0);
    CHECK(nearhit_contact_list_pairs(NULL, NULL) == NULL && nearhit_contact_list_points(NULL, 0, NULL) == NULL);
    CHECK(!nearhit_contact_list_is_complete(NULL) && nearhit_contact_list_stats(NULL).updates == 0);
    CHECK(nearhit_region_list_count(NULL) == 0 && !nearhit_region_list_is_complete(NULL));
    CHECK(nearhit_region_list_stats(NULL).updates == 0);
    CHECK(nearhit_region_list_pairs(NULL, 0, NULL) == NULL && nearhit_region_list_curve(NULL, 0, 0, NULL, NULL) == NULL);
    CHECK(nearhit_hit_list_hits(NULL, NULL) == NULL && nearhit_touch_list_touches(NULL, NULL) == NULL);
    CHECK(nearhit_gap_list_gaps(NULL, NULL) == NULL);
    CHECK(nearhit_sphere_tree_level_count(NULL) == 0 && nearhit_sphere_tree_level(NULL, 0, NULL) == NULL);
    CHECK(nearhit_scene_count(NULL) == 0);
}

/* Every function with NULL for what it needs, one at a time. */
static void null_is_refused(nearhit_model *model) {
    const double corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const uint32_t face[3] = {0, 1, 2};
    nearhit_mesh *mesh = (nearhit_mesh *)corners;
    nearhit_model *out = NULL;
    nearhit_pose pose;
    NULL_REFUSED(nearhit_mesh_new(NULL, 3, face, 1, &mesh, &error));
    CHECK(mesh == NULL); /* what is not made is NULL */
    NULL_REFUSED(nearhit_mesh_new(corners, 3, NULL, 1, &mesh, &error));
    NULL_REFUSED(nearhit_mesh_new(corners, 3, face, 1, NULL, &error));
    NULL_REFUSED(nearhit_mesh_read(NULL, &mesh, &error));
    NULL_REFUSED(nearhit_mesh_read("a.obj", NULL, &error));
    NULL_REFUSED(nearhit_model_new(NULL, 0, &out, &error));
    NULL_REFUSED(nearhit_model_from_arrays(NULL, 3, face, 1, 0, &out, &error));
    NULL_REFUSED(nearhit_model_from_arrays(corners, 3, face, 1, 0, NULL, &error));
    NULL_REFUSED(nearhit_model_read(NULL, 0, &out, &error));
    NULL_REFUSED(nearhit_model_save(NULL, "a.nhm", &error));
    NULL_REFUSED(nearhit_model_save(model, NULL, &error));
    NULL_REFUSED(nearhit_model_load(NULL, &out, &error));
    NULL_REFUSED(nearhit_model_clone(NULL, &out, &error));
    NULL_REFUSED(nearhit_model_clone(model, NULL, &error));
    NULL_REFUSED(nearhit_pose_from_matrix(NULL, &pose, &error));
    NULL_REFUSED(nearhit_pose_from_matrix(corners, NULL, &error));
    NULL_REFUSED(nearhit_pose_from_quaternion(NULL, corners, &pose, &error));
    NULL_REFUSED(nearhit_pose_from_quaternion(corners, NULL, &pose, &error));
    NULL_REFUSED(nearhit_scratch_new(NULL, &error));
    NULL_REFUSED(nearhit_contact_list_new(NULL, &error));
    NULL_REFUSED(nearhit_hit_list_new(NULL, &error));
    NULL_REFUSED(nearhit_touch_list_new(NULL, &error));
    NULL_REFUSED(nearhit_gap_list_new(NULL, &error));
    NULL_REFUSED(nearhit_refinement_new(NULL, &error));
    NULL_REFUSED(nearhit_scene_new(0, 0, NULL, &error));
    NULL_REFUSED(nearhit_sphere_tree_new(NULL, 1, 2, NULL, &error));
    /* The error itself may be NULL. */
    CHECK(nearhit_mesh_new(NULL, 3, face, 1, &mesh, NULL) == NEARHIT_STATUS_NULL_POINTER);
}

/* Queries of two models: a, b and the answer are needed. */
#define PAIR_NULLS(function, result)                                                      \
    NULL_REFUSED(function(NULL, NULL, model, NULL, NULL, result, &error));                \
    NULL_REFUSED(function(model, NULL, NULL, NULL, NULL, result, &error));                \
    NULL_REFUSED(function(model, NULL, model, NULL, NULL, NULL, &error))
#define LIMIT_NULLS(function, result)                                                     \
    NULL_REFUSED(function(NULL, NULL, model, NULL, 1.0, NULL, result, &error));           \
    NULL_REFUSED(function(model, NULL, NULL, NULL, 1.0, NULL, result, &error));           \
    NULL_REFUSED(function(model, NULL, model, NULL, 1.0, NULL, NULL, &error))

static void null_queries_are_refused(nearhit_model *model) {
    nearhit_collide_result collide;
    nearhit_distance_result distance;
    nearhit_within_result within;
    nearhit_solid_collide_result solid;
    nearhit_local_depth_result local;
    nearhit_translational_depth_result translational;
    nearhit_first_contact_result first;
    nearhit_contact_list *contacts = NULL;
    nearhit_region_list *regions = NULL;
    nearhit_triangle_pair none = {0, 0};
    double points[18];
    size_t count;
    OK(nearhit_contact_list_new(&contacts, &error));
    PAIR_NULLS(nearhit_collide, &collide);
    PAIR_NULLS(nearhit_distance, &distance);
    PAIR_NULLS(nearhit_contacts, contacts);
    PAIR_NULLS(nearhit_contacts_with_points, contacts);
    PAIR_NULLS(nearhit_solid_collide, &solid);
    PAIR_NULLS(nearhit_solid_distance, &distance);
    PAIR_NULLS(nearhit_solid_local_depth, &local);
    PAIR_NULLS(nearhit_solid_translational_depth, &translational);
    PAIR_NULLS(nearhit_contact_regions, &regions);
    LIMIT_NULLS(nearhit_within, &within);
    LIMIT_NULLS(nearhit_solid_within, &solid);
    LIMIT_NULLS(nearhit_first_contact, &first);
    LIMIT_NULLS(nearhit_solid_first_contact, &first);
    NULL_REFUSED(nearhit_overlap(model, NULL, model, NULL, none, NULL, &count, &error));
    NULL_REFUSED(nearhit_overlap(model, NULL, model, NULL, none, points, NULL, &error));
    nearhit_contact_list_free(contacts);
}

static void null_points_are_refused(nearhit_model *model) {
    const double point[3] = {0, 0, 0};
    nearhit_ray ray = {{0, 0, 0}, {1, 0, 0}};
    nearhit_closest_point_result closest;
    nearhit_contains_result where;
    nearhit_ray_hit hit;
    NULL_REFUSED(nearhit_closest_point(NULL, point, NULL, &closest, &error));
    NULL_REFUSED(nearhit_closest_point(model, NULL, NULL, &closest, &error));
    NULL_REFUSED(nearhit_closest_point(model, point, NULL, NULL, &error));
    NULL_REFUSED(nearhit_signed_distance(model, NULL, NULL, &closest, &error));
    NULL_REFUSED(nearhit_contains(model, point, NULL, NULL, &error));
    NULL_REFUSED(nearhit_contains(NULL, point, NULL, &where, &error));
    NULL_REFUSED(nearhit_first_hit(model, NULL, NULL, &hit, &error));
    NULL_REFUSED(nearhit_first_hit(model, &ray, NULL, NULL, &error));
    NULL_REFUSED(nearhit_all_hits(model, &ray, NULL, NULL, &error));
    NULL_REFUSED(nearhit_closest_point_each(model, NULL, 1, &closest, 1, &error));
    NULL_REFUSED(nearhit_closest_point_each(model, point, 1, NULL, 1, &error));
    NULL_REFUSED(nearhit_signed_distance_each(NULL, point, 1, &closest, 1, &error));
    NULL_REFUSED(nearhit_contains_each(model, point, 1, NULL, 1, &error));
    NULL_REFUSED(nearhit_first_hit_each(model, NULL, 1, &hit, 1, &error));
    /* Nothing to ask about is nothing to be given. */
    OK(nearhit_closest_point_each(model, NULL, 0, NULL, 0, &error));
}

static void null_scenes_are_refused(nearhit_model *model) {
    nearhit_scene *scene = NULL;
    nearhit_touch_list *touches = NULL;
    nearhit_gap_list *gaps = NULL;
    nearhit_refinement *state = NULL;
    nearhit_sphere_tree *tree = NULL;
    nearhit_refine_result known;
    nearhit_who all = {NULL, 1, NEARHIT_ALL_PARTS};
    nearhit_gap gap;
    nearhit_pose pose;
    nearhit_part part = {NULL, model, -1, nearhit_pose_identity(), NULL};
    uint64_t body;
    bool yes;
    OK(nearhit_scene_new(0, 0, &scene, &error));
    OK(nearhit_touch_list_new(&touches, &error));
    OK(nearhit_gap_list_new(&gaps, &error));
    NULL_REFUSED(nearhit_scene_add(NULL, "a", model, NULL, NULL, NULL, &error));
    NULL_REFUSED(nearhit_scene_add(scene, NULL, model, NULL, NULL, NULL, &error));
    NULL_REFUSED(nearhit_scene_add(scene, "a", NULL, NULL, NULL, NULL, &error));
    NULL_REFUSED(nearhit_scene_add_parts(scene, "a", NULL, 1, NULL, NULL, NULL, &error));
    NULL_REFUSED(nearhit_scene_add_parts(scene, "a", &part, 1, NULL, NULL, NULL, &error));
    part.name = "part";
    part.model = NULL;
    NULL_REFUSED(nearhit_scene_add_parts(scene, "a", &part, 1, NULL, NULL, NULL, &error));
    CHECK(nearhit_scene_count(scene) == 0);
    NULL_REFUSED(nearhit_scene_remove(NULL, 1, &error));
    NULL_REFUSED(nearhit_scene_move(NULL, 1, NULL, &error));
    NULL_REFUSED(nearhit_scene_move_part(NULL, 1, 0, NULL, &error));
    NULL_REFUSED(nearhit_scene_pose(NULL, 1, 0, &pose, &error));
    NULL_REFUSED(nearhit_scene_pose(scene, 1, 0, NULL, &error));
    NULL_REFUSED(nearhit_scene_find(scene, NULL, &body, &error));
    NULL_REFUSED(nearhit_scene_find(scene, "a", NULL, &error));
    NULL_REFUSED(nearhit_scene_allow(scene, NULL, &all, &error));
    NULL_REFUSED(nearhit_scene_forbid(NULL, &all, &all, &error));
    NULL_REFUSED(nearhit_scene_collides(NULL, &yes, &error));
    NULL_REFUSED(nearhit_scene_collides(scene, NULL, &error));
    NULL_REFUSED(nearhit_scene_pairs(NULL, touches, &error));
    NULL_REFUSED(nearhit_scene_pairs(scene, NULL, &error));
    NULL_REFUSED(nearhit_scene_within(scene, 1.0, NULL, &error));
    NULL_REFUSED(nearhit_scene_nearest(NULL, 1, gaps, &error));
    NULL_REFUSED(nearhit_scene_closest(NULL, &gap, &error));
    NULL_REFUSED(nearhit_scene_closest(scene, NULL, &error));
    OK(nearhit_refinement_new(&state, &error));
    OK(nearhit_sphere_tree_new(model, 1, NEARHIT_SPHERE_METHOD_OCTREE, &tree, &error));
    NULL_REFUSED(nearhit_refinement_run(NULL, tree, NULL, tree, NULL, NULL, &known, &error));
    NULL_REFUSED(nearhit_refinement_run(state, NULL, NULL, tree, NULL, NULL, &known, &error));
    NULL_REFUSED(nearhit_refinement_run(state, tree, NULL, NULL, NULL, NULL, &known, &error));
    NULL_REFUSED(nearhit_refinement_run(state, tree, NULL, tree, NULL, NULL, NULL, &error));
    nearhit_scene_free(scene);
    nearhit_touch_list_free(touches);
    nearhit_gap_list_free(gaps);
    nearhit_refinement_free(state);
    nearhit_sphere_tree_free(tree);
}

static void wrong_sizes(nearhit_model *model) {
    const double corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const uint32_t face[3] = {0, 1, 2}, beyond[3] = {0, 1, 3};
    nearhit_mesh *mesh = NULL;
    nearhit_pose poses[3] = {at(0, 0, 0), at(1, 0, 0), at(2, 0, 0)};
    nearhit_collide_result results[3];
    nearhit_distance_result distances[3];
    nearhit_within_result withins[3];
    nearhit_closest_point_result closest[2];
    nearhit_batch batch = {poses, 2, poses, 3, 0, 0};
    REFUSED(nearhit_mesh_new(corners, 3, beyond, 1, &mesh, &error), NEARHIT_STATUS_MESH, "names vertex 3");
    REFUSED(nearhit_mesh_new(corners, 3, face, 0, &mesh, &error), NEARHIT_STATUS_MESH, "no triangles");
    REFUSED(nearhit_mesh_new(corners, SIZE_MAX / 2, face, 1, &mesh, &error), NEARHIT_STATUS_WRONG_SIZE, "vertices");
    REFUSED(nearhit_mesh_new(corners, 3, face, SIZE_MAX, &mesh, &error), NEARHIT_STATUS_WRONG_SIZE, "triangles");
    ARGUMENT_REFUSED(nearhit_mesh_new((const double *)((const char *)corners + 1), 2, face, 1, &mesh, &error), "aligned");
    REFUSED(nearhit_collide_batch(model, model, &batch, NULL, results, 3, &error), NEARHIT_STATUS_WRONG_SIZE, "2 poses of a");
    batch.count_a = 1;
    REFUSED(nearhit_collide_batch(model, model, &batch, NULL, results, 2, &error), NEARHIT_STATUS_WRONG_SIZE, "room for 2");
    REFUSED(nearhit_distance_batch(model, model, &batch, NULL, distances, 4, &error), NEARHIT_STATUS_WRONG_SIZE, "there are 3");
    REFUSED(nearhit_within_batch(model, model, &batch, 1.0, NULL, withins, 0, &error), NEARHIT_STATUS_WRONG_SIZE, "there are 3");
    NULL_REFUSED(nearhit_collide_batch(model, model, &batch, NULL, NULL, 3, &error));
    NULL_REFUSED(nearhit_collide_batch(model, model, NULL, NULL, results, 3, &error));
    batch.poses_b = NULL;
    NULL_REFUSED(nearhit_collide_batch(model, model, &batch, NULL, results, 3, &error));
    OK(nearhit_collide_batch(model, model, &(nearhit_batch){NULL, 0, NULL, 0, 0, 0}, NULL, NULL, 0, &error));
    REFUSED(nearhit_closest_point_each(model, corners, 3, closest, 2, &error), NEARHIT_STATUS_WRONG_SIZE, "room for 2");
}

static void numbers_that_are_none(nearhit_model *model) {
    const double bad_corners[9] = {0, 0, 0, 1, INFINITY, 0, 0, 1, 0}, huge[9] = {0, 0, 0, 1e301, 0, 0, 0, 1, 0};
    const uint32_t face[3] = {0, 1, 2};
    const double nan_point[6] = {0, 0, 0, 0, NAN, 0};
    nearhit_mesh *mesh = NULL;
    nearhit_pose pose = nearhit_pose_identity(), mirrored = pose, far_away = at(1e300, 0, 0), opposite = at(-1e300, 0, 0);
    nearhit_settings settings = {0};
    nearhit_collide_result collide;
    nearhit_distance_result distance;
    nearhit_within_result within;
    nearhit_closest_point_result closest[2];
    nearhit_ray ray = {{0, 0, 0}, {0, 0, 0}};
    nearhit_ray_hit hit;
    nearhit_first_contact_result first;
    REFUSED(nearhit_mesh_new(bad_corners, 3, face, 1, &mesh, &error), NEARHIT_STATUS_MESH, "vertex 1: coordinate y is inf");
    REFUSED(nearhit_mesh_new(huge, 3, face, 1, &mesh, &error), NEARHIT_STATUS_MESH, "1e300");
    pose.rotation[1][2] = NAN;
    REFUSED(nearhit_collide(model, &pose, model, NULL, NULL, &collide, &error), NEARHIT_STATUS_POSE, "a's pose: R[1][2] is NaN");
    pose.rotation[1][2] = 0.0;
    pose.rotation[0][0] = 1.1;
    REFUSED(nearhit_distance(model, NULL, model, &pose, NULL, &distance, &error), NEARHIT_STATUS_POSE, "b's pose: the matrix is not a rotation");
    mirrored.rotation[0][0] = -1.0;
    REFUSED(nearhit_distance(model, NULL, model, &mirrored, NULL, &distance, &error), NEARHIT_STATUS_POSE, "mirrors");
    REFUSED(nearhit_collide(model, &far_away, model, &opposite, NULL, &collide, &error), NEARHIT_STATUS_QUERY, "1e300");
    ARGUMENT_REFUSED(nearhit_within(model, NULL, model, NULL, NAN, NULL, &within, &error), "limit is NaN");
    settings.relative_error = NAN;
    ARGUMENT_REFUSED(nearhit_distance(model, NULL, model, NULL, &settings, &distance, &error), "relative_error is NaN");
    settings.relative_error = 0.0;
    settings.absolute_error = -1.0;
    ARGUMENT_REFUSED(nearhit_distance(model, NULL, model, NULL, &settings, &distance, &error), "absolute_error is -1");
    settings.absolute_error = 0.0;
    settings.limit = NEARHIT_LIMIT_TIME;
    settings.microseconds = NAN;
    ARGUMENT_REFUSED(nearhit_collide(model, NULL, model, NULL, &settings, &collide, &error), "microseconds");
    REFUSED(nearhit_closest_point(model, nan_point + 3, NULL, closest, &error), NEARHIT_STATUS_QUERY, "coordinate y is NaN");
    REFUSED(nearhit_closest_point_each(model, nan_point, 2, closest, 2, &error), NEARHIT_STATUS_QUERY, "point 1");
    CHECK(error.index == 1);
    REFUSED(nearhit_first_hit(model, &ray, NULL, &hit, &error), NEARHIT_STATUS_QUERY, "direction");
    REFUSED(nearhit_first_hit_each(model, &ray, 1, &hit, 1, &error), NEARHIT_STATUS_QUERY, "query 0");
    REFUSED(nearhit_first_contact(model, NULL, model, NULL, NAN, NULL, &first, &error), NEARHIT_STATUS_MOTION, "tolerance");
}

/* Any number may come in where a choice is meant. */
static void choices_that_do_not_exist(nearhit_model *model) {
    nearhit_settings settings = {0};
    nearhit_collide_result collide;
    nearhit_scene *scene = NULL;
    nearhit_sphere_tree *tree = NULL;
    nearhit_model *out = NULL;
    nearhit_body_options options = {NULL, 9, 0};
    nearhit_motion motion = {nearhit_pose_identity(), nearhit_pose_identity(), -3};
    nearhit_first_contact_result first;
    nearhit_triangle_pair beyond = {0, 12};
    double points[18];
    size_t count;
    const double corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const uint32_t face[3] = {0, 1, 2};
    ARGUMENT_REFUSED(nearhit_model_from_arrays(corners, 3, face, 1, 4, &out, &error), "preset is 4");
    settings.limit = 3;
    ARGUMENT_REFUSED(nearhit_collide(model, NULL, model, NULL, &settings, &collide, &error), "limit is 3");
    ARGUMENT_REFUSED(nearhit_scene_new(77, 0, &scene, &error), "broad_phase is 77");
    ARGUMENT_REFUSED(nearhit_sphere_tree_new(model, 7, 0, &tree, &error), "depth is 7");
    ARGUMENT_REFUSED(nearhit_sphere_tree_new(model, 1, -1, &tree, &error), "method is -1");
    ARGUMENT_REFUSED(nearhit_first_contact(model, NULL, model, &motion, 1e-6, NULL, &first, &error), "kind is -3");
    ARGUMENT_REFUSED(nearhit_overlap(model, NULL, model, NULL, beyond, points, &count, &error), "triangles.b is 12");
    OK(nearhit_scene_new(0, 0, &scene, &error));
    ARGUMENT_REFUSED(nearhit_scene_add(scene, "a", model, NULL, &options, NULL, &error), "matter is 9");
    options.matter = 0;
    ARGUMENT_REFUSED(nearhit_scene_add(scene, "\xff", model, NULL, NULL, NULL, &error), "UTF-8");
    options.group = "\xc3";
    ARGUMENT_REFUSED(nearhit_scene_add(scene, "a", model, NULL, &options, NULL, &error), "UTF-8");
    nearhit_part part = {"part", model, 0, nearhit_pose_identity(), NULL};
    ARGUMENT_REFUSED(nearhit_scene_add_parts(scene, "a", &part, 1, NULL, NULL, NULL, &error), "parent is 0");
    CHECK(nearhit_scene_count(scene) == 0);
    nearhit_scene_free(scene);
}

static void scenes_refuse(nearhit_model *model) {
    nearhit_scene *scene = NULL, *other = NULL;
    nearhit_gap_list *gaps = NULL;
    nearhit_who nobody = {NULL, 5, NEARHIT_ALL_PARTS}, group = {"nobody", 0, 0};
    uint64_t body = 0, elsewhere = 0;
    nearhit_pose pose;
    OK(nearhit_scene_new(0, 0, &scene, &error));
    OK(nearhit_scene_new(0, 0, &other, &error));
    OK(nearhit_gap_list_new(&gaps, &error));
    OK(nearhit_scene_add(scene, "one", model, NULL, NULL, &body, &error));
    OK(nearhit_scene_add(other, "one", model, NULL, NULL, NULL, &error));
    OK(nearhit_scene_add(other, "two", model, NULL, NULL, &elsewhere, &error));
    REFUSED(nearhit_scene_add(scene, "one", model, NULL, NULL, NULL, &error), NEARHIT_STATUS_SCENE, "\"one\" already");
    REFUSED(nearhit_scene_move(scene, elsewhere, NULL, &error), NEARHIT_STATUS_SCENE, "no body 2");
    REFUSED(nearhit_scene_move(scene, NEARHIT_NO_BODY, NULL, &error), NEARHIT_STATUS_SCENE, "no body 0");
    REFUSED(nearhit_scene_move_part(scene, body, 1, NULL, &error), NEARHIT_STATUS_SCENE, "no part 1");
    REFUSED(nearhit_scene_pose(scene, body, 4, &pose, &error), NEARHIT_STATUS_SCENE, "no part 4");
    REFUSED(nearhit_scene_find(scene, "two", &elsewhere, &error), NEARHIT_STATUS_SCENE, "\"two\"");
    REFUSED(nearhit_scene_allow(scene, &nobody, &nobody, &error), NEARHIT_STATUS_SCENE, "no body 5");
    REFUSED(nearhit_scene_allow(scene, &group, &group, &error), NEARHIT_STATUS_SCENE, "nobody");
    REFUSED(nearhit_scene_within(scene, NAN, gaps, &error), NEARHIT_STATUS_SCENE, "NaN");
    REFUSED(nearhit_scene_within(scene, -1.0, gaps, &error), NEARHIT_STATUS_SCENE, "-1");
    CHECK(nearhit_scene_count(scene) == 1);
    nearhit_scene_free(scene);
    nearhit_scene_free(other);
    nearhit_gap_list_free(gaps);
}

static void files_refuse(nearhit_model *model) {
    nearhit_model *out = NULL;
    REFUSED(nearhit_model_read("nowhere/a.obj", 0, &out, &error), NEARHIT_STATUS_IO, "nowhere/a.obj");
    REFUSED(nearhit_model_read(".", 0, &out, &error), NEARHIT_STATUS_IO, "directory");
    REFUSED(nearhit_model_read("a.step", 0, &out, &error), NEARHIT_STATUS_FILE, "unknown extension");
    REFUSED(nearhit_model_load("nowhere/a.nhm", &out, &error), NEARHIT_STATUS_IO, "nowhere/a.nhm");
    REFUSED(nearhit_model_save(model, "nowhere/a.nhm", &error), NEARHIT_STATUS_IO, "cannot be written");
    FILE *file = fopen("broken.obj", "w");
    CHECK(file != NULL);
    fputs("v 0 0 0\nv 1 1.2.3 0\n", file);
    fclose(file);
    REFUSED(nearhit_model_read("broken.obj", 0, &out, &error), NEARHIT_STATUS_FILE, "broken.obj:2");
    REFUSED(nearhit_model_load("broken.obj", &out, &error), NEARHIT_STATUS_FILE, "not a nearhit model");
    /* A message longer than its room is cut, and ends with a zero. */
    char name[2000];
    memset(name, 'x', sizeof name);
    memcpy(name + sizeof name - 5, ".obj", 5);
    REFUSED(nearhit_model_read(name, 0, &out, &error), NEARHIT_STATUS_IO, "xxxx");
    CHECK(strlen(error.message) == NEARHIT_MESSAGE_BYTES - 1);
}

int main(void) {
    nearhit_model *model = cube(1.0);
    null_is_nothing();
    null_is_refused(model);
    null_queries_are_refused(model);
    null_points_are_refused(model);
    null_scenes_are_refused(model);
    wrong_sizes(model);
    numbers_that_are_none(model);
    choices_that_do_not_exist(model);
    scenes_refuse(model);
    files_refuse(model);
    nearhit_model_free(model);
    printf("misuse: %d checks\n", checks_made);
    return 0;
}
