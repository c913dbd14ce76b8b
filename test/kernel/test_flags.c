/*
 * Event flags of one thread: which flags a wait takes and which it leaves, which thread wakes, every kind of
 * timeout, signals from handlers.
 */
#include "irq.h"

static att_flags_t flags;

/* A test must leave no flag set. */
static void check_empty(void)
{
    CHECK_EQ(att_flags_get(&flags), 0);
    att_flags_reset(&flags);
}

TEST(empty, "all zero is a valid object, no flag set; waiting takes nothing then")
{
    static att_flags_t zero;
    att_mask_t came = 77;
    CHECK_EQ(att_flags_get(&zero), 0);
    CHECK_EQ(att_flags_wait(&zero, 0xFFFF, ATT_ANY, &came, ATT_NOWAIT), ATT_TIMEOUT);
    CHECK_EQ(came, 0);
    CHECK(!target_alarm_armed());
}

TEST(initialised, "flags are initialised with some of them set, also at run time")
{
    static att_flags_t declared = ATT_FLAGS_INIT(0x8001);
    att_flags_t here;
    CHECK_EQ(att_flags_get(&declared), 0x8001);
    att_flags_init(&here, 6);
    CHECK_EQ(att_flags_get(&here), 6);
    CHECK_EQ(att_flags_clear(&here, 2), 6);
    CHECK_EQ(att_flags_get(&here), 4);
    CHECK_EQ(att_flags_clear(&here, 1), 4);
    CHECK_EQ(att_flags_get(&here), 4);
    att_flags_reset(&here);
    CHECK_EQ(att_flags_get(&here), 0);
}

static void check_wait(att_mask_t set, att_mask_t wanted, uint8_t how, att_mask_t want, uint16_t line)
{
    static const att_time_t timeouts[] = {ATT_NOWAIT, 1, ATT_TIMEOUT_MAX, ATT_FOREVER};
    for (uint8_t k = 0; k < 6; k++) {
        att_mask_t came = 0;
        att_status_t status;
        (void)att_flags_clear(&flags, (att_mask_t)-1);
        att_flags_signal(&flags, set);
        if (k < 4) {
            status = att_flags_wait(&flags, wanted, how, &came, timeouts[k]);
        } else if (k == 4) {
            status = att_flags_wait(&flags, wanted, how, &came, ATT_FOREVER);
        } else {
            status = att_flags_wait_until(&flags, wanted, how, &came, att_now() - 1);
        }
        tap_check_equal(status, ATT_OK, line);
        tap_check_equal((uint32_t)came, (uint32_t)want, line);
        tap_check_equal((uint32_t)att_flags_get(&flags),
                        (uint32_t)((how & ATT_KEEP) != 0 ? set : set & ~want), line);
    }
    (void)att_flags_clear(&flags, (att_mask_t)-1);
}
#define CHECK_WAIT(set, wanted, how, want) check_wait((set), (wanted), (how), (want), __LINE__)

TEST(any, "any: takes all of the wanted that are set, and leaves the others")
{
    CHECK_WAIT(0x000F, 0x8003, ATT_ANY, 0x0003);
    CHECK_WAIT(0x8000, 0x8003, ATT_ANY, 0x8000);
    CHECK_WAIT(0xFFFF, 0x0100, ATT_ANY, 0x0100);
}

TEST(all, "all: takes them when all are set, and nothing before")
{
    att_mask_t came;
    CHECK_WAIT(0x800F, 0x8003, ATT_ALL, 0x8003);
    CHECK_WAIT(0x0100, 0x0100, ATT_ALL, 0x0100);
    att_flags_signal(&flags, 0x8001);
    CHECK_EQ(att_flags_wait(&flags, 0x8003, ATT_ALL, &came, ATT_NOWAIT), ATT_TIMEOUT);
    CHECK_EQ(came, 0);
    CHECK_EQ(att_flags_clear(&flags, 0x8001), 0x8001);
}

