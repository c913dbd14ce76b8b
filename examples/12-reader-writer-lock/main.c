/*
 * A reader-writer lock: any number of threads read a table at a time, or one changes it. The two readers take
 * 20 ms each and read together; the writer waits for both, and they for it: no reader sees half a change.
 */
#include "say.h"

static att_rwlock_t lock; /* all zero: free */
static uint16_t table[4]; /* all the same, but while it is changed */
static uint8_t readers;

static void read_it(void *arg)
{
    for (;;) {
        att_rwlock_read(&lock, ATT_FOREVER);
        readers++;
        const uint16_t first = table[0];
        att_sleep(ATT_MS(20)); /* as if it took long; the other reader gets the lock meanwhile */
        say((const char *)arg);
        say(table[3] == first ? " read " : " read something broken ");
        say_number(first);
        say(readers == 2 ? ", both at once\n" : "\n");
        att_sleep(ATT_MS(1));
        readers--;
        att_rwlock_unlock(&lock);
        att_sleep(ATT_MS(30));
    }
}

static void change(void *arg)
{
    (void)arg;
    for (uint16_t value = 1;; value++) {
        att_sleep(ATT_MS(90));
        att_rwlock_write(&lock, ATT_FOREVER);
        for (uint8_t i = 0; i < 4; i++) {
            table[i] = value;
            att_sleep(ATT_MS(2));
        }
        att_rwlock_unlock(&lock);
    }
}

static char left[] = "left", right[] = "right";
ATT_THREAD(left_reader, 2, ATT_STACK_MIN + 80, read_it, left);
ATT_THREAD(right_reader, 2, ATT_STACK_MIN + 80, read_it, right);
ATT_THREAD(writer, 1, ATT_STACK_MIN + 60, change, NULL);
ATT_SYSTEM(left_reader, right_reader, writer);

int main(void)
{
    att_board_console_start();
    att_start();
}
