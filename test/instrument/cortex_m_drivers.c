// What start-up code and drivers of an STM32F1 do that poll, register by register, in the order that vendors' and free
// driver libraries have it: wait for each flag, never look at a counter of cycles. A line on the console for each
// device: its name, and what came out. RM0008's names; the offsets are its tables'.
#include <stdint.h>

#define WORD(address) (*(volatile uint32_t *)(address))
#define HALF(address) (*(volatile uint16_t *)(address))
#define RCC 0x40021000u
#define FLASH 0x40022000u
#define PWR 0x40007000u
#define BKP 0x40006C00u
#define RTC 0x40002800u
#define AFIO 0x40010000u
#define EXTI 0x40010400u
#define GPIOA 0x40010800u
#define GPIOB 0x40010C00u
#define USART1 0x40013800u
#define ADC1 0x40012400u
#define DMA1 0x40020000u
#define I2C1 0x40005400u
#define SPI1 0x40013000u
#define IWDG 0x40003000u
#define WWDG 0x40002C00u
#define CRC 0x40023000u
#define TIM1 0x40012C00u
#define TIM5 0x40000C00u
#define NVIC_PENDING 0xE000E200u

#define SET(address, bits) (WORD(address) |= (bits))
#define CLEAR(address, bits) (WORD(address) &= ~(uint32_t)(bits))
#define WAIT_SET(address, bits)                                                                              \
    while ((WORD(address) & (bits)) == 0) {                                                                  \
    }
#define WAIT_CLEAR(address, bits)                                                                            \
    while ((WORD(address) & (bits)) != 0) {                                                                  \
    }

// Before they are started, this does nothing.
static void feed(void)
{
    WORD(IWDG + 0x00) = 0xAAAA;
    WORD(WWDG + 0x00) = 0x7F;
}

static void put(char c)
{
    feed();
    WAIT_SET(USART1 + 0x00, 1u << 7) // TXE
    WORD(USART1 + 0x04) = (uint8_t)c;
}

static void say(const char *name, uint32_t value)
{
    while (*name != '\0') {
        put(*name++);
    }
    put(' ');
    for (int digit = 28; digit >= 0; digit -= 4) {
        put("0123456789abcdef"[value >> digit & 15]);
    }
    put('\n');
}

// The crystal, nine times; the AHB undivided, APB1 halved, the converter at a sixth.
static void clocks(void)
{
    SET(RCC + 0x00, 1u << 0); // HSI, and what a boot loader may have left
    WAIT_SET(RCC + 0x00, 1u << 1)
    WORD(RCC + 0x04) &= ~3u;
    WAIT_CLEAR(RCC + 0x04, 3u << 2)
    CLEAR(RCC + 0x00, 1u << 24 | 1u << 19 | 1u << 16);
    WAIT_CLEAR(RCC + 0x00, 1u << 25)
    WORD(RCC + 0x08) = 0x009F0000u; // interrupts off, their flags cleared
    SET(RCC + 0x00, 1u << 16);
    WAIT_SET(RCC + 0x00, 1u << 17)
    WORD(FLASH + 0x00) = (WORD(FLASH + 0x00) & ~7u) | 1u << 4 | 2u;
    WAIT_SET(FLASH + 0x00, 1u << 5)
#if CONNECTIVITY
    WORD(RCC + 0x2C) = 1u << 16 | 6u << 8 | 4u << 4 | 4u; // 25 MHz / 5 * 8 / 5
    SET(RCC + 0x00, 1u << 26);
    WAIT_SET(RCC + 0x00, 1u << 27)
#endif
    WORD(RCC + 0x04) = 7u << 18 | 1u << 16 | 2u << 14 | 4u << 8;
    SET(RCC + 0x00, 1u << 24);
    WAIT_SET(RCC + 0x00, 1u << 25)
    SET(RCC + 0x04, 2u);
    while ((WORD(RCC + 0x04) >> 2 & 3) != 2) {
    }
    WORD(RCC + 0x14) |= 1u << 6 | 1u << 0;                                   // CRC, DMA1
    WORD(RCC + 0x18) |= 1u << 14 | 1u << 12 | 1u << 11 | 1u << 9 | 0x7Du;    // USART1, SPI1, TIM1, ADC1, ports, AFIO
    WORD(RCC + 0x1C) |= 3u << 27 | 1u << 21 | 1u << 11 | (CONNECTIVITY ? 8u : 0u); // PWR, BKP, I2C1, WWDG, TIM5
}