TEST(one, "one: takes the lowest of the wanted alone")
{
    att_mask_t came;
    CHECK_WAIT(0x810F, 0x800C, ATT_ONE, 0x0004);
    CHECK_WAIT(0x810F, 0x8000, ATT_ONE, 0x8000);
    CHECK_WAIT(0xC100, 0xFF00, ATT_ONE, 0x0100);
    att_flags_signal(&flags, 0x8110);
    static const uint16_t order[] = {0x10, 0x100, 0x8000};
    for (uint8_t k = 0; k < 3; k++) {
        CHECK_EQ(att_flags_wait(&flags, 0xFFFF, ATT_ONE, &came, ATT_FOREVER), ATT_OK);
        CHECK_EQ(came, order[k]);
    }
    CHECK_EQ(att_flags_wait(&flags, 0xFFFF, ATT_ONE, &came, ATT_NOWAIT), ATT_TIMEOUT);
}

TEST(keep, "with ATT_KEEP what was taken stays set")
{
    CHECK_WAIT(0x000F, 0x0003, ATT_ANY | ATT_KEEP, 0x0003);
    CHECK_WAIT(0x000F, 0x0006, ATT_ALL | ATT_KEEP, 0x0006);
    CHECK_WAIT(0x000F, 0x000C, ATT_ONE | ATT_KEEP, 0x0004);
    check_empty();
}

static att_mask_t wanted_of_waiter, came_to_waiter;
static uint8_t how_of_waiter;

static void wait_token(void *arg)
{
    CHECK_EQ(att_flags_wait(&flags, wanted_of_waiter, how_of_waiter, &came_to_waiter, ATT_FOREVER), ATT_OK);
    token((char)(uintptr_t)arg);
}

static void wait_in_time_token(void *arg)
{
    CHECK_EQ(att_flags_wait(&flags, wanted_of_waiter, how_of_waiter, &came_to_waiter, ATT_MS(300)), ATT_OK);
    token((char)(uintptr_t)arg);
}

/* A waiter wants `wanted`; `first` is not enough for it, `then` is. */
static void check_waiter(att_prio_t prio, att_entry_t entry, uint8_t how, att_mask_t wanted, att_mask_t first,
                         att_mask_t then, att_mask_t want, uint16_t line)
{
    const att_mask_t set = first | then;
    how_of_waiter = how;
    wanted_of_waiter = wanted;
    came_to_waiter = 0;
    start(prio, entry, ARG('W'));
    settle();
    att_flags_signal(&flags, first);
    settle();
    token('f');
    att_flags_signal(&flags, then);
    token('t');
    tap_check_equal((uint32_t)att_flags_get(&flags), (uint32_t)((how & ATT_KEEP) != 0 ? set : set & ~want),
                    line);
    finish();
    tap_check_equal((uint32_t)came_to_waiter, (uint32_t)want, line);
    (void)att_flags_clear(&flags, (att_mask_t)-1);
}

TEST(wakes_urgent,
     "a signal that completes what a more urgent thread waits for wakes it at once, others do not")
{
    for (uint8_t timed = 0; timed < 2; timed++) {
        const att_entry_t entry = timed != 0 ? wait_in_time_token : wait_token;
        check_waiter(5, entry, ATT_ANY, 0x8003, 0x0004, 0x8000, 0x8000, __LINE__);
        check_waiter(5, entry, ATT_ANY, 0x8003, 0x0004, 0x0013, 0x0003, __LINE__);
        check_waiter(5, entry, ATT_ALL, 0x8003, 0x8002, 0x0001, 0x8003, __LINE__);
        check_waiter(5, entry, ATT_ONE, 0x8003, 0, 0x8002, 0x0002, __LINE__);
        CHECK_TOKENS("fWtfWtfWtfWt");
        check_waiter(5, entry, ATT_ANY | ATT_KEEP, 0x8003, 0x0004, 0x8000, 0x8000, __LINE__);
        check_waiter(5, entry, ATT_ALL | ATT_KEEP, 0x8003, 0x8006, 0x0001, 0x8003, __LINE__);
        check_waiter(5, entry, ATT_ONE | ATT_KEEP, 0x8003, 0, 0x8002, 0x0002, __LINE__);
        CHECK_TOKENS("fWtfWtfWt");
    }
}

