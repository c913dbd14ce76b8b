/*
 * Arenas: memory that is given out from one end and given back all at once, or back to a mark. No block costs
 * a header, and no call walks: for what lives as long as one task, one message, one phase of the start.
 *
 *     ATT_ARENA(arena, 200);
 *     const att_arena_mark_t mark = att_arena_mark(&arena);
 *     char *text = att_arena_alloc(&arena, 20);
 *     att_arena_release(&arena, mark);
 *
 * All zero is a valid arena, of no memory.
 */
#ifndef ATTACCA_ARENA_H
#define ATTACCA_ARENA_H

#include "attacca/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    char *begin;
    size_t size;
    size_t used; /* up to there it is given out */
    ATT_TAG_MEMBER
} att_arena_t;

/* What every block is aligned to: enough for any type of the language. */
#define ATT_ARENA_ALIGN __alignof__(max_align_t)

/* Initialiser, of `size` bytes of memory, 1 at least (or it does not compile). Memory of any alignment will
 * do; some of it may be skipped then. */
#define ATT_ARENA_INIT(memory, size) ATT_K_ARENA(memory, ATT_K_RANGE(size, 1, ATT_K_SIZE_MAX))
/* The same, unchecked. */
#define ATT_K_ARENA(memory, size)                                                                            \
    {                                                                                                        \
        (char *)(memory), (size), 0 ATT_TAG_INIT(ATT_TAG_ARENA)                                              \
    }

/* Define an arena and its memory. */
#define ATT_ARENA(name, size)                                                                                \
    static char name##_memory[ATT_K_RANGE(size, 1, ATT_K_SIZE_MAX)]                                          \
        __attribute__((aligned(ATT_ARENA_ALIGN)));                                                           \
    static att_arena_t name = ATT_ARENA_INIT(name##_memory, sizeof(name##_memory))

/* The same at run time. Context: any. Switches: no. Faults: BAD_MEMORY (none, or a size of 0). Cost:
 * constant. */
void att_arena_init(att_arena_t *arena, void *memory, size_t size);

/* Take `size` bytes; their content is arbitrary. Context: any. Switches: no. Returns NULL if there are not as
 * many. Faults: BAD_MEMORY (a size of 0). Cost: constant. */
void *att_arena_alloc(att_arena_t *arena, size_t size);

/* The same, aligned to a power of two, which may be 1. Faults: also BAD_MEMORY (another number). */
void *att_arena_alloc_aligned(att_arena_t *arena, size_t size, size_t alignment);

/* How much is given out: a place to come back to. Context: any. Cost: constant. */
typedef size_t att_arena_mark_t;
att_arena_mark_t att_arena_mark(const att_arena_t *arena);

/* Give back everything that was taken since the mark; marks made since then mean nothing any more. Context:
 * any. Switches: no. Faults: BAD_BLOCK (such a mark). Cost: constant. */
void att_arena_release(att_arena_t *arena, att_arena_mark_t mark);

/* Give back everything. Context: any. Switches: no. Cost: constant. */
void att_arena_reset(att_arena_t *arena);

/* Bytes given out, and bytes left, skipped ones with the former. Context: any. Cost: constant. */
size_t att_arena_used(const att_arena_t *arena);
size_t att_arena_available(const att_arena_t *arena);

#ifdef __cplusplus
}
#endif

#endif
