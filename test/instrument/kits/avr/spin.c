// Never ends: interrupts on, busy.
#include "kit.h"

int main(void)
{
    sei();
    for (;;)
        MARK(GPIOR1 + 1);
}
