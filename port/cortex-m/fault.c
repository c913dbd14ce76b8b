/*
 * Faults of the processor become faults of the kernel: code, thread and program counter in a record, and the
 * application's hook (fault.h). What the processor tells in its status register is believed, whichever of its
 * handlers came: with interrupts masked each of the others escalates to a hard fault.
 *
 * A check that finds its caller wrong is a fault of the processor as well, an undefined instruction with the code
 * in it (ATT_PORT_FAULT): so all that the caller had in registers is saved, and nothing is pushed before the check.
 *
 * Rejected: to return from a fault. The frame may be anywhere. For ARMv6-M, too: it does not tell that
 * an instruction was undefined, and where it jumped to nowhere there is none to look at.
 */
#include "kernel.h"
#include "offsets.h"

#define MMFAR (*(volatile uint32_t *)0xE000ED34u)
#define CFSR (*(volatile uint32_t *)0xE000ED28u)
#define SHCSR (*(volatile uint32_t *)0xE000ED24u)

enum {
    MEMORY_STATUS = 0xFF,
    BUS_STATUS = 0xFF00,
    MEMORY_STACKING = 1 << 4,
    BUS_STACKING = 1 << 12,
    UNDEFINED_INSTRUCTION = 1 << 16,
    STACK_LIMIT = 1 << 20,
    MEMORY_ADDRESS_VALID = 1 << 7,
};

static bool under_way; /* a fault: no lock is questioned any more */

#ifdef __ARM_ARCH_6M__
static uint32_t status(void)
{
    return 0;
}
static att_fault_code_t code_of(uint32_t cause, const uint32_t *frame)
{
    (void)cause, (void)frame;
    return ATT_FAULT_HARD;
}
#else
static uint32_t status(void)
{
    return CFSR;
}

#if ATT_CFG_STACK_GUARD
/* Into the region at the stack's end, or the processor could not save a frame there; ARMv8-M says so itself.
 */
static bool beyond_stack(uint32_t cause)
{
    const uint32_t guard = *(volatile uint32_t *)MPU_RBAR & ~(uint32_t)(GUARD_SIZE - 1);
    const bool addressed = (cause & MEMORY_ADDRESS_VALID) != 0 && MMFAR - guard < GUARD_SIZE;
    return (cause & (MEMORY_STACKING | STACK_LIMIT)) != 0 || addressed;
}
#else
static inline bool beyond_stack(uint32_t cause)
{
    (void)cause;
    return false;
}
#endif

/* Of ATT_PORT_FAULT, which has checked a caller: UDF with its code; 0 of any other instruction, a compiler's trap
 * (UDF 0xFF) and UDF 0 among them. */
static att_fault_code_t code_in(uint16_t instruction)
{
    enum { UDF = 0xDE00, LAST = ATT_FAULT_HARD - 1 };
    const uint16_t code = (uint16_t)(instruction - UDF);
    return code <= LAST ? code : 0;
}

static att_fault_code_t code_of(uint32_t cause, const uint32_t *frame)
{
    if (cause == UNDEFINED_INSTRUCTION) {
        const att_fault_code_t code = code_in(*(const uint16_t *)frame[HW_PC / 4]);
        return code != 0 ? code : ATT_FAULT_USAGE;
    }
    if (beyond_stack(cause)) {
        return ATT_FAULT_STACK_OVERFLOW;
    }
    if ((cause & MEMORY_STATUS) != 0) {
        return ATT_FAULT_MEMORY;
    }
    if ((cause & BUS_STATUS) != 0) {
        return ATT_FAULT_BUS;
    }
    return cause != 0 ? ATT_FAULT_USAGE : ATT_FAULT_HARD;
}
#endif

/* From fault.S: the stack pointer of what was interrupted, where the processor has put its frame if it could.
 */
ATT_PORT_NORETURN void att_port_processor_fault(const uint32_t *frame);
void att_port_processor_fault(const uint32_t *frame)
{
    const uint32_t cause = status();
    const bool stacked = (cause & (MEMORY_STACKING | BUS_STACKING | STACK_LIMIT)) == 0;
    under_way = true;
    att_k_fault(code_of(cause, frame), stacked ? frame[HW_PC / 4] : 0);
}

/* The same for an interrupt or exception without a handler. */
ATT_PORT_NORETURN void att_port_unexpected(const uint32_t *frame);
void att_port_unexpected(const uint32_t *frame)
{
    under_way = true;
    att_k_fault(ATT_FAULT_NO_HANDLER, frame[HW_PC / 4]);
}

/* Here, so that a program with the kernel's faults also links the processor's, whose vectors are in assembly.
 */
ATT_PORT_REQUIRE_SYMBOL("att_port_no_handler")
#if ATT_CFG_CHECK >= 1 && !defined(__ARM_ARCH_6M__)
void att_port_start_faults(void)
{
    enum { OWN_HANDLERS = 7 << 16 };
    SHCSR |= OWN_HANDLERS; /* of memory, bus and usage faults */
}
#endif

void att_port_halt(void)
{
    for (;;) {
        __asm__ __volatile__("cpsid i\n\twfi");
    }
}

#if ATT_CFG_LOCK_PRIORITY != 0 && ATT_CFG_CHECK >= 1
#define SYSTEM_PRIORITY ((const volatile uint8_t *)0xE000ED18u) /* of exception 4 and up */
#define IRQ_PRIORITY ((const volatile uint8_t *)0xE000E400u)
enum { FIRST_PRIORITISED = 4, FIRST_IRQ = 16, PENDSV = 14 };

static uint8_t priority_of(uint32_t exception)
{
    return exception >= FIRST_IRQ ? IRQ_PRIORITY[exception - FIRST_IRQ]
                                  : SYSTEM_PRIORITY[exception - FIRST_PRIORITISED];
}

/* At each call, because drivers set priorities late. PendSV has the least urgent one: the bits that there
 * are. */
void att_port_expect_maskable(void)
{
    uint32_t exception;
    __asm__ __volatile__("mrs %0, ipsr" : "=r"(exception));
    if (exception == 0 || under_way) {
        return;
    }
    const uint8_t lock = ATT_CFG_LOCK_PRIORITY & priority_of(PENDSV);
    if (exception < FIRST_PRIORITISED || priority_of(exception) < lock) {
        under_way = true;
        att_k_fault(ATT_FAULT_TOO_URGENT, (uintptr_t)__builtin_return_address(0));
    }
}
#endif
