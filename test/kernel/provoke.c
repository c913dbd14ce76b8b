/*
 * The runs of provoke.h.
 */
#include "provoke.h"

/* What one run leaves to the next. */
typedef struct {
    uint16_t magic;
    uint8_t number;
    uint8_t failed;
    bool hook_right;
} state_t;
#define MAGIC 0x7E57u
static state_t state ATT_PORT_NOINIT;

static fault_case_t load(uint8_t number)
{
    fault_case_t one;
    att_port_rom_load(&one, &fault_suite.cases[number], sizeof(one));
    return one;
}

/* Is it the record of this case? Before the kernel has started there is no thread. */
static bool record_right(const att_fault_record_t *fault, const fault_case_t *one)
{
    const bool placed = fault != NULL && (fault->pc != 0 || fault->code == ATT_FAULT_STACK_OVERFLOW);
    return placed && fault->magic == ATT_FAULT_MAGIC && fault->code == one->code &&
           (fault->thread == NULL) == one->early;
}

static void judge(void)
{
    const fault_case_t one = load(state.number);
    const bool right = state.hook_right && record_right(att_fault_last(), &one);
    if (!right) {
        tap_text(TEXT("# code "));
        tap_number(att_fault_last() != NULL ? att_fault_last()->code : 0);
        att_board_console_put('\n');
        state.failed++;
    }
    tap_result(right, (uint8_t)(state.number + 1), one.title);
    state.number++;
}

void att_fault_hook(const att_fault_record_t *fault)
{
    const fault_case_t one = load(state.number);
    state.hook_right = fault == att_fault_last() && record_right(fault, &one);
    target_run_over(judge);
}

static void provoke(void *arg)
{
    (void)arg;
    irq_start();
    load(state.number).provoke();
    att_sleep(ATT_MS(20));
    tap_text(TEXT("# no fault\n"));
    judge();
    target_end(1);
}

ATT_THREAD(provoke_thread, 4, ATT_STACK_MIN + TARGET_CONTROLLER_STACK, provoke, NULL);
ATT_SYSTEM(provoke_thread);

static void run(void)
{
    att_fault_clear();
    state.hook_right = false;
    const fault_case_t one = load(state.number);
    if (one.early) {
        one.provoke();
    }
    att_start();
}

int main(void)
{
    att_board_console_start();
    if (state.magic != MAGIC) { /* the first run, with what the memory holds at power-on */
        state.magic = MAGIC;
        state.number = 0;
        state.failed = 0;
        tap_text(TEXT("1.."));
        tap_number(fault_suite.count);
        att_board_console_put('\n');
    } else {
        target_before_run(judge);
    }
    target_runs(&state.number, &state.failed, fault_suite.count, run);
    target_end(state.failed < 126 ? state.failed : 126);
}
