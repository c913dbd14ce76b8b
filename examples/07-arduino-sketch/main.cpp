/*
 * A sketch's setup() and loop() as a thread, beside another one: `delay` lets the others run instead of
 * burning time. In C++, and without the Arduino core: what a library for it would hold stands below the
 * sketch.
 */
#include "attacca/attacca.h"
#include "pins.h"

static void delay(uint32_t milliseconds);

/* The sketch. */
static void setup()
{
    att_board_led_start();
    att_board_pin_start(); /* D12 on an Arduino, PB12 on an STM32F1 */
}

static void loop()
{
    att_board_led_toggle();
    delay(500);
}

/* Something else to do meanwhile, more urgent and exactly on time. */
static void beat(void *)
{
    att_time_t next = att_now();
    for (;;) {
        next += ATT_MS(1);
        att_sleep_until(next);
        att_board_pin_toggle();
    }
}
ATT_THREAD(heart, 3, ATT_STACK_MIN + 56, beat, NULL);

/* The library's part. */
static void run_sketch(void *)
{
    setup();
    for (;;) {
        loop();
        att_yield(); /* a loop without delay leaves room for its equals */
    }
}
ATT_THREAD(sketch, 1, ATT_STACK_MIN + 80, run_sketch, NULL);
ATT_SYSTEM(sketch, heart);

static void delay(uint32_t milliseconds)
{
    att_sleep(ATT_MS(milliseconds));
}

int main()
{
    att_start();
}
