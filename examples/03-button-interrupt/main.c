/*
 * A button toggles the LED. It is between ground and D2 (Uno), D21 (Mega) or PA0 (STM32F1); its
 * interrupt handler gives a semaphore, and the thread that waits for it runs as soon as the handler ends.
 *
 * A handler calls the same functions as a thread. ATT_ISR makes the switch at the handler's end at the least
 * cost. Another handler may call the kernel too: on AVR a plain ISR(), or a function given to
 * attachInterrupt, which pay for one more interrupt; on Cortex-M any function in the vector table.
 */
#include "attacca/attacca.h"
#include "pins.h"

static att_sem_t pressed; /* all zero: binary, empty */

ATT_ISR(ATT_BOARD_BUTTON)
{
    att_board_button_clear();
    att_sem_give(&pressed);
}

static void answer(void *arg)
{
    (void)arg;
    for (;;) {
        att_sem_take(&pressed, ATT_FOREVER);
        att_board_led_toggle();
        att_sleep(ATT_MS(20));              /* the contact bounces */
        att_sem_take(&pressed, ATT_NOWAIT); /* forget what it gave meanwhile */
    }
}

ATT_THREAD(answerer, 3, ATT_STACK_MIN + 56, answer, NULL);
ATT_SYSTEM(answerer);

int main(void)
{
    att_board_led_start();
    att_board_button_start();
    att_start();
}
