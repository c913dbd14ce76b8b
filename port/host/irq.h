/* Between the port's two halves: the switch (port.c) and the simulated interrupts (irq.c). */
#ifndef ATTACCA_HOST_IRQ_H
#define ATTACCA_HOST_IRQ_H

#include <stdbool.h>
#include <stdint.h>

extern bool att_host_enabled;  /* interrupts are not masked */
extern uint8_t att_host_depth; /* handlers of the kernel's kind that are under way */

void att_host_unmask(void); /* and serve what is raised */
void att_host_window(void); /* enable interrupts for a moment; called and returns masked */
void att_host_undue(void);  /* the switch that fell due is being made */
void att_host_isr_exit(void);
void att_host_contract(bool kept, const char *rule);

#endif
