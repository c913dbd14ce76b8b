/*
 * The controller and the table of the handlers. Every name in it is weak: a function of that name becomes the handler.
 */
#include "gic.h"

#include "attacca/attacca.h"

#include "gic_place.h"
#include "start.h"

#define CPU(offset) (*(volatile uint32_t *)(GIC_CPU + (offset)))
#define DISTRIBUTOR(offset) (*(volatile uint32_t *)(GIC_DISTRIBUTOR + (offset)))
#define DISTRIBUTOR_BYTE(offset) (*(volatile uint8_t *)(GIC_DISTRIBUTOR + (offset)))

enum {
    CONTROL = 0, MASK = 4, ACKNOWLEDGE = 0xC, END = 0x10, /* of the processor */
    ENABLE = 0x100, DISABLE = 0x180, PEND = 0x200, ACTIVE = 0x300, PRIORITY = 0x400, TARGET = 0x800, SOFTWARE = 0xF00,
    ALL_PRIORITIES = 0xF0, NUMBER = 0x3FF, THIS_PROCESSOR = 2 << 24,
};

#define VECTOR(name) __attribute__((weak, alias("no_handler"))) void name(void);
#define NO_VECTOR

/* An alias knows only its own file. Weak: a program that never asks for faults stops here. */
__attribute__((weak, noreturn)) void att_port_no_handler(void);
__attribute__((used)) static void no_handler(void)
{
    for (;;) {
        if (att_port_no_handler != 0) {
            att_port_no_handler();
        }
    }
}

#include "vectors.inc"
#undef VECTOR
#undef NO_VECTOR
#define VECTOR(name) name,
#define NO_VECTOR no_handler,
static void (*const handlers[])(void) = {
#include "vectors.inc"
};

/* Without a reset before it, as after a fault in a handler, interrupts may be active and pending still. */
START_UP static void forget(void)
{
    DISTRIBUTOR(CONTROL) = 0;
    for (unsigned number = 0; number < sizeof(handlers) / sizeof(handlers[0]); number++) {
        if ((DISTRIBUTOR(ACTIVE + number / 32 * 4) >> number % 32 & 1) != 0) {
            CPU(END) = number;
        }
        DISTRIBUTOR(DISABLE + number / 32 * 4) = (uint32_t)1 << number % 32;
    }
    DISTRIBUTOR(CONTROL) = 1;
    for (uint32_t pending; ((pending = CPU(ACKNOWLEDGE)) & NUMBER) < sizeof(handlers) / sizeof(handlers[0]);) {
        CPU(END) = pending;
    }
}

START_UP void att_board_gic_start(void)
{
    DISTRIBUTOR(CONTROL) = 1;
    CPU(MASK) = ALL_PRIORITIES;
    CPU(CONTROL) = 1;
    forget();
}

void att_board_interrupt_enable(unsigned number, uint8_t priority)
{
    DISTRIBUTOR_BYTE(PRIORITY + number) = priority;
    DISTRIBUTOR_BYTE(TARGET + number) = 1;
    DISTRIBUTOR(ENABLE + number / 32 * 4) = (uint32_t)1 << number % 32;
}

void att_board_interrupt_disable(unsigned number)
{
    DISTRIBUTOR(DISABLE + number / 32 * 4) = (uint32_t)1 << number % 32;
}

void att_board_interrupt_raise(unsigned number)
{
    DISTRIBUTOR(SOFTWARE) = THIS_PROCESSOR | number;
    __asm__ __volatile__("dsb\n\tisb" ::: "memory");
}

void att_board_interrupt_pend(unsigned number)
{
    DISTRIBUTOR(PEND + number / 32 * 4) = (uint32_t)1 << number % 32;
    __asm__ __volatile__("dsb\n\tisb" ::: "memory");
}

/* A number that is none: the interrupt was taken back. */
void att_port_dispatch(void)
{
    const uint32_t acknowledged = CPU(ACKNOWLEDGE);
    const uint32_t number = acknowledged & NUMBER;
    if (number < sizeof(handlers) / sizeof(handlers[0])) {
        handlers[number]();
        CPU(END) = acknowledged;
    }
}
