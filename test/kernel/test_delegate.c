/*
 * Delegates: calls made by another thread.
 */
#include "tap.h"

static att_delegate_t delegate;
static uint8_t calls;

static uintptr_t twice(void *argument)
{
    calls++;
    return 2 * (uintptr_t)argument;
}

typedef struct {
    uint8_t a;
    uint16_t b;
    uint32_t c;
} three_t;

static uintptr_t sum(void *argument)
{
    const three_t *of = argument;
    calls++;
    return (uintptr_t)(of->a + of->b + of->c);
}

static uintptr_t slow(void *argument)
{
    calls++;
    att_sleep((att_time_t)(uintptr_t)argument);
    return 1;
}

/* Serves as many calls as its argument says. */
static void server(void *arg)
{
    for (uintptr_t left = (uintptr_t)arg; left != 0; left--) {
        CHECK_EQ(att_delegate_serve(&delegate, ATT_FOREVER), ATT_OK);
    }
    token('s');
}

static void caller(void *arg)
{
    uintptr_t result = 0;
    CHECK_EQ(att_delegate_call(&delegate, twice, arg, &result, ATT_FOREVER), ATT_OK);
    CHECK_EQ(result, 2 * (uintptr_t)arg);
    token((char)(uintptr_t)arg);
}

TEST(result, "a call returns the result of its function, with a more and with a less urgent server")
{
    for (att_prio_t prio = 2; prio <= 6; prio = (att_prio_t)(prio + 2)) {
        uintptr_t result = 0;
        three_t arguments = {1, 2, 4};
        start(prio, server, ARG(3));
        CHECK_EQ(att_delegate_call(&delegate, twice, ARG(21), &result, ATT_FOREVER), ATT_OK);
        CHECK_EQ(result, 42);
        CHECK_EQ(att_delegate_call(&delegate, sum, &arguments, &result, ATT_MS(100)), ATT_OK);
        CHECK_EQ(result, 7);
        volatile att_time_t forever = ATT_FOREVER;
        CHECK_EQ(att_delegate_call(&delegate, twice, ARG(4), &result, forever), ATT_OK);
        CHECK_EQ(result, 8);
        finish();
    }
    CHECK_TOKENS("sss");
}

TEST(order, "the most urgent caller is served first")
{
    start(2, caller, ARG('c'));
    settle();
    start(3, caller, ARG('a'));
    start(3, caller, ARG('b'));
    settle();
    for (uint8_t k = 0; k < 3; k++) {
        CHECK_EQ(att_delegate_serve(&delegate, ATT_NOWAIT), ATT_OK);
        settle();
    }
    CHECK_EQ(att_delegate_serve(&delegate, ATT_NOWAIT), ATT_TIMEOUT);
    CHECK_EQ(att_delegate_serve(&delegate, 2), ATT_TIMEOUT);
    CHECK_TOKENS("abc");
}

TEST(not_served, "a call that no thread serves in time is not made")
{
    uintptr_t result = 0;
    calls = 0;
    CHECK_EQ(att_delegate_call(&delegate, twice, ARG(1), &result, ATT_NOWAIT), ATT_TIMEOUT);
    CHECK_EQ(att_delegate_call(&delegate, twice, ARG(1), &result, 20), ATT_TIMEOUT);
    CHECK_EQ(att_delegate_serve(&delegate, ATT_NOWAIT), ATT_TIMEOUT);
    CHECK_EQ(calls, 0);
}

TEST(too_slow, "a caller whose time is up while its function runs continues; the result is dropped")
{
    uintptr_t result = 0;
    calls = 0;
    start(5, server, ARG(2));
    CHECK_EQ(att_delegate_call(&delegate, slow, ARG(200), &result, 40), ATT_TIMEOUT);
    CHECK_EQ(calls, 1);
    CHECK_EQ(att_delegate_call(&delegate, twice, ARG(5), &result, ATT_FOREVER), ATT_OK);
    CHECK_EQ(result, 10);
    finish();
    CHECK_TOKENS("s");
}

static void impatient(void *arg)
{
    uintptr_t result = 0;
    CHECK_EQ(att_delegate_call(&delegate, twice, arg, &result, 30), ATT_TIMEOUT);
    token('i');
}

TEST(given_up, "a call whose caller gives up between its receipt and its beginning is not made")
{
    calls = 0;
    start(3, server, ARG(1));
    settle();
    start(5, impatient, ARG(1)); /* the server has it, and does not run */
    const att_time_t begin = att_now();
    while (att_now() - begin < 90) {
    }
    finish();
    CHECK_EQ(calls, 0);
    CHECK_TOKENS("is");
}

static void canceled(void *arg)
{
    uintptr_t result = 0;
    if (arg != NULL) {
        CHECK_EQ(att_delegate_call(&delegate, twice, arg, &result, ATT_FOREVER), ATT_CANCELED);
    } else {
        CHECK_EQ(att_delegate_serve(&delegate, ATT_FOREVER), ATT_CANCELED);
    }
    token('x');
}

TEST(reset, "a reset releases callers and servers")
{
    start(3, canceled, ARG(1));
    settle();
    att_delegate_reset(&delegate);
    finish();
    start(3, canceled, NULL);
    settle();
    att_delegate_reset(&delegate);
    finish();
    CHECK_TOKENS("xx");
}

TAP_SUITE("test_delegate.c",
          CASE(result) CASE(order) CASE(not_served) CASE(too_slow) CASE(given_up) CASE(reset))
