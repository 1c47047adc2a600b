/* Shapes of every kind, in pairs, in scenes, in motion, beside points and rays, with answers that can be
 * told by hand; and what is refused. */
#include "check.h"

static nearhit_error error;

#define SHAPE_REFUSED(call, words) REFUSED(call, NEARHIT_STATUS_SHAPE, words)
#define NULL_REFUSED(call) REFUSED(call, NEARHIT_STATUS_NULL_POINTER, "NULL")

static nearhit_shape *written(const char *text) {
    nearhit_shape *shape = NULL;
    OK(nearhit_shape_parse(text, &shape, &error));
    return shape;
}

enum { KINDS = 14 };

/* One of every kind, each of which reaches from the origin to x = 1 at least, and not beyond x = 1.5. */
static void every_kind(nearhit_shape *shapes[KINDS], nearhit_model *model) {
    const double up[3] = {1, 0, 0}, by[3] = {1, 0, 0}, radius[1] = {1}, floor = -1;
    const double points[6] = {0, 0, 0, 0.25, 0, 0}, heights[4] = {0, 0, 0, 0};
    const int32_t cells[6] = {-1, -1, -1, 0, 0, 0};
    double corners[24];
    for (int i = 0; i < 24; ++i) corners[i] = (i / 3) >> (i % 3) & 1 ? 1 : -1;
    OK(nearhit_shape_ball(1, &shapes[0], &error));
    OK(nearhit_shape_capsule(1, 2, &shapes[1], &error));
    OK(nearhit_shape_box(2, 3, 4, &shapes[2], &error));
    OK(nearhit_shape_cylinder(1, 2, &shapes[3], &error));
    OK(nearhit_shape_cone(1, 1, 2, &shapes[4], &error));
    OK(nearhit_shape_ellipsoid(1, 2, 3, &shapes[5], &error));
    OK(nearhit_shape_hull(corners, 8, &shapes[6], &error));
    OK(nearhit_shape_half_space(up, 1, &shapes[7], &error));
    OK(nearhit_shape_point_cloud(points, 2, radius, 1, &shapes[8], &error));
    OK(nearhit_shape_height_field(heights, 2, 2, 1, 1, &floor, &shapes[9], &error));
    OK(nearhit_shape_octree(points, 2, 1, &shapes[10], &error));
    OK(nearhit_shape_octree_of_cells(cells, 1, 1, &shapes[11], &error));
    OK(nearhit_shape_mesh(model, 1, &shapes[12], &error));
    nearhit_shape *base = written("box:1,1,1");
    OK(nearhit_shape_swept(base, by, &shapes[13], &error));
    nearhit_shape_free(base);
}

static const char *NAMES[KINDS] = {"ball",        "capsule",      "box",    "cylinder", "cone", "ellipsoid", "hull", "half-space",
                                   "point cloud", "height field", "octree", "octree",   "mesh", "sweep"};
static const double REACH[KINDS] = {1, 1, 1, 1, 1, 1, 1, 1, 1.25, 1, 1, 1, 1, 1.5};

static void kinds(nearhit_model *model) {
    nearhit_shape *shapes[KINDS], *grown = NULL, *again = NULL;
    every_kind(shapes, model);
    for (int i = 0; i < KINDS; ++i) {
        double low[3], high[3];
        CHECK(!strcmp(nearhit_shape_name(shapes[i]), NAMES[i]));
        CHECK(nearhit_shape_margin(shapes[i]) == (i < 2 ? 1 : 0));
        OK(nearhit_shape_grown(shapes[i], 0.25, &grown, &error));
        OK(nearhit_shape_clone(grown, &again, &error));
        nearhit_shape_free(grown);
        CHECK(nearhit_shape_margin(again) == (i < 2 ? 1.25 : 0.25));
        nearhit_shape_free(again);
        if (i == 7) {
            SHAPE_REFUSED(nearhit_shape_bounds(shapes[i], &low, &high, &error), "no end");
        } else {
            OK(nearhit_shape_bounds(shapes[i], &low, &high, &error));
            CHECK(NEAR(high[0], REACH[i]) && low[0] <= 0);
        }
    }
    for (int i = 0; i < KINDS; ++i) nearhit_shape_free(shapes[i]);
}

