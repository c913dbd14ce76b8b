/*
 * Arenas.
 */
#include "irq.h"

#define SIZE 160

static char memory[SIZE] __attribute__((aligned(64)));
static att_arena_t arena;

static void begin(void)
{
    att_arena_init(&arena, memory, SIZE);
}

ATT_ARENA(declared, 3 * ATT_ARENA_ALIGN + 1);

TEST(declares, "a declared arena gives out all of its memory, aligned for any type, then none")
{
    for (uint8_t k = 0; k < 3; k++) {
        CHECK(att_arena_alloc(&declared, ATT_ARENA_ALIGN) == declared_memory + k * ATT_ARENA_ALIGN);
    }
    CHECK_EQ(att_arena_available(&declared), 1);
    CHECK(att_arena_alloc(&declared, 2) == NULL);
    CHECK(att_arena_alloc(&declared, 1) != NULL);
    CHECK(att_arena_alloc(&declared, 1) == NULL);
    CHECK_EQ(att_arena_available(&declared), 0);
    CHECK_EQ(att_arena_used(&declared), sizeof(declared_memory));
}

TEST(all_zero, "all zero is an arena of no memory")
{
    static att_arena_t zero;
    CHECK(att_arena_alloc(&zero, 1) == NULL);
    CHECK_EQ(att_arena_available(&zero), 0);
    CHECK_EQ(att_arena_used(&zero), 0);
}

TEST(aligned, "a block is aligned to any power of two; what is skipped counts as used")
{
    begin();
    for (size_t alignment = 1; alignment <= 64; alignment *= 2) {
        char *first = att_arena_alloc_aligned(&arena, 1, 1);
        char *block = att_arena_alloc_aligned(&arena, 3, alignment);
        CHECK(block != NULL && block > first);
        CHECK_EQ((uintptr_t)block % alignment, 0);
        CHECK_EQ(att_arena_used(&arena), (size_t)(block - memory) + 3);
        CHECK_EQ(att_arena_available(&arena), SIZE - att_arena_used(&arena));
        att_arena_reset(&arena);
    }
    att_arena_init(&arena, memory + 1, 20); /* memory that is not aligned itself */
    CHECK(att_arena_alloc_aligned(&arena, 1, 8) == memory + 8);
    CHECK_EQ(att_arena_used(&arena), 8);
}

TEST(too_much, "what does not fit changes nothing, however large")
{
    begin();
    (void)att_arena_alloc_aligned(&arena, SIZE - 10, 1);
    CHECK(att_arena_alloc_aligned(&arena, 11, 1) == NULL);
    CHECK(att_arena_alloc_aligned(&arena, 10, 16) == NULL);
    CHECK(att_arena_alloc_aligned(&arena, 1, 128) == NULL);
    CHECK(att_arena_alloc_aligned(&arena, SIZE_MAX, 1) == NULL);
    CHECK(att_arena_alloc_aligned(&arena, SIZE_MAX, 16) == NULL);
    CHECK(att_arena_alloc_aligned(&arena, 1, SIZE_MAX / 2 + 1) == NULL);
    CHECK_EQ(att_arena_available(&arena), 10);
    CHECK(att_arena_alloc_aligned(&arena, 10, 1) == memory + SIZE - 10);
}

TEST(marks, "what was taken since a mark is given back at once; marks nest")
{
    begin();
    char *kept = att_arena_alloc(&arena, 5);
    const att_arena_mark_t outer = att_arena_mark(&arena);
    char *first = att_arena_alloc(&arena, 20);
    const att_arena_mark_t inner = att_arena_mark(&arena);
    char *second = att_arena_alloc(&arena, 20);
    att_arena_release(&arena, inner);
    CHECK(att_arena_alloc(&arena, 30) == second);
    att_arena_release(&arena, outer);
    CHECK_EQ(att_arena_used(&arena), 5);
    CHECK(att_arena_alloc(&arena, 20) == first);
    att_arena_reset(&arena);
    CHECK_EQ(att_arena_used(&arena), 0);
    CHECK(att_arena_alloc(&arena, 5) == kept);
}

static char *of_handler;

static void handler(void)
{
    of_handler = att_arena_alloc_aligned(&arena, 7, 1);
}

TEST(contended, "a thread and a handler take at any time, and never the same")
{
    irq_start();
    for (uint8_t step = 1; step < 60; step++) {
        begin();
        of_handler = NULL;
        irq_tick(step & 1 ? IRQ_KNOWN : IRQ_FOREIGN, handler, step);
        char *first = att_arena_alloc_aligned(&arena, 5, 1);
        char *second = att_arena_alloc_aligned(&arena, 6, 1);
        irq_tick_cancel();
        CHECK(first >= memory && second >= first + 5);
        CHECK(of_handler == NULL || of_handler >= second + 6 || of_handler + 7 <= first ||
              (of_handler >= first + 5 && of_handler + 7 <= second));
        CHECK_EQ(att_arena_used(&arena), 11 + (of_handler != NULL ? 7 : 0));
    }
}

TAP_SUITE("test_arena.c",
          CASE(declares) CASE(all_zero) CASE(aligned) CASE(too_much) CASE(marks) CASE(contended))
