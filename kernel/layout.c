/*
 * The table for debuggers (debug.h). The compiler fills it in, so it cannot be wrong; a version and its own
 * size let a tool read tables that are older or newer than it.
 */
#include "kernel.h"

#if ATT_CFG_CHECK >= 1
#define TAG offsetof(att_thread_t, tag)
#else
#define TAG ATT_LAYOUT_NONE
#endif
#if ATT_CFG_STATISTICS
#define ACCOUNT offsetof(att_thread_t, account)
#else
#define ACCOUNT ATT_LAYOUT_NONE
#endif

const att_debug_layout_t att_debug_layout ATT_PORT_ROM = {
    ATT_LAYOUT_MAGIC,
    ATT_LAYOUT_VERSION,
    sizeof(att_debug_layout_t),
    sizeof(void *),
    ATT_CFG_PRIORITIES,
    ATT_CFG_CHECK,
    sizeof(att_prioset_t),
    ATT_PORT_TOP_ADDRESS,
    &att_k,
    &att_system,
    ATT_K_ENDED,
    ATT_K_SEVERAL,
    sizeof(att_kernel_t),
    offsetof(att_kernel_t, from),
    offsetof(att_kernel_t, ready),
    offsetof(att_kernel_t, list),
    offsetof(att_kernel_t, idle),
    offsetof(att_kernel_t, alarms),
    offsetof(att_kernel_t, joiners),
    sizeof(att_thread_t),
    offsetof(att_thread_t, wait.sp),
    offsetof(att_thread_t, wait.next),
    offsetof(att_thread_t, prio),
    offsetof(att_thread_t, base),
    offsetof(att_thread_t, next),
    offsetof(att_thread_t, queue),
    offsetof(att_thread_t, value),
    TAG,
    ACCOUNT,
    sizeof(att_alarm_t),
    offsetof(att_alarm_t, when),
    offsetof(att_alarm_t, next),
};
