/*
 * From reset (start.S) to main, on every board of this processor. main runs in system mode with interrupts
 * enabled.
 */
#include <stdint.h>

#include "start.h"

extern uint32_t att_text_load[], att_text_begin[], att_text_end[];
extern uint32_t att_more_load[], att_more_begin[], att_more_end[];
extern uint32_t att_more_bss_begin[], att_more_bss_end[];
extern uint32_t att_data_load[], att_data_begin[], att_data_end[], att_bss_begin[], att_bss_end[];
extern void (*const att_init_begin[])(void);
extern void (*const att_init_end[])(void);
int main(void);

#define INLINE static inline __attribute__((always_inline))

INLINE void copy(const uint32_t *from, uint32_t *to, const uint32_t *end)
{
    if (from != to) {
        while (to != end) {
            *to++ = *from++;
        }
    }
}

INLINE void clear(uint32_t *to, const uint32_t *end)
{
    while (to != end) {
        *to++ = 0;
    }
}

START_UP __attribute__((noreturn)) void att_board_begin(void);
void att_board_begin(void)
{
    copy(att_text_load, att_text_begin, att_text_end);
    copy(att_more_load, att_more_begin, att_more_end);
    copy(att_data_load, att_data_begin, att_data_end);
    clear(att_bss_begin, att_bss_end);
    clear(att_more_bss_begin, att_more_bss_end);
    void (*volatile init_board)(void) = att_board_init; /* it may be far from here */
    init_board();
    for (void (*const *init)(void) = att_init_begin; init != att_init_end; init++) {
        (*init)();
    }
    int (*volatile start)(void) = main;
    (void)start();
    for (;;) {
    }
}
