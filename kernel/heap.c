/*
 * Heaps. Memory is blocks without a gap, each with its size in front; free ones are linked in the order of
 * their addresses, and adjacent ones are joined. With checks a header has a seal, computed from its size,
 * that tells used from free: every walk checks the seals of the blocks that it passes.
 *
 * The mutex is the heap's own. Rejected: masking interrupts (a walk has no bound), bins by size (more RAM
 * than a small heap has to spare), sizes at both ends of a block (joining without a walk, for two bytes a
 * block).
 *
 * Built on: mutex.
 */
#include "kernel.h"

typedef struct att_heap_block {
    size_t size; /* header included, a multiple of the alignment */
#if ATT_CFG_CHECK >= 1
    size_t seal;
#endif
    struct att_heap_block *next; /* if it is free; the content begins here or a little later */
} __attribute__((may_alias)) block_t;

enum {
    ALIGN = ATT_HEAP_ALIGN,
    HEADER = (offsetof(block_t, next) + ALIGN - 1) / ALIGN * ALIGN,
    CONTENT = sizeof(block_t *) > ALIGN ? sizeof(block_t *) : ALIGN,
    BLOCK_MIN = (HEADER + CONTENT + ALIGN - 1) / ALIGN * ALIGN
};
_Static_assert((ALIGN & (ALIGN - 1)) == 0 && BLOCK_MIN + ALIGN - 1 <= ATT_HEAP_SIZE_MIN, "");
#define USED ((size_t)0xA5C3u)
#define FREE ((size_t)0x5A3Cu)

static void heap_lock(att_heap_t *heap)
{
    (void)att_mutex_lock_forever(&heap->lock);
}

static void heap_unlock(att_heap_t *heap)
{
    att_mutex_unlock(&heap->lock);
}

static block_t *at(void *memory)
{
    return (block_t *)memory;
}

static char *end_of(block_t *block)
{
    return (char *)block + block->size;
}

static void set(block_t *block, size_t size, size_t kind)
{
    block->size = size;
#if ATT_CFG_CHECK >= 1
    block->seal = size ^ kind;
#else
    (void)kind;
#endif
}

#if ATT_CFG_CHECK >= 1
#define SEALED(block, kind) ((block)->seal == ((block)->size ^ (kind)))

/* Within the heap, where a block of it can begin. */
static bool inside(const att_heap_t *heap, const void *block)
{
    const uintptr_t offset = (uintptr_t)block - (uintptr_t)heap->begin;
    return offset <= (size_t)(heap->end - heap->begin) - BLOCK_MIN && offset % ALIGN == 0;
}
#else
#define SEALED(block, kind) true
#endif

static void expect_free(const att_heap_t *heap, const block_t *block)
{
#if ATT_CFG_CHECK >= 1
    ATT_EXPECT(inside(heap, block) && SEALED(block, FREE), ATT_FAULT_HEAP_CORRUPT);
#else
    (void)heap;
    (void)block;
#endif
}

/* A write beyond the end of a block destroys the header behind it. */
static void expect_used(const att_heap_t *heap, block_t *block)
{
#if ATT_CFG_CHECK >= 1
    ATT_EXPECT(inside(heap, block) && !SEALED(block, FREE), ATT_FAULT_BAD_BLOCK);
    ATT_EXPECT(SEALED(block, USED), ATT_FAULT_HEAP_CORRUPT);
    const block_t *next = at(end_of(block));
    ATT_EXPECT((const char *)next == heap->end ||
                   (inside(heap, next) && (SEALED(next, USED) || SEALED(next, FREE))),
               ATT_FAULT_HEAP_CORRUPT);
#else
    (void)heap;
    (void)block;
#endif
}

static block_t *used_block(const att_heap_t *heap, void *content)
{
    ATT_EXPECT(content != NULL, ATT_FAULT_BAD_BLOCK);
    block_t *block = at((char *)content - HEADER);
    expect_used(heap, block);
    return block;
}

