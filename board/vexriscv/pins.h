/*
 * Pins of the soft core's board for examples and first programs: the LED on P16, a second output on P17, and a button
 * between P9 and ground, which asks for an interrupt when it is pressed.
 */
#ifndef ATTACCA_BOARD_PINS_H
#define ATTACCA_BOARD_PINS_H

#include "board.h"

#define ATT_BOARD_LED_BIT (1u << 16)
#define ATT_BOARD_PIN_BIT (1u << 17)
#define ATT_BOARD_BUTTON_BIT (1u << 9)

/* The button's vector: ATT_ISR(ATT_BOARD_BUTTON) { att_board_button_clear(); ... } */
#define ATT_BOARD_BUTTON Gpio_Handler

/* By one write that sets or clears this pin alone, so that no other thread's pin is touched. */
static inline void att_board_pin_turn(uint32_t bit)
{
    if ((GPIO_OUT & bit) != 0) {
        GPIO_CLEAR = bit;
    } else {
        GPIO_SET = bit;
    }
}

static inline void att_board_led_start(void)
{
    GPIO_DIRECTION |= ATT_BOARD_LED_BIT;
}

static inline void att_board_led_toggle(void)
{
    att_board_pin_turn(ATT_BOARD_LED_BIT);
}

static inline void att_board_pin_start(void)
{
    GPIO_DIRECTION |= ATT_BOARD_PIN_BIT;
}

static inline void att_board_pin_toggle(void)
{
    att_board_pin_turn(ATT_BOARD_PIN_BIT);
}

static inline void att_board_button_start(void)
{
    GPIO_FALLING |= ATT_BOARD_BUTTON_BIT;
    GPIO_PENDING = ATT_BOARD_BUTTON_BIT;
    att_board_lines_start();
}

static inline void att_board_button_clear(void)
{
    GPIO_PENDING = ATT_BOARD_BUTTON_BIT;
}

#endif
