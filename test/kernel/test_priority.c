/*
 * Changing priorities: of the running thread, of ready, preempted and waiting ones, up and down. The
 * controller has priority 4.
 */
#include "tap.h"

static void set(uint8_t k, att_prio_t prio)
{
    att_thread_set_priority(started(k), prio);
}

static void set_self(att_prio_t prio)
{
    att_thread_set_priority(att_thread_self(), prio);
}

TEST(running_below, "the running thread that becomes less urgent than a ready one leaves at once")
{
    start(3, run_token, ARG('B'));
    token('A');
    set_self(2);
    token('C');
    CHECK_EQ(att_thread_priority(att_thread_self()), 2);
    set_self(4);
    CHECK_EQ(att_thread_priority(att_thread_self()), 4);
    CHECK_TOKENS("ABC");
}

TEST(running_equal, "the running thread goes behind the ready ones of its new priority")
{
    start(3, run_token, ARG('B'));
    start(3, run_token, ARG('C'));
    start(2, run_token, ARG('E'));
    token('A');
    set_self(3);
    token('D');
    set_self(4);
    finish();
    CHECK_TOKENS("ABCDE");
}

TEST(running_stays, "the running thread that stays the most urgent runs on")
{
    start(2, run_token, ARG('D'));
    token('A');
    set_self(3);
    token('B');
    set_self(7);
    token('C');
    set_self(4);
    finish();
    CHECK_TOKENS("ABCD");
}

TEST(ready_above, "a ready thread raised above the running one runs at once")
{
    start(3, run_token, ARG('D'));
    start(2, run_token, ARG('B'));
    token('A');
    set(1, 5);
    token('C');
    finish();
    CHECK_TOKENS("ABCD");
}

TEST(ready_among, "a ready thread goes behind those of its new priority")
{
    start(2, run_token, ARG('B'));
    start(3, run_token, ARG('A'));
    start(2, run_token, ARG('C'));
    start(1, run_token, ARG('D'));
    set(3, 2);
    CHECK_EQ(att_thread_priority(started(3)), 2);
    finish();
    CHECK_TOKENS("ABCD");
}

TEST(ready_down, "a ready thread lowered waits for those above, the first, the middle and the last of a list")
{
    for (uint8_t which = 0; which < 4; which++) {
        start(3, run_token, ARG('c')); /* into the chain */
        start(3, run_token, ARG('0'));
        start(3, run_token, ARG('1'));
        start(3, run_token, ARG('2'));
        set(which, 2);
        CHECK_EQ(att_thread_priority(started(which)), 2);
        CHECK_EQ(att_k_check(), 0);
        finish();
    }
    CHECK_TOKENS("012c"
                 "c120"
                 "c021"
                 "c012");
}

TEST(ready_same, "a ready thread set to the priority that it has goes behind its equals")
{
    start(3, run_token, ARG('B'));
    start(3, run_token, ARG('A'));
    set(0, 3);
    finish();
    CHECK_TOKENS("AB");
}

TEST(ready_alone, "the only thread of its list moves to another")
{
    start(3, run_token, ARG('B'));
    start(2, run_token, ARG('A'));
    set(0, 1);
    CHECK_EQ(att_k_check(), 0);
    finish();
    CHECK_TOKENS("AB");
}

static att_prio_t new_priority;

static void change_the_first(void *arg)
{
    (void)arg;
    token('B');
    set(0, new_priority);
    CHECK_EQ(att_k_check(), 0);
    token('C');
}

static void be_preempted(void *arg)
{
    (void)arg;
    token('A');
    start(2, run_token, ARG('y'));
    start(5, change_the_first, NULL);
    token('x');
}

TEST(preempted_down, "a preempted thread lowered goes behind the ready ones of its new priority")
{
    new_priority = 2;
    start(3, be_preempted, NULL);
    finish();
    CHECK_TOKENS("ABCyx");
}

TEST(preempted_between, "a preempted thread raised, still below the running one, continues after it")
{
    new_priority = 5;
    start(3, be_preempted, NULL);
    finish();
    CHECK_TOKENS("ABCxy");
}

TEST(preempted_above, "a preempted thread raised above the running one continues at once")
{
    new_priority = 6;
    start(3, be_preempted, NULL);
    finish();
    CHECK_TOKENS("ABxCy");
}

static void middle(void *arg)
{
    (void)arg;
    token('B');
    start(7, change_the_first, NULL);
    token('m');
}

static void bottom(void *arg)
{
    (void)arg;
    token('A');
    start(5, middle, NULL);
    token('x');
}

TEST(chain_middle, "the preempted below the preempted changes its place among them")
{
    new_priority = 6;
    start(3, bottom, NULL);
    finish();
    CHECK_TOKENS("ABBCxm");
    new_priority = 1;
    start(3, bottom, NULL);
    start(2, run_token, ARG('y'));
    finish();
    CHECK_TOKENS("ABBCmyx");
}

static void take_token(void *arg)
{
    CHECK_EQ(att_sem_take(&sem_a, ATT_FOREVER), ATT_OK);
    token((char)(uintptr_t)arg);
}

