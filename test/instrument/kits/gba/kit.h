// What the kit's firmwares share: registers of the machine, the console, the probes a to d on the link port, marker and
// end mark.
#pragma once
#include <stdint.h>

#define HALF(address) (*(volatile uint16_t *)(address))
#define WORD(address) (*(volatile uint32_t *)(address))
#define TM0CNT WORD(0x04000100)
#define SIOCNT HALF(0x04000128)
#define SIODATA8 HALF(0x0400012A)
#define RCNT HALF(0x04000134)
#define IE HALF(0x04000200)
#define IF HALF(0x04000202)
#define IME HALF(0x04000208)
#define HALTCNT (*(volatile uint8_t *)0x04000301)
#define GPIO_DATA HALF(0x080000C4)
#define GPIO_DIRECTION HALF(0x080000C6)
#define HANDLER (*(void (*volatile *)(void))0x03FFFFFC)
#define TEXT ((volatile uint8_t *)0x04FFF600)

#define OUTPUTS 0x80F0 // all four; their levels are bits 0 to 3
#define SI_INPUT 0x80B0 // but for SI
#define TIMER0 8

#define DEBUG_REGISTER (*(volatile uint8_t *)0x04FFF7F0)
#define MARK(v) (DEBUG_REGISTER = (uint8_t)(v))
#define END(v) (DEBUG_REGISTER = (uint8_t)(0x80 | (v)))

void begin(void); // where the machine begins
void tick(void);  // timer 0's handler

static inline void cli(void)
{
    uint32_t status;
    __asm__ volatile("mrs %0, cpsr\n\torr %0, %0, #0x80\n\tmsr cpsr_c, %0" : "=&r"(status)::"memory");
}
static inline void sei(void)
{
    uint32_t status;
    __asm__ volatile("mrs %0, cpsr\n\tbic %0, %0, #0x80\n\tmsr cpsr_c, %0" : "=&r"(status)::"memory");
}
static inline void sleep(void)
{
    HALTCNT = 0;
}

static inline void outputs(void)
{
    RCNT = OUTPUTS;
}

static inline void text(const char *s)
{
    for (; *s; ++s)
        TEXT[0] = (uint8_t)*s;
}
