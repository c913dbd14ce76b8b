// Executes an opcode that the processor does not have.
#include "kit.h"

int main(void)
{
    __asm__ volatile(".inst.n 0xde00");
    END(0);
}