TEST(waiting, "a waiting thread goes behind those that wait with its new priority")
{
    start(2, take_token, ARG('0'));
    start(2, take_token, ARG('1'));
    start(3, take_token, ARG('2'));
    start(1, take_token, ARG('3'));
    settle();
    set(3, 3); /* 2 3 0 1 */
    set(0, 2); /* 2 3 1 0 */
    set(1, 1); /* 2 3 0 1 */
    set(2, 2); /* 3 0 2 1 */
    CHECK_EQ(att_k_check(), 0);
    for (uint8_t give = 0; give < 4; give++) {
        CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
        settle();
    }
    CHECK_TOKENS("3021");
}

static uint8_t served[6], served_count;

static void take_place(void *arg)
{
    CHECK_EQ(att_sem_take(&sem_a, ATT_FOREVER), ATT_OK);
    served[served_count++] = (uint8_t)(uintptr_t)arg;
}

/* 0 to 3 wait with priority 2, in the order of their memory or the other way round; before them 4, after
 * them 5.
 */
static void start_group(bool backwards)
{
    for (uint8_t k = 0; k < 6; k++) {
        start(k < 4 ? 2 : k == 4 ? 3 : 1, take_place, ARG(k));
        settle();
    }
    for (uint8_t k = 0; backwards && k < 4; k++) {
        set((uint8_t)(3 - k), 2);
    }
}

TEST(out_of_group,
     "a waiting thread leaves those of its priority: the first, any in the middle, the last of them")
{
    for (uint8_t round = 0; round < 8; round++) {
        const bool backwards = round >= 4;
        const uint8_t which = round % 4;
        start_group(backwards);
        set(which, 1);
        served_count = 0;
        for (uint8_t give = 0; give < 6; give++) {
            CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
            settle();
        }
        CHECK_EQ(served[0], 4);
        uint8_t at = 1;
        for (uint8_t k = 0; k < 4; k++) {
            const uint8_t next = backwards ? (uint8_t)(3 - k) : k;
            if (next != which) {
                CHECK_EQ(served[at], next);
                at++;
            }
        }
        CHECK_EQ(served[4], 5);
        CHECK_EQ(served[5], which);
        finish();
    }
}

static void sleep_token(void *arg)
{
    att_sleep(ATT_MS(6));
    token((char)(uintptr_t)arg);
}

TEST(sleeping, "a sleeping thread wakes with its new priority")
{
    start(2, sleep_token, ARG('B'));
    start(3, sleep_token, ARG('A'));
    att_sleep(ATT_MS(2));
    set(0, 3);
    set(1, 2);
    set_self(7);
    att_time_t until = att_now() + ATT_MS(10);
    while (!att_time_after(att_now(), until)) {
    }
    set_self(4);
    finish();
    CHECK_TOKENS("BA");
}

static void suspend_token(void *arg)
{
    CHECK_EQ(att_suspend(&ref_a, ATT_MS(100)), ATT_OK);
    token((char)(uintptr_t)arg);
}

TEST(suspended, "a suspended thread raised runs at once when it is resumed")
{
    start(2, suspend_token, ARG('B'));
    settle();
    set(0, 5);
    token('A');
    CHECK_EQ(att_resume(&ref_a, 0), ATT_OK);
    token('C');
    CHECK_TOKENS("ABC");
}

TEST(joining, "a thread that waits in a join may change its priority")
{
    start(1, take_token, ARG('A'));
    set_self(5);
    for (att_prio_t prio = 1; prio < 8; prio++) {
        settle();
        set(0, prio);
        CHECK_EQ(att_thread_priority(started(0)), prio);
    }
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    set_self(4);
    CHECK_TOKENS("A");
}

static att_inbox_t inbox;
static att_message_t message;

static void receive(void *arg)
{
    (void)arg;
    CHECK_EQ(att_message_receive(&inbox, &message, ATT_FOREVER), ATT_OK);
}

static void lower_and_reply(void *arg)
{
    (void)arg;
    att_thread_set_priority(att_message_sender(&message), 2);
    CHECK_EQ(att_k_check(), 0);
    CHECK_EQ(att_message_reply(&message, 1), ATT_OK);
    token('A');
}

TEST(sender, "a sender whose message is received, lowered: it continues below the receiver that answers")
{
    uintptr_t reply = 0;
    start(6, receive, NULL);
    start(3, lower_and_reply, NULL);
    CHECK_EQ(att_message_send(&inbox, 1, &reply, ATT_FOREVER), ATT_OK);
    token('B');
    CHECK_EQ(att_thread_priority(att_thread_self()), 2);
    set_self(4);
    CHECK_TOKENS("AB");
}

TAP_SUITE("test_priority.c",
          CASE(running_below) CASE(running_equal) CASE(running_stays) CASE(ready_above) CASE(ready_among)
              CASE(ready_down) CASE(ready_same) CASE(ready_alone) CASE(preempted_down) CASE(preempted_between)
                  CASE(preempted_above) CASE(chain_middle) CASE(waiting) CASE(out_of_group) CASE(sleeping)
                      CASE(suspended) CASE(joining) CASE(sender))
