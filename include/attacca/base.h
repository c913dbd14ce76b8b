/*
 * Types that every other header needs: status codes, time, priorities, wait nodes and wait queues.
 *
 * What can happen in a correct program is returned as an att_status_t. A programming error is a fault:
 * att_fault() (fault.h) stops the program.
 */
#ifndef ATTACCA_BASE_H
#define ATTACCA_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "attacca/config.h"
#include "port.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One byte, so that it travels in one register of the smallest processor. */
typedef uint8_t att_status_t;
enum {
    ATT_OK = 0,        /* done */
    ATT_TIMEOUT = 1,   /* the time was up, or it would have had to wait and ATT_NOWAIT was given */
    ATT_CANCELED = 2,  /* the object was reset while the thread waited */
    ATT_FULL = 3,      /* the object holds all that it can */
    ATT_EMPTY = 4,     /* no thread waited, or there was nothing to take */
    ATT_OWNER_DIED = 5 /* the mutex is the caller's, and its last owner ended without unlocking it */
};

/* Time: a 32-bit count of units that wraps; differences up to half its range (2^31 - 1 units) are exact. */
typedef uint32_t att_time_t;
/* The same count, in 64 bits, since the start: never wraps. */
typedef uint64_t att_stamp_t;

#define ATT_NOWAIT ((att_time_t)0)
#define ATT_FOREVER ((att_time_t)0xFFFFFFFFu)
/* The longest timeout, and how far in the future an absolute time may be, in units. Alarms are ordered by the
 * differences of their times, which are exact up to half the range of the clock. Three quarters of that half
 * are for timeouts. The rest, 2^29 units, is how long an alarm may be overdue (interrupts masked for long,
 * the clock moved ahead) and still come before all others. */
#define ATT_TIMEOUT_MAX ((att_time_t)0x60000000u)

/*
 * A call whose timeout is the constant ATT_FOREVER goes to an entry of its own, so that a program which never
 * waits with a timeout does not link the clock. Each such call is a macro of its function's name; the
 * function itself takes every timeout.
 */
static inline bool att_k_is_forever(att_time_t timeout)
{
    return timeout == ATT_FOREVER; /* a function: in a macro, compilers warn if the argument's type is narrow */
}
#define ATT_K_FOREVER(timeout) (__builtin_constant_p(timeout) && att_k_is_forever(timeout))
/* The same for calls that handlers make with the constant ATT_NOWAIT, which needs no clock either. */
static inline bool att_k_is_nowait(att_time_t timeout)
{
    return timeout == ATT_NOWAIT;
}
#define ATT_K_NOWAIT(timeout) (__builtin_constant_p(timeout) && att_k_is_nowait(timeout))
#define ATT_K_BY_TIMEOUT(call, timeout, ...)                                                                 \
    (ATT_K_FOREVER(timeout)  ? call##_forever(__VA_ARGS__)                                                   \
     : ATT_K_NOWAIT(timeout) ? call##_nowait(__VA_ARGS__)                                                    \
                             : (call)(__VA_ARGS__, (timeout)))

/* A higher number is more urgent; 0 is idle. */
typedef uint8_t att_prio_t;
#define ATT_PRIORITY_MAX (ATT_CFG_PRIORITIES - 1)

/* A set of priorities: bit p stands for priority p. */
#if ATT_CFG_PRIORITIES <= 8
typedef uint8_t att_prioset_t;
#elif ATT_CFG_PRIORITIES <= 16
typedef uint16_t att_prioset_t;
#else
typedef uint32_t att_prioset_t;
#endif

typedef struct att_thread att_thread_t;

/*
 * A node of a wait queue. Every thread begins with one. A node elsewhere belongs to a thread that waits on
 * several objects (wait_set.h): its `sp` is that thread, and its `above` is all ones, which no thread has.
 */
typedef struct att_wait {
    void *sp;              /* a thread's saved stack pointer: NULL while it runs */
    struct att_wait *next; /* in its wait queue */
    struct att_wait *prev; /* in its wait queue (waitq.c) or ready list; not always maintained */
    att_prioset_t above;   /* the priorities more urgent than this one: smaller is more urgent */
} att_wait_t;

/* Waiting threads, the most urgent first, first come first served within one priority. All zero: empty. */
typedef struct {
    att_wait_t *head;
} att_waitq_t;

