/* A robot of two joints, its world, its configurations, lines of them; from 16 threads; what is refused. */
#include "check.h"
#include <pthread.h>

static nearhit_error error;

#define ROBOT_REFUSED(call, words) REFUSED(call, NEARHIT_STATUS_ROBOT, words)
#define NULL_REFUSED(call) REFUSED(call, NEARHIT_STATUS_NULL_POINTER, "NULL")

/* A ball on a slide along x, and a bar that turns about z at its end, one metre out. */
static const char *URDF =
    "<robot name='arm'><link name='base'/>"
    "<link name='hand'><collision><geometry><sphere radius='0.1'/></geometry></collision></link>"
    "<link name='bar'><collision><origin xyz='0.5 0 0'/><geometry><box size='0.4 0.1 0.1'/></geometry></collision></link>"
    "<joint name='slide' type='prismatic'><parent link='base'/><child link='hand'/><axis xyz='1 0 0'/>"
    "<limit lower='0' upper='2' effort='1' velocity='1'/></joint>"
    "<joint name='turn' type='continuous'><parent link='hand'/><child link='bar'/><axis xyz='0 0 1'/></joint></robot>";
static const char *SRDF =
    "<robot name='arm'><group name='all'><joint name='slide'/><joint name='turn'/></group>"
    "<group_state name='out' group='all'><joint name='slide' value='1.5'/><joint name='turn' value='0'/></group_state></robot>";

static nearhit_robot *arm(void) {
    nearhit_robot *robot = NULL;
    nearhit_shape *sheet = NULL;
    nearhit_pose there = at(1.25, 0, 0);
    OK(nearhit_robot_parse(URDF, SRDF, ".", NULL, &robot, &error));
    OK(nearhit_shape_parse("box:0.0001,1,1", &sheet, &error));
    OK(nearhit_robot_add_to_world(robot, "sheet", sheet, &there, &error));
    nearhit_shape_free(sheet);
    return robot;
}

static void names(nearhit_robot *robot) {
    char name[16];
    size_t index = 9;
    double limits[4], q[2];
    CHECK(nearhit_robot_count(robot, NEARHIT_ROBOT_ITEM_LINK) == 3);
    CHECK(nearhit_robot_count(robot, NEARHIT_ROBOT_ITEM_COORDINATE) == 2);
    CHECK(nearhit_robot_count(robot, NEARHIT_ROBOT_ITEM_BODY) == 3);
    CHECK(nearhit_robot_count(robot, 7) == 0 && nearhit_robot_count(NULL, 0) == 0);
    OK(nearhit_robot_name(robot, NEARHIT_ROBOT_ITEM_LINK, 1, name, 5, &error));
    CHECK(!strcmp(name, "hand"));
    OK(nearhit_robot_name(robot, NEARHIT_ROBOT_ITEM_COORDINATE, 1, name, sizeof name, &error));
    CHECK(!strcmp(name, "turn"));
    OK(nearhit_robot_find(robot, NEARHIT_ROBOT_ITEM_BODY, "sheet", &index, &error));
    CHECK(index == 2);
    REFUSED(nearhit_robot_name(robot, NEARHIT_ROBOT_ITEM_LINK, 1, name, 4, &error), NEARHIT_STATUS_WRONG_SIZE, "5 are needed");
    REFUSED(nearhit_robot_name(robot, NEARHIT_ROBOT_ITEM_LINK, 3, name, 9, &error), NEARHIT_STATUS_INVALID_ARGUMENT, "there are 3");
    REFUSED(nearhit_robot_name(robot, 7, 0, name, 9, &error), NEARHIT_STATUS_INVALID_ARGUMENT, "item is 7");
    ROBOT_REFUSED(nearhit_robot_find(robot, NEARHIT_ROBOT_ITEM_LINK, "sheet", &index, &error), "\"sheet\"");
    OK(nearhit_robot_limits(robot, limits, 2, &error));
    CHECK(limits[0] == 0 && limits[1] == 2 && NEAR(limits[3], 3.14159265358979));
    REFUSED(nearhit_robot_limits(robot, limits, 1, &error), NEARHIT_STATUS_WRONG_SIZE, "2");
    OK(nearhit_robot_configuration(robot, "out", q, 2, &error));
    CHECK(q[0] == 1.5 && q[1] == 0);
    OK(nearhit_robot_configuration(robot, NULL, q, 2, &error));
    CHECK(q[0] == 0 && q[1] == 0);
    ROBOT_REFUSED(nearhit_robot_configuration(robot, "in", q, 2, &error), "\"in\"");
}

