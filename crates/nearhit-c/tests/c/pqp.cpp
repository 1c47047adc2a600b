// A program as it is written for PQP, with nothing of nearhit in it but the include path; answers that
// can be told by hand.
#include "PQP.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int checks = 0;
#define CHECK(condition) \
    do { ++checks; if (!(condition)) { fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); exit(1); } } while (0)

static void identity(PQP_REAL R[3][3], PQP_REAL T[3], PQP_REAL x, PQP_REAL y, PQP_REAL z) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) R[i][j] = i == j;
    T[0] = x;
    T[1] = y;
    T[2] = z;
}

/* Ids are not indices: from `first` on, in steps of ten. */
static void add_cube(PQP_Model *model, PQP_REAL half, int first) {
    static const int faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                     {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    CHECK(model->BeginModel() == PQP_OK);
    for (int f = 0; f < 12; f++) {
        PQP_REAL p[3][3];
        for (int c = 0; c < 3; c++)
            for (int axis = 0; axis < 3; axis++) p[c][axis] = faces[f][c] >> axis & 1 ? half : -half;
        CHECK(model->AddTri(p[0], p[1], p[2], first + 10 * f) == PQP_OK);
    }
    CHECK(model->EndModel() == PQP_OK);
}

static void sequence() {
    PQP_Model model;
    PQP_REAL p[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    CHECK(model.EndModel() == PQP_ERR_BUILD_EMPTY_MODEL);
    CHECK(model.AddTri(p[0], p[1], p[2], 1) == PQP_OK); /* begins by itself */
    CHECK(model.BeginModel() == PQP_ERR_BUILD_OUT_OF_SEQUENCE); /* and is cleared */
    CHECK(model.EndModel() == PQP_ERR_BUILD_EMPTY_MODEL);
    CHECK(model.AddTri(p[0], p[1], p[2], 1) == PQP_OK && model.EndModel() == PQP_OK);
    CHECK(model.AddTri(p[0], p[1], p[2], 1) == PQP_ERR_BUILD_OUT_OF_SEQUENCE);
    CHECK(model.EndModel() == PQP_ERR_BUILD_OUT_OF_SEQUENCE && model.MemUsage(0) > 0);
    PQP_Model unprocessed;
    PQP_CollideResult collide;
    PQP_DistanceResult distance;
    PQP_ToleranceResult tolerance;
    PQP_REAL R[3][3], T[3];
    identity(R, T, 0, 0, 0);
    CHECK(PQP_Collide(&collide, R, T, &model, R, T, &unprocessed) == PQP_ERR_UNPROCESSED_MODEL);
    CHECK(PQP_Distance(&distance, R, T, &unprocessed, R, T, &model, 0, 0) == PQP_ERR_UNPROCESSED_MODEL);
    CHECK(PQP_Tolerance(&tolerance, R, T, &unprocessed, R, T, &model, 0) == PQP_ERR_UNPROCESSED_MODEL);
    R[0][0] = 2;
    CHECK(PQP_Collide(&collide, R, T, &model, R, T, &model) == PQP_ERR_NEARHIT && collide.error.message[0]);
    p[0][0] = NAN;
    CHECK(unprocessed.AddTri(p[0], p[1], p[2], 1) == PQP_OK && unprocessed.EndModel() == PQP_ERR_NEARHIT);
}

int main() {
    sequence();
    PQP_Model *big = new PQP_Model, *small = new PQP_Model;
    add_cube(big, 1.0, 1000);
    add_cube(small, 0.25, 5);
    PQP_REAL R1[3][3], T1[3], R2[3][3], T2[3];

    /* The small one through the right face of the big one. */
    identity(R1, T1, 10, 0, 0);
    identity(R2, T2, 11, 0.1, 0);
    PQP_CollideResult collide;
    CHECK(PQP_Collide(&collide, R1, T1, big, R2, T2, small, PQP_ALL_CONTACTS) == PQP_OK);
    CHECK(collide.Colliding() && collide.NumPairs() > 4 && collide.NumTriTests() > 0);
    for (int i = 0; i < collide.NumPairs(); i++) {
        /* Faces 10 and 11 are at x = 1. */
        CHECK(collide.Id1(i) == 1100 || collide.Id1(i) == 1110);
        CHECK(collide.Id2(i) >= 5 && collide.Id2(i) <= 115 && (collide.Id2(i) - 5) % 10 == 0);
    }
    int all = collide.NumPairs();
    CHECK(PQP_Collide(&collide, R1, T1, big, R2, T2, small, PQP_FIRST_CONTACT) == PQP_OK);
    CHECK(collide.NumPairs() == 1 && all > 1 && collide.QueryTimeSecs() >= 0);
    collide.FreePairsList();
    CHECK(!collide.Colliding());

    /* Apart by 1.75, model 2 turned by a quarter about z; points in the frames of their models. */
    T2[0] = 13;
    T2[1] = 0;
    R2[0][0] = 0; R2[0][1] = -1; R2[1][0] = 1; R2[1][1] = 0;
    PQP_DistanceResult distance;
    CHECK(PQP_Distance(&distance, R1, T1, big, R2, T2, small, 0.0, 0.0) == PQP_OK);
    CHECK(fabs(distance.Distance() - 1.75) < 1e-12);
    CHECK(fabs(distance.P1()[0] - 1.0) < 1e-12 && fabs(distance.P2()[1] - 0.25) < 1e-12);
    /* The smaller error counts: one of zero makes it exact, whatever the other. */
    CHECK(PQP_Distance(&distance, R1, T1, big, R2, T2, small, 0.9, 0.0) == PQP_OK && fabs(distance.Distance() - 1.75) < 1e-12);
    CHECK(PQP_Distance(&distance, R1, T1, big, R2, T2, small, 0.0, 9.0, 100) == PQP_OK && fabs(distance.Distance() - 1.75) < 1e-12);
    CHECK(PQP_Distance(&distance, R1, T1, big, R2, T2, small, 0.5, 0.1) == PQP_OK);
    CHECK(distance.Distance() >= 1.75 - 1e-12 && distance.Distance() <= 1.85);

    PQP_ToleranceResult tolerance;
    CHECK(PQP_Tolerance(&tolerance, R1, T1, big, R2, T2, small, 1.8) == PQP_OK && tolerance.CloserThanTolerance());
    CHECK(tolerance.Distance() >= 1.75 - 1e-12 && tolerance.Distance() <= 1.8);
    /* Its points are that far apart, in the world. */
    PQP_REAL gap = 0;
    for (int i = 0; i < 3; i++) {
        PQP_REAL a = T1[i], b = T2[i];
        for (int j = 0; j < 3; j++) {
            a += R1[i][j] * tolerance.P1()[j];
            b += R2[i][j] * tolerance.P2()[j];
        }
        gap += (a - b) * (a - b);
    }
    CHECK(fabs(sqrt(gap) - tolerance.Distance()) < 1e-9);
    CHECK(PQP_Tolerance(&tolerance, R1, T1, big, R2, T2, small, 1.7) == PQP_OK && !tolerance.CloserThanTolerance());

    delete big;
    delete small;
    printf("pqp: %d checks\n", checks);
    return 0;
}
