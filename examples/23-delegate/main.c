/*
 * A delegate: what must not be done by two threads at once is done by one, and the others have it called. The
 * stock needs no mutex, since only the storekeeper's thread touches it; the most urgent customer's call is
 * the next one to be made, and each gets the function's result as if he had called it himself.
 */
#include "say.h"

static att_delegate_t storekeeper;
static uint16_t stock = 100; /* the storekeeper's alone */

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
