/*
 * Meters. The counter is read last at a start and first at a stop, so that what these do besides is not
 * measured; what is left of the two calls is found by measuring nothing.
 *
 * Rejected: one calibration for all meters, at att_start: a program without meters would pay for it.
 */
#include "kernel.h"

#define EMPTY_RUNS 16 /* so many that one without an interrupt is among them */

static ATT_PORT_INLINE uint32_t counter(void)
{
#ifdef ATT_PORT_CYCLES_HZ
    return att_port_cycles();
#else
    return att_now();
#endif
}

static void count(att_meter_t *meter, uint32_t now)
{
    const uint32_t whole = now - meter->begin;
    const uint32_t last = whole > meter->overhead ? whole - meter->overhead : 0;
    if (meter->count == 0 || last < meter->min) {
        meter->min = last;
    }
    if (meter->count == 0 || last > meter->max) {
        meter->max = last;
    }
    meter->last = last;
    meter->total += last;
    meter->count++;
}

void att_meter_start(att_meter_t *meter)
{
    ATT_EXPECT(meter != NULL, ATT_FAULT_BAD_OBJECT);
    meter->begin = counter();
}

void att_meter_stop(att_meter_t *meter)
{
    const uint32_t now = counter();
    ATT_EXPECT(meter != NULL, ATT_FAULT_BAD_OBJECT);
    count(meter, now);
}

void att_meter_chain(att_meter_t *ends, att_meter_t *begins)
{
    const uint32_t now = counter();
    ATT_EXPECT(ends != NULL && begins != NULL, ATT_FAULT_BAD_OBJECT);
    count(ends, now);
    begins->begin = now;
}

void att_meter_init(att_meter_t *meter)
{
    ATT_EXPECT(meter != NULL, ATT_FAULT_BAD_OBJECT);
    att_meter_t empty = {0, 0, 0, 0, 0, 0, 0};
    for (uint8_t run = 0; run < EMPTY_RUNS; run++) {
        att_meter_start(&empty);
        att_meter_stop(&empty);
    }
    *meter = (att_meter_t){0, 0, 0, 0, 0, 0, empty.min};
}
