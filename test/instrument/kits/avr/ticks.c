// Sleeps from tick to tick of 1 ms, twenty times.
#include "kit.h"

static volatile unsigned char count;

ISR(TIMER0_COMPA_vect)
{
    MARK(++count);
}

int main(void)
{
    TCCR0A = 1 << WGM01;
    OCR0A = 249;
    TIMSK0 = 1 << OCIE0A;
    TCCR0B = 3;
    sleep_enable();
    sei();
    while (count < 20)
        sleep_cpu();
    END(0);
}
