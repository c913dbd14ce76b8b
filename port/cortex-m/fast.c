/*
 * What C asks of the assembly's waits.
 */
#include "kernel.h"

#if ATT_PORT_FAST
void att_port_fast_return(void);

/* A thread that the assembly blocked returns ATT_OK without looking. With another outcome its frame moves
 * down by two words (stack pointers stay 4 above a multiple of 8, which PendSV counts on), and it returns by
 * way of where that is looked up. */
void *att_port_fast_result(void *saved)
{
    enum { REGISTERS = 8 }; /* r4 to r11; then comes where it goes on */
    uintptr_t *frame = saved;
    uintptr_t *moved = frame - 2;
    for (unsigned i = 0; i < REGISTERS; i++) {
        moved[i] = frame[i];
    }
    moved[REGISTERS] = (uintptr_t)att_port_fast_return;
    return moved;
}
#endif
