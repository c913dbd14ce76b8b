// What the kit's firmwares share: the console, the probes a to d on D13 to D10, marker and end mark.
#pragma once
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

#define MARK(v) (GPIOR1 = (v))
#define END(v) (GPIOR2 = (v))

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
