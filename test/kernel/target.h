/*
 * What differs between the machines that run the suite, and no kernel header names: how a run ends, how much
 * stack compiled tests need, and how late a woken thread may look at the clock.
 */
#ifndef TARGET_H
#define TARGET_H

#include "attacca/attacca.h"
#include "attacca/debug.h"

/* The caller has used floating point, where there is a unit whose registers are kept. */
static inline void target_use_float(void)
{
#ifdef __ARM_FP
    __asm__ __volatile__("vmov s0, r0" ::: "s0");
#endif
}

static inline bool target_alarm_armed(void)
{
    return att_alarm_count() != 0;
}

#if defined(__AVR__)
#include <avr/io.h>

/* The test's own need on top of ATT_STACK_MIN. */
#ifndef TARGET_STACK
#define TARGET_STACK (ATT_CFG_CHECK >= 1 ? 94 : 66)
#endif
#define TARGET_CONTROLLER_STACK 186
#define TARGET_PAD 8 /* some of it */
#define TARGET_DEPTH_OWN (2 * ATT_PORT_PC_BYTES + 8)
#define TARGET_DEPTH_MS 500
#define TARGET_DEPTH_PERIOD 151 /* units, of a timer */
#define TARGET_OVERFLOW 20
#define TARGET_TICKS(step) ((ATT_CFG_CHECK >= 1 ? 4 : 2) * (step)) /* of irq_tick */
/* Units between an alarm's time and the instruction that reads the clock afterwards, at most. */
#define TARGET_LATENCY (ATT_CFG_CHECK >= 2 ? 80 : 24)
#define TARGET_CROWD (RAMEND > 0x8FF ? 64 : 16) /* of timers */
#define TARGET_ROUNDS 400

/* The debug register: with its top bit set, the end and its status. */
ATT_PORT_NORETURN static inline void target_end(uint8_t status)
{
    cli();
    _SFR_IO8(0x31) = (uint8_t)(0x80 | status);
    for (;;) {
    }
}

/* Below 0x80, a mark for the instrument. */
static inline void target_mark(uint8_t mark)
{
    _SFR_IO8(0x31) = mark;
}

static inline void target_clock_set(uint64_t units)
{
    att_board_clock_set(units);
}

/* Runs that each end in a fault: here by restarts, which go through main again. */
ATT_PORT_NORETURN static inline void target_run_over(void (*judge)(void))
{
    (void)judge;                  /* by the next run */
    GPIOR0 = GPIOR1 = GPIOR2 = 0; /* as after a reset */
    TIMSK1 = TIMSK2 = SPMCSR = PCICR = SREG = 0;
    __asm__ __volatile__("jmp 0");
    __builtin_unreachable();
}

static inline void target_before_run(void (*judge)(void))
{
    judge();
}

static inline void target_runs(const uint8_t *number, const uint8_t *failed, uint8_t count, void (*run)(void))
{
    (void)failed;
    if (*number < count) {
        run();
    }
}

/* The clock moves ahead, as after a deep sleep. */
static inline void target_clock_jump(att_time_t units)
{
    const att_key_t key = att_lock();
    att_board_clock_set(att_stamp() + units);
    att_unlock(key);
}

#elif defined(ATT_PORT_CORTEX_M) || defined(ATT_BOARD_SPARE_TICK_HZ)
#define TARGET_STACK 256
#define TARGET_CONTROLLER_STACK 512
#define TARGET_PAD 64
#define TARGET_DEPTH_OWN 32
#define TARGET_DEPTH_MS 30
#define TARGET_DEPTH_PERIOD 3001 /* units, of a timer */
#define TARGET_OVERFLOW 128
#define TARGET_TICKS(step) (2 * (step))
#ifdef ATT_PORT_ARM7TDMI /* a unit may be 64 cycles */
#define TARGET_LATENCY (ATT_CFG_CHECK >= 2 ? 80 : 32)
#else
#define TARGET_LATENCY (ATT_CFG_CHECK >= 2 ? 80 : 24)
#endif
#define TARGET_CROWD 64 /* of timers */
#define TARGET_ROUNDS 400

ATT_PORT_NORETURN static inline void target_end(uint8_t status)
{
    att_board_exit(status);
}

static inline void target_mark(uint8_t mark)
{
    (void)mark;
}

static inline void target_clock_set(uint64_t units)
{
    att_board_clock_set(units);
}

/* Runs that each end in a fault: here by resets, which leave memory as it is where no start-up code writes.
 */
ATT_PORT_NORETURN static inline void target_run_over(void (*judge)(void))
{
    (void)judge; /* by the next run */
#ifdef ATT_BOARD_SPARE_TICK_HZ
    att_board_restart();
#else
    __asm__ __volatile__("dsb" ::: "memory");        /* what the next run is to find is in memory */
    *(volatile uint32_t *)0xE000ED0Cu = 0x05FA0004u; /* AIRCR: SYSRESETREQ */
    for (;;) {
    }
#endif
}

static inline void target_before_run(void (*judge)(void))
{
    judge();
}

static inline void target_runs(const uint8_t *number, const uint8_t *failed, uint8_t count, void (*run)(void))
{
    (void)failed;
    if (*number < count) {
        run();
    }
}

static inline void target_clock_jump(att_time_t units)
{
    const att_key_t key = att_lock();
    att_board_clock_set(att_stamp() + units);
    att_unlock(key);
}

#else
#include "host.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#define TARGET_STACK 16384
#define TARGET_CONTROLLER_STACK 16384
#define TARGET_PAD 2048
#define TARGET_OVERFLOW 65536
#define TARGET_TICKS(step) (1 + (step) % 25)
#define TARGET_LATENCY 24
#define TARGET_CROWD 64 /* of timers */
#define TARGET_ROUNDS 4000

ATT_PORT_NORETURN static inline void target_end(uint8_t status)
{
    att_host_exit(status);
}

static inline void target_mark(uint8_t mark)
{
    (void)mark;
}

static inline void target_clock_set(uint64_t units)
{
    att_host_clock_set(units);
}

/* Runs that each end in a fault: here each in a process of its own. */
ATT_PORT_NORETURN static inline void target_run_over(void (*judge)(void))
{
    judge();
    att_host_exit(0);
}

static inline void target_before_run(void (*judge)(void))
{
    (void)judge;
}

static inline void target_runs(uint8_t *number, uint8_t *failed, uint8_t count, void (*run)(void))
{
    for (; *number < count; ++*number) {
        (void)fflush(stdout);
        const pid_t child = fork();
        if (child == 0) {
            run();
        }
        int status = 0;
        (void)waitpid(child, &status, 0);
        *failed = (uint8_t)(*failed + (status != 0));
    }
}

static inline void target_clock_jump(att_time_t units)
{
    att_host_clock_jump(units);
}
#endif

#endif
