/* Every function of the interface, with answers that can be told by hand: cubes. */
#include "check.h"

static nearhit_error error;

static void versions(void) {
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", NEARHIT_VERSION_MAJOR, NEARHIT_VERSION_MINOR, NEARHIT_VERSION_PATCH);
    CHECK(!strcmp(nearhit_version(), version));
    CHECK(nearhit_abi_version() == NEARHIT_ABI_VERSION);
    CHECK(!strcmp(nearhit_status_name(NEARHIT_STATUS_PANIC), "NEARHIT_STATUS_PANIC"));
    CHECK(!strcmp(nearhit_status_name(99), "unknown status"));
}

static void meshes_and_models(void) {
    const double corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const uint32_t face[3] = {0, 1, 2};
    nearhit_mesh *mesh = NULL;
    nearhit_model *model = NULL, *again = NULL, *loaded = NULL;
    size_t count = 0;
    OK(nearhit_mesh_new(corners, 3, face, 1, &mesh, &error));
    CHECK(nearhit_mesh_vertices(mesh, &count)[3] == 1.0 && count == 3);
    CHECK(nearhit_mesh_triangles(mesh, &count)[2] == 2 && count == 1);
    for (int preset = NEARHIT_PRESET_BALANCED; preset <= NEARHIT_PRESET_COMPACT; ++preset) {
        OK(nearhit_model_new(mesh, preset, &model, &error));
        nearhit_model_free(model);
    }
    OK(nearhit_model_new(mesh, NEARHIT_PRESET_BEST, &model, &error));
    nearhit_mesh_free(mesh);
    CHECK(nearhit_model_vertices(model, &count)[7] == 1.0 && count == 3);
    CHECK(nearhit_model_triangles(model, NULL)[1] == 1);
    CHECK(nearhit_model_bytes(model) > 72);
    OK(nearhit_model_clone(model, &again, &error));
    nearhit_model_free(model);
    CHECK(nearhit_model_vertices(again, NULL)[3] == 1.0);
    OK(nearhit_model_save(again, "model.nhm", &error));
    OK(nearhit_model_load("model.nhm", &loaded, &error));
    CHECK(nearhit_model_bytes(loaded) > 72);
    nearhit_model_free(again);
    nearhit_model_free(loaded);
    FILE *file = fopen("square.obj", "w");
    CHECK(file != NULL);
    fputs("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n", file);
    fclose(file);
    OK(nearhit_mesh_read("square.obj", &mesh, &error));
    nearhit_mesh_triangles(mesh, &count);
    CHECK(count == 2);
    nearhit_mesh_free(mesh);
    OK(nearhit_model_read("square.obj", NEARHIT_PRESET_FAST, &model, &error));
    nearhit_model_free(model);
}

static void poses(void) {
    const double rows[16] = {0, -1, 0, 10, 1, 0, 0, 20, 0, 0, 1, 30, 0, 0, 0, 1};
    const double half = sqrt(0.5), xyzw[4] = {0, 0, half, half}, translation[3] = {10, 20, 30};
    nearhit_pose pose, turned;
    OK(nearhit_pose_from_matrix(rows, &pose, &error));
    CHECK(pose.rotation[0][1] == -1.0 && pose.rotation[1][0] == 1.0 && pose.translation[2] == 30.0);
    OK(nearhit_pose_from_quaternion(xyzw, translation, &turned, &error));
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) CHECK(NEAR(pose.rotation[i][j], turned.rotation[i][j]));
}