TEST(wakes_others, "a less urgent or equal thread gets its flags too, and the signaller continues")
{
    for (att_prio_t prio = 3; prio <= 4; prio++) {
        check_waiter(prio, wait_token, ATT_ANY, 0x8003, 0x0004, 0x8000, 0x8000, __LINE__);
        check_waiter(prio, wait_in_time_token, ATT_ALL, 0x0003, 0x0002, 0x0005, 0x0003, __LINE__);
        check_waiter(prio, wait_token, ATT_ONE | ATT_KEEP, 0x8003, 0, 0x8002, 0x0002, __LINE__);
        CHECK_TOKENS("ftWftWftW");
    }
}

TEST(handed_over, "no call can clear the flags that a woken thread took, and later signals are not for it")
{
    how_of_waiter = ATT_ANY;
    wanted_of_waiter = 3;
    start(3, wait_token, ARG('W'));
    settle();
    att_flags_signal(&flags, 1);
    CHECK_EQ(att_flags_clear(&flags, 3), 0);
    att_flags_signal(&flags, 2);
    CHECK_EQ(att_flags_get(&flags), 2);
    finish();
    CHECK_EQ(came_to_waiter, 1);
    CHECK_EQ(att_flags_clear(&flags, 3), 2);
    CHECK_TOKENS("W");
}

TEST(no_flags, "signalling no flag wakes no thread")
{
    how_of_waiter = ATT_ANY;
    wanted_of_waiter = 3;
    start(5, wait_token, ARG('W'));
    att_flags_signal(&flags, 0);
    token('0');
    att_flags_signal(&flags, 3);
    CHECK_EQ(came_to_waiter, 3);
    CHECK_TOKENS("0W");
    check_empty();
}

TEST(not_counted, "a flag that is set twice comes once")
{
    att_mask_t came;
    att_flags_signal(&flags, 1);
    att_flags_signal(&flags, 1);
    CHECK_EQ(att_flags_wait(&flags, 1, ATT_ANY, &came, ATT_NOWAIT), ATT_OK);
    CHECK_EQ(att_flags_wait(&flags, 1, ATT_ANY, &came, ATT_NOWAIT), ATT_TIMEOUT);
}

TEST(timeouts, "a wait gives up when its time is up, and has no flags then")
{
    att_mask_t came;
    att_flags_signal(&flags, 0x8000);
    for (uint8_t timeout = 1; timeout < 30; timeout = (uint8_t)(timeout + 9)) {
        const att_time_t begin = att_now();
        came = 1;
        CHECK_EQ(att_flags_wait(&flags, 0x8001, ATT_ALL, &came, timeout), ATT_TIMEOUT);
        const att_time_t elapsed = att_now() - begin;
        CHECK(elapsed > timeout && elapsed <= timeout + 1u + TARGET_LATENCY);
        CHECK_EQ(came, 0);
    }
    CHECK_EQ(att_flags_wait_until(&flags, 1, ATT_ANY, &came, att_now()), ATT_TIMEOUT);
    CHECK_EQ(came, 0);
    const att_time_t deadline = att_now() + 40;
    CHECK_EQ(att_flags_wait_until(&flags, 1, ATT_ONE, &came, deadline), ATT_TIMEOUT);
    CHECK(att_now() - deadline <= TARGET_LATENCY);
    CHECK_EQ(came, 0);
    CHECK_EQ(att_flags_clear(&flags, 0xFFFF), 0x8000);
}

TEST(wrap, "a timeout across the wrap of the clock")
{
    att_mask_t came;
    const att_key_t key = att_lock();
    target_clock_set((att_stamp() & ~(uint64_t)0xFFFFFFFF) + 0xFFFFFFF0);
    att_unlock(key);
    const att_time_t begin = att_now();
    CHECK_EQ(att_flags_wait(&flags, 1, ATT_ANY, &came, 40), ATT_TIMEOUT);
    CHECK(att_now() - begin > 40 && att_now() < begin);
}

static void give_up_token(void *arg)
{
    CHECK_EQ(att_flags_wait(&flags, 1, ATT_ANY, &came_to_waiter, ATT_MS(2)), ATT_TIMEOUT);
    CHECK_EQ(came_to_waiter, 0);
    token((char)(uintptr_t)arg);
}

