/*
 * Exceptions become faults of the kernel: code, thread and program counter in a record, and the application's
 * hook (fault.h). They come from vectors.S.
 */
#include "kernel.h"

ATT_PORT_NORETURN void att_port_exception(uintptr_t pc, uint32_t cause);
void att_port_exception(uintptr_t pc, uint32_t cause)
{
    static const att_fault_code_t codes[] = {ATT_FAULT_USAGE, ATT_FAULT_BUS, ATT_FAULT_NO_HANDLER};
    att_k_fault(codes[cause], pc);
}

void att_port_halt(void)
{
    att_port_mask();
    for (;;) {
        att_port_sleep();
    }
}