/* Every pair of kinds, b to the right of a by 10 and turned by half a circle about z, both ways round. */
static void pairs(nearhit_model *model) {
    nearhit_shape *shapes[KINDS];
    nearhit_settings settings = {0};
    nearhit_shape_contact_list *list = NULL;
    int apart = 0, depths = 0;
    every_kind(shapes, model);
    OK(nearhit_scratch_new(&settings.scratch, &error));
    OK(nearhit_shape_contact_list_new(&list, &error));
    CHECK(!nearhit_shape_contact_list_is_complete(list));
    for (int a = 0; a < KINDS; ++a) {
        for (int b = 0; b < KINDS; ++b) {
            nearhit_pose right = at(10, 0.5, 0);
            right.rotation[0][0] = right.rotation[1][1] = -1;
            nearhit_collide_result touch;
            nearhit_distance_result gap;
            nearhit_within_result within;
            nearhit_penetration_result depth;
            size_t count = 99;
            /* A height field has no width along z at y = 0.5, so that all face each other. */
            double expected = 10 - REACH[a] - REACH[b];
            OK(nearhit_shape_distance(shapes[a], NULL, shapes[b], &right, &settings, &gap, &error));
            CHECK(gap.is_complete && gap.lower <= gap.upper);
            if (a == 7 || b == 7 || (REACH[a] == 1 && a != 0 && a != 5 && b == 2)) CHECK(NEAR(gap.upper, expected));
            CHECK(gap.lower >= expected - 1e-9 && gap.upper < expected + 1);
            CHECK(NEAR(gap.upper, sqrt(pow(gap.point_a[0] - gap.point_b[0], 2) + pow(gap.point_a[1] - gap.point_b[1], 2) +
                                       pow(gap.point_a[2] - gap.point_b[2], 2))));
            OK(nearhit_shape_within(shapes[a], NULL, shapes[b], &right, gap.upper, &settings, &within, &error));
            CHECK(within.verdict == NEARHIT_VERDICT_YES);
            OK(nearhit_shape_within(shapes[a], NULL, shapes[b], &right, gap.lower - 1e-9, &settings, &within, &error));
            CHECK(within.verdict == NEARHIT_VERDICT_NO);
            OK(nearhit_shape_collide(shapes[a], NULL, shapes[b], &right, NULL, &touch, &error));
            CHECK(touch.verdict == NEARHIT_VERDICT_NO);
            OK(nearhit_shape_contacts(shapes[a], NULL, shapes[b], &right, &settings, list, &error));
            CHECK(nearhit_shape_contact_list_contacts(list, &count) != NULL && count == 0);
            CHECK(nearhit_shape_contact_list_is_complete(list));
            ++apart;
            /* Moved together by the distance along the line between the points and a little more. */
            nearhit_pose near_by = right;
            for (int i = 0; i < 3; ++i) near_by.translation[i] += (gap.point_a[i] - gap.point_b[i]) * (1 + 1e-3);
            OK(nearhit_shape_collide(shapes[a], NULL, shapes[b], &near_by, &settings, &touch, &error));
            CHECK(touch.verdict == NEARHIT_VERDICT_YES);
            OK(nearhit_shape_contacts(shapes[a], NULL, shapes[b], &near_by, NULL, list, &error));
            const nearhit_shape_contact *contacts = nearhit_shape_contact_list_contacts(list, &count);
            CHECK(count >= 1 && contacts[0].body_a == NEARHIT_NO_BODY);
            CHECK(NEAR(pow(contacts[0].normal[0], 2) + pow(contacts[0].normal[1], 2) + pow(contacts[0].normal[2], 2), 1));
            nearhit_status status = nearhit_shape_penetration(shapes[a], NULL, shapes[b], &near_by, &settings, &depth, &error);
            int convex = !(a >= 8 && a <= 12) && !(b >= 8 && b <= 12);
            CHECK(status == (convex ? NEARHIT_STATUS_OK : NEARHIT_STATUS_SHAPE));
            if (!convex) continue;
            ++depths;
            CHECK(depth.lower <= 1e-3 * gap.upper + 1e-9 && depth.upper >= 1e-3 * gap.upper - 1e-9);
            /* Moved out along the normal they are apart again. */
            for (int i = 0; i < 3; ++i) near_by.translation[i] += depth.normal[i] * (depth.upper + 1e-9);
            OK(nearhit_shape_collide(shapes[a], NULL, shapes[b], &near_by, NULL, &touch, &error));
            CHECK(touch.verdict == NEARHIT_VERDICT_NO);
        }
    }
    CHECK(apart == KINDS * KINDS && depths == 81);
    nearhit_shape_contact_list_free(list);
    nearhit_scratch_free(settings.scratch);
    for (int i = 0; i < KINDS; ++i) nearhit_shape_free(shapes[i]);
}

