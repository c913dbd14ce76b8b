/*
 * Heaps: blocks of any size out of the caller's memory, for threads. The first free block from the lowest
 * address on that is large enough serves; what comes back joins its free neighbours at once. A heap has a
 * mutex of its own, and interrupts are enabled throughout: its walks delay only threads that use it.
 *
 *     ATT_HEAP(heap, 512);
 *     char *text = att_heap_alloc(&heap, 20);
 *
 * A block costs a header: a size_t, with checks two, rounded up to ATT_HEAP_ALIGN.
 */
#ifndef ATTACCA_HEAP_H
#define ATTACCA_HEAP_H

#include "attacca/base.h"
#include "attacca/mutex.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What every block is aligned to: enough for any type of the language. */
#define ATT_HEAP_ALIGN __alignof__(max_align_t)
/* The least memory for a heap, wherever it begins. */
#define ATT_HEAP_SIZE_MIN (4 * sizeof(size_t) + 2 * ATT_HEAP_ALIGN)

struct att_heap_block;

typedef struct {
    att_mutex_t lock;
    char *begin;
    char *end;
    struct att_heap_block *free; /* by address */
    bool ready;                  /* the first call has made the memory one free block */
    ATT_TAG_MEMBER
} att_heap_t;

/* Initialiser, of `size` bytes of memory (ATT_HEAP_SIZE_MIN at least, or it does not compile), aligned or
 * not. */
#define ATT_HEAP_INIT(memory, size)                                                                          \
    {                                                                                                        \
        ATT_MUTEX_INIT(ATT_MUTEX_PLAIN), (char *)(memory),                                                   \
            (char *)(memory) + (size) + 0 * sizeof(char[(size) >= ATT_HEAP_SIZE_MIN ? 1 : -1]), NULL,        \
            false ATT_TAG_INIT(ATT_TAG_HEAP)                                                                 \
    }

/* Define a heap and its memory. */
#define ATT_HEAP(name, size)                                                                                 \
    static char name##_memory[size] __attribute__((aligned(ATT_HEAP_ALIGN)));                                \
    static att_heap_t name = ATT_HEAP_INIT(name##_memory, sizeof(name##_memory))

/* The same at run time; no block of it may be in use. Context: any. Switches: no. Faults: BAD_MEMORY (none,
 * or less than ATT_HEAP_SIZE_MIN). Cost: constant. */
void att_heap_init(att_heap_t *heap, void *memory, size_t size);

/*
 * Take a block of at least `size` bytes; its content is arbitrary. Context: an unlocked thread. May switch.
 * Returns NULL if no free block is large enough. Faults: BAD_MEMORY (a size of 0); HEAP_CORRUPT. Cost: a +
 * b·n for n free blocks before it.
 */
void *att_heap_alloc(att_heap_t *heap, size_t size);

/* The same, aligned to a power of two; it is freed as any other. Faults: also BAD_MEMORY (another number). */
void *att_heap_alloc_aligned(att_heap_t *heap, size_t size, size_t alignment);

/*
 * Make a block larger or smaller: in its place if what follows it is free and large enough, else by moving
 * its content to another block; the address that counts is the one returned. NULL as the block:
 * att_heap_alloc. Alignment beyond ATT_HEAP_ALIGN is lost when it moves. Context: as att_heap_alloc. Returns
 * NULL if there is no room; the block is as it was then. Faults: BAD_BLOCK, BAD_MEMORY (a size of 0),
 * HEAP_CORRUPT. Cost: a + b·n for n free blocks, and the copy.
 */
void *att_heap_realloc(att_heap_t *heap, void *block, size_t size);

/*
 * Give a block back. Context: as att_heap_alloc. Faults: BAD_BLOCK (not of this heap, or freed twice);
 * HEAP_CORRUPT (also where `block` points into the middle of one). Cost: a + b·n for n free blocks before it.
 */
void att_heap_free(att_heap_t *heap, void *block);

/* What is left. */
typedef struct {
    size_t free;      /* bytes in all free blocks, headers apart */
    size_t largest;   /* att_heap_alloc of that many succeeds, of one more does not */
    size_t fragments; /* free blocks */
} att_heap_status_t;

/* Context: as att_heap_alloc. Cost: a + b·n for n free blocks. */
att_heap_status_t att_heap_status(att_heap_t *heap);

/* Are all headers as the heap left them? At level 0, without seals, a size or a link that leads to no block
 * is found, and no more. Context: as att_heap_alloc. Cost: a + b·n for n blocks. */
bool att_heap_sound(att_heap_t *heap);

#ifdef __cplusplus
}
#endif

#endif
