/*
 * Raspberry Pi Pico: RP2040, two Cortex-M0+ of which the first one is used, 12 MHz crystal, 125 MHz. The clock is
 * the chip's TIMER at 1 MHz.
 */
#ifndef ATTACCA_BOARD_H
#define ATTACCA_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "semihosting.h"

#define BOARD_CLOCK_HZ 125000000u
#define ATT_BOARD_TIME_HZ 1000000u

#ifdef __cplusplus
extern "C" {
#endif

/* The console: UART 0 on GPIO0 at 115200 baud, 8N1, written by waiting. */
void att_board_console_start(void);
void att_board_console_put(char byte);

/* For tests: what the clock shows. Before att_start, or with no alarm armed. */
void att_board_clock_set(uint64_t units);

/* The clock's interrupt, and three in a row that nothing but software raises. */
#define ATT_BOARD_CLOCK_IRQ 0
#define ATT_BOARD_SPARE_IRQ 26
#define ATT_BOARD_SPARE_HANDLER_0 SPARE_IRQ_0_Handler
#define ATT_BOARD_SPARE_HANDLER_1 SPARE_IRQ_1_Handler
#define ATT_BOARD_SPARE_HANDLER_2 SPARE_IRQ_2_Handler

#ifdef __cplusplus
}
#endif

#endif
