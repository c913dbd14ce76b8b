// Works with interrupts on between marker 1 and marker 2, masked for a stretch in the middle; the handler of timer 0
// counts. Ends by saying how often it came.
#include "kit.h"

static volatile unsigned char count;
static volatile unsigned char cell;

void tick(void)
{
    ++count;
}

__attribute__((noinline)) void work(void)
{
    cell = 5;
    cell = 6;
    cell = 7;
    cell = 1;
    cli();
    cell = 2;
    cell = 3;
    sei();
    cell = 4;
}

int main(void)
{
    sei();
    MARK(1);
    work();
    MARK(2);
    work();
    const char answer[] = {(char)('0' + count % 64), '\n', 0};
    text(answer);
    END(0);
}
