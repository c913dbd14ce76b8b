/*
 * Created threads, references and the registry. After each test all created objects are back in their store.
 */
#include "attacca/dynamic.h"
#include "tap.h"

#define STACK (ATT_STACK_MIN + TARGET_STACK)
#define THREADS 3

ATT_HEAP(heap, THREADS *(ATT_OBJECT_SIZE_THREAD(STACK) + 2 * ATT_HEAP_ALIGN + 16) + ATT_HEAP_SIZE_MIN);
ATT_OBJECT_POOL(blocks, ATT_OBJECT_SIZE_THREAD(STACK), 1);
static const att_store_t store = ATT_STORE_HEAP(&heap);
static const att_store_t pool_store = ATT_STORE_POOL(&blocks);

static size_t whole(void)
{
    return sizeof(heap_memory) - ATT_HEAP_SIZE_MIN;
}

/* All is back. */
static void check_empty(void)
{
    att_registry_reap();
    const att_heap_status_t status = att_heap_status(&heap);
    CHECK_EQ(status.fragments, 1);
    CHECK(status.free >= whole() && att_heap_sound(&heap));
    CHECK_EQ(att_pool_available(&blocks), 1);
    CHECK(att_registry_first(NULL) == NULL);
}

static void wait_a(void *arg)
{
    token((char)(uintptr_t)arg);
    (void)att_sem_take(&sem_a, ATT_FOREVER);
    token('.');
}

static att_thread_t *create(att_prio_t prio, const char *name, att_entry_t entry, void *arg)
{
    return att_thread_create(&store, STACK, prio, name, entry, arg);
}

TEST(creates, "a thread runs at its priority with its argument; joined and released, its memory is back")
{
    att_thread_t *thread = create(5, "one", run_token, ARG('A'));
    CHECK_TOKENS("A");
    CHECK(att_thread_ended(thread));
    CHECK(att_heap_status(&heap).free < whole()); /* a reference is left */
    CHECK_EQ(att_thread_join_release(thread, ATT_FOREVER), ATT_OK);
    check_empty();
    thread = create(3, NULL, run_token, ARG('B'));
    CHECK_TOKENS("");
    CHECK_EQ(att_thread_join_release(thread, ATT_FOREVER), ATT_OK);
    CHECK_TOKENS("B");
    check_empty();
}

TEST(limits, "joining with a limit keeps the reference when the time is up")
{
    att_thread_t *thread = create(5, "one", wait_a, ARG('A'));
    CHECK_EQ(att_thread_join_release(thread, ATT_NOWAIT), ATT_TIMEOUT);
    CHECK_EQ(att_thread_join_release(thread, ATT_MS(2)), ATT_TIMEOUT);
    CHECK(att_thread_find("one") == thread);
    att_thread_release(thread);
    (void)att_sem_give(&sem_a);
    CHECK_EQ(att_thread_join_release(thread, ATT_NOWAIT), ATT_OK);
    CHECK_TOKENS("A.");
    check_empty();
}

TEST(detaches, "released before its end, a thread's memory comes back after it: by the next creation")
{
    att_thread_release(create(5, "one", wait_a, ARG('A')));
    att_thread_t *found = att_thread_find("one");
    CHECK(found != NULL && !att_thread_ended(found));
    att_thread_release(found);
    const size_t free = att_heap_status(&heap).free;
    (void)att_sem_give(&sem_a);
    CHECK_EQ(att_heap_status(&heap).free, free); /* it did not free what it stood on */
    CHECK(att_thread_find("one") == NULL);       /* nor is it found any more */
    CHECK(att_thread_first() == NULL);
    found = create(5, "two", run_token, ARG('B'));
    CHECK_EQ(att_heap_status(&heap).free, free);
    att_thread_release(found);
    CHECK_TOKENS("A.B");
    check_empty();
}

static void detach_self(void *arg)
{
    (void)arg;
    att_thread_release(att_thread_self());
    token('D');
    att_exit();
}

TEST(detaches_itself, "a thread may release the reference that its creator left it")
{
    (void)create(5, "self", detach_self, NULL);
    CHECK_TOKENS("D");
    check_empty();
}

static void retain_self(void *arg)
{
    (void)arg;
    *(att_thread_t **)arg = att_thread_retain(att_thread_self());
}

TEST(retains, "each reference keeps it; a thread has one of itself as long as it lives")
{
    att_thread_t *left = NULL;
    att_thread_t *thread = create(3, "one", retain_self, &left);
    CHECK(att_thread_retain(thread) == thread);
    att_thread_release(thread);
    att_thread_release(thread);
    settle();
    CHECK(left == thread && att_thread_ended(thread));
    CHECK(att_thread_find("one") == thread);
    att_thread_release(thread);
    CHECK_EQ(att_thread_join_release(left, ATT_FOREVER), ATT_OK);
    check_empty();
}

