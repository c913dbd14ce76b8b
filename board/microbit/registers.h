/* Of the nRF51: what the clock and the console use. */
#ifndef MICROBIT_REGISTERS_H
#define MICROBIT_REGISTERS_H

#include <stdint.h>

#define NRF51(address) (*(volatile uint32_t *)(address))

#define UART_STARTTX NRF51(0x40002008u)
#define UART_TXDRDY NRF51(0x4000211Cu)
#define UART_ENABLE NRF51(0x40002500u)
#define UART_PSELTXD NRF51(0x4000250Cu)
#define UART_TXD NRF51(0x4000251Cu)
#define UART_BAUDRATE NRF51(0x40002524u)

#define TIMER_START NRF51(0x40008000u)
#define TIMER_CAPTURE(n) NRF51(0x40008040u + 4u * (n))
#define TIMER_COMPARE(n) NRF51(0x40008140u + 4u * (n))
#define TIMER_INTENSET NRF51(0x40008304u)
#define TIMER_INTENCLR NRF51(0x40008308u)
#define TIMER_BITMODE NRF51(0x40008508u)
#define TIMER_PRESCALER NRF51(0x40008510u)
#define TIMER_CC(n) NRF51(0x40008540u + 4u * (n))
#define TIMER_INT(n) ((uint32_t)1 << (16 + (n)))

#define NVIC_ISER NRF51(0xE000E100u)
#define NVIC_ISPR NRF51(0xE000E200u)

#endif
