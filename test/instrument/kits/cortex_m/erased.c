// Jumps to where no code is.
#include "kit.h"

int main(void)
{
    ((void (*)(void))0x0801f001)();
    END(0);
}
