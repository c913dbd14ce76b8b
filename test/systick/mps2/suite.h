/*
 * What the suite needs of an MPS2 board beside the clock, which is SysTick: a console, the end of a run, three
 * interrupts in a row that nothing uses, and one after a given time, by the dual timer.
 */
#ifndef SUITE_H
#define SUITE_H

#include "semihosting.h"

#define BOARD_CLOCK_HZ ATT_BOARD_CLOCK_HZ

#ifdef __cplusplus
extern "C" {
#endif

void att_board_console_start(void);
void att_board_console_put(char byte);

#define ATT_BOARD_SPARE_IRQ 26
#define ATT_BOARD_SPARE_HANDLER_0 Interrupt26_Handler
#define ATT_BOARD_SPARE_HANDLER_1 Interrupt27_Handler
#define ATT_BOARD_SPARE_HANDLER_2 Interrupt28_Handler

/* After so many cycles, once; stop() forgets one that has come, too. */
#ifdef ATT_BOARD_AN505
#define ATT_BOARD_SPARE_TIMER_IRQ 5
#define ATT_BOARD_SPARE_TIMER_HANDLER Interrupt5_Handler
#else
#define ATT_BOARD_SPARE_TIMER_IRQ 10
#define ATT_BOARD_SPARE_TIMER_HANDLER Interrupt10_Handler
#endif
void att_board_spare_timer_start(uint32_t cycles);
void att_board_spare_timer_stop(void);

#ifdef __cplusplus
}
#endif

#endif
