/*
 * A storm of two interrupt sources on mailboxes, against a periodic timer, sleeps, and threads that block on
 * both sides of a third mailbox, for a bounded time: no word is lost, doubled or out of order, nothing is
 * early. A comment reports the sustained rate.
 *
 * On a board the instrument raises the interrupts (PCINT0 known, PCINT1 foreign); the image raises some
 * itself, so that it tests something alone as well.
 */
#include "irq.h"

#define MILLISECONDS 500

ATT_MAILBOX(known, 8);
ATT_MAILBOX(foreign, 8);
ATT_MAILBOX(between, 2);

/* One side's count, and the other's. */
typedef struct {
    volatile uint16_t posted, fetched, refused;
} flow_t;
static flow_t flow_known, flow_foreign, flow_between;
static volatile uint16_t timers;
static volatile bool stop;

/* The next word of a sequence; a word that was refused is sent again. */
static void post_next(att_mailbox_t *mailbox, flow_t *flow)
{
    if (att_mailbox_post(mailbox, flow->posted, ATT_NOWAIT) == ATT_OK) {
        flow->posted++;
    } else {
        flow->refused++;
    }
}

static void on_known(void)
{
    post_next(&known, &flow_known);
}

static void on_foreign(void)
{
    post_next(&foreign, &flow_foreign);
}

static void fetch_known(void *arg)
{
    uintptr_t word = 0;
    (void)arg;
    while (!stop && att_mailbox_fetch(&known, &word, ATT_FOREVER) == ATT_OK) {
        CHECK_EQ(word, flow_known.fetched);
        flow_known.fetched++;
    }
}

static void fetch_foreign(void *arg)
{
    uintptr_t word = 0;
    (void)arg;
    while (!stop) {
        if (att_mailbox_fetch(&foreign, &word, ATT_MS(2)) == ATT_OK) {
            CHECK_EQ(word, flow_foreign.fetched);
            flow_foreign.fetched++;
            if ((flow_foreign.fetched & 3) == 0) {
                att_sleep(100); /* words wait in the ring */
            }
        }
    }
}

/* Blocks as often as not, and so does the other side. */
static void post_between(void *arg)
{
    (void)arg;
    while (!stop) {
        CHECK_EQ(att_mailbox_post(&between, flow_between.posted, ATT_FOREVER), ATT_OK);
        flow_between.posted++;
        if ((flow_between.posted & 7) == 0) {
            att_sleep(3);
        }
    }
}

static void fetch_between(void *arg)
{
    uintptr_t word = 0;
    (void)arg;
    for (;;) {
        const att_status_t status = att_mailbox_fetch(&between, &word, 60);
        if (status == ATT_OK) {
            CHECK_EQ(word, flow_between.fetched);
            flow_between.fetched++;
        } else if (stop && flow_between.fetched == flow_between.posted) {
            return;
        }
    }
}

static att_time_t next_due;
static void on_timer(void *arg)
{
    (void)arg;
    CHECK(!att_time_after(next_due, att_now())); /* never early */
    next_due += ATT_MS(1);
    timers++;
}

static void tell(uint32_t interrupts, uint32_t milliseconds)
{
    tap_text(TEXT("# "));
    tap_number(interrupts * 1000 / milliseconds);
    tap_text(TEXT(" interrupts a second in the storm, refused "));
    tap_number((uint32_t)flow_known.refused + flow_foreign.refused);
    tap_text(TEXT(", words between threads "));
    tap_number((uint32_t)flow_between.posted * 1000 / milliseconds);
    tap_text(TEXT(" a second\n"));
}

static void end_of(att_mailbox_t *mailbox, att_thread_t *thread)
{
    while (!att_thread_ended(thread)) {
        att_mailbox_reset(mailbox); /* the waiters see the end */
        att_sleep(80);
    }
}

TEST(storm, "no word is lost, doubled or out of order, and nothing is early, whatever interrupts do")
{
    static att_timer_t timer = ATT_TIMER_INIT(on_timer, NULL);
    irq_start();
    irq_raise(IRQ_KNOWN, on_known); /* and again whenever the instrument says */
    irq_raise(IRQ_FOREIGN, on_foreign);
    start(6, fetch_known, NULL);
    start(5, fetch_foreign, NULL);
    start(3, post_between, NULL);
    start(2, fetch_between, NULL);
    const att_time_t begin = att_now();
    next_due = begin + ATT_MS(1);
    att_timer_start(&timer, ATT_MS(1), ATT_MS(1));
    for (uint16_t round = 0; att_now() - begin < ATT_MS(MILLISECONDS); round++) {
        const att_time_t duration = (att_time_t)(5 + round % 60);
        const att_time_t before = att_now();
        irq_raise(IRQ_KNOWN, on_known);
        irq_raise(IRQ_FOREIGN, on_foreign);
        att_sleep(duration);
        CHECK(att_now() - before > duration);
    }
    att_timer_stop(&timer);
    const uint32_t elapsed = (att_now() - begin) / ATT_MS(1); /* more, if the storm holds up this thread */
    const att_key_t key = att_lock();
    irq_stop();
    att_unlock(key);
    const att_key_t still = att_lock(); /* the instrument's interrupts go on */
    const uint16_t handled = (uint16_t)(flow_known.posted + flow_foreign.posted);
    CHECK_EQ(flow_known.fetched + att_mailbox_count(&known), flow_known.posted);
    CHECK_EQ(flow_foreign.fetched + att_mailbox_count(&foreign), flow_foreign.posted);
    att_unlock(still);
    stop = true;
    end_of(&known, started(0));
    end_of(&foreign, started(1));
    finish();
    CHECK_EQ(flow_between.fetched, flow_between.posted);
    CHECK(timers + 2u >= elapsed && timers <= elapsed + 1);
    CHECK(handled > 100 && flow_between.posted > 10);
    tell(handled, elapsed);
}

TAP_SUITE("test_storm_mailbox.c", CASE(storm))
