/* offsets.h against the compiler's layout. */
#include "kernel.h"
#include "offsets.h"

_Static_assert(offsetof(att_kernel_t, from) == OFF_K_FROM, "att_k.from");
#if ATT_PORT_FAST
#define AT(type, member, offset) _Static_assert(offsetof(type, member) == (offset), #type "." #member)
AT(att_wait_t, sp, OFF_SP);
AT(att_wait_t, next, OFF_WAIT_NEXT);
AT(att_wait_t, prev, OFF_WAIT_PREV);
AT(att_wait_t, above, OFF_ABOVE);
AT(att_thread_t, wait, 0);
AT(att_thread_t, prio, OFF_PRIO);
AT(att_thread_t, next, OFF_NEXT);
AT(att_thread_t, queue, OFF_QUEUE);
AT(att_thread_t, value, OFF_VALUE);
AT(att_thread_t, result, OFF_RESULT);
AT(att_thread_t, base, OFF_BASE);
AT(att_mutex_t, wait, 0);
AT(att_mutex_t, owner, OFF_M_OWNER);
AT(att_mutex_t, lender, OFF_M_LENDER);
AT(att_mutex_t, kind, OFF_M_KIND);
AT(att_mutex_t, depth, OFF_M_DEPTH);
AT(att_sem_t, wait, 0);
AT(att_sem_t, count, OFF_COUNT);
AT(att_sem_t, more, OFF_MORE);
AT(att_choice_t, node, 0);
AT(att_choice_t, word, OFF_CHOICE_WORD);
AT(att_choice_t, queue, OFF_CHOICE_QUEUE);
AT(att_choice_t, above, OFF_CHOICE_ABOVE);
AT(att_flags_t, wait, 0);
AT(att_flags_t, set, OFF_FLAGS_SET);
AT(att_flags_t, how, OFF_FLAGS_HOW);
AT(att_inbox_t, receivers, 0);
AT(att_inbox_t, senders, OFF_SENDERS);
AT(att_message_t, sender, 0);
AT(att_message_t, word, OFF_WORD);
AT(att_kernel_t, ready, OFF_K_READY);
AT(att_kernel_t, alarms, OFF_K_SEVERAL);
AT(att_kernel_t, passages, OFF_K_PASSAGES);
AT(att_kernel_t, list, OFF_K_LIST);
AT(att_passage_t, outer, OFF_PASSAGE_OUTER);
AT(att_passage_t, leaving, OFF_PASSAGE_LEAVING);
AT(att_passage_t, at, OFF_PASSAGE_AT);
AT(att_passage_t, queue, OFF_PASSAGE_QUEUE);
_Static_assert(sizeof(att_passage_t) == OFF_PASSAGE_QUEUE + 2, "att_passage_t");
_Static_assert(ATT_ANY == 0, "ATT_ANY");
_Static_assert(ATT_K_CHOICE == CHOICE, "ATT_K_CHOICE");
_Static_assert(ATT_CANCELED == CANCELED, "ATT_CANCELED");
_Static_assert(ATT_TIMEOUT == TIMEOUT, "ATT_TIMEOUT");
_Static_assert(ATT_K_FAST_WAIT == FAST_WAIT, "ATT_K_FAST_WAIT");
#endif
_Static_assert(ATT_FAULT_OPEN_HANDLER == FAULT_OPEN_HANDLER, "ATT_FAULT_OPEN_HANDLER");
