// Copies the input pin to probe b, and what comes over the console's wire back onto the console until a full stop.
#include "kit.h"

int main(void)
{
    RCNT = SI_INPUT;
    SIOCNT = 0x3083; // UART, 115200 baud, 8 bits
    MARK(1);
    for (;;) {
        RCNT = SI_INPUT | (RCNT & 4 ? 2 : 0);
        if (!(SIOCNT & 0x20)) {
            const uint8_t byte = (uint8_t)SIODATA8;
            TEXT[0] = byte;
            if (byte == '.')
                END(0);
        }
    }
}
