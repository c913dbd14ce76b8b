/*
 * The parts of the port that C can say: its start, and what traces record of a handler's switch.
 *
 * The symbols that say how the kernel was built stand here because att_start calls this file: the linker
 * cannot see in an archive of link-time optimised objects what their assembly defines.
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

#define SCR (*(volatile uint32_t *)0xE000ED10u)
#define CCR (*(volatile uint32_t *)0xE000ED14u)
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
static void guard_start(void)
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
#else
#define guard_start() ((void)0)
#endif

#if ATT_CFG_LOCK_PRIORITY != 0
/* Masked: BASEPRI reads as the bits of the lock's priority that there are. With none the lock masks nothing.
 */
static void expect_lock_masks(void)
{
    uint32_t priority;
    __asm__ __volatile__("mrs %0, basepri" : "=r"(priority));
    ATT_EXPECT(priority != 0, ATT_FAULT_BAD_PRIORITY);
}
#else
#define expect_lock_masks() ((void)0)
#endif

/* PendSV and SVCall are the least urgent of all; what stands beside them in their registers stays. */
ATT_PORT_COLD void att_port_start(void)
{
    SHPR2 |= 0xFF000000u;
    SHPR3 |= 0x00FF0000u;
#if !defined(__ARM_ARCH_6M__)
    enum { ALIGNED_FRAMES = 1 << 9, EVENT_ON_PEND = 1 << 4 };
    CCR |= ALIGNED_FRAMES; /* to eight bytes: not the reset value on the oldest Cortex-M3 */
    if (ATT_CFG_LOCK_PRIORITY != 0) {
        SCR |= EVENT_ON_PEND; /* for att_port_idle */
    }
#endif
    att_port_start_faults();
    expect_lock_masks();
    guard_start();
}

#if ATT_TRACED
/* A switch that a handler has made due is about to be made. */
void att_port_before_switch(void);
void att_port_before_switch(void)
{
    ATT_TRACE(ATT_EVENT_RUN, att_port_top());
}
#endif
