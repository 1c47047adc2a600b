/* The distance of two meshes: cc distance.c $(pkg-config --cflags --libs nearhit) */
#include <nearhit.h>
#include <stdio.h>

int main(void) {
    const double corners[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const uint32_t faces[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    nearhit_error error;
    nearhit_model *model = NULL;
    nearhit_distance_result nearest;
    nearhit_pose right = nearhit_pose_identity();
    right.translation[0] = 3.0;
    if (nearhit_model_from_arrays(corners, 4, faces, 4, NEARHIT_PRESET_BALANCED, &model, &error) ||
        nearhit_distance(model, NULL, model, &right, NULL, &nearest, &error))
        return fprintf(stderr, "%s\n", error.message), 1;
    printf("%g apart, between (%g, %g, %g) and (%g, %g, %g)\n", nearest.upper, nearest.point_a[0], nearest.point_a[1],
           nearest.point_a[2], nearest.point_b[0], nearest.point_b[1], nearest.point_b[2]);
    nearhit_model_free(model);
    return 0;
}
