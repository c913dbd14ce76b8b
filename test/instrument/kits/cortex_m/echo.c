// Copies the input pin to probe b, and what comes over the console's wire back onto the console until a full stop.
#include "kit.h"

int main(void)
{
    outputs();
    console();
    MARK(1);
    for (;;) {
        GPIOB_BSRR = GPIOA_IDR & 1 ? SET(13) : CLEAR(13);
        if (USART1_SR & 1u << 5) {
            const uint32_t byte = USART1_DR;
            USART1_DR = byte;
            if (byte == '.')
                END(0);
        }
    }
}
