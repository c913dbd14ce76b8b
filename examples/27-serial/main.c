/*
 * A serial line with a buffer each way. Its handler moves bytes between the device and two streams, and never waits. One
 * thread reads lines and answers each in capitals; it waits when nothing has come, and when the answer has no room yet.
 */
#include "attacca/attacca.h"
#include "serial.h"

ATT_STREAM(received, 64, NULL);
ATT_STREAM(sending, 64, NULL);

/* Masked: give the device what it has room for; its interrupt asks for the rest. */
static void send(void)
{
    uint8_t byte;
    while (att_board_serial_has_room() && att_stream_get(&sending, &byte) == ATT_OK) {
        att_board_serial_put(byte);
    }
    att_board_serial_more(att_stream_count(&sending) != 0);
}

ATT_ISR(ATT_BOARD_SERIAL)
{
    for (int byte = att_board_serial_get(); byte >= 0; byte = att_board_serial_get()) {
        (void)att_stream_put(&received, (uint8_t)byte); /* ATT_FULL: the thread is too slow, and the byte is lost */
    }
    send();
}

static void say_byte(uint8_t byte)
{
    (void)att_stream_write(&sending, &byte, 1, ATT_FOREVER);
    const att_key_t key = att_lock();
    send();
    att_unlock(key);
}

static void answer(void *arg)
{
    (void)arg;
    for (;;) {
        uint8_t byte;
        (void)att_stream_read(&received, &byte, 1, ATT_FOREVER);
        say_byte(byte >= 'a' && byte <= 'z' ? (uint8_t)(byte - 'a' + 'A') : byte);
    }
}

ATT_THREAD(answerer, 1, ATT_STACK_MIN + 160, answer, NULL);
ATT_SYSTEM(answerer);

int main(void)
{
    att_board_serial_start();
    att_start();
}
