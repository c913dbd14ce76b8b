/*
 * A condition variable: wait until a condition holds for data that a mutex protects. Customers draw money
 * from an account and wait until it holds enough for them. A payment wakes all of them, since the sum decides
 * which can continue. The wait unlocks the mutex and locks it again, so that the test and the withdrawal are
 * one critical section.
 */
#include "say.h"

static att_mutex_t account;
static att_cond_t paid_in;
static uint16_t balance; /* only under the mutex */

static void draw(void *arg)
{
    const uint16_t sum = (uint16_t)(uintptr_t)arg;
    for (;;) {
        att_mutex_lock(&account, ATT_FOREVER);
        while (balance < sum) { /* a loop: another may have drawn it meanwhile */
            att_cond_wait(&paid_in, &account, ATT_FOREVER);
        }
        balance = (uint16_t)(balance - sum);
        say("drew ");
        say_number(sum);
        say(", left ");
        say_number(balance);
        say("\n");
        att_mutex_unlock(&account);
        att_sleep(ATT_MS(120));
    }
}

static void pay_in(void *arg)
{
    (void)arg;
    for (;;) {
        att_sleep(ATT_MS(25));
        att_mutex_lock(&account, ATT_FOREVER);
        balance = (uint16_t)(balance + 40);
        att_cond_broadcast(&paid_in); /* att_cond_signal wakes one */
        att_mutex_unlock(&account);
    }
}

/* The more urgent one is served first; the other gets the rest. */
ATT_THREAD(payer, 1, ATT_STACK_MIN + 80, pay_in, NULL);
ATT_THREAD(thirty, 2, ATT_STACK_MIN + 80, draw, (void *)30);
ATT_THREAD(hundred, 3, ATT_STACK_MIN + 80, draw, (void *)100);
ATT_SYSTEM(payer, thirty, hundred);

int main(void)
{
    att_board_console_start();
    att_start();
}
