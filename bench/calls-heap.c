/* Heaps; n: free blocks between used ones, which an allocation walks past. */
#include "calls.h"

ATT_HEAP(heap, 240);

static void use(void *arg)
{
    (void)arg;
    att_heap_free(&heap, att_heap_alloc(&heap, 4));
}

void calls(void)
{
    void *used[CALLS_N];
    att_heap_init(&heap, heap_memory, sizeof(heap_memory));
    for (uint8_t i = 0; i < CALLS_N; i++) {
        void *const gap = att_heap_alloc(&heap, 4);
        used[i] = att_heap_alloc(&heap, 4);
        att_heap_free(&heap, gap);
    }
    void *block = att_heap_alloc(&heap, 20);
    block = att_heap_realloc(&heap, block, 40);
    (void)att_heap_status(&heap);
    (void)att_heap_sound(&heap);
    att_heap_free(&heap, block);
    att_heap_free(&heap, att_heap_alloc_aligned(&heap, 8, 16));
    (void)att_heap_alloc(&heap, 1000);
    CALLS_EACH_PRIORITY(prio)
    {
        calls_start(prio, use, NULL);
        calls_join();
    }
    for (uint8_t i = 0; i < CALLS_N; i++) {
        att_heap_free(&heap, used[i]);
    }
}
