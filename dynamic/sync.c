/*
 * Semaphores, locks and event flags, created at run time. Each is initialised before it is entered in the
 * registry, so an object that is found is ready for use; and it is removed before its end is called.
 */
#include "dynamic.h"

static void end_sem(void *object)
{
    att_sem_t *sem = object;
    att_sem_reset(sem, 0);
    ATT_DYNAMIC_DELETED(sem);
}

const att_kind_t att_kind_sem = {end_sem, NULL};

att_sem_t *att_sem_create(const att_store_t *store, const char *name, att_port_count_t count,
                          att_port_count_t limit)
{
    att_sem_t *sem = att_object_alloc(store, &att_kind_sem, sizeof(*sem));
    if (sem != NULL) {
        att_sem_init(sem, count, limit);
    }
    return att_object_publish(sem, name);
}

static void end_mutex(void *object)
{
    att_mutex_t *mutex = object;
    ATT_EXPECT(att_mutex_owner(mutex) == NULL, ATT_FAULT_DELETED_IN_USE);
    ATT_DYNAMIC_DELETED(mutex);
}

const att_kind_t att_kind_mutex = {end_mutex, NULL};

att_mutex_t *att_mutex_create(const att_store_t *store, const char *name, uint8_t kind)
{
    att_mutex_t *mutex = att_object_alloc(store, &att_kind_mutex, sizeof(*mutex));
    if (mutex != NULL) {
        att_mutex_init(mutex, kind);
    }
    return att_object_publish(mutex, name);
}

static void end_cond(void *object)
{
    att_cond_t *cond = object;
    ATT_EXPECT(cond->wait.head == NULL, ATT_FAULT_DELETED_IN_USE);
    ATT_DYNAMIC_DELETED(cond);
}

const att_kind_t att_kind_cond = {end_cond, NULL};

att_cond_t *att_cond_create(const att_store_t *store, const char *name)
{
    att_cond_t *cond = att_object_alloc(store, &att_kind_cond, sizeof(*cond));
    if (cond != NULL) {
        att_cond_init(cond);
    }
    return att_object_publish(cond, name);
}

static void end_rwlock(void *object)
{
    att_rwlock_t *rwlock = object;
    ATT_EXPECT(rwlock->writer == NULL && rwlock->readers == 0, ATT_FAULT_DELETED_IN_USE);
    ATT_DYNAMIC_DELETED(rwlock);
}

const att_kind_t att_kind_rwlock = {end_rwlock, NULL};

att_rwlock_t *att_rwlock_create(const att_store_t *store, const char *name)
{
    att_rwlock_t *rwlock = att_object_alloc(store, &att_kind_rwlock, sizeof(*rwlock));
    if (rwlock != NULL) {
        att_rwlock_init(rwlock);
    }
    return att_object_publish(rwlock, name);
}

static void end_flags(void *object)
{
    att_flags_t *flags = object;
    att_flags_reset(flags);
    ATT_DYNAMIC_DELETED(flags);
}

const att_kind_t att_kind_flags = {end_flags, NULL};

att_flags_t *att_flags_create(const att_store_t *store, const char *name, att_mask_t set)
{
    att_flags_t *flags = att_object_alloc(store, &att_kind_flags, sizeof(*flags));
    if (flags != NULL) {
        att_flags_init(flags, set);
    }
    return att_object_publish(flags, name);
}

static void end_group(void *object)
{
    att_group_t *group = object;
    att_group_reset(group);
    ATT_DYNAMIC_DELETED(group);
}

const att_kind_t att_kind_group = {end_group, NULL};

att_group_t *att_group_create(const att_store_t *store, const char *name, att_mask_t set)
{
    att_group_t *group = att_object_alloc(store, &att_kind_group, sizeof(*group));
    if (group != NULL) {
        att_group_init(group, set);
    }
    return att_object_publish(group, name);
}