/* Every block from the first to the last, and the list passes each free one. */
static bool sound(const att_heap_t *heap)
{
    const block_t *free = heap->free;
    bool after_free = false;
    char *here = heap->begin;
    while (here != heap->end) {
        block_t *block = at(here);
        const bool is_free = block == free;
        if (block->size < BLOCK_MIN || block->size % ALIGN != 0 || block->size > (size_t)(heap->end - here) ||
            !SEALED(block, is_free ? FREE : USED) || (is_free && after_free)) {
            return false;
        }
        if (is_free) {
            free = block->next;
        }
        after_free = is_free;
        here = end_of(block);
    }
    return free == NULL;
}

/* All of the memory, as far as it is aligned, is one free block. */
static void make_ready(att_heap_t *heap)
{
    heap->begin += -(uintptr_t)heap->begin % ALIGN;
    heap->end -= (uintptr_t)heap->end % ALIGN;
    block_t *whole = at(heap->begin);
    set(whole, (size_t)(heap->end - heap->begin), FREE);
    whole->next = NULL;
    heap->free = whole;
    heap->ready = true;
}

static void heap_lock_ready(att_heap_t *heap)
{
#if ATT_CFG_CHECK >= 1
    ATT_EXPECT(heap != NULL && heap->tag == ATT_TAG_HEAP, ATT_FAULT_BAD_OBJECT);
#endif
    heap_lock(heap);
    if (!heap->ready) {
        make_ready(heap);
    }
}

/* How calls begin; they end with heap_unlock. */
static void enter(att_heap_t *heap)
{
    heap_lock_ready(heap);
    ATT_EXPECT(ATT_CFG_CHECK < 2 || sound(heap), ATT_FAULT_HEAP_CORRUPT);
}

/* The link that leads to the first free block not below `place`. */
static block_t **link_to(att_heap_t *heap, const void *place)
{
    block_t **link = &heap->free;
    while (*link != NULL && (const void *)*link < place) {
        expect_free(heap, *link);
        link = &(*link)->next;
    }
    return link;
}

/* Into the list, and one with the free blocks that it touches. */
static void put(att_heap_t *heap, block_t *block)
{
    block_t *before = NULL;
    block_t *after = heap->free;
    while (after != NULL && after < block) {
        expect_free(heap, after);
        before = after;
        after = after->next;
    }
    set(block, block->size, FREE);
    block->next = after;
    if (end_of(block) == (char *)after) {
        block->next = after->next;
        set(block, block->size + after->size, FREE);
    }
    if (before == NULL) {
        heap->free = block;
    } else if (end_of(before) == (char *)block) {
        before->next = block->next;
        set(before, before->size + block->size, FREE);
    } else {
        before->next = block;
    }
}

/* A used block of at least `need` keeps that much, if the rest is enough for a block. */
static void cut(att_heap_t *heap, block_t *block, size_t need)
{
    const size_t rest = block->size - need;
    if (rest >= BLOCK_MIN) {
        set(block, need, USED);
        block_t *tail = at(end_of(block));
        tail->size = rest;
        put(heap, tail);
    }
}

/* Size of a block with that content, which is not larger than the heap. */
static size_t needed(size_t size)
{
    const size_t whole = (size + HEADER + ALIGN - 1) / ALIGN * ALIGN;
    return whole < BLOCK_MIN ? BLOCK_MIN : whole;
}

/* Bytes to leave in front, so that the content is aligned and what is left is nothing, or a block. */
static size_t lead_of(const block_t *block, size_t alignment)
{
    size_t lead = -((uintptr_t)block + HEADER) & (alignment - 1);
    while (lead != 0 && lead < BLOCK_MIN) {
        lead += alignment;
    }
    return lead;
}

