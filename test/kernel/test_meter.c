/*
 * Meters. The clock that they count may move on while they are read, so a time is compared with what two
 * readings around it allow.
 */
#include "irq.h"

static att_meter_t meter, next;

/* Between two readings of the clock: at least `units`. */
static att_time_t spend(uint16_t units)
{
    const att_time_t begin = att_now();
    while (att_now() - begin < units) {
    }
    return att_now() - begin;
}

TEST(empty, "all zero is an empty meter; one that was initialised is empty too, whatever it was")
{
    static att_meter_t zero;
    att_meter_start(&zero);
    att_meter_stop(&zero);
    CHECK_EQ(zero.count, 1);
    CHECK(zero.last <= TARGET_LATENCY);
    meter.count = 7;
    meter.total = 77;
    meter.max = 7;
    att_meter_init(&meter);
    CHECK_EQ(meter.count, 0);
    CHECK_EQ(meter.total, 0);
    CHECK(meter.overhead <= 2);
}

TEST(nothing, "nothing measures 0, or one unit where the counter moves on in between")
{
    att_meter_init(&meter);
    for (uint8_t round = 0; round < 100; round++) {
        for (volatile uint8_t pause = round % 8; pause != 0; pause--) { /* or each begins at the same part of a unit */
        }
        att_meter_start(&meter);
        att_meter_stop(&meter);
    }
    CHECK_EQ(meter.count, 100);
    CHECK_EQ(meter.min, 0);
    CHECK(meter.max <= TARGET_LATENCY);
    CHECK(meter.total <= 100u + meter.max);
}

TEST(overhead, "what a meter's overhead says is taken off, and a time never falls below 0")
{
    static att_meter_t fake;
    fake.overhead = 100;
    att_meter_start(&fake);
    att_meter_stop(&fake);
    CHECK_EQ(fake.last, 0);
    att_meter_start(&fake);
    spend(300);
    att_meter_stop(&fake);
    CHECK(fake.last >= 200 && fake.last <= 202 + TARGET_LATENCY);
}

TEST(times, "last, shortest and longest, their sum and their number")
{
    static const uint16_t spans[] = {200, 120, 400, 300};
    uint32_t sum = 0;
    att_meter_init(&meter);
    for (uint8_t k = 0; k < 4; k++) {
        const att_time_t before = att_now();
        att_meter_start(&meter);
        const att_time_t inside = spend(spans[k]);
        att_meter_stop(&meter);
        CHECK(meter.last + meter.overhead >= inside);
        CHECK(meter.last <= att_now() - before);
        sum += meter.last;
        CHECK_EQ(meter.count, k + 1u);
        CHECK_EQ(meter.total, sum);
    }
    CHECK(meter.min >= 120 - meter.overhead && meter.min < 200);
    CHECK(meter.max >= 400 - meter.overhead && meter.max < 500);
    CHECK(meter.last >= 300 - meter.overhead && meter.last < 400);
}

TEST(total, "the sum has 64 bits; a time may reach over the counter's wrap")
{
    att_meter_init(&meter);
    meter.total = 0xFFFFFFF0u;
    att_meter_start(&meter);
    meter.begin -= 0x80000000u;
    att_meter_stop(&meter);
    CHECK(meter.last >= 0x7FFFFFF0u);
    CHECK_EQ(meter.total >> 32, 1);
    att_meter_start(&meter);
    meter.begin = att_now() + 100; /* it wrapped since */
    att_meter_stop(&meter);
    CHECK(meter.last > 0xFFFFFF00u);
}

TEST(anew, "a start forgets one that had begun")
{
    att_meter_init(&meter);
    att_meter_start(&meter);
    spend(500);
    att_meter_start(&meter);
    att_meter_stop(&meter);
    CHECK_EQ(meter.count, 1);
    CHECK(meter.max < 400);
}

TEST(chain, "a chain loses no time: the sum of its parts is the whole")
{
    static att_meter_t whole;
    att_meter_init(&meter);
    att_meter_init(&next);
    att_meter_init(&whole);
    meter.overhead = next.overhead = whole.overhead = 0;
    const att_time_t before = att_now();
    att_meter_start(&meter);
    whole.begin = meter.begin;
    for (uint8_t round = 0; round < 10; round++) {
        spend(20);
        att_meter_chain(&meter, &next);
        spend(10);
        att_meter_chain(&next, &meter);
    }
    whole.last = meter.begin - whole.begin;
    CHECK_EQ(meter.count, 10);
    CHECK_EQ(next.count, 10);
    CHECK_EQ(meter.total + next.total, whole.last);
    CHECK(whole.last <= att_now() - before);
    CHECK(meter.min >= 20 && next.min >= 10);
    att_meter_chain(&next, &next); /* one with itself */
    CHECK_EQ(next.count, 11);
}

static void measure(void)
{
    att_meter_stop(&next);
}

TEST(handler, "a meter is stopped in a handler, and under lock")
{
    irq_start();
    att_meter_init(&next);
    att_meter_start(&next);
    irq_tick(IRQ_KNOWN, measure, TARGET_TICKS(4));
    spend(200);
    irq_tick_cancel();
    CHECK_EQ(next.count, 1);
    CHECK(next.last <= 200 + TARGET_LATENCY);
    const att_key_t key = att_lock();
    att_meter_start(&next);
    att_meter_stop(&next);
    att_unlock(key);
    CHECK_EQ(next.count, 2);
}

TAP_SUITE("test_meter.c", CASE(empty) CASE(nothing) CASE(overhead) CASE(times) CASE(total) CASE(anew)
                              CASE(chain) CASE(handler))
