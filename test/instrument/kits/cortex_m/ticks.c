// Sleeps from tick to tick of 1 ms, twenty times.
#include "kit.h"

static volatile unsigned count;

void tick(void)
{
    MARK(++count);
    TIM2_SR = 0;
    (void)TIM2_SR; // the flag is clear before the handler ends
}

int main(void)
{
    RCC_APB1ENR |= 1;
    TIM2_PSC = 1;
    TIM2_ARR = 72000 / 2 - 1;
    TIM2_DIER = 1;
    TIM2_CR1 = 1;
    NVIC_ISER0 = 1u << 28;
    sei();
    while (count < 20)
        sleep();
    END(0);
}
