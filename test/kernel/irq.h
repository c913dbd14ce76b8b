/*
 * Interrupts on demand, the same on every machine: by software, after a few cycles, and later.
 *
 * AVR: toggling a pin that is an output raises its pin-change interrupt; Timer2 raises the delayed ones.
 * Others: interrupts that the board leaves free; SysTick, or a timer of the board, raises the delayed ones. Host: the
 * port's simulated interrupts.
 */
#ifndef IRQ_H
#define IRQ_H

#include "tap.h"

typedef enum {
    IRQ_KNOWN,   /* ATT_ISR */
    IRQ_FOREIGN, /* a handler that the kernel does not know */
    IRQ_NESTED,  /* ATT_ISR_NESTED: its action runs with interrupts enabled */
    IRQ_KINDS
} irq_kind_t;

typedef void (*irq_action_t)(void);

/* Once, before the others; interrupts may be disabled still. */
void irq_start(void);

/* `action` runs in a handler of that kind before the call returns, or, while interrupts are masked, as soon
 * as they are not. Context: any. */
void irq_raise(irq_kind_t kind, irq_action_t action);

/* No more of the software's. */
void irq_stop(void);

/* `action` runs in a handler after that many ticks, 1 to 250: on AVR of 8 cycles, on Cortex-M of a twelfth of
 * a µs, else the board's, on the host points (host.h) at which an interrupt may come. One at a time;
 * IRQ_KNOWN or IRQ_FOREIGN. Context: a thread. */
void irq_tick(irq_kind_t kind, irq_action_t action, uint8_t ticks);
/* Forget one that has not come. */
void irq_tick_cancel(void);

/* The same in about 100 µs, whatever runs then. */
void irq_later(irq_kind_t kind, irq_action_t action);
/* Does it come? Not where the board's machine has no timer to spare. */
#ifdef ATT_BOARD_NO_SPARE_TIMER
#define IRQ_COMES_LATER 0
#else
#define IRQ_COMES_LATER 1
#endif

#endif