TEST(after_timeout, "after its timeout a thread is no waiter any more: the flags stay set")
{
    start(3, give_up_token, ARG('t'));
    att_sleep(ATT_MS(5));
    att_flags_signal(&flags, 1);
    CHECK_EQ(att_flags_clear(&flags, 1), 1);
    finish();
    CHECK(!target_alarm_armed());
    CHECK_TOKENS("t");
}

static void canceled(void *arg)
{
    att_mask_t came = 1;
    const att_time_t timeout = (uintptr_t)arg == 'T' ? ATT_MS(300) : ATT_FOREVER;
    if (timeout == ATT_FOREVER) {
        CHECK_EQ(att_flags_wait(&flags, 1, ATT_ANY, &came, ATT_FOREVER), ATT_CANCELED);
    } else {
        CHECK_EQ(att_flags_wait(&flags, 1, ATT_ANY, &came, timeout), ATT_CANCELED);
    }
    CHECK_EQ(came, 0);
    token((char)(uintptr_t)arg);
}

TEST(reset, "reset clears all flags and releases the waiter with ATT_CANCELED")
{
    for (att_prio_t prio = 3; prio <= 5; prio++) {
        start(prio, canceled, ARG('T'));
        settle();
        att_flags_signal(&flags, 6);
        att_flags_reset(&flags);
        CHECK_EQ(att_flags_get(&flags), 0);
        finish();
        start(prio, canceled, ARG('F'));
        settle();
        att_flags_reset(&flags);
        finish();
        CHECK(!target_alarm_armed());
    }
    CHECK_TOKENS("TFTFTF");
}

static void signal_1(void)
{
    att_flags_signal(&flags, 1);
    token('i');
}

static void calls_in_handler(void)
{
    att_mask_t came;
    CHECK_EQ(att_flags_wait(&flags, 1, ATT_ANY, &came, ATT_NOWAIT), ATT_TIMEOUT);
    att_flags_signal(&flags, 5);
    CHECK_EQ(att_flags_get(&flags), 5);
    CHECK_EQ(att_flags_wait(&flags, 1, ATT_ANY, &came, ATT_NOWAIT), ATT_OK);
    CHECK_EQ(came, 1);
    CHECK_EQ(att_flags_clear(&flags, 4), 4);
    att_flags_reset(&flags);
    token('h');
}

TEST(from_handlers,
     "handlers of all kinds signal, a more urgent thread and a less urgent one, and under lock")
{
    irq_start();
    how_of_waiter = ATT_ANY;
    wanted_of_waiter = 3;
    for (irq_kind_t kind = IRQ_KNOWN; kind < IRQ_KINDS; kind++) {
        start(6, wait_token, ARG('B'));
        token('A');
        irq_raise(kind, signal_1);
        token('C');
        finish();
        start(3, wait_in_time_token, ARG('E'));
        settle();
        const att_key_t key = att_lock();
        irq_raise(kind, signal_1);
        att_flags_signal(&flags, 4);
        token('D');
        att_unlock(key);
        finish();
        irq_raise(kind, calls_in_handler);
        CHECK_EQ(att_k_check(), 0);
        CHECK_TOKENS("AiBCDiEh");
    }
}

TEST(under_lock, "a thread signals and looks under lock; the switch comes at the unlock")
{
    att_mask_t came;
    how_of_waiter = ATT_ANY;
    wanted_of_waiter = 1;
    start(6, wait_token, ARG('W'));
    const att_key_t key = att_lock();
    att_flags_signal(&flags, 3);
    CHECK_EQ(att_flags_wait(&flags, 3, ATT_ANY, &came, ATT_NOWAIT), ATT_OK);
    CHECK_EQ(came, 2);
    att_flags_signal(&flags, 2);
    CHECK_EQ(att_flags_wait(&flags, 2, ATT_ANY, &came, ATT_FOREVER), ATT_OK);
    token('l');
    att_unlock(key);
    finish();
    CHECK_TOKENS("lW");
    check_empty();
}

static att_waitable_t wait_set[] = {ATT_WAITABLE_SEM(&sem_a), ATT_WAITABLE_FLAGS(&flags, 0x8003)};

static void wait_any_token(void *arg)
{
    uint8_t which = 9;
    const att_status_t status = att_wait_any(wait_set, 2, &which, ATT_FOREVER);
    token(status == ATT_OK ? (char)(uintptr_t)arg : 'c');
    CHECK_EQ(which, 1);
}

