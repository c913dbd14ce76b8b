/*
 * A mutex with priority inheritance. The logger, the least urgent thread, owns the bus while it computes; the
 * controller, the most urgent one, waits for it. A thread of a priority in between becomes ready at the same
 * time and would preempt the logger, and so delay the controller, for an unbounded time: priority inversion.
 * While the controller waits, the logger inherits its priority, until it unlocks the mutex.
 */
#include "say.h"

static att_mutex_t bus; /* all zero: unlocked, with inheritance; ATT_MUTEX_CEILING(3) would be another way */

static void spin(att_time_t duration)
{
    for (const att_time_t end = att_now() + duration; att_time_after(end, att_now());) {
    }
}

static void say_priority(const char *text)
{
    say(text);
    say_number(att_thread_priority(att_thread_self()));
    say("\n");
}

static void log_it(void *arg)
{
    (void)arg;
    for (att_time_t next = att_now();;) {
        att_mutex_lock(&bus, ATT_FOREVER);
        say_priority("logger has the bus, priority ");
        spin(ATT_MS(40));
        say_priority("logger gives it back, priority ");
        att_mutex_unlock(&bus);
        say_priority("logger goes on, priority ");
        att_sleep_until(next += ATT_MS(200));
    }
}

static void compute(void *arg)
{
    (void)arg;
    for (att_time_t next = att_now() + ATT_MS(20);; next += ATT_MS(200)) {
        att_sleep_until(next);
        say("something in between computes\n");
        spin(ATT_MS(50));
    }
}

static void control(void *arg)
{
    (void)arg;
    for (att_time_t next = att_now() + ATT_MS(20);; next += ATT_MS(200)) {
        att_sleep_until(next);
        att_mutex_lock(&bus, ATT_FOREVER);
        say("controller has the bus\n");
        att_mutex_unlock(&bus);
    }
}

ATT_THREAD(logger, 1, ATT_STACK_MIN + 90, log_it, NULL);
ATT_THREAD(other, 2, ATT_STACK_MIN + 80, compute, NULL);
ATT_THREAD(controller, 3, ATT_STACK_MIN + 80, control, NULL);
ATT_SYSTEM(logger, other, controller);

int main(void)
{
    att_board_console_start();
    att_start();
}
