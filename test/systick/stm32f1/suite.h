/*
 * What the suite and the experiments need of an STM32F1 beside the clock, which is SysTick: its registers, a
 * console, the end of a run, three interrupts in a row that nothing uses, and one after a given time, by TIM2.
 */
#ifndef SUITE_H
#define SUITE_H

#include "registers.h"
#include "semihosting.h"

#define BOARD_CLOCK_HZ ATT_BOARD_CLOCK_HZ

#ifdef __cplusplus
extern "C" {
#endif

void att_board_console_start(void);
void att_board_console_put(char byte);

#define ATT_BOARD_SPARE_IRQ 29
#define ATT_BOARD_SPARE_HANDLER_0 TIM3_IRQHandler
#define ATT_BOARD_SPARE_HANDLER_1 TIM4_IRQHandler
#define ATT_BOARD_SPARE_HANDLER_2 I2C1_EV_IRQHandler

/* After so many cycles, less than 2^16, once; stop() forgets one that has come, too. */
#define ATT_BOARD_SPARE_TIMER_IRQ 28
#define ATT_BOARD_SPARE_TIMER_HANDLER TIM2_IRQHandler
void att_board_spare_timer_start(uint32_t cycles);
void att_board_spare_timer_stop(void);

#ifdef __cplusplus
}
#endif

#endif
