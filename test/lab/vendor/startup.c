/* A stand-in for what a vendor's package has: the vector table with CMSIS's names, all weak, memory, main. */
#include <stdint.h>

extern uint32_t _sidata[], _sdata[], _edata[], _sbss[], _ebss[], _estack[];
int main(void);

void Default_Handler(void);
void Default_Handler(void)
{
    for (;;) {
    }
}
#define WEAK(name) __attribute__((weak, alias("Default_Handler"))) void name(void);
WEAK(NMI_Handler)
WEAK(HardFault_Handler)
WEAK(MemManage_Handler)
WEAK(BusFault_Handler)
WEAK(UsageFault_Handler)
WEAK(SVC_Handler)
WEAK(DebugMon_Handler)
WEAK(PendSV_Handler)
WEAK(SysTick_Handler)

void Reset_Handler(void);
void Reset_Handler(void)
{
    const uint32_t *from = _sidata;
    for (uint32_t *to = _sdata; to != _edata; to++) {
        *to = *from++;
    }
    for (uint32_t *to = _sbss; to != _ebss; to++) {
        *to = 0;
    }
    (void)main();
    Default_Handler();
}

__attribute__((section(".isr_vector"), used)) void (*const vectors[])(void) = {
    (void (*)(void))(uintptr_t)_estack, Reset_Handler,   NMI_Handler,     HardFault_Handler, MemManage_Handler,
    BusFault_Handler,                   UsageFault_Handler, 0,            0,                 0,
    0,                                  SVC_Handler,     DebugMon_Handler, 0,                PendSV_Handler,
    SysTick_Handler,
};
