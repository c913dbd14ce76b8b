/*
 * A wait set: the thread waits for several objects at once: words in a mailbox, a semaphore that a timer
 * gives, and the end of another thread. It gets what comes first; the other objects keep what they have.
 */
#include "say.h"

static uintptr_t words[4], word;
static att_mailbox_t readings = ATT_MAILBOX_INIT(words, 4);
static att_sem_t second;

static void measure(void *arg)
{
    (void)arg;
    for (uintptr_t reading = 1; reading <= 5; reading++) {
        att_sleep(ATT_MS(90));
        att_mailbox_post(&readings, reading, ATT_FOREVER);
    }
}

static void on_timer(void *arg)
{
    att_sem_give((att_sem_t *)arg);
}

ATT_THREAD(sensor, 2, ATT_STACK_MIN + 60, measure, NULL);

static void serve(void *arg)
{
    enum { READING, SECOND, END };
    static att_waitable_t wait_set[] = {ATT_WAITABLE_MAILBOX(&readings, &word), ATT_WAITABLE_SEM(&second),
                                        ATT_WAITABLE_JOIN(&sensor.thread)};
    static att_timer_t timer = ATT_TIMER_INIT(on_timer, &second);
    uint8_t count = 3, which;
    (void)arg;
    att_timer_start(&timer, ATT_MS(200), ATT_MS(200));
    for (;;) {
        if (att_wait_any(wait_set, count, &which, ATT_MS(150)) != ATT_OK) {
            say("nothing for 150 ms\n");
        } else if (which == READING) {
            say("reading ");
            say_number((uint32_t)word);
            say("\n");
        } else if (which == SECOND) {
            say("tick\n");
        } else {
            say("the sensor has ended\n");
            count = END; /* the end of a thread would come again and again */
        }
    }
}

ATT_THREAD(server, 1, ATT_STACK_MIN + 130, serve, NULL);
ATT_SYSTEM(sensor, server);

int main(void)
{
    att_board_console_start();
    att_start();
}
