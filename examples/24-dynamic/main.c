/*
 * Created at run time, out of a heap: a worker for each order, and a semaphore that they count with. No
 * thread keeps a reference to the workers: each is released at once and runs detached; when it has ended, the
 * next creation frees its memory. The director finds the semaphore by its name, and lists the live threads by
 * a walk of the registry.
 */
#include "say.h"

#include "attacca/dynamic_objects.h"

#define WORKER_STACK (ATT_STACK_MIN + 80)
ATT_HEAP(heap, 3 * (ATT_OBJECT_SIZE_THREAD(WORKER_STACK) + 2 * ATT_HEAP_ALIGN) + 100);
static const att_store_t store = ATT_STORE_HEAP(&heap);

static void work(void *arg)
{
    att_sem_t *done = att_registry_find(
        &att_kind_sem, "done"); /* a reference: the semaphore cannot be deleted while it is held */
    att_sleep((att_time_t)(uintptr_t)arg);
    att_sem_give(done);
    att_object_release(done);
} /* the thread ends; the next create or release frees its memory */

static void list(void)
{
    say("alive:");
    for (att_thread_t *thread = att_thread_first(); thread != NULL; thread = att_thread_next(thread)) {
        say(" ");
        say(att_thread_name(thread));
    }
    say("\n");
}

static void direct(void *arg)
{
    static const char *const names[] = {"ann", "bob", "cid", "dot"};
    att_sem_t *done = att_sem_create(&store, "done", 0, 100);
    (void)arg;
    for (uint8_t round = 0;; round++) {
        void *length = (void *)(uintptr_t)ATT_MS(15 + 10 * (round % 3));
        att_thread_t *worker = att_thread_create(&store, WORKER_STACK, 1, names[round % 4], work, length);
        if (worker == NULL) {
            say("no room\n");
            att_sem_take(done, ATT_FOREVER); /* one of them ends */
        } else {
            att_thread_release(worker); /* detached */
        }
        att_sleep(ATT_MS(10));
        list();
    }
}

ATT_THREAD(director, 2, ATT_STACK_MIN + 120, direct, NULL);
ATT_SYSTEM(director);

int main(void)
{
    att_board_console_start();
    att_start();
}
