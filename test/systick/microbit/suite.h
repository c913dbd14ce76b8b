/*
 * What the suite needs of a micro:bit beside the clock, which is SysTick: a console, the end of a run, three
 * interrupts in a row that nothing but software raises, and one after a given time, by TIMER0.
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

#define ATT_BOARD_SPARE_IRQ 20
#define ATT_BOARD_SPARE_HANDLER_0 SWI0_IRQHandler
#define ATT_BOARD_SPARE_HANDLER_1 SWI1_IRQHandler
#define ATT_BOARD_SPARE_HANDLER_2 SWI2_IRQHandler

/* After so many cycles, once; stop() forgets one that has come, too. */
#define ATT_BOARD_SPARE_TIMER_IRQ 8
#define ATT_BOARD_SPARE_TIMER_HANDLER TIMER0_IRQHandler
void att_board_spare_timer_start(uint32_t cycles);
void att_board_spare_timer_stop(void);

#ifdef __cplusplus
}
#endif

#endif
