/*
 * USART1. QEMU 7.2's TIM2 to TIM5 set their next update to the time of the last one and never come out of that, so
 * there is no interrupt after a time: it comes at once, and a handler gets none.
 */
#include "board.h"
#include "start.h"

#define WORD(address) (*(volatile uint32_t *)(address))
#define USART1_SR WORD(0x40011000u)
#define USART1_DR WORD(0x40011004u)
#define USART1_CR1 WORD(0x4001100Cu)
#define NVIC_PEND WORD(0xE000E200u)
#define NVIC_FORGET WORD(0xE000E280u)

enum { UE = 1 << 13, TE = 1 << 3, TXE = 1 << 7 };

START_UP void att_board_init(void)
{
}

void att_board_console_start(void)
{
    USART1_CR1 = UE | TE;
}

void att_board_console_put(char byte)
{
    while ((USART1_SR & TXE) == 0) {
    }
    USART1_DR = (uint8_t)byte;
}

void att_board_spare_timer_start(uint32_t cycles)
{
    (void)cycles;
    uint32_t exception;
    __asm__ __volatile__("mrs %0, ipsr" : "=r"(exception));
    if (exception == 0) {
        NVIC_PEND = 1u << ATT_BOARD_SPARE_TIMER_IRQ;
    }
}

void att_board_spare_timer_stop(void)
{
    NVIC_FORGET = 1u << ATT_BOARD_SPARE_TIMER_IRQ;
}
