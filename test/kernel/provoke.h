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
#define PROVOKE_SUITE(...)                                                                                   \
    static const fault_case_t fault_cases[] ATT_PORT_ROM = {__VA_ARGS__};                                    \
    const fault_suite_t fault_suite = {fault_cases, sizeof(fault_cases) / sizeof(fault_cases[0])};

#endif
