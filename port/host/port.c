/*
 * The switch, and what C can say about it.
 *
 * The port holds the kernel to its contract: a call in the wrong state ends the process.
 */
#include "kernel.h"
#include "host.h"
#include "irq.h"

#if ATT_PORT_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

void att_port_host_exchange(void **save, void *to, void *end);
void att_port_host_thread(void);
ATT_PORT_NORETURN void att_port_host_begin(void (*entry)(void *arg), void *arg, void *end);

/* A saved context, as port.S pushes it. */
typedef struct {
    void *end;
    uint32_t mxcsr;
    uint32_t x87_control;
    void *r15_r14[2];
    void *r13;
    void *r12;
    void (*rbx)(void *arg);
    void *rbp;
    void (*ret)(void);
} context_t;

static void *stack_end; /* of the running thread; NULL: idle, on the stack of the process */

void att_host_contract(bool kept, const char *rule)
{
    if (!kept) {
        att_host_die(ATT_HOST_EXIT_CONTRACT, "port: %s", rule);
    }
}

void *att_port_frame(att_port_stack_t *end, void (*entry)(void *arg), void *arg)
{
    char *top = (char *)end - (uintptr_t)end % 16;
    context_t *context = (context_t *)(void *)(top - sizeof(context_t));
    *context = (context_t){0};
    context->end = end;
    __asm__ __volatile__("stmxcsr %0\n\tfnstcw %1" : "=m"(context->mxcsr), "=m"(context->x87_control));
    context->rbx = entry;
    context->r12 = arg;
    context->r13 = end;
    context->ret = att_port_host_thread;
    return context;
}

#if ATT_PORT_ASAN
static const void *main_bottom;
static size_t main_size;

static void *sanitizer_leave(const att_thread_t *to)
{
    void *fake;
    const char *end = ((const context_t *)to->wait.sp)->end;
    if (end == NULL) {
        __sanitizer_start_switch_fiber(&fake, main_bottom, main_size);
    } else {
        const char *bottom = (const char *)(to + 1);
        __sanitizer_start_switch_fiber(&fake, bottom, (size_t)(end - bottom));
    }
    return fake;
}

static void sanitizer_arrive(void *fake)
{
    const void *bottom;
    size_t size;
    __sanitizer_finish_switch_fiber(fake, &bottom, &size);
    if (main_bottom == NULL) { /* the first switch leaves idle */
        main_bottom = bottom;
        main_size = size;
    }
}
#else
static inline void *sanitizer_leave(const att_thread_t *to)
{
    (void)to;
    return NULL;
}
static inline void sanitizer_arrive(void *fake)
{
    (void)fake;
}
#endif

/* Leave `from`, whose turn comes back by returning from here. */
__attribute__((no_sanitize("address"), noinline)) static void exchange(att_thread_t *from, att_thread_t *to)
{
    void *const end = stack_end;
    att_host_contract(from != to && from->wait.sp == NULL && to->wait.sp != NULL,
                      "a switch from a thread that does not run, or to one that does");
    att_host_contract(to == att_port_top() && att_k.from == NULL, "a switch to a thread that is not the top");
    void *sp = to->wait.sp;
    void *fake = sanitizer_leave(to);
    to->wait.sp = NULL;
    att_port_host_exchange(&from->wait.sp, sp, end);
    stack_end = end;
    sanitizer_arrive(fake);
}

void att_port_host_begin(void (*entry)(void *arg), void *arg, void *end)
{
    sanitizer_arrive(NULL);
    stack_end = end;
    att_host_unmask();
    entry(arg);
    att_exit();
}

void att_port_undue(void)
{
    att_host_undue();
}

uint8_t att_port_switch(att_thread_t *to, att_thread_t *from)
{
    att_host_contract(!att_host_enabled && att_host_depth == 0, "att_port_switch unmasked, or in a handler");
    exchange(from, to);
    const uint8_t result = from->result;
    from->result = ATT_OK;
    att_host_unmask();
    return result;
}

