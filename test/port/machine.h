/*
 * What the port's test needs from a machine: three interrupts that can be raised by software, an interrupt
 * after a given time, and registers filled with patterns. One file of C and one of assembly for each port.
 */
#ifndef MACHINE_H
#define MACHINE_H

#include "attacca/attacca.h"

/* Bodies of the handlers: one of ATT_ISR, one of ATT_ISR_NESTED, and one that the kernel knows nothing of. */
extern void (*volatile on_known)(void);
extern void (*volatile on_nested)(void);
extern void (*volatile on_foreign)(void);

void machine_start(void); /* before att_start */
ATT_PORT_NORETURN void machine_end(uint8_t status);

/* Raise; with interrupts enabled, the handler has run when these return. Context: any. */
void machine_raise_known(void);
void machine_raise_nested(void);
void machine_raise_foreign(void);

/* Raise the known one once, `step` of the machine's shortest times from now. */
#define MACHINE_STEPS 2000
void machine_raise_known_after(uint16_t step);

/* From now on all three come by themselves, at times that do not repeat. */
void machine_storm(void);
void machine_calm(void);

/* Call `function` with every call-saved register holding a pattern made from `seed`; 0 if it kept them all.
 */
uint8_t machine_call(void (*function)(void), uint8_t seed);

/* Hold patterns in every register and flag for a moment in which interrupts may come; 0 if all were kept. */
uint8_t machine_spin_a(void);
uint8_t machine_spin_b(void);

/* Hold a word in every register that can, raise the known interrupt and look: 0 if all were kept. */
uint8_t machine_hold(uintptr_t word);

/* May this be a stack pointer at a function's entry? */
bool machine_aligned(const void *frame);

#endif