static void questions(nearhit_robot *robot) {
    /* Bar from 0.3 to 0.7 before the hand; the sheet at 1.25. */
    const double clear[2] = {0.25, 0}, touching[2] = {0.75, 0}, turned[2] = {0.75, 3.14159265358979}, out[2] = {2, 0};
    const double many[8] = {0.25, 0, 0.75, 0, 1.25, 0, 0.75, 3.14159265358979};
    nearhit_robot_scratch *scratch = NULL;
    nearhit_body_pair_list *list = NULL;
    nearhit_robot_distance_result gap;
    nearhit_path_options options = {0};
    nearhit_path_result path;
    nearhit_pose poses[3];
    double gradient[2];
    bool yes, each[4];
    size_t count;
    OK(nearhit_robot_scratch_new(&scratch, &error));
    OK(nearhit_body_pair_list_new(&list, &error));
    OK(nearhit_robot_link_poses(robot, touching, 2, poses, 3, &error));
    CHECK(NEAR(poses[2].translation[0], 0.75) && NEAR(poses[0].translation[0], 0));
    OK(nearhit_robot_collides(robot, clear, 2, NULL, &yes, &error));
    CHECK(!yes);
    OK(nearhit_robot_collides(robot, touching, 2, scratch, &yes, &error));
    CHECK(yes);
    OK(nearhit_robot_collides(robot, turned, 2, scratch, &yes, &error));
    CHECK(!yes);
    OK(nearhit_robot_collides_each(robot, many, 4, each, &error));
    CHECK(!each[0] && each[1] && each[2] && !each[3]);
    OK(nearhit_robot_collides_each(robot, NULL, 0, NULL, &error));
    OK(nearhit_robot_pairs(robot, touching, 2, 0, scratch, list, &error));
    const nearhit_body_pair *pairs = nearhit_body_pair_list_pairs(list, &count);
    CHECK(count == 1 && pairs[0].a == 1 && pairs[0].b == 2);
    OK(nearhit_robot_pairs(robot, clear, 2, 1, scratch, list, &error));
    nearhit_body_pair_list_pairs(list, &count);
    CHECK(count == 2);
    /* The end of the bar is at 0.95; the sheet begins at 1.24995. */
    OK(nearhit_robot_distance(robot, clear, 2, scratch, &gap, &error));
    CHECK(gap.bodies.a == 1 && gap.bodies.b == 2 && NEAR(gap.upper, 0.29995) && gap.lower <= gap.upper);
    CHECK(NEAR(gap.point_a[0], 0.95) && NEAR(gap.point_b[0], 1.24995));
    OK(nearhit_robot_gradient(robot, clear, 2, scratch, &gap, gradient, 2, &error));
    CHECK(NEAR(gradient[0], -1) && NEAR(gap.upper, 0.29995));
    OK(nearhit_robot_gradient(robot, touching, 2, scratch, &gap, gradient, 2, &error));
    CHECK(gradient[0] == 0 && gap.upper == 0);
    OK(nearhit_robot_path_clear(robot, clear, out, 2, NULL, scratch, &path, &error));
    CHECK(path.is_clear == NEARHIT_VERDICT_NO && path.bodies.b == 2 && path.configurations > 0);
    CHECK(path.certain_until <= path.contact_at && fabs(path.contact_at - 0.29995 / 1.75) < 1e-5);
    OK(nearhit_robot_path_clear(robot, clear, clear, 2, NULL, NULL, &path, &error));
    CHECK(path.is_clear == NEARHIT_VERDICT_YES && path.certain_until == 1 && path.bodies.a == NEARHIT_NO_ROBOT_BODY);
    options.clearance = 0.5;
    OK(nearhit_robot_path_clear(robot, clear, clear, 2, &options, scratch, &path, &error));
    CHECK(path.is_clear == NEARHIT_VERDICT_NO);
    options.clearance = 0;
    options.budget = 1;
    OK(nearhit_robot_path_clear(robot, clear, out, 2, &options, scratch, &path, &error));
    CHECK(path.is_clear != NEARHIT_VERDICT_YES);
    nearhit_robot_scratch_free(scratch);
    nearhit_body_pair_list_free(list);
}