static void surfaces(const nearhit_model *big, const nearhit_model *small) {
    nearhit_collide_result touch;
    nearhit_distance_result gap;
    nearhit_within_result within;
    nearhit_pose away = at(3, 0, 0), through = at(1, 0.1, 0);
    nearhit_settings settings = {0};
    OK(nearhit_collide(big, NULL, small, &away, NULL, &touch, &error));
    CHECK(touch.verdict == NEARHIT_VERDICT_NO && touch.triangles.a == NEARHIT_NO_TRIANGLE);
    OK(nearhit_collide(big, NULL, small, &through, &settings, &touch, &error));
    CHECK(touch.verdict == NEARHIT_VERDICT_YES && touch.triangles.a < 12 && touch.triangles.b < 12);
    OK(nearhit_distance(big, NULL, small, &away, NULL, &gap, &error));
    CHECK(gap.lower == 1.75 && gap.upper == 1.75 && gap.is_complete);
    CHECK(gap.point_a[0] == 1.0 && gap.point_b[0] == 2.75);
    CHECK(gap.stats.volume_tests + gap.stats.triangle_tests > 0);
    /* In the world, wherever a is: both moved by the same. */
    nearhit_pose a = at(100, 0, 0), b = at(103, 0, 0);
    OK(nearhit_distance(big, &a, small, &b, NULL, &gap, &error));
    CHECK(gap.upper == 1.75 && gap.point_a[0] == 101.0 && gap.point_b[0] == 102.75);
    OK(nearhit_within(big, NULL, small, &away, 1.75, NULL, &within, &error));
    CHECK(within.verdict == NEARHIT_VERDICT_YES && within.upper <= 1.75);
    OK(nearhit_within(big, NULL, small, &away, 1.7, NULL, &within, &error));
    CHECK(within.verdict == NEARHIT_VERDICT_NO && within.lower > 1.7);
    OK(nearhit_within(big, NULL, small, &away, -1.0, NULL, &within, &error));
    CHECK(within.verdict == NEARHIT_VERDICT_NO);
    /* Seeds, tolerances and working memory change no exact answer. */
    OK(nearhit_scratch_new(&settings.scratch, &error));
    settings.has_seed = 1;
    settings.seed.a = 77;
    OK(nearhit_distance(big, NULL, small, &away, &settings, &gap, &error));
    CHECK(gap.upper == 1.75);
    settings.relative_error = 0.5;
    OK(nearhit_distance(big, NULL, small, &away, &settings, &gap, &error));
    CHECK(gap.lower <= 1.75 && 1.75 <= gap.upper && gap.upper <= 1.5 * 1.75);
    nearhit_scratch_free(settings.scratch);
}

static void budgets(const nearhit_model *big, const nearhit_model *small) {
    nearhit_settings settings = {0};
    nearhit_collide_result touch;
    nearhit_distance_result gap;
    nearhit_pose near_by = at(1, 0.1, 0), away = at(3, 0, 0);
    settings.limit = NEARHIT_LIMIT_WORK;
    OK(nearhit_collide(big, NULL, small, &near_by, &settings, &touch, &error));
    CHECK(touch.verdict == NEARHIT_VERDICT_MAYBE);
    OK(nearhit_distance(big, NULL, small, &away, &settings, &gap, &error));
    CHECK(gap.lower < gap.upper && !gap.is_complete);
    settings.limit = NEARHIT_LIMIT_TIME;
    settings.microseconds = 0.0;
    OK(nearhit_collide(big, NULL, small, &near_by, &settings, &touch, &error));
    CHECK(touch.verdict == NEARHIT_VERDICT_MAYBE);
    settings.microseconds = 1e9;
    OK(nearhit_collide(big, NULL, small, &near_by, &settings, &touch, &error));
    CHECK(touch.verdict == NEARHIT_VERDICT_YES);
}

