/*
 * The floor of switch-semaphore: the same pulse in hand-written assembly, as short as a semaphore with priorities lets
 * it be (floor.S), without the kernel. What a kernel in C is held against: no library, and nothing that a program
 * could use.
 */
#include "bench.h"

typedef struct floor_thread {
    void *sp;
    struct floor_thread *below; /* preempted by it; while it waits, the next waiter */
    uint32_t priority;
} floor_thread_t;

typedef struct {
    floor_thread_t *first; /* of the waiters */
    uint32_t count;
} floor_sem_t;

floor_thread_t *floor_running;
void floor_give(floor_sem_t *sem);
void floor_take(floor_sem_t *sem);
void *floor_frame(void *end, void (*entry)(void));

static floor_thread_t low = {NULL, NULL, 2}, high = {NULL, NULL, 4};
static floor_sem_t sem;
static uint64_t stack[64];

static void woken(void)
{
    for (;;) {
        probe_clear();
        bench_count();
        floor_take(&sem);
    }
}

int main(void)
{
    bench_pins_start();
    high.sp = floor_frame(&stack[64], woken);
    floor_running = &low;
    sem.first = &high;
    bench_mark(1);
    for (;;) {
        bench_overhead();
        probe_set();
        floor_give(&sem);
    }
}
