// Random exceptions for two emulators: main and every handler take their next steps from one stream of random
// numbers (pend, unpend, enable, change priorities, grouping and masks, SVC, an undefined instruction), and
// each step's state goes into a hash. An emulator that enters a handler sooner, later or with another
// priority than the other one gets another stream from there on, so that the two outputs part for good.
//
// Only the upper four bits of priorities are used, which chips of four and of eight bits have alike.
// SEED comes with the compiler's options.
#include <stdint.h>

#define STEPS 20000u
#define LINE 500u

#define WORD(address) (*(volatile uint32_t *)(address))
#define ISER WORD(0xE000E100)
#define ICER WORD(0xE000E180)
#define ISPR WORD(0xE000E200)
#define ICPR WORD(0xE000E280)
#define IABR WORD(0xE000E300)
#define STIR WORD(0xE000EF00)
#define ICSR WORD(0xE000ED04)
#define AIRCR WORD(0xE000ED0C)
#define IPR 0xE000E400u
#define SHPR 0xE000ED14u
#define SHCSR WORD(0xE000ED24)
#define CFSR WORD(0xE000ED28)
#define HFSR WORD(0xE000ED2C)
#define FIRST 8u // interrupts FIRST to FIRST + 15: of those that no device of either machine has asserted
#if defined(__ARM_ARCH_6M__) // fewer registers, words only
#define V7 0
#else
#define V7 1
#endif
#define BARRIER() __asm__ volatile("dsb\n isb" ::: "memory")

static uint32_t state = SEED * 2654435761u + 1, hash = 2166136261u, steps, in_line;

static uint32_t draw(void)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

static void mix(uint32_t value)
{
    hash = (hash ^ value) * 16777619u;
    hash = (hash ^ value >> 16) * 16777619u;
}

static uint32_t special(unsigned which)
{
    uint32_t value;
    switch (which) {
    case 0:
        __asm__ volatile("mrs %0, ipsr" : "=r"(value));
        break;
    case 1:
        __asm__ volatile("mrs %0, primask" : "=r"(value));
        break;
#if V7
    case 2:
        __asm__ volatile("mrs %0, faultmask" : "=r"(value));
        break;
    case 3:
        __asm__ volatile("mrs %0, basepri" : "=r"(value));
        break;
#endif
    default:
        value = 0;
        break;
    }
    return value;
}

static void semihosting(uint32_t operation, const void *argument)
{
    register uint32_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
}

static void print(uint32_t value)
{
    char text[10];
    for (int i = 0; i < 8; i++)
        text[i] = "0123456789abcdef"[value >> (28 - 4 * i) & 15];
    text[8] = '\n';
    text[9] = 0;
    semihosting(4, text);
}

// A synchronous exception where it would be no lock-up.
static int can_fault(void)
{
    const uint32_t ipsr = special(0);
    return ipsr != 2 && ipsr != 3 && special(2) == 0;
}

// In a register of four.
static void set_priority(uint32_t base, uint32_t number, uint32_t value)
{
    const uint32_t at = base + (number & ~3u), shift = number % 4 * 8;
    WORD(at) = (WORD(at) & ~(0xFFu << shift)) | value << shift;
}

static void priority(uint32_t random)
{
    static const uint8_t systems[] = {11, 14, 15, 11, 4, 5, 6, 14};
    const uint32_t value = random >> 8 & 0xF0;
    if (random & 1)
        set_priority(IPR, FIRST + (random >> 1 & 15), value);
    else
        set_priority(SHPR, systems[random >> 1 & (V7 ? 7 : 3)], value);
}

static void mask(uint32_t random)
{
    const uint32_t value = random >> 8 & 0xF0;
    (void)value;
    switch (random & 7) {
    case 0:
        __asm__ volatile("cpsid i" ::: "memory");
        break;
#if V7
    case 1:
        if (special(0) != 2 && special(0) != 3)
            __asm__ volatile("cpsid f" ::: "memory");
        break;
    case 2:
        __asm__ volatile("cpsie f" ::: "memory");
        break;
    case 3:
        __asm__ volatile("msr basepri, %0" ::"r"(value) : "memory");
        break;
    case 4:
        __asm__ volatile("msr basepri_max, %0" ::"r"(value) : "memory");
        break;
    case 5:
        __asm__ volatile("msr basepri, %0" ::"r"(0) : "memory");
        break;
#endif
    default:
        __asm__ volatile("cpsie i" ::: "memory");
        break;
    }
}

