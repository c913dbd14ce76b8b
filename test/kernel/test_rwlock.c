/* Reader-writer locks: which threads may hold one together, which gets it next, and what a waiter that gives
 * up leaves behind. */
#include "irq.h"

static att_rwlock_t lock;

static void read_wait(void *arg)
{
    CHECK_EQ(att_rwlock_read(&lock, ATT_FOREVER), ATT_OK);
    token((char)(uintptr_t)arg);
    CHECK_EQ(att_sem_take(&sem_a, ATT_FOREVER), ATT_OK);
    att_rwlock_unlock(&lock);
}

static void read_token(void *arg)
{
    CHECK_EQ(att_rwlock_read(&lock, ATT_FOREVER), ATT_OK);
    token((char)(uintptr_t)arg);
    att_rwlock_unlock(&lock);
}

static void write_token(void *arg)
{
    CHECK_EQ(att_rwlock_write(&lock, ATT_FOREVER), ATT_OK);
    token((char)(uintptr_t)arg);
    att_rwlock_unlock(&lock);
}

TEST(readers_together, "any number of readers")
{
    start(5, read_wait, ARG('a'));
    start(5, read_wait, ARG('b'));
    CHECK_EQ(att_rwlock_read(&lock, ATT_NOWAIT), ATT_OK);
    CHECK_TOKENS("ab");
    CHECK_EQ(att_rwlock_write(&lock, ATT_NOWAIT), ATT_TIMEOUT);
    att_rwlock_unlock(&lock);
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    CHECK_EQ(att_rwlock_write(&lock, ATT_NOWAIT), ATT_TIMEOUT);
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    CHECK_EQ(att_rwlock_write(&lock, ATT_NOWAIT), ATT_OK);
    att_rwlock_unlock(&lock);
}

