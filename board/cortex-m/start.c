/*
 * From reset to main, on every Cortex-M board. The linker script places the stack of the handlers (main stack
 * pointer) and that of main, which becomes idle (process stack pointer).
 */
#include <stdint.h>

#include "start.h"

extern uint32_t att_data_load[], att_data_begin[], att_data_end[], att_bss_begin[], att_bss_end[];
extern void (*const att_init_begin[])(void);
extern void (*const att_init_end[])(void);
int main(void);

START_UP __attribute__((used, noreturn)) static void begin(void)
{
    const uint32_t *from = att_data_load;
    for (uint32_t *to = att_data_begin; to != att_data_end; to++) {
        *to = *from++;
    }
    for (uint32_t *to = att_bss_begin; to != att_bss_end; to++) {
        *to = 0;
    }
#ifdef __ARM_FP
    *(volatile uint32_t *)0xE000ED88u |= 0xFu << 20; /* CPACR: CP10 and CP11 */
    __asm__ __volatile__("dsb\n\tisb" ::: "memory");
#endif
    att_board_init();
    for (void (*const *init)(void) = att_init_begin; init != att_init_end; init++) {
        (*init)();
    }
    (void)main();
    for (;;) {
    }
}

/* The processor has loaded the main stack pointer from the vector table. */
START_UP __attribute__((naked)) void Reset_Handler(void)
{
    __asm__ __volatile__("cpsid i\n\t"
                         "ldr r0, =att_main_stack_end\n\t"
                         "msr psp, r0\n\t"
                         "movs r0, #2\n\t"
                         "msr control, r0\n\t"
                         "isb\n\t"
                         "cpsie i\n\t"
                         "bl begin\n\t"
                         ".ltorg");
}
