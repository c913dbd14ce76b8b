/*
 * Pins of the Uno (Mega 2560) for examples and first programs: the LED on D13, a second output on D12, and a
 * button between D2 (D21) and ground, which asks for an interrupt when it is pressed.
 */
#ifndef ATTACCA_BOARD_PINS_H
#define ATTACCA_BOARD_PINS_H

#include <avr/interrupt.h>
#include <avr/io.h>

#if defined(__AVR_ATmega2560__)
#define ATT_BOARD_LED_BIT _BV(7)
#define ATT_BOARD_PIN_BIT _BV(6)
#define ATT_BOARD_BUTTON_BIT _BV(0)
#else
#define ATT_BOARD_LED_BIT _BV(5)
#define ATT_BOARD_PIN_BIT _BV(4)
#define ATT_BOARD_BUTTON_BIT _BV(2)
#endif

/* The button's vector: ATT_ISR(ATT_BOARD_BUTTON) { att_board_button_clear(); ... } */
#define ATT_BOARD_BUTTON INT0_vect

static inline void att_board_led_start(void)
{
    DDRB |= ATT_BOARD_LED_BIT;
}

/* A one written to PINB turns the pin over. */
static inline void att_board_led_toggle(void)
{
    PINB = ATT_BOARD_LED_BIT;
}

static inline void att_board_pin_start(void)
{
    DDRB |= ATT_BOARD_PIN_BIT;
}

static inline void att_board_pin_toggle(void)
{
    PINB = ATT_BOARD_PIN_BIT;
}

static inline void att_board_button_start(void)
{
    PORTD |= ATT_BOARD_BUTTON_BIT; /* pull-up */
    EICRA = _BV(ISC01);            /* falling edge */
    EIFR = _BV(INTF0);
    EIMSK = _BV(INT0);
}

/* The processor has cleared the flag when the handler begins. */
static inline void att_board_button_clear(void)
{
}

#endif
