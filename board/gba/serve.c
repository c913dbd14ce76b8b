/*
 * Interrupts by their bit, each with a handler of its name; a function of that name takes the place of the
 * weak one. One whose bit is lower comes first.
 */
#include "attacca/attacca.h"

#include "gba.h"
#include "start.h"

static void no_handler(void)
{
    att_fault(ATT_FAULT_NO_HANDLER);
}

#define HANDLER(name) __attribute__((weak, alias("no_handler"))) void name(void)
HANDLER(VBlank_Handler);
HANDLER(HBlank_Handler);
HANDLER(VCount_Handler);
HANDLER(Timer0_Handler);
HANDLER(Timer1_Handler);
HANDLER(Timer2_Handler);
HANDLER(Timer3_Handler);
HANDLER(Serial_Handler);
HANDLER(Dma0_Handler);
HANDLER(Dma1_Handler);
HANDLER(Dma2_Handler);
HANDLER(Dma3_Handler);
HANDLER(Keypad_Handler);
HANDLER(GamePak_Handler);

/* A bit times this number has a number of its own in its upper four bits of sixteen. */
#define SEQUENCE 0x09AFu
#define PLACE(bit) [((1u << (bit)) * SEQUENCE >> 12) & 15]
static void (*const handlers[16])(void) = {
    PLACE(0) = VBlank_Handler,
    PLACE(1) = HBlank_Handler,
    PLACE(2) = VCount_Handler,
    PLACE(3) = Timer0_Handler,
    PLACE(4) = Timer1_Handler,
    PLACE(5) = Timer2_Handler,
    PLACE(6) = Timer3_Handler,
    PLACE(7) = Serial_Handler,
    PLACE(8) = Dma0_Handler,
    PLACE(9) = Dma1_Handler,
    PLACE(10) = Dma2_Handler,
    PLACE(11) = Dma3_Handler,
    PLACE(12) = Keypad_Handler,
    PLACE(13) = GamePak_Handler,
    PLACE(14) = no_handler,
    PLACE(15) = no_handler,
};

void att_port_serve(void)
{
    const uint32_t both = GBA_32(0x200); /* IE, and IF above it */
    const uint32_t pending = both & both >> 16;
    const uint32_t bit = pending & -pending;
    if (bit != 0) {
        GBA_IF = (uint16_t)bit;
        handlers[(bit * SEQUENCE >> 12) & 15]();
    }
}

/* The processor stops until an enabled interrupt is pending, although they are masked. */
void att_port_sleep(void)
{
    GBA_HALTCNT = 0;
}

void att_port_enter(void);
void att_board_init(void)
{
    GBA_IE = 0;
    GBA_IF = 0xFFFF;
    GBA_HANDLER = att_port_enter;
    GBA_IME = 1;
    att_port_unlock(att_port_enabled_key());
}
