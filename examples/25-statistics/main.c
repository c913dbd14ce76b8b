/*
 * The use of the processor: built with ATT_CFG_STATISTICS=1, the kernel counts each thread's time, switches
 * and interrupts. Every 100 ms a monitor prints the increase since the last time, and each thread's share of
 * the time in per cent.
 */
#include "say.h"

static void spin(att_time_t length)
{
    const att_time_t begin = att_now();
    while (att_now() - begin < length) {
    }
}

static void work(void *arg)
{
    for (att_time_t round = att_now();; round += ATT_MS(10)) {
        spin((att_time_t)(uintptr_t)arg);
        att_sleep_until(round + ATT_MS(10));
    }
}

ATT_THREAD(light, 3, ATT_STACK_MIN + 80, work, (void *)ATT_MS(1));
ATT_THREAD(heavy, 2, ATT_STACK_MIN + 80, work, (void *)ATT_MS(4));

static void say_part(const char *name, att_stamp_t part, att_stamp_t whole)
{
    say(name);
    say_number((uint32_t)((100 * part + whole / 2) / whole));
    say(" %");
}

static void monitor(void *arg)
{
    att_statistics_t before = att_statistics();
    att_stamp_t light_before = att_thread_usage(&light.thread).time;
    att_stamp_t heavy_before = att_thread_usage(&heavy.thread).time;
    (void)arg;
    for (att_time_t round = att_now();;) {
        round += ATT_MS(100);
        att_sleep_until(round);
        const att_statistics_t now = att_statistics();
        const att_stamp_t light_now = att_thread_usage(&light.thread).time;
        const att_stamp_t heavy_now = att_thread_usage(&heavy.thread).time;
        const att_stamp_t all = now.since - before.since;
        say_part("light ", light_now - light_before, all);
        say_part(", heavy ", heavy_now - heavy_before, all);
        say_part(", idle ", now.idle - before.idle, all);
        say_part(", handlers ", now.handlers - before.handlers, all);
        say("; switches ");
        say_number(now.switches - before.switches);
        say(", interrupts ");
        say_number(now.interrupts - before.interrupts);
        say("\n");
        before = now;
        light_before = light_now;
        heavy_before = heavy_now;
    }
}

ATT_THREAD(monitors, 1, ATT_STACK_MIN + 160, monitor, NULL);
ATT_SYSTEM(light, heavy, monitors);

int main(void)
{
    att_board_console_start();
    att_start();
}
