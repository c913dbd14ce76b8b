// The board: a Game Boy Advance. What its pins and interrupts are called, where its memories are.
#pragma once
#include <array>
#include <cstdint>
#include <string>

namespace gba
{

inline constexpr std::uint64_t clock_hz = 16777216;

struct Region {
    std::uint32_t base, size;
};
inline constexpr Region bios{0x00000000, 0x4000}, ewram{0x02000000, 0x40000}, iwram{0x03000000, 0x8000},
    registers{0x04000000, 0x400}, palette{0x05000000, 0x400}, vram{0x06000000, 0x18000}, oam{0x07000000, 0x400},
    rom{0x08000000, 0x02000000};
inline constexpr std::uint32_t handler_address = 0x03fffffc; // a mirror of the end of IWRAM
inline constexpr bool holds(const Region &region, std::uint32_t address)
{
    return address - region.base < region.size;
}

// Registers of the machine.
inline constexpr std::uint32_t rcnt = 0x04000134, siodata8 = 0x0400012a, siocnt = 0x04000128, haltcnt = 0x04000301,
                               keyinput = 0x04000130,
                               gpio_data = 0x080000c4, gpio_direction = 0x080000c6;
inline constexpr unsigned index_ie = 0x200 / 2, index_if = 0x202 / 2, index_ime = 0x208 / 2;
// Where libmgba's debugging console is; here a byte written to its text is a byte of the console. And a register of this
// instrument alone: a mark, or the end.
inline constexpr Region text{0x04fff600, 0x100}, text_control{0x04fff700, 0x82};
inline constexpr std::uint32_t mark_register = 0x04fff7f0;

// Pins: four of the link port, in its general-purpose mode; four of a cartridge, as its rumble motor has one, outputs
// alone; and ten keys. The number of the first eight is their bit in what is driven, that of a key 16 and its bit in
// KEYINPUT.
inline constexpr std::array<const char *, 8> link_pins{"SC", "SD", "SI", "SO", "GP0", "GP1", "GP2", "GP3"};
inline constexpr unsigned si_bit = 4;
inline constexpr std::array<const char *, 10> keys{"A",  "B",    "SELECT", "START", "RIGHT",
                                                   "LEFT", "UP", "DOWN",   "R",     "L"};
inline constexpr int no_pin = -1, first_key = 16;
int find_pin(const std::string &name);
std::string pin_name(int pin);

// Interrupts by their bit in IE and IF; a vector's number is one more.
inline constexpr std::array<const char *, 14> interrupts{"VBLANK", "HBLANK", "VCOUNT", "TIMER0", "TIMER1",
                                                         "TIMER2", "TIMER3", "SERIAL", "DMA0",   "DMA1",
                                                         "DMA2",   "DMA3",   "KEYPAD", "GAMEPAK"};

} // namespace gba
