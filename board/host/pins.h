/*
 * What stands for pins on the simulated board, for examples and first programs: an LED that says so on
 * standard output when it changes, a second output that says nothing, and a button that is pressed once a
 * second.
 */
#ifndef ATTACCA_BOARD_PINS_H
#define ATTACCA_BOARD_PINS_H

#include <stdbool.h>

#include "attacca/attacca.h"
#include "host.h"

/* The button's handler: ATT_ISR(ATT_BOARD_BUTTON) { att_board_button_clear(); ... } */
#define ATT_BOARD_BUTTON att_board_button_pressed
#ifdef __cplusplus
extern "C" {
#endif
void att_board_button_pressed(void);
#ifdef __cplusplus
}
#endif
enum { ATT_BOARD_BUTTON_IRQ = 3 };

static inline void att_board_led_start(void)
{
    att_board_console_start();
}

static inline void att_board_led_toggle(void)
{
    static bool on;
    on = !on;
    for (const char *text = on ? "LED on\n" : "LED off\n"; *text != '\0'; text++) {
        att_board_console_put(*text);
    }
}

static inline void att_board_pin_start(void)
{
}

static inline void att_board_pin_toggle(void)
{
}

static inline void att_board_button_start(void)
{
    att_host_irq_attach(ATT_BOARD_BUTTON_IRQ, att_board_button_pressed);
    att_host_irq_at(ATT_BOARD_BUTTON_IRQ, att_now() + ATT_MS(1000));
}

/* And the next time it is pressed. */
static inline void att_board_button_clear(void)
{
    att_host_irq_at(ATT_BOARD_BUTTON_IRQ, att_now() + ATT_MS(1000));
}

#endif
