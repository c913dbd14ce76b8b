/* Reader-writer locks: who may be in together, who comes in next, and what a waiter that gives up leaves
 * behind. */
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

TEST(gives_up, "readers behind a writer that gives up come in")
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

TEST(initialised, "one made at run time")
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

TEST(together, "readers never see what a writer is about")
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

TAP_SUITE("test_rwlock.c", CASE(readers_together) CASE(one_writer) CASE(order) CASE(no_overtaking)
                               CASE(gives_up) CASE(in_time) CASE(initialised) CASE(together))
