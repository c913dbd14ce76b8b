/*
 * The clock: TIM2 runs freely at 1 MHz and is never written (but for tests). Its counter has 16 bits; its
 * interrupt counts the wraps, so that with nothing armed there are fifteen a second. Compare channel 1 is the
 * alarm. Two timers chained to 32 bits would save those interrupts and cost a second timer and a read that
 * can tear.
 *
 * What the kernel's hot paths call is inline, in board.h.
 */
#include "attacca/attacca.h"
#include "attacca/port_api.h"

uint32_t att_board_wraps;

/* As urgent as the kernel's lock masks (0 if that is everything), or a call in the handler could come inside
 * another. */
#ifndef ATT_CFG_LOCK_PRIORITY
#define ATT_CFG_LOCK_PRIORITY 0
#endif

void att_board_clock_start(void)
{
    RCC_APB1ENR |= RCC_APB1ENR_TIM2;
    TIM2_CR1 = TIM_CR1_URS;                            /* the reload below makes no interrupt */
    TIM2_PSC = BOARD_CLOCK_HZ / ATT_BOARD_TIME_HZ - 1; /* APB1 is halved, its timers' clock doubled again */
    TIM2_ARR = 0xFFFFu;
    TIM2_EGR = TIM_UI;
    TIM2_SR = 0;
    TIM2_DIER = TIM_UI;
    NVIC_IPR(TIM2_IRQ) = ATT_CFG_LOCK_PRIORITY;
    NVIC_ISER(TIM2_IRQ) = NVIC_BIT(TIM2_IRQ);
    TIM2_CR1 = TIM_CR1_URS | TIM_CR1_CEN;
}

void att_board_clock_set(uint64_t units)
{
    const att_key_t key = att_lock();
    att_board_wraps = (uint32_t)(units >> 16);
    TIM2_CNT = (uint32_t)units & 0xFFFFu;
    TIM2_SR = ~TIM_UI;
    att_unlock(key);
}

att_stamp_t att_board_stamp(void)
{
    const uint32_t count = TIM2_CNT;
    uint32_t wraps = att_board_wraps;
    if ((TIM2_SR & TIM_UI) != 0 && count < 0x8000u) {
        wraps++;
    }
    return (att_stamp_t)wraps << 16 | count;
}

void att_board_alarm_now(void)
{
    TIM2_DIER = TIM_UI | TIM_CC1I;
    TIM2_EGR = TIM_CC1I;
}

/* The flag of a match that no alarm waits for stays; only an enabled one is an alarm. */
ATT_ISR(TIM2_IRQHandler)
{
    const att_key_t key = att_lock();
    if ((TIM2_SR & TIM_UI) != 0) {
        TIM2_SR = ~TIM_UI;
        att_board_wraps++;
    }
    if ((TIM2_SR & TIM2_DIER & TIM_CC1I) != 0) {
        TIM2_SR = ~TIM_CC1I;
        att_clock_expired();
    }
    att_port_unlock(key);
}
