/*
 * A mailbox. The sensor, here a timer, posts a reading every 20 ms from its handler and never waits; the
 * reader fetches them one by one, and takes its time now and then: up to four readings wait for it in the
 * meantime. A command posted ahead overtakes them.
 */
#include "say.h"

enum { COMMAND = 1000 };

ATT_MAILBOX(readings, 4);

static void measure(void *arg)
{
    static uintptr_t number;
    (void)arg;
    number++;
    (void)att_mailbox_post(&readings, number, ATT_NOWAIT); /* ATT_TIMEOUT if four wait already: it is lost */
}

static att_timer_t sensor = ATT_TIMER_INIT(measure, NULL);

static void command(void *arg)
{
    (void)arg;
    for (;;) {
        att_sleep(ATT_MS(200));
        att_mailbox_post_ahead(&readings, COMMAND, ATT_FOREVER);
    }
}

static void read_all(void *arg)
{
    (void)arg;
    att_timer_start(&sensor, ATT_MS(20), ATT_MS(20));
    for (uintptr_t word;;) {
        att_mailbox_fetch(&readings, &word, ATT_FOREVER);
        if (word == COMMAND) {
            say("command, before ");
            say_number(att_mailbox_count(&readings));
            say(" readings\n");
        } else {
            say("reading ");
            say_number((uint32_t)word);
            say("\n");
            att_sleep(word % 8 == 0 ? ATT_MS(70) : ATT_MS(5));
        }
    }
}

ATT_THREAD(reader, 1, ATT_STACK_MIN + 80, read_all, NULL);
ATT_THREAD(commander, 2, ATT_STACK_MIN + 80, command, NULL);
ATT_SYSTEM(reader, commander);

int main(void)
{
    att_board_console_start();
    att_start();
}
