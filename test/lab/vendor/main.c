/* Two threads, timeouts and a timer; its text and its end are semihosting's. */
#include "attacca/attacca.h"

static void host(uint32_t operation, const void *argument)
{
    register uint32_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ __volatile__("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
}

static att_sem_t sem;
static att_timer_t timer;
static volatile unsigned ticks;

static void tick(void *arg)
{
    (void)arg;
    ticks++;
}

static void give(void *arg)
{
    (void)arg;
    att_timer_init(&timer, tick, NULL);
    att_timer_start(&timer, ATT_MS(1), ATT_MS(1));
    for (;;) {
        att_sleep(ATT_MS(10));
        (void)att_sem_give(&sem);
    }
}

static void take(void *arg)
{
    (void)arg;
    const att_time_t begin = att_now();
    for (unsigned round = 0; round < 5; round++) {
        const att_status_t early = att_sem_take(&sem, ATT_MS(3));
        const att_status_t late = att_sem_take(&sem, ATT_MS(30));
        host(4, early == ATT_TIMEOUT && late == ATT_OK ? "as expected\n" : "wrong\n");
    }
    const bool right = att_now() - begin >= ATT_MS(49) && att_now() - begin < ATT_MS(52) && ticks >= 48;
    const uint32_t end[2] = {0x20026, right ? 0 : 1};
    host(0x20, end);
}

ATT_THREAD(giver, 1, ATT_STACK_MIN + 128, give, NULL);
ATT_THREAD(taker, 2, ATT_STACK_MIN + 128, take, NULL);
ATT_SYSTEM(giver, taker);

int main(void)
{
    att_start();
}
