/* All kinds. A new kind goes last, so that the kept inputs keep their meaning. */
#include "model.h"

const kind_t *const kinds[] = {&kind_thread, &kind_sem,   &kind_ref,   &kind_timer,   &kind_mutex,
                               &kind_cond,   &kind_flags, &kind_group, &kind_mailbox, &kind_message,
                               &kind_rwlock, &kind_queue, &kind_end,   NULL};
