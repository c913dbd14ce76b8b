/*
 * Virtual timers: functions that are called at a time, without a thread of their own. One is periodic; the
 * other is a watchdog, which is restarted at each sign of life, and calls only when none has come for 50 ms.
 * Callbacks run in the clock's handler, so they must be short and cannot wait: they leave long work, such as
 * printing, to a thread.
 */
#include "say.h"

enum { BEAT = 1, SILENCE = 2 };

static att_flags_t events;
static att_timer_t watchdog;

/* Signs of life: eight, then a pause of eight. */
static void on_period(void *arg)
{
    static uint8_t number;
    (void)arg;
    if ((number++ & 8) == 0) {
        att_timer_start(&watchdog, ATT_MS(50), 0); /* once; restarted, if it runs; att_timer_stop stops it */
        att_flags_signal(&events, BEAT);
    }
}

static void on_silence(void *arg)
{
    (void)arg;
    att_flags_signal(&events, SILENCE);
}

static att_timer_t period = ATT_TIMER_INIT(on_period, NULL);
static att_timer_t watchdog = ATT_TIMER_INIT(on_silence, NULL);

static void tell(void *arg)
{
    uint16_t beats = 0;
    (void)arg;
    att_timer_start(&period, ATT_MS(10),
                    ATT_MS(10)); /* the first call, and from each to the next: no drift */
    for (att_mask_t came;;) {
        att_flags_wait(&events, BEAT | SILENCE, ATT_ANY, &came, ATT_FOREVER);
        if ((came & BEAT) != 0) {
            beats++;
        }
        if ((came & SILENCE) != 0) {
            say("silence after ");
            say_number(beats);
            say(" beats\n");
        }
    }
}

ATT_THREAD(teller, 1, ATT_STACK_MIN + 80, tell, NULL);
ATT_SYSTEM(teller);

int main(void)
{
    att_board_console_start();
    att_start();
}