/* Where a is does not matter: answers are in the world. */
static void in_the_world(void) {
    nearhit_shape *box = written("box:2,2,2"), *ball = written("ball:0.5");
    nearhit_pose a = at(100, 0, 0), b = at(101.25, 0, 0);
    nearhit_penetration_result depth;
    nearhit_distance_result gap;
    nearhit_shape_contact_list *list = NULL;
    a.rotation[0][0] = a.rotation[1][1] = -1; /* turned about z: its own x points to the left */
    OK(nearhit_shape_penetration(box, &a, ball, &b, NULL, &depth, &error));
    CHECK(NEAR(depth.upper, 0.25) && NEAR(depth.normal[0], 1) && NEAR(depth.point_a[0], 101) && NEAR(depth.point_b[0], 100.75));
    OK(nearhit_shape_contact_list_new(&list, &error));
    OK(nearhit_shape_contacts(box, &a, ball, &b, NULL, list, &error));
    const nearhit_shape_contact *contact = nearhit_shape_contact_list_contacts(list, NULL);
    CHECK(NEAR(contact->point[0], 100.875) && NEAR(contact->normal[0], 1) && NEAR(contact->depth_upper, 0.25));
    b = at(103, 0, 0);
    OK(nearhit_shape_distance(box, &a, ball, &b, NULL, &gap, &error));
    CHECK(NEAR(gap.upper, 1.5) && NEAR(gap.point_a[0], 101) && NEAR(gap.point_b[0], 102.5));
    nearhit_shape_contact_list_free(list);
    nearhit_shape_free(box);
    nearhit_shape_free(ball);
}

