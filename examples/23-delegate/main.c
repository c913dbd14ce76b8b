/*
 * A delegate: one thread makes the calls that two threads must not make at once, on behalf of the others. The
 * stock needs no mutex, since only the storekeeper's thread uses it. The most urgent customer's call is made
 * next, and each customer gets the function's result as from a call of its own.
 */
#include "say.h"

static att_delegate_t storekeeper;
static uint16_t stock = 100; /* used by the storekeeper alone */

static uintptr_t take(void *argument)
{
    const uint16_t wanted = *(const uint16_t *)argument;
    const uint16_t given = wanted < stock ? wanted : stock;
    att_sleep(ATT_MS(10)); /* as if it took long */
    stock = (uint16_t)(stock - given);
    return given;
}

static uintptr_t fill(void *argument)
{
    (void)argument;
    const uint16_t before = stock;
    stock = 100;
    return before;
}

static void keep(void *arg)
{
    (void)arg;
    for (;;) {
        att_delegate_serve(&storekeeper, ATT_FOREVER);
    }
}

static void buy(void *arg)
{
    const uint16_t wanted = (uint16_t)(uintptr_t)arg; /* on this stack: the caller waits */
    for (uintptr_t had;;) {
        att_delegate_call(&storekeeper, take, (void *)&wanted, &had, ATT_FOREVER);
        if (had < wanted) {
            att_delegate_call(&storekeeper, fill, NULL, &had, ATT_FOREVER);
            say("filled up at ");
        } else {
            say("took ");
        }
        say_number((uint32_t)had);
        say("\n");
        att_sleep(ATT_MS(30));
    }
}

ATT_THREAD(keeper, 1, ATT_STACK_MIN + 90, keep, NULL);
ATT_THREAD(seven, 2, ATT_STACK_MIN + 80, buy, (void *)7);
ATT_THREAD(twelve, 3, ATT_STACK_MIN + 80, buy, (void *)12);
ATT_SYSTEM(keeper, seven, twelve);

int main(void)
{
    att_board_console_start();
    att_start();
}
