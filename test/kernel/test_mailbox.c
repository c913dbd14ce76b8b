/*
 * Mailboxes: order of words and of waiters, handing over on both sides, ahead, reset, handlers.
 */
#include "irq.h"

ATT_MAILBOX(box, 3);

static uintptr_t fetched(void)
{
    uintptr_t word = '-';
    (void)att_mailbox_fetch(&box, &word, ATT_NOWAIT);
    return word;
}

static void post(char word)
{
    CHECK_EQ(att_mailbox_post(&box, (uintptr_t)word, ATT_NOWAIT), ATT_OK);
}

static void fill(void)
{
    post('a');
    post('b');
    post('c');
}

/* All that is there, as tokens. */
static void drain(void)
{
    for (uintptr_t word; (word = fetched()) != '-';) {
        token((char)word);
    }
}

TEST(first_in, "as many words as there is room for, in the order in which they were posted")
{
    CHECK_EQ(att_mailbox_space(&box), 3);
    for (uint8_t round = 0; round < 4; round++) {
        fill();
        CHECK_EQ(att_mailbox_count(&box), 3);
        CHECK_EQ(att_mailbox_space(&box), 0);
        CHECK_EQ(att_mailbox_post(&box, 'd', ATT_NOWAIT), ATT_TIMEOUT);
        CHECK_EQ(att_mailbox_post_ahead(&box, 'd', ATT_NOWAIT), ATT_TIMEOUT);
        drain();
        CHECK_TOKENS("abc");
        post('m'); /* the ring's beginning moves */
        CHECK_EQ(fetched(), 'm');
    }
    CHECK_EQ(att_mailbox_count(&box), 0);
}

TEST(ahead, "a word posted ahead is the next one to be fetched")
{
    for (uint8_t round = 0; round < 4; round++) {
        post('a');
        CHECK_EQ(att_mailbox_post_ahead(&box, 'b', ATT_FOREVER), ATT_OK);
        CHECK_EQ(att_mailbox_post_ahead(&box, 'c', ATT_NOWAIT), ATT_OK);
        CHECK_EQ(att_mailbox_post_ahead(&box, 'd', ATT_NOWAIT), ATT_TIMEOUT);
        drain();
        CHECK_TOKENS("cba");
        CHECK_EQ(att_mailbox_post_ahead(&box, 'd', 5), ATT_OK);
        CHECK_EQ(fetched(), 'd');
        post('m');
        CHECK_EQ(fetched(), 'm');
    }
}

TEST(forever, "without having to wait, for ever is at once")
{
    uintptr_t word = 0;
    for (uint8_t round = 0; round < 7; round++) {
        CHECK_EQ(att_mailbox_post(&box, 'a', ATT_FOREVER), ATT_OK);
        CHECK_EQ(att_mailbox_post(&box, round, ATT_FOREVER), ATT_OK);
        CHECK_EQ(att_mailbox_fetch(&box, &word, ATT_FOREVER), ATT_OK);
        CHECK_EQ(word, 'a');
        CHECK_EQ(att_mailbox_fetch(&box, &word, ATT_FOREVER), ATT_OK);
        CHECK_EQ(word, round);
        CHECK_EQ((att_mailbox_post)(&box, 'b', 5), ATT_OK);
        CHECK_EQ((att_mailbox_post_ahead)(&box, 'c', 5), ATT_OK);
        CHECK_EQ(fetched(), 'c');
        CHECK_EQ(fetched(), 'b');
    }
}

static att_choice_t both[2];
static void choose(void *arg)
{
    uint8_t which = 9;
    (void)arg;
    CHECK_EQ(att_wait_any(both, 2, &which, ATT_FOREVER), ATT_OK);
    token((char)('0' + which));
}

TEST(chosen, "a word goes to who waits for it among other things, and past who has chosen another one")
{
    static uintptr_t came;
    const att_choice_t choices[2] = {ATT_CHOOSE_MAILBOX(&box, &came), ATT_CHOOSE_SEM(&sem_a)};
    both[0] = choices[0];
    both[1] = choices[1];
    for (uint8_t round = 0; round < 4; round++) {
        start(3, choose, NULL);
        settle();
        if (round >= 2) {
            CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
        }
        CHECK_EQ((round & 1) == 0 ? att_mailbox_post(&box, 'a', ATT_NOWAIT)
                                  : att_mailbox_post(&box, 'a', ATT_FOREVER),
                 ATT_OK);
        finish();
        CHECK_EQ(round < 2 ? came : fetched(), 'a');
        CHECK_EQ(fetched(), '-');
        came = 0;
    }
    CHECK_TOKENS("0011");
}

TEST(peek, "peeking leaves the word there")
{
    uintptr_t word = 7;
    CHECK_EQ(att_mailbox_peek(&box, &word), ATT_EMPTY);
    CHECK_EQ(word, 7);
    post('a');
    post('b');
    CHECK_EQ(att_mailbox_peek(&box, &word), ATT_OK);
    CHECK_EQ(word, 'a');
    CHECK_EQ(att_mailbox_count(&box), 2);
    drain();
    CHECK_TOKENS("ab");
}

