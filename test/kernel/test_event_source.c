/*
 * Event sources: which listener hears which events, fetching, registering and unregistering, also in the
 * middle of a broadcast.
 */
#include "irq.h"

static att_flags_t flags_1, flags_2, flags_3;
static att_event_source_t source;
static att_listener_t one = ATT_LISTENER_INIT(&flags_1, 0x0001, 0x00FF);
static att_listener_t two = ATT_LISTENER_INIT(&flags_2, 0x8000, 0x0FF0);
static att_listener_t three = ATT_LISTENER_INIT(&flags_1, 0x0004, 0xFFFF);

static void check_heard(att_listener_t *listener, att_mask_t want, uint16_t line)
{
    tap_check_equal((uint32_t)att_listener_fetch(listener), (uint32_t)want, line);
    tap_check_equal((uint32_t)att_listener_fetch(listener), 0, line);
}
#define CHECK_HEARD(listener, want) check_heard((listener), (want), __LINE__)

static void check_flags(att_mask_t first, att_mask_t second, uint16_t line)
{
    tap_check_equal((uint32_t)att_flags_clear(&flags_1, (att_mask_t)-1), (uint32_t)first, line);
    tap_check_equal((uint32_t)att_flags_clear(&flags_2, (att_mask_t)-1), (uint32_t)second, line);
}
#define CHECK_FLAGS(first, second) check_flags((first), (second), __LINE__)

static void all_register(void)
{
    att_event_source_register(&source, &one);
    att_event_source_register(&source, &two);
    att_event_source_register(&source, &three);
}

static void none_registered(void)
{
    att_event_source_unregister(&source, &one);
    att_event_source_unregister(&source, &two);
    att_event_source_unregister(&source, &three);
    (void)att_listener_fetch(&one);
    (void)att_listener_fetch(&two);
    (void)att_listener_fetch(&three);
    att_flags_reset(&flags_1);
    att_flags_reset(&flags_2);
}

TEST(no_listener, "a broadcast without a listener is not kept for a listener that registers later")
{
    static att_event_source_t zero;
    att_event_source_broadcast(&zero, 0xFFFF);
    att_event_source_broadcast(&zero, 0);
    att_event_source_register(&zero, &one);
    CHECK_HEARD(&one, 0);
    CHECK_FLAGS(0, 0);
    att_event_source_unregister(&zero, &one);
}

TEST(filters, "each listener hears the events that its filter passes, and signals its flags if there are any")
{
    all_register();
    att_event_source_broadcast(&source, 0x0001);
    CHECK_FLAGS(0x0005, 0);
    att_event_source_broadcast(&source, 0x0012);
    CHECK_FLAGS(0x0005, 0x8000);
    att_event_source_broadcast(&source, 0x1000);
    CHECK_FLAGS(0x0004, 0);
    CHECK_HEARD(&one, 0x0013);
    CHECK_HEARD(&two, 0x0010);
    CHECK_HEARD(&three, 0x1013);
    none_registered();
}

TEST(no_flags, "a broadcast of no events signals every listener, and none has heard any")
{
    all_register();
    att_event_source_broadcast(&source, 0);
    CHECK_FLAGS(0x0005, 0x8000);
    CHECK_HEARD(&one, 0);
    CHECK_HEARD(&two, 0);
    none_registered();
}

TEST(initialised, "event sources and listeners are initialised at run time")
{
    att_event_source_t here;
    att_listener_t listener;
    static att_event_source_t declared = ATT_EVENT_SOURCE_INIT;
    att_event_source_init(&here);
    att_listener_init(&listener, &flags_2, 2, 6);
    att_event_source_register(&here, &listener);
    att_event_source_broadcast(&here, 0x000F);
    att_event_source_broadcast(&declared, 0x000F);
    CHECK_HEARD(&listener, 6);
    CHECK_FLAGS(0, 2);
    att_event_source_unregister(&here, &listener);
}

TEST(unregister, "an unregistered listener hears no more, first, last or in the middle; what it heard stays")
{
    att_listener_t *const listeners[] = {&one, &two, &three};
    for (uint8_t k = 0; k < 3; k++) {
        all_register();
        att_event_source_broadcast(&source, 0x0010);
        att_event_source_unregister(&source, listeners[k]);
        att_event_source_unregister(&source, listeners[k]); /* nothing happens */
        att_event_source_broadcast(&source, 0x0020);
        for (uint8_t at = 0; at < 3; at++) {
            CHECK_HEARD(listeners[at], at == k ? 0x10 : 0x30);
        }
        att_event_source_register(&source, listeners[k]);
        att_event_source_broadcast(&source, 0x0040);
        CHECK_HEARD(listeners[k], 0x40);
        none_registered();
        att_event_source_broadcast(&source, 0x0040);
        CHECK_HEARD(&one, 0);
    }
}

