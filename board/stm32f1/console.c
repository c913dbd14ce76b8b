/* USART1, transmit only, by waiting: for tests and examples, before and without any driver. */
#include "board.h"

void att_board_console_start(void)
{
    RCC_APB2ENR |= RCC_APB2ENR_IOPA | RCC_APB2ENR_USART1;
    GPIO_CRH(GPIOA) = (GPIO_CRH(GPIOA) & ~0xF0u) | GPIO_ALTERNATE_50MHZ << 4; /* PA9 */
    USART1_BRR = (BOARD_CLOCK_HZ + 115200u / 2) / 115200u;
    USART1_CR1 = USART_CR1_UE | USART_CR1_TE;
}

void att_board_console_put(char byte)
{
    while ((USART1_SR & USART_SR_TXE) == 0) {
    }
    USART1_DR = (uint8_t)byte;
}
