/*
 * The parts of the port that C can say: the guard's start, and what level 1 and traces look at in a switch.
 */
#include "kernel.h"
#include "offsets.h"

#if ATT_CFG_NEAR_RAM
ATT_PORT_DEFINE_SYMBOL("att_port_near_ram")
#else
ATT_PORT_DEFINE_SYMBOL("att_port_any_ram")
#endif
#if ATT_CFG_LOCK_PRIORITY != 0
ATT_PORT_DEFINE_SYMBOL(ATT_PORT_STRING(ATT_PORT_LOCK_SYMBOL(ATT_CFG_LOCK_PRIORITY)))
#endif

#define SHPR2 (*(volatile uint32_t *)0xE000ED1Cu)
#define SHPR3 (*(volatile uint32_t *)0xE000ED20u)
#define MPU_TYPE (*(volatile uint32_t *)0xE000ED90u)
#define MPU_CTRL (*(volatile uint32_t *)0xE000ED94u)
#define MPU_RNR (*(volatile uint32_t *)0xE000ED98u)
#define MPU_RASR (*(volatile uint32_t *)0xE000EDA0u)

#if defined(__ARM_ARCH_6M__)
volatile uint8_t att_port_window_open;
#endif

#if ATT_CFG_STACK_GUARD && __ARM_ARCH < 8
/* A region that can be read, since the kernel looks at the pattern there, and not written. It has no place
 * before the first switch. */
void att_port_guard_start(void);
void att_port_guard_start(void)
{
    enum {
        NO_EXECUTION = 1 << 28,
        READ_ONLY = 6 << 24,
        BYTES_32 = 4 << 1,
        ENABLE = 1,
        OTHERS_AS_EVER = 1 << 2
    };
    if (MPU_TYPE >> 8 == 0) {
        att_fault(ATT_FAULT_BAD_STACK); /* there is no MPU */
    }
    MPU_RNR = GUARD_REGION;
    *(volatile uint32_t *)MPU_RBAR = 0;
    MPU_RASR = NO_EXECUTION | READ_ONLY | BYTES_32 | ENABLE;
    MPU_CTRL |= OTHERS_AS_EVER | ENABLE;
    __asm__ __volatile__("dsb\n\tisb" ::: "memory");
}
#endif

#if defined(__ARM_ARCH_6M__)
/* PendSV and SVCall are the least urgent of all; what stands in the other half of their registers stays. */
void att_port_start(void)
{
    SHPR2 |= 0xFF000000u;
    SHPR3 |= 0x00FF0000u;
}
#endif

#if ATT_CFG_CHECK >= 1 || ATT_TRACED
/* PendSV is about to switch away from the thread that is saved at `sp`. */
void att_port_before_switch(const void *sp);
void att_port_before_switch(const void *sp)
{
#if ATT_CFG_CHECK >= 1
    att_k_stack_check(sp);
#endif
    (void)sp;
    ATT_TRACE(ATT_EVENT_RUN, att_port_top());
}
#endif