TEST(in_wait_set, "flags in a wait set, again and again: any of them")
{
    uint8_t which;
    att_mask_t came;
    CHECK_EQ(att_flags_wait(&flags, 0x8003, ATT_ALL | ATT_KEEP, &came, ATT_NOWAIT), ATT_TIMEOUT);
    att_flags_signal(&flags, 0x0007);
    CHECK_EQ(att_wait_any(wait_set, 2, &which, ATT_NOWAIT), ATT_OK);
    CHECK_EQ(which, 1);
    CHECK_EQ(wait_set[1].word, 0x0003);
    CHECK_EQ(att_flags_get(&flags), 0x0004);
    CHECK_EQ(att_wait_any(wait_set, 2, &which, ATT_MS(2)), ATT_TIMEOUT);
    for (att_prio_t prio = 3; prio <= 5; prio++) {
        start(prio, wait_any_token, ARG('W'));
        settle();
        att_flags_signal(&flags, 0x0010);
        token('/');
        att_flags_signal(&flags, 0x8020);
        finish();
        CHECK_EQ(wait_set[1].word, 0x8000);
        CHECK_EQ(att_flags_get(&flags), 0x0034);
        start(prio, wait_any_token, ARG('W'));
        settle();
        att_flags_reset(&flags);
        finish();
        CHECK_EQ(wait_set[1].word, 0);
        att_flags_signal(&flags, 4);
    }
    att_flags_reset(&flags);
    CHECK_TOKENS("/Wc/Wc/Wc");
}

static void wait_any_unit(void *arg)
{
    uint8_t which = 9;
    CHECK_EQ(att_wait_any(wait_set, 2, &which, ATT_FOREVER), ATT_OK);
    CHECK_EQ(which, 0);
    token((char)(uintptr_t)arg);
}

TEST(other_came_first,
     "a thread that was woken by another object takes no flags, although it has not run since")
{
    start(3, wait_any_unit, ARG('W'));
    settle();
    const att_key_t key = att_lock();
    (void)att_sem_give(&sem_a);
    att_flags_signal(&flags, 0x0001);
    att_unlock(key);
    finish();
    CHECK_EQ(att_flags_clear(&flags, 0xFFFF), 0x0001);
    CHECK_TOKENS("W");
}

static uint16_t signals;
static volatile bool spinning;

static void spin(void *arg)
{
    (void)arg;
    while (spinning) {
        (void)att_now();
    }
}

static void signal_next(void)
{
    att_flags_signal(&flags, (att_mask_t)1 << (signals++ & 15));
}

TEST(random_points, "signals at any moment: none is lost and none comes twice")
{
    att_mask_t came;
    signals = 0;
    spinning = true;
    start(1, spin, NULL);
    for (uint8_t step = 1; step <= 60; step++) {
        irq_tick((step & 1) != 0 ? IRQ_KNOWN : IRQ_FOREIGN, signal_next, (uint8_t)TARGET_TICKS(step));
        const att_mask_t expected = (att_mask_t)1 << ((step - 1) & 15);
        const uint8_t how = (step & 2) != 0 ? ATT_ALL : ATT_ANY;
        if ((step & 4) != 0) {
            CHECK_EQ(att_flags_wait(&flags, expected, how, &came, ATT_MS(50)), ATT_OK);
        } else {
            CHECK_EQ(att_flags_wait(&flags, expected, how, &came, ATT_FOREVER), ATT_OK);
        }
        CHECK_EQ(came, expected);
        CHECK_EQ(signals, step);
        CHECK_EQ(att_flags_get(&flags), 0);
    }
    spinning = false;
    finish();
    CHECK(!target_alarm_armed());
}

TAP_SUITE("test_flags.c",
          CASE(empty) CASE(initialised) CASE(any) CASE(all) CASE(one) CASE(keep) CASE(wakes_urgent)
              CASE(wakes_others) CASE(handed_over) CASE(no_flags) CASE(not_counted) CASE(timeouts) CASE(wrap)
                  CASE(after_timeout) CASE(reset) CASE(from_handlers) CASE(under_lock) CASE(in_wait_set)
                      CASE(other_came_first) CASE(random_points))