static void contacts(const nearhit_model *big, const nearhit_model *small) {
    nearhit_contact_list *list = NULL;
    nearhit_pose through = at(1, 0.1, 0), away = at(9, 0, 0);
    size_t count = 99, points = 0;
    OK(nearhit_contact_list_new(&list, &error));
    CHECK(!nearhit_contact_list_is_complete(list));
    OK(nearhit_contacts_with_points(big, NULL, small, &through, NULL, list, &error));
    const nearhit_triangle_pair *pairs = nearhit_contact_list_pairs(list, &count);
    CHECK(count > 4 && nearhit_contact_list_is_complete(list));
    for (size_t i = 0; i < count; ++i) {
        const double *shared = nearhit_contact_list_points(list, i, &points);
        double overlap[3 * NEARHIT_MAX_OVERLAP_POINTS];
        size_t corners = 0;
        CHECK(points >= 1 && points <= NEARHIT_MAX_OVERLAP_POINTS);
        OK(nearhit_overlap(big, NULL, small, &through, pairs[i], overlap, &corners, &error));
        CHECK(corners == points && !memcmp(shared, overlap, 3 * points * sizeof(double)));
        for (size_t j = 0; j < points; ++j) CHECK(NEAR(shared[3 * j], 1.0)); /* all on the face x = 1 */
        CHECK(i == 0 || pairs[i - 1].a < pairs[i].a || (pairs[i - 1].a == pairs[i].a && pairs[i - 1].b < pairs[i].b));
    }
    CHECK(nearhit_contact_list_points(list, count, &points) == NULL && points == 0);
    const size_t with_points = count;
    OK(nearhit_contacts(big, NULL, small, &through, NULL, list, &error));
    nearhit_contact_list_pairs(list, &count);
    CHECK(count == with_points && nearhit_contact_list_points(list, 0, &points) == NULL);
    CHECK(nearhit_contact_list_stats(list).triangle_tests >= count);
    OK(nearhit_contacts(big, NULL, small, &away, NULL, list, &error));
    nearhit_contact_list_pairs(list, &count);
    CHECK(count == 0 && nearhit_contact_list_is_complete(list));
    nearhit_contact_list_free(list);
}

static void solids(const nearhit_model *big, const nearhit_model *small) {
    nearhit_solid_collide_result touch;
    nearhit_distance_result gap;
    nearhit_local_depth_result local;
    nearhit_translational_depth_result out;
    nearhit_pose inside = at(0.5, 0, 0), away = at(3, 0, 0), through = at(1, 0.1, 0);
    OK(nearhit_solid_collide(big, NULL, small, &inside, NULL, &touch, &error));
    CHECK(touch.verdict == NEARHIT_VERDICT_YES && touch.inside == NEARHIT_SIDE_B && touch.vertex < 8);
    CHECK(touch.triangles.a == NEARHIT_NO_TRIANGLE);
    OK(nearhit_solid_collide(small, &inside, big, NULL, NULL, &touch, &error));
    CHECK(touch.verdict == NEARHIT_VERDICT_YES && touch.inside == NEARHIT_SIDE_A);
    OK(nearhit_solid_collide(big, NULL, small, &through, NULL, &touch, &error));
    CHECK(touch.verdict == NEARHIT_VERDICT_YES && touch.inside == NEARHIT_SIDE_NONE && touch.triangles.a < 12);
    OK(nearhit_solid_within(big, NULL, small, &away, 1.75, NULL, &touch, &error));
    CHECK(touch.verdict == NEARHIT_VERDICT_YES);
    OK(nearhit_solid_distance(big, NULL, small, &away, NULL, &gap, &error));
    CHECK(gap.upper == 1.75);
    OK(nearhit_solid_distance(big, NULL, small, &inside, NULL, &gap, &error));
    CHECK(gap.lower <= -0.75 && -0.75 <= gap.upper + 1e-9 && gap.upper < -0.7);
    OK(nearhit_solid_local_depth(big, NULL, small, &through, NULL, &local, &error));
    CHECK(local.depth > 0.0 && local.depth <= local.at_most && local.side != NEARHIT_SIDE_NONE);
    OK(nearhit_solid_translational_depth(big, NULL, small, &through, NULL, &out, &error));
    CHECK(out.lower <= 0.25 + 1e-6 && 0.25 <= out.upper + 1e-9 && out.upper < 0.26 && out.is_convex);
    CHECK(out.translation[0] > 0.24);
    nearhit_pose apart = at(1 + out.translation[0], 0.1 + out.translation[1], out.translation[2]);
    OK(nearhit_solid_collide(big, NULL, small, &apart, NULL, &touch, &error));
    CHECK(touch.verdict == NEARHIT_VERDICT_NO);
}

