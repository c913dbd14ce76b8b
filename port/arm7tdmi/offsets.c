/*
 * The offsets that the assembly uses, checked against C.
 */
#include "offsets.h"

#include "kernel.h"

#define AT(offset, type, member) _Static_assert(offsetof(type, member) == (offset), #member)
AT(OFF_SP, att_thread_t, wait.sp);
AT(OFF_RESULT, att_thread_t, result);
AT(OFF_K_TOP, att_kernel_t, top);
AT(OFF_K_FROM, att_kernel_t, from);
