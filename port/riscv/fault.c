/*
 * Exceptions become faults of the kernel: code, thread and program counter in a record, and the application's
 * hook (fault.h). They come from vectors.S, on the handlers' stack.
 */
#include "kernel.h"

enum { FETCH_ACCESS = 1, LOAD_ACCESS = 5, STORE_ACCESS = 7, FETCH_PAGE = 12, STORE_PAGE = 15 };

static att_fault_code_t code_of(uint32_t cause)
{
    if (cause == FETCH_ACCESS || cause == LOAD_ACCESS || cause == STORE_ACCESS) {
        return ATT_FAULT_BUS;
    }
    return cause >= FETCH_PAGE && cause <= STORE_PAGE ? ATT_FAULT_MEMORY : ATT_FAULT_USAGE;
}

ATT_PORT_NORETURN void att_port_exception(uintptr_t pc, uint32_t cause);
void att_port_exception(uintptr_t pc, uint32_t cause)
{
    att_k_fault(code_of(cause), pc);
}

/* The same for an interrupt without a handler. */
ATT_PORT_NORETURN void att_port_unexpected(uintptr_t pc, uint32_t cause);
void att_port_unexpected(uintptr_t pc, uint32_t cause)
{
    (void)cause;
    att_k_fault(ATT_FAULT_NO_HANDLER, pc);
}

void att_port_halt(void)
{
    for (;;) {
        __asm__ __volatile__("csrci mstatus, 8\n\twfi");
    }
}
