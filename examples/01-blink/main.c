/* Blinks the board's LED, half a second on, half a second off. */
#include "attacca/attacca.h"
#include "pins.h" /* of the board: an LED, a button, one more output */

static void blink(void *arg)
{
    (void)arg;
    att_board_led_start();
    for (;;) {
        att_board_led_toggle();
        att_sleep(ATT_MS(500));
    }
}

ATT_THREAD(blinker, 1, ATT_STACK_MIN + 48, blink, NULL);
ATT_SYSTEM(blinker);

int main(void)
{
    att_start();
}
