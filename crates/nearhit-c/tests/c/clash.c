/* An assembly of cubes of which some clash, and what is refused. */
#include "check.h"

static nearhit_error error;

#define NULL_REFUSED(call) REFUSED(call, NEARHIT_STATUS_NULL_POINTER, "NULL")

int main(void) {
    nearhit_model *large = cube(1.0), *small = cube(0.25), *broken = NULL;
    nearhit_assembly *assembly = NULL;
    nearhit_clash_list *list = NULL;
    nearhit_clash_options options = {0};
    nearhit_pose deep = at(1.75, 0.1, 0.1), on_top = at(0, 0, 2), far_off = at(0, 10, 0), beyond = at(1.5e300, 0, 0);
    size_t part = 9, count = 9;
    OK(nearhit_assembly_new(&assembly, &error));
    OK(nearhit_clash_list_new(&list, &error));
    OK(nearhit_assembly_clashes(assembly, NULL, list, &error));
    CHECK(nearhit_clash_list_clashes(list, &count) != NULL && count == 0);
    OK(nearhit_assembly_add(assembly, "block", large, NULL, &part, &error));
    CHECK(part == 0);
    OK(nearhit_assembly_add(assembly, "in", small, NULL, &part, &error));
    OK(nearhit_assembly_add(assembly, "deep", large, &deep, NULL, &error));
    OK(nearhit_assembly_add(assembly, "top", large, &on_top, NULL, &error));
    OK(nearhit_assembly_add(assembly, "again", large, &on_top, NULL, &error));
    OK(nearhit_assembly_add(assembly, "far", small, &far_off, &part, &error));
    CHECK(part == 5 && nearhit_assembly_count(assembly) == 6);
    nearhit_model_free(large);
    nearhit_model_free(small);
    OK(nearhit_assembly_clashes(assembly, &options, list, &error));
    const nearhit_clash *found = nearhit_clash_list_clashes(list, &count);
    /* The block and the deep one; the one in the block; the two on top, which are one and the same, touch the
     * block and are deep in nothing: the deep one reaches above neither. */
    int kinds[6] = {0};
    for (size_t i = 0; i < count; ++i) {
        CHECK(found[i].part_a < found[i].part_b && found[i].depth_lower <= found[i].depth_upper);
        CHECK(found[i].volume_lower <= found[i].volume_upper);
        ++kinds[found[i].kind];
    }
    CHECK(kinds[NEARHIT_CLASH_CLASS_INSIDE] == 1 && kinds[NEARHIT_CLASH_CLASS_DUPLICATE] == 1);
    CHECK(kinds[NEARHIT_CLASH_CLASS_HARD] >= 1 && kinds[NEARHIT_CLASH_CLASS_TOUCHING] >= 2);
    for (size_t i = 0; i < count; ++i)
        if (found[i].part_a == 0 && found[i].part_b == 2) {
            CHECK(found[i].kind == NEARHIT_CLASH_CLASS_HARD && fabs(found[i].depth_lower - 0.25) < 0.01);
            CHECK(fabs(found[i].volume_lower - 0.25 * 1.9 * 1.9) < 1e-6 && fabs(found[i].volume_upper - 0.25 * 1.9 * 1.9) < 1e-6);
            CHECK(found[i].gap == 0);
        }
    options.ignore_touching = 1;
    options.without_volumes = 1;
    options.clearance = 8.75;
    OK(nearhit_assembly_clashes(assembly, &options, list, &error));
    found = nearhit_clash_list_clashes(list, &count);
    int close = 0;
    for (size_t i = 0; i < count; ++i) {
        CHECK(found[i].kind != NEARHIT_CLASH_CLASS_TOUCHING && found[i].volume_lower == 0 && isinf(found[i].volume_upper));
        if (found[i].part_a == 0 && found[i].part_b == 5) {
            CHECK(found[i].kind == NEARHIT_CLASH_CLASS_CLOSE && NEAR(found[i].gap, 8.75));
            ++close;
        }
    }
    CHECK(close == 1);
    options.clearance = NAN;
    REFUSED(nearhit_assembly_clashes(assembly, &options, list, &error), NEARHIT_STATUS_CLASH, "clearance");
    CHECK(nearhit_clash_list_clashes(list, &count) != NULL && count == 0);
    options.clearance = 0;
    options.tolerance = -1;
    REFUSED(nearhit_assembly_clashes(assembly, &options, list, &error), NEARHIT_STATUS_CLASH, "tolerance");
    options.tolerance = 0;
    options.min_volume = -1;
    REFUSED(nearhit_assembly_clashes(assembly, &options, list, &error), NEARHIT_STATUS_CLASH, "min-volume");
    broken = cube(1.0);
    CHECK(nearhit_assembly_add(assembly, "beyond", broken, &beyond, &part, &error) != NEARHIT_STATUS_OK);
    REFUSED(nearhit_assembly_add(assembly, "\xff", broken, NULL, &part, &error), NEARHIT_STATUS_INVALID_ARGUMENT, "UTF-8");
    NULL_REFUSED(nearhit_assembly_add(NULL, "a", broken, NULL, NULL, &error));
    NULL_REFUSED(nearhit_assembly_add(assembly, NULL, broken, NULL, NULL, &error));
    NULL_REFUSED(nearhit_assembly_add(assembly, "a", NULL, NULL, NULL, &error));
    CHECK(nearhit_assembly_count(assembly) == 6 && nearhit_assembly_count(NULL) == 0);
    NULL_REFUSED(nearhit_assembly_clashes(NULL, NULL, list, &error));
    NULL_REFUSED(nearhit_assembly_clashes(assembly, NULL, NULL, &error));
    NULL_REFUSED(nearhit_assembly_new(NULL, &error));
    NULL_REFUSED(nearhit_clash_list_new(NULL, &error));
    CHECK(nearhit_clash_list_clashes(NULL, NULL) == NULL);
    nearhit_assembly_free(NULL);
    nearhit_clash_list_free(NULL);
    nearhit_model_free(broken);
    nearhit_clash_list_free(list);
    nearhit_assembly_free(assembly);
    printf("clash: %d checks\n", checks_made);
    return 0;
}
