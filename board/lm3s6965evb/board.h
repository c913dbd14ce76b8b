/*
 * Stellaris LM3S6965 evaluation board (Cortex-M3) as QEMU has it, at 12.5 MHz. The clock is the watchdog,
 * counting freely, since QEMU's timers of this chip cannot be read; one of those is the alarm. A unit is 16
 * of its ticks.
 */
#ifndef ATTACCA_BOARD_H
#define ATTACCA_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "semihosting.h"

#define BOARD_CLOCK_HZ 12500000u
#define ATT_BOARD_TIME_HZ (BOARD_CLOCK_HZ / 16)

#ifdef __cplusplus
extern "C" {
#endif

/* The console: UART 0, written by waiting. */
void att_board_console_start(void);
void att_board_console_put(char byte);

/* For tests: what the clock shows. Before att_start, or with no alarm armed. */
void att_board_clock_set(uint64_t units);

/* The alarm's interrupt, and three in a row that nothing uses: number and handlers. */
#define ATT_BOARD_CLOCK_IRQ 19
#define ATT_BOARD_SPARE_IRQ 50
#define ATT_BOARD_SPARE_HANDLER_0 Interrupt50_Handler
#define ATT_BOARD_SPARE_HANDLER_1 Interrupt51_Handler
#define ATT_BOARD_SPARE_HANDLER_2 Interrupt52_Handler

/* QEMU answers at every address of this board: there are no bus faults. */
#define ATT_BOARD_NO_BUS_FAULTS 1

#ifdef __cplusplus
}
#endif

#endif
