/*
 * Interrupts that occur while a call walks a long list of alarms: it enables them at every step. Each test
 * repeats a call and delays the interrupt a little more each time, so that it occurs at every step.
 */
#include "irq.h"
#include "attacca/port_api.h"

#define SLEEPERS 5

/* On a board 60 steps of two ticks, of 8 cycles; on a host 25 of one, a point, several times since chance
 * decides how long a pending switch takes to occur. Each step with a handler of each kind. */
#define EACH_STEP(step) for (uint8_t step = 2; step < 122; step++)
#define TICKS_OF(step) ((uint8_t)TARGET_TICKS((step) / 2))
#define KIND_OF(step) ((step)&1 ? IRQ_KNOWN : IRQ_FOREIGN)

static att_ref_t refs[SLEEPERS];

static void sleep_in_ref(void *arg)
{
    const uint8_t k = (uint8_t)(uintptr_t)arg;
    const att_status_t status = att_suspend(&refs[k], ATT_MS(20) + k);
    CHECK(status == ATT_OK || status == ATT_TIMEOUT);
}

static void no_call(void *arg)
{
    (void)arg;
}
static att_timer_t later = ATT_TIMER_INIT(no_call, NULL);

/* Sleepers with alarms before the controller's, and a timer behind it: its place is between two others. */
static void start_some(att_prio_t prio, uint8_t count)
{
    att_timer_start(&later, ATT_MS(31), 0);
    for (uint8_t k = 0; k < count; k++) {
        start(prio, sleep_in_ref, ARG(k));
    }
    settle();
}

static void start_sleepers(att_prio_t prio)
{
    start_some(prio, SLEEPERS);
}

static void resume_all(void)
{
    for (uint8_t k = 0; k < SLEEPERS; k++) {
        (void)att_resume(&refs[k], 0);
    }
}

/* And then nothing is armed. */
static void resume_rest(void)
{
    att_timer_stop(&later);
    resume_all();
}

static void resume_last(void)
{
    (void)att_resume(&refs[SLEEPERS - 1], 0);
}

static void resume_first(void)
{
    (void)att_resume(&refs[0], 0);
}

static const irq_action_t resumes[] = {resume_first, resume_last, resume_all};

TEST(alarms_leave, "alarms that a walk has passed are removed meanwhile: it finds its place all the same")
{
    irq_start();
    EACH_STEP(step)
    {
        start_sleepers(step & 2 ? 6 : 3);
        irq_tick(KIND_OF(step), resumes[step / 2 % 3], TICKS_OF(step));
        const att_time_t begin = att_now();
        CHECK_EQ(att_sem_take(&sem_a, ATT_MS(24)), ATT_TIMEOUT);
        CHECK(att_now() - begin >= ATT_MS(24));
        irq_tick_cancel();
        resume_rest();
        finish();
        CHECK_EQ(att_k_check(), 0);
        CHECK(!target_alarm_armed());
    }
}

static volatile uint8_t given;
static att_time_t given_at;

static void give_a(void)
{
    given++;
    given_at = att_now();
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
}

TEST(unit_comes, "a unit given while its taker walks ends the wait before it begins")
{
    uint8_t taken = 0;
    EACH_STEP(step)
    {
        start_sleepers(3);
        given = 0;
        irq_tick(KIND_OF(step), give_a, TICKS_OF(step));
        const att_time_t deadline = att_now() + ATT_MS(30);
        const uint8_t got = att_sem_take(&sem_a, ATT_MS(30)) == ATT_OK;
        irq_tick_cancel();
        CHECK_EQ(got + att_sem_count(&sem_a), given);
        CHECK(got || !given ||
              att_time_after(given_at, deadline)); /* the unit is not kept while a thread waits */
        att_sem_reset(&sem_a, 0);
        taken = (uint8_t)(taken + got);
        resume_rest();
        finish();
        CHECK(!target_alarm_armed());
    }
    CHECK(taken >= 10);
}

static uint8_t woken;

static void take_urgent(void *arg)
{
    (void)arg;
    CHECK_EQ(att_sem_take(&sem_b, ATT_FOREVER), ATT_OK);
    woken++;
}

