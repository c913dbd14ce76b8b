/*
 * The offsets that the assembly uses, checked against C.
 */
#include "offsets.h"

#include "objects.h"

#define AT(offset, type, member) _Static_assert(offsetof(type, member) == (offset), #member)
AT(OFF_SP, att_thread_t, wait.sp);
AT(OFF_NEXT, att_thread_t, next);
AT(OFF_K_TOP, att_kernel_t, top);
AT(OFF_K_FROM, att_kernel_t, from);
_Static_assert(sizeof(att_thread_t) == SIZEOF_THREAD, "SIZEOF_THREAD");
#if ATT_PORT_FAST
AT(OFF_WAIT_NEXT, att_thread_t, wait.next);
AT(OFF_PREV, att_thread_t, wait.prev);
AT(OFF_ABOVE, att_thread_t, wait.above);
AT(OFF_PRIO, att_thread_t, prio);
AT(OFF_QUEUE, att_thread_t, queue);
AT(OFF_VALUE, att_thread_t, value);
AT(OFF_RESULT, att_thread_t, result);
AT(OFF_BASE, att_thread_t, base);
AT(OFF_K_READY, att_kernel_t, ready);
AT(OFF_K_LIST, att_kernel_t, list);
AT(OFF_CHOICE_ABOVE, att_choice_t, above);
AT(OFF_CHOICE_OBJECT, att_choice_t, object);
AT(0, att_choice_t, node);
AT(OFF_SEM_COUNT, att_sem_t, count);
AT(OFF_SEM_COUNT + 2, att_sem_t, more);
AT(OFF_FLAGS_SET, att_flags_t, set);
AT(OFF_FLAGS_HOW, att_flags_t, how);
AT(OFF_BOX_COUNT, att_mailbox_t, count);
AT(OFF_SENDERS, att_inbox_t, senders);
AT(OFF_WORD, att_message_t, word);
AT(OFF_M_OWNER, att_mutex_t, owner);
AT(OFF_M_LENDER, att_mutex_t, lender);
AT(OFF_M_KIND, att_mutex_t, kind);
AT(OFF_M_DEPTH, att_mutex_t, depth);
AT(OFF_ALARM_RAISE, att_alarm_t, raise);
/* Every object's queue, and a reference's, comes first. */
AT(0, att_sem_t, wait);
AT(0, att_ref_t, wait);
AT(0, att_flags_t, wait);
AT(0, att_mailbox_t, wait);
AT(0, att_inbox_t, receivers);
AT(0, att_message_t, sender);
AT(0, att_mutex_t, wait);
_Static_assert(sizeof(((att_sem_t *)0)->count) == 2, "count and limit are halves of a word");
_Static_assert(OFF_M_DEPTH == OFF_M_KIND + 1, "kind and depth are halves of a halfword");
_Static_assert(MUTEX_RECURSIVE == ATT_MUTEX_RECURSIVE, "MUTEX_RECURSIVE");
_Static_assert(MUTEX_ROBUST == ATT_MUTEX_ROBUST, "MUTEX_ROBUST");
_Static_assert(FAST_WAIT == ATT_K_FAST_WAIT, "FAST_WAIT");
_Static_assert(STATUS_TIMEOUT == ATT_TIMEOUT && STATUS_FULL == ATT_FULL && STATUS_EMPTY == ATT_EMPTY,
               "outcomes");
#endif
