// Copies the input pin to probe b, and what comes over the console's wire back onto the console until a full stop.
#include "kit.h"

int main(void)
{
    outputs();
    MARK(1);
    for (;;) {
        if (GPIO_IN & 1u << 8)
            GPIO_SET = 2;
        else
            GPIO_CLEAR = 2;
        if (UART_STATUS & 2) {
            const uint32_t byte = UART_DATA;
            UART_DATA = byte;
            if (byte == '.')
                END(0);
        }
    }
}
