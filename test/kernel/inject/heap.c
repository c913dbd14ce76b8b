/*
 * Heaps: room for four blocks. No handler may use a heap, so the handlers here wake a more urgent thread that
 * does. The owner of a block fills it with its own letter, and checks the letters before it frees the block:
 * 5 is a block allocated or freed, 1 none, 7 a damaged one. At the end the controller prints how many blocks
 * are free, and whether the heap is sound.
 */
#include "inject.h"

enum {
    BYTES = 16,
    HEADER = (sizeof(size_t) + ATT_HEAP_ALIGN - 1) / ATT_HEAP_ALIGN * ATT_HEAP_ALIGN,
    BLOCK = BYTES + HEADER,
    BLOCKS = 4
};

ATT_HEAP(heap, BLOCKS *BLOCK);
static uint8_t *had[BLOCKS]; /* x's, a's, b's, and one that stays between them */
static uint8_t bytes[BLOCKS];
static att_sem_t go[2] = {ATT_SEM_INIT(0, 1), ATT_SEM_INIT(0, 1)};

static uint8_t have(uint8_t owner, void *block, uint8_t size)
{
    if (block == NULL) {
        return ATT_TIMEOUT;
    }
    had[owner] = block;
    bytes[owner] = size;
    for (uint8_t n = 0; n < size; n++) {
        had[owner][n] = (uint8_t)('A' + owner);
    }
    return 5;
}

static bool kept(uint8_t owner, uint8_t size)
{
    for (uint8_t n = 0; n < size; n++) {
        if (had[owner][n] != 'A' + owner) {
            return false;
        }
    }
    return true;
}

static uint8_t take(uint8_t owner, uint8_t size)
{
    return have(owner, att_heap_alloc(&heap, size), size);
}

static uint8_t leave(uint8_t owner)
{
    if (had[owner] == NULL) {
        return ATT_TIMEOUT;
    }
    const bool sound = kept(owner, bytes[owner]);
    att_heap_free(&heap, had[owner]);
    had[owner] = NULL;
    return sound ? 5 : 7;
}

static uint8_t resize(uint8_t owner, uint8_t size)
{
    void *block = att_heap_realloc(&heap, had[owner], size);
    if (block == NULL) {
        return ATT_TIMEOUT;
    }
    had[owner] = block;
    const bool sound = kept(owner, size < bytes[owner] ? size : bytes[owner]);
    return sound ? have(owner, block, size) : 7;
}

STEP(take_x, take(0, BYTES))
STEP(take_two_x, take(0, BYTES + BLOCK))
STEP(take_aligned, have(0, att_heap_alloc_aligned(&heap, BYTES, ATT_HEAP_ALIGN), BYTES))
STEP(leave_x, leave(0))
STEP(grow_x, resize(0, BYTES + BLOCK))
STEP(shrink_x, resize(0, BYTES))
STEP(sound, att_heap_sound(&heap))
STEP(fragments, att_heap_status(&heap).fragments)

static uint8_t take_all(void)
{
    for (uint8_t owner = 0; owner < BLOCKS; owner++) {
        (void)take(owner, BYTES);
    }
    return 0;
}

static uint8_t take_x_and_b(void)
{
    (void)take_x();
    return take(2, BYTES);
}

static uint8_t take_x_and_leave(void)
{
    const uint8_t taken = take_x();
    event();
    return (uint8_t)(taken == 5 ? leave_x() : taken);
}

static uint8_t wait_for(uint8_t n)
{
    (void)att_sem_take(&go[n], ATT_FOREVER);
    event();
    return n;
}

STEP(a_takes, take((uint8_t)(1 + wait_for(0)), BYTES))
STEP(a_takes_two, take((uint8_t)(1 + wait_for(0)), BYTES + BLOCK))
STEP(a_leaves, leave((uint8_t)(1 + wait_for(0))))
STEP(b_takes, take((uint8_t)(1 + wait_for(1)), BYTES))
STEP(b_leaves, leave((uint8_t)(1 + wait_for(1))))
STEP(a_goes, att_sem_give(&go[0]))
STEP(b_goes, att_sem_give(&go[1]))

static uint8_t look(void)
{
    say('f', fragments());
    say('s', sound());
    return 0;
}

void inject_observe(void)
{
    for (uint8_t owner = 0; owner < BLOCKS - 1; owner++) {
        put(had[owner] != NULL ? (char)('A' + owner) : '-');
    }
}

bool inject_sound(void)
{
    return true;
}

void inject_release(void)
{
    for (uint8_t n = 0; n < 2; n++) {
        if (go[n].wait.head != NULL) {
            (void)att_sem_give(&go[n]);
        }
    }
}

enum { A_GOES = COMMON, B_GOES };
const action_t inject_actions[] ATT_PORT_ROM = {
    COMMON_ACTIONS, {"a-goes", a_goes}, {"b-goes", b_goes}, {"", NULL}};

#define GENERAL (ON_CALLER | ON_A | BIT(A_GOES))
#define WITH_B (GENERAL | BIT(B_GOES) | BIT(B_UP))

const situation_t inject_situations[] ATT_PORT_ROM = {
    {"take", NULL, {WAITS(6, a_takes)}, take_x, look, GENERAL | WAITING | HOT},
    {"take-equal", NULL, {WAITS(4, a_takes)}, take_x, look, GENERAL | WAITING},
    {"take-less", NULL, {WAITS(2, a_takes)}, take_x, look, GENERAL | WAITING},
    {"take-two", NULL, {WAITS(6, a_takes), WAITS(5, b_takes)}, take_x, look, WITH_B | WAITING},
    {"take-aligned", NULL, {WAITS(6, a_takes)}, take_aligned, look, GENERAL | WAITING},
    {"take-large", take_x_and_b, {WAITS(6, a_takes)}, take_two_x, look, GENERAL | WAITING},
    {"take-full", take_all, {WAITS(6, a_leaves)}, take_x, look, GENERAL | WAITING},
    {"take-and-leave", NULL, {WAITS(6, a_takes)}, take_x_and_leave, look, GENERAL | WAITING},
    {"leave", take_all, {WAITS(6, a_leaves)}, leave_x, look, GENERAL | WAITING | HOT},
    {"leave-taken", take_x, {WAITS(6, a_takes)}, leave_x, look, GENERAL | WAITING},
    {"leave-between", take_all, {WAITS(6, a_leaves), WAITS(5, b_leaves)}, leave_x, look, WITH_B | WAITING},
    {"grow", take_x, {WAITS(6, a_takes)}, grow_x, look, GENERAL | WAITING},
    {"grow-moves", take_x_and_b, {WAITS(6, a_takes)}, grow_x, look, GENERAL | WAITING},
    {"grow-full", take_all, {WAITS(6, a_leaves)}, grow_x, look, GENERAL | WAITING},
    {"shrink", take_two_x, {WAITS(6, a_takes_two)}, shrink_x, look, GENERAL | WAITING},
    {"status", take_x, {WAITS(6, a_takes)}, fragments, look, GENERAL | WAITING},
    {"sound", take_all, {WAITS(6, a_leaves)}, sound, look, GENERAL | WAITING},
    {"", NULL, {NO_ACTORS}, NULL, NULL, 0}};
