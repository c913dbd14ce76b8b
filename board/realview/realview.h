/* Registers: timers (SP804) and UART (PL011). */
#ifndef REALVIEW_H
#define REALVIEW_H

#include "board.h"

/* Two in a device; they count down at 1 MHz, and have one interrupt together. */
typedef struct {
    volatile uint32_t load, value, control, clear, raw, masked, background, unused;
} realview_timer_t;
#define REALVIEW_COUNTER ((realview_timer_t *)0x10011000u)
#define REALVIEW_ALARM ((realview_timer_t *)0x10011020u)
#define REALVIEW_SPARE ((realview_timer_t *)0x10012000u)
enum { TIMER_ON = 1 << 7, TIMER_INTERRUPT = 1 << 5, TIMER_32_BITS = 1 << 1, TIMER_ONCE = 1 << 0 };
enum { CLOCK_INTERRUPT = 36, SPARE_INTERRUPT = 37 };

/* How urgent the board's own interrupts are. */
enum { CLOCK_PRIORITY = 0x80 };

typedef struct {
    volatile uint32_t data, status, unused_08[4], flags, unused_1c[2], divisor, fraction, line, control, level, mask;
} realview_uart_t;
#define REALVIEW_UART ((realview_uart_t *)0x10009000u)

#endif
