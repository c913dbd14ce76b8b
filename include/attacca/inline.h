/*
 * Optional: gives and takes of a semaphore that wake no thread and do not block are compiled into the caller.
 * On ports with exclusive accesses (ATT_PORT_EXCLUSIVE), locking and unlocking a free mutex is, too. The
 * calls keep their names and their meaning. Each place costs some 30 bytes of flash. Published figures are of
 * the real calls unless they say "inlined".
 */
#ifndef ATTACCA_INLINE_H
#define ATTACCA_INLINE_H

#include "attacca/attacca.h"

#ifdef __cplusplus
extern "C" {
#endif

/* With checks, or when events are traced, all calls are real calls. */
#if ATT_CFG_CHECK == 0 && !defined(ATT_TRACE_DEFINED)

#if defined(ATT_PORT_EXCLUSIVE)
#define ATT_K_RARELY(condition) __builtin_expect((condition), 0)
#define ATT_K_MOSTLY(condition) __builtin_expect((condition), 1)

/* The count and the limit less one are the halves of one word. The exclusive store succeeds only if no
 * interrupt came since the word was read, so other values read in between are still valid. If one came, the
 * call begins again. `word << 16 > word`: the count is more than the limit less one. */
static inline bool att_k_give_at_once(att_sem_t *sem)
{
    const uint32_t word = att_port_load_exclusive(&sem->count);
    if (ATT_K_RARELY(sem->wait.head != NULL) || ATT_K_RARELY(word << 16 > word)) {
        return false;
    }
    return att_port_store_exclusive(&sem->count, word + 1);
}

static inline bool att_k_take_at_once(att_sem_t *sem)
{
    const uint32_t word = att_port_load_exclusive(&sem->count);
    if (ATT_K_RARELY((uint16_t)word == 0)) {
        return false;
    }
    return att_port_store_exclusive(&sem->count, word - 1);
}

/* The beginning of the kernel's state, under a name and a type of its own (kernel.h has the whole). */
extern struct {
    att_thread_t *volatile top;
    att_thread_t *volatile from;
} att_k_now __asm__("att_k");

/* A free mutex without a ceiling, and no pending switch: so the top is the caller. */
static inline bool att_k_lock_at_once(att_mutex_t *mutex)
{
    const uintptr_t owner = att_port_load_exclusive(&mutex->owner);
    const uintptr_t from = (uintptr_t)att_k_now.from;
    const uintptr_t top = (uintptr_t)att_k_now.top;
    if (ATT_K_RARELY((owner | from) != 0)) {
        return false;
    }
    return att_port_store_exclusive(&mutex->owner, top);
}

/* A mutex that is not in the list of inheritance, and was locked once. */
static inline bool att_k_unlock_at_once(att_mutex_t *mutex)
{
    (void)att_port_load_exclusive(&mutex->owner);
    if (ATT_K_RARELY(mutex->link != 0)) {
        return false;
    }
    return att_port_store_exclusive(&mutex->owner, 0);
}

#undef att_mutex_lock
#define att_mutex_lock(mutex, timeout)                                                                       \
    (ATT_K_MOSTLY(att_k_lock_at_once(mutex)) ? (att_status_t)ATT_OK                                          \
     : ATT_K_FOREVER(timeout)                ? att_mutex_lock_forever(mutex)                                 \
                                             : (att_mutex_lock)((mutex), (timeout)))
#define att_mutex_unlock(mutex)                                                                              \
    (ATT_K_MOSTLY(att_k_unlock_at_once(mutex)) ? (void)0 : (att_mutex_unlock)(mutex))

#else
#define ATT_K_MOSTLY(condition) (condition)

static inline bool att_k_give_at_once(att_sem_t *sem)
{
    att_key_t key = att_lock();
    const att_port_count_t count = sem->count;
    if (ATT_PORT_IS_NULL(sem->wait.head) && count <= sem->more) {
        sem->count = (att_port_count_t)(count + 1);
        att_port_unlock(key);
        return true;
    }
    att_port_unlock(key);
    return false;
}

static inline bool att_k_take_at_once(att_sem_t *sem)
{
    att_key_t key = att_lock();
    const att_port_count_t count = sem->count;
    if (count != 0) {
        sem->count = (att_port_count_t)(count - 1);
        att_port_unlock(key);
        return true;
    }
    att_port_unlock(key);
    return false;
}
#endif

#define att_sem_give(sem) (ATT_K_MOSTLY(att_k_give_at_once(sem)) ? (att_status_t)ATT_OK : (att_sem_give)(sem))
#undef att_sem_take
#define att_sem_take(sem, timeout)                                                                           \
    (ATT_K_MOSTLY(att_k_take_at_once(sem)) ? (att_status_t)ATT_OK                                            \
     : ATT_K_FOREVER(timeout)              ? att_sem_take_forever(sem)                                       \
                                           : (att_sem_take)((sem), (timeout)))

#endif

#ifdef __cplusplus
}
#endif

#endif
