/* offsets.h against the compiler's layout. */
#include "kernel.h"
#include "offsets.h"

#define AT(type, member, offset) _Static_assert(offsetof(type, member) == (offset), #type "." #member)
AT(att_thread_t, wait.sp, OFF_SP);
AT(att_thread_t, result, OFF_RESULT);
