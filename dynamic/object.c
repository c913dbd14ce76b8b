/*
 * Objects with references, and the registry: one list of all that were created, newest first, under a mutex,
 * so that walks keep no interrupt off.
 *
 * Invariants: an object with a reference is in the list, so a walk that holds a reference can go on from the
 * object. An object is removed from the list, and then given back, only while the mutex is held, it has no
 * reference, and its kind allows it. It cannot get a reference meanwhile: a caller of att_object_retain has
 * one already, or finds the object in the list (and needs the mutex), or is the thread itself, which has not
 * ended then.
 *
 * A thread cannot give back its own stack. If it ends without references, a later call of another thread
 * gives it back, when the ended thread does not run on its stack any more.
 *
 * Rejected: a reaper thread (a stack for it); a hook in att_exit (every program would pay); stores that wait
 * for memory: while the creator waits, no call may come that gives back the memory of ended threads.
 */
#include "dynamic.h"

static att_mutex_t mutex;
static att_object_t *objects;

static att_object_t *header_of(const void *object)
{
    ATT_EXPECT(object != NULL, ATT_FAULT_BAD_OBJECT);
    att_object_t *header = (att_object_t *)(uintptr_t)object - 1;
#if ATT_CFG_CHECK >= 1
    ATT_EXPECT(header->tag == ATT_TAG_OBJECT, ATT_FAULT_BAD_OBJECT);
#endif
    return header;
}

void att_dynamic_lock(void)
{
    (void)att_mutex_lock_forever(&mutex);
}

void att_dynamic_unlock(void)
{
    att_mutex_unlock(&mutex);
}

void att_dynamic_link(void *object, const char *name)
{
    att_object_t *header = header_of(object);
    header->name = name;
    header->next = objects;
    objects = header;
}

/* Whether it may go is asked first: a thread that has not ended may retain itself at any time. */
static bool is_gone(const att_object_t *header)
{
    const att_kind_t *kind = header->kind;
    return (kind->may_end == NULL || kind->may_end(header + 1)) && header->references == 0;
}

static void give_back(att_object_t *header)
{
    const att_store_t *store = header->store;
    if (header->kind->end != NULL) {
        header->kind->end(header + 1);
    }
#if ATT_CFG_CHECK >= 1
    header->tag = ATT_TAG_DELETED;
#endif
    store->free(store->from, header);
}

void att_registry_reap(void)
{
    att_object_t *gone = NULL;
    att_dynamic_lock();
    for (att_object_t **place = &objects; *place != NULL;) {
        att_object_t *header = *place;
        if (is_gone(header)) {
            *place = header->next;
            header->next = gone;
            gone = header;
        } else {
            place = &header->next;
        }
    }
    att_dynamic_unlock();
    while (gone != NULL) {
        att_object_t *header = gone;
        gone = header->next;
        give_back(header);
    }
}

void *att_object_alloc(const att_store_t *store, const att_kind_t *kind, size_t size)
{
    ATT_EXPECT(store != NULL && kind != NULL, ATT_FAULT_BAD_OBJECT);
    ATT_EXPECT(size != 0, ATT_FAULT_BAD_MEMORY);
    att_registry_reap();
    if (size > SIZE_MAX - sizeof(att_object_t)) {
        return NULL;
    }
    att_object_t *header = store->alloc(store->from, ATT_OBJECT_SIZE(size));
    if (header == NULL) {
        return NULL;
    }
    ATT_EXPECT((uintptr_t)header % ATT_HEAP_ALIGN == 0, ATT_FAULT_BAD_MEMORY);
    header->kind = kind;
    header->store = store;
    header->references = 1;
#if ATT_CFG_CHECK >= 1
    header->tag = ATT_TAG_OBJECT;
#endif
    return header + 1;
}

void *att_object_publish(void *object, const char *name)
{
    if (object != NULL) {
        att_dynamic_lock();
        att_dynamic_link(object, name);
        att_dynamic_unlock();
    }
    return object;
}

void *att_object_retain(void *object)
{
    att_object_t *header = header_of(object);
    att_key_t key = att_lock();
    ATT_EXPECT(header->references < ATT_PORT_COUNT_MAX, ATT_FAULT_BAD_COUNT);
    header->references++;
    att_unlock(key);
    return object;
}

void att_object_release(void *object)
{
    att_object_t *header = header_of(object);
    att_key_t key = att_lock();
    ATT_EXPECT(header->references != 0, ATT_FAULT_BAD_COUNT);
    const bool last = --header->references == 0;
    att_unlock(key);
    if (last) {
        att_registry_reap();
    }
}

const char *att_object_name(const void *object)
{
    return header_of(object)->name;
}

const att_kind_t *att_object_kind(const void *object)
{
    return header_of(object)->kind;
}

/* The first that is right, from there on. */
static void *take_first(att_object_t *header, const att_kind_t *kind, const char *name)
{
    for (; header != NULL; header = header->next) {
        const char *a = header->name, *b = name;
        if ((kind != NULL && header->kind != kind) || is_gone(header)) {
            continue;
        }
        while (b != NULL && a != NULL && *a == *b && *b != '\0') {
            a++, b++;
        }
        if (b == NULL || (a != NULL && *a == *b)) {
            return att_object_retain(header + 1);
        }
    }
    return NULL;
}

void *att_registry_find(const att_kind_t *kind, const char *name)
{
    ATT_EXPECT(name != NULL, ATT_FAULT_BAD_OBJECT);
    att_dynamic_lock();
    void *found = take_first(objects, kind, name);
    att_dynamic_unlock();
    return found;
}

void *att_registry_first(const att_kind_t *kind)
{
    att_dynamic_lock();
    void *first = take_first(objects, kind, NULL);
    att_dynamic_unlock();
    return first;
}

void *att_registry_next(const att_kind_t *kind, void *object)
{
    const att_object_t *header = header_of(object);
    att_dynamic_lock();
    void *next = take_first(header->next, kind, NULL);
    att_dynamic_unlock();
    att_object_release(object);
    return next;
}
