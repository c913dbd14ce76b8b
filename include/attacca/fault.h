/*
 * Faults: errors that cannot happen in a correct program. A fault writes a record into RAM that survives a
 * reset, calls att_fault_hook(), and stops the processor (the port says how). docs/faults.md lists causes and
 * remedies.
 */
#ifndef ATTACCA_FAULT_H
#define ATTACCA_FAULT_H

#include "attacca/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The codes are stable: they are never renumbered or reused. 0x8000 and up are the application's. */
typedef uint16_t att_fault_code_t;
enum {
    ATT_FAULT_STACK_OVERFLOW = 0x0001,   /* a thread's stack pointer left its stack */
    ATT_FAULT_BLOCK_IN_HANDLER = 0x0002, /* a call that may block, in an interrupt handler */
    ATT_FAULT_BLOCK_LOCKED = 0x0003,     /* a call that may block, between att_lock and att_unlock */
    ATT_FAULT_BLOCK_IN_IDLE = 0x0004,    /* a call that may block, in idle or before att_start */
    ATT_FAULT_BAD_OBJECT = 0x0005,       /* a null pointer, or not an object of this kind */
    ATT_FAULT_BAD_PRIORITY = 0x0006,     /* priority 0, or above ATT_PRIORITY_MAX; a lock's that is none */
    ATT_FAULT_BAD_STACK = 0x0007,        /* memory for a thread below ATT_STACK_MIN, misaligned, or in use */
    ATT_FAULT_BAD_TIMEOUT = 0x0008,      /* between ATT_TIMEOUT_MAX and ATT_FOREVER */
    ATT_FAULT_BAD_LIMIT = 0x0009,        /* a limit of 0, or one that cannot be counted; a count above it */
    ATT_FAULT_BAD_THREAD = 0x000A,       /* never started, or has ended; joining oneself; idle's priority */
    ATT_FAULT_REF_BUSY = 0x000B,         /* suspending through a reference that holds a thread already */
    ATT_FAULT_STARTED = 0x000C,          /* att_start twice */
    ATT_FAULT_NOT_OWNER = 0x000D,        /* unlocking a lock that the caller does not own */
    ATT_FAULT_DEADLOCK = 0x000E,         /* waiting for a thread that waits for the caller */
    ATT_FAULT_BAD_COUNT = 0x000F,        /* locked again too often, or counted beyond a range */
    ATT_FAULT_ENDS_OWNING = 0x0010,      /* a thread that ends while it holds a lock that is not robust */
    ATT_FAULT_BAD_MEMORY = 0x0020,       /* memory or a size that an object cannot use: none, 0, misaligned */
    ATT_FAULT_BAD_BLOCK = 0x0021,        /* given back: not from here, not given out, or twice */
    ATT_FAULT_HEAP_CORRUPT = 0x0022,     /* a write beyond a block, or into a free one */
    ATT_FAULT_FLAGS_BUSY = 0x0030,       /* waiting for event flags for which another thread waits */
    ATT_FAULT_BAD_FLAGS = 0x0031,        /* waiting for no flag, or in a way that does not exist */
    ATT_FAULT_LISTENING = 0x0032,        /* registering a listener that is registered */
    ATT_FAULT_MESSAGE_OPEN = 0x0040,     /* receiving into a message that waits for its answer still */
    ATT_FAULT_DELETED_IN_USE = 0x0050,   /* the last reference to an object that is still in use released */
    ATT_FAULT_HARD = 0x0060,             /* a fault of the processor, of a kind that it does not report */
    ATT_FAULT_MEMORY = 0x0061,           /* the processor's: an access that the memory protection forbids */
    ATT_FAULT_BUS = 0x0062,              /* the processor's: an access that nothing answers */
    ATT_FAULT_USAGE = 0x0063,            /* the processor's: an instruction that it cannot execute */
    ATT_FAULT_NO_HANDLER = 0x0064,       /* an interrupt or exception without a handler */
    ATT_FAULT_TOO_URGENT = 0x0065,       /* a kernel call in a handler that the lock does not mask */
    ATT_FAULT_INVARIANT = 0x0100         /* the kernel's own state is broken (level 2, or att_k_check) */
};

typedef struct {
    uint16_t magic;        /* ATT_FAULT_MAGIC if the record holds a fault */
    att_fault_code_t code; /* what */
    att_thread_t *thread;  /* the thread that ran, or was interrupted */
    uintptr_t pc;          /* where: the check that failed, or behind the call of att_fault */
} att_fault_record_t;
#define ATT_FAULT_MAGIC 0xFA17u

/* Stop with a code. Context: any. Never returns. */
ATT_PORT_NORETURN void att_fault(att_fault_code_t code);

/* The fault of this run or, after a reset, of the run before; NULL if there was none. Context: any. */
const att_fault_record_t *att_fault_last(void);

/* Clear the record. Context: any. Cost: constant. */
void att_fault_clear(void);

/* A function of the application, called with interrupts masked: to log, save, blink. The default does
 * nothing. If it returns, the processor stops. */
void att_fault_hook(const att_fault_record_t *fault);

/* A condition that the caller must meet; and an invariant of the kernel. A port may have a way to stop with a
 * constant code that is no call (ATT_PORT_FAULT). */
#ifndef ATT_PORT_FAULT
#define ATT_PORT_FAULT(code) att_fault(code)
#endif
#define ATT_EXPECT(condition, code)                                                                          \
    do {                                                                                                     \
        if (ATT_CFG_CHECK >= 1 && !(condition)) {                                                            \
            ATT_PORT_FAULT(code);                                                                            \
        }                                                                                                    \
    } while (0)
#define ATT_INVARIANT(condition)                                                                             \
    do {                                                                                                     \
        if (ATT_CFG_CHECK >= 2 && !(condition)) {                                                            \
            att_fault(ATT_FAULT_INVARIANT);                                                                  \
        }                                                                                                    \
    } while (0)

#ifdef __cplusplus
}
#endif

#endif
