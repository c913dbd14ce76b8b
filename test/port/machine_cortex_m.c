/*
 * Three interrupts that the board leaves free, raised by software: the foreign one is more urgent than the
 * known one, and that than the nested. SysTick, or where that is the clock a
 * timer of the board, is the interrupt after a given time; in a storm it comes at
 * times that do not repeat, more urgent than the nested one, and raises the others.
 */
#include "machine.h"

#define NVIC_ENABLE ((volatile uint32_t *)0xE000E100u)
#define NVIC_PEND ((volatile uint32_t *)0xE000E200u)
#define NVIC_PRIORITY ((volatile uint32_t *)0xE000E400u)
#define ICSR (*(volatile uint32_t *)0xE000ED04u)
#define SHPR3 (*(volatile uint32_t *)0xE000ED20u)

typedef struct {
    volatile uint32_t control, reload, count;
} systick_t;
#define SYSTICK ((systick_t *)0xE000E010u)

enum { KNOWN = ATT_BOARD_SPARE_IRQ, FOREIGN, NESTED };

static void nothing(void)
{
}
void (*volatile on_known)(void) = nothing;
void (*volatile on_nested)(void) = nothing;
void (*volatile on_foreign)(void) = nothing;

static bool raging;
static uint16_t noise = 0xACE1u;

static uint16_t next_noise(void)
{
    noise = (uint16_t)((noise >> 1) ^ ((noise & 1) != 0 ? 0xB400u : 0));
    return noise;
}

ATT_ISR(ATT_BOARD_SPARE_HANDLER_0)
{
    on_known();
}

void ATT_BOARD_SPARE_HANDLER_1(void);
void ATT_BOARD_SPARE_HANDLER_1(void)
{
    on_foreign();
}

ATT_ISR_NESTED(ATT_BOARD_SPARE_HANDLER_2)
{
    on_nested();
}

static void pend(unsigned irq)
{
    NVIC_PEND[irq / 32] = (uint32_t)1 << irq % 32;
}

#ifdef ATT_BOARD_SPARE_TIMER_IRQ
#define TIMER_HANDLER ATT_BOARD_SPARE_TIMER_HANDLER
#else
#define TIMER_HANDLER SysTick_Handler
/* Runs once from `cycles` cycles of the processor on. */
static void att_board_spare_timer_start(uint32_t cycles)
{
    SYSTICK->control = 0;
    SYSTICK->reload = cycles;
    SYSTICK->count = 0;
    SYSTICK->control = 7;
}

static void att_board_spare_timer_stop(void)
{
    SYSTICK->control = 0;
    ICSR = (uint32_t)1 << 25; /* PENDSTCLR */
}
#endif

ATT_ISR(TIMER_HANDLER)
{
    att_board_spare_timer_stop(); /* it may have come twice */
    if (!raging) {
        on_known();
        return;
    }
    const uint16_t dice = next_noise();
    if ((dice & 3) == 0) {
        pend(FOREIGN);
    }
    if ((dice & 0x1C) == 0) {
        pend(NESTED);
    }
    att_board_spare_timer_start(40 + (dice >> 6));
    on_known();
}

static void prioritise(unsigned irq, uint8_t priority)
{
    volatile uint32_t *word = &NVIC_PRIORITY[irq / 4];
    const unsigned shift = irq % 4 * 8;
    *word = (*word & ~((uint32_t)0xFF << shift)) | (uint32_t)priority << shift;
}

void machine_start(void)
{
    const uint8_t first = ATT_CFG_LOCK_PRIORITY; /* or they could not call the kernel */
    prioritise(FOREIGN, first);
    prioritise(KNOWN, first + 0x40);
    prioritise(NESTED, first + 0x80);
#ifdef ATT_BOARD_SPARE_TIMER_IRQ
    prioritise(ATT_BOARD_SPARE_TIMER_IRQ, first + 0x40);
    NVIC_ENABLE[ATT_BOARD_SPARE_TIMER_IRQ / 32] = (uint32_t)1 << ATT_BOARD_SPARE_TIMER_IRQ % 32;
#else
    SHPR3 = (SHPR3 & 0x00FFFFFFu) | (uint32_t)(first + 0x40) << 24;
#endif
    for (unsigned irq = KNOWN; irq <= NESTED; irq++) {
        NVIC_ENABLE[irq / 32] = (uint32_t)1 << irq % 32;
    }
}

void machine_end(uint8_t status)
{
    att_board_exit(status);
}

static void raise(unsigned irq)
{
    pend(irq);
    __asm__ __volatile__("dsb\n\tisb" ::: "memory");
}

void machine_raise_known(void)
{
    raise(KNOWN);
}

void machine_raise_nested(void)
{
    raise(NESTED);
}

void machine_raise_foreign(void)
{
    raise(FOREIGN);
}

uint8_t machine_hold_and_store(uintptr_t word, volatile uint32_t *to, uint32_t value);
uint8_t machine_hold(uintptr_t word)
{
    return machine_hold_and_store(word, &NVIC_PEND[KNOWN / 32], (uint32_t)1 << KNOWN % 32);
}

void machine_raise_known_after(uint16_t step)
{
    att_board_spare_timer_start((uint32_t)step + 1);
}

void machine_storm(void)
{
    raging = true;
    att_board_spare_timer_start(77);
}

void machine_calm(void)
{
    raging = false;
    att_board_spare_timer_stop();
}

bool machine_aligned(const void *frame)
{
    return (uintptr_t)frame % 4 == 0 && (uintptr_t)att_port_sp() % 8 == 0;
}
