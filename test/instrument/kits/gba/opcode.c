// Executes an opcode that the processor does not have.
#include "kit.h"

int main(void)
{
    __asm__ volatile(".word 0xe7f000f0");
    END(0);
}
