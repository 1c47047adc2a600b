/* Sixteen threads at once: models, trees and scenes that are shared, working memory that must not be.
 * Run under ThreadSanitizer and AddressSanitizer. */
#include "check.h"

#include <pthread.h>

enum { THREADS = 16 };

static int rounds = 200;
static nearhit_model *big, *small;
static nearhit_scene *scene;
static nearhit_sphere_tree *tree;
static nearhit_scratch *shared_scratch;
static nearhit_refinement *shared_refinement;

typedef struct {
    int number;
    int busy, done;
} Worker;

static void *work(void *given) {
    Worker *worker = (Worker *)given;
    nearhit_error error;
    nearhit_settings own = {0}, shared = {0};
    nearhit_contact_list *contacts = NULL;
    nearhit_touch_list *touches = NULL;
    char name[32];
    uint64_t body = 0;
    snprintf(name, sizeof name, "body %d", worker->number);
    OK(nearhit_scratch_new(&own.scratch, &error));
    OK(nearhit_contact_list_new(&contacts, &error));
    OK(nearhit_touch_list_new(&touches, &error));
    shared.scratch = shared_scratch;
    nearhit_pose place = at(10.0 * worker->number, 0, 50);
    OK(nearhit_scene_add(scene, name, small, &place, NULL, &body, &error));
    for (int i = 0; i < rounds; ++i) {
        nearhit_distance_result gap;
        nearhit_collide_result touch;
        nearhit_refine_result known;
        nearhit_pose away = at(3.0 + 0.01 * i, 0, 0), through = at(1, 0.1, 0);
        /* Shared models with working memory of one's own: exact, every time. */
        OK(nearhit_distance(big, NULL, small, &away, &own, &gap, &error));
        CHECK(NEAR(gap.upper, 1.75 + 0.01 * i));
        OK(nearhit_contacts_with_points(big, NULL, small, &through, &own, contacts, &error));
        /* Working memory that all share: refused or right, never wrong. */
        nearhit_status status = nearhit_collide(big, NULL, small, &through, &shared, &touch, &error);
        CHECK(status == NEARHIT_STATUS_OK || status == NEARHIT_STATUS_BUSY);
        CHECK(status == NEARHIT_STATUS_BUSY || touch.verdict == NEARHIT_VERDICT_YES);
        worker->busy += status == NEARHIT_STATUS_BUSY;
        worker->done += status == NEARHIT_STATUS_OK;
        status = nearhit_refinement_run(shared_refinement, tree, NULL, tree, &away, NULL, &known, &error);
        CHECK(status == NEARHIT_STATUS_OK || status == NEARHIT_STATUS_BUSY);
        CHECK(status == NEARHIT_STATUS_BUSY || known.verdict == NEARHIT_VERDICT_NO);
        /* One scene for all: calls wait for each other. */
        place = at(10.0 * worker->number, 0.001 * i, 50);
        OK(nearhit_scene_move(scene, body, &place, &error));
        if (i % 20 == 0) {
            OK(nearhit_scene_pairs(scene, touches, &error));
            size_t count = 99;
            nearhit_touch_list_touches(touches, &count);
            CHECK(count == 0);
        }
        /* A handle of one's own to the shared model, and errors of one's own. */
        nearhit_model *mine = NULL;
        OK(nearhit_model_clone(big, &mine, &error));
        nearhit_model_free(mine);
        REFUSED(nearhit_scene_find(scene, "nobody", &(uint64_t){0}, &error), NEARHIT_STATUS_SCENE, "nobody");
    }
    OK(nearhit_scene_remove(scene, body, &error));
    nearhit_scratch_free(own.scratch);
    nearhit_contact_list_free(contacts);
    nearhit_touch_list_free(touches);
    return NULL;
}

int main(int count, char **arguments) {
    pthread_t threads[THREADS];
    Worker workers[THREADS];
    nearhit_error error;
    if (count > 1) rounds = atoi(arguments[1]);
    big = cube(1.0);
    small = cube(0.25);
    OK(nearhit_scene_new(0, 0, &scene, &error));
    OK(nearhit_sphere_tree_new(small, 2, NEARHIT_SPHERE_METHOD_OCTREE, &tree, &error));
    OK(nearhit_scratch_new(&shared_scratch, &error));
    OK(nearhit_refinement_new(&shared_refinement, &error));
    for (int i = 0; i < THREADS; ++i) {
        workers[i] = (Worker){i, 0, 0};
        CHECK(pthread_create(&threads[i], NULL, work, &workers[i]) == 0);
    }
    int done = 0, busy = 0;
    for (int i = 0; i < THREADS; ++i) {
        CHECK(pthread_join(threads[i], NULL) == 0);
        done += workers[i].done;
        busy += workers[i].busy;
    }
    CHECK(nearhit_scene_count(scene) == 0 && done > 0);
    nearhit_scene_free(scene);
    nearhit_sphere_tree_free(tree);
    nearhit_scratch_free(shared_scratch);
    nearhit_refinement_free(shared_refinement);
    nearhit_model_free(big);
    nearhit_model_free(small);
    printf("threads: %d rounds of %d, shared working memory %d times had, %d times refused\n", rounds, THREADS, done, busy);
    return 0;
}
