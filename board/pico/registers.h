/*
 * The registers of the RP2040 that board and examples use, by the names of its datasheet. Own definitions: nothing
 * of the vendor's is needed to build.
 */
#ifndef PICO_REGISTERS_H
#define PICO_REGISTERS_H

#include <stdint.h>

#define RP2040(address) (*(volatile uint32_t *)(address))
#define RP2040_SET(address) RP2040((address) + 0x2000u) /* ones written here are set, the other bits stay */
#define RP2040_CLEAR(address) RP2040((address) + 0x3000u)

#define CLOCKS_BASE 0x40008000u
#define CLK_REF_CTRL RP2040(CLOCKS_BASE + 0x30u)
#define CLK_REF_SELECTED RP2040(CLOCKS_BASE + 0x38u)
#define CLK_SYS_CTRL RP2040(CLOCKS_BASE + 0x3Cu)
#define CLK_SYS_SELECTED RP2040(CLOCKS_BASE + 0x44u)
#define CLK_PERI_CTRL RP2040(CLOCKS_BASE + 0x48u)
#define RESETS_RESET 0x4000C000u
#define RESETS_DONE RP2040(0x4000C008u)
#define XOSC_CTRL RP2040(0x40024000u)
#define XOSC_STATUS RP2040(0x40024004u)
#define XOSC_STARTUP RP2040(0x4002400Cu)
#define PLL_SYS_CS RP2040(0x40028000u)
#define PLL_SYS_PWR 0x40028004u
#define PLL_SYS_FBDIV RP2040(0x40028008u)
#define PLL_SYS_PRIM RP2040(0x4002800Cu)
#define WATCHDOG_TICK RP2040(0x4005802Cu)

#define RESET_IO_BANK0 (1u << 5)
#define RESET_PADS_BANK0 (1u << 8)
#define RESET_PLL_SYS (1u << 12)
#define RESET_TIMER (1u << 21)
#define RESET_UART0 (1u << 22)

#define UART0_DR RP2040(0x40034000u)
#define UART0_FR RP2040(0x40034018u)
#define UART0_IBRD RP2040(0x40034024u)
#define UART0_FBRD RP2040(0x40034028u)
#define UART0_LCR_H RP2040(0x4003402Cu)
#define UART0_CR RP2040(0x40034030u)

#define TIMER_BASE 0x40054000u
#define TIMER_ALARM0 RP2040(TIMER_BASE + 0x10u)
#define TIMER_ARMED RP2040(TIMER_BASE + 0x20u)
#define TIMER_RAWH RP2040(TIMER_BASE + 0x24u)
#define TIMER_RAWL RP2040(TIMER_BASE + 0x28u)
#define TIMER_INTR RP2040(TIMER_BASE + 0x34u)
#define TIMER_INTE RP2040(TIMER_BASE + 0x38u)
#define TIMER_INTF RP2040(TIMER_BASE + 0x3Cu)

/* A pin: its function (2: UART, 5: SIO), its pad, its interrupts in groups of eight, its place in SIO's words. */
#define IO_BANK0_CTRL(pin) RP2040(0x40014004u + 8u * (pin))
#define IO_BANK0_INTR(pin) RP2040(0x400140F0u + (pin) / 8u * 4u)
#define IO_BANK0_INTE(pin) RP2040(0x40014100u + (pin) / 8u * 4u)
#define IO_BANK0_EDGE_LOW(pin) (4u << (pin) % 8u * 4u)
#define PADS_BANK0(pin) RP2040(0x4001C004u + 4u * (pin))
#define PAD_INPUT_PULL_UP (1u << 6 | 1u << 3)
#define SIO_OE_SET RP2040(0xD0000024u)
#define SIO_OUT_XOR RP2040(0xD000001Cu)

#define NVIC_ISER RP2040(0xE000E100u)
#define IO_BANK0_IRQ 13u

#endif
