/* Clock and console of the board without devices. */
#include "attacca/attacca.h"
#include "attacca/port_api.h"

#include "board.h"
#include "start.h"

enum { SYS_WRITEC = 0x03 };

#define NVIC_ENABLE (*(volatile uint32_t *)0xE000E100u)
#define NVIC_PEND (*(volatile uint32_t *)0xE000E200u)
#define CLOCK_BIT (1u << ATT_BOARD_CLOCK_IRQ)

void att_board_init(void)
{
}

static att_stamp_t now;
static att_time_t alarm_at;
static bool armed;

void att_board_console_start(void)
{
}

void att_board_console_put(char byte)
{
    register uint32_t operation __asm__("r0") = SYS_WRITEC;
    register const char *argument __asm__("r1") = &byte;
    __asm__ __volatile__("bkpt 0xAB" : "+r"(operation) : "r"(argument) : "memory");
}

void att_board_clock_start(void)
{
    NVIC_ENABLE = CLOCK_BIT;
}

void att_board_clock_set(uint64_t units)
{
    now = units;
}

att_stamp_t att_board_stamp(void)
{
    now++;
    if (armed && (int32_t)((att_time_t)now - alarm_at) >= 0) {
        att_board_alarm_now();
    }
    return now;
}

att_time_t att_board_now(void)
{
    return (att_time_t)att_board_stamp();
}

bool att_board_alarm(att_time_t when)
{
    alarm_at = when;
    armed = (int32_t)(when - (att_time_t)now) > 0;
    return armed;
}

void att_board_alarm_now(void)
{
    armed = false;
    NVIC_PEND = CLOCK_BIT;
}

void att_board_alarm_off(void)
{
    armed = false;
}

ATT_ISR(ATT_BOARD_CLOCK_HANDLER)
{
    const att_key_t key = att_lock();
    att_clock_expired();
    att_unlock(key);
}
