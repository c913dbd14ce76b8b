// Ends with 42.
#include "kit.h"

int main(void)
{
    END(42);
}