/* Nothing to check: no pair, and an infinite distance. */
static void alone(void) {
    const double q[2] = {0, 0};
    nearhit_robot *robot = NULL;
    nearhit_robot_distance_result gap;
    OK(nearhit_robot_parse(URDF, NULL, ".", NULL, &robot, &error));
    OK(nearhit_robot_distance(robot, q, 2, NULL, &gap, &error));
    CHECK(gap.bodies.a == NEARHIT_NO_ROBOT_BODY && isinf(gap.upper));
    nearhit_robot_free(robot);
}

static void changes(nearhit_robot *first) {
    const double q[2] = {0.6, 0}, shorter[2] = {0.5, 0};
    nearhit_robot *robot = NULL;
    nearhit_shape *tool = NULL;
    nearhit_pose tip = at(0.75, 0, 0), up = at(0, 0, 10);
    bool yes;
    OK(nearhit_robot_clone(first, &robot, &error));
    OK(nearhit_shape_parse("ball:0.1", &tool, &error));
    OK(nearhit_robot_collides(robot, shorter, 2, NULL, &yes, &error));
    CHECK(!yes);
    OK(nearhit_robot_attach(robot, "bar", "tool", tool, &tip, &error));
    OK(nearhit_robot_collides(robot, shorter, 2, NULL, &yes, &error));
    CHECK(yes);
    OK(nearhit_robot_remove(robot, "tool", &error));
    OK(nearhit_robot_collides(robot, shorter, 2, NULL, &yes, &error));
    CHECK(!yes);
    OK(nearhit_robot_pad(robot, "bar", 0.1, &error));
    OK(nearhit_robot_collides(robot, shorter, 2, NULL, &yes, &error));
    CHECK(yes);
    /* The first is as it was. */
    OK(nearhit_robot_collides(first, shorter, 2, NULL, &yes, &error));
    CHECK(!yes);
    OK(nearhit_robot_remove(robot, "sheet", &error));
    /* Hand and bar are neighbours, and not checked unless told so. */
    OK(nearhit_robot_pad(robot, "bar", 0.2, &error));
    OK(nearhit_robot_collides(robot, q, 2, NULL, &yes, &error));
    CHECK(!yes);
    OK(nearhit_robot_allow(robot, "bar", "hand", 0, &error));
    OK(nearhit_robot_collides(robot, q, 2, NULL, &yes, &error));
    CHECK(yes);
    OK(nearhit_robot_allow(robot, "hand", "bar", 1, &error));
    OK(nearhit_robot_collides(robot, q, 2, NULL, &yes, &error));
    CHECK(!yes);
    OK(nearhit_robot_add_to_world(robot, "tool", tool, &up, &error));
    ROBOT_REFUSED(nearhit_robot_add_to_world(robot, "tool", tool, NULL, &error), "\"tool\" already");
    ROBOT_REFUSED(nearhit_robot_attach(robot, "leg", "more", tool, NULL, &error), "\"leg\"");
    ROBOT_REFUSED(nearhit_robot_remove(robot, "bar", &error), "\"bar\"");
    ROBOT_REFUSED(nearhit_robot_pad(robot, "bar", -1, &error), "-1");
    ROBOT_REFUSED(nearhit_robot_allow(robot, "bar", "leg", 1, &error), "\"leg\"");
    NULL_REFUSED(nearhit_robot_add_to_world(NULL, "a", tool, NULL, &error));
    NULL_REFUSED(nearhit_robot_add_to_world(robot, NULL, tool, NULL, &error));
    NULL_REFUSED(nearhit_robot_add_to_world(robot, "a", NULL, NULL, &error));
    NULL_REFUSED(nearhit_robot_attach(robot, NULL, "a", tool, NULL, &error));
    NULL_REFUSED(nearhit_robot_attach(robot, "bar", NULL, tool, NULL, &error));
    NULL_REFUSED(nearhit_robot_attach(robot, "bar", "a", NULL, NULL, &error));
    NULL_REFUSED(nearhit_robot_remove(robot, NULL, &error));
    NULL_REFUSED(nearhit_robot_pad(robot, NULL, 1, &error));
    NULL_REFUSED(nearhit_robot_allow(robot, NULL, "bar", 1, &error));
    NULL_REFUSED(nearhit_robot_allow(robot, "bar", NULL, 1, &error));
    nearhit_shape_free(tool);
    nearhit_robot_free(robot);
}

