/* QEMU's clocks run. */
#include "10m50.h"
#include "start.h"

START_UP void att_board_init(void)
{
}

void max10_interrupt_enable(unsigned number)
{
    uint32_t enabled;
    __asm__ __volatile__("rdctl %0, ienable" : "=r"(enabled));
    __asm__ __volatile__("wrctl ienable, %0" ::"r"(enabled | (uint32_t)1 << number));
}