static void regions(const nearhit_model *big, const nearhit_model *small) {
    nearhit_region_list *list = NULL;
    nearhit_region region;
    nearhit_contact_point manifold[4];
    nearhit_pose through = at(1, 0.1, 0);
    size_t count = 0;
    bool closed = false;
    OK(nearhit_contact_regions(big, NULL, small, &through, NULL, &list, &error));
    CHECK(nearhit_region_list_count(list) == 1 && nearhit_region_list_is_complete(list));
    OK(nearhit_region_list_get(list, 0, &region, &error));
    CHECK(region.normal[0] > 0.9 && region.depth > 0.2 && region.pair_count > 0 && region.curve_count == 1);
    nearhit_region_list_pairs(list, 0, &count);
    CHECK(count == region.pair_count);
    const double *curve = nearhit_region_list_curve(list, 0, 0, &count, &closed);
    CHECK(count >= 4 && closed && NEAR(curve[0], 1.0));
    OK(nearhit_region_list_manifold(list, 0, manifold, 4, &count, &error));
    CHECK(count >= 1 && count <= 4 && manifold[0].depth == region.deepest.depth);
    CHECK(nearhit_region_list_stats(list).triangle_tests > 0);
    REFUSED(nearhit_region_list_get(list, 1, &region, &error), NEARHIT_STATUS_INVALID_ARGUMENT, "no region 1");
    CHECK(nearhit_region_list_pairs(list, 1, &count) == NULL && count == 0);
    CHECK(nearhit_region_list_curve(list, 0, 9, &count, NULL) == NULL && count == 0);
    nearhit_region_list_free(list);
}

static void batches(const nearhit_model *big, const nearhit_model *small) {
    enum { COUNT = 500 };
    static nearhit_pose poses[COUNT];
    static nearhit_collide_result touch[COUNT];
    static nearhit_distance_result gap[COUNT], warm[COUNT];
    static nearhit_within_result within[COUNT];
    nearhit_batch batch = {NULL, 0, poses, COUNT, 0, 0};
    int colliding = 0;
    for (int i = 0; i < COUNT; ++i) poses[i] = at(0.01 * i, 0.001 * i, 0);
    OK(nearhit_collide_batch(big, small, &batch, NULL, touch, COUNT, &error));
    OK(nearhit_distance_batch(big, small, &batch, NULL, gap, COUNT, &error));
    OK(nearhit_within_batch(big, small, &batch, 1.0, NULL, within, COUNT, &error));
    batch.warm = 1;
    batch.threads = 2;
    OK(nearhit_distance_batch(big, small, &batch, NULL, warm, COUNT, &error));
    for (int i = 0; i < COUNT; ++i) {
        nearhit_collide_result one;
        nearhit_distance_result alone;
        OK(nearhit_collide(big, NULL, small, &poses[i], NULL, &one, &error));
        OK(nearhit_distance(big, NULL, small, &poses[i], NULL, &alone, &error));
        CHECK(one.verdict == touch[i].verdict && alone.upper == gap[i].upper && alone.upper == warm[i].upper);
        CHECK((alone.upper == 0.0) == (one.verdict == NEARHIT_VERDICT_YES));
        CHECK((alone.upper <= 1.0) == (within[i].verdict == NEARHIT_VERDICT_YES));
        colliding += one.verdict == NEARHIT_VERDICT_YES;
    }
    CHECK(colliding > 20 && colliding < COUNT - 20);
    poses[123].rotation[1][2] = NAN;
    REFUSED(nearhit_collide_batch(big, small, &batch, NULL, touch, COUNT, &error), NEARHIT_STATUS_POSE, "query 123: b's pose");
    CHECK(error.index == 123);
    batch.threads = 1000000;
    REFUSED(nearhit_collide_batch(big, small, &batch, NULL, touch, COUNT, &error), NEARHIT_STATUS_INVALID_ARGUMENT, "at most 1024");
}