/* `link` leads to a free block that is large enough. */
static void *take(block_t **link, size_t lead, size_t need)
{
    block_t *block = *link;
    if (lead != 0) {
        block_t *aligned = at((char *)block + lead);
        set(aligned, block->size - lead, FREE);
        aligned->next = block->next;
        block->next = aligned;
        set(block, lead, FREE);
        link = &block->next;
        block = aligned;
    }
    const size_t rest = block->size - need;
    if (rest >= BLOCK_MIN) {
        block_t *tail = at((char *)block + need);
        set(tail, rest, FREE);
        tail->next = block->next;
        *link = tail;
        set(block, need, USED);
    } else {
        *link = block->next;
        set(block, block->size, USED);
    }
    return (char *)block + HEADER;
}

void att_heap_init(att_heap_t *heap, void *memory, size_t size)
{
    ATT_EXPECT(heap != NULL, ATT_FAULT_BAD_OBJECT);
    ATT_EXPECT(memory != NULL && size >= ATT_HEAP_SIZE_MIN, ATT_FAULT_BAD_MEMORY);
    *heap = (att_heap_t){ATT_MUTEX_INIT(ATT_MUTEX_PLAIN), memory, (char *)memory + size, NULL,
                         false ATT_TAG_INIT(ATT_TAG_HEAP)};
}

void *att_heap_alloc(att_heap_t *heap, size_t size)
{
    return att_heap_alloc_aligned(heap, size, ALIGN);
}

void *att_heap_alloc_aligned(att_heap_t *heap, size_t size, size_t alignment)
{
    ATT_EXPECT(size != 0 && alignment != 0 && (alignment & (alignment - 1)) == 0, ATT_FAULT_BAD_MEMORY);
    void *content = NULL;
    enter(heap);
    if (size <= (size_t)(heap->end - heap->begin)) {
        const size_t need = needed(size);
        for (block_t **link = &heap->free; *link != NULL; link = &(*link)->next) {
            expect_free(heap, *link);
            const size_t lead = lead_of(*link, alignment);
            if (lead <= (*link)->size && (*link)->size - lead >= need) {
                content = take(link, lead, need);
                break;
            }
        }
    }
    heap_unlock(heap);
    return content;
}

/* In its place, if that is possible. */
static bool resize(att_heap_t *heap, block_t *block, size_t need)
{
    if (need > block->size) {
        block_t **link = link_to(heap, end_of(block));
        block_t *next = *link;
        if ((char *)next != end_of(block) || block->size + next->size < need) {
            return false;
        }
        *link = next->next;
        set(block, block->size + next->size, USED);
    }
    cut(heap, block, need);
    return true;
}

void *att_heap_realloc(att_heap_t *heap, void *content, size_t size)
{
    if (content == NULL) {
        return att_heap_alloc(heap, size);
    }
    ATT_EXPECT(size != 0, ATT_FAULT_BAD_MEMORY);
    enter(heap);
    block_t *block = used_block(heap, content);
    const bool possible = size <= (size_t)(heap->end - heap->begin);
    const bool done = possible && resize(heap, block, needed(size));
    const size_t had = block->size - HEADER;
    heap_unlock(heap);
    if (done) {
        return content;
    }
    void *moved = att_heap_alloc(heap, size);
    if (moved != NULL) {
        __builtin_memcpy(moved, content, had);
        att_heap_free(heap, content);
    }
    return moved;
}

void att_heap_free(att_heap_t *heap, void *content)
{
    enter(heap);
    put(heap, used_block(heap, content));
    heap_unlock(heap);
}

att_heap_status_t att_heap_status(att_heap_t *heap)
{
    att_heap_status_t status = {0, 0, 0};
    enter(heap);
    for (const block_t *block = heap->free; block != NULL; block = block->next) {
        expect_free(heap, block);
        const size_t size = block->size - HEADER;
        status.free += size;
        status.largest = size > status.largest ? size : status.largest;
        status.fragments++;
    }
    heap_unlock(heap);
    return status;
}

bool att_heap_sound(att_heap_t *heap)
{
    heap_lock_ready(heap); /* enter() would stop here at level 2 */
    const bool is_sound = sound(heap);
    heap_unlock(heap);
    return is_sound;
}
