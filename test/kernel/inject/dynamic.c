/*
 * Objects that are created and deleted: semaphores, out of a pool for three. One is `shared`: each user first
 * checks that it still exists. Handlers may give it and retain it; for all other calls they wake more urgent
 * threads.
 */
#include "inject.h"

#include "attacca/dynamic_objects.h"

enum { OBJECTS = 3 };

ATT_OBJECT_POOL(pool, ATT_OBJECT_SIZE(sizeof(att_sem_t)), OBJECTS);
static const att_store_t store = ATT_STORE_POOL(&pool);
static att_sem_t *shared;
static att_sem_t *mine, *others;
static att_sem_t go[2] = {ATT_SEM_INIT(0, 1), ATT_SEM_INIT(0, 1)};

static uint8_t create(att_sem_t **place)
{
    att_sem_t *made = att_sem_create(&store, "new", 0, 3);
    if (made == NULL) {
        return ATT_TIMEOUT;
    }
    *place = made;
    return 5;
}

static uint8_t share(void)
{
    shared = att_sem_create(&store, "shared", 0, 3);
    return shared == NULL;
}

static uint8_t release(att_sem_t **place)
{
    const att_key_t key = att_lock();
    att_sem_t *object = *place;
    *place = NULL;
    att_unlock(key);
    event();
    if (object == NULL) {
        return ATT_TIMEOUT;
    }
    att_object_release(object);
    return 5;
}

STEP(create_mine, create(&mine))
STEP(release_mine, release(&mine))
STEP(release_shared, release(&shared))

static uint8_t share_twice(void)
{
    (void)share();
    mine = att_object_retain(shared);
    return 0;
}

static uint8_t all_three(void)
{
    (void)create_mine();
    (void)share();
    return create(&others);
}

static uint8_t two_of_three(void)
{
    (void)share();
    return create(&others);
}

/* With a unit of the semaphore that was found. */
static uint8_t find(void)
{
    att_sem_t *found = att_registry_find(&att_kind_sem, "shared");
    event();
    if (found == NULL) {
        return ATT_TIMEOUT;
    }
    const att_status_t status = att_sem_give(found);
    event();
    att_object_release(found);
    return (uint8_t)(5 + status);
}

static uint8_t walk(void)
{
    uint8_t seen = 0;
    for (void *object = att_registry_first(&att_kind_sem); object != NULL;
         object = att_registry_next(&att_kind_sem, object)) {
        event();
        seen++;
    }
    return seen;
}

static uint8_t reap(void)
{
    att_registry_reap();
    return 0;
}

/* Retained while it exists: a wait for a deleted semaphore ends with ATT_CANCELED. */
static uint8_t take_shared(void)
{
    return shared != NULL ? att_sem_take(shared, ATT_FOREVER) : ATT_EMPTY;
}

static uint8_t take_shared_long(void)
{
    return shared != NULL ? att_sem_take(shared, LONG) : ATT_EMPTY;
}

static void wait_for(uint8_t n)
{
    (void)att_sem_take(&go[n], ATT_FOREVER);
    event();
}

static uint8_t a_creates(void)
{
    wait_for(0);
    return create(&others);
}

static uint8_t a_releases(void)
{
    wait_for(0);
    return release(&others);
}

static uint8_t a_releases_shared(void)
{
    wait_for(0);
    return release_shared();
}

static uint8_t a_finds(void)
{
    wait_for(0);
    return find();
}

static uint8_t b_releases_shared(void)
{
    wait_for(1);
    return release_shared();
}

STEP(a_goes, att_sem_give(&go[0]))
STEP(b_goes, att_sem_give(&go[1]))

static uint8_t give_shared(void)
{
    const att_key_t key = att_lock();
    const uint8_t status = shared != NULL ? att_sem_give(shared) : ATT_EMPTY;
    att_unlock(key);
    return status;
}

/* A thread with one more reference releases it by release_mine. */
static uint8_t retain_shared(void)
{
    const att_key_t key = att_lock();
    const bool may = shared != NULL && mine == NULL;
    if (may) {
        mine = att_object_retain(shared);
    }
    att_unlock(key);
    return !may;
}

void inject_observe(void)
{
    put((char)('0' + att_pool_available(&pool)));
    put(shared != NULL ? (char)('0' + att_sem_count(shared)) : '-');
    put(mine != NULL ? 'm' : '-');
}

bool inject_sound(void)
{
    return shared == NULL || shared->wait.head == NULL || shared->count == 0;
}

static void let_one_go(att_sem_t *sem)
{
    if (sem != NULL && sem->wait.head != NULL) {
        (void)att_sem_give(sem);
    }
}

void inject_release(void)
{
    let_one_go(shared);
    let_one_go(mine);
    let_one_go(&go[0]);
    let_one_go(&go[1]);
}

enum { A_GOES = COMMON, B_GOES, GIVE, RETAIN };
const action_t inject_actions[] ATT_PORT_ROM = {
    COMMON_ACTIONS,        {"a-goes", a_goes},        {"b-goes", b_goes},
    {"give", give_shared}, {"retain", retain_shared}, {"", NULL}};

#define GENERAL (ON_CALLER | ON_A | BIT(A_GOES) | BIT(GIVE))
#define RETAINED (GENERAL | BIT(RETAIN))
#define WITH_B (GENERAL | BIT(B_GOES) | BIT(B_UP))

const situation_t inject_situations[] ATT_PORT_ROM = {
    {"create", share, {WAITS(6, a_creates)}, create_mine, reap, GENERAL | WAITING | HOT},
    {"create-last", two_of_three, {WAITS(6, a_releases)}, create_mine, reap, GENERAL | WAITING},
    {"create-full", all_three, {WAITS(6, a_releases)}, create_mine, reap, GENERAL | WAITING},
    {"create-less", share, {WAITS(2, a_creates)}, create_mine, reap, GENERAL | WAITING},
    {"release", share, {WAITS(6, a_creates)}, release_shared, reap, RETAINED | WAITING},
    {"release-waited", share, {WAITS(6, take_shared)}, release_shared, reap, RETAINED | WAITING | HOT},
    {"release-waited-two",
     share,
     {WAITS(6, take_shared), WAITS(2, take_shared)},
     release_shared,
     reap,
     WITH_B | WAITING},
    {"release-waited-long",
     share,
     {WAITS(6, take_shared_long)},
     release_shared,
     reap,
     GENERAL | WAITING | BIT(EXPIRE)},
    {"release-second", share_twice, {WAITS(6, a_releases_shared)}, release_mine, reap, GENERAL | WAITING},
    {"release-found", share, {WAITS(6, a_finds)}, release_shared, reap, RETAINED | WAITING},
    {"find", two_of_three, {WAITS(6, a_releases)}, find, reap, RETAINED | WAITING},
    {"find-released", share, {WAITS(6, a_releases_shared)}, find, reap, GENERAL | WAITING | HOT},
    {"find-waited",
     share,
     {WAITS(6, take_shared), WAITS(5, b_releases_shared)},
     find,
     reap,
     WITH_B | WAITING},
    {"walk", all_three, {WAITS(6, a_releases)}, walk, reap, GENERAL | WAITING},
    {"walk-released",
     all_three,
     {WAITS(6, a_releases), WAITS(5, b_releases_shared)},
     walk,
     reap,
     WITH_B | WAITING | HOT},
    {"walk-created", share, {WAITS(6, a_creates)}, walk, reap, GENERAL | WAITING},
    {"reap", all_three, {WAITS(6, a_releases)}, reap, NULL, GENERAL | WAITING},
    {"", NULL, {NO_ACTORS}, NULL, NULL, 0}};
