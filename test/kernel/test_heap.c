/*
 * Heaps. The storm of allocations is held against a model that knows nothing of blocks and headers: what is
 * given out keeps its content, lies apart from everything else given out, and is refused only where the
 * largest free block is too small.
 */
#include "irq.h"

#if defined(__AVR__)
#define SIZE 240
#define ROUNDS 1500
#else
#define SIZE 6000
#define ROUNDS 20000
#endif
#define LIVE 10

static char memory[SIZE] __attribute__((aligned(ATT_HEAP_ALIGN)));
static att_heap_t heap;
static size_t whole; /* the largest block of the empty heap */

static void begin(void)
{
    att_heap_init(&heap, memory, SIZE);
    whole = att_heap_status(&heap).largest;
}

/* Everything is back: one block. */
static void check_empty(void)
{
    const att_heap_status_t status = att_heap_status(&heap);
    CHECK_EQ(status.largest, whole);
    CHECK_EQ(status.free, whole);
    CHECK_EQ(status.fragments, 1);
    CHECK(att_heap_sound(&heap));
}

static void fill(char *block, size_t size, uint8_t seed)
{
    for (size_t k = 0; k < size; k++) {
        block[k] = (char)(seed + k);
    }
}

static bool filled(const char *block, size_t size, uint8_t seed)
{
    for (size_t k = 0; k < size; k++) {
        if (block[k] != (char)(seed + k)) {
            return false;
        }
    }
    return true;
}

ATT_HEAP(declared, 100 + ATT_HEAP_SIZE_MIN);

TEST(declares, "a declared heap is ready: its blocks lie in its memory, aligned for any type")
{
    char *first = att_heap_alloc(&declared, 1);
    char *second = att_heap_alloc(&declared, 20);
    CHECK(first > declared_memory && second > first);
    CHECK(second + 20 <= declared_memory + sizeof(declared_memory));
    CHECK_EQ((uintptr_t)first % ATT_HEAP_ALIGN, 0);
    CHECK_EQ((uintptr_t)second % ATT_HEAP_ALIGN, 0);
    att_heap_free(&declared, first);
    att_heap_free(&declared, second);
    CHECK_EQ(att_heap_status(&declared).fragments, 1);
}

TEST(any_memory, "memory for a heap begins and ends anywhere")
{
    for (uint8_t shift = 0; shift < 20; shift++) {
        att_heap_init(&heap, memory + shift, ATT_HEAP_SIZE_MIN);
        char *block = att_heap_alloc(&heap, 1);
        CHECK(block > memory + shift && block + 1 <= memory + shift + ATT_HEAP_SIZE_MIN);
        CHECK_EQ((uintptr_t)block % ATT_HEAP_ALIGN, 0);
        att_heap_free(&heap, block);
        CHECK(att_heap_sound(&heap));
    }
}

TEST(largest, "as many bytes as the largest free block has are available, and not one more")
{
    begin();
    CHECK(att_heap_alloc(&heap, whole + 1) == NULL);
    char *block = att_heap_alloc(&heap, whole);
    CHECK(block != NULL);
    const att_heap_status_t status = att_heap_status(&heap);
    CHECK_EQ(status.free, 0);
    CHECK_EQ(status.largest, 0);
    CHECK_EQ(status.fragments, 0);
    CHECK(att_heap_alloc(&heap, 1) == NULL);
    att_heap_free(&heap, block);
    check_empty();
    CHECK(att_heap_alloc(&heap, SIZE_MAX) == NULL);
    CHECK(att_heap_alloc(&heap, SIZE_MAX - 2 * ATT_HEAP_ALIGN) == NULL);
    CHECK(att_heap_alloc(&heap, SIZE) == NULL);
}

TEST(first_fit, "the lowest free block that is large enough serves; neighbours that come back are one again")
{
    char *blocks[5];
    begin();
    for (uint8_t k = 0; k < 5; k++) {
        blocks[k] = att_heap_alloc(&heap, 24);
    }
    att_heap_free(&heap, blocks[3]);
    att_heap_free(&heap, blocks[1]);
    CHECK_EQ(att_heap_status(&heap).fragments, 3);
    CHECK(att_heap_alloc(&heap, 24) == blocks[1]);
    att_heap_free(&heap, blocks[1]);
    CHECK(att_heap_alloc(&heap, 25 + ATT_HEAP_ALIGN) > (void *)blocks[4]);
    att_heap_free(&heap, blocks[2]); /* between two free ones */
    CHECK_EQ(att_heap_status(&heap).fragments, 2);
    CHECK(att_heap_alloc(&heap, 72) == blocks[1]);
    att_heap_free(&heap, blocks[1]);
    att_heap_free(&heap, blocks[0]); /* before a free one */
    CHECK_EQ(att_heap_status(&heap).fragments, 2);
    att_heap_free(&heap, blocks[4]); /* behind one */
    CHECK_EQ(att_heap_status(&heap).fragments, 2);
    CHECK(att_heap_sound(&heap));
    CHECK(att_heap_alloc(&heap, 5 * 24) == blocks[0]);
}