static void points_and_rays(nearhit_model *model) {
    nearhit_shape *box = written("box:2,2,2"), *solid = NULL;
    const double inside[3] = {0.75, 0, 0}, outside[3] = {3, 0, 0}, none[3] = {NAN, 0, 0};
    nearhit_ray ray = {{-3, 0, 0}, {2, 0, 0}}, past = {{-3, 5, 0}, {1, 0, 0}}, nowhere = {{0, 0, 0}, {0, 0, 0}};
    nearhit_shape_point_result found;
    nearhit_shape_ray_hit hit;
    bool yes;
    OK(nearhit_shape_mesh(model, 1, &solid, &error));
    nearhit_shape *shapes[2] = {box, solid};
    for (int i = 0; i < 2; ++i) {
        OK(nearhit_shape_contains(shapes[i], inside, NULL, &yes, &error));
        CHECK(yes);
        OK(nearhit_shape_contains(shapes[i], outside, NULL, &yes, &error));
        CHECK(!yes);
        OK(nearhit_shape_signed_distance(shapes[i], inside, NULL, &found, &error));
        CHECK(NEAR(found.lower, -0.25) && NEAR(found.upper, -0.25) && NEAR(found.point[0], 1));
        OK(nearhit_shape_signed_distance(shapes[i], outside, NULL, &found, &error));
        CHECK(NEAR(found.lower, 2) && NEAR(found.upper, 2));
        OK(nearhit_shape_first_hit(shapes[i], &ray, NULL, &hit, &error));
        CHECK(hit.is_hit && hit.lower <= 2 + 1e-9 && NEAR(hit.upper, 2) && NEAR(hit.point[0], -1));
        OK(nearhit_shape_first_hit(shapes[i], &past, NULL, &hit, &error));
        CHECK(!hit.is_hit && isinf(hit.lower));
    }
    REFUSED(nearhit_shape_contains(box, none, NULL, &yes, &error), NEARHIT_STATUS_QUERY, "NaN");
    REFUSED(nearhit_shape_signed_distance(box, none, NULL, &found, &error), NEARHIT_STATUS_QUERY, "NaN");
    REFUSED(nearhit_shape_first_hit(box, &nowhere, NULL, &hit, &error), NEARHIT_STATUS_QUERY, "");
    NULL_REFUSED(nearhit_shape_contains(NULL, inside, NULL, &yes, &error));
    NULL_REFUSED(nearhit_shape_contains(box, NULL, NULL, &yes, &error));
    NULL_REFUSED(nearhit_shape_contains(box, inside, NULL, NULL, &error));
    NULL_REFUSED(nearhit_shape_signed_distance(NULL, inside, NULL, &found, &error));
    NULL_REFUSED(nearhit_shape_signed_distance(box, inside, NULL, NULL, &error));
    NULL_REFUSED(nearhit_shape_first_hit(NULL, &ray, NULL, &hit, &error));
    NULL_REFUSED(nearhit_shape_first_hit(box, NULL, NULL, &hit, &error));
    nearhit_shape_free(box);
    nearhit_shape_free(solid);
}

static void motion(void) {
    nearhit_shape *wall = written("box:2,2,2"), *ball = written("ball:1");
    nearhit_motion moving = {at(4, 0, 0), at(0, 0, 0), NEARHIT_MOTION_KIND_LINEAR};
    nearhit_first_contact_result found;
    OK(nearhit_shape_first_contact(wall, NULL, ball, &moving, 1e-6, NULL, &found, &error));
    CHECK(found.verdict == NEARHIT_VERDICT_YES && fabs(found.free_until - 0.5) < 1e-3);
    moving.to = at(4, 4, 0);
    OK(nearhit_shape_first_contact(wall, NULL, ball, &moving, 1e-6, NULL, &found, &error));
    CHECK(found.verdict == NEARHIT_VERDICT_NO && found.free_until == 1);
    REFUSED(nearhit_shape_first_contact(wall, NULL, ball, &moving, NAN, NULL, &found, &error), NEARHIT_STATUS_MOTION, "");
    NULL_REFUSED(nearhit_shape_first_contact(NULL, NULL, ball, &moving, 1e-6, NULL, &found, &error));
    NULL_REFUSED(nearhit_shape_first_contact(wall, NULL, NULL, &moving, 1e-6, NULL, &found, &error));
    NULL_REFUSED(nearhit_shape_first_contact(wall, NULL, ball, &moving, 1e-6, NULL, NULL, &error));
    nearhit_shape_free(wall);
    nearhit_shape_free(ball);
}