TEST(init, "at run time: one word, and the most there can be, any words")
{
    static uintptr_t words[ATT_MAILBOX_MAX < 260 ? ATT_MAILBOX_MAX : 260];
    const size_t most = sizeof(words) / sizeof(words[0]);
    att_mailbox_t mailbox;
    uintptr_t word = 0;
    att_mailbox_init(&mailbox, words, 1);
    CHECK_EQ(att_mailbox_post(&mailbox, UINTPTR_MAX, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_mailbox_post(&mailbox, 1, 1), ATT_TIMEOUT);
    CHECK_EQ(att_mailbox_fetch(&mailbox, &word, ATT_FOREVER), ATT_OK);
    CHECK(word == UINTPTR_MAX);
    att_mailbox_init(&mailbox, words, most);
    for (size_t round = 0; round < 2 * most; round += most - 1) {
        for (size_t i = 0; i < most; i++) {
            CHECK_EQ(att_mailbox_post(&mailbox, round + i, ATT_NOWAIT), ATT_OK);
        }
        CHECK_EQ(att_mailbox_post(&mailbox, 1, ATT_NOWAIT), ATT_TIMEOUT);
        for (size_t i = 0; i < most; i++) {
            CHECK_EQ(att_mailbox_fetch(&mailbox, &word, ATT_NOWAIT), ATT_OK);
            CHECK(word == round + i);
        }
        (void)att_mailbox_post(&mailbox, 1, ATT_NOWAIT);
        (void)att_mailbox_fetch(&mailbox, &word, ATT_NOWAIT);
    }
}

static void fetch_token(void *arg)
{
    uintptr_t word = 0;
    CHECK_EQ(att_mailbox_fetch(&box, &word, ATT_FOREVER), ATT_OK);
    token((char)(uintptr_t)arg);
    token((char)word);
}

TEST(handed, "a word posted while a thread waits is handed to it: nobody takes it away before it runs")
{
    start(5, fetch_token, ARG('A'));
    post('a'); /* at once */
    CHECK_TOKENS("Aa");
    for (att_prio_t prio = 3; prio <= 4; prio++) {
        start(prio, fetch_token, ARG('B'));
        settle();
        CHECK_EQ(att_mailbox_post(&box, 'b', ATT_FOREVER), ATT_OK);
        CHECK_EQ(att_mailbox_count(&box), 0);
        CHECK_EQ(fetched(), '-');
        CHECK_TOKENS("");
        finish();
        CHECK_TOKENS("Bb");
    }
}

TEST(fetchers, "fetchers are served by priority, first come first served within one, ahead or not")
{
    start(2, fetch_token, ARG('C'));
    settle();
    start(3, fetch_token, ARG('A'));
    settle();
    start(2, fetch_token, ARG('D'));
    start(3, fetch_token, ARG('B'));
    settle();
    post('1');
    CHECK_EQ(att_mailbox_post_ahead(&box, '2', ATT_NOWAIT), ATT_OK);
    CHECK_EQ(att_mailbox_post_ahead(&box, '3', ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_mailbox_post(&box, '4', 5), ATT_OK);
    finish();
    CHECK_TOKENS("A1B2C3D4");
}

static void post_forever(void *arg)
{
    CHECK_EQ(att_mailbox_post(&box, (uintptr_t)arg, ATT_FOREVER), ATT_OK);
    token('.');
}

static void post_ahead(void *arg)
{
    CHECK_EQ(att_mailbox_post_ahead(&box, (uintptr_t)arg, ATT_FOREVER), ATT_OK);
    token(':');
}

static void post_in_time(void *arg)
{
    CHECK_EQ(att_mailbox_post(&box, (uintptr_t)arg, ATT_MS(200)), ATT_OK);
    token('.');
}

static void post_ahead_in_time(void *arg)
{
    CHECK_EQ(att_mailbox_post_ahead_until(&box, (uintptr_t)arg, att_now() + ATT_MS(200)), ATT_OK);
    token(':');
}

TEST(posters, "posters wait by priority; a word goes in the moment there is room, before its thread runs")
{
    fill();
    start(2, post_forever, ARG('y'));
    settle();
    start(3, post_in_time, ARG('x'));
    settle();
    CHECK_EQ(att_mailbox_count(&box), 3);
    CHECK_EQ(fetched(), 'a'); /* room for x */
    CHECK_EQ(att_mailbox_count(&box), 3);
    CHECK_EQ(att_mailbox_post(&box, 'z', ATT_NOWAIT), ATT_TIMEOUT);
    CHECK_EQ(fetched(), 'b');
    CHECK_EQ(fetched(), 'c');
    CHECK_TOKENS("");
    drain();
    CHECK_TOKENS("xy");
    finish();
    CHECK_TOKENS("..");
}

TEST(urgent_poster, "a more urgent poster goes on at once when its word goes in")
{
    fill();
    start(5, post_forever, ARG('x'));
    token('A');
    token((char)fetched());
    token('B');
    CHECK_TOKENS("A.aB");
    drain();
    CHECK_TOKENS("bcx");
}

TEST(posters_ahead,
     "who waits to post ahead has his turn like any other, and his word goes in before the others")
{
    fill();
    start(3, post_forever, ARG('x'));
    settle();
    start(3, post_ahead, ARG('y'));
    start(2, post_ahead_in_time, ARG('z'));
    settle();
    CHECK_EQ(fetched(), 'a'); /* b c x */
    CHECK_EQ(fetched(), 'b'); /* y c x */
    CHECK_EQ(fetched(), 'y'); /* z c x */
    drain();
    CHECK_TOKENS("zcx");
    finish();
    CHECK_TOKENS(".::");
}

static uintptr_t got;
static void fetch_in_time(void *arg)
{
    const att_status_t status = att_mailbox_fetch(&box, &got, (att_time_t)(uintptr_t)arg);
    token(status == ATT_OK ? 'o' : status == ATT_TIMEOUT ? 't' : 'c');
}

TEST(timeouts, "every kind of timeout, on both sides; what is to be fetched stays as it was")
{
    uintptr_t word = 7;
    CHECK_EQ(att_mailbox_fetch(&box, &word, ATT_NOWAIT), ATT_TIMEOUT);
    CHECK_EQ((att_mailbox_fetch)(&box, &word, ATT_NOWAIT), ATT_TIMEOUT);
    for (att_time_t timeout = 1; timeout < 80; timeout += 26) {
        att_time_t begin = att_now();
        CHECK_EQ(att_mailbox_fetch(&box, &word, timeout), ATT_TIMEOUT);
        CHECK(att_now() - begin > timeout && att_now() - begin <= timeout + 1 + 2 * TARGET_LATENCY);
        fill();
        begin = att_now();
        CHECK_EQ(att_mailbox_post(&box, 'd', timeout), ATT_TIMEOUT);
        CHECK(att_now() - begin > timeout && att_now() - begin <= timeout + 1 + 2 * TARGET_LATENCY);
        CHECK_EQ(att_mailbox_post_ahead(&box, 'd', timeout), ATT_TIMEOUT);
        CHECK_EQ(att_mailbox_post_until(&box, 'd', att_now() - 1), ATT_TIMEOUT);
        CHECK_EQ(att_mailbox_post_ahead_until(&box, 'd', att_now() + 3), ATT_TIMEOUT);
        CHECK_EQ(att_mailbox_post_until(&box, 'd', att_now() + 3), ATT_TIMEOUT);
        drain();
        CHECK_TOKENS("abc");
    }
    CHECK_EQ(att_mailbox_fetch_until(&box, &word, att_now() + 9), ATT_TIMEOUT);
    CHECK_EQ(word, 7);
    CHECK(!target_alarm_armed());
}

TEST(served_in_time, "served in time: the alarm is gone; whoever's time is up is no waiter any more")
{
    start(3, fetch_in_time, ARG(ATT_MS(100)));
    start(3, fetch_in_time, ARG(1));
    start(3, fetch_in_time, ARG(ATT_FOREVER));
    att_sleep(ATT_MS(3));
    CHECK_TOKENS("t");
    post('a');
    post('b');
    CHECK_EQ(att_mailbox_count(&box), 0);
    finish();
    CHECK_TOKENS("oo");
    CHECK(!target_alarm_armed());
    fill();
    CHECK_EQ(att_mailbox_fetch_until(&box, &got, att_now()), ATT_OK);
    CHECK_EQ(att_mailbox_post_until(&box, 'd', att_now()), ATT_OK);
    CHECK_EQ((att_mailbox_fetch)(&box, &got, ATT_FOREVER), ATT_OK);
    CHECK_EQ((att_mailbox_post)(&box, 'e', ATT_FOREVER), ATT_OK);
    CHECK_EQ((att_mailbox_fetch)(&box, &got, ATT_NOWAIT), ATT_OK);
    CHECK_EQ((att_mailbox_post_ahead)(&box, 'f', ATT_NOWAIT), ATT_OK);
    drain();
    CHECK_TOKENS("fde");
}

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

TEST(reset_posters, "posters that a reset meets have not posted")
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

TEST(reset_fetchers, "fetchers that a reset meets get nothing; who comes back is served as any other")
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

TEST(locked, "under lock: a switch that falls due is made at the end")
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

TAP_SUITE("test_mailbox.c",
          CASE(first_in) CASE(ahead) CASE(forever) CASE(chosen) CASE(peek) CASE(init) CASE(handed)
              CASE(fetchers) CASE(posters) CASE(urgent_poster) CASE(posters_ahead) CASE(timeouts)
                  CASE(served_in_time) CASE(reset_posters) CASE(reset_fetchers) CASE(handlers) CASE(locked)
                      CASE(passing) CASE(race) CASE(wait_race) CASE(turn_race))
