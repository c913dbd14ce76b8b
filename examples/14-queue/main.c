/*
 * A queue of items, which are copied in and out: the queue keeps its own copy, so the sender's variable may
 * go out of scope. An interrupt handler, here a timer's, puts measurements and never waits; the thread gets
 * them later. Large items are better passed in a FIFO (fifo.h), which copies nothing.
 */
#include "say.h"

typedef struct {
    uint8_t channel;
    uint16_t number;
    uint32_t value;
} sample_t;

ATT_QUEUE(samples, sample_t, 4);

static void measure(void *arg)
{
    static uint16_t number;
    (void)arg;
    number++;
    const sample_t sample = {(uint8_t)(number % 3), number, (uint32_t)number * number};
    (void)att_queue_put(&samples, &sample, ATT_NOWAIT); /* ATT_TIMEOUT if four wait already: it is lost */
}

static att_timer_t sensor = ATT_TIMER_INIT(measure, NULL);

static void print_all(void *arg)
{
    sample_t sample;
    (void)arg;
    att_timer_start(&sensor, ATT_MS(20), ATT_MS(20));
    for (;;) {
        att_queue_get(&samples, &sample, ATT_FOREVER);
        say("channel ");
        say_number(sample.channel);
        say(": ");
        say_number(sample.number);
        say(" squared is ");
        say_number(sample.value);
        say("\n");
        att_sleep(sample.number % 10 == 0 ? ATT_MS(70) : ATT_MS(2)); /* late now and then */
    }
}

ATT_THREAD(printer, 1, ATT_STACK_MIN + 120, print_all, NULL);
ATT_SYSTEM(printer);

int main(void)
{
    att_board_console_start();
    att_start();
}
