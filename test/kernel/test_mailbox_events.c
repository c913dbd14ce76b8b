/*
 * Mailboxes: reset, handlers, and events in the middle of a call.
 */
#include "test_mailbox.h"

static void post_canceled(void *arg)
{
    CHECK_EQ((uintptr_t)arg == 'T' ? att_mailbox_post(&box, 'x', ATT_MS(200))
                                   : att_mailbox_post_ahead(&box, 'x', ATT_FOREVER),
             ATT_CANCELED);
    token((char)(uintptr_t)arg);
}

static void fetch_canceled(void *arg)
{
    uintptr_t word = 7;
    CHECK_EQ(att_mailbox_fetch(&box, &word, ATT_FOREVER), ATT_CANCELED);
    CHECK_EQ(word, 7);
    token((char)(uintptr_t)arg);
    if (att_mailbox_fetch(&box, &word, ATT_FOREVER) == ATT_OK) {
        token((char)word);
    }
}

TEST(reset_posters, "posters that a reset releases have not posted")
{
    fill();
    start(5, post_canceled, ARG('T'));
    start(3, post_canceled, ARG('P'));
    settle();
    att_mailbox_reset(&box);
    token('|');
    CHECK_EQ(att_mailbox_count(&box), 0);
    fill();
    finish();
    drain();
    CHECK_TOKENS("T|Pabc");
}

TEST(reset_fetchers, "fetchers that a reset releases get nothing; one that comes back is served as any other")
{
    start(5, fetch_canceled, ARG('A'));
    start(3, fetch_canceled, ARG('B'));
    settle();
    att_mailbox_reset(&box);
    post('1');
    settle();
    post('2');
    finish();
    CHECK_TOKENS("A1B2");
}

static volatile uint8_t posted;

static void post_from_handler(void)
{
    if (att_mailbox_post(&box, (uintptr_t)('a' + posted), ATT_NOWAIT) == ATT_OK) {
        posted++;
    }
}

static void fetch_from_handler(void)
{
    token((char)fetched());
}

TEST(handlers, "handlers of all kinds post and fetch, for waiting threads and into the ring")
{
    irq_start();
    for (irq_kind_t kind = IRQ_KNOWN; kind < IRQ_KINDS; kind++) {
        posted = 0;
        start(6, fetch_token, ARG('A'));
        irq_raise(kind, post_from_handler);
        CHECK_TOKENS("Aa");
        start(2, fetch_token, ARG('B'));
        settle();
        irq_raise(kind, post_from_handler);
        for (uint8_t i = 0; i < 4; i++) {
            irq_raise(kind, post_from_handler);
        }
        CHECK_EQ(posted, 5);
        start(6, post_forever, ARG('x'));
        irq_raise(kind, fetch_from_handler);
        finish();
        drain();
        CHECK_TOKENS("c.Bbdex");
    }
    const att_key_t key = att_lock();
    irq_stop();
    att_unlock(key);
}

