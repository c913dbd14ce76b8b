// Jumps to where no code is.
#include "kit.h"

int main(void)
{
    ((void (*)(void))0x08100000)();
    END(0);
}
