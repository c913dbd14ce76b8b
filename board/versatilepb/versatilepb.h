/* Registers: UART (PL011), timers (SP804) and the interrupt controller (PL190). */
#ifndef VERSATILEPB_H
#define VERSATILEPB_H

#include "board.h"

#define VERSATILEPB_UART_DATA (*(volatile uint32_t *)0x101F1000u)
#define VERSATILEPB_UART_FLAGS (*(volatile uint32_t *)0x101F1018u)

typedef struct {
    volatile uint32_t load, value, control, clear, raw, masked, background, unused;
} versatilepb_timer_t; /* counts down, at 1 MHz */
#define VERSATILEPB_CLOCK ((versatilepb_timer_t *)0x101E2000u)
#define VERSATILEPB_ALARM ((versatilepb_timer_t *)0x101E2020u)
#define VERSATILEPB_SPARE ((versatilepb_timer_t *)0x101E3000u)
enum { TIMER_ONE_SHOT = 1, TIMER_32_BITS = 2, TIMER_INTERRUPT = 1 << 5, TIMER_ENABLE = 1 << 7 };

typedef struct {
    volatile uint32_t status, fast, raw, select, enable, disable, raise, lower;
} versatilepb_interrupts_t;
#define VERSATILEPB_INTERRUPTS ((versatilepb_interrupts_t *)0x10140000u)
enum { TIMER01_IRQ = 4, TIMER23_IRQ = 5 };

#endif
