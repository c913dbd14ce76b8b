/*
 * A button turns the LED over. It lies between D2 (Uno; D21 on the Mega) and ground; its interrupt handler
 * gives a semaphore, and the thread that waits for it runs as soon as the handler ends.
 *
 * A handler calls the same functions as a thread. ATT_ISR makes the switch at the handler's end at the least
 * cost; a plain ISR(), or a function given to attachInterrupt, may call the kernel too and pays for one more
 * interrupt.
 */
#include "attacca/attacca.h"

#if defined(__AVR_ATmega2560__)
#define LED _BV(7)
#define BUTTON _BV(0)
#else
#define LED _BV(5)
#define BUTTON _BV(2)
#endif

static att_sem_t pressed; /* all zero: binary, empty */

ATT_ISR(INT0_vect)
{
    att_sem_give(&pressed);
}

static void answer(void *arg)
{
    (void)arg;
    for (;;) {
        att_sem_take(&pressed, ATT_FOREVER);
        PINB = LED;
        att_sleep(ATT_MS(20));              /* the contact bounces */
        att_sem_take(&pressed, ATT_NOWAIT); /* forget what it gave meanwhile */
    }
}

ATT_THREAD(answerer, 3, ATT_STACK_MIN + 56, answer, NULL);
ATT_SYSTEM(answerer);

int main(void)
{
    DDRB |= LED;
    PORTD |= BUTTON;    /* pull-up */
    EICRA = _BV(ISC01); /* falling edge */
    EIFR = _BV(INTF0);
    EIMSK = _BV(INT0);
    att_start();
}
