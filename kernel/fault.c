/*
 * Faults. The fault record is in memory that no start-up code clears, so that it can be read after a reset.
 */
#include "kernel.h"

static att_fault_record_t record ATT_PORT_NOINIT;

__attribute__((weak)) void att_fault_hook(const att_fault_record_t *fault)
{
    (void)fault;
}

void att_k_fault(att_fault_code_t code, uintptr_t pc)
{
    att_port_mask();
    record.magic = ATT_FAULT_MAGIC;
    record.code = code;
    record.thread = att_k_self();
    record.pc = pc;
    ATT_TRACE(ATT_EVENT_FAULT, &record);
    att_fault_hook(&record);
    att_port_halt();
}

#ifndef ATT_PORT_FAULT_ENTRY
void att_fault(att_fault_code_t code)
{
    att_k_fault(code, (uintptr_t)__builtin_return_address(0));
}
#endif

const att_fault_record_t *att_fault_last(void)
{
    return record.magic == ATT_FAULT_MAGIC ? &record : NULL;
}

void att_fault_clear(void)
{
    record.magic = 0;
}
