/*
 * Interrupts by their number, each with a handler of its name; a function of that name takes the place of the
 * weak one. One whose number is lower comes first.
 */
#include "attacca/attacca.h"

#include "start.h"
#include "versatilepb.h"

static void no_handler(void)
{
    att_fault(ATT_FAULT_NO_HANDLER);
}

#define HANDLER(name) __attribute__((weak, alias("no_handler"))) void name(void)
HANDLER(Interrupt1_Handler);
HANDLER(Interrupt2_Handler);
HANDLER(Interrupt3_Handler);
HANDLER(Timer01_Handler);
HANDLER(Timer23_Handler);

static void (*const handlers[])(void) = {
    no_handler, Interrupt1_Handler, Interrupt2_Handler, Interrupt3_Handler, Timer01_Handler, Timer23_Handler,
};

void att_port_serve(void)
{
    const uint32_t pending = VERSATILEPB_INTERRUPTS->status;
    for (unsigned number = 0; number < sizeof(handlers) / sizeof(handlers[0]); number++) {
        if ((pending >> number & 1) != 0) {
            handlers[number]();
            return;
        }
    }
}

/* The ARM926's own way, which comes back although interrupts are masked. */
__attribute__((target("arm"))) void att_port_sleep(void)
{
    __asm__ __volatile__("mcr p15, 0, %0, c7, c0, 4" ::"r"(0) : "memory");
}

START_UP void att_board_init(void)
{
    VERSATILEPB_INTERRUPTS->disable = 0xFFFFFFFFu;
    VERSATILEPB_INTERRUPTS->lower = 0xFFFFFFFFu;
    VERSATILEPB_INTERRUPTS->select = 0;
    att_port_unlock(att_port_enabled_key());
}
