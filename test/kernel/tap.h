/*
 * The suite's harness. A test is a function that the controller, a thread of priority TAP_PRIORITY, calls;
 * the threads that it starts live in memory shared by all tests, and must have ended when it returns or soon
 * after. Between two tests the harness checks that no thread, waiter or alarm is left, that priorities are
 * unchanged, and that the kernel's invariants hold.
 *
 * Tokens prove the order: each thread or handler that runs appends a character, and the test compares the
 * string. All text is in ROM. Output is TAP; the run's status is the number of failed tests.
 *
 *     TEST(gives_to_the_first, "a unit goes to the first waiter")
 *     {
 *         ...
 *         CHECK_TOKENS("ABC");
 *     }
 *     TAP_SUITE("test_sem.c", CASE(gives_to_the_first))
 */
#ifndef TAP_H
#define TAP_H

#include "attacca/attacca.h"
#include "attacca/debug.h"
#include "target.h"

#ifndef TAP_PRIORITY
#define TAP_PRIORITY 4
#endif
#ifndef TAP_THREADS
#define TAP_THREADS 6
#endif
#ifndef TAP_STACK_MORE
#define TAP_STACK_MORE 0 /* bytes that an image's threads need beyond TARGET_STACK */
#endif
#define TAP_TOKENS 40

typedef struct {
    const char *title;
    void (*run)(void);
} tap_case_t;

typedef struct {
    const char *file;
    const tap_case_t *cases;
} tap_suite_t;

/* Supplied by TAP_SUITE, read by the harness. */
extern const tap_suite_t tap_suite;

#define TEST(name, text)                                                                                     \
    static const char name##_title[] ATT_PORT_ROM = text;                                                    \
    static void name(void)
#define CASE(name) {name##_title, name},
#define TAP_SUITE(source, ...)                                                                               \
    static const char tap_file[] ATT_PORT_ROM = source;                                                      \
    static const tap_case_t tap_cases[] ATT_PORT_ROM = {__VA_ARGS__{NULL, NULL}};                            \
    const tap_suite_t tap_suite = {tap_file, tap_cases};

/* Text in ROM, in the middle of an expression. */
#define TEXT(text)                                                                                           \
    __extension__({                                                                                          \
        static const char in_rom[] ATT_PORT_ROM = text;                                                      \
        in_rom;                                                                                              \
    })

/* The first check of a test that fails is reported; the test goes on, so that its threads end. Context: any.
 */
#define CHECK(condition) tap_check((condition), __LINE__)
#define CHECK_EQ(got, want) tap_check_equal((uint32_t)(got), (uint32_t)(want), __LINE__)
#define CHECK_TOKENS(want) tap_check_tokens(TEXT(want), __LINE__)
void tap_check(bool condition, uint16_t line);
void tap_check_equal(uint32_t got, uint32_t want, uint16_t line);
void tap_check_tokens(const char *want_in_rom, uint16_t line); /* compares, then forgets the tokens */

/* Append a token. Context: any. */
void token(char what);

/* Start a thread in the next free memory. `arg` is a number as often as a pointer. Context: a thread. */
att_thread_t *start(att_prio_t prio, att_entry_t entry, void *arg);
#define ARG(number) ((void *)(uintptr_t)(number))

/* Let all less urgent threads run until each has ended or waits. Context: the controller. */
void settle(void);

/* Wait until the threads started so far have ended, and take their memory for others. Context: the
 * controller. */
void finish(void);

/* The thread of the k-th start since the test began, or since finish(). */
att_thread_t *started(uint8_t k);

/* An entry: its argument is a character, which it appends. */
void run_token(void *arg);

/* Objects for the tests: empty when one begins, and must have no waiter when it ends. */
extern att_sem_t sem_a, sem_b;
extern att_ref_t ref_a, ref_b, ref_c;

/* The controller's entry, for images with a table of their own (TAP_OWN_SYSTEM). */
void tap_controller(void *arg);
/* Called by main before att_start; does nothing unless the image defines it. */
void tap_before_start(void);

/* Output, for images that print themselves. */
char tap_rom_char(const char *in_rom);
void tap_text(const char *in_rom);
void tap_number(uint32_t number);
void tap_result(bool ok, uint8_t number, const char *title_in_rom);

#endif
