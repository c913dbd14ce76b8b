/*
 * Optional: what giving and taking a semaphore costs when nobody has to be woken and nobody has to wait,
 * compiled into the caller. The two calls keep their names and their meaning. Each place costs some 30 bytes
 * of flash on the AVR. Published figures are of the real calls unless they say "inlined".
 */
#ifndef ATTACCA_INLINE_H
#define ATTACCA_INLINE_H

#include "attacca/attacca.h"

#ifdef __cplusplus
extern "C" {
#endif

/* With checks, or when events are traced, every call goes through the kernel. */
#if ATT_CFG_CHECK == 0 && !defined(ATT_TRACE_DEFINED)

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

#define att_sem_give(sem) (att_k_give_at_once(sem) ? (att_status_t)ATT_OK : (att_sem_give)(sem))
#undef att_sem_take
#define att_sem_take(sem, timeout)                                                                           \
    (att_k_take_at_once(sem)  ? (att_status_t)ATT_OK                                                         \
     : ATT_K_FOREVER(timeout) ? att_sem_take_forever(sem)                                                    \
                              : (att_sem_take)((sem), (timeout)))

#endif

#ifdef __cplusplus
}
#endif

#endif
