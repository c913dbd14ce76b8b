/*
 * Memory without a heap: reports of one size out of a guarded pool. A sampler fills one every 20 ms and posts
 * its address; the printer, which is slow, prints it and frees it. Nothing is copied, and when all three are
 * in use the sampler waits for one: memory is bounded, and the slower thread sets the pace.
 */
#include "say.h"

typedef struct {
    uint16_t number;
    uint32_t square;
} report_t;

ATT_GUARDED_POOL(reports, report_t, 3); /* att_pool_t, ATT_POOL: the same without waiting */
ATT_MAILBOX(ready, 3);

static void sample(void *arg)
{
    (void)arg;
    for (uint16_t number = 1;; number++) {
        att_sleep(ATT_MS(20));
        report_t *report = att_guarded_pool_alloc(&reports, ATT_FOREVER);
        report->number = number;
        report->square = (uint32_t)number * number;
        att_mailbox_post(&ready, (uintptr_t)report, ATT_FOREVER);
    }
}

static void print(void *arg)
{
    (void)arg;
    uintptr_t word;
    for (;;) {
        att_mailbox_fetch(&ready, &word, ATT_FOREVER);
        report_t *report = (report_t *)word;
        say_number(report->number);
        say(" squared is ");
        say_number(report->square);
        say("; reports to be had: ");
        say_number(att_guarded_pool_available(&reports));
        say("\n");
        att_sleep(ATT_MS(50));
        att_guarded_pool_free(&reports, report);
    }
}

ATT_THREAD(sampler, 2, ATT_STACK_MIN + 80, sample, NULL);
ATT_THREAD(printer, 1, ATT_STACK_MIN + 80, print, NULL);
ATT_SYSTEM(sampler, printer);

int main(void)
{
    att_board_console_start();
    att_start();
}