// On PB6, where MAPR moves it; the debug port keeps SWD alone.
static void console(void)
{
    WORD(AFIO + 0x04) = 2u << 24 | 1u << 2;
    WORD(GPIOB + 0x00) = (WORD(GPIOB + 0x00) & ~(0xFu << 24)) | 0xBu << 24;
    WORD(USART1 + 0x10) = 1u << 6; // interrupts of errors: LBDIE, EIE, PEIE
    WORD(USART1 + 0x14) = 1u << 0;
    WORD(USART1 + 0x08) = 72000000u / 115200u;
    WORD(USART1 + 0x0C) = 1u << 13 | 1u << 8 | 1u << 3 | 1u << 2;
}

static void converter(void)
{
    CLEAR(GPIOA + 0x00, 0xFu << 4); // PA1: analogue
    WORD(ADC1 + 0x04) = 1u << 11;   // one channel a trigger
    WORD(ADC1 + 0x2C) = 0;
    SET(ADC1 + 0x08, 1u << 0);
    for (volatile int i = 0; i < 100; i++) {
    }
    SET(ADC1 + 0x08, 1u << 3);
    WAIT_CLEAR(ADC1 + 0x08, 1u << 3)
    SET(ADC1 + 0x08, 1u << 2);
    WAIT_CLEAR(ADC1 + 0x08, 1u << 2)
    SET(ADC1 + 0x08, 1u << 23 | 1u << 20 | 7u << 17);
    WORD(ADC1 + 0x10) = 7u << 3;
    WORD(ADC1 + 0x0C) = 7u << 18 | 7u << 21;
    static const uint8_t channels[] = {1, 16, 17};
    for (unsigned i = 0; i < 3; i++) {
        WORD(ADC1 + 0x34) = channels[i];
        SET(ADC1 + 0x08, 1u << 22);
        WAIT_SET(ADC1 + 0x00, 1u << 1) // EOC
        say("adc", WORD(ADC1 + 0x4C));
    }
    say("adc-read", WORD(ADC1 + 0x00) & 2); // reading the datum has cleared it
}

static void transfer(void)
{
    static const uint32_t from[3] = {0x11111111u, 0x22222222u, 0x33333333u};
    static volatile uint32_t to[3];
    WORD(DMA1 + 0x04) = 0xF;
    WORD(DMA1 + 0x10) = (uint32_t)(uintptr_t)from;
    WORD(DMA1 + 0x14) = (uint32_t)(uintptr_t)to;
    WORD(DMA1 + 0x0C) = 3;
    WORD(DMA1 + 0x08) = 1u << 14 | 2u << 10 | 2u << 8 | 1u << 7 | 1u << 6;
    SET(DMA1 + 0x08, 1u);
    WAIT_SET(DMA1 + 0x00, 1u << 1)
    say("dma", to[0] + to[1] + to[2]);
    say("dma-left", WORD(DMA1 + 0x0C));
    CLEAR(DMA1 + 0x08, 1u);
    WORD(DMA1 + 0x04) = 0xF;
}