static void system_pend(uint32_t random)
{
    static const uint32_t bits[] = {1u << 28, 1u << 27, 1u << 26, 1u << 25,
                                    1u << 28, 1u << 26, 1u << 31, 1u << 28};
    ICSR = bits[random & 7];
}

static void synchronous(uint32_t random)
{
    if (!can_fault())
        return;
    switch (random & 7) {
    case 0:
        __asm__ volatile("svc 0" ::: "memory");
        break;
    case 1: // the frame is not aligned
        __asm__ volatile("sub sp, #4\n svc 0\n add sp, #4" ::: "memory");
        break;
    case 2:
        __asm__ volatile("udf #0" ::: "memory");
        break;
    case 3:
        __asm__ volatile("ldr r0, =0x30000000\n ldr r0, [r0]" ::: "r0", "memory");
        break;
    default:
        if (V7)
            SHCSR = (SHCSR & ~0x70000u) | (random << 8 & 0x70000u);
        break;
    }
}

static void step(void)
{
    const uint32_t random = draw();
    const uint32_t detail = random >> 4;
    const uint32_t bits = (1u << FIRST) << (detail & 15) | (1u << FIRST) << (detail >> 4 & 15);
    switch (random & 15) {
    case 0:
    case 1:
        ISPR = bits;
        break;
    case 2:
        ICPR = bits;
        break;
    case 3:
        if (V7)
            STIR = FIRST + (detail & 15);
        break;
    case 4:
    case 5:
    case 6:
        ISER = bits;
        break;
    case 7:
        ICER = bits;
        break;
    case 8:
    case 9:
        priority(detail);
        break;
    case 10:
    case 11:
        mask(detail);
        break;
    case 12:
        AIRCR = 0x05FA0000u | (detail & 7) << 8;
        break;
    case 13:
        system_pend(detail);
        break;
    default:
        synchronous(detail);
        break;
    }
    BARRIER();
    mix(special(0));
    mix(special(1) | special(2) << 1 | special(3) << 8);
    mix(ISPR);
    mix(ICSR & (0x1FFu | 1u << 26 | 1u << 28 | 1u << 31));
    if (V7) {
        mix(IABR);
        mix(SHCSR);
        mix(ICSR & (1u << 11 | 1u << 22));
        mix(CFSR ^ HFSR);
    }
    steps++;
    if (++in_line == LINE) {
        in_line = 0;
        print(hash);
    }
}

// Behind an instruction that faulted; those have two bytes.
static void skip(uint32_t *frame)
{
#if V7
    const int faulted = CFSR != 0;
    mix(CFSR);
    CFSR = CFSR;
    HFSR = HFSR;
#else
    const uint16_t code = *(const volatile uint16_t *)frame[6];
    const int faulted = special(0) == 3 && (code == 0xDE00 || code == 0x6800); // UDF 0, LDR r0, [r0]
#endif
    if (faulted)
        frame[6] += 2;
}

// `frame`: where the interrupted registers lie.
__attribute__((used)) static void handle(uint32_t *frame, uint32_t exc_return)
{
    mix(exc_return);
    mix((uint32_t)(uintptr_t)frame & 7);
    skip(frame);
    for (uint32_t count = draw() & 3; count > 0 && steps < STEPS; count--)
        step();
}

__attribute__((naked)) static void handler(void)
{
    __asm__ volatile("mov r1, lr\n movs r0, #4\n tst r0, r1\n beq 1f\n mrs r0, psp\n b 2f\n 1: mrs r0, msp\n"
                     "2: push {r4, lr}\n bl handle\n pop {r4, pc}");
}

__attribute__((used)) static void main_(void)
{
    while (steps < STEPS)
        step();
    static const uint32_t passed[] = {0x20026, 0};
    semihosting(0x20, passed);
}

static uint32_t process_stack[256];

extern uint32_t stack_top[], bss_begin[], bss_end[], data_load[], data_begin[], data_end[];

void start(void)
{
    for (uint32_t *to = data_begin, *from = data_load; to < data_end;)
        *to++ = *from++;
    for (uint32_t *to = bss_begin; to < bss_end;)
        *to++ = 0;
    if (SEED & 1) // main on the process stack
        __asm__ volatile("msr psp, %0\n msr control, %1\n isb" ::"r"(process_stack + 256), "r"(2) : "memory");
    main_();
}

__attribute__((used, section(".vectors"))) static void (*const vectors[16 + 32])(void) = {
    (void (*)(void))stack_top, start, [2 ... 47] = handler};