static void points_and_rays(const nearhit_model *big) {
    const double points[6] = {0.5, 0, 0, 3, 0, 0};
    nearhit_closest_point_result closest, each[2];
    nearhit_contains_result where, wheres[2];
    nearhit_ray rays[2] = {{{0.5, 0.25, -3}, {0, 0, 2}}, {{0, 0, 5}, {0, 0, 1}}};
    nearhit_ray_hit hit, hits[2];
    nearhit_hit_list *list = NULL;
    size_t count = 0;
    OK(nearhit_closest_point(big, points, NULL, &closest, &error));
    CHECK(closest.distance == 0.5 && closest.point[0] == 1.0);
    OK(nearhit_signed_distance(big, points, NULL, &closest, &error));
    CHECK(closest.distance == -0.5);
    OK(nearhit_contains(big, points, NULL, &where, &error));
    CHECK(where.location == NEARHIT_LOCATION_INSIDE && where.is_certain && where.winding == 1.0);
    OK(nearhit_first_hit(big, &rays[0], NULL, &hit, &error));
    CHECK(hit.distance == 2.0 && hit.point[2] == -1.0);
    OK(nearhit_closest_point_each(big, points, 2, each, 2, &error));
    CHECK(each[0].distance == 0.5 && each[1].distance == 2.0);
    OK(nearhit_signed_distance_each(big, points, 2, each, 2, &error));
    CHECK(each[0].distance == -0.5 && each[1].distance == 2.0);
    OK(nearhit_contains_each(big, points, 2, wheres, 2, &error));
    CHECK(wheres[0].location == NEARHIT_LOCATION_INSIDE && wheres[1].location == NEARHIT_LOCATION_OUTSIDE);
    OK(nearhit_first_hit_each(big, rays, 2, hits, 2, &error));
    CHECK(hits[0].distance == 2.0 && hits[1].triangle == NEARHIT_NO_TRIANGLE && isinf(hits[1].distance));
    OK(nearhit_hit_list_new(&list, &error));
    OK(nearhit_all_hits(big, &rays[0], NULL, list, &error));
    const nearhit_ray_hit *all = nearhit_hit_list_hits(list, &count);
    CHECK(count == 2 && all[0].distance == 2.0 && all[1].distance == 4.0);
    nearhit_hit_list_free(list);
}

static void motions(const nearhit_model *big, const nearhit_model *small) {
    nearhit_motion motion = {at(4, 0, 0), at(-4, 0, 0), NEARHIT_MOTION_KIND_LINEAR};
    nearhit_motion inside = {at(0, 0, 0), at(0.1, 0, 0), NEARHIT_MOTION_KIND_SCREW};
    nearhit_first_contact_result first;
    OK(nearhit_first_contact(big, NULL, small, &motion, 1e-6, NULL, &first, &error));
    CHECK(first.verdict == NEARHIT_VERDICT_YES && fabs(first.free_until - 2.75 / 8) < 1e-4 && first.distance.upper < 1e-5);
    OK(nearhit_first_contact(big, NULL, small, &inside, 1e-6, NULL, &first, &error));
    CHECK(first.verdict == NEARHIT_VERDICT_NO && first.free_until == 1.0);
    OK(nearhit_solid_first_contact(big, NULL, small, &inside, 1e-6, NULL, &first, &error));
    CHECK(first.verdict == NEARHIT_VERDICT_YES && first.free_until == 0.0);
}

