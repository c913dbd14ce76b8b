/*
 * Three interrupts and a timer that the board leaves free (RISC-V, ARM7TDMI). The foreign one has a vector of
 * its own where vectors are used, so that the port knows nothing of it. In a storm the timer comes at times
 * that do not repeat, and raises the others.
 */
#include "machine.h"

enum { KNOWN, FOREIGN, NESTED, TIMER };

static void nothing(void)
{
}
void (*volatile on_known)(void) = nothing;
void (*volatile on_nested)(void) = nothing;
void (*volatile on_foreign)(void) = nothing;

static bool raging;
static uint16_t noise = 0xACE1u;

static uint16_t next_noise(void)
{
    noise = (uint16_t)((noise >> 1) ^ ((noise & 1) != 0 ? 0xB400u : 0));
    return noise;
}

ATT_ISR(ATT_BOARD_SPARE_HANDLER_0)
{
    att_board_spare_done(KNOWN);
    on_known();
}

#if defined(ATT_PORT_VECTORED) && ATT_PORT_VECTORED
__attribute__((interrupt("machine"))) void ATT_BOARD_SPARE_VECTOR_1(void);
void ATT_BOARD_SPARE_VECTOR_1(void)
#else
void ATT_BOARD_SPARE_HANDLER_1(void);
void ATT_BOARD_SPARE_HANDLER_1(void)
#endif
{
    att_board_spare_done(FOREIGN);
    on_foreign();
}

/* Its interrupt is quiet before others are let in. */
static void nested(void);
ATT_ISR(ATT_BOARD_SPARE_HANDLER_2)
{
    att_board_spare_done(NESTED);
    nested();
}

ATT_ISR_NESTED(nested)
{
    on_nested();
}

ATT_ISR(ATT_BOARD_SPARE_HANDLER_3)
{
    att_board_spare_done(TIMER);
    if (raging) {
        const uint16_t dice = next_noise();
        if ((dice & 3) == 0) {
            att_board_spare_raise(FOREIGN);
        }
        if ((dice & 0x1C) == 0) {
            att_board_spare_raise(NESTED);
        }
        att_board_spare_after(4u + (dice >> 9));
    }
    on_known();
}

void machine_start(void)
{
    att_board_spare_start();
}

void machine_end(uint8_t status)
{
    att_board_exit(status);
}

void machine_raise_known(void)
{
    att_board_spare_raise(KNOWN);
}

void machine_raise_nested(void)
{
    att_board_spare_raise(NESTED);
}

void machine_raise_foreign(void)
{
    att_board_spare_raise(FOREIGN);
}

/* A tick is several instructions: some of them pass here. */
void machine_raise_known_after(uint16_t step)
{
    enum { WITHIN_A_TICK = 13 };
    att_board_spare_after(step / WITHIN_A_TICK + 1u);
    for (unsigned rest = WITHIN_A_TICK - step % WITHIN_A_TICK; rest != 0; rest--) {
        __asm__ __volatile__("");
    }
}

void machine_storm(void)
{
    raging = true;
    att_board_spare_after(7);
}

void machine_calm(void)
{
    raging = false;
}

bool machine_aligned(const void *frame)
{
#if defined(__riscv) && !defined(__riscv_32e)
    const uintptr_t alignment = 16;
#else
    const uintptr_t alignment = sizeof(att_port_stack_t);
#endif
    return (uintptr_t)frame % 4 == 0 && (uintptr_t)att_port_sp() % alignment == 0;
}
