/*
 * The offsets that the assembly uses, checked against C.
 */
#include "offsets.h"

#include "kernel.h"

#define AT(offset, type, member) _Static_assert(offsetof(type, member) == (offset), #member)
AT(OFF_SP, att_thread_t, wait.sp);
AT(OFF_WAIT_NEXT, att_thread_t, wait.next);
AT(OFF_ABOVE, att_thread_t, wait.above);
AT(OFF_NEXT, att_thread_t, next);
AT(OFF_QUEUE, att_thread_t, queue);
AT(OFF_RESULT, att_thread_t, result);
AT(OFF_K_TOP, att_kernel_t, top);
AT(OFF_K_FROM, att_kernel_t, from);
AT(OFF_K_READY, att_kernel_t, ready);