static void spheres(const nearhit_model *big, const nearhit_model *small) {
    nearhit_sphere_tree *a = NULL, *b = NULL;
    nearhit_refinement *state = NULL;
    nearhit_refine_result known;
    nearhit_settings little = {0};
    nearhit_pose away = at(3, 0, 0), closer = at(2.9, 0, 0), through = at(1, 0.1, 0);
    size_t count = 0;
    OK(nearhit_sphere_tree_new(big, 2, NEARHIT_SPHERE_METHOD_OCTREE, &a, &error));
    OK(nearhit_sphere_tree_new(small, 2, NEARHIT_SPHERE_METHOD_QUICK_MEDIAL, &b, &error));
    CHECK(nearhit_sphere_tree_level_count(a) == 3);
    CHECK(nearhit_sphere_tree_level(a, 0, &count)->parent == -1 && count == 1);
    CHECK(nearhit_sphere_tree_level(a, 1, &count)->radius > 0.0 && count > 1);
    CHECK(nearhit_sphere_tree_level(a, 3, &count) == NULL && count == 0);
    OK(nearhit_refinement_new(&state, &error));
    little.limit = NEARHIT_LIMIT_WORK;
    little.work = 1;
    OK(nearhit_refinement_run(state, a, NULL, b, &away, &little, &known, &error));
    CHECK(known.lower <= 1.75 && 1.75 <= known.upper);
    OK(nearhit_refinement_run(state, a, NULL, b, &away, NULL, &known, &error));
    CHECK(known.verdict == NEARHIT_VERDICT_NO && known.is_complete);
    OK(nearhit_refinement_run(state, a, NULL, b, &closer, NULL, &known, &error));
    CHECK(known.verdict == NEARHIT_VERDICT_NO && known.lower <= 1.65 && 1.65 <= known.upper);
    OK(nearhit_refinement_run(state, a, NULL, b, &through, NULL, &known, &error));
    CHECK(known.verdict == NEARHIT_VERDICT_YES && known.triangles.a < 12);
    /* Other trees: it begins anew, also where the old ones were deeper. */
    OK(nearhit_refinement_run(state, b, NULL, a, &away, NULL, &known, &error));
    CHECK(known.verdict == NEARHIT_VERDICT_NO && known.lower <= 1.75 && 1.75 <= known.upper);
    nearhit_sphere_tree_free(a);
    nearhit_sphere_tree_free(b);
    nearhit_refinement_free(state);
}

