// Masks interrupts and sleeps for ever.
#include "kit.h"

int main(void)
{
    cli();
    sleep_enable();
    sleep_cpu();
    END(0);
}
