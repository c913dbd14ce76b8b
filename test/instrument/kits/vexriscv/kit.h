// What the kit's firmwares share: registers of the soft core's system, the console, the probes a to d on P0 to P3,
// marker and end mark.
#pragma once
#include <stdint.h>

#define WORD(address) (*(volatile uint32_t *)(address))
#define TIMER_NOW WORD(0xF0000000)
#define TIMER_ALARM WORD(0xF0000008)
#define TIMER_ALARM_OFF WORD(0xF000000C)
#define GPIO_SET WORD(0xF0001004)
#define GPIO_CLEAR WORD(0xF0001008)
#define GPIO_IN WORD(0xF000100C)
#define GPIO_DIRECTION WORD(0xF0001010)
#define UART_DATA WORD(0xF0002000)
#define UART_STATUS WORD(0xF0002004)
#define MARKS (*(volatile uint8_t *)0xF0004000)
#define MARK(v) (MARKS = (uint8_t)(v))
#define END(v) (MARKS = (uint8_t)(0x80 | (v)))

void start(void); // where the processor begins
void tick(void);  // the timer's interrupt

static inline void cli(void)
{
    __asm__ volatile("csrci mstatus, 8" ::: "memory");
}
static inline void sei(void)
{
    __asm__ volatile("csrsi mstatus, 8" ::: "memory");
}
static inline void sleep(void)
{
    __asm__ volatile("wfi" ::: "memory");
}

static inline void outputs(void) // P0 to P4
{
    GPIO_DIRECTION = 0x1f;
}

static inline void text(const char *s)
{
    for (; *s; ++s) {
        while (!(UART_STATUS & 1)) {
        }
        UART_DATA = (uint8_t)*s;
    }
}
