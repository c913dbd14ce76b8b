/*
 * Reader-writer locks. Handlers hold none: they change priorities, expire timeouts, and wake holders.
 */
#include "inject.h"

static att_rwlock_t lock;
static att_sem_t go; /* holders among the actors wait here */

static uint8_t use_for(att_status_t (*enter)(att_rwlock_t *, att_time_t), att_time_t timeout)
{
    const att_status_t status = enter(&lock, timeout);
    if (status == ATT_OK) {
        event();
        att_rwlock_unlock(&lock);
    }
    return status;
}

STEP(read_it, use_for(att_rwlock_read, ATT_FOREVER))
STEP(read_soon, use_for(att_rwlock_read, SOON))
STEP(read_long, use_for(att_rwlock_read, LONG))
STEP(read_nowait, use_for(att_rwlock_read, ATT_NOWAIT))
STEP(write_it, use_for(att_rwlock_write, ATT_FOREVER))
STEP(write_long, use_for(att_rwlock_write, LONG))
STEP(write_nowait, use_for(att_rwlock_write, ATT_NOWAIT))
STEP(read_until, use_for(att_rwlock_read_until, att_now() + LONG))
STEP(write_until, use_for(att_rwlock_write_until, att_now() + LONG))

static uint8_t read_constant(void)
{
    const att_status_t status = att_rwlock_read(&lock, ATT_FOREVER);
    event();
    att_rwlock_unlock(&lock);
    return status;
}

static uint8_t write_constant(void)
{
    const att_status_t status = att_rwlock_write(&lock, ATT_FOREVER);
    event();
    att_rwlock_unlock(&lock);
    return status;
}

static uint8_t wait_and_unlock(void)
{
    event();
    (void)att_sem_take(&go, ATT_FOREVER);
    event();
    att_rwlock_unlock(&lock);
    return 0;
}

static uint8_t hold_reading(void)
{
    (void)att_rwlock_read(&lock, ATT_FOREVER);
    return wait_and_unlock();
}

static uint8_t hold_writing(void)
{
    (void)att_rwlock_write(&lock, ATT_FOREVER);
    return wait_and_unlock();
}

static uint8_t let_go(void)
{
    return att_sem_give(&go);
}

static uint8_t go_and_read(void)
{
    (void)att_sem_take(&go, ATT_FOREVER);
    event();
    return read_it();
}

static uint8_t go_and_write(void)
{
    (void)att_sem_take(&go, ATT_FOREVER);
    event();
    return write_it();
}

/* Two actors begin to wait for the lock that the caller holds. */
static uint8_t call_and_unlock(void)
{
    event();
    (void)let_go();
    event();
    (void)let_go();
    event();
    att_rwlock_unlock(&lock);
    return 0;
}

static uint8_t unlock_writing(void)
{
    (void)att_rwlock_write(&lock, ATT_FOREVER);
    return call_and_unlock();
}

static uint8_t unlock_reading(void)
{
    (void)att_rwlock_read(&lock, ATT_FOREVER);
    return call_and_unlock();
}

void inject_observe(void)
{
    put(lock.writer != NULL ? 'w' : '-');
    put((char)('0' + lock.readers));
    put(lock.wait.head != NULL ? 'q' : '-');
    put((char)('0' + att_sem_count(&go)));
}

bool inject_sound(void)
{
    return lock.wait.head == NULL || lock.writer != NULL || lock.readers != 0;
}

void inject_release(void)
{
    if (go.wait.head != NULL) {
        (void)let_go();
    }
}

enum { LET_GO = COMMON };
const action_t inject_actions[] ATT_PORT_ROM = {COMMON_ACTIONS, {"let-go", let_go}, {"", NULL}};

#define GENERAL (ON_CALLER | WAITING)
#define WITH_A (GENERAL | ON_A | BIT(LET_GO))
#define WITH_B (WITH_A | BIT(B_UP))

const situation_t inject_situations[] ATT_PORT_ROM = {
    {"read", NULL, {NO_ACTORS}, read_constant, NULL, GENERAL},
    {"read-read", NULL, {WAITS(2, hold_reading)}, read_it, let_go, WITH_A},
    {"read-written", NULL, {WAITS(2, hold_writing)}, read_it, let_go, WITH_A | HOT},
    {"read-behind", NULL, {WAITS(2, hold_reading), WAITS(5, write_it)}, read_it, let_go, WITH_B},
    {"read-before", NULL, {WAITS(2, hold_reading), WAITS(3, write_it)}, read_it, let_go, WITH_B},
    {"read-soon", NULL, {WAITS(2, hold_writing)}, read_soon, pass_time, WITH_A},
    {"read-long", NULL, {WAITS(2, hold_writing)}, read_long, let_go, WITH_A | BIT(EXPIRE)},
    {"read-until", NULL, {WAITS(6, hold_writing)}, read_until, let_go, WITH_A | BIT(EXPIRE)},
    {"read-nowait", NULL, {WAITS(2, hold_writing)}, read_nowait, NULL, ON_CALLER | ON_A | BIT(LET_GO)},
    {"write", NULL, {NO_ACTORS}, write_constant, NULL, GENERAL},
    {"write-read", NULL, {WAITS(2, hold_reading)}, write_it, let_go, WITH_A | HOT},
    {"write-written", NULL, {WAITS(6, hold_writing)}, write_it, let_go, WITH_A},
    {"write-behind", NULL, {WAITS(2, hold_reading), WAITS(5, write_it)}, write_it, let_go, WITH_B},
    {"write-long", NULL, {WAITS(2, hold_reading)}, write_long, let_go, WITH_A | BIT(EXPIRE)},
    {"write-long-before",
     NULL,
     {WAITS(2, hold_reading), WAITS(3, read_it)},
     write_long,
     let_go,
     WITH_B | BIT(EXPIRE)},
    {"write-until", NULL, {WAITS(2, hold_reading)}, write_until, let_go, WITH_A | BIT(EXPIRE)},
    {"write-nowait", NULL, {WAITS(2, hold_reading)}, write_nowait, NULL, ON_CALLER | ON_A | BIT(LET_GO)},
    {"unlock-writer", NULL, {WAITS(6, go_and_write)}, unlock_writing, NULL, WITH_A},
    {"unlock-reader", NULL, {WAITS(6, go_and_write)}, unlock_reading, NULL, WITH_A},
    {"unlock-readers", NULL, {WAITS(6, go_and_read), WAITS(5, go_and_read)}, unlock_writing, NULL, WITH_B},
    {"unlock-both", NULL, {WAITS(6, go_and_read), WAITS(5, go_and_write)}, unlock_writing, NULL, WITH_B},
    {"unlock-gap",
     NULL,
     {WAITS(6, go_and_write), WAITS(6, go_and_read), WAITS(5, go_and_write)},
     unlock_writing,
     NULL,
     WAITING | BIT(LET_GO) | HOT},
    {"read-moved",
     NULL,
     {WAITS(2, hold_reading), WAITS(5, write_it)},
     read_it,
     let_go,
     GENERAL | BIT(B_UP) | HOT},
    {"unlock-less", NULL, {WAITS(3, go_and_read), WAITS(2, go_and_read)}, unlock_writing, NULL, WITH_B},
    {"", NULL, {NO_ACTORS}, NULL, NULL, 0}};
