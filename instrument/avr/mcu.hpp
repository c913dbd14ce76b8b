// What differs between two AVR processors and two boards, as data: register addresses (data space), vectors,
// pins. From the datasheets of the ATmega328P and the ATmega640/1280/2560.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace avr
{

struct PinName {
    char port;
    unsigned bit;
    bool operator==(const PinName &) const = default;
};

struct McuTimer {
    unsigned number;
    bool wide; // 16 bits, with TEMP
    std::uint16_t tifr, timsk, tccra, tccrb, tcnt, ocra, ocrb, ocrc, icr;
    unsigned capt, compa, compb, compc, ovf; // vectors; 0: there is none
    PinName outputs[3];                      // OCnA to OCnC
    PinName capture;                         // ICPn; port 0: there is none
};

struct McuPort {
    char letter;
    std::uint16_t pin; // PINx; DDRx and PORTx follow
};

struct McuSpi {
    unsigned vector;
    PinName ss, sck, mosi, miso;
};

struct McuExternal {
    PinName pin;
    unsigned vector;
};

struct McuPinChange {
    std::uint16_t mask;
    unsigned vector;
    std::vector<PinName> pins; // bit 0 first
};

struct Mcu {
    const char *name;
    std::uint32_t flash;
    std::uint16_t ram_start;
    unsigned elf_arch; // the only e_flags machine that runs on it besides the ones below
    std::vector<const char *> vectors;
    std::vector<McuPort> ports;
    std::vector<McuTimer> timers;
    std::vector<McuExternal> externals;
    std::vector<McuPinChange> pin_changes;
    McuSpi spi;
    unsigned uart_rx, uart_udre, uart_tx, spm_ready, ee_ready;
};

struct Board {
    const char *name;
    const char *mcu;
    std::uint64_t clock_hz;
    std::vector<PinName> digital; // D0, D1 …
    std::vector<PinName> analog;  // A0, A1 …
    const char *probes[4];
};

const Mcu *find_mcu(std::string_view name);
const Board *find_board(std::string_view name);
std::string board_names();
std::string mcu_names();

// "D13", "A0" (by the board) or "PB5" to the pin; port 0 if there is none.
PinName find_pin(const Mcu &mcu, const Board &board, std::string_view name);
std::string pin_text(PinName pin); // "PB5"

} // namespace avr
