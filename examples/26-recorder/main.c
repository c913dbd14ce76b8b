/*
 * A flight recorder: a ring holds the last kernel events, and freezes after a failure. Here a controller that
 * needs the bus every 10 ms gets it too late once; it records that as its own event, which stops the
 * recorder. The ring then shows why:
 *
 *     ./attacca trace build/uno/firmware/example-26-recorder.elf -o late.vcd
 *
 * attacca_config.h, beside this file, sends the kernel's events to it.
 */
#include "say.h"

enum { LATE = ATT_EVENT_USER }; /* with how late, in units of time */

ATT_RECORDER(flight, 28);
static att_mutex_t bus;

static void use_bus(att_time_t length)
{
    for (const att_time_t begin = att_now(); att_now() - begin < length;) {
    }
}

static void control(void *arg)
{
    (void)arg;
    for (att_time_t round = att_now();; round += ATT_MS(10)) {
        att_sleep_until(round);
        att_mutex_lock(&bus, ATT_FOREVER);
        const att_time_t late = att_now() - round;
        if (late > ATT_MS(1)) {
            att_record_note(LATE, &bus, (uintptr_t)late);
        }
        use_bus(ATT_US(200));
        att_mutex_unlock(&bus);
    }
}

/* Usually brief. */
static void write_log(void *arg)
{
    (void)arg;
    for (uint8_t number = 1;; number++) {
        att_sleep(ATT_MS(3));
        att_mutex_lock(&bus, ATT_FOREVER);
        use_bus(number % 16 == 0 ? ATT_MS(12) : ATT_US(100)); /* longer than a round: one is late */
        att_mutex_unlock(&bus);
    }
}

static void watch(void *arg)
{
    att_record_t record;
    (void)arg;
    while (!att_recorder_frozen(&flight)) {
        att_sleep(ATT_MS(20));
    }
    for (uint32_t next = 0; att_recorder_read(&flight, &next, &record) == ATT_OK;) {
        if (record.event == LATE) {
            say("event ");
            say_number(next - 1);
            say(": late by ");
            say_number((uint32_t)(record.value * 1000UL / ATT_MS(1)));
            say(" us\n");
        }
    }
}

ATT_THREAD(controller, 3, ATT_STACK_MIN + 60, control, NULL);
ATT_THREAD(logger, 2, ATT_STACK_MIN + 60, write_log, NULL);
ATT_THREAD(watcher, 1, ATT_STACK_MIN + 120, watch, NULL);
ATT_SYSTEM(controller, logger, watcher);

int main(void)
{
    att_board_console_start();
    att_recorder_start(&flight);
    att_recorder_trigger(&flight, LATE, NULL, 8);
    att_start();
}
