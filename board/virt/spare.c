/*
 * Interrupts for tests. Machine mode has two that it can raise itself, those of supervisor mode, which
 * nothing here runs in. The third is the UART's "transmitter empty", through the PLIC. The timer is
 * supervisor mode's too (Sstc).
 */
#include "virt.h"

enum { SSI = 1 << 1, STI = 1 << 5, SEI = 1 << 9, MEI = 1 << 11, TX_EMPTY = 2, UART = 10 };
#define PLIC_PRIORITY ((volatile uint32_t *)0x0C000000u)
#define PLIC_ENABLE (*(volatile uint32_t *)0x0C002000u)
#define PLIC_CLAIM (*(volatile uint32_t *)0x0C200004u)

/* By number, since the compiler's assembler is older than the extension: menvcfgh, stimecmp, stimecmph. */
#define MENVCFGH 0x31A
#define STIMECMP 0x14D
#define STIMECMPH 0x15D
#define WRITE(csr, value) __asm__ __volatile__("csrw %0, %1" ::"i"(csr), "r"(value) : "memory")
#define SET_BITS(csr, value) __asm__ __volatile__("csrs " #csr ", %0" ::"r"(value) : "memory")
#define CLEAR_BITS(csr, value) __asm__ __volatile__("csrc " #csr ", %0" ::"r"(value) : "memory")

static void never(void)
{
    WRITE(STIMECMPH, 0xFFFFFFFFu);
}

void att_board_spare_start(void)
{
    WRITE(MENVCFGH, (uint32_t)1 << 31);
    never();
    CLEAR_BITS(mip, SSI | SEI);
    VIRT_UART->interrupt_enable = 0;
    PLIC_PRIORITY[UART] = 1;
    PLIC_ENABLE = (uint32_t)1 << UART;
    SET_BITS(mie, SSI | STI | SEI | MEI);
}

void att_board_spare_raise(unsigned number)
{
    if (number == 2) {
        VIRT_UART->interrupt_enable = TX_EMPTY;
    } else {
        SET_BITS(mip, number == 0 ? SSI : SEI);
    }
}

__attribute__((naked)) void att_board_spare_raise_0(void)
{
    __asm__ __volatile__("csrsi mip, 2\n\tret");
}

void att_board_spare_after(uint32_t ticks)
{
    uint32_t high;
    uint32_t low;
    never();
    do {
        high = VIRT_MTIME->high;
        low = VIRT_MTIME->low;
    } while (high != VIRT_MTIME->high);
    const uint64_t when = ((uint64_t)high << 32 | low) + ticks;
    WRITE(STIMECMP, (uint32_t)when);
    WRITE(STIMECMPH, (uint32_t)(when >> 32));
}

void att_board_spare_done(unsigned number)
{
    if (number == 3) {
        never();
    } else if (number == 2) {
        const uint32_t claimed = PLIC_CLAIM;
        VIRT_UART->interrupt_enable = 0;
        PLIC_CLAIM = claimed;
    } else {
        CLEAR_BITS(mip, number == 0 ? SSI : SEI);
    }
}
