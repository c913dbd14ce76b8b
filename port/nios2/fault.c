/*
 * Exceptions become faults of the kernel: code, thread and program counter in a record, and the application's
 * hook (fault.h). They come from port.S, on the handlers' stack.
 */
#include "kernel.h"
#include "offsets.h"

/* Causes, as the exception register has them, and what processors without it show: 0. */
enum { ILLEGAL = 5, MISALIGNED = 6, MISALIGNED_JUMP = 7, DIVIDE = 8, TRAP = 3, BREAK = 4, NONE = 0, SUPERVISOR = 10 };

static att_fault_code_t code_of(uint32_t cause)
{
    switch (cause >> 2 & 0x1F) {
    case NONE:
    case TRAP:
    case BREAK:
    case ILLEGAL:
    case MISALIGNED:
    case MISALIGNED_JUMP:
    case DIVIDE:
    case SUPERVISOR:
        return ATT_FAULT_USAGE;
    default:
        return ATT_FAULT_MEMORY; /* of the MMU or the MPU */
    }
}

ATT_PORT_NORETURN void att_port_exception(uintptr_t pc, uint32_t cause);
void att_port_exception(uintptr_t pc, uint32_t cause)
{
    att_k_fault(code_of(cause), pc);
}

extern uint8_t att_handler_stack_end[]; /* by the linker script */

/* An interrupt without a handler. The thread's frame is where the handlers' stack says. */
void att_port_no_handler(void)
{
    const uintptr_t place = (uintptr_t)att_handler_stack_end - HANDLER_STACK_TOP;
    att_k_fault(ATT_FAULT_NO_HANDLER, (*(uintptr_t **)place)[SCRATCH_EA / 4]);
}

void att_port_halt(void)
{
    for (;;) {
        att_port_mask();
    }
}
