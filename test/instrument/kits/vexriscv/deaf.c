// Waits with interrupts on for what cannot come.
#include "kit.h"

int main(void)
{
    sei();
    for (;;)
        sleep();
}
