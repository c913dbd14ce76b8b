/*
 * Byte streams: blocks of every size, with a thread that waits on the other side for the rest of its own.
 */
#include "tap.h"

static const char letters[] = "abcdefghijklmnopqrstuvwx";
static uint8_t ring[7], block[24];
static att_stream_t blocks;

static void write_block(void *arg)
{
    CHECK_EQ(att_stream_write(&blocks, letters, (uintptr_t)arg, ATT_FOREVER), (uintptr_t)arg);
    token('w');
}

static void read_block(void *arg)
{
    CHECK_EQ(att_stream_read(&blocks, block, (uintptr_t)arg, ATT_FOREVER), (uintptr_t)arg);
    token('r');
}

static void check_block(uint8_t count)
{
    for (uint8_t i = 0; i < count; i++) {
        CHECK_EQ(block[i], 'a' + i);
        block[i] = 0;
    }
    CHECK_EQ(att_stream_count(&blocks), 0);
}

TEST(writer_waits, "the remaining bytes of a waiting writer fill the room that each read frees")
{
    for (uint8_t most = 1; most <= 24; most++) {
        att_stream_init(&blocks, ring, sizeof(ring), NULL);
        CHECK_EQ(att_stream_write(&blocks, ring, most % 7, ATT_NOWAIT),
                 most % 7); /* the ring's beginning moves */
        CHECK_EQ(att_stream_read(&blocks, block, most % 7, ATT_NOWAIT), most % 7);
        start(most % 2 != 0 ? 6 : 3, write_block, ARG(24));
        settle();
        CHECK_EQ(att_stream_space(&blocks), 0);
        for (uint8_t i = 0; i < 24; i = (uint8_t)(i + most)) {
            const uint8_t some = i + most <= 24 ? most : (uint8_t)(24 - i);
            CHECK_EQ(att_stream_read(&blocks, block + i, some, ATT_MS(100)), some);
        }
        finish();
        CHECK_TOKENS("w");
        check_block(24);
    }
}

TEST(reader_waits, "a waiting reader gets each block that is written, and continues with the last byte")
{
    for (uint8_t most = 1; most <= 24; most++) {
        att_stream_init(&blocks, ring, sizeof(ring), NULL);
        start(most % 2 != 0 ? 6 : 3, read_block, ARG(24));
        settle();
        for (uint8_t i = 0; i < 24; i = (uint8_t)(i + most)) {
            const uint8_t some = i + most <= 24 ? most : (uint8_t)(24 - i);
            CHECK_EQ(att_stream_write(&blocks, letters + i, some, ATT_MS(100)), some);
        }
        finish();
        CHECK_TOKENS("r");
        check_block(24);
    }
}

TAP_SUITE("test_stream_blocks.c", CASE(writer_waits) CASE(reader_waits))
