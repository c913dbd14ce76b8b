/*
 * What the kernel should do, in plain arrays: threads, the order of the ready ones, what each waits for,
 * since when and until when. No list, no chain, no deferred switch: the first thread is searched each time.
 *
 * A call has two bodies: make() calls the kernel, mean() does the same to the model. Each kind of object is a
 * table of such calls in its own file (sem.c is the pattern), listed in `kinds` in kinds.c. The driver
 * (drive.c) runs mean() in the section with interrupts masked in which the kernel does the work, which it
 * knows from points and kernel events, and compares everything afterwards.
 */
#ifndef MODEL_H
#define MODEL_H

#include "attacca/attacca.h"
#include "attacca/debug.h"
#include "attacca/port_api.h"

#include <string.h>

enum { THREADS = 5, NO_THREAD = 255, NO_QUEUE = 0 };
#define NEVER UINT64_MAX

typedef enum { ABSENT, READY, WAITING, ENDED } life_t;

typedef struct {
    life_t life;
    att_prio_t prio; /* now; and its own: */
    att_prio_t base;
    uint16_t life_number; /* how often it was started */
    int32_t order;        /* among the ready threads or the waiters of its priority: lower is first */
    uint16_t queue;       /* what it waits in, QUEUE(); NO_QUEUE: only for time */
    uint64_t deadline;    /* NEVER: without limit */
    att_status_t result;  /* of the wait that was ended */
    uintptr_t value;      /* and what it was handed */
} model_thread_t;

/* A place where threads wait. */
#define QUEUE(kind, index) ((uint16_t)((kind) << 8 | (index)))
enum {
    QUEUE_SEM = 1,
    QUEUE_REF,
    QUEUE_JOIN,
    QUEUE_LEAVING,
    QUEUE_MUTEX,
    QUEUE_COND,
    QUEUE_FLAGS,
    QUEUE_GROUP,
    QUEUE_MAILBOX,
    QUEUE_SENDERS,
    QUEUE_RECEIVERS,
    QUEUE_MESSAGE,
    QUEUE_RWLOCK,
    QUEUE_ITEMS,
    QUEUE_ROOM
};

typedef struct call call_t;

/* A call in progress: by a thread, by a handler or by a timer's callback. */
typedef struct op {
    const call_t *call;
    uint8_t thread; /* the caller; NO_THREAD: a handler */
    uint8_t slot;   /* a number that no other call in progress has */
    uint8_t object;
    uint8_t value;
    att_time_t timeout;   /* of a TIMED call, ATT_NOWAIT or ATT_FOREVER; any number otherwise */
    uint64_t deadline;    /* given if UNTIL; of a TIMED call known once it has read the clock */
    uint64_t base;        /* the clock, when it first read it */
    bool has_read;        /* and whether it has */
    uint16_t points;      /* passed in it */
    uint8_t phase;        /* steps of mean() so far */
    bool done;            /* mean() is complete */
    bool could;           /* at each point so far it could have succeeded without waiting */
    bool waits;           /* the kernel made its thread wait */
    bool changed;         /* its effect is visible */
    bool returned;        /* make() has returned */
    bool wakes;           /* a thread is being woken, */
    uint8_t woken;        /* and which */
    bool again;           /* mean() has changed the model before this call's first step */
    bool skipped;         /* make() found, under lock, that it must not be made */
    uint8_t chain;        /* for SETTLES: where it continues */
    uint8_t part;         /* of its work, if it has several */
    uint16_t life_number; /* for calls about threads */
    uint32_t got, want;   /* what it returned and what it should: a status, a count */
    uintptr_t got_value, want_value;
} op_t;

enum {
    WAITS = 1,      /* may wait: in an unlocked thread, elsewhere with ATT_NOWAIT */
    UNTIL = 2,      /* it takes a deadline; in an unlocked thread */
    THREAD = 4,     /* in an unlocked thread only */
    MANY = 8,       /* works in several sections with interrupts masked: a step of mean() for each */
    ENDS = 16,      /* never returns */
    STATUS = 32,    /* returns one */
    SETTLES = 128,  /* after its first section threads inherit priorities: a step each */
    NUMBER = 64,    /* returns one */
    ATTEMPTS = 512, /* ATT_EVENT_WAIT reports each attempt: its effect may be invisible */
    TRIES = 1024,   /* never waits; done in one of several sections, visibly, or fails */
    LATER = 2048,   /* after its first section it does more, visibly */
    LOCKS = 256     /* at its end it locks a mutex: cond_locks() is called when it begins to */
};

struct call {
    const char *name;
    uint16_t flags;
    uint8_t objects;       /* how many there are; 0: the call has none */
    uint8_t least, values; /* its value is one of so many from `least` up; 0: it takes none */
    void (*make)(op_t *op);
    void (*mean)(op_t *op);
    bool (*legal)(op_t *op); /* NULL: always */
    void (*over)(const op_t *op);
};