TEST(aligned, "a block is aligned to any power of two, and the memory before it is available")
{
    for (size_t alignment = 1; alignment <= 64; alignment *= 2) {
        begin();
        char *before = att_heap_alloc(&heap, 1);
        char *block = att_heap_alloc_aligned(&heap, 10, alignment);
        char *other = att_heap_alloc_aligned(&heap, 3, alignment);
        CHECK(block != NULL && other != NULL && other != block);
        CHECK_EQ((uintptr_t)block % alignment, 0);
        CHECK_EQ((uintptr_t)other % alignment, 0);
        fill(block, 10, 1);
        fill(other, 3, 2);
        CHECK(att_heap_sound(&heap));
        CHECK(filled(block, 10, 1));
        att_heap_free(&heap, other);
        att_heap_free(&heap, before);
        att_heap_free(&heap, block);
        check_empty();
    }
    CHECK(att_heap_alloc_aligned(&heap, 1, SIZE_MAX / 2 + 1) == NULL);
    char *block = att_heap_alloc(&heap, whole);
    const bool fits = (uintptr_t)block % 64 == 0;
    att_heap_free(&heap, block);
    CHECK((att_heap_alloc_aligned(&heap, whole, 64) != NULL) == fits);
}

TEST(smaller, "a block made smaller stays where it is; the rest of it is available")
{
    begin();
    char *block = att_heap_realloc(&heap, NULL, 100);
    fill(block, 100, 3);
    char *guard = att_heap_alloc(&heap, 10);
    CHECK(att_heap_realloc(&heap, block, 100 - 1) == block);
    CHECK(att_heap_realloc(&heap, block, 20) == block);
    CHECK(filled(block, 20, 3));
    CHECK_EQ(att_heap_status(&heap).fragments, 2);
    char *between = att_heap_alloc(&heap, 20);
    CHECK(between > block && between < guard);
    att_heap_free(&heap, between);
    att_heap_free(&heap, guard);
    att_heap_free(&heap, block);
    check_empty();
}

TEST(larger, "a block made larger stays if what follows is free and enough, else it moves with its content")
{
    begin();
    char *block = att_heap_alloc(&heap, 20);
    char *next = att_heap_alloc(&heap, 40);
    char *guard = att_heap_alloc(&heap, 10);
    fill(block, 20, 4);
    att_heap_free(&heap, next);
    CHECK(att_heap_realloc(&heap, block, 40) == block); /* a part of it */
    CHECK(att_heap_realloc(&heap, block, 60) == block); /* all of it */
    CHECK(filled(block, 20, 4));
    CHECK(att_heap_realloc(&heap, block, whole) == NULL);
    CHECK(att_heap_realloc(&heap, block, SIZE_MAX) == NULL);
    CHECK(filled(block, 20, 4));
    char *moved = att_heap_realloc(&heap, block, 64 + 4 * ATT_HEAP_ALIGN);
    CHECK(moved > guard);
    CHECK(filled(moved, 20, 4));
    char *again = att_heap_alloc(&heap, 30); /* where it was */
    CHECK(again == block);
    char *small = att_heap_alloc(&heap, 4);
    CHECK(att_heap_realloc(&heap, again, 60) != again); /* free, but not enough */
    att_heap_free(&heap, small);
    CHECK(att_heap_sound(&heap));
}

static uint32_t random_state;

static uint16_t below(uint16_t bound)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return (uint16_t)((random_state >> 3) % bound);
}

typedef struct {
    char *block;
    uint16_t size;
    uint8_t seed;
} live_t;
static live_t live[LIVE];

static void check_apart(const live_t *one)
{
    CHECK(one->block >= memory && one->block + one->size <= memory + SIZE);
    for (uint8_t k = 0; k < LIVE; k++) {
        const live_t *other = &live[k];
        CHECK(other == one || other->block == NULL || other->block + other->size <= one->block ||
              one->block + one->size <= other->block);
    }
}

/* Bytes to ask for: mostly few. */
static uint16_t some_size(void)
{
    return (uint16_t)(1 + (below(4) == 0 ? below(SIZE / 2) : below(SIZE / 12)));
}

