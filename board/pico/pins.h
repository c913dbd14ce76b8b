/*
 * Pins of a Pico for examples and first programs: the LED on GPIO25, a second output on GPIO15, and a button between
 * GPIO14 and ground, which asks for an interrupt when it is pressed. Another LED: -DATT_BOARD_LED_PIN=16, say.
 */
#ifndef ATTACCA_BOARD_PINS_H
#define ATTACCA_BOARD_PINS_H

#include "registers.h"

#ifndef ATT_BOARD_LED_PIN
#define ATT_BOARD_LED_PIN 25
#endif
#define ATT_BOARD_OUTPUT_PIN 15
#define ATT_BOARD_BUTTON_PIN 14u

/* The button's vector: ATT_ISR(ATT_BOARD_BUTTON) { att_board_button_clear(); ... } */
#define ATT_BOARD_BUTTON IO_IRQ_BANK0_Handler

static inline void att_board_output_start(unsigned pin)
{
    IO_BANK0_CTRL(pin) = 5;
    SIO_OE_SET = 1u << pin;
}

static inline void att_board_led_start(void)
{
    att_board_output_start(ATT_BOARD_LED_PIN);
}

static inline void att_board_led_toggle(void)
{
    SIO_OUT_XOR = 1u << ATT_BOARD_LED_PIN;
}

static inline void att_board_pin_start(void)
{
    att_board_output_start(ATT_BOARD_OUTPUT_PIN);
}

static inline void att_board_pin_toggle(void)
{
    SIO_OUT_XOR = 1u << ATT_BOARD_OUTPUT_PIN;
}

static inline void att_board_button_clear(void)
{
    IO_BANK0_INTR(ATT_BOARD_BUTTON_PIN) = IO_BANK0_EDGE_LOW(ATT_BOARD_BUTTON_PIN);
}

static inline void att_board_button_start(void)
{
    PADS_BANK0(ATT_BOARD_BUTTON_PIN) = PAD_INPUT_PULL_UP;
    IO_BANK0_CTRL(ATT_BOARD_BUTTON_PIN) = 5;
    att_board_button_clear();
    IO_BANK0_INTE(ATT_BOARD_BUTTON_PIN) = IO_BANK0_EDGE_LOW(ATT_BOARD_BUTTON_PIN);
    NVIC_ISER = 1u << IO_BANK0_IRQ;
}

#endif
