/*
 * Arm's MPS2 boards in QEMU: an385 (Cortex-M3), an386 (M4 with floating point), an500 (M7) and an505 (M33).
 * For function, not for time. The clock is the dual timer, free running at a sixteenth of the processor's
 * clock.
 */
#ifndef ATTACCA_BOARD_H
#define ATTACCA_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "semihosting.h"

#ifdef ATT_BOARD_AN505
#define BOARD_CLOCK_HZ 20000000u
#else
#define BOARD_CLOCK_HZ 25000000u
#endif
#define ATT_BOARD_TIME_HZ (BOARD_CLOCK_HZ / 16)

#ifdef __cplusplus
extern "C" {
#endif

/* The console: UART 0, written by waiting. */
void att_board_console_start(void);
void att_board_console_put(char byte);

/* For tests: what the clock shows. Before att_start, or with no alarm armed. */
void att_board_clock_set(uint64_t units);

#ifdef ATT_BOARD_AN505
#define ATT_BOARD_CLOCK_IRQ 5
#define ATT_BOARD_CLOCK_HANDLER Interrupt5_Handler
#else
#define ATT_BOARD_CLOCK_IRQ 10
#define ATT_BOARD_CLOCK_HANDLER Interrupt10_Handler
#endif
/* Interrupts that nothing on the board uses, for tests: number and handler. */
#define ATT_BOARD_SPARE_IRQ 26
#define ATT_BOARD_SPARE_HANDLER_0 Interrupt26_Handler
#define ATT_BOARD_SPARE_HANDLER_1 Interrupt27_Handler
#define ATT_BOARD_SPARE_HANDLER_2 Interrupt28_Handler

#ifdef __cplusplus
}
#endif

#endif