static void change(live_t *one)
{
    const uint16_t size = some_size();
    const size_t room = att_heap_status(&heap).largest;
    if (one->block == NULL) {
        const size_t alignment = below(3) == 0 ? (size_t)1 << below(6) : 1;
        one->block = att_heap_alloc_aligned(&heap, size, alignment);
        CHECK(one->block != NULL ? size <= room : alignment > ATT_HEAP_ALIGN || size > room);
        CHECK_EQ((uintptr_t)one->block % alignment, 0);
        one->size = size;
    } else if (below(3) == 0) {
        char *block = att_heap_realloc(&heap, one->block, size);
        CHECK(block != NULL || (size > room && size > one->size));
        if (block != NULL) {
            CHECK(filled(block, size < one->size ? size : one->size, one->seed));
            one->block = block;
            one->size = size;
        }
    } else {
        CHECK(filled(one->block, one->size, one->seed));
        att_heap_free(&heap, one->block);
        one->block = NULL;
    }
    if (one->block != NULL) {
        check_apart(one);
        fill(one->block, one->size, ++one->seed);
    }
}

TEST(storm, "blocks at random: contents kept, apart from each other, refused only for want of room")
{
    random_state = 2463534242u;
    begin();
    for (uint16_t round = 0; round < ROUNDS; round++) {
        change(&live[below(LIVE)]);
        if (round % 16 == 0) {
            CHECK(att_heap_sound(&heap));
        }
    }
    for (uint8_t k = 0; k < LIVE; k++) {
        if (live[k].block != NULL) {
            CHECK(filled(live[k].block, live[k].size, live[k].seed));
            att_heap_free(&heap, live[k].block);
            live[k].block = NULL;
        }
    }
    check_empty();
}

static volatile bool stop;
static volatile uint8_t uses;

static void give(void)
{
    (void)att_sem_give(&sem_a);
}

static void urgent_user(void *arg)
{
    (void)arg;
    while (att_sem_take(&sem_a, ATT_FOREVER) == ATT_OK && !stop) {
        char *block = att_heap_alloc(&heap, 13);
        CHECK(block != NULL);
        fill(block, 13, 99);
        att_yield();
        CHECK(filled(block, 13, 99));
        att_heap_free(&heap, block);
        uses++;
    }
}

TEST(shared,
     "a thread that is woken in the middle of another's call waits for the heap, and both have blocks")
{
    irq_start();
    begin();
    stop = false;
    uses = 0;
    start(6, urgent_user, NULL);
    uint8_t missed = 0;
    for (uint8_t step = 1; step < 200; step++) {
        irq_tick(step & 1 ? IRQ_KNOWN : IRQ_FOREIGN, give, step);
        char *block = att_heap_alloc(&heap, 20);
        fill(block, 20, step);
        char *other = att_heap_realloc(&heap, block, 40);
        CHECK(filled(other, 20, step));
        att_heap_free(&heap, other);
        irq_tick_cancel();
        CHECK(att_heap_sound(&heap));
        missed = (uint8_t)(missed + (att_heap_status(&heap).fragments != 1));
    }
    CHECK_EQ(missed, 0);
    stop = true;
    give();
    finish();
    check_empty();
    att_sem_reset(&sem_a, 0);
    CHECK(uses >= 10);
}

TEST(unsound, "a heap knows when its sizes or its links were overwritten")
{
    begin();
    char *first = att_heap_alloc(&heap, 20);
    char *second = att_heap_alloc(&heap, 20);
    const size_t header = (size_t)(first - memory);
    CHECK(att_heap_sound(&heap));
    size_t *size = (size_t *)(void *)(second - header);
    const size_t right = *size;
    static const size_t wrong[] = {0, 1, SIZE, SIZE_MAX};
    for (uint8_t k = 0; k < 4; k++) {
        *size = wrong[k];
        CHECK(!att_heap_sound(&heap));
    }
    *size = right;
    CHECK(att_heap_sound(&heap));
    struct att_heap_block *list = heap.free;
    heap.free = (struct att_heap_block *)(void *)second;
    CHECK(!att_heap_sound(&heap));
    heap.free = NULL;
    CHECK(ATT_CFG_CHECK == 0 || !att_heap_sound(&heap)); /* at level 0 all could be used */
    heap.free = list;
    CHECK(att_heap_sound(&heap));
    size_t *words = (size_t *)(void *)list; /* two free blocks that touch should be one */
    const size_t half = words[0] / 2 / ATT_HEAP_ALIGN * ATT_HEAP_ALIGN;
    size_t *behind = (size_t *)(void *)((char *)list + half);
    behind[0] = words[0] - half;
    behind[1] = 0;
    words[0] = half;
    words[1] = (size_t)(uintptr_t)behind;
    CHECK(!att_heap_sound(&heap));
}

TAP_SUITE("test_heap.c", CASE(declares) CASE(any_memory) CASE(largest) CASE(first_fit) CASE(aligned)
                             CASE(smaller) CASE(larger) CASE(storm) CASE(shared) CASE(unsound))
