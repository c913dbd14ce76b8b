/*
 * The floors of switch-semaphore, switch-event and switch-mailbox (BENCH_FLOOR 0, 1, 2): the same pulses with what is
 * in floor.S instead of the kernel.
 */
#include "bench.h"

typedef struct {
    void *waiter;
    void *word;
    att_mask_t wanted;
} floor_t;

void floor_give(floor_t *object);
void floor_signal(floor_t *object, att_mask_t mask);
void floor_post(floor_t *object, uintptr_t word);
void floor_wait(floor_t *object, att_mask_t wanted);
void floor_begin(void (*function)(void), void *stack_end);

static floor_t object;

static void high(void)
{
    bench_mark(1);
    for (;;) {
        floor_wait(&object, 1);
        probe_clear();
        bench_count();
    }
}

int main(void)
{
    static uint64_t stack[64];
    static uintptr_t word;
    bench_pins_start();
    object.word = BENCH_FLOOR == 2 ? &word : NULL;
    floor_begin(high, stack + 64);
    for (;;) {
        bench_overhead();
        probe_set();
#if BENCH_FLOOR == 0
        floor_give(&object);
#elif BENCH_FLOOR == 1
        floor_signal(&object, 1);
#else
        floor_post(&object, 1);
#endif
    }
}
