/*
 * Threads and objects that are created and deleted at run time, out of heaps or pools, and the registry in
 * which they are found by name. Optional: a program that calls none of this links none of it.
 *
 *     ATT_HEAP(heap, 800);
 *     static const att_store_t store = ATT_STORE_HEAP(&heap);
 *
 *     att_thread_t *worker = att_thread_create(&store, ATT_STACK_MIN + 80, 2, "worker", work, NULL);
 *     att_thread_join_release(worker, ATT_FOREVER);
 *
 * A created object has a header in front that counts references. Its creator gets the first reference; the
 * object is deleted when the last one is released. A thread is detached by releasing it while it runs. The
 * memory of a thread is given back when it has ended and has no references: at once by the release of the
 * last reference after its end; otherwise at the next creation, the next release of a last reference, or
 * att_registry_reap.
 *
 * attacca.h does not include it. dynamic_objects.h has the kernel's objects.
 */
#ifndef ATTACCA_DYNAMIC_H
#define ATTACCA_DYNAMIC_H

#include "attacca/base.h"
#include "attacca/fault.h"
#include "attacca/heap.h"
#include "attacca/pool.h"
#include "attacca/thread.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where memory comes from: a heap, a pool, or an allocator of the application's, called in threads. `alloc`
 * returns NULL if there is no room, else memory aligned to ATT_HEAP_ALIGN. The store must outlive what was
 * created with it. */
typedef struct {
    void *(*alloc)(void *from, size_t size);
    void (*free)(void *from, void *block);
    void *from;
} att_store_t;

/* Initialisers: the address of a heap, or of a pool whose blocks are large enough for everything that is
 * asked of it. */
#define ATT_STORE_HEAP(heap)                                                                                 \
    {                                                                                                        \
        att_store_heap_alloc, att_store_heap_free, (1 ? (heap) : (att_heap_t *)0)                            \
    }
#define ATT_STORE_POOL(pool)                                                                                 \
    {                                                                                                        \
        att_store_pool_alloc, att_store_pool_free, (1 ? (pool) : (att_pool_t *)0)                            \
    }

/* What those name. Context: an unlocked thread. May switch (heaps), no (pools). Returns the block, or NULL.
 * Faults and cost: as att_heap_alloc, att_pool_alloc and the like; BAD_MEMORY (a pool's blocks are smaller).
 */
void *att_store_heap_alloc(void *from, size_t size);
void att_store_heap_free(void *from, void *block);
void *att_store_pool_alloc(void *from, size_t size);
void att_store_pool_free(void *from, void *block);

/* What the objects of a kind have in common. */
typedef struct {
    void (*end)(void *object);           /* before the memory goes back; NULL: nothing to do */
    bool (*may_end)(const void *object); /* without references: may it go now? NULL: yes */
} att_kind_t;

/* The header; the object follows it. */
typedef struct att_object {
    struct att_object *next;
    const att_kind_t *kind;
    const att_store_t *store;
    const char *name;
    att_port_count_t references;
    ATT_TAG_MEMBER
} __attribute__((aligned(ATT_HEAP_ALIGN))) att_object_t;

/* The bytes that an object of a size, and a thread with a stack, take in a store. */
#define ATT_OBJECT_SIZE(bytes) (sizeof(att_object_t) + (bytes))
#define ATT_OBJECT_SIZE_THREAD(stackbytes)                                                                   \
    ATT_OBJECT_SIZE(sizeof(att_thread_t) + ATT_STACK_COUNT(stackbytes) * sizeof(att_port_stack_t))

/* Define a pool for `count` of these: ATT_OBJECT_POOL(threads, ATT_OBJECT_SIZE_THREAD(ATT_STACK_MIN + 80),
 * 3).
 */