static void refused(nearhit_robot *robot) {
    const double q[2] = {0, 0}, none[2] = {0, NAN}, two[4] = {0, 0, 0, INFINITY};
    nearhit_robot *out = (nearhit_robot *)q;
    nearhit_robot_options options = {0};
    nearhit_body_pair_list *list = NULL;
    nearhit_robot_distance_result gap;
    nearhit_path_result path;
    nearhit_path_options how = {-1, 0, 0};
    nearhit_pose poses[3];
    double gradient[2];
    bool yes, each[2];
    char name[8];
    size_t index;
    OK(nearhit_body_pair_list_new(&list, &error));
    ROBOT_REFUSED(nearhit_robot_read("nowhere/robot.urdf", NULL, NULL, &out, &error), "nowhere/robot.urdf");
    CHECK(out == NULL);
    ROBOT_REFUSED(nearhit_robot_parse("<robot", NULL, ".", NULL, &out, &error), "robot.urdf");
    ROBOT_REFUSED(nearhit_robot_parse(URDF, "<robot", ".", NULL, &out, &error), "robot.srdf");
    options.folder_count = 1;
    NULL_REFUSED(nearhit_robot_parse(URDF, NULL, ".", &options, &out, &error));
    NULL_REFUSED(nearhit_robot_parse(NULL, NULL, ".", NULL, &out, &error));
    NULL_REFUSED(nearhit_robot_parse(URDF, NULL, NULL, NULL, &out, &error));
    NULL_REFUSED(nearhit_robot_parse(URDF, NULL, ".", NULL, NULL, &error));
    NULL_REFUSED(nearhit_robot_read(NULL, NULL, NULL, &out, &error));
    NULL_REFUSED(nearhit_robot_clone(NULL, &out, &error));
    NULL_REFUSED(nearhit_robot_name(robot, 0, 0, NULL, 8, &error));
    NULL_REFUSED(nearhit_robot_name(NULL, 0, 0, name, 8, &error));
    NULL_REFUSED(nearhit_robot_find(robot, 0, NULL, &index, &error));
    NULL_REFUSED(nearhit_robot_find(robot, 0, "a", NULL, &error));
    NULL_REFUSED(nearhit_robot_limits(robot, NULL, 2, &error));
    NULL_REFUSED(nearhit_robot_configuration(robot, NULL, NULL, 2, &error));
    ROBOT_REFUSED(nearhit_robot_collides(robot, q, 1, NULL, &yes, &error), "1 numbers");
    ROBOT_REFUSED(nearhit_robot_collides(robot, none, 2, NULL, &yes, &error), "coordinate 1 (turn)");
    ROBOT_REFUSED(nearhit_robot_collides_each(robot, two, 2, each, &error), "query 1");
    CHECK(error.index == 1);
    ROBOT_REFUSED(nearhit_robot_pairs(robot, q, 2, NAN, NULL, list, &error), "limit");
    ROBOT_REFUSED(nearhit_robot_path_clear(robot, q, none, 2, NULL, NULL, &path, &error), "turn");
    ROBOT_REFUSED(nearhit_robot_path_clear(robot, q, q, 2, &how, NULL, &path, &error), "clearance");
    REFUSED(nearhit_robot_link_poses(robot, q, 2, poses, 2, &error), NEARHIT_STATUS_WRONG_SIZE, "3");
    REFUSED(nearhit_robot_gradient(robot, q, 2, NULL, &gap, gradient, 1, &error), NEARHIT_STATUS_WRONG_SIZE, "2");
    NULL_REFUSED(nearhit_robot_collides(NULL, q, 2, NULL, &yes, &error));
    NULL_REFUSED(nearhit_robot_collides(robot, NULL, 2, NULL, &yes, &error));
    NULL_REFUSED(nearhit_robot_collides(robot, q, 2, NULL, NULL, &error));
    NULL_REFUSED(nearhit_robot_collides_each(robot, NULL, 1, each, &error));
    NULL_REFUSED(nearhit_robot_collides_each(robot, two, 1, NULL, &error));
    NULL_REFUSED(nearhit_robot_pairs(robot, q, 2, 0, NULL, NULL, &error));
    NULL_REFUSED(nearhit_robot_distance(robot, q, 2, NULL, NULL, &error));
    NULL_REFUSED(nearhit_robot_gradient(robot, q, 2, NULL, &gap, NULL, 2, &error));
    NULL_REFUSED(nearhit_robot_link_poses(robot, NULL, 2, poses, 3, &error));
    NULL_REFUSED(nearhit_robot_path_clear(robot, q, NULL, 2, NULL, NULL, &path, &error));
    NULL_REFUSED(nearhit_robot_path_clear(robot, q, q, 2, NULL, NULL, NULL, &error));
    NULL_REFUSED(nearhit_robot_scratch_new(NULL, &error));
    NULL_REFUSED(nearhit_body_pair_list_new(NULL, &error));
    nearhit_robot_free(NULL);
    nearhit_robot_scratch_free(NULL);
    nearhit_body_pair_list_free(NULL);
    CHECK(nearhit_body_pair_list_pairs(NULL, NULL) == NULL);
    nearhit_body_pair_list_free(list);
}

