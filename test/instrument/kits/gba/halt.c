// Masks interrupts and loops for ever. (Sleep would end with a request, even a masked one.)
#include "kit.h"

int main(void)
{
    cli();
    for (;;) {
    }
}
