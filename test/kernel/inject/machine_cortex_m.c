/*
 * Cortex-M: the question comes as eight bytes on the console, at the highest speed that the processor can
 * follow. The handlers are those of three interrupts that the board leaves free, pended by software, or by
 * the instrument at any instruction. The kernel knows none of them; the nested one is the least urgent, so
 * that both others preempt it.
 */
#include "inject.h"

#define NVIC_ENABLE ((volatile uint32_t *)0xE000E100u)
#define NVIC_PEND ((volatile uint32_t *)0xE000E200u)
#define NVIC_PRIORITY ((volatile uint8_t *)0xE000E400u)
#define MARK (*(volatile uint8_t *)0xE000007Cu)
#define RECEIVER 0x2024u /* USART1: enabled, receives */
#define RECEIVED 0x20u

extern uint8_t machine_damaged; /* registers_cortex_m.S */

void machine_ask(void)
{
    uint8_t *bytes = (uint8_t *)&question;
    att_board_console_start();
    USART1_CR1 |= RECEIVER;
    USART1_BRR = 32;
    MARK = LISTENS;
    for (uint8_t n = 0; n < sizeof(question); n++) {
        while ((USART1_SR & RECEIVED) == 0) {
        }
        bytes[n] = (uint8_t)USART1_DR;
    }
}

static void pend(uint8_t kind)
{
    const uint32_t number = ATT_BOARD_SPARE_IRQ + (uint32_t)kind;
    NVIC_PEND[number / 32] = (uint32_t)1 << number % 32;
}

void machine_start(void)
{
    for (uint32_t kind = KNOWN; kind <= NESTED; kind++) {
        const uint32_t number = ATT_BOARD_SPARE_IRQ + kind;
        NVIC_PRIORITY[number] = kind == NESTED ? 0x80 : 0;
        NVIC_ENABLE[number / 32] = (uint32_t)1 << number % 32;
    }
}

ATT_ISR(ATT_BOARD_SPARE_HANDLER_0)
{
    inject_handler(KNOWN);
}

void ATT_BOARD_SPARE_HANDLER_1(void);
void ATT_BOARD_SPARE_HANDLER_1(void)
{
    inject_handler(FOREIGN);
}

ATT_ISR_NESTED(ATT_BOARD_SPARE_HANDLER_2)
{
    inject_handler(NESTED);
}

void machine_raise(uint8_t kind)
{
    pend(kind);
    __asm__ __volatile__("dsb\n\tisb" ::: "memory");
}

void machine_close(void)
{
    MARK = 2;
}

bool machine_kept(void)
{
    return machine_damaged == 0;
}

/* By the instrument's semihosting, at once: on the wire it would take as long as all the rest of the run. */
void machine_answer(const char *text)
{
    register uint32_t operation __asm__("r0") = 4; /* SYS_WRITE0 */
    register const char *argument __asm__("r1") = text;
    __asm__ __volatile__("bkpt 0xAB" : "+r"(operation) : "r"(argument) : "memory");
}

void machine_end(uint8_t failed)
{
    MARK = (uint8_t)(0x80 | failed);
    for (;;) {
    }
}
