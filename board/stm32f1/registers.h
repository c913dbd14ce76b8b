/*
 * The registers of the STM32F1 that board, bench and tests use, by the names of the reference manual
 * (RM0008). Own definitions: nothing of a vendor's headers is needed to build.
 */
#ifndef STM32F1_REGISTERS_H
#define STM32F1_REGISTERS_H

#include <stdint.h>

#define STM32_WORD(address) (*(volatile uint32_t *)(address))

#define RCC_CR STM32_WORD(0x40021000u)
#define RCC_CFGR STM32_WORD(0x40021004u)
#define RCC_APB2ENR STM32_WORD(0x40021018u)
#define RCC_APB1ENR STM32_WORD(0x4002101Cu)
#define RCC_CFGR2 STM32_WORD(0x4002102Cu) /* F105 and F107 */
#define FLASH_ACR STM32_WORD(0x40022000u)

#define RCC_CR_HSEON (1u << 16)
#define RCC_CR_HSERDY (1u << 17)
#define RCC_CR_PLLON (1u << 24)
#define RCC_CR_PLLRDY (1u << 25)
#define RCC_CR_PLL2ON (1u << 26)
#define RCC_CR_PLL2RDY (1u << 27)
#define RCC_CFGR_SW_PLL (2u << 0)
#define RCC_CFGR_SWS (3u << 2)
#define RCC_CFGR_SWS_PLL (2u << 2)
#define RCC_CFGR_PPRE1_2 (4u << 8) /* APB1 at half the speed */
#define RCC_CFGR_PLLSRC (1u << 16) /* from HSE or PREDIV1 */
#define RCC_CFGR_PLLMUL_9 (7u << 18)
#define RCC_CFGR2_PREDIV1_5 (4u << 0)
#define RCC_CFGR2_PREDIV2_5 (4u << 4)
#define RCC_CFGR2_PLL2MUL_8 (6u << 8)
#define RCC_CFGR2_PREDIV1SRC (1u << 16) /* from PLL2 */
#define RCC_APB2ENR_AFIO (1u << 0)
#define RCC_APB2ENR_IOPA (1u << 2)
#define RCC_APB2ENR_IOPB (1u << 3)
#define RCC_APB2ENR_IOPC (1u << 4)
#define RCC_APB2ENR_USART1 (1u << 14)
#define RCC_APB1ENR_TIM2 (1u << 0)
#define FLASH_ACR_LATENCY_2 (2u << 0)
#define FLASH_ACR_PRFTBE (1u << 4)

/* A pin's four bits in CRL (pins 0 to 7) and CRH (8 to 15): mode and configuration. */
#define GPIO_CRL(port) STM32_WORD((port) + 0x00u)
#define GPIO_CRH(port) STM32_WORD((port) + 0x04u)
#define GPIO_IDR(port) STM32_WORD((port) + 0x08u)
#define GPIO_ODR(port) STM32_WORD((port) + 0x0Cu)
#define GPIO_BSRR(port) STM32_WORD((port) + 0x10u) /* sets by bits 0 to 15, clears by 16 to 31 */
#define GPIOA 0x40010800u
#define GPIOB 0x40010C00u
#define GPIOC 0x40011000u
#define GPIO_ANALOG 0x0u
#define GPIO_INPUT 0x4u
#define GPIO_INPUT_PULL 0x8u /* up or down, as the bit in ODR says */
#define GPIO_OUTPUT_2MHZ 0x2u
#define GPIO_OUTPUT_50MHZ 0x3u
#define GPIO_ALTERNATE_50MHZ 0xBu

#define AFIO_EXTICR1 STM32_WORD(0x40010008u) /* the ports of EXTI0 to EXTI3, four bits each; 0: A */
#define EXTI_IMR STM32_WORD(0x40010400u)
#define EXTI_RTSR STM32_WORD(0x40010408u)
#define EXTI_FTSR STM32_WORD(0x4001040Cu)
#define EXTI_PR STM32_WORD(0x40010414u) /* a one written clears */

#define USART1_SR STM32_WORD(0x40013800u)
#define USART1_DR STM32_WORD(0x40013804u)
#define USART1_BRR STM32_WORD(0x40013808u)
#define USART1_CR1 STM32_WORD(0x4001380Cu)
#define USART_SR_TXE (1u << 7)
#define USART_CR1_TE (1u << 3)
#define USART_CR1_UE (1u << 13)

#define TIM2_CR1 STM32_WORD(0x40000000u)
#define TIM2_DIER STM32_WORD(0x4000000Cu)
#define TIM2_SR STM32_WORD(0x40000010u) /* a zero written clears, a one leaves */
#define TIM2_EGR STM32_WORD(0x40000014u)
#define TIM2_CNT STM32_WORD(0x40000024u)
#define TIM2_PSC STM32_WORD(0x40000028u)
#define TIM2_ARR STM32_WORD(0x4000002Cu)
#define TIM2_CCR1 STM32_WORD(0x40000034u)
#define TIM_CR1_CEN (1u << 0)
#define TIM_CR1_URS (1u << 2)
#define TIM_UI (1u << 0)   /* update: in DIER, SR and EGR */
#define TIM_CC1I (1u << 1) /* compare channel 1 */

/* Interrupts of the NVIC, by number. */
#define NVIC_ISER(number) STM32_WORD(0xE000E100u + 4u * ((number) / 32u))
#define NVIC_ISPR(number) STM32_WORD(0xE000E200u + 4u * ((number) / 32u))
#define NVIC_BIT(number) (1u << ((number) % 32u))
#define NVIC_IPR(number) (*(volatile uint8_t *)(0xE000E400u + (number)))
#define EXTI0_IRQ 6u
#define TIM2_IRQ 28u

#endif
