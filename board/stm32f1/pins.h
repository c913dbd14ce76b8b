/*
 * Pins of an STM32F1 board for examples and first programs: the LED on PC13 (as on the "Blue Pill"), a second
 * output on PB12, and a button between PA0 and ground, which asks for an interrupt when it is pressed. A
 * board with its LED elsewhere is built with, for example, -DATT_BOARD_LED_PORT=GPIOA -DATT_BOARD_LED_PIN=5
 * (Nucleo-F103RB).
 */
#ifndef ATTACCA_BOARD_PINS_H
#define ATTACCA_BOARD_PINS_H

#include "registers.h"

#ifndef ATT_BOARD_LED_PORT
#define ATT_BOARD_LED_PORT GPIOC
#define ATT_BOARD_LED_PIN 13
#endif

/* The button's vector: ATT_ISR(ATT_BOARD_BUTTON) { att_board_button_clear(); ... } */
#define ATT_BOARD_BUTTON EXTI0_IRQHandler

/* Four bits a pin say what it is; the port's clock comes first. */
static inline void att_board_pin_mode(uint32_t port, unsigned pin, uint32_t mode)
{
    volatile uint32_t *const half = pin < 8 ? &GPIO_CRL(port) : &GPIO_CRH(port);
    const unsigned shift = 4 * (pin % 8);
    RCC_APB2ENR |= RCC_APB2ENR_IOPA << ((port - GPIOA) / (GPIOB - GPIOA));
    *half = (*half & ~(0xFu << shift)) | mode << shift;
}

/* By one write that sets or clears this pin alone, so that no other thread's pin is touched. */
static inline void att_board_pin_turn(uint32_t port, unsigned pin)
{
    const uint32_t bit = 1u << pin;
    GPIO_BSRR(port) = (GPIO_ODR(port) & bit) != 0 ? bit << 16 : bit;
}

static inline void att_board_led_start(void)
{
    att_board_pin_mode(ATT_BOARD_LED_PORT, ATT_BOARD_LED_PIN, GPIO_OUTPUT_2MHZ);
}

static inline void att_board_led_toggle(void)
{
    att_board_pin_turn(ATT_BOARD_LED_PORT, ATT_BOARD_LED_PIN);
}

static inline void att_board_pin_start(void)
{
    att_board_pin_mode(GPIOB, 12, GPIO_OUTPUT_2MHZ);
}

static inline void att_board_pin_toggle(void)
{
    att_board_pin_turn(GPIOB, 12);
}

static inline void att_board_button_start(void)
{
    att_board_pin_mode(GPIOA, 0, GPIO_INPUT_PULL);
    GPIO_BSRR(GPIOA) = 1u; /* pulled up */
    RCC_APB2ENR |= RCC_APB2ENR_AFIO;
    AFIO_EXTICR1 &= ~0xFu; /* EXTI0 is PA0's */
    EXTI_FTSR |= 1u;
    EXTI_PR = 1u;
    EXTI_IMR |= 1u;
    NVIC_ISER(EXTI0_IRQ) = NVIC_BIT(EXTI0_IRQ);
}

static inline void att_board_button_clear(void)
{
    EXTI_PR = 1u;
}

#endif