typedef struct {
    const char *name;
    const call_t *calls;
    uint8_t count;
    void *state; /* the model's part: copied to try something */
    size_t size;
    void (*reset)(const uint8_t *setup); /* the kernel's and the model's; `setup`: SETUP bytes of the input */
    bool (*same)(void);                  /* NULL, or: the kernel's visible state equals the model's */
    uint64_t (*deadline)(void);          /* NULL, or: its first one */
    bool (*alarm)(const void *alarm);    /* NULL, or: this one of the kernel's is raised; false: not mine */
} kind_t;
extern const kind_t *const kinds[]; /* NULL ends them */
extern const kind_t kind_thread, kind_sem, kind_ref, kind_timer, kind_mutex, kind_cond, kind_flags,
    kind_group, kind_mailbox, kind_message, kind_queue, kind_rwlock, kind_end;
extern const call_t *const thread_start_call, *const thread_exit_call, *const mutex_unlock_call,
                                                                           *const rwlock_unlock_call;
enum { SETUP_KINDS = 4, SETUP = 6 };

typedef struct {
    model_thread_t thread[THREADS];
    int32_t stamp, front;
    uint8_t woken[THREADS]; /* in the model, and not yet by the kernel; in order */
    uint8_t woken_count;
} model_t;
extern model_t model;

/* model.c */
void model_reset(void);
uint8_t model_top(void);         /* NO_THREAD: idle */
bool model_runs(uint8_t thread); /* may it be the top? Then it is */
uint8_t model_first(uint16_t queue);
uint8_t model_after(uint16_t queue, uint8_t thread); /* the next one in it */
bool model_waits(uint8_t thread, uint16_t queue);
void model_move(uint16_t from, uint16_t to); /* the waiters of one wait in the other */
/* A reset's steps: first the waiters are set apart, then each is released. */
void model_cancel(op_t *op, uint16_t queue);
void model_ready(uint8_t thread); /* behind its equals */
void model_wake(uint8_t thread, att_status_t result, uintptr_t value);
void model_woken_seen(void); /* the first of `woken` */
void model_set_priority(uint8_t thread, att_prio_t prio);
/* The call's thread waits, unless its time is up before it begins. */
void model_wait(op_t *op, uint16_t queue);
void model_finish(op_t *op, uint32_t want);
int32_t model_stamp(void); /* behind all orders so far */
int32_t model_front(void); /* before them */

/* drive.c */
bool fuzz_same(void); /* all that is visible equals the model */
bool drive_still_settles(void);
extern att_thread_t *const fuzz_thread[THREADS];
uint8_t fuzz_running(void);                   /* whose stack it is */
uint8_t fuzz_current(void);                   /* or, at a switch, the next thread */
uint8_t fuzz_index(const void *address);      /* in whose memory it lies */
void fuzz_start(uint8_t k, att_prio_t prio);  /* in memory that is free */
void fuzz_handle(const char *context);        /* what handlers and callbacks do */
void fuzz_due(bool armed, uint64_t deadline); /* an alarm is raised: it must be armed, due, and the first */
__attribute__((noreturn, format(printf, 1, 2))) void fuzz_fail(const char *format, ...);

/* mutex.c */
enum {
    MUTEXES = 3,
    ROBUST = 1,
    NO_MUTEX = 255,
    SERVES = 16 /* and a reader-writer lock: where inheritance continues */
};
extern att_mutex_t fuzz_mutex[MUTEXES];
uint8_t mutex_owner(uint8_t i);
uint8_t *mutex_depth(uint8_t i);
void mutex_mean_lock(op_t *op, uint8_t i);
void mutex_release(uint8_t i);         /* its owner hands it to the first waiter */
bool mutex_hand(uint8_t i, uint8_t k); /* k owns it, or waits for it (false) */
void mutex_settle_self(uint8_t k);     /* it gets the priority that it inherits */
uint8_t mutex_settle_one(uint8_t i);   /* i's owner does; NO_MUTEX, or where inheritance continues */
void mutex_dies(void);                 /* the end of its owner releases the robust one */
bool mutex_told(uint8_t k);            /* since the last call: k owns it, and its last owner died */
bool mutex_held(uint8_t thread);       /* does it hold any? */
att_prio_t mutex_lent(uint8_t thread); /* the highest priority that it inherits from its mutexes */
void mutex_settle(uint16_t queue);     /* the priority of a waiter in this queue has changed */

/* cond.c */
void cond_locks(op_t *op);

/* rwlock.c */
bool rwlock_held(uint8_t thread);  /* does it hold any, to read or to write? */
bool rwlock_may_serve(uint8_t i);  /* may the first waiter have it? */
bool rwlock_serve_one(uint8_t i);  /* the first waiter has it, if it may; true: so may the next */
void rwlock_serve(uint16_t queue); /* the priority of a waiter in this queue has changed */

/* flags.c: each way to wait for some flags is a number below WANTS */
enum { WANTS = 42 };
att_mask_t mask_wanted(uint8_t want);
uint8_t mask_how(uint8_t want);
att_mask_t mask_came(att_mask_t set, uint8_t want); /* 0: it has to wait */

/* timer.c */
extern uint8_t fuzz_callbacks; /* in progress */

/* clock.c */
extern uint64_t fuzz_now;
void fuzz_clock_reset(uint8_t pace);
void fuzz_clock_advance(uint32_t units); /* an alarm on the way is raised */
void fuzz_clock_jump(uint32_t units);    /* and here it is missed */

#endif
