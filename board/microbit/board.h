/*
 * BBC micro:bit (nRF51822, Cortex-M0, 16 MHz) as QEMU has it. The clock is TIMER0 at 1 MHz.
 */
#ifndef ATTACCA_BOARD_H
#define ATTACCA_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "semihosting.h"

#define BOARD_CLOCK_HZ 16000000u
#define ATT_BOARD_TIME_HZ 1000000u

#ifdef __cplusplus
extern "C" {
#endif

/* The console: UART 0, written by waiting. */
void att_board_console_start(void);
void att_board_console_put(char byte);

/* For tests: what the clock shows. Before att_start, or with no alarm armed. */
void att_board_clock_set(uint64_t units);

/* The clock's interrupt, and three in a row that nothing but software raises. */
#define ATT_BOARD_CLOCK_IRQ 8
#define ATT_BOARD_SPARE_IRQ 20
#define ATT_BOARD_SPARE_HANDLER_0 SWI0_IRQHandler
#define ATT_BOARD_SPARE_HANDLER_1 SWI1_IRQHandler
#define ATT_BOARD_SPARE_HANDLER_2 SWI2_IRQHandler

#ifdef __cplusplus
}
#endif

#endif