TEST(no_room, "no room: NULL, whatever the size")
{
    att_thread_t *thread[THREADS];
    for (uint8_t k = 0; k < THREADS; k++) {
        thread[k] = create(3, "some", run_token, ARG('A' + k));
        CHECK(thread[k] != NULL);
    }
    CHECK(create(3, "more", run_token, ARG('X')) == NULL);
    CHECK(att_thread_find("more") == NULL);
    for (uint8_t k = 0; k < THREADS; k++) {
        (void)att_thread_join_release(thread[k], ATT_FOREVER);
    }
    CHECK_TOKENS("ABC");
    CHECK(att_thread_create(&store, SIZE_MAX, 3, "huge", run_token, NULL) == NULL);
    CHECK(att_thread_create(&store, SIZE_MAX / 2, 3, "large", run_token, NULL) == NULL);
    CHECK(att_object_alloc(&store, &att_kind_thread, SIZE_MAX) == NULL);
    CHECK(att_object_publish(NULL, "nothing") == NULL);
    check_empty();
}

TEST(from_a_pool, "a pool's blocks serve as well")
{
    for (uint8_t round = 0; round < 3; round++) {
        att_thread_t *thread = att_thread_create(&pool_store, STACK, 3, "block", run_token, ARG('P'));
        CHECK(att_thread_create(&pool_store, STACK, 3, "more", run_token, NULL) == NULL);
        CHECK_EQ(att_pool_available(&blocks), 0);
        (void)att_thread_join_release(thread, ATT_FOREVER);
        CHECK_EQ(att_pool_available(&blocks), 1);
    }
    CHECK_TOKENS("PPP");
#if ATT_CFG_CHECK == 0
    CHECK(att_thread_create(&pool_store, STACK + 100, 3, "large", run_token, NULL) == NULL);
#endif
    check_empty();
}

static uint8_t ended;
static void end(void *object)
{
    ended = *(uint8_t *)object;
}
static const att_kind_t kind = {end, NULL};

TEST(finds, "found by kind and name, the newest of several; a prefix, another kind, none are not found")
{
    uint8_t *first = att_object_alloc(&store, &kind, 1);
    uint8_t *second = att_object_alloc(&store, &kind, 1);
    *first = 1, *second = 2;
    CHECK(att_object_publish(first, "name") == first);
    CHECK(att_object_publish(second, "name") == second);
    att_thread_t *thread = create(3, "other", run_token, ARG('T'));
    att_thread_t *nameless = create(3, NULL, run_token, ARG('N'));
    CHECK(att_registry_find(&kind, "name") == second);
    CHECK(att_registry_find(NULL, "name") == second);
    CHECK(att_registry_find(NULL, "other") == (void *)thread);
    CHECK(att_registry_find(&kind, "other") == NULL && att_thread_find("name") == NULL);
    CHECK(att_thread_find("othe") == NULL && att_thread_find("others") == NULL &&
          att_thread_find("") == NULL);
    CHECK(att_object_kind(first) == &kind && att_object_kind(thread) == &att_kind_thread);
    CHECK(att_object_name(nameless) == NULL && att_thread_name(thread)[0] == 'o');
    att_thread_release(thread);
    att_object_release(second);
    att_object_release(second);
    CHECK_EQ(ended, 0);
    att_object_release(second);
    CHECK_EQ(ended, 2);
    CHECK(att_registry_find(&kind, "name") == first);
    att_object_release(first);
    att_object_release(first);
    CHECK_EQ(ended, 1);
    (void)att_thread_join_release(thread, ATT_FOREVER);
    (void)att_thread_join_release(nameless, ATT_FOREVER);
    CHECK_TOKENS("TN");
    check_empty();
}

TEST(walks, "a walk holds what it shows, newest first; what ends meanwhile does not break it")
{
    uint8_t *mark = att_object_publish(att_object_alloc(&store, &kind, 1), NULL);
    *mark = 7;
    att_thread_t *one = create(5, "one", wait_a, ARG('1'));
    att_thread_t *two = create(5, "two", wait_a, ARG('2'));
    CHECK(att_thread_first() == two);
    att_thread_release(two);
    (void)att_sem_give(&sem_a); /* one ends */
    (void)att_sem_give(&sem_a); /* two ends, which the walk holds */
    att_thread_release(one);
    CHECK(att_heap_status(&heap).fragments == 2); /* the place of one is free */
    CHECK(att_thread_ended(two));
    CHECK(att_thread_next(two) == NULL);
    CHECK_TOKENS("12..");
    CHECK(att_registry_first(NULL) == (void *)mark); /* the walk gave two back */
    CHECK(att_registry_next(NULL, mark) == NULL);
    att_object_release(mark);
    check_empty();
}

static void find_at_once(void *arg)
{
    (void)arg;
    att_thread_t *self = att_thread_find("urgent");
    CHECK(self == att_thread_self());
    token('F');
    att_thread_release(self);
}

TEST(starts_registered, "a more urgent thread that looks for itself at once waits until it is registered")
{
    att_thread_t *thread = create(6, "urgent", find_at_once, NULL);
    CHECK_TOKENS("F");
    (void)att_thread_join_release(thread, ATT_FOREVER);
    CHECK_EQ(att_thread_priority(att_thread_self()), TAP_PRIORITY);
    check_empty();
}

TAP_SUITE("test_dynamic.c",
          CASE(creates) CASE(limits) CASE(detaches) CASE(detaches_itself) CASE(retains) CASE(no_room)
              CASE(from_a_pool) CASE(finds) CASE(walks) CASE(starts_registered))
