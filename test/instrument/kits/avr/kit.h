// What the kit's firmwares share: the console, the probes a to d on D13 to D10, marker and end mark.
#pragma once
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

#define DEBUG_REGISTER _SFR_IO8(0x31)
#define MARK(v) (DEBUG_REGISTER = (v))
#define END(v) (DEBUG_REGISTER = 0x80 | (v))

static inline void text(const char *s)
{
    UBRR0L = 0;
    UCSR0B |= 1 << TXEN0;
    for (; *s; ++s) {
        while (!(UCSR0A & 1 << UDRE0)) {
        }
        UDR0 = (unsigned char)*s;
    }
}
