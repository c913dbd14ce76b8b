/* Blinks the board's LED (D13), half a second on, half a second off. */
#include "attacca/attacca.h"

#if defined(__AVR_ATmega2560__)
#define LED _BV(7)
#else
#define LED _BV(5)
#endif

static void blink(void *arg)
{
    (void)arg;
    DDRB |= LED; /* an output */
    for (;;) {
        PINB = LED; /* a one written here turns the pin over */
        att_sleep(ATT_MS(500));
    }
}

ATT_THREAD(blinker, 1, ATT_STACK_MIN + 48, blink, NULL);
ATT_SYSTEM(blinker);

int main(void)
{
    att_start();
}
