/* A million calls, good and refused: memory does not grow. */
#include "check.h"

#include <unistd.h>

/* Pages that the process holds, by Linux; 0 elsewhere, where only the sanitizers look. */
static long resident(void) {
    long size = 0, held = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file) return 0;
    if (fscanf(file, "%ld %ld", &size, &held) != 2) held = 0;
    fclose(file);
    return held * sysconf(_SC_PAGESIZE);
}

static nearhit_error error;

/* Ten calls that make, ask, refuse and free. */
static void ten_calls(const nearhit_model *big, const nearhit_model *small, nearhit_settings *settings,
                      nearhit_contact_list *list, int i) {
    nearhit_pose through = at(1, 0.0001 * (i % 1000), 0), broken = at(NAN, 0, 0);
    nearhit_collide_result touch;
    nearhit_distance_result gap;
    nearhit_model *again = NULL;
    nearhit_mesh *mesh = NULL;
    const double corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const uint32_t face[3] = {0, 1, 2}, beyond[3] = {0, 1, 7};
    OK(nearhit_collide(big, NULL, small, &through, settings, &touch, &error));
    OK(nearhit_distance(big, NULL, small, &through, NULL, &gap, &error));
    OK(nearhit_contacts_with_points(big, NULL, small, &through, settings, list, &error));
    REFUSED(nearhit_collide(big, NULL, small, &broken, settings, &touch, &error), NEARHIT_STATUS_POSE, "NaN");
    OK(nearhit_model_clone(big, &again, &error));
    nearhit_model_free(again);
    OK(nearhit_mesh_new(corners, 3, face, 1, &mesh, &error));
    nearhit_mesh_free(mesh);
    REFUSED(nearhit_mesh_new(corners, 3, beyond, 1, &mesh, &error), NEARHIT_STATUS_MESH, "7");
    REFUSED(nearhit_model_load("nowhere", &again, &error), NEARHIT_STATUS_IO, "nowhere");
}

/* The same of shapes, and of a scene of them. */
static void shape_calls(nearhit_shape_contact_list *list) {
    nearhit_shape *box = NULL, *grown = NULL, *none = NULL;
    nearhit_scene *scene = NULL;
    nearhit_penetration_result depth;
    OK(nearhit_shape_box(1, 2, 3, &box, &error));
    OK(nearhit_shape_grown(box, 0.1, &grown, &error));
    OK(nearhit_shape_penetration(box, NULL, grown, NULL, NULL, &depth, &error));
    OK(nearhit_shape_contacts(box, NULL, grown, NULL, NULL, list, &error));
    REFUSED(nearhit_shape_ball(NAN, &none, &error), NEARHIT_STATUS_SHAPE, "NaN");
    OK(nearhit_scene_new(0, 0, &scene, &error));
    OK(nearhit_scene_add_shape(scene, "one", grown, NULL, NULL, NULL, &error));
    OK(nearhit_scene_add_shape(scene, "two", grown, NULL, NULL, NULL, &error));
    OK(nearhit_scene_contacts(scene, list, &error));
    nearhit_scene_free(scene);
    nearhit_shape_free(grown);
    nearhit_shape_free(box);
}

int main(int count, char **arguments) {
    const int calls = count > 1 ? atoi(arguments[1]) : 1000000;
    nearhit_model *big = cube(1.0), *small = cube(0.25);
    nearhit_settings settings = {0};
    nearhit_contact_list *list = NULL;
    nearhit_shape_contact_list *more = NULL;
    OK(nearhit_shape_contact_list_new(&more, &error));
    OK(nearhit_scratch_new(&settings.scratch, &error));
    OK(nearhit_contact_list_new(&list, &error));
    for (int i = 0; i < calls / 20; ++i) {
        ten_calls(big, small, &settings, list, i);
        if (i % 100 == 0) shape_calls(more);
    }
    const long before = resident();
    for (int i = 0; i < calls / 20; ++i) {
        ten_calls(big, small, &settings, list, i);
        if (i % 100 == 0) shape_calls(more);
    }
    const long grown = resident() - before;
    /* Sixteen bytes lost in one of the ten calls would be more; the rest is the allocator's. Sanitizers keep what was
     * freed for a while, and look for leaks themselves. */
    if (!getenv("NEARHIT_SANITIZED")) CHECK(calls < 1000000 || grown < calls / 2 + 262144);
    nearhit_scratch_free(settings.scratch);
    nearhit_contact_list_free(list);
    nearhit_shape_contact_list_free(more);
    nearhit_model_free(big);
    nearhit_model_free(small);
    printf("million: %d calls, grown by %ld bytes in the second half\n", calls, grown);
    return 0;
}