static void listen(void *arg)
{
    att_flags_t *flags = (uintptr_t)arg == 'A' ? &flags_1 : (uintptr_t)arg == 'B' ? &flags_2 : &flags_3;
    att_listener_t listener;
    att_mask_t came;
    att_listener_init(&listener, flags, 2, 0x00FF);
    att_event_source_register(&source, &listener);
    CHECK_EQ(att_flags_wait(flags, 2, ATT_ANY, &came, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_listener_fetch(&listener), 0x0011);
    token((char)(uintptr_t)arg);
    att_event_source_unregister(&source, &listener);
}

TEST(threads, "a broadcast wakes all threads that listen; the most urgent runs first, after all are woken")
{
    start(5, listen, ARG('B'));
    start(6, listen, ARG('A'));
    start(3, listen, ARG('C'));
    settle();
    att_event_source_broadcast(&source, 0x1011);
    token('/');
    finish();
    CHECK_TOKENS("AB/C");
}

static void broadcast_11(void)
{
    att_event_source_broadcast(&source, 0x0011);
    token('i');
}

TEST(from_handlers, "handlers of all kinds broadcast, and under lock; the switch comes after")
{
    irq_start();
    for (irq_kind_t kind = IRQ_KNOWN; kind < IRQ_KINDS; kind++) {
        start(5, listen, ARG('B'));
        start(6, listen, ARG('A'));
        irq_raise(kind, broadcast_11);
        finish();
        start(5, listen, ARG('B'));
        start(6, listen, ARG('A'));
        const att_key_t key = att_lock();
        irq_raise(kind, broadcast_11);
        att_event_source_broadcast(&source, 0x0011);
        token('l');
        att_unlock(key);
        finish();
        att_flags_reset(&flags_1);
        att_flags_reset(&flags_2);
        CHECK_EQ(att_k_check(), 0);
    }
    CHECK_TOKENS("iABliABiABliABiABliAB");
}

/* --- in the middle of a broadcast */

static bool came_in;
static att_listener_t *other;

static void unregister_other(void)
{
    came_in = true;
    att_event_source_unregister(&source, other);
    (void)att_listener_fetch(other);
}

TEST(unregister_meanwhile,
     "a listener that unregisters in the middle of a broadcast hears no more from then on; the others do")
{
    att_listener_t *const listeners[] = {&one, &two, &three};
    for (uint8_t step = 1; step < 90; step++) {
        came_in = false;
        other = listeners[step % 3];
        all_register();
        irq_tick((step & 1) != 0 ? IRQ_KNOWN : IRQ_FOREIGN, unregister_other,
                 (uint8_t)TARGET_TICKS(1 + step / 3));
        att_event_source_broadcast(&source, 0x0010);
        irq_tick_cancel();
        att_event_source_broadcast(&source, 0x0020);
        for (uint8_t at = 0; at < 3; at++) {
            CHECK_HEARD(listeners[at], listeners[at] == other && came_in ? 0 : 0x30);
        }
        none_registered();
    }
}

static void register_other(void)
{
    came_in = true;
    att_event_source_register(&source, &two);
}

static void broadcast_2(void)
{
    came_in = true;
    att_event_source_broadcast(&source, 0x0002);
}

TEST(register_meanwhile, "a listener that registers in the middle of a broadcast hears the next")
{
    for (uint8_t step = 1; step < 40; step++) {
        came_in = false;
        att_event_source_register(&source, &one);
        att_event_source_register(&source, &three);
        irq_tick(IRQ_KNOWN, register_other, (uint8_t)TARGET_TICKS(step));
        att_event_source_broadcast(&source, 0x0010);
        irq_tick_cancel();
        att_event_source_broadcast(&source, 0x0020);
        CHECK_HEARD(&one, 0x30);
        CHECK_HEARD(&three, 0x30);
        CHECK_EQ(att_listener_fetch(&two) & 0x20, came_in ? 0x20 : 0);
        none_registered();
    }
}

TEST(broadcast_meanwhile, "a handler's broadcast in the middle of another: both are heard by all")
{
    for (uint8_t step = 1; step < 40; step++) {
        came_in = false;
        all_register();
        irq_tick((step & 1) != 0 ? IRQ_KNOWN : IRQ_FOREIGN, broadcast_2, (uint8_t)TARGET_TICKS(step));
        att_event_source_broadcast(&source, 0x0010);
        irq_tick_cancel();
        CHECK_HEARD(&one, came_in ? 0x12 : 0x10);
        CHECK_HEARD(&two, 0x10);
        CHECK_HEARD(&three, came_in ? 0x12 : 0x10);
        CHECK_FLAGS(0x0005, 0x8000);
        none_registered();
    }
}

TAP_SUITE("test_event_source.c",
          CASE(no_listener) CASE(filters) CASE(no_flags) CASE(initialised) CASE(unregister) CASE(threads)
              CASE(from_handlers) CASE(unregister_meanwhile) CASE(register_meanwhile)
                  CASE(broadcast_meanwhile))
