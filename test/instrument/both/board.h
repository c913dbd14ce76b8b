/*
 * A board that QEMU's mps2-an385 and the Cortex-M instrument both are: code from 0, 20 KB of RAM, the
 * processor with its NVIC, semihosting, and no device. For comparing what they execute.
 *
 * The clock is counted in questions: it goes on by one whenever it is read, so that it is the same on
 * both.
 */
#ifndef ATTACCA_BOARD_H
#define ATTACCA_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "semihosting.h"

#define BOARD_CLOCK_HZ 8000000u
#define ATT_BOARD_TIME_HZ 1000000u

void att_board_console_start(void);
void att_board_console_put(char byte);
void att_board_clock_set(uint64_t units);

#define ATT_BOARD_CLOCK_IRQ 10
#define ATT_BOARD_CLOCK_HANDLER Interrupt10_Handler
#define ATT_BOARD_SPARE_IRQ 26
#define ATT_BOARD_SPARE_HANDLER_0 Interrupt26_Handler
#define ATT_BOARD_SPARE_HANDLER_1 Interrupt27_Handler
#define ATT_BOARD_SPARE_HANDLER_2 Interrupt28_Handler

#endif