TEST(one_writer, "or one writer")
{
    CHECK_EQ(att_rwlock_write(&lock, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_rwlock_read(&lock, ATT_NOWAIT), ATT_TIMEOUT);
    CHECK_EQ(att_rwlock_write(&lock, ATT_NOWAIT), ATT_TIMEOUT);
    start(5, read_token, ARG('r'));
    start(5, write_token, ARG('w'));
    CHECK_TOKENS("");
    att_rwlock_unlock(&lock);
    CHECK_TOKENS("rw");
}

TEST(order, "readers and writers by priority, first come first served within one")
{
    CHECK_EQ(att_rwlock_write(&lock, ATT_FOREVER), ATT_OK);
    start(5, read_token, ARG('a'));
    start(5, write_token, ARG('W'));
    start(5, read_token, ARG('b'));
    start(6, read_token, ARG('c'));
    start(7, write_token, ARG('X'));
    att_rwlock_unlock(&lock);
    CHECK_TOKENS("XcaWb");
}

TEST(no_overtaking, "a reader does not overtake a writer that is at least as urgent")
{
    start(6, read_wait, ARG('a'));
    start(5, write_token, ARG('w'));
    start(5, read_token, ARG('b')); /* behind the writer */
    start(4, read_token, ARG('c'));
    start(7, read_token, ARG('d')); /* more urgent than it */
    CHECK_TOKENS("ad");
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    finish();
    CHECK_TOKENS("wbc");
}

static void write_in_time(void *arg)
{
    const bool until = arg != NULL;
    CHECK_EQ(until ? att_rwlock_write_until(&lock, att_now() + ATT_MS(1))
                   : att_rwlock_write(&lock, ATT_MS(1)),
             ATT_TIMEOUT);
    token('t');
}

TEST(gives_up, "readers behind a writer that gives up get the lock")
{
    for (uint8_t k = 0; k < 2; k++) {
        start(6, read_wait, ARG('a'));
        start(5, write_in_time, ARG(k));
        start(5, read_token, ARG('b'));
        CHECK_TOKENS("a");
        att_sleep(ATT_MS(2));
        CHECK_TOKENS("tb");
        CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
        finish();
    }
}

TEST(in_time, "with a limit and until a time, in time and too late")
{
    CHECK_EQ(att_rwlock_read_until(&lock, att_now()), ATT_OK);
    CHECK_EQ(att_rwlock_write_until(&lock, att_now()), ATT_TIMEOUT);
    CHECK_EQ(att_rwlock_write(&lock, 2), ATT_TIMEOUT);
    att_rwlock_unlock(&lock);
    CHECK_EQ(att_rwlock_write(&lock, 2), ATT_OK);
    CHECK_EQ(att_rwlock_read(&lock, 2), ATT_TIMEOUT);
    CHECK_EQ(att_rwlock_read_until(&lock, att_now() + 20), ATT_TIMEOUT);
    att_rwlock_unlock(&lock);
    CHECK_EQ(att_rwlock_read(&lock, 2), ATT_OK);
    att_rwlock_unlock(&lock);
    CHECK(lock.readers == 0 && lock.writer == NULL);
}

TEST(initialised, "a reader-writer lock initialised at run time")
{
    att_rwlock_t mine;
    att_rwlock_init(&mine);
    CHECK_EQ(att_rwlock_write(&mine, ATT_FOREVER), ATT_OK);
    att_rwlock_unlock(&mine);
}

static volatile uint8_t a, b;

static void reader(void *arg)
{
    for (uint8_t k = 0; k < 25; k++) {
        CHECK_EQ(att_rwlock_read(&lock, (k & 1) != 0 ? ATT_FOREVER : ATT_MS(50)), ATT_OK);
        CHECK_EQ(a, b);
        if ((k & 3) == (uint8_t)(uintptr_t)arg) {
            att_sleep(1);
        }
        CHECK_EQ(a, b);
        att_rwlock_unlock(&lock);
    }
}

static void writer(void *arg)
{
    for (uint8_t k = 0; k < 25; k++) {
        CHECK_EQ(att_rwlock_write(&lock, (k & 1) != 0 ? ATT_FOREVER : ATT_MS(50)), ATT_OK);
        a++;
        if ((k & 3) == (uint8_t)(uintptr_t)arg) {
            att_sleep(1);
        }
        b++;
        att_rwlock_unlock(&lock);
    }
}

TEST(together, "readers never see a writer's half-made change")
{
    start(3, writer, ARG(0));
    start(5, writer, ARG(1));
    start(3, reader, ARG(2));
    start(5, reader, ARG(3));
    start(6, reader, ARG(0));
    finish();
    CHECK_EQ(a, 50);
    CHECK_EQ(b, 50);
}

/* Comes at once when it is woken, between the unlock and whatever follows it. */
static void take_and_write(void *arg)
{
    CHECK_EQ(att_sem_take(&sem_b, ATT_FOREVER), ATT_OK);
    write_token(arg);
}

static void wake_it(void)
{
    (void)att_sem_give(&sem_b);
}

TEST(no_gap,
     "a writer that a handler wakes at any moment of an unlock does not overtake a more urgent waiter")
{
    irq_start();
    for (uint8_t step = 1; step < 40; step++) {
        CHECK_EQ(att_rwlock_write(&lock, ATT_FOREVER), ATT_OK);
        start(7, write_token, ARG('u'));
        start(5, take_and_write, ARG('w'));
        start(6, read_token, ARG('r'));
        irq_tick(IRQ_KNOWN, wake_it, (uint8_t)TARGET_TICKS(step));
        att_rwlock_unlock(&lock);
        irq_tick_cancel();
        wake_it(); /* if it has not come */
        finish();
        CHECK_TOKENS("urw");
        sem_b.count = 0;
    }
    irq_stop();
}

/* `which`: a reader (1) behind a writer (0), and another reader behind both (2). */
static void start_behind(void)
{
    CHECK_EQ(att_rwlock_read(&lock, ATT_FOREVER), ATT_OK);
    start(6, write_token, ARG('w'));
    start(5, read_token, ARG('a'));
    start(5, read_token, ARG('b'));
    CHECK_TOKENS("");
}

TEST(raised, "a reader whose priority takes it before the writer gets the lock at once, if others read")
{
    start_behind();
    att_thread_set_priority(started(1), 7);
    CHECK_TOKENS("a");
    CHECK(lock.wait.head != NULL);
    att_rwlock_unlock(&lock);
    CHECK_TOKENS("wb");
}

TEST(lowered, "when a writer is lowered behind readers, all of them get the lock at once")
{
    start_behind();
    att_thread_set_priority(started(0), 5);
    CHECK_TOKENS("ab");
    att_rwlock_unlock(&lock);
    CHECK_TOKENS("w");
    start_behind();
    const att_key_t key = att_lock();
    att_thread_set_priority(started(3), 3);
    CHECK_TOKENS("");
    CHECK_EQ(lock.readers, 3);
    att_unlock(key);
    CHECK_TOKENS("ab");
    att_rwlock_unlock(&lock);
    finish();
    CHECK_TOKENS("w");
}

static att_mutex_t mutex;

static void own_and_read(void *arg)
{
    CHECK_EQ(att_mutex_lock(&mutex, ATT_FOREVER), ATT_OK);
    read_token(arg);
    att_mutex_unlock(&mutex);
}

static void want(void *arg)
{
    CHECK_EQ(att_mutex_lock(&mutex, ATT_FOREVER), ATT_OK);
    token((char)(uintptr_t)arg);
    att_mutex_unlock(&mutex);
}

static att_rwlock_t others;

static void read_others(void *arg)
{
    (void)arg;
    CHECK_EQ(att_rwlock_read(&others, ATT_FOREVER), ATT_OK);
    att_rwlock_unlock(&others);
}

TEST(lent, "an inherited priority takes a reader before the writer, whatever other locks have waiters")
{
    CHECK_EQ(att_rwlock_read(&lock, ATT_FOREVER), ATT_OK);
    start(6, write_token, ARG('w'));
    start(5, own_and_read, ARG('a'));
    CHECK_EQ(att_rwlock_write(&others, ATT_FOREVER), ATT_OK);
    start(5, read_others, NULL);
    CHECK_EQ(att_rwlock_read(&others, ATT_NOWAIT), ATT_TIMEOUT); /* it is known to be wanted already */
    CHECK_TOKENS("");
    start(7, want, ARG('m'));
    CHECK_TOKENS("am");
    att_rwlock_unlock(&lock);
    CHECK_TOKENS("w");
    att_rwlock_unlock(&others);
    CHECK(lock.next == NULL && others.next == NULL);
}

TEST(both_wanted, "of two locks that are waited for either is forgotten first")
{
    for (uint8_t turn = 0; turn < 2; turn++) {
        CHECK_EQ(att_rwlock_write(&lock, ATT_FOREVER), ATT_OK);
        CHECK_EQ(att_rwlock_write(&others, ATT_FOREVER), ATT_OK);
        start(5, read_others, NULL);
        start(5, read_token, ARG('r'));
        att_rwlock_unlock(turn == 0 ? &lock : &others);
        CHECK((turn == 0 ? &lock : &others)->next == NULL);
        att_rwlock_unlock(turn == 0 ? &others : &lock);
        CHECK(lock.next == NULL && others.next == NULL);
        CHECK_TOKENS("r");
    }
}

TAP_SUITE("test_rwlock.c", CASE(readers_together) CASE(one_writer) CASE(order) CASE(no_overtaking)
                               CASE(gives_up) CASE(in_time) CASE(initialised) CASE(together) CASE(no_gap)
                                   CASE(raised) CASE(lowered) CASE(lent) CASE(both_wanted))
