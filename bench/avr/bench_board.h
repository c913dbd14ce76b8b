/* Probe pins on the Uno and the Mega: D13 and D12, as the instrument's probe_a and probe_b. */
#ifndef BENCH_BOARD_H
#define BENCH_BOARD_H

#include <avr/io.h>

#if defined(__AVR_ATmega328P__)
#define BENCH_A_BIT 5
#define BENCH_B_BIT 4
#else
#define BENCH_A_BIT 7
#define BENCH_B_BIT 6
#endif
/* INT0 is D2 on the Uno (PD2) and D21 on the Mega (PD0). */
#if defined(__AVR_ATmega328P__)
#define BENCH_INT0_BIT 2
#else
#define BENCH_INT0_BIT 0
#endif

/* The on-chip debug register tells the instrument, at no cost to the target: below 0x80 a mark, above it the
 * end and its status. Nothing listens there on a board. */
#define BENCH_DEBUG_REGISTER _SFR_IO8(0x31)

static inline void bench_mark(uint8_t value)
{
    BENCH_DEBUG_REGISTER = value;
}

static inline void bench_end(uint8_t status)
{
    BENCH_DEBUG_REGISTER = (uint8_t)(0x80 | status);
    for (;;) {
    }
}

void bench_digital_write(uint8_t pin, uint8_t value);

#if BENCH_DIGITAL_WRITE
#define probe_set() bench_digital_write(13, 1)
#define probe_clear() bench_digital_write(13, 0)
#else
#define probe_set() (PORTB |= _BV(BENCH_A_BIT))
#define probe_clear() (PORTB &= (uint8_t)~_BV(BENCH_A_BIT))
#endif
#define second_probe_set() (PORTB |= _BV(BENCH_B_BIT))
#define second_probe_clear() (PORTB &= (uint8_t)~_BV(BENCH_B_BIT))
#define second_probe_toggle() (PINB = _BV(BENCH_B_BIT))
#define probe_toggle() (PINB = _BV(BENCH_A_BIT))

/* A falling edge on INT0's own pin, driven by the program itself. */
static inline void bench_int0_start(void)
{
    PORTD |= _BV(BENCH_INT0_BIT);
    DDRD |= _BV(BENCH_INT0_BIT);
    EICRA = _BV(ISC01);
    EIFR = _BV(INTF0);
    EIMSK = _BV(INT0);
}
#define bench_int0_fall() (PORTD &= (uint8_t)~_BV(BENCH_INT0_BIT))
#define bench_int0_rise() (PORTD |= _BV(BENCH_INT0_BIT))

/* The same input, driven from outside. */
static inline void bench_int0_listen(void)
{
    EICRA = _BV(ISC01);
    EIFR = _BV(INTF0);
    EIMSK = _BV(INT0);
}

static inline void bench_pins_start(void)
{
    DDRB |= (uint8_t)(_BV(BENCH_A_BIT) | _BV(BENCH_B_BIT));
}

#endif
