/*
 * Everything at once, under interrupts at random distances: units and resumes from handlers and threads on
 * both sides, timeouts, yields, changes of priority. At the end the counts must match, nothing lost, nothing
 * twice. A low thread keeps a pattern in every register that C code can hold, and each blocking call is made
 * with patterns in the registers that it must keep.
 *
 * On a board the instrument raises the interrupts (PCINT0 known, PCINT1 foreign, PCINT2 nested); the image
 * raises some itself, so that it tests something alone as well.
 */
#include "irq.h"

#define ROUNDS 400

static volatile uint16_t given, taken, refused, timeouts;
static volatile uint16_t resumed, woken;
static volatile bool stop;
static att_sem_t many = ATT_SEM_INIT(0, 200);

/* All threads and handlers count, nested handlers with interrupts enabled. */
static void count(volatile uint16_t *counter)
{
    const att_key_t key = att_lock();
    ++*counter;
    att_unlock(key);
}

/* What a handler of any kind does. */
static void from_handler(void)
{
    static volatile uint16_t turn;
    count(&turn);
    switch (turn & 3) {
    case 0:
    case 1:
        count(att_sem_give(&many) == ATT_OK ? &given : &refused);
        break;
    case 2:
        if (att_resume(&ref_a, turn) == ATT_OK) {
            count(&resumed);
        }
        break;
    default:
        att_yield();
    }
}

/* Blocking calls with patterns in call-saved registers: the compiler keeps these there, across the call. */
static bool keeps_registers(bool wait)
{
#if defined(__AVR__)
    register uint8_t r2 __asm__("r2") = 0x12;
    register uint8_t r7 __asm__("r7") = 0x17;
    register uint8_t r10 __asm__("r10") = 0x1A;
    register uint8_t r16 __asm__("r16") = 0x26;
    __asm__ __volatile__("" : "+r"(r2), "+r"(r7), "+r"(r10), "+r"(r16));
    const att_status_t status = wait ? att_suspend(&ref_a, ATT_FOREVER) : att_sem_take(&many, ATT_FOREVER);
    __asm__ __volatile__("" : "+r"(r2), "+r"(r7), "+r"(r10), "+r"(r16));
    return status == ATT_OK && r2 == 0x12 && r7 == 0x17 && r10 == 0x1A && r16 == 0x26;
#else
    volatile uint8_t pattern = 0x12;
    const att_status_t status = wait ? att_suspend(&ref_a, ATT_FOREVER) : att_sem_take(&many, ATT_FOREVER);
    return status == ATT_OK && pattern == 0x12;
#endif
}

static void taker(void *arg)
{
    (void)arg;
    while (!stop) {
        CHECK(keeps_registers(false));
        count(&taken);
    }
}

static void timed_taker(void *arg)
{
    (void)arg;
    while (!stop) {
        const att_status_t status = att_sem_take(&many, 40);
        count(status == ATT_OK ? &taken : &timeouts);
        CHECK(status == ATT_OK || status == ATT_TIMEOUT);
    }
}

static void suspended(void *arg)
{
    (void)arg;
    while (!stop) {
        CHECK(keeps_registers(true));
        count(&woken);
    }
}

/* Gives and takes back, with every other register of its own. */
static void spinner(void *arg)
{
    (void)arg;
    while (!stop) {
#if defined(__AVR__)
        uint8_t wrong;
        __asm__ __volatile__("ldi r18, 0x81\n ldi r19, 0x82\n ldi r20, 0x83\n ldi r21, 0x84\n"
                             "ldi r22, 0x85\n ldi r23, 0x86\n ldi r24, 0x87\n ldi r25, 0x88\n"
                             "ldi r26, 0x89\n ldi r27, 0x8A\n ldi r30, 0x8B\n ldi r31, 0x8C\n"
                             "mov r0, r31\n set\n sec\n"
                             "nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n"
                             "ldi r16, 1\n brtc 1f\n brcc 1f\n"
                             "cpi r18, 0x81\n brne 1f\n cpi r19, 0x82\n brne 1f\n"
                             "cpi r20, 0x83\n brne 1f\n cpi r21, 0x84\n brne 1f\n"
                             "cpi r22, 0x85\n brne 1f\n cpi r23, 0x86\n brne 1f\n"
                             "cpi r24, 0x87\n brne 1f\n cpi r25, 0x88\n brne 1f\n"
                             "cpi r26, 0x89\n brne 1f\n cpi r27, 0x8A\n brne 1f\n"
                             "cpi r30, 0x8B\n brne 1f\n cpi r31, 0x8C\n brne 1f\n"
                             "cp r0, r31\n brne 1f\n ldi r16, 0\n"
                             "1: mov %0, r16\n"
                             : "=r"(wrong)
                             :
                             : "r16", "r18", "r19", "r20", "r21", "r22", "r23", "r24", "r25", "r26", "r27",
                               "r30", "r31");
        CHECK_EQ(wrong, 0);
#elif defined(ATT_PORT_HOST)
        att_host_point();
#endif
        if (att_sem_give(&sem_b) == ATT_OK) {
            CHECK_EQ(att_sem_take(&sem_b, ATT_NOWAIT), ATT_OK);
        }
    }
}

TEST(storm, "nothing is lost and nothing comes twice, whatever interrupts do")
{
    irq_start();
    for (irq_kind_t kind = IRQ_KNOWN; kind < IRQ_KINDS; kind++) {
        irq_raise(kind, from_handler); /* and again whenever the instrument says */
    }
    start(6, taker, NULL);
    start(3, timed_taker, NULL);
    start(5, suspended, NULL);
    start(2, taker, NULL);
    start(1, spinner, NULL);
    for (uint16_t round = 0; round < ROUNDS; round++) {
        irq_raise((irq_kind_t)(round % IRQ_KINDS), from_handler);
        if (round % 8 == 0) {
            att_thread_set_priority(started(3), (att_prio_t)(2 + (round >> 3) % 4));
        }
        if (round % 16 == 0) {
            CHECK_EQ(att_k_check(), 0);
        }
        att_sleep((att_time_t)(10 + round % 50));
    }
    stop = true;
    const att_key_t key = att_lock();
    irq_stop();
    att_unlock(key);
    while (!att_thread_ended(started(0)) || !att_thread_ended(started(3))) {
        if (att_sem_give(&many) == ATT_OK) { /* let the takers see it */
            count(&given);
        }
        att_sleep(80);
    }
    while (!att_thread_ended(started(2))) {
        if (att_resume(&ref_a, 0) == ATT_OK) {
            count(&resumed);
        }
        att_sleep(80);
    }
    finish();
    const att_key_t still = att_lock(); /* the instrument's interrupts go on */
    CHECK_EQ(taken + att_sem_count(&many), given);
    CHECK_EQ(woken, resumed);
    att_unlock(still);
    CHECK(given > ROUNDS / 4 && woken > 10 && timeouts > 0);
}

TAP_SUITE("test_stress.c", CASE(storm))