static void give_b(void)
{
    CHECK_EQ(att_sem_give(&sem_b), ATT_OK);
}

TEST(switch_comes, "a more urgent thread woken meanwhile runs, and the wait begins afterwards")
{
    woken = 0;
    EACH_STEP(step)
    {
        start_sleepers(3);
        start(7, take_urgent, NULL);
        irq_tick(KIND_OF(step), give_b, TICKS_OF(step));
        const att_time_t begin = att_now();
        att_sleep_until(begin + ATT_MS(25));
        CHECK(att_now() - begin >= ATT_MS(25));
        irq_tick_cancel();
        resume_rest();
        if (woken != step - 1) { /* it came too late */
            give_b();
            CHECK_EQ(woken, step - 1);
        }
        finish();
    }
}

static uint8_t yields;
static irq_kind_t yield_kind;
static bool resumes_too;
static uint8_t resumed;

static void yield(void)
{
    att_yield();
    if (resumes_too && yields < 3) { /* when both walk */
        (void)att_resume(&refs[(yields + resumed) % SLEEPERS], 0);
    }
    if (yields != 0) { /* and again, soon: those that got the turn walk as well */
        yields--;
        irq_tick(yield_kind, yield, TICKS_OF(8));
    }
}

static void also_waits(void *arg)
{
    (void)arg;
    CHECK_EQ(att_sem_take(&sem_b, ATT_MS(25)), ATT_TIMEOUT);
}

TEST(two_walk, "two threads of one priority walk at once, also while alarms that they stand at leave")
{
    EACH_STEP(step)
    {
        start_sleepers(6);
        start(4, also_waits, NULL);
        yields = 6;
        yield_kind = KIND_OF(step);
        resumes_too = (step & 2) != 0;
        resumed = step / 4;
        irq_tick(yield_kind, yield, TICKS_OF(step));
        CHECK_EQ(att_sem_take(&sem_a, ATT_MS(25)), ATT_TIMEOUT);
        irq_tick_cancel();
        resume_rest();
        finish();
        CHECK_EQ(att_k_check(), 0);
    }
}

static void nothing(void *arg)
{
    (void)arg;
}
static att_timer_t timers[2] = {ATT_TIMER_INIT(nothing, NULL), ATT_TIMER_INIT(nothing, NULL)};

static void also_starts(void *arg)
{
    (void)arg;
    att_timer_start(&timers[1], ATT_MS(26), 0);
}

static void take_in_time(void *arg)
{
    (void)arg;
    CHECK_EQ(att_sem_take(&sem_b, ATT_MS(30)), ATT_OK);
}

static att_inbox_t inbox;
static att_message_t message;

static void receive_it(void *arg)
{
    (void)arg;
    CHECK_EQ(att_message_receive(&inbox, &message, ATT_FOREVER), ATT_OK);
}

/* Among the others, or behind `later`. */
#define TIMEOUT_OF(step) ((step)&8 ? ATT_MS(40) : ATT_MS(24))

TEST(sender_walks, "a message with a timeout is passed before its alarm's place is found; alarms leave meanwhile")
{
    EACH_STEP(step)
    {
        start_sleepers(step & 2 ? 6 : 3);
        start(7, receive_it, NULL);
        irq_tick(KIND_OF(step), resumes[step / 2 % 3], TICKS_OF(step));
        uintptr_t reply = 0;
        const att_time_t begin = att_now();
        CHECK_EQ(att_message_send(&inbox, step, &reply, TIMEOUT_OF(step)), ATT_TIMEOUT);
        CHECK(att_now() - begin >= TIMEOUT_OF(step));
        irq_tick_cancel();
        CHECK_EQ(message.word, step);
        CHECK_EQ(att_message_reply(&message, 0), ATT_EMPTY);
        resume_rest();
        finish();
        CHECK_EQ(att_k_check(), 0);
        CHECK(!target_alarm_armed());
    }
}

static void send_in_time(void *arg)
{
    uintptr_t reply = 0;
    CHECK_EQ(att_message_send(&inbox, 1, &reply, arg != NULL ? ATT_MS(30) : ATT_MS(18)), ATT_OK);
    CHECK_EQ(reply, 2);
}

