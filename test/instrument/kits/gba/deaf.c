// Sleeps with interrupts on and nothing that could wake it.
#include "kit.h"

int main(void)
{
    sei();
    sleep();
    END(0);
}
