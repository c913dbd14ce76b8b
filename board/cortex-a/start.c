/*
 * From reset (start.S) to main, on every Cortex-A board. main runs with interrupts enabled.
 */
#include <stdint.h>

#include "start.h"

extern uint32_t att_data_load[], att_data_begin[], att_data_end[], att_bss_begin[], att_bss_end[];
extern void (*const att_init_begin[])(void);
extern void (*const att_init_end[])(void);
int main(void);

START_UP __attribute__((noreturn)) void att_board_begin(void);
void att_board_begin(void)
{
    const uint32_t *from = att_data_load;
    for (uint32_t *to = att_data_begin; to != att_data_end; to++) {
        *to = *from++;
    }
    for (uint32_t *to = att_bss_begin; to != att_bss_end; to++) {
        *to = 0;
    }
    att_board_init();
    for (void (*const *init)(void) = att_init_begin; init != att_init_end; init++) {
        (*init)();
    }
    __asm__ __volatile__("cpsie if" ::: "memory");
    (void)main();
    for (;;) {
    }
}
