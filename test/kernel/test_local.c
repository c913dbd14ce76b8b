/*
 * Thread-local storage: each thread that has some finds its own, from its table entry and at run time.
 */
#include "tap.h"

typedef struct {
    uint8_t count;
    void *self;
    char name;
} mine_t;

typedef struct {
    char only;
} small_t;

static att_sem_t turn;

static void next(void)
{
    mine_t *mine = ATT_LOCAL(mine_t);
    mine->count++;
    mine->self = att_thread_self();
    token((char)(mine->name + mine->count));
}

static void first_entry(void *arg)
{
    CHECK_EQ(ATT_LOCAL(mine_t)->count, 0); /* as the program began */
    ATT_LOCAL(mine_t)->name = (char)(uintptr_t)arg;
    for (uint8_t k = 0; k < 3; k++) {
        next();
        CHECK_EQ(att_sem_take(&turn, ATT_FOREVER), ATT_OK);
    }
    CHECK(ATT_LOCAL(mine_t)->self == att_thread_self());
}

static void small_entry(void *arg)
{
    ATT_LOCAL(small_t)->only = (char)(uintptr_t)arg;
    att_yield();
    token(ATT_LOCAL(small_t)->only);
}

#define STACK (ATT_STACK_MIN + TARGET_STACK)
ATT_THREAD_WITH(mine_t, one, 6, STACK, first_entry, ARG('a' - 1));
ATT_THREAD_WITH(mine_t, two, 6, STACK, first_entry, ARG('k' - 1));
ATT_THREAD(controller_thread, TAP_PRIORITY, ATT_STACK_MIN + TARGET_CONTROLLER_STACK, tap_controller, NULL);
ATT_THREAD_MEMORY_WITH(small_t, other, STACK);
ATT_SYSTEM(one, two, controller_thread);

TEST(declared, "threads of the table: each finds its own")
{
    for (uint8_t k = 0; k < 3; k++) {
        for (uint8_t give = 0; give < 2; give++) {
            CHECK_EQ(att_sem_give(&turn), ATT_OK);
        }
    }
    CHECK(att_thread_ended(&one.thread) && att_thread_ended(&two.thread));
    CHECK_EQ(ATT_LOCAL_OF(mine_t, &one.thread)->count, 3);
    CHECK(ATT_LOCAL_OF(mine_t, &one.thread) == &one.u.local);
    CHECK(ATT_LOCAL_OF(mine_t, &two.thread)->self == &two.thread);
    CHECK_TOKENS("akblcm");
}

TEST(at_run_time, "one that starts at run time, with storage smaller than a thread's alignment")
{
    (void)att_thread_start(&other.thread, ATT_THREAD_SIZE(other), 5, small_entry, ARG('o'));
    CHECK_EQ(att_join(&other.thread, ATT_MS(100)), ATT_OK);
    CHECK(ATT_LOCAL_OF(small_t, &other.thread)->only == 'o');
    CHECK_TOKENS("o");
}

TAP_SUITE("test_local.c", CASE(declared) CASE(at_run_time))
