/*
 * The fault record lies in memory that no start-up code clears: after a reset the next run can tell.
 */
#include "kernel.h"

static att_fault_record_t record ATT_PORT_NOINIT;

__attribute__((weak)) void att_fault_hook(const att_fault_record_t *fault)
{
    (void)fault;
}

void att_fault(att_fault_code_t code)
{
    (void)att_port_lock();
    record.magic = ATT_FAULT_MAGIC;
    record.code = code;
    record.thread = att_k_self();
    record.pc = (uintptr_t)__builtin_return_address(0);
    ATT_TRACE(ATT_EVENT_FAULT, &record);
    att_fault_hook(&record);
    att_port_halt();
}

const att_fault_record_t *att_fault_last(void)
{
    return record.magic == ATT_FAULT_MAGIC ? &record : NULL;
}

void att_fault_clear(void)
{
    record.magic = 0;
}
