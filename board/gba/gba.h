/* Registers. */
#ifndef GBA_H
#define GBA_H

#include <stdint.h>

#define GBA_16(offset) (*(volatile uint16_t *)(0x04000000u + (offset)))
#define GBA_32(offset) (*(volatile uint32_t *)(0x04000000u + (offset)))

#define GBA_DISPCNT GBA_16(0x000)

/* DMA channel 0 to 3: source, destination, count and control (in one write). */
#define GBA_DMA_SOURCE(channel) GBA_32(0x0B0 + 12 * (channel))
#define GBA_DMA_DESTINATION(channel) GBA_32(0x0B4 + 12 * (channel))
#define GBA_DMA_CONTROL(channel) GBA_32(0x0B8 + 12 * (channel))
#define GBA_DMA_GO_INTERRUPT 0xC0000001u /* at once, one halfword, and an interrupt at its end */

/* Timer 0 to 3: the counter; its reload value and control in one write, or control alone. */
#define GBA_TIMER_COUNT(timer) GBA_16(0x100 + 4 * (timer))
#define GBA_TIMER(timer) GBA_32(0x100 + 4 * (timer))
#define GBA_TIMER_CONTROL(timer) GBA_16(0x102 + 4 * (timer))
#define GBA_TIMER_BY_64 1u
#define GBA_TIMER_CASCADE 4u
#define GBA_TIMER_INTERRUPT 0x40u
#define GBA_TIMER_ENABLE 0x80u

#define GBA_KEYINPUT GBA_16(0x130)
#define GBA_KEYCNT GBA_16(0x132)
#define GBA_RCNT GBA_16(0x134)
#define GBA_RCNT_OUTPUTS 0x80F0u /* the link port's four pins; their levels are bits 0 to 3 */

#define GBA_IE GBA_16(0x200)
#define GBA_IF GBA_16(0x202)
#define GBA_IME GBA_16(0x208)
#define GBA_HALTCNT (*(volatile uint8_t *)0x04000301u)

enum { GBA_IRQ_VBLANK, GBA_IRQ_TIMER0 = 3, GBA_IRQ_DMA0 = 8, GBA_IRQ_KEYPAD = 12 };

/* What the boot ROM jumps to. */
#define GBA_HANDLER (*(void (*volatile *)(void))0x03FFFFFCu)

/* The console of mGBA, an emulator: a line of text, and a word that shows it. And a register of the
 * instrument attacca-gba: a mark, or the end of the run. On a real machine there is nothing. */
#define GBA_TEXT ((volatile uint8_t *)0x04FFF600u)
#define GBA_TEXT_SHOW (*(volatile uint16_t *)0x04FFF700u)
#define GBA_TEXT_ENABLE (*(volatile uint16_t *)0x04FFF780u)
#define GBA_MARK (*(volatile uint8_t *)0x04FFF7F0u)

#endif