static void reply_it(void)
{
    (void)att_message_reply(&message, 2);
}

TEST(sender_leaves, "a reply comes in the middle of a walk: the sender disarms its timeout")
{
    EACH_STEP(step)
    {
        start_some(6, SLEEPERS - 1);
        start(7, receive_it, NULL);
        start(5, send_in_time, ARG(step & 2)); /* its alarm is among the others, or the first */
        irq_tick(KIND_OF(step), reply_it, TICKS_OF(step));
        att_timer_start(&timers[0], ATT_MS(25), 0);
        irq_tick_cancel();
        CHECK(att_timer_running(&timers[0]));
        CHECK_EQ(att_k_check(), 0);
        reply_it(); /* if it has not come yet */
        resume_rest();
        finish();
        att_timer_stop(&timers[0]);
        CHECK_EQ(att_k_check(), 0);
    }
}

static att_mutex_t mutex;
static att_cond_t cond;

static void wait_in_time(void *arg)
{
    (void)arg;
    CHECK_EQ(att_mutex_lock(&mutex, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_cond_wait(&cond, &mutex, ATT_MS(30)), ATT_OK);
    att_mutex_unlock(&mutex);
}

static void signal_it(void)
{
    att_cond_signal(&cond);
}

TEST(walker_leaves,
     "a thread that starts a timer is interrupted in the middle of its walk: by an equal that starts one as well, "
     "or a thread whose timeout is disarmed")
{
    EACH_STEP(step)
    {
        const bool equal = (step & 2) != 0, waits = (step & 4) != 0;
        const irq_action_t wake = waits ? signal_it : give_b;
        start_sleepers(6);
        start(equal ? 4 : 7, equal ? also_starts : waits ? wait_in_time : take_in_time, NULL);
        yields = equal ? 6 : 0;
        yield_kind = KIND_OF(step);
        resumes_too = false;
        irq_tick(yield_kind, equal ? yield : wake, TICKS_OF(step));
        att_timer_start(&timers[0], ATT_MS(25), 0);
        irq_tick_cancel();
        CHECK(att_timer_running(&timers[0]));
        CHECK_EQ(att_k_check(), 0);
        if (!equal && !att_thread_ended(started(SLEEPERS))) { /* it has not come yet */
            wake();
        }
        resume_rest();
        finish();
        CHECK_EQ(att_timer_running(&timers[1]), equal);
        att_timer_stop(&timers[0]);
        att_timer_stop(&timers[1]);
        CHECK_EQ(att_k_check(), 0);
    }
}

static void oversleep(void)
{
    target_clock_jump(ATT_MS(50)); /* `later` as well */
    att_clock_corrected();
}

static void sleep_once(void *arg)
{
    (void)arg;
    att_sleep(ATT_MS(19)); /* the first, so that its place needs no walk */
}

TEST(time_passes, "all alarms, the walker's own included, become due while it walks")
{
    EACH_STEP(step)
    {
        start_sleepers(step & 2 ? 6 : 3);
        start(step & 1 ? 6 : 3, sleep_once, NULL);
        settle();
        if (step & 4) {
            resume_all(); /* those that are less urgent are woken, and their alarms are still armed */
        }
        irq_tick(KIND_OF(step), oversleep, TICKS_OF(step));
        CHECK_EQ(att_sem_take(&sem_a, ATT_MS(25)), ATT_TIMEOUT);
        irq_tick_cancel();
        att_timer_stop(&later); /* threads that were woken before leave it few moments to expire in */
        finish();
        CHECK(!target_alarm_armed());
        CHECK_EQ(att_k_check(), 0);
    }
}

TEST(sleep_passes, "a sleep whose time comes while it is being armed ends before it begins")
{
    EACH_STEP(step)
    {
        start_sleepers(step & 2 ? 6 : 3);
        irq_tick(KIND_OF(step), oversleep, TICKS_OF(step));
        const att_time_t begin = att_now();
        att_sleep(ATT_MS(25));
        CHECK(att_now() - begin >= ATT_MS(25));
        irq_tick_cancel();
        finish();
        CHECK(!target_alarm_armed());
        CHECK_EQ(att_k_check(), 0);
    }
}

static void reset_a(void)
{
    att_sem_reset(&sem_a, 0);
}

TEST(reset_comes, "a reset that comes before the wait has begun cancels nothing, one that comes after does")
{
    uint8_t canceled = 0;
    EACH_STEP(step)
    {
        start_sleepers(3);
        irq_tick(KIND_OF(step), reset_a, TICKS_OF(step));
        const att_status_t status = att_sem_take(&sem_a, ATT_MS(21));
        CHECK(status == ATT_CANCELED || status == ATT_TIMEOUT);
        canceled = (uint8_t)(canceled + (status == ATT_CANCELED));
        irq_tick_cancel();
        resume_rest();
        finish();
    }
    CHECK(!IRQ_COMES_LATER || canceled > 0);
}

static void wait_for_reset(void *arg)
{
    const att_time_t timeout = (uintptr_t)arg & 1 ? ATT_MS(20) : ATT_FOREVER;
    const att_status_t status = att_sem_take(&sem_b, timeout);
    CHECK(status == ATT_CANCELED || (status == ATT_TIMEOUT && timeout != ATT_FOREVER));
    const att_key_t key = att_lock(); /* a change of priority may come in the middle */
    woken++;
    att_unlock(key);
}

static void change_priorities(void)
{
    for (uint8_t k = 0; k < SLEEPERS; k++) {
        if (!att_thread_ended(started(k))) {
            att_thread_set_priority(started(k), (att_prio_t)(1 + k % 2));
        }
    }
}

TEST(reset_walks, "waiters whose time is up, or whose priority changes, while a reset releases them")
{
    EACH_STEP(step)
    {
        woken = 0;
        for (uint8_t k = 0; k < SLEEPERS; k++) {
            start(step & 2 ? 3 : 6, wait_for_reset, ARG(k));
        }
        settle();
        irq_tick(KIND_OF(step), step & 4 ? oversleep : change_priorities, TICKS_OF(step));
        att_sem_reset(&sem_b, 0);
        CHECK_EQ(att_k_check(), 0);
        finish();
        irq_tick_cancel();
        CHECK_EQ(woken, SLEEPERS);
        CHECK(sem_b.wait.head == NULL);
        CHECK_EQ(att_k_check(), 0);
    }
}

static void wait_elsewhere(void *arg)
{
    const att_status_t status = att_sem_take(&sem_a, (uintptr_t)arg == 'x' ? ATT_MS(20) : ATT_FOREVER);
    token(status == ATT_OK ? (char)(uintptr_t)arg : '-');
}

static void raise_second(void)
{
    att_thread_set_priority(started(1), 3);
}

TEST(reset_elsewhere, "waiters elsewhere whose time is up, or whose priority changes, during a reset")
{
    EACH_STEP(step)
    {
        const bool late = (step & 2) != 0;
        woken = 0;
        start(2, wait_elsewhere, ARG('x'));
        start(2, wait_elsewhere, ARG('y'));
        for (uint8_t k = 0; k < 4; k++) {
            start(2, wait_for_reset, ARG(0));
        }
        settle();
        irq_tick(KIND_OF(step), late ? oversleep : raise_second, TICKS_OF(step));
        att_sem_reset(&sem_b, 0);
        irq_tick_cancel();
        (late ? oversleep : raise_second)(); /* if it has not come yet */
        CHECK_EQ(att_k_check(), 0);
        CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
        CHECK_EQ(att_sem_count(&sem_a), 0);
        if (!late) {
            CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
        }
        finish();
        CHECK_EQ(woken, 4);
        CHECK(sem_a.wait.head == NULL && sem_b.wait.head == NULL);
        if (late) {
            CHECK_TOKENS("-y");
        } else {
            CHECK_TOKENS("yx");
        }
    }
}

TAP_SUITE("test_walk.c",
          CASE(alarms_leave) CASE(unit_comes) CASE(switch_comes) CASE(two_walk) CASE(sender_walks)
              CASE(sender_leaves) CASE(walker_leaves) CASE(time_passes) CASE(sleep_passes) CASE(reset_comes)
                  CASE(reset_walks) CASE(reset_elsewhere))