/* The exit of a handler in which a switch fell due; called and returns masked. */
void att_host_isr_exit(void)
{
    if (att_host_depth != 0) {
        return; /* another handler lies under this one: the switch is for its exit */
    }
    att_host_undue();
    att_thread_t *from = att_k.from;
    att_k.from = NULL;
    if (from != NULL && from != att_port_top()) {
#if ATT_CFG_CHECK >= 1
        att_k_stack_check_of(from, att_port_sp());
#endif
        ATT_TRACE(ATT_EVENT_RUN, att_port_top());
        exchange(from, att_port_top());
    }
}

static const char *fault_name(att_fault_code_t code)
{
    switch (code) {
    case ATT_FAULT_STACK_OVERFLOW:
        return "STACK_OVERFLOW";
    case ATT_FAULT_BLOCK_IN_HANDLER:
        return "BLOCK_IN_HANDLER";
    case ATT_FAULT_BLOCK_LOCKED:
        return "BLOCK_LOCKED";
    case ATT_FAULT_BLOCK_IN_IDLE:
        return "BLOCK_IN_IDLE";
    case ATT_FAULT_BAD_OBJECT:
        return "BAD_OBJECT";
    case ATT_FAULT_BAD_PRIORITY:
        return "BAD_PRIORITY";
    case ATT_FAULT_BAD_STACK:
        return "BAD_STACK";
    case ATT_FAULT_BAD_TIMEOUT:
        return "BAD_TIMEOUT";
    case ATT_FAULT_BAD_LIMIT:
        return "BAD_LIMIT";
    case ATT_FAULT_BAD_THREAD:
        return "BAD_THREAD";
    case ATT_FAULT_REF_BUSY:
        return "REF_BUSY";
    case ATT_FAULT_MESSAGE_OPEN:
        return "MESSAGE_OPEN";
    case ATT_FAULT_DELETED_IN_USE:
        return "DELETED_IN_USE";
    case ATT_FAULT_STARTED:
        return "STARTED";
    case ATT_FAULT_NOT_OWNER:
        return "NOT_OWNER";
    case ATT_FAULT_DEADLOCK:
        return "DEADLOCK";
    case ATT_FAULT_BAD_COUNT:
        return "BAD_COUNT";
    case ATT_FAULT_ENDS_OWNING:
        return "ENDS_OWNING";
    case ATT_FAULT_BAD_MEMORY:
        return "BAD_MEMORY";
    case ATT_FAULT_BAD_BLOCK:
        return "BAD_BLOCK";
    case ATT_FAULT_HEAP_CORRUPT:
        return "HEAP_CORRUPT";
    case ATT_FAULT_FLAGS_BUSY:
        return "FLAGS_BUSY";
    case ATT_FAULT_BAD_FLAGS:
        return "BAD_FLAGS";
    case ATT_FAULT_LISTENING:
        return "LISTENING";
    case ATT_FAULT_HARD:
        return "HARD";
    case ATT_FAULT_MEMORY:
        return "MEMORY";
    case ATT_FAULT_BUS:
        return "BUS";
    case ATT_FAULT_USAGE:
        return "USAGE";
    case ATT_FAULT_NO_HANDLER:
        return "NO_HANDLER";
    case ATT_FAULT_TOO_URGENT:
        return "TOO_URGENT";
    case ATT_FAULT_INVARIANT:
        return "INVARIANT";
    default:
        return "of the application";
    }
}

void att_port_halt(void)
{
    const att_fault_record_t *fault = att_fault_last();
    if (fault == NULL) {
        att_host_die(ATT_HOST_EXIT_FAULT, "halted");
    }
    att_host_die(ATT_HOST_EXIT_FAULT, "fault 0x%04X (%s), thread %p, called at %p", fault->code,
                 fault_name(fault->code), (void *)fault->thread, (void *)fault->pc);
}