#define ATT_OBJECT_POOL(name, size, count)                                                                   \
    typedef union {                                                                                          \
        att_object_t header;                                                                                 \
        uint8_t bytes[size];                                                                                 \
    } name##_block_t;                                                                                        \
    ATT_POOL(name, name##_block_t, count)

/*
 * Create a thread and start it. `stack` is in bytes, ATT_STACK_MIN and the thread's own need together; `name`
 * is kept as a pointer and must outlive the thread; NULL: none. Several may have the same.
 * Context: an unlocked thread. May switch. Returns the thread, and with it a reference; NULL if there is no
 * room. Faults: BAD_OBJECT (no store, no entry), BAD_PRIORITY, BAD_STACK, those of the store. Cost: as
 * att_thread_start, and as att_registry_reap.
 */
att_thread_t *att_thread_create(const att_store_t *store, size_t stack, att_prio_t prio, const char *name,
                                att_entry_t entry, void *arg);

/*
 * Wait until a created thread has ended, then release it. Context: an unlocked thread; with ATT_NOWAIT too.
 * May switch. Returns ATT_OK, or ATT_TIMEOUT (the reference is kept). Faults: as att_join and
 * att_object_release. Cost: as those.
 */
att_status_t att_thread_join_release(att_thread_t *thread, att_time_t timeout);
att_status_t att_thread_join_release_forever(att_thread_t *thread);
#define att_thread_join_release(thread, timeout)                                                             \
    (ATT_K_FOREVER(timeout) ? att_thread_join_release_forever(thread)                                        \
                            : (att_thread_join_release)((thread), (timeout)))

/*
 * Objects of a kind of your own: take memory for `size` bytes, whose content is arbitrary; initialise it;
 * then publish it under a name (kept as a pointer; NULL: none); release it only after that. Kinds that exist:
 * dynamic_objects.h.
 * Context: an unlocked thread. May switch. att_object_alloc returns NULL if there is no room, else the object
 * with one reference; att_object_publish returns the object, and NULL for NULL. Faults: BAD_OBJECT (NULL),
 * BAD_MEMORY (a size of 0; a store's block is misaligned), those of the store. Cost: the store's, and as
 * att_registry_reap; publishing: constant.
 */
void *att_object_alloc(const att_store_t *store, const att_kind_t *kind, size_t size);
void *att_object_publish(void *object, const char *name);

/* One more reference. The caller has one, or is the thread itself. Context: any. Switches: no. Returns the
 * object. Faults: BAD_OBJECT (not created here, or deleted), BAD_COUNT (more than ATT_PORT_COUNT_MAX). Cost:
 * constant. */
void *att_object_retain(void *object);

/*
 * Release a reference. With the last one the object is deleted, a thread not before it has ended. Threads
 * that still wait on the object are woken with ATT_CANCELED, if its kind can do that. Context: an unlocked
 * thread. May switch. Faults: BAD_OBJECT, BAD_COUNT (there was none), DELETED_IN_USE (its kind cannot). Cost:
 * constant; the last one's as att_registry_reap.
 */
void att_object_release(void *object);

/* Its name and kind, as long as the caller has a reference. Context: any. Faults: BAD_OBJECT. Cost: constant.
 */
const char *att_object_name(const void *object);
const att_kind_t *att_object_kind(const void *object);

/*
 * Look for an object by kind (NULL: any) and name; of several the newest. Context: an unlocked thread. May
 * switch. Returns it with one more reference, NULL: none. Faults: BAD_OBJECT (no name). Cost: a + b·n for n
 * objects, interrupts enabled.
 */
void *att_registry_find(const att_kind_t *kind, const char *name);

/*
 * Go through the objects of a kind (NULL: of all), the newest first: `first` returns one with a reference,
 * `next` releases that and returns another; NULL ends the iteration. A caller that stops earlier releases the
 * object that it has. An object that exists from the beginning to the end of the iteration is returned once,
 * whatever is created and deleted meanwhile. Context, switches, faults: as att_object_release. Cost: a + b·n
 * for n objects of other kinds in between, interrupts enabled.
 *
 *     for (att_thread_t *t = att_thread_first(); t != NULL; t = att_thread_next(t)) { … }
 */
void *att_registry_first(const att_kind_t *kind);
void *att_registry_next(const att_kind_t *kind, void *object);

/* Give back the memory of threads that have ended and have no references. Context: an unlocked thread. May
 * switch. Cost: a + b·n for n objects, and giving the memory back; interrupts enabled. */
void att_registry_reap(void);

/* The same for threads. att_thread_release before its end detaches a thread. */
extern const att_kind_t att_kind_thread;
static inline att_thread_t *att_thread_retain(att_thread_t *thread)
{
    return (att_thread_t *)att_object_retain(thread);
}
static inline void att_thread_release(att_thread_t *thread)
{
    att_object_release(thread);
}
static inline const char *att_thread_name(const att_thread_t *thread)
{
    return att_object_name(thread);
}
static inline att_thread_t *att_thread_find(const char *name)
{
    return (att_thread_t *)att_registry_find(&att_kind_thread, name);
}
static inline att_thread_t *att_thread_first(void)
{
    return (att_thread_t *)att_registry_first(&att_kind_thread);
}
static inline att_thread_t *att_thread_next(att_thread_t *thread)
{
    return (att_thread_t *)att_registry_next(&att_kind_thread, thread);
}

#ifdef __cplusplus
}
#endif

#endif