static void scenes(void) {
    nearhit_scene *scene = NULL;
    nearhit_model *big = cube(1.0), *small = cube(0.25);
    nearhit_touch_list *touches = NULL;
    nearhit_gap_list *gaps = NULL;
    nearhit_body_options fixed = {"walls", NEARHIT_MATTER_SCENE, 1};
    nearhit_pose pose = at(1.2, 0, 0), far_away = at(9, 0, 0);
    uint64_t table = 0, cup = 0, robot = 0, found = 0;
    nearhit_gap gap;
    size_t count = 0;
    bool collides = false;
    OK(nearhit_scene_new(NEARHIT_BROAD_PHASE_TREE, 0, &scene, &error));
    OK(nearhit_touch_list_new(&touches, &error));
    OK(nearhit_gap_list_new(&gaps, &error));
    OK(nearhit_scene_closest(scene, &gap, &error));
    CHECK(gap.body_a == NEARHIT_NO_BODY && isinf(gap.lower));
    OK(nearhit_scene_add(scene, "table", big, NULL, &fixed, &table, &error));
    OK(nearhit_scene_add(scene, "cup", small, &pose, NULL, &cup, &error));
    nearhit_part parts[2] = {{"base", small, -1, at(0, 0, 0), NULL}, {"arm", small, 0, at(0.4, 0, 0), NULL}};
    OK(nearhit_scene_add_parts(scene, "robot", parts, 2, &far_away, NULL, &robot, &error));
    nearhit_model_free(big); /* the scene keeps them */
    nearhit_model_free(small);
    CHECK(nearhit_scene_count(scene) == 3);
    OK(nearhit_scene_find(scene, "cup", &found, &error));
    CHECK(found == cup && cup != table);
    OK(nearhit_scene_pose(scene, robot, 1, &pose, &error));
    CHECK(NEAR(pose.translation[0], 9.4));
    OK(nearhit_scene_collides(scene, &collides, &error));
    OK(nearhit_scene_pairs(scene, touches, &error));
    const nearhit_touch *touch = nearhit_touch_list_touches(touches, &count);
    CHECK(collides && count == 1 && touch->body_a == table && touch->body_b == cup && touch->inside == NEARHIT_SIDE_NONE);
    nearhit_who walls = {"walls", 0, 0}, the_cup = {NULL, cup, NEARHIT_ALL_PARTS}, the_arm = {NULL, robot, 1};
    OK(nearhit_scene_allow(scene, &walls, &the_cup, &error));
    OK(nearhit_scene_collides(scene, &collides, &error));
    CHECK(!collides);
    OK(nearhit_scene_forbid(scene, &walls, &the_cup, &error));
    pose = at(2, 0, 0);
    OK(nearhit_scene_move(scene, cup, &pose, &error));
    OK(nearhit_scene_closest(scene, &gap, &error));
    CHECK(gap.body_a == table && gap.body_b == cup && NEAR(gap.upper, 0.75) && NEAR(gap.point_a[0], 1.0));
    OK(nearhit_scene_within(scene, 0.75, gaps, &error));
    nearhit_gap_list_gaps(gaps, &count);
    CHECK(count == 1);
    OK(nearhit_scene_nearest(scene, 99, gaps, &error));
    const nearhit_gap *all = nearhit_gap_list_gaps(gaps, &count);
    CHECK(count == 5 && all[0].upper <= all[1].upper); /* table and cup with two parts each, and each other */
    pose = at(-6.9, 0, 0);
    OK(nearhit_scene_move_part(scene, robot, 1, &pose, &error));
    OK(nearhit_scene_pairs(scene, touches, &error));
    touch = nearhit_touch_list_touches(touches, &count);
    CHECK(count == 1 && touch->body_a == cup && touch->body_b == robot && touch->part_b == 1);
    OK(nearhit_scene_allow(scene, &the_cup, &the_arm, &error));
    OK(nearhit_scene_collides(scene, &collides, &error));
    CHECK(!collides);
    OK(nearhit_scene_remove(scene, cup, &error));
    REFUSED(nearhit_scene_remove(scene, cup, &error), NEARHIT_STATUS_SCENE, "no body");
    nearhit_model *other = cube(0.1);
    OK(nearhit_scene_add(scene, "cup", other, NULL, NULL, &found, &error));
    nearhit_model_free(other);
    CHECK(found > robot); /* numbers are never used again */
    nearhit_scene_free(scene);
    nearhit_touch_list_free(touches);
    nearhit_gap_list_free(gaps);
}

static void solid_scenes(void) {
    nearhit_scene *scene = NULL;
    nearhit_model *big = cube(1.0), *small = cube(0.25);
    nearhit_touch_list *touches = NULL;
    size_t count = 0;
    OK(nearhit_scene_new(NEARHIT_BROAD_PHASE_SWEEP, 1, &scene, &error));
    OK(nearhit_touch_list_new(&touches, &error));
    OK(nearhit_scene_add(scene, "plate", big, NULL, NULL, NULL, &error));
    OK(nearhit_scene_add(scene, "chip", small, NULL, NULL, NULL, &error));
    OK(nearhit_scene_pairs(scene, touches, &error));
    const nearhit_touch *touch = nearhit_touch_list_touches(touches, &count);
    CHECK(count == 1 && touch->inside == NEARHIT_SIDE_B && touch->triangles.a == NEARHIT_NO_TRIANGLE);
    nearhit_scene_free(scene);
    nearhit_touch_list_free(touches);
    nearhit_model_free(big);
    nearhit_model_free(small);
}

int main(void) {
    nearhit_model *big = cube(1.0), *small = cube(0.25);
    versions();
    meshes_and_models();
    poses();
    surfaces(big, small);
    budgets(big, small);
    contacts(big, small);
    solids(big, small);
    regions(big, small);
    batches(big, small);
    points_and_rays(big);
    motions(big, small);
    spheres(big, small);
    scenes();
    solid_scenes();
    nearhit_model_free(big);
    nearhit_model_free(small);
    printf("answers: %d checks\n", checks_made);
    return 0;
}
