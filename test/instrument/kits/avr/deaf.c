// Sleeps with interrupts on and nothing that could wake it.
#include "kit.h"

int main(void)
{
    sleep_enable();
    sei();
    sleep_cpu();
    END(0);
}