/* An alarm of the clock, a member of a timer or of a wait with a timeout. All zero: not armed. */
typedef struct att_alarm {
    att_time_t when;        /* first: what a walk looks at */
    struct att_alarm *next; /* a ring: that of the last is the first */
    struct att_alarm *prev; /* NULL while it is not armed */
    void (*raise)(struct att_alarm *alarm, att_time_t now); /* the alarm is still armed then */
} att_alarm_t;

/*
 * The value, if low <= value <= high; else the program does not compile. All three are integer constant
 * expressions, and so is the result: for static initialisers, in C and in C++. The limits take part as 64-bit
 * signed numbers, so a negative value and one beyond the type of the member are found too.
 */
#define ATT_K_RANGE(value, low, high)                                                                        \
    ((value) +                                                                                               \
     0 * (int)sizeof(                                                                                        \
             char[(long long)(value) >= (long long)(low) && (long long)(value) <= (long long)(high) ? 1      \
                                                                                                    : -1]))

/* The largest size of an object. */
#define ATT_K_SIZE_MAX PTRDIFF_MAX

/* Objects carry a tag at check level 1 and up: all zero, or the kind's own. */
#if ATT_CFG_CHECK >= 1
#define ATT_TAG_MEMBER uint8_t tag;
#define ATT_TAG_INIT(kind) , kind
#else
#define ATT_TAG_MEMBER
#define ATT_TAG_INIT(kind)
#endif
enum { ATT_TAG_SEM = 0x5E, ATT_TAG_MUTEX = 0x3B, ATT_TAG_COND = 0xC4, ATT_TAG_RWLOCK = 0x27 };
enum { ATT_TAG_INBOX = 0x1B, ATT_TAG_WORK = 0x6B };
enum { ATT_TAG_MAILBOX = 0x3A, ATT_TAG_STREAM = 0x57, ATT_TAG_QUEUE = 0x9E };
enum { ATT_TAG_POOL = 0xB1, ATT_TAG_HEAP = 0x4E, ATT_TAG_ARENA = 0xA7, ATT_TAG_CACHE = 0xCA };
enum { ATT_TAG_OBJECT = 0x0B, ATT_TAG_DELETED = 0xDE, ATT_TAG_RECORDER = 0x2E };
enum { ATT_TAG_FLAGS = 0xF1, ATT_TAG_GROUP = 0x96, ATT_TAG_EVENT_SOURCE = 0x50, ATT_TAG_LISTENER = 0x51 };

/*
 * A kernel and an application that were built with different layouts must not link. Each translation unit
 * that includes this header refers, from a section that is never loaded, to a symbol whose name contains the
 * options that change the structures. It costs no byte on the target.
 */
#if ATT_CFG_STATISTICS
#define ATT_LAYOUT_PASTE(p, c, s) att_layout_priorities_##p##_check_##c##_slice_##s##_statistics
#else
#define ATT_LAYOUT_PASTE(p, c, s) att_layout_priorities_##p##_check_##c##_slice_##s
#endif
#define ATT_LAYOUT_EXPAND(p, c, s) ATT_LAYOUT_PASTE(p, c, s)
#if ATT_CFG_SLICE > 0
#define ATT_LAYOUT ATT_LAYOUT_EXPAND(ATT_CFG_PRIORITIES, ATT_CFG_CHECK, 1)
#else
#define ATT_LAYOUT ATT_LAYOUT_EXPAND(ATT_CFG_PRIORITIES, ATT_CFG_CHECK, 0)
#endif
#define ATT_STRING_OF(x) #x
#define ATT_STRING(x) ATT_STRING_OF(x)
ATT_PORT_REQUIRE_SYMBOL(ATT_STRING(ATT_LAYOUT))

/*
 * Mask interrupts; nests, since the state before is returned and handed back. Between the two, no other
 * thread and no handler runs; calls that would block are a fault.
 * Context: any. Cost: the port's, see its README.
 */
typedef att_port_key_t att_key_t;
static inline att_key_t att_lock(void)
{
    return att_port_lock();
}

/*
 * Give back what att_lock() returned. The outermost one makes the switch that fell due in between.
 * Context: any. May switch. Cost: constant.
 */
void att_unlock(att_key_t key);

#ifdef __cplusplus
}
#endif

#endif