static void scenes(nearhit_model *model) {
    nearhit_scene *scene = NULL;
    nearhit_shape *floor = written("half-space:0,0,1,0"), *ball = written("ball:1"), *mesh = NULL;
    nearhit_shape_contact_list *list = NULL;
    nearhit_touch_list *touches = NULL;
    nearhit_gap gap;
    nearhit_pose high = at(0, 0, 5), low = at(0, 0, 0.75), side = at(10, 0, 0.5);
    uint64_t ground, body, arm;
    size_t count;
    bool yes;
    OK(nearhit_scene_new(0, 0, &scene, &error));
    OK(nearhit_touch_list_new(&touches, &error));
    OK(nearhit_shape_contact_list_new(&list, &error));
    OK(nearhit_scene_add_shape(scene, "floor", floor, NULL, NULL, &ground, &error));
    OK(nearhit_scene_add_shape(scene, "ball", ball, &high, NULL, &body, &error));
    OK(nearhit_scene_collides(scene, &yes, &error));
    CHECK(!yes);
    OK(nearhit_scene_closest(scene, &gap, &error));
    CHECK(gap.body_a == ground && gap.body_b == body && NEAR(gap.upper, 4));
    OK(nearhit_scene_move(scene, body, &low, &error));
    OK(nearhit_scene_collides(scene, &yes, &error));
    CHECK(yes);
    OK(nearhit_scene_contacts(scene, list, &error));
    const nearhit_shape_contact *contacts = nearhit_shape_contact_list_contacts(list, &count);
    CHECK(count == 1 && contacts[0].body_a == ground && contacts[0].body_b == body);
    CHECK(NEAR(contacts[0].normal[2], 1) && NEAR(contacts[0].depth_upper, 0.25) && NEAR(contacts[0].point[2], -0.125));
    OK(nearhit_scene_closest(scene, &gap, &error));
    CHECK(NEAR(gap.upper, -0.25)); /* how deep */
    OK(nearhit_scene_remove(scene, ground, &error));
    /* Parts of meshes and shapes; two meshes have points, too. */
    OK(nearhit_shape_mesh(model, 0, &mesh, &error));
    nearhit_part parts[2] = {{"base", model, -1, nearhit_pose_identity(), NULL}, {"tip", NULL, -1, side, ball}};
    OK(nearhit_scene_add_parts(scene, "arm", parts, 2, NULL, NULL, &arm, &error));
    OK(nearhit_scene_remove(scene, body, &error));
    OK(nearhit_scene_add_shape(scene, "mesh", mesh, &side, NULL, &body, &error));
    nearhit_shape_free(mesh);
    OK(nearhit_scene_pairs(scene, touches, &error));
    const nearhit_touch *touch = nearhit_touch_list_touches(touches, &count);
    CHECK(count == 1 && touch->body_a == arm && touch->part_a == 1 && touch->body_b == body);
    nearhit_pose corner = at(1.5, 1.5, 1.75);
    OK(nearhit_scene_move(scene, body, &corner, &error));
    OK(nearhit_scene_contacts(scene, list, &error));
    contacts = nearhit_shape_contact_list_contacts(list, &count);
    CHECK(count > 1 && contacts[0].part_a == 0 && contacts[0].pieces.a < 12 && contacts[0].pieces.b < 12);
    CHECK(contacts[0].point[2] > 0.7 && contacts[0].point[2] < 1.1);
    parts[0].shape = ball;
    REFUSED(nearhit_scene_add_parts(scene, "two", parts, 2, NULL, NULL, NULL, &error), NEARHIT_STATUS_INVALID_ARGUMENT, "a model and a shape");
    parts[0].model = NULL;
    parts[0].shape = NULL;
    NULL_REFUSED(nearhit_scene_add_parts(scene, "two", parts, 2, NULL, NULL, NULL, &error));
    NULL_REFUSED(nearhit_scene_add_shape(NULL, "a", ball, NULL, NULL, NULL, &error));
    NULL_REFUSED(nearhit_scene_add_shape(scene, NULL, ball, NULL, NULL, NULL, &error));
    NULL_REFUSED(nearhit_scene_add_shape(scene, "a", NULL, NULL, NULL, NULL, &error));
    NULL_REFUSED(nearhit_scene_contacts(NULL, list, &error));
    NULL_REFUSED(nearhit_scene_contacts(scene, NULL, &error));
    CHECK(nearhit_scene_count(scene) == 2);
    nearhit_shape_free(floor);
    nearhit_shape_free(ball);
    nearhit_scene_free(scene);
    nearhit_touch_list_free(touches);
    nearhit_shape_contact_list_free(list);
}