// A sequence of three, read by a channel of DMA that goes round; then four injected ones.
static void sequences(void)
{
    static volatile uint16_t read[6];
    WORD(DMA1 + 0x10) = ADC1 + 0x4C;
    WORD(DMA1 + 0x14) = (uint32_t)(uintptr_t)read;
    WORD(DMA1 + 0x0C) = 6;
    WORD(DMA1 + 0x08) = 1u << 10 | 1u << 8 | 1u << 7 | 1u << 5 | 1u;
    WORD(ADC1 + 0x04) = 1u << 8; // SCAN
    WORD(ADC1 + 0x2C) = 2u << 20;
    WORD(ADC1 + 0x34) = 17u << 10 | 16u << 5 | 1u;
    SET(ADC1 + 0x08, 1u << 8);
    SET(ADC1 + 0x08, 1u << 22);
    WAIT_SET(DMA1 + 0x00, 1u << 2) // half of them
    say("adc-half", WORD(DMA1 + 0x0C));
    SET(ADC1 + 0x08, 1u << 22);
    WAIT_SET(DMA1 + 0x00, 1u << 1)
    say("adc-all", WORD(DMA1 + 0x0C));
    for (unsigned i = 0; i < 6; i++) {
        say("adc-dma", read[i]);
    }
    CLEAR(ADC1 + 0x08, 1u << 8);
    WORD(DMA1 + 0x08) = 0;
    WORD(DMA1 + 0x04) = 0xF;
    WORD(ADC1 + 0x38) = 3u << 20 | 1u << 15 | 17u << 10 | 1u << 5 | 16u;
    WORD(ADC1 + 0x1C) = 4000; // what the third one is less
    SET(ADC1 + 0x08, 1u << 15 | 7u << 12);
    SET(ADC1 + 0x08, 1u << 21);
    WAIT_SET(ADC1 + 0x00, 1u << 2) // JEOC
    CLEAR(ADC1 + 0x00, 1u << 2);
    for (unsigned i = 0; i < 4; i++) {
        say("adc-injected", WORD(ADC1 + 0x3C + 4 * i));
    }
}

// A line of text without the processor.
static void text(void)
{
    static const char line[] = "text 2a\n";
    WAIT_SET(USART1 + 0x00, 1u << 6)
    WORD(USART1 + 0x14) = 1u << 7;
    WORD(DMA1 + 0x4C) = USART1 + 0x04;
    WORD(DMA1 + 0x50) = (uint32_t)(uintptr_t)line;
    WORD(DMA1 + 0x48) = sizeof line - 1;
    WORD(DMA1 + 0x44) = 1u << 7 | 1u << 4 | 1u;
    WAIT_SET(DMA1 + 0x00, 1u << 13)
    say("text-left", WORD(DMA1 + 0x48));
    WORD(USART1 + 0x14) = 0;
    WORD(DMA1 + 0x44) = 0;
    WORD(DMA1 + 0x04) = 0xFu << 12;
}

// A probe of an address that does not answer: start, address, the error, stop.
static void two_wires(void)
{
    WORD(GPIOB + 0x04) = (WORD(GPIOB + 0x04) & ~0xFFu) | 0xFFu; // PB8 and PB9: open drain
    SET(AFIO + 0x04, 2u << 24 | 1u << 1);
    SET(I2C1 + 0x00, 1u << 15);
    CLEAR(I2C1 + 0x00, 1u << 15);
    WORD(I2C1 + 0x04) = 3u << 11 | 36; // with DMA
    WORD(I2C1 + 0x1C) = 180;
    WORD(I2C1 + 0x20) = 37;
    SET(I2C1 + 0x00, 1u);
    WAIT_CLEAR(I2C1 + 0x18, 1u << 1) // BUSY
    SET(I2C1 + 0x00, 1u << 8);
    WAIT_SET(I2C1 + 0x14, 1u << 0)
    say("i2c-master", WORD(I2C1 + 0x18) & 3);
    WORD(I2C1 + 0x10) = 0x50u << 1;
    WAIT_SET(I2C1 + 0x14, 1u << 1 | 1u << 10) // ADDR or AF
    say("i2c", WORD(I2C1 + 0x14) >> 10 & 1);
    CLEAR(I2C1 + 0x14, 1u << 10);
    SET(I2C1 + 0x00, 1u << 9);
    WAIT_CLEAR(I2C1 + 0x18, 1u << 1)
    say("i2c-idle", WORD(I2C1 + 0x18));
}

static void four_wires(void)
{
    uint32_t sum = 0;
    WORD(GPIOA + 0x00) = (WORD(GPIOA + 0x00) & ~(0xFFFu << 20)) | 0xB4Bu << 20;
    WORD(SPI1 + 0x00) = 0;
    WORD(SPI1 + 0x04) = 0;
    WORD(SPI1 + 0x00) = 1u << 9 | 1u << 8 | 3u << 3 | 1u << 2;
    SET(SPI1 + 0x00, 1u << 6);
    for (unsigned i = 0; i < 4; i++) {
        WAIT_SET(SPI1 + 0x08, 1u << 1)
        WORD(SPI1 + 0x0C) = 0xA0u + i;
        WAIT_SET(SPI1 + 0x08, 1u << 0)
        sum += WORD(SPI1 + 0x0C);
    }
    WAIT_SET(SPI1 + 0x08, 1u << 1)
    WAIT_CLEAR(SPI1 + 0x08, 1u << 7)
    CLEAR(SPI1 + 0x00, 1u << 6);
    say("spi", sum);
}

