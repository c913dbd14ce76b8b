/*
 * What the suite needs of QEMU's Netduino Plus 2 (STM32F405), whose clock is SysTick: a console, the end of a run,
 * three interrupts in a row that nothing uses, and one that comes at once where another machine's comes after a
 * given time (suite.c).
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

#define ATT_BOARD_SPARE_IRQ 24
#define ATT_BOARD_SPARE_HANDLER_0 Interrupt24_Handler
#define ATT_BOARD_SPARE_HANDLER_1 Interrupt25_Handler
#define ATT_BOARD_SPARE_HANDLER_2 Interrupt26_Handler

/* Of a thread alone; stop() forgets one that has come, too. */
#define ATT_BOARD_NO_SPARE_TIMER 1
#define ATT_BOARD_SPARE_TIMER_IRQ 28
#define ATT_BOARD_SPARE_TIMER_HANDLER Interrupt28_Handler
void att_board_spare_timer_start(uint32_t cycles);
void att_board_spare_timer_stop(void);

#ifdef __cplusplus
}
#endif

#endif
