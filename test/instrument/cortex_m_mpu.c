// Random regions of the MPU and random accesses, for two emulators: which of them fault goes into a hash,
// with the fault's bits and address. Regions overlap, are of 32 bytes to 64 KB and have subregions left out;
// accesses are loads, stores and fetches of privileged code, and loads and stores as unprivileged code makes
// them.
//
// SEED comes with the compiler's options.
#include <stdint.h>

#define ROUNDS 400u
#define PROBES 50u
#define LINE 10u

#define WORD(address) (*(volatile uint32_t *)(address))
#define SHCSR WORD(0xE000ED24)
#define CFSR WORD(0xE000ED28)
#define HFSR WORD(0xE000ED2C)
#define MMFAR WORD(0xE000ED34)
#define MPU_CTRL WORD(0xE000ED94)
#define MPU_RNR WORD(0xE000ED98)
#define MPU_RBAR WORD(0xE000ED9C)
#define MPU_RASR WORD(0xE000EDA0)
#define BARRIER() __asm__ volatile("dsb\n isb" ::: "memory")
#define AREA 0x20002000u // the probes' 8 KB
#define AREA_SIZE 0x2000u

static uint32_t state = SEED * 2654435761u + 1, hash = 2166136261u;

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

// All are of 16 bits or 32, and a fault's handler skips them by their length.
static void probe(uint32_t address, uint32_t kind)
{
    uint32_t value = 0;
    switch (kind % 7) {
    case 0:
        __asm__ volatile("ldr %0, [%1]" : "+r"(value) : "r"(address & ~3u) : "memory");
        break;
    case 1:
        __asm__ volatile("str %0, [%1]" ::"r"(0x47704770), "r"(address & ~3u) : "memory");
        break;
    case 2:
        __asm__ volatile("ldrbt %0, [%1]" : "+r"(value) : "r"(address) : "memory");
        break;
    case 3:
        __asm__ volatile("strt %0, [%1]" ::"r"(0x47704770), "r"(address & ~3u) : "memory");
        break;
    case 4:
        __asm__ volatile("ldrb %0, [%1]" : "+r"(value) : "r"(address) : "memory");
        break;
    case 5:
        __asm__ volatile("strh %0, [%1]" ::"r"(0x4770), "r"(address & ~1u) : "memory");
        break;
    default: // all of the area is BX LR
        __asm__ volatile("blx %0" ::"r"(address | 1) : "lr", "memory");
        break;
    }
}

static void regions(void)
{
    for (uint32_t number = 0; number < 6; number++) {
        const uint32_t random = draw();
        const uint32_t bits = 5 + random % 12; // 32 bytes to 64 KB
        const uint32_t access = random >> 8 & 7;
        MPU_RNR = number;
        MPU_RBAR = (AREA - 0x1000 + (draw() & 0x3FFF)) & ~((1u << bits) - 1);
        // Subregions smaller than its pages of 1 KB are not QEMU's strength.
        const uint32_t left_out = bits < 13 ? 0 : draw() & draw() & 0xFF;
        MPU_RASR = (random >> 11 & 1) << 28 | (access == 4 ? 3 : access) << 24 | left_out << 8 |
                   (bits - 1) << 1 | (random >> 12 & 1);
    }
}

// Code, data and stack always work: the two highest regions.
static void own_regions(void)
{
    MPU_RNR = 7;
    MPU_RBAR = 0;
    MPU_RASR = 6u << 24 | 15u << 1 | 1; // 64 KB, read only, executable
    MPU_RNR = 6;
    MPU_RBAR = 0x20000000;
    MPU_RASR = 1u << 28 | 1u << 24 | 11u << 1 | 1; // 4 KB, for privileged code
}

static void rounds(uint32_t count)
{
    for (uint32_t round = 0; round < count; round++) {
        MPU_CTRL = 0;
        regions();
        own_regions();
        MPU_CTRL = (draw() & 6) | 1;
        BARRIER();
        for (uint32_t i = 0; i < PROBES; i++) {
            const uint32_t random = draw();
            probe(AREA + random % AREA_SIZE, random >> 16);
        }
        MPU_CTRL = 0;
        if (round % LINE == LINE - 1)
            print(hash);
    }
}

__attribute__((used)) static void handle(uint32_t *frame)
{
    const uint32_t cfsr = CFSR;
    mix(cfsr);
    if (cfsr & 0x80)
        mix(MMFAR);
    CFSR = cfsr;
    if (cfsr & 1) { // a fetch: back to the caller
        frame[6] = frame[5] & ~1u;
        return;
    }
    const uint16_t code = *(const volatile uint16_t *)frame[6];
    mix(code);
    frame[6] += (code >> 11) >= 0x1D ? 4 : 2;
}

__attribute__((naked)) static void memory_fault(void)
{
    __asm__ volatile("mov r0, sp\n b handle");
}

static void hang(void)
{
    static const uint32_t failed[] = {0x20026, 1};
    semihosting(0x20, failed);
}

extern uint32_t stack_top[], bss_begin[], bss_end[], data_load[], data_begin[], data_end[];

void start(void)
{
    for (uint32_t *to = data_begin, *from = data_load; to < data_end;)
        *to++ = *from++;
    for (uint32_t *to = bss_begin; to < bss_end;)
        *to++ = 0;
    for (uint32_t at = AREA - 0x1000; at < AREA + AREA_SIZE; at += 4)
        WORD(at) = 0x47704770;
    SHCSR = 1u << 16;
    rounds(ROUNDS);
    static const uint32_t passed[] = {0x20026, 0};
    semihosting(0x20, passed);
}

__attribute__((used, section(".vectors"))) static void (*const vectors[16])(void) = {
    (void (*)(void))0x20001000, start, hang, hang, memory_fault, [5 ... 15] = hang};
