/*
 * Arenas. `used` only grows until it is set back, so a mark is a number, and a call that is interrupted by
 * another needs the lock for no longer than reading and writing that number takes.
 *
 * Rejected: marks that nest in a list, to find one that is released out of turn: an address more in each, to
 * find what a mark beyond `used` mostly shows.
 */
#include "kernel.h"

static void expect_arena(const att_arena_t *arena)
{
#if ATT_CFG_CHECK >= 1
    ATT_EXPECT(arena != NULL && (arena->tag == 0 || arena->tag == ATT_TAG_ARENA), ATT_FAULT_BAD_OBJECT);
#else
    (void)arena;
#endif
}

void att_arena_init(att_arena_t *arena, void *memory, size_t size)
{
    ATT_EXPECT(arena != NULL, ATT_FAULT_BAD_OBJECT);
    ATT_EXPECT(memory != NULL && size != 0, ATT_FAULT_BAD_MEMORY);
    *arena = (att_arena_t)ATT_K_ARENA(memory, size);
}

void *att_arena_alloc(att_arena_t *arena, size_t size)
{
    return att_arena_alloc_aligned(arena, size, ATT_ARENA_ALIGN);
}

void *att_arena_alloc_aligned(att_arena_t *arena, size_t size, size_t alignment)
{
    expect_arena(arena);
    ATT_EXPECT(size != 0 && alignment != 0 && (alignment & (alignment - 1)) == 0, ATT_FAULT_BAD_MEMORY);
    void *block = NULL;
    att_key_t key = att_port_lock();
    const size_t left = arena->size - arena->used;
    const size_t skip = -((uintptr_t)arena->begin + arena->used) & (alignment - 1);
    if (skip <= left && size <= left - skip) {
        block = arena->begin + arena->used + skip;
        arena->used += skip + size;
    }
    att_port_unlock(key);
    return block;
}

att_arena_mark_t att_arena_mark(const att_arena_t *arena)
{
    return att_arena_used(arena);
}

void att_arena_release(att_arena_t *arena, att_arena_mark_t mark)
{
    expect_arena(arena);
    att_key_t key = att_port_lock();
    ATT_EXPECT(mark <= arena->used, ATT_FAULT_BAD_BLOCK);
    arena->used = mark;
    att_port_unlock(key);
}

void att_arena_reset(att_arena_t *arena)
{
    att_arena_release(arena, 0);
}

size_t att_arena_used(const att_arena_t *arena)
{
    expect_arena(arena);
    att_key_t key = att_port_lock();
    const size_t used = arena->used;
    att_port_unlock(key);
    return used;
}

size_t att_arena_available(const att_arena_t *arena)
{
    const size_t used = att_arena_used(arena);
    return arena->size - used;
}
