/*
 * Exceptions become faults of the kernel: code, thread and program counter in a record, and the application's
 * hook (fault.h). They come from vectors.S, on the handlers' stack.
 */
#include "kernel.h"
#include "offsets.h"

/* The fault status registers: bits 3 to 0, and bit 10. */
enum { STATUS = 0x40F, ALIGNMENT = 1, EXTERNAL = 8, EXTERNAL_LATE = 0x406, PARITY = 0x408 };
#define GET_STATUS(of, value) __asm__ __volatile__("mrc p15, 0, %0, c5, c0, " #of : "=r"(value))

static att_fault_code_t code_of(uint32_t kind)
{
    uint32_t status = ALIGNMENT;
    if (kind == KIND_FETCH) {
        GET_STATUS(1, status);
    } else if (kind == KIND_DATA) {
        GET_STATUS(0, status);
    }
    status &= STATUS;
    if (status == ALIGNMENT) {
        return ATT_FAULT_USAGE;
    }
    const bool bus = status == EXTERNAL || status == EXTERNAL_LATE || status == PARITY;
    return bus ? ATT_FAULT_BUS : ATT_FAULT_MEMORY;
}

ATT_PORT_NORETURN void att_port_exception(uintptr_t pc, uint32_t kind);
void att_port_exception(uintptr_t pc, uint32_t kind)
{
    att_k_fault(code_of(kind), pc);
}

extern uint8_t att_handler_stack_end[]; /* by the linker script */

/* An interrupt without a handler. The thread's frame is where the handlers' stack says. */
void att_port_no_handler(void)
{
    const uintptr_t place = (uintptr_t)att_handler_stack_end - HANDLER_STACK_TOP;
    att_k_fault(ATT_FAULT_NO_HANDLER, (*(uintptr_t **)place)[FRAME_PC]);
}

void att_port_halt(void)
{
    for (;;) {
        __asm__ __volatile__("cpsid i\n\twfi");
    }
}