// A frame out and one in, both by DMA.
static void four_wires_by_dma(void)
{
    static const uint8_t out[3] = {1, 2, 3};
    static volatile uint8_t in[4];
    WORD(DMA1 + 0x24) = WORD(DMA1 + 0x38) = SPI1 + 0x0C;
    WORD(DMA1 + 0x28) = (uint32_t)(uintptr_t)in;
    WORD(DMA1 + 0x3C) = (uint32_t)(uintptr_t)out;
    WORD(DMA1 + 0x20) = WORD(DMA1 + 0x34) = 3;
    WORD(DMA1 + 0x1C) = 1u << 7 | 1u;
    WORD(DMA1 + 0x30) = 1u << 7 | 1u << 4 | 1u;
    SET(SPI1 + 0x00, 1u << 6);
    WORD(SPI1 + 0x04) = 3;
    WAIT_SET(DMA1 + 0x00, 1u << 5) // the last one has come in
    WAIT_CLEAR(SPI1 + 0x08, 1u << 7)
    WORD(SPI1 + 0x04) = 0;
    CLEAR(SPI1 + 0x00, 1u << 6);
    WORD(DMA1 + 0x1C) = WORD(DMA1 + 0x30) = 0;
    say("spi-dma", in[0] + in[1] + in[2] + in[3]);
}

// Longer than either would wait.
static void watchdogs(void)
{
    WORD(IWDG + 0x00) = 0x5555;
    WAIT_CLEAR(IWDG + 0x0C, 1u)
    WORD(IWDG + 0x04) = 0;
    WAIT_CLEAR(IWDG + 0x0C, 2u)
    WORD(IWDG + 0x08) = 39; // 4 ms
    WORD(IWDG + 0x00) = 0xCCCC;
    WORD(WWDG + 0x04) = 3u << 7 | 0x7F;
    WORD(WWDG + 0x00) = 0xFF; // 58 ms
    for (unsigned i = 0; i < 60; i++) {
        for (volatile int j = 0; j < 10000; j++) {
        }
        WORD(IWDG + 0x00) = 0xAAAA;
        if ((WORD(WWDG + 0x00) & 0x7F) < 0x60) {
            WORD(WWDG + 0x00) = 0x7F;
        }
    }
    say("watchdogs", WORD(RCC + 0x24) >> 29 & 3);
}

static void backup(void)
{
    SET(PWR + 0x00, 1u << 8);
    SET(RCC + 0x20, 1u << 16);
    CLEAR(RCC + 0x20, 1u << 16);
    SET(RCC + 0x20, 1u << 0);
    WAIT_SET(RCC + 0x20, 1u << 1)
    SET(RCC + 0x20, 1u << 8);
    SET(RCC + 0x20, 1u << 15);
    CLEAR(RTC + 0x04, 1u << 3);
    WAIT_SET(RTC + 0x04, 1u << 3)
    WAIT_SET(RTC + 0x04, 1u << 5)
    SET(RTC + 0x04, 1u << 4);
    WORD(RTC + 0x08) = 0;
    WORD(RTC + 0x0C) = 31; // 1,024 a second
    WORD(RTC + 0x18) = 0x0001;
    WORD(RTC + 0x1C) = 0xFFFF;
    CLEAR(RTC + 0x04, 1u << 4);
    WAIT_SET(RTC + 0x04, 1u << 5)
    while (WORD(RTC + 0x1C) == 0xFFFF) {
        feed();
    }
    say("rtc", WORD(RTC + 0x18) << 16 | WORD(RTC + 0x1C));
    SET(EXTI + 0x08, 1u << 17);
    SET(RTC + 0x04, 1u << 4);
    WORD(RTC + 0x20) = 0x0002;
    WORD(RTC + 0x24) = 0x0003;
    CLEAR(RTC + 0x04, 1u << 4 | 3u);
    WORD(RTC + 0x00) = 2; // ALRIE
    while ((WORD(NVIC_PENDING) >> 3 & 1) == 0) {
        feed();
    }
    say("rtc-alarm", WORD(RTC + 0x18) << 16 | WORD(RTC + 0x1C));
    say("exti", WORD(EXTI + 0x14));
    WORD(BKP + 0x04) = 0xBEEF;
    say("bkp", WORD(BKP + 0x04));
}

