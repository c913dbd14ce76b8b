/*
 * Each fault provoked, in a run of its own: on a board each ends in a restart, which the record survives; on
 * the simulated board each is a process. The hook of the run sees the record, and so does the next run.
 *
 *     CASE_OF(null_give, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: give, null", { (void)att_sem_give(NULL); })
 *     PROVOKE_SUITE(ENTRY(null_give))
 */
#ifndef PROVOKE_H
#define PROVOKE_H

#include "irq.h"

typedef struct {
    const char *title;
    void (*provoke)(void); /* in a thread of priority 4, or, if early, by main before att_start */
    att_fault_code_t code;
    bool early;
} fault_case_t;

typedef struct {
    const fault_case_t *cases;
    uint8_t count;
} fault_suite_t;
extern const fault_suite_t fault_suite;

#define CASE_OF(name, fault, text, body)                                                                     \
    static const char name##_title[] ATT_PORT_ROM = text;                                                    \
    enum { name##_code = (fault) };                                                                          \
    static void name(void) body
#define ENTRY(name) {name##_title, name, name##_code, false},
#define ENTRY_EARLY(name) {name##_title, name, name##_code, true},
/* A call that waits, where it must not: in a handler and under lock, after `before` has made that it has to.
 */
#define CASES_OF_WAIT(call, before)                                                                          \
    CASE_OF(call##_in_handler, ATT_FAULT_BLOCK_IN_HANDLER, "BLOCK_IN_HANDLER: " #call, {                     \
        before();                                                                                            \
        irq_raise(IRQ_KNOWN, call);                                                                          \
    })                                                                                                       \
    CASE_OF(call##_locked, ATT_FAULT_BLOCK_LOCKED, "BLOCK_LOCKED: " #call, {                                 \
        before();                                                                                            \
        (void)att_lock();                                                                                    \
        call();                                                                                              \
    })
#define ENTRIES_OF_WAIT(call) ENTRY(call##_in_handler) ENTRY(call##_locked)
static inline void provoke_as_it_is(void)
{
}

#define PROVOKE_SUITE(...)                                                                                   \
    static const fault_case_t fault_cases[] ATT_PORT_ROM = {__VA_ARGS__};                                    \
    const fault_suite_t fault_suite = {fault_cases, sizeof(fault_cases) / sizeof(fault_cases[0])};

#endif
