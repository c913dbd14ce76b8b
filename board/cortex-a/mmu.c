/*
 * Memory mapped to itself, in sections of one megabyte: memory with caches, devices without, and nothing else. The
 * table is written before any cache is on.
 */
#include "start.h"

enum {
    SECTION = 2,
    EXECUTE_NEVER = 1 << 4,
    READ_WRITE = 3 << 10,
    CACHED = 1 << 12 | 3 << 2, /* write-back, allocated at writes too */
    SHARED_DEVICE = 1 << 2,
    SCTLR_ON = 1 << 12 | 1 << 11 | 1 << 2 | 1, /* instruction cache, branch prediction, data cache, translation */
};

static uint32_t table[4096] __attribute__((aligned(16384)));

START_UP void att_board_map(uintptr_t from, uint32_t megabytes, att_board_kind_t kind)
{
    const uint32_t attributes = kind == ATT_BOARD_MEMORY ? CACHED : SHARED_DEVICE | EXECUTE_NEVER;
    for (uint32_t section = from >> 20; megabytes != 0; section++, megabytes--) {
        table[section] = section << 20 | attributes | READ_WRITE | SECTION;
    }
}

START_UP void att_board_map_on(void)
{
    uint32_t control;
    __asm__ __volatile__("mcr p15, 0, %0, c8, c7, 0" ::"r"(0)); /* forget translations, */
    __asm__ __volatile__("mcr p15, 0, %0, c7, c5, 0" ::"r"(0)); /* instructions, */
    __asm__ __volatile__("mcr p15, 0, %0, c7, c5, 6" ::"r"(0)); /* and branches */
    __asm__ __volatile__("mcr p15, 0, %0, c2, c0, 2" ::"r"(0)); /* TTBCR */
    __asm__ __volatile__("mcr p15, 0, %0, c2, c0, 0" ::"r"(table));
    __asm__ __volatile__("mcr p15, 0, %0, c3, c0, 0\n\tdsb\n\tisb" ::"r"(1)); /* DACR: domain 0 as it says */
    __asm__ __volatile__("mrc p15, 0, %0, c1, c0, 0" : "=r"(control));
    __asm__ __volatile__("mcr p15, 0, %0, c1, c0, 0\n\tdsb\n\tisb" ::"r"(control | SCTLR_ON) : "memory");
}
