/*
 * Suspend and resume by reference: the simplest way for a thread to wait for another thread or for a handler.
 * The reference holds the one thread that waits in it; the resume passes a value to that thread.
 *
 * A resume without a waiter is not kept: it returns ATT_EMPTY. Where it must be kept, use a semaphore.
 */
#include "say.h"

static att_ref_t waiting;

static void print(void *arg)
{
    (void)arg;
    for (;;) {
        att_suspend(&waiting, ATT_FOREVER);
        say("resumed with ");
        say_number((uint32_t)att_value());
        say("\n");
        att_sleep(ATT_MS(15)); /* sleeps instead: every second resume finds no waiter */
    }
}

static void measure(void *arg)
{
    (void)arg;
    uint16_t missed = 0;
    for (uint16_t value = 1;; value++) {
        att_sleep(ATT_MS(10));
        if (att_resume(&waiting, value) == ATT_EMPTY && ++missed % 10 == 0) {
            say("missed ");
            say_number(missed);
            say("\n");
        }
    }
}

ATT_THREAD(printer, 2, ATT_STACK_MIN + 80, print, NULL);
ATT_THREAD(meter, 1, ATT_STACK_MIN + 80, measure, NULL);
ATT_SYSTEM(printer, meter);

int main(void)
{
    att_board_console_start();
    att_start();
}
