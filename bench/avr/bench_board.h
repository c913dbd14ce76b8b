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
/* The edge pin: D2 on the Uno (PD2), D21 on the Mega (PD0). */
#if defined(__AVR_ATmega328P__)
#define BENCH_EDGE_BIT 2
#else
#define BENCH_EDGE_BIT 0
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

/* The edge pin is INT0's. Its edges come from outside, or the program drives them itself. */
#define BENCH_EDGE_VECTOR INT0_vect
#define bench_edge_level() ((PIND & _BV(BENCH_EDGE_BIT)) != 0)
#define bench_edge_acknowledge() ((void)0) /* the hardware did */

static inline void bench_edge_listen(uint8_t both)
{
    EICRA = both ? _BV(ISC00) : _BV(ISC01);
    EIFR = _BV(INTF0);
    EIMSK = _BV(INT0);
}

static inline void bench_edge_start(void)
{
    PORTD |= _BV(BENCH_EDGE_BIT);
    DDRD |= _BV(BENCH_EDGE_BIT);
    bench_edge_listen(0);
}
#define bench_edge_fall() (PORTD &= (uint8_t)~_BV(BENCH_EDGE_BIT))
#define bench_edge_rise() (PORTD |= _BV(BENCH_EDGE_BIT))
/* An edge takes its time through the synchroniser. */
#define bench_edge_settle() __asm__ __volatile__("nop\n nop\n nop\n nop")

static inline void bench_pins_start(void)
{
    DDRB |= (uint8_t)(_BV(BENCH_A_BIT) | _BV(BENCH_B_BIT));
}

#endif
