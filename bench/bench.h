/*
 * What an experiment's firmware sees: a probe pin, the end, and a mark for the instrument. The pin is written by
 * one instruction: two cycles on the AVR, the same for setting and clearing.
 *
 * BENCH_DIGITAL_WRITE=1 writes it as the Arduino core's digitalWrite does (pin tables in flash, interrupts masked
 * around the write), as Lan and Kannan's programs did.
 */
#ifndef BENCH_H
#define BENCH_H

#include "attacca/attacca.h"

/* Pulses an experiment makes before it ends. */
#ifndef BENCH_PULSES
#define BENCH_PULSES 1000
#endif

#if defined(__AVR__)
#include <avr/io.h>

#if defined(__AVR_ATmega328P__)
#define BENCH_PORT PORTB
#define BENCH_DDR DDRB
#define BENCH_BIT 5 /* D13 */
#else
#define BENCH_PORT PORTB
#define BENCH_DDR DDRB
#define BENCH_BIT 7 /* D13 */
#endif

/* The on-chip debug register tells the instrument, at no cost to the target: below 0x80 a mark, above it the end
 * and its status. Nothing listens there on a board. */
#define BENCH_DEBUG_REGISTER _SFR_IO8(0x31)

static inline void bench_mark(uint8_t value)
{
    BENCH_DEBUG_REGISTER = value;
}

static inline void bench_end(uint8_t status)
{
    BENCH_DEBUG_REGISTER = (uint8_t)(0x80 | status);
    cli();
    for (;;) {
    }
}

static inline void bench_start(void)
{
    BENCH_DDR |= _BV(BENCH_BIT);
}

#if defined(BENCH_DIGITAL_WRITE) && BENCH_DIGITAL_WRITE
void bench_digital_write(uint8_t pin, uint8_t value);
#define probe_set() bench_digital_write(13, 1)
#define probe_clear() bench_digital_write(13, 0)
#else
#define probe_set() (BENCH_PORT |= _BV(BENCH_BIT))
#define probe_clear() (BENCH_PORT &= (uint8_t)~_BV(BENCH_BIT))
#endif
#endif

/* The overhead pulse: A, B. */
static inline void bench_overhead(void)
{
    probe_set();
    probe_clear();
}

#endif
