/*
 * A pin write that does what the Arduino core's digitalWrite has to do: find port, bit and timer of a pin
 * number in tables in flash, take the pin from a timer that may drive it, and write with interrupts masked.
 * The tables are the Uno's; of the Mega's pins only D13 is right, which is the one that is written.
 */
#include "bench.h"

#include <avr/interrupt.h>
#include <avr/pgmspace.h>

enum { PORT_B = 2, PORT_C, PORT_D, NO_TIMER = 0, TIMER_0A, TIMER_0B, TIMER_1A, TIMER_1B, TIMER_2A, TIMER_2B };

static const uint8_t port_of[20] PROGMEM = {PORT_D, PORT_D, PORT_D, PORT_D, PORT_D, PORT_D, PORT_D,
                                            PORT_D, PORT_B, PORT_B, PORT_B, PORT_B, PORT_B, PORT_B,
                                            PORT_C, PORT_C, PORT_C, PORT_C, PORT_C, PORT_C};
static const uint8_t bit_of[20] PROGMEM = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, _BV(BENCH_A_BIT),
                                           1, 2, 4, 8, 16, 32};
static const uint8_t timer_of[20] PROGMEM = {
    0, 0, 0, TIMER_2B, 0, TIMER_0B, TIMER_0A, 0, 0, TIMER_1A, TIMER_1B, TIMER_2A, 0, 0, 0, 0, 0, 0, 0, 0};
static const uint16_t output_of[5] PROGMEM = {0, 0, _SFR_MEM_ADDR(PORTB), _SFR_MEM_ADDR(PORTC),
                                              _SFR_MEM_ADDR(PORTD)};

static __attribute__((noinline)) void leave_timer(uint8_t timer)
{
    switch (timer) {
    case TIMER_0A:
        TCCR0A &= (uint8_t)~_BV(COM0A1);
        break;
    case TIMER_0B:
        TCCR0A &= (uint8_t)~_BV(COM0B1);
        break;
    case TIMER_1A:
        TCCR1A &= (uint8_t)~_BV(COM1A1);
        break;
    case TIMER_1B:
        TCCR1A &= (uint8_t)~_BV(COM1B1);
        break;
    case TIMER_2A:
        TCCR2A &= (uint8_t)~_BV(COM2A1);
        break;
    case TIMER_2B:
        TCCR2A &= (uint8_t)~_BV(COM2B1);
        break;
    default:
        break;
    }
}

__attribute__((noinline)) void bench_digital_write(uint8_t pin, uint8_t value)
{
    const uint8_t timer = pgm_read_byte(&timer_of[pin]);
    const uint8_t bit = pgm_read_byte(&bit_of[pin]);
    const uint8_t port = pgm_read_byte(&port_of[pin]);
    if (port == 0) {
        return;
    }
    if (timer != NO_TIMER) {
        leave_timer(timer);
    }
    volatile uint8_t *const output = (volatile uint8_t *)(uintptr_t)pgm_read_word(&output_of[port]);
    const uint8_t key = SREG;
    cli();
    if (value == 0) {
        *output = (uint8_t)(*output & ~bit);
    } else {
        *output = (uint8_t)(*output | bit);
    }
    SREG = key;
}
