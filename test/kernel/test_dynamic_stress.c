/*
 * Threads start and end, joined or detached, while others find them and walk the registry, all preempted by
 * interrupts at any point. A thread that holds a reference must be able to read the object, and at the end no
 * memory is missing from the heap.
 */
#include "attacca/dynamic.h"
#include "irq.h"

#if !defined(ATT_PORT_HOST)
#define ROUNDS 1000
#define LIVING 3
#define PAUSE 100
#else
#define ROUNDS 3000
#define LIVING 6
#define PAUSE 3
#endif
#define STACK (ATT_STACK_MIN + TARGET_STACK + 20)

ATT_HEAP(heap, LIVING *(ATT_OBJECT_SIZE_THREAD(STACK) + 2 * ATT_HEAP_ALIGN + 16) + ATT_HEAP_SIZE_MIN);
static const att_store_t store = ATT_STORE_HEAP(&heap);
static const char *const names[] = {"a", "b", "c"};

static volatile uint16_t created, ran, refused, seen, found;
static volatile bool stop;

static void count(volatile uint16_t *counter)
{
    const att_key_t key = att_lock();
    ++*counter;
    att_unlock(key);
}

static void live(void *arg)
{
    if ((uintptr_t)arg != 0) {
        att_sleep((att_time_t)(uintptr_t)arg);
    } else {
        att_yield();
    }
    count(&ran);
    if (((uintptr_t)arg & 1) != 0) {
        att_exit();
    }
}

static void give(void)
{
    (void)att_sem_give(&sem_a);
}

/* Wakes between any two instructions. */
static void preempt(void *arg)
{
    (void)arg;
    while (att_sem_take(&sem_a, ATT_FOREVER) == ATT_OK && !stop) {
        att_thread_t *thread = att_thread_find(names[seen % 3]);
        if (thread != NULL) {
            CHECK_EQ(att_thread_name(thread)[1], '\0');
            count(&found);
            att_thread_release(thread);
        }
    }
}

static void walk(void *arg)
{
    (void)arg;
    while (!stop) {
        for (att_thread_t *thread = att_thread_first(); thread != NULL; thread = att_thread_next(thread)) {
            const char name = att_thread_name(thread)[0];
            CHECK(name >= 'a' && name <= 'c');
            CHECK(att_thread_base_priority(thread) >= 1 && att_thread_base_priority(thread) <= 5);
            count(&seen);
        }
        att_sleep(PAUSE);
    }
}

TEST(comes_and_goes, "threads start and end while others find them and walk: no memory is lost, none is used "
                     "after its release")
{
    irq_start();
    start(6, preempt, NULL);
    start(3, walk, NULL);
    for (uint16_t round = 0; round < ROUNDS; round++) {
        const att_prio_t prio = (att_prio_t)(1 + round % 5);
        irq_tick(round % 2 == 0 ? IRQ_KNOWN : IRQ_FOREIGN, give, (uint8_t)TARGET_TICKS(1 + round % 97));
        att_thread_t *thread =
            att_thread_create(&store, STACK, prio, names[round % 3], live, ARG((round % 7) * (round % 3)));
        if (thread == NULL) {
            count(&refused);
            att_sleep(2 * PAUSE);
        } else if (round % 4 == 0) {
            count(&created);
            (void)att_thread_join_release(thread, ATT_FOREVER);
        } else {
            count(&created);
            att_thread_release(thread);
        }
    }
    irq_tick_cancel();
    att_sleep(ATT_MS(5));
    stop = true;
    give();
    finish();
    CHECK_EQ(ran, created);
    CHECK(created > ROUNDS / 8 && seen > 10 && found > 10);
    att_registry_reap();
    CHECK(att_registry_first(NULL) == NULL);
    const att_heap_status_t status = att_heap_status(&heap);
    CHECK_EQ(status.fragments, 1);
    CHECK(status.free >= sizeof(heap_memory) - ATT_HEAP_SIZE_MIN && att_heap_sound(&heap));
}

static att_thread_t *kept;

/* It has no reference; then it takes one to itself for another thread, and ends. */
static void keep_self(void *arg)
{
    (void)arg;
    CHECK_EQ(att_sem_take(&sem_b, ATT_FOREVER), ATT_OK);
    kept = att_thread_retain(att_thread_self());
}

static void give_b(void)
{
    (void)att_sem_give(&sem_b);
}

TEST(retains_itself,
     "a thread that retains itself and ends, while another checks whether it can be deleted, stays")
{
    for (uint8_t step = 1; step < 100; step++) {
        kept = NULL;
        att_thread_release(att_thread_create(&store, STACK, 6, "k", keep_self, NULL));
        irq_tick((step & 1) != 0 ? IRQ_KNOWN : IRQ_FOREIGN, give_b, (uint8_t)TARGET_TICKS(step));
        att_registry_reap();
        irq_tick_cancel();
        if (kept == NULL) {
            give_b();
        }
        att_thread_t *thread = att_thread_find("k");
        CHECK(thread != NULL && thread == kept);
        if (thread != NULL) {
            att_thread_release(thread);
            att_thread_release(thread);
        }
        CHECK(att_registry_first(NULL) == NULL);
        CHECK_EQ(att_heap_status(&heap).fragments, 1);
    }
}

TAP_SUITE("test_dynamic_stress.c", CASE(comes_and_goes) CASE(retains_itself))
