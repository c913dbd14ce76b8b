/*
 * Host: the question comes from the environment, ATTACCA_INJECT="situation action action kind kind when when
 * second-first [fork after]". With `fork`, each lock point of the window makes a copy of the process in
 * which the first handler occurs there, as the instruments do at each instruction, and prints a line of the
 * same form. `after` raises the second handler that many points later.
 */
#include "inject.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FIRST_IRQ = 3, SECONDS = 5 };

static unsigned fork_points;
static int after, second_at = -1;
static bool open, is_copy;
static int index_of_point;

void machine_ask(void)
{
    unsigned in[10] = {LIST, 0, 0, 0, NO_KIND, 0, 0, 0, 0, 0};
    const char *text = getenv("ATTACCA_INJECT");
    char *end;
    for (unsigned n = 0; text != NULL && n < 10; n++, text = end) {
        in[n] = (unsigned)strtoul(text, &end, 10);
        if (end == text) {
            break;
        }
    }
    question = (question_t){(uint8_t)in[0],
                            {(uint8_t)in[1], (uint8_t)in[2]},
                            {(uint8_t)in[3], (uint8_t)in[4]},
                            {(uint8_t)in[5], (uint8_t)in[6]},
                            (uint8_t)in[7]};
    fork_points = in[8];
    after = (int)in[9];
}

ATT_ISR(known)
{
    inject_handler(KNOWN);
}

static void foreign(void)
{
    inject_handler(FOREIGN);
}

ATT_ISR_NESTED(nested)
{
    inject_handler(NESTED);
}

static void print_child(int from, pid_t child)
{
    char text[200];
    size_t length = 0;
    int status = 0;
    for (ssize_t got;
         length < sizeof(text) - 1 && (got = read(from, text + length, sizeof(text) - 1 - length)) > 0;) {
        length += (size_t)got;
    }
    text[length] = '\0';
    (void)close(from);
    (void)waitpid(child, &status, 0);
    for (size_t n = 0; n < length; n++) {
        text[n] = text[n] < ' ' || text[n] == '"' || text[n] == '\\' ? ' ' : text[n];
    }
    (void)fprintf(stderr,
                  "{\"index\": %d, \"symbol\": \"point %d\", \"taken_symbol\": \"point %d\", \"exit\": %d, "
                  "\"console\": \"%s\"}\n",
                  index_of_point, index_of_point, index_of_point,
                  WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), text);
}

static void at_point(uint64_t point)
{
    (void)point;
    if (!open) {
        return;
    }
    int ends[2];
    (void)fflush(NULL);
    if (!is_copy && pipe(ends) != 0) {
        att_host_die(1, "no pipe");
    }
    const pid_t child = is_copy ? -1 : fork();
    if (child == 0) {
        (void)dup2(ends[1], STDOUT_FILENO);
        (void)close(ends[0]);
        (void)close(ends[1]);
        (void)alarm(SECONDS);
        is_copy = true;
        second_at = question.kind[1] != NO_KIND ? index_of_point + after : -1;
        machine_raise(question.kind[0]);
    } else if (child > 0) {
        (void)close(ends[1]);
        print_child(ends[0], child);
    }
    if (index_of_point == second_at) {
        second_at = -1;
        machine_raise(question.kind[1]);
    }
    index_of_point++;
}

void machine_start(void)
{
    att_host_irq_attach(FIRST_IRQ + KNOWN, known);
    att_host_irq_attach(FIRST_IRQ + FOREIGN, foreign);
    att_host_irq_attach(FIRST_IRQ + NESTED, nested);
    if (fork_points != 0) {
        att_host_on_point(at_point);
    }
}

void machine_raise(uint8_t kind)
{
    att_host_irq_raise(FIRST_IRQ + (unsigned)kind);
}

uint8_t machine_call(step_t step)
{
    open = true;
    const uint8_t result = step();
    open = false;
    return result;
}

uint8_t machine_keep(step_t step)
{
    return step();
}

void machine_close(void)
{
    open = false;
}

bool machine_kept(void)
{
    return true;
}

uint8_t machine_all(void)
{
    for (unsigned n = 0; n < 4; n++) {
        att_host_point();
    }
    return 0;
}

void machine_answer(const char *text)
{
    while (*text != '\0') {
        att_board_console_put(*text++);
    }
}

void machine_end(uint8_t failed)
{
    target_end(failed);
}
