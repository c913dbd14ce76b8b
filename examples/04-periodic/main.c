/*
 * A period without drift. However long the work takes, the next round begins a whole number of periods after
 * the first: the deadline is counted on, not measured again. With att_sleep(ATT_MS(100)) instead, every round
 * would be late by its work, and by the unit that a relative wait is rounded up by.
 */
#include "say.h"

static void work(void *arg)
{
    (void)arg;
    const att_time_t start = att_now();
    att_time_t next = start;
    for (;;) {
        say("round at ");
        say_number((att_now() - start) / ATT_MS(1)); /* printing takes longer as numbers grow */
        say(" ms\n");
        next += ATT_MS(100);
        att_sleep_until(next);
    }
}

ATT_THREAD(worker, 1, ATT_STACK_MIN + 80, work, NULL);
ATT_SYSTEM(worker);

int main(void)
{
    att_board_console_start();
    att_start();
}