TEST(locked, "under lock: a pending switch is performed at the end")
{
    uintptr_t word = 0;
    start(6, fetch_token, ARG('A'));
    att_key_t key = att_lock();
    post('a');
    CHECK_EQ(att_mailbox_post(&box, 'b', ATT_FOREVER), ATT_OK); /* need not wait */
    token('-');
    att_unlock(key);
    CHECK_TOKENS("-Aa");
    post('c');
    post('d');
    start(6, post_forever, ARG('e'));
    key = att_lock();
    CHECK_EQ(att_mailbox_fetch(&box, &word, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_mailbox_fetch(&box, &word, 10), ATT_OK);
    token('-');
    att_unlock(key);
    token((char)word);
    drain();
    CHECK_TOKENS("-.cde");
}

static void pass_on(void *arg)
{
    (void)arg;
    uintptr_t word = 1;
    while (word != 0 && att_mailbox_fetch(&box, &word, ATT_FOREVER) == ATT_OK) {
        got += word;
    }
}

static void produce(void *arg)
{
    (void)arg;
    for (uintptr_t word = 1; word <= 100; word++) {
        CHECK_EQ((word & 3) == 0 ? att_mailbox_post_ahead(&box, word, ATT_FOREVER)
                                 : att_mailbox_post(&box, word, ATT_FOREVER),
                 ATT_OK);
    }
}

TEST(passing, "a hundred words from two threads to one, the fetcher more urgent, between, and less")
{
    static const att_prio_t prios[] = {6, 4, 1};
    for (uint8_t k = 0; k < 3; k++) {
        got = 0;
        start(prios[k], pass_on, NULL);
        start(3, produce, NULL);
        start(5, produce, NULL);
        CHECK_EQ(att_join(started(1), ATT_MS(500)), ATT_OK);
        CHECK_EQ(att_join(started(2), ATT_MS(500)), ATT_OK);
        CHECK_EQ(att_mailbox_post(&box, 0, ATT_FOREVER), ATT_OK);
        finish();
        CHECK_EQ(got, 10100);
        CHECK_EQ(att_mailbox_count(&box), 0);
    }
}

static att_time_t post_time;

static void post_at(void *arg)
{
    (void)arg;
    att_sleep_until(post_time);
    post('a');
}

TEST(race, "a word and the end of the time close to each other: exactly one of them counts")
{
    uint8_t in_time = 0;
    for (uint8_t distance = 0; distance < 40; distance++) {
        uintptr_t word = 0;
        const att_time_t begin = att_now() + ATT_MS(1);
        post_time = begin + distance;
        start(5, post_at, NULL);
        const att_status_t status = att_mailbox_fetch_until(&box, &word, begin + 20);
        finish();
        in_time = (uint8_t)(in_time + (status == ATT_OK));
        CHECK_EQ(status == ATT_OK ? word : fetched(), 'a');
        CHECK_EQ(att_mailbox_count(&box), 0);
    }
    CHECK(in_time >= 5 && in_time <= 35);
}

/* An action that a handler does after so many ticks; or the least urgent thread, once the caller waits. */
static irq_action_t action;

static void act(void)
{
    const att_key_t key = att_lock();
    const irq_action_t once = action;
    action = NULL;
    att_unlock(key);
    if (once != NULL) {
        once();
    }
}

static void act_at_last(void *arg)
{
    (void)arg;
    irq_tick_cancel();
    act();
}

static void act_in(uint8_t ticks, irq_action_t what)
{
    action = what;
    start(1, act_at_last, NULL);
    irq_tick((ticks & 1) != 0 ? IRQ_KNOWN : IRQ_FOREIGN, act, (uint8_t)TARGET_TICKS(ticks));
}

static void post_x_from_handler(void)
{
    (void)att_mailbox_post(&box, 'x', ATT_NOWAIT);
}

static void fetch_first_from_handler(void)
{
    got = fetched();
}

TEST(wait_race, "a handler posts or fetches in the middle of a call that has to wait: nothing is lost")
{
    uintptr_t word = 0;
    irq_start();
    for (uint8_t ticks = 1; ticks < 90; ticks++) {
        for (uint8_t kind = 0; kind < 6; kind++) {
            if (kind < 2) {
                act_in(ticks, post_x_from_handler);
                CHECK_EQ(kind == 0 ? att_mailbox_fetch(&box, &word, ATT_FOREVER)
                                   : att_mailbox_fetch(&box, &word, ATT_MS(9)),
                         ATT_OK);
                CHECK_EQ(word, 'x');
                finish();
                continue;
            }
            fill();
            act_in(ticks, fetch_first_from_handler);
            if (kind < 4) {
                CHECK_EQ(kind == 2 ? att_mailbox_post(&box, 'd', ATT_FOREVER)
                                   : att_mailbox_post(&box, 'd', ATT_MS(9)),
                         ATT_OK);
                drain();
                CHECK_TOKENS("bcd");
            } else {
                CHECK_EQ(kind == 4 ? att_mailbox_post_ahead(&box, 'd', ATT_FOREVER)
                                   : att_mailbox_post_ahead(&box, 'd', ATT_MS(9)),
                         ATT_OK);
                drain();
                CHECK_TOKENS("dbc");
            }
            finish();
            CHECK_EQ(got, 'a');
        }
    }
}

static void fetch_when_told(void *arg)
{
    (void)arg;
    (void)att_suspend(&ref_a, ATT_FOREVER);
    CHECK_EQ(att_mailbox_fetch(&box, &got, ATT_FOREVER), ATT_OK);
}

static void post_when_told(void *arg)
{
    (void)att_suspend(&ref_a, ATT_FOREVER);
    CHECK_EQ(arg != NULL ? att_mailbox_post_ahead(&box, 'u', ATT_FOREVER)
                         : att_mailbox_post(&box, 'u', ATT_FOREVER),
             ATT_OK);
}

static void empty_and_tell(void)
{
    while (fetched() != '-') {
    }
    (void)att_resume(&ref_a, 0);
}

static void fill_and_tell(void)
{
    while (att_mailbox_post(&box, 'x', ATT_NOWAIT) == ATT_OK) {
    }
    (void)att_resume(&ref_a, 0);
}

TEST(turn_race, "the other side comes to wait in the middle of a call that was to wait: both go on")
{
    for (uint8_t ticks = 1; ticks < 90; ticks++) {
        for (uint8_t kind = 0; kind < 4; kind++) {
            uintptr_t word = 0;
            got = 0;
            start(6, kind < 2 ? fetch_when_told : post_when_told, ARG(ticks & 2));
            if (kind < 2) {
                fill();
            }
            act_in(ticks, kind < 2 ? empty_and_tell : fill_and_tell);
            if (kind < 2) {
                CHECK_EQ(kind == 0 ? att_mailbox_post(&box, 'd', ATT_FOREVER)
                                   : att_mailbox_post(&box, 'd', ATT_MS(9)),
                         ATT_OK);
                CHECK(att_thread_state(started(0)) != ATT_STATE_READY); /* more urgent: it has run */
                CHECK_EQ(att_join(started(1), ATT_MS(500)), ATT_OK);
                if (att_mailbox_count(&box) == 0 && got == 0) { /* the handler fetched it too */
                    post('d');
                }
                finish();
                CHECK_EQ(got, 'd');
            } else {
                CHECK_EQ(kind == 2 ? att_mailbox_fetch(&box, &word, ATT_FOREVER)
                                   : att_mailbox_fetch(&box, &word, ATT_MS(9)),
                         ATT_OK);
                CHECK(att_thread_state(started(0)) != ATT_STATE_READY);
                CHECK_EQ(att_join(started(1), ATT_MS(500)), ATT_OK);
                uint8_t from_thread = word == 'u';
                while ((word = fetched()) != '-') {
                    from_thread = (uint8_t)(from_thread + (word == 'u'));
                }
                CHECK_EQ(from_thread, 1);
                finish();
            }
            CHECK_EQ(att_mailbox_count(&box), 0);
        }
    }
    const att_key_t key = att_lock();
    irq_stop();
    att_unlock(key);
}

TAP_SUITE("test_mailbox_events.c", CASE(reset_posters) CASE(reset_fetchers) CASE(handlers) CASE(locked)
                                       CASE(passing) CASE(race) CASE(wait_race) CASE(turn_race))
