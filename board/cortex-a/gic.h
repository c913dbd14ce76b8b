/*
 * Arm's generic interrupt controller, versions 1 and 2. The board's gic_place.h says where it is; vectors.inc names
 * the interrupts, from number 0 on.
 */
#ifndef ATTACCA_BOARD_GIC_H
#define ATTACCA_BOARD_GIC_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A lower number is more urgent; steps of 16 are told apart on every controller. An interrupt is preempted by those
 * that are more urgent, where its handler lets them in (ATT_ISR_NESTED). */
void att_board_interrupt_enable(unsigned number, uint8_t priority);
void att_board_interrupt_disable(unsigned number);

/* Numbers 0 to 15 are software's: raise one on this processor. Raise one of a device, once. */
void att_board_interrupt_raise(unsigned number);
void att_board_interrupt_pend(unsigned number);

void att_board_gic_start(void); /* by att_board_init */

#ifdef __cplusplus
}
#endif

#endif
