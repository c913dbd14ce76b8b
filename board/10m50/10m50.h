/* Registers: UART (16550) and two timers of 75 MHz. */
#ifndef MAX10_H
#define MAX10_H

#include "board.h"

typedef struct {
    volatile uint32_t data, interrupt_enable, fifo, line_control, modem_control, line_status;
} max10_uart_t;
#define MAX10_UART ((max10_uart_t *)0xF8001600u)
enum { TX_EMPTY_INTERRUPT = 2, TX_EMPTY = 1 << 5, UART_INTERRUPT = 1 };

/* Counts down from `period`, of which both halves are 16 bits; a write of the snapshot takes one. */
typedef struct {
    volatile uint32_t status, control, period_low, period_high, snapshot_low, snapshot_high;
} max10_timer_t;
#define MAX10_COUNTER ((max10_timer_t *)0xF8001440u)
#define MAX10_ALARM ((max10_timer_t *)0xE0000880u)
enum { TIMER_INTERRUPT = 1, TIMER_AGAIN = 2, TIMER_START = 4, TIMER_STOP = 8, COUNTER_NUMBER = 0, ALARM_NUMBER = 5 };
enum { STEP = 6 }; /* a unit of the kernel's time is 64 of their ticks */

void max10_interrupt_enable(unsigned number);

/* The alarm's timer serves the tests' too: it is set to the first of the two, and its handler calls this one. */
extern uint64_t max10_spare_at; /* in ticks; NEVER: none */
#define MAX10_NEVER UINT64_MAX
uint64_t max10_ticks(void); /* masked */
void max10_arm(void);       /* masked */

#endif
