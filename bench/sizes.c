/*
 * Sizes of objects: not to be run; the laboratory reads the sizes of these symbols from the ELF file. The sum
 * keeps the linker from dropping them.
 */
#include "attacca/attacca.h"
#include "attacca/dynamic.h"

#include "stacks.h"

#define EACH(X)                                                                                              \
    X(thread, sizeof(att_thread_t))                                                                          \
    X(semaphore, sizeof(att_sem_t))                                                                          \
    X(mutex, sizeof(att_mutex_t))                                                                            \
    X(condition, sizeof(att_cond_t))                                                                         \
    X(reference, sizeof(att_ref_t))                                                                          \
    X(timer, sizeof(att_timer_t))                                                                            \
    X(pool, sizeof(att_pool_t))                                                                              \
    X(guarded_pool, sizeof(att_guarded_pool_t))                                                              \
    X(heap, sizeof(att_heap_t))                                                                              \
    X(arena, sizeof(att_arena_t))                                                                            \
    X(cache, sizeof(att_cache_t))                                                                            \
    X(flags, sizeof(att_flags_t))                                                                            \
    X(group, sizeof(att_group_t))                                                                            \
    X(event_source, sizeof(att_event_source_t))                                                                          \
    X(listener, sizeof(att_listener_t))                                                                      \
    X(mailbox, sizeof(att_mailbox_t))                                                                        \
    X(stream, sizeof(att_stream_t))                                                                          \
    X(fifo, sizeof(att_fifo_t))                                                                              \
    X(queue, sizeof(att_queue_t))                                                                            \
    X(inbox, sizeof(att_inbox_t))                                                                            \
    X(message, sizeof(att_message_t))                                                                        \
    X(waitable, sizeof(att_waitable_t))                                                                          \
    X(work, sizeof(att_work_t))                                                                              \
    X(job, sizeof(att_job_t))                                                                                \
    X(memory_stacks, 2 * MEMORY_STACK)                                                                       \
    X(created, sizeof(att_object_t))                                                                         \
    X(recorder, sizeof(att_recorder_t))                                                                      \
    X(record, sizeof(att_record_t))

#define DEFINE(name, bytes)                                                                                  \
    extern char size_##name[bytes];                                                                          \
    char size_##name[bytes];
#define PLUS(name, bytes) +size_##name[0]

EACH(DEFINE)

int main(void)
{
    return EACH(PLUS);
}
