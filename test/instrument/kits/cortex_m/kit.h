// What the kit's firmwares share: registers of the STM32F103, the console, the probes a to d on PB12 to PB15, marker
// and end mark.
#pragma once
#include <stdint.h>

#define WORD(address) (*(volatile uint32_t *)(address))
#define RCC_APB2ENR WORD(0x40021018)
#define RCC_APB1ENR WORD(0x4002101C)
#define GPIOA_CRL WORD(0x40010800)
#define GPIOA_CRH WORD(0x40010804)
#define GPIOA_IDR WORD(0x40010808)
#define GPIOB_CRH WORD(0x40010C04)
#define GPIOB_BSRR WORD(0x40010C10)
#define USART1_SR WORD(0x40013800)
#define USART1_DR WORD(0x40013804)
#define USART1_BRR WORD(0x40013808)
#define USART1_CR1 WORD(0x4001380C)
#define TIM2_CR1 WORD(0x40000000)
#define TIM2_DIER WORD(0x4000000C)
#define TIM2_SR WORD(0x40000010)
#define TIM2_PSC WORD(0x40000028)
#define TIM2_ARR WORD(0x4000002C)
#define NVIC_ISER0 WORD(0xE000E100)

#define SET(pin) (1u << (pin))
#define CLEAR(pin) (1u << ((pin) + 16))

#define DEBUG_REGISTER (*(volatile uint8_t *)0xE000007C) // ITM stimulus port 31
#define MARK(v) (DEBUG_REGISTER = (uint8_t)(v))
#define END(v) (DEBUG_REGISTER = (uint8_t)(0x80 | (v)))

void start(void); // the reset vector
void tick(void);  // TIM2's

static inline void cli(void)
{
    __asm__ volatile("cpsid i" ::: "memory");
}
static inline void sei(void)
{
    __asm__ volatile("cpsie i" ::: "memory");
}
static inline void sleep(void)
{
    __asm__ volatile("wfi" ::: "memory");
}

static inline void outputs(void) // PB8 to PB15
{
    RCC_APB2ENR |= 1u << 3;
    GPIOB_CRH = 0x33333333;
}

static inline void console(void)
{
    RCC_APB2ENR |= 1u << 14 | 1u << 2;
    GPIOA_CRH = 0x444444B4; // PA9 is the transmitter's
    USART1_BRR = 16;
    USART1_CR1 = 1u << 13 | 1u << 3 | 1u << 2; // UE, TE, RE
}

static inline void text(const char *s)
{
    console();
    for (; *s; ++s) {
        while (!(USART1_SR & 1u << 7)) {
        }
        USART1_DR = (uint8_t)*s;
    }
}