static void timers(void)
{
    WORD(TIM1 + 0x28) = 71;
    WORD(TIM1 + 0x2C) = 999;
    WORD(TIM1 + 0x30) = 1; // every second overflow
    WORD(TIM1 + 0x34) = 250;
    WORD(TIM1 + 0x18) = 0x68;
    WORD(TIM1 + 0x20) = 1;
    WORD(TIM1 + 0x44) = 1u << 15;
    WORD(TIM1 + 0x14) = 1;
    WORD(TIM1 + 0x10) = 0;
    WORD(TIM1 + 0x00) = 1u << 7 | 1u;
    WAIT_SET(TIM1 + 0x10, 1u << 1)
    say("tim1-compare", WORD(TIM1 + 0x24) / 250);
    WAIT_SET(TIM1 + 0x10, 1u << 0)
    say("tim1", WORD(TIM1 + 0x10) & 3);
#if CONNECTIVITY
    WORD(TIM5 + 0x28) = 71;
    WORD(TIM5 + 0x2C) = 499;
    WORD(TIM5 + 0x14) = 1;
    WORD(TIM5 + 0x10) = 0;
    WORD(TIM5 + 0x00) = 1;
    WAIT_SET(TIM5 + 0x10, 1u)
    say("tim5", WORD(TIM5 + 0x10) & 1);
#endif
}

static void sums(void)
{
    WORD(CRC + 0x08) = 1;
    WORD(CRC + 0x00) = 0x12345678u;
    say("crc", WORD(CRC + 0x00));
    say("size", HALF(0x1FFFF7E0u));
    say("uid", (WORD(0x1FFFF7E8u) | WORD(0x1FFFF7ECu) | WORD(0x1FFFF7F0u)) != 0);
}

static uint32_t finish(void)
{
    WAIT_CLEAR(FLASH + 0x0C, 1u)
    const uint32_t status = WORD(FLASH + 0x0C);
    WORD(FLASH + 0x0C) = 0x34;
    return status;
}

// The last page: erased, two halfwords written, one that is not erased refused; locked, nothing can be done.
static void program(void)
{
    const uint32_t page = 0x08000000u + HALF(0x1FFFF7E0u) * 1024u - 2048u;
    WORD(FLASH + 0x04) = 0x45670123u;
    WORD(FLASH + 0x04) = 0xCDEF89ABu;
    say("unlocked", WORD(FLASH + 0x10) >> 7 & 1);
    SET(FLASH + 0x10, 1u << 1);
    WORD(FLASH + 0x14) = page;
    SET(FLASH + 0x10, 1u << 6);
    while ((WORD(FLASH + 0x0C) & 1) != 0) {
        feed();
    }
    say("erased", finish());
    CLEAR(FLASH + 0x10, 1u << 1);
    say("blank", WORD(page));
    SET(FLASH + 0x10, 1u << 0);
    HALF(page) = 0xCAFE;
    say("written", finish());
    HALF(page + 2) = 0xF00D;
    (void)finish();
    HALF(page) = 0x1234;
    say("refused", finish());
    HALF(page + 2) = 0;
    (void)finish();
    CLEAR(FLASH + 0x10, 1u << 0);
    SET(FLASH + 0x10, 1u << 7);
    say("locked", WORD(FLASH + 0x10) >> 7 & 1);
    say("flash", WORD(page));
}

__attribute__((noreturn, used)) static void run(void)
{
    clocks();
    console();
    say("csr", WORD(RCC + 0x24) >> 27 & 1);
    converter();
    transfer();
    sequences();
    text();
    two_wires();
    four_wires();
    four_wires_by_dma();
    watchdogs();
    backup();
    timers();
    sums();
    program();
    WAIT_SET(USART1 + 0x00, 1u << 6)
    *(volatile uint8_t *)0xE000007Cu = 0x80;
    for (;;) {
    }
}

__attribute__((section(".vectors"), used)) static void *const vectors[] = {(void *)0x20005000u, (void *)run};