static void refused(nearhit_model *model) {
    const double points[6] = {0, 0, 0, 1, 0, 0}, zero[3] = {0, 0, 0}, bad[3] = {0, NAN, 0}, heights[4] = {0, 0, INFINITY, 0}, floor = 1;
    const double radii[2] = {1, -1};
    const int32_t cells[6] = {0, 0, 0, -1, 0, 0};
    nearhit_shape *shape = (nearhit_shape *)points, *ball = written("ball:1"), *solid = NULL;
    nearhit_penetration_result depth;
    nearhit_collide_result touch;
    nearhit_within_result within;
    nearhit_distance_result gap;
    nearhit_shape_contact_list *list = NULL;
    double low[3];
    nearhit_pose broken = at(0, 0, 0), far_away = at(1e301, 0, 0);
    SHAPE_REFUSED(nearhit_shape_ball(-1, &shape, &error), "radius");
    CHECK(shape == NULL); /* what is not made is NULL */
    SHAPE_REFUSED(nearhit_shape_ball(NAN, &shape, &error), "NaN");
    SHAPE_REFUSED(nearhit_shape_capsule(1, INFINITY, &shape, &error), "length");
    SHAPE_REFUSED(nearhit_shape_box(1, -2, 1, &shape, &error), "y");
    SHAPE_REFUSED(nearhit_shape_cylinder(1, -1, &shape, &error), "length");
    SHAPE_REFUSED(nearhit_shape_cone(1, -1, 1, &shape, &error), "top");
    SHAPE_REFUSED(nearhit_shape_ellipsoid(1, 1, NAN, &shape, &error), "z");
    SHAPE_REFUSED(nearhit_shape_hull(points, 0, &shape, &error), "no points");
    SHAPE_REFUSED(nearhit_shape_hull(bad, 1, &shape, &error), "point 0");
    SHAPE_REFUSED(nearhit_shape_half_space(zero, 0, &shape, &error), "normal");
    SHAPE_REFUSED(nearhit_shape_point_cloud(points, 2, radii, 2, &shape, &error), "");
    SHAPE_REFUSED(nearhit_shape_point_cloud(points, 2, radii, 0, &shape, &error), "0 radii");
    SHAPE_REFUSED(nearhit_shape_height_field(heights, 2, 2, 1, 1, NULL, &shape, &error), "row 1");
    SHAPE_REFUSED(nearhit_shape_height_field(heights, 1, 2, 1, 1, NULL, &shape, &error), "rows");
    SHAPE_REFUSED(nearhit_shape_height_field(points, 2, 2, 1, 1, &floor, &shape, &error), "floor");
    REFUSED(nearhit_shape_height_field(heights, SIZE_MAX, 2, 1, 1, NULL, &shape, &error), NEARHIT_STATUS_WRONG_SIZE, "rows");
    SHAPE_REFUSED(nearhit_shape_octree(points, 2, 0, &shape, &error), "resolution");
    SHAPE_REFUSED(nearhit_shape_octree_of_cells(cells, 1, 1, &shape, &error), "box 0");
    SHAPE_REFUSED(nearhit_shape_parse("cube:1", &shape, &error), "cube:1");
    SHAPE_REFUSED(nearhit_shape_grown(ball, -1, &shape, &error), "margin");
    REFUSED(nearhit_shape_parse("\xff", &shape, &error), NEARHIT_STATUS_INVALID_ARGUMENT, "UTF-8");
    OK(nearhit_shape_mesh(model, 1, &solid, &error));
    SHAPE_REFUSED(nearhit_shape_swept(solid, points, &shape, &error), "mesh");
    SHAPE_REFUSED(nearhit_shape_penetration(solid, NULL, ball, NULL, NULL, &depth, &error), "a mesh and a ball");
    NULL_REFUSED(nearhit_shape_ball(1, NULL, &error));
    NULL_REFUSED(nearhit_shape_hull(NULL, 1, &shape, &error));
    NULL_REFUSED(nearhit_shape_half_space(NULL, 0, &shape, &error));
    NULL_REFUSED(nearhit_shape_point_cloud(points, 2, NULL, 1, &shape, &error));
    NULL_REFUSED(nearhit_shape_point_cloud(NULL, 2, radii, 1, &shape, &error));
    NULL_REFUSED(nearhit_shape_height_field(NULL, 2, 2, 1, 1, NULL, &shape, &error));
    NULL_REFUSED(nearhit_shape_octree(NULL, 1, 1, &shape, &error));
    NULL_REFUSED(nearhit_shape_octree_of_cells(NULL, 1, 1, &shape, &error));
    NULL_REFUSED(nearhit_shape_mesh(NULL, 0, &shape, &error));
    NULL_REFUSED(nearhit_shape_parse(NULL, &shape, &error));
    NULL_REFUSED(nearhit_shape_grown(NULL, 1, &shape, &error));
    NULL_REFUSED(nearhit_shape_swept(ball, NULL, &shape, &error));
    NULL_REFUSED(nearhit_shape_swept(NULL, points, &shape, &error));
    NULL_REFUSED(nearhit_shape_clone(NULL, &shape, &error));
    NULL_REFUSED(nearhit_shape_bounds(ball, NULL, &low, &error));
    NULL_REFUSED(nearhit_shape_bounds(ball, &low, NULL, &error));
    NULL_REFUSED(nearhit_shape_contact_list_new(NULL, &error));
    OK(nearhit_shape_contact_list_new(&list, &error));
    broken.rotation[0][0] = 2;
    REFUSED(nearhit_shape_collide(ball, &broken, ball, NULL, NULL, &touch, &error), NEARHIT_STATUS_POSE, "a's");
    REFUSED(nearhit_shape_distance(ball, NULL, ball, &broken, NULL, &gap, &error), NEARHIT_STATUS_POSE, "b's");
    REFUSED(nearhit_shape_distance(ball, NULL, ball, &far_away, NULL, &gap, &error), NEARHIT_STATUS_QUERY, "1e301");
    REFUSED(nearhit_shape_within(ball, NULL, ball, NULL, NAN, NULL, &within, &error), NEARHIT_STATUS_INVALID_ARGUMENT, "NaN");
    NULL_REFUSED(nearhit_shape_collide(NULL, NULL, ball, NULL, NULL, &touch, &error));
    NULL_REFUSED(nearhit_shape_collide(ball, NULL, NULL, NULL, NULL, &touch, &error));
    NULL_REFUSED(nearhit_shape_collide(ball, NULL, ball, NULL, NULL, NULL, &error));
    NULL_REFUSED(nearhit_shape_within(ball, NULL, NULL, NULL, 1, NULL, &within, &error));
    NULL_REFUSED(nearhit_shape_within(ball, NULL, ball, NULL, 1, NULL, NULL, &error));
    NULL_REFUSED(nearhit_shape_distance(NULL, NULL, ball, NULL, NULL, &gap, &error));
    NULL_REFUSED(nearhit_shape_distance(ball, NULL, ball, NULL, NULL, NULL, &error));
    NULL_REFUSED(nearhit_shape_penetration(NULL, NULL, ball, NULL, NULL, &depth, &error));
    NULL_REFUSED(nearhit_shape_penetration(ball, NULL, ball, NULL, NULL, NULL, &error));
    NULL_REFUSED(nearhit_shape_contacts(NULL, NULL, ball, NULL, NULL, list, &error));
    NULL_REFUSED(nearhit_shape_contacts(ball, NULL, ball, NULL, NULL, NULL, &error));
    nearhit_shape_free(NULL);
    nearhit_shape_contact_list_free(NULL);
    CHECK(nearhit_shape_name(NULL) == NULL && nearhit_shape_margin(NULL) == 0);
    CHECK(nearhit_shape_contact_list_contacts(NULL, NULL) == NULL && !nearhit_shape_contact_list_is_complete(NULL));
    CHECK(nearhit_shape_contact_list_stats(NULL).updates == 0);
    nearhit_shape_contact_list_free(list);
    nearhit_shape_free(ball);
    nearhit_shape_free(solid);
}

int main(void) {
    nearhit_model *model = cube(1.0);
    kinds(model);
    pairs(model);
    in_the_world();
    points_and_rays(model);
    motion();
    scenes(model);
    refused(model);
    nearhit_model_free(model);
    printf("shapes: %d checks\n", checks_made);
    return 0;
}
