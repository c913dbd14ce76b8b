/*
 * STM32F103 (Cortex-M3, 8 MHz crystal) and STM32F107 (25 MHz), both at 72 MHz. The clock is TIM2, running
 * freely at 1 MHz. README.md says which pins and peripherals the board takes.
 */
#ifndef ATTACCA_BOARD_H
#define ATTACCA_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "registers.h"
#include "semihosting.h"

#define BOARD_CLOCK_HZ 72000000u
#define ATT_BOARD_TIME_HZ 1000000UL

#ifdef __cplusplus
extern "C" {
#endif

/* The console: USART1 (PA9) at 115200 baud, 8N1, written by waiting. */
void att_board_console_start(void);
void att_board_console_put(char byte);

/*
 * The kernel's clock (port_api.h), inline because a call of it would cost more than it does; masked, like all
 * of it. A wrap that is pending while masked is counted by the reader: the update flag, and a small count.
 */
#define ATT_BOARD_CLOCK_INLINE 1
extern uint32_t att_board_wraps;

static inline __attribute__((always_inline)) uint32_t att_board_now(void)
{
    const uint32_t count = TIM2_CNT;
    uint32_t wraps = att_board_wraps;
    if ((TIM2_SR & TIM_UI) != 0 && count < 0x8000u) {
        wraps++;
    }
    return wraps << 16 | count;
}

/*
 * Arm, read again, decide: the flag rises when the counter becomes equal to CCR1. If the clock still reads
 * less than `when` after the write and after the old flag is gone, the match is ahead. For an alarm further
 * away than one turn of the counter the match comes whole turns too early; att_clock_expired then finds
 * nothing due and arms again.
 */
static inline __attribute__((always_inline)) bool att_board_alarm(uint32_t when)
{
    TIM2_CCR1 = when & 0xFFFFu;
    TIM2_SR = ~TIM_CC1I;
    TIM2_DIER = TIM_UI | TIM_CC1I;
    return (int32_t)(att_board_now() - when) < 0;
}

static inline __attribute__((always_inline)) void att_board_alarm_off(void)
{
    TIM2_DIER = TIM_UI;
}

/* For tests: what the clock shows. Before att_start, or with no alarm armed. */
void att_board_clock_set(uint64_t units);

/* And its interrupt, and three in a row of which this board uses none: number and handlers. */
#define ATT_BOARD_CLOCK_IRQ 28
#define ATT_BOARD_SPARE_IRQ 29
#define ATT_BOARD_SPARE_HANDLER_0 TIM3_IRQHandler
#define ATT_BOARD_SPARE_HANDLER_1 TIM4_IRQHandler
#define ATT_BOARD_SPARE_HANDLER_2 I2C1_EV_IRQHandler

#ifdef __cplusplus
}
#endif

#endif
