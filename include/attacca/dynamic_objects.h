/*
 * The kernel's objects, created at run time: each call takes memory for the object and for what it holds out
 * of a store, initialises it as its own header says, and enters it in the registry. dynamic.h tells about
 * stores, names, references and att_object_release, which deletes.
 *
 * Deleted with the last reference, threads that still wait for a semaphore, flags, a group, a mailbox, a
 * queue, a stream or an inbox get ATT_CANCELED, and a timer stops. What cannot be taken from its users is a
 * fault, DELETED_IN_USE: a mutex or reader-writer lock that is held, a condition variable with waiters, a
 * queue of which a thread has room or a large item, a pool or heap of which a block is out. A deleted
 * object's tag says so until its memory is used anew: calls with it fault with BAD_OBJECT (a timer has none).
 */
#ifndef ATTACCA_DYNAMIC_OBJECTS_H
#define ATTACCA_DYNAMIC_OBJECTS_H

#include "attacca/attacca.h"
#include "attacca/dynamic.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * All of them. Context: an unlocked thread. May switch. Return the object, and with it a reference; NULL if
 * there is no room. Faults: BAD_OBJECT (no store), those of the object's init and of the store. Cost: as
 * att_object_alloc, and as the init.
 */
att_sem_t *att_sem_create(const att_store_t *store, const char *name, att_port_count_t count,
                          att_port_count_t limit);
att_mutex_t *att_mutex_create(const att_store_t *store, const char *name, uint8_t kind);
att_cond_t *att_cond_create(const att_store_t *store, const char *name);
att_rwlock_t *att_rwlock_create(const att_store_t *store, const char *name);
att_flags_t *att_flags_create(const att_store_t *store, const char *name, att_mask_t set);
att_group_t *att_group_create(const att_store_t *store, const char *name, att_mask_t set);
att_inbox_t *att_inbox_create(const att_store_t *store, const char *name);
att_timer_t *att_timer_create(const att_store_t *store, const char *name, void (*callback)(void *arg),
                              void *arg);

/* For `count` words; bytes; items of `size` bytes. */
att_mailbox_t *att_mailbox_create(const att_store_t *store, const char *name, size_t count);
att_stream_t *att_stream_create(const att_store_t *store, const char *name, size_t count,
                                void (*callback)(att_stream_t *stream));
att_queue_t *att_queue_create(const att_store_t *store, const char *name, size_t size, size_t count);

/* Of `count` blocks for `size` bytes each; of `size` bytes; and just a block of memory with a name, arbitrary
 * in content. */
att_pool_t *att_pool_create(const att_store_t *store, const char *name, size_t size, size_t count);
att_heap_t *att_heap_create(const att_store_t *store, const char *name, size_t size);
void *att_memory_create(const att_store_t *store, const char *name, size_t size);

/* For att_registry_find and the like: att_registry_find(&att_kind_sem, "ready"). */
extern const att_kind_t att_kind_sem, att_kind_mutex, att_kind_cond, att_kind_rwlock, att_kind_flags,
    att_kind_group, att_kind_inbox, att_kind_timer, att_kind_mailbox, att_kind_stream, att_kind_queue,
    att_kind_pool, att_kind_heap, att_kind_memory;

#ifdef __cplusplus
}
#endif

#endif