/* 16 threads ask while a body comes and goes. */
static nearhit_robot *common;

static void *asks(void *number) {
    const double clear[2] = {0.25, 0}, touching[2] = {0.75, 0};
    nearhit_robot_scratch *scratch = NULL;
    nearhit_error error;
    bool yes;
    OK(nearhit_robot_scratch_new(&scratch, &error));
    for (int i = 0; i < 200; ++i) {
        OK(nearhit_robot_collides(common, i & 1 ? clear : touching, 2, scratch, &yes, &error));
        CHECK(yes == !(i & 1));
        if (number == NULL && i % 20 == 0) {
            nearhit_shape *shape = NULL;
            nearhit_pose up = at(0, 0, 10);
            OK(nearhit_shape_parse("ball:1", &shape, &error));
            OK(nearhit_robot_add_to_world(common, "guest", shape, &up, &error));
            nearhit_shape_free(shape);
            OK(nearhit_robot_remove(common, "guest", &error));
        }
    }
    nearhit_robot_scratch_free(scratch);
    return NULL;
}

static void threads(nearhit_robot *robot) {
    pthread_t all[16];
    common = robot;
    for (int i = 0; i < 16; ++i) CHECK(!pthread_create(&all[i], NULL, asks, i ? &all[i] : NULL));
    for (int i = 0; i < 16; ++i) CHECK(!pthread_join(all[i], NULL));
}

/* A file with a folder for its packages. */
static void files(void) {
    const char *folders[1] = {"."};
    nearhit_robot_options options = {0};
    nearhit_robot *robot = NULL;
    nearhit_pose base = at(0, 0, 3), poses[3];
    const double q[2] = {0, 0};
    FILE *file = fopen("arm.urdf", "w");
    CHECK(file != NULL);
    fputs(URDF, file);
    fclose(file);
    file = fopen("arm.srdf", "w");
    CHECK(file != NULL);
    fputs(SRDF, file);
    fclose(file);
    options.folders = folders;
    options.folder_count = 1;
    options.surfaces = 1;
    options.world_from_root = &base;
    OK(nearhit_robot_read("arm.urdf", "arm.srdf", &options, &robot, &error));
    OK(nearhit_robot_link_poses(robot, q, 2, poses, 3, &error));
    CHECK(poses[0].translation[2] == 3);
    nearhit_robot_free(robot);
}

int main(void) {
    nearhit_robot *robot = arm();
    names(robot);
    questions(robot);
    alone();
    changes(robot);
    refused(robot);
    threads(robot);
    files();
    nearhit_robot_free(robot);
    printf("robots: %d checks\n", checks_made);
    return 0;
}
