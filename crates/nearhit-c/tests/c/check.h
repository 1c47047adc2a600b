/* What the tests in C and C++ share: checks that name the line, and a few meshes. */
#ifndef NEARHIT_TESTS_CHECK_H
#define NEARHIT_TESTS_CHECK_H

#include <math.h>
#include <nearhit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each thread counts its own. */
static __thread int checks_made = 0;

#define CHECK(condition)                                                                  \
    do {                                                                                  \
        ++checks_made;                                                                    \
        if (!(condition)) {                                                               \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);               \
            exit(1);                                                                      \
        }                                                                                 \
    } while (0)

/* A call that must succeed; what it says goes to stderr if it does not. */
#define OK(call)                                                                          \
    do {                                                                                  \
        nearhit_status ok_status_ = (call);                                               \
        ++checks_made;                                                                    \
        if (ok_status_ != NEARHIT_STATUS_OK) {                                            \
            fprintf(stderr, "%s:%d: %s: %s: %s\n", __FILE__, __LINE__, #call,             \
                    nearhit_status_name(ok_status_), error.message);                      \
            exit(1);                                                                      \
        }                                                                                 \
    } while (0)

/* A call that must be refused for this reason, in these words. */
#define REFUSED(call, expected, words)                                                    \
    do {                                                                                  \
        error.message[0] = 0;                                                             \
        nearhit_status refused_status_ = (call);                                          \
        ++checks_made;                                                                    \
        if (refused_status_ != (expected) || error.status != (expected) ||                \
            !strstr(error.message, words)) {                                              \
            fprintf(stderr, "%s:%d: %s: %s: %s\n", __FILE__, __LINE__, #call,             \
                    nearhit_status_name(refused_status_), error.message);                 \
            exit(1);                                                                      \
        }                                                                                 \
    } while (0)

#define NEAR(a, b) (fabs((a) - (b)) < 1e-9)

#ifndef __cplusplus
static const uint32_t CUBE_FACES[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                        2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};

/* A closed cube with corners at plus and minus `half`. */
__attribute__((unused)) static nearhit_model *cube(double half) {
    nearhit_error error;
    nearhit_model *model = NULL;
    double corners[24];
    for (int i = 0; i < 8; ++i) {
        corners[3 * i] = i & 1 ? half : -half;
        corners[3 * i + 1] = i & 2 ? half : -half;
        corners[3 * i + 2] = i & 4 ? half : -half;
    }
    OK(nearhit_model_from_arrays(corners, 8, CUBE_FACES, 12, NEARHIT_PRESET_BALANCED, &model, &error));
    return model;
}

__attribute__((unused)) static nearhit_pose at(double x, double y, double z) {
    nearhit_pose pose = nearhit_pose_identity();
    pose.translation[0] = x;
    pose.translation[1] = y;
    pose.translation[2] = z;
    return pose;
}
#endif

#endif
