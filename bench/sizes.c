/*
 * Sizes of objects: not to be run; the laboratory reads the sizes of these symbols from the ELF file.
 */
#include "attacca/attacca.h"
#include "attacca/dynamic.h"

#include "stacks.h"

#define SIZE(name, bytes)                                                                                    \
    extern char name[bytes];                                                                                 \
    char name[bytes] __attribute__((used))

SIZE(size_thread, sizeof(att_thread_t));
SIZE(size_semaphore, sizeof(att_sem_t));
SIZE(size_mutex, sizeof(att_mutex_t));
SIZE(size_condition, sizeof(att_cond_t));
SIZE(size_reference, sizeof(att_ref_t));
SIZE(size_timer, sizeof(att_timer_t));
SIZE(size_pool, sizeof(att_pool_t));
SIZE(size_guarded_pool, sizeof(att_guarded_pool_t));
SIZE(size_heap, sizeof(att_heap_t));
SIZE(size_arena, sizeof(att_arena_t));
SIZE(size_cache, sizeof(att_cache_t));
SIZE(size_flags, sizeof(att_flags_t));
SIZE(size_group, sizeof(att_group_t));
SIZE(size_source, sizeof(att_source_t));
SIZE(size_listener, sizeof(att_listener_t));
SIZE(size_mailbox, sizeof(att_mailbox_t));
SIZE(size_stream, sizeof(att_stream_t));
SIZE(size_fifo, sizeof(att_fifo_t));
SIZE(size_queue, sizeof(att_queue_t));
SIZE(size_inbox, sizeof(att_inbox_t));
SIZE(size_message, sizeof(att_message_t));
SIZE(size_choice, sizeof(att_choice_t));
SIZE(size_work, sizeof(att_work_t));
SIZE(size_job, sizeof(att_job_t));
SIZE(size_memory_stacks, 2 * MEMORY_STACK);
SIZE(size_created, sizeof(att_object_t));
SIZE(size_recorder, sizeof(att_recorder_t));
SIZE(size_record, sizeof(att_record_t));

int main(void)
{
    return size_thread[0] + size_semaphore[0] + size_reference[0] + size_timer[0] + size_memory_stacks[0];
}
