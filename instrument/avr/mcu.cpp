#include "mcu.hpp"

#include <algorithm>
#include <cctype>

namespace avr
{

namespace
{

std::vector<PinName> row(char port, unsigned first, unsigned last)
{
    std::vector<PinName> pins;
    for (unsigned bit = first;; first <= last ? ++bit : --bit) {
        pins.push_back({port, bit});
        if (bit == last)
            return pins;
    }
}

std::vector<PinName> join(std::initializer_list<std::vector<PinName>> rows)
{
    std::vector<PinName> pins;
    for (const auto &one : rows)
        pins.insert(pins.end(), one.begin(), one.end());
    return pins;
}

bool has_port(const Mcu &mcu, char letter)
{
    return std::any_of(mcu.ports.begin(), mcu.ports.end(),
                       [letter](const McuPort &port) { return port.letter == letter; });
}

const Mcu mega328p{
    "atmega328p",
    32 * 1024,
    0x100,
    5,
    {"RESET",        "INT0",         "INT1",         "PCINT0",       "PCINT1",      "PCINT2",
     "WDT",          "TIMER2_COMPA", "TIMER2_COMPB", "TIMER2_OVF",   "TIMER1_CAPT", "TIMER1_COMPA",
     "TIMER1_COMPB", "TIMER1_OVF",   "TIMER0_COMPA", "TIMER0_COMPB", "TIMER0_OVF",  "SPI_STC",
     "USART_RX",     "USART_UDRE",   "USART_TX",     "ADC",          "EE_READY",    "ANALOG_COMP",
     "TWI",          "SPM_READY"},
    {{'B', 0x23}, {'C', 0x26}, {'D', 0x29}},
    {{0, false, 0x35, 0x6e, 0x44, 0x45, 0x46, 0x47, 0x48, 0, 0, 0, 14, 15, 0, 16, {{'D', 6}, {'D', 5}}, {}},
     {1,
      true,
      0x36,
      0x6f,
      0x80,
      0x81,
      0x84,
      0x88,
      0x8a,
      0,
      0x86,
      10,
      11,
      12,
      0,
      13,
      {{'B', 1}, {'B', 2}},
      {'B', 0}},
     {2, false, 0x37, 0x70, 0xb0, 0xb1, 0xb2, 0xb3, 0xb4, 0, 0, 0, 7, 8, 0, 9, {{'B', 3}, {'D', 3}}, {}}},
    {{{'D', 2}, 1}, {{'D', 3}, 2}},
    {{0x6b, 3, row('B', 0, 7)}, {0x6c, 4, row('C', 0, 6)}, {0x6d, 5, row('D', 0, 7)}},
    {17, {'B', 2}, {'B', 5}, {'B', 3}, {'B', 4}},
    18,
    19,
    20,
    25,
    22,
};

const Mcu mega2560{
    "atmega2560",
    256 * 1024,
    0x200,
    6,
    {"RESET",        "INT0",         "INT1",         "INT2",         "INT3",         "INT4",
     "INT5",         "INT6",         "INT7",         "PCINT0",       "PCINT1",       "PCINT2",
     "WDT",          "TIMER2_COMPA", "TIMER2_COMPB", "TIMER2_OVF",   "TIMER1_CAPT",  "TIMER1_COMPA",
     "TIMER1_COMPB", "TIMER1_COMPC", "TIMER1_OVF",   "TIMER0_COMPA", "TIMER0_COMPB", "TIMER0_OVF",
     "SPI_STC",      "USART0_RX",    "USART0_UDRE",  "USART0_TX",    "ANALOG_COMP",  "ADC",
     "EE_READY",     "TIMER3_CAPT",  "TIMER3_COMPA", "TIMER3_COMPB", "TIMER3_COMPC", "TIMER3_OVF",
     "USART1_RX",    "USART1_UDRE",  "USART1_TX",    "TWI",          "SPM_READY",    "TIMER4_CAPT",
     "TIMER4_COMPA", "TIMER4_COMPB", "TIMER4_COMPC", "TIMER4_OVF",   "TIMER5_CAPT",  "TIMER5_COMPA",
     "TIMER5_COMPB", "TIMER5_COMPC", "TIMER5_OVF",   "USART2_RX",    "USART2_UDRE",  "USART2_TX",
     "USART3_RX",    "USART3_UDRE",  "USART3_TX"},
    {{'A', 0x20},
     {'B', 0x23},
     {'C', 0x26},
     {'D', 0x29},
     {'E', 0x2c},
     {'F', 0x2f},
     {'G', 0x32},
     {'H', 0x100},
     {'J', 0x103},
     {'K', 0x106},
     {'L', 0x109}},
    {{0, false, 0x35, 0x6e, 0x44, 0x45, 0x46, 0x47, 0x48, 0, 0, 0, 21, 22, 0, 23, {{'B', 7}, {'G', 5}}, {}},
     {1,
      true,
      0x36,
      0x6f,
      0x80,
      0x81,
      0x84,
      0x88,
      0x8a,
      0x8c,
      0x86,
      16,
      17,
      18,
      19,
      20,
      {{'B', 5}, {'B', 6}, {'B', 7}},
      {'D', 4}},
     {2, false, 0x37, 0x70, 0xb0, 0xb1, 0xb2, 0xb3, 0xb4, 0, 0, 0, 13, 14, 0, 15, {{'B', 4}, {'H', 6}}, {}},
     {3,
      true,
      0x38,
      0x71,
      0x90,
      0x91,
      0x94,
      0x98,
      0x9a,
      0x9c,
      0x96,
      31,
      32,
      33,
      34,
      35,
      {{'E', 3}, {'E', 4}, {'E', 5}},
      {'E', 7}},
     {4,
      true,
      0x39,
      0x72,
      0xa0,
      0xa1,
      0xa4,
      0xa8,
      0xaa,
      0xac,
      0xa6,
      41,
      42,
      43,
      44,
      45,
      {{'H', 3}, {'H', 4}, {'H', 5}},
      {'L', 0}},
     {5,
      true,
      0x3a,
      0x73,
      0x120,
      0x121,
      0x124,
      0x128,
      0x12a,
      0x12c,
      0x126,
      46,
      47,
      48,
      49,
      50,
      {{'L', 3}, {'L', 4}, {'L', 5}},
      {'L', 1}}},
    {{{'D', 0}, 1},
     {{'D', 1}, 2},
     {{'D', 2}, 3},
     {{'D', 3}, 4},
     {{'E', 4}, 5},
     {{'E', 5}, 6},
     {{'E', 6}, 7},
     {{'E', 7}, 8}},
    {{0x6b, 9, row('B', 0, 7)},
     {0x6c, 10, join({row('E', 0, 0), row('J', 0, 6)})},
     {0x6d, 11, row('K', 0, 7)}},
    {24, {'B', 0}, {'B', 1}, {'B', 2}, {'B', 3}},
    25,
    26,
    27,
    40,
    30,
};

const Board boards[] = {
    {"uno",
     "atmega328p",
     16000000,
     join({row('D', 0, 7), row('B', 0, 5)}),
     row('C', 0, 5),
     {"D13", "D12", "D11", "D10"}},
    {"mega2560",
     "atmega2560",
     16000000,
     join({row('E', 0, 1), row('E', 4, 5), row('G', 5, 5), row('E', 3, 3), row('H', 3, 6), row('B', 4, 7),
           row('J', 1, 0), row('H', 1, 0), row('D', 3, 0), row('A', 0, 7), row('C', 7, 0), row('D', 7, 7),
           row('G', 2, 0), row('L', 7, 0), row('B', 3, 0)}),
     join({row('F', 0, 7), row('K', 0, 7)}),
     {"D13", "D12", "D11", "D10"}},
};

} // namespace

const Mcu *find_mcu(std::string_view name)
{
    for (const Mcu *mcu : {&mega328p, &mega2560})
        if (name == mcu->name)
            return mcu;
    return nullptr;
}

const Board *find_board(std::string_view name)
{
    for (const Board &board : boards)
        if (name == board.name)
            return &board;
    return nullptr;
}

std::string board_names()
{
    return "uno, mega2560";
}

std::string mcu_names()
{
    return "atmega328p, atmega2560";
}

PinName find_pin(const Mcu &mcu, const Board &board, std::string_view name)
{
    constexpr PinName no_pin{0, 0};
    if (name.size() < 2)
        return no_pin;
    const char kind = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
    if (kind == 'P' && name.size() == 3) {
        const char letter = static_cast<char>(std::toupper(static_cast<unsigned char>(name[1])));
        const unsigned bit = static_cast<unsigned>(name[2] - '0');
        return has_port(mcu, letter) && bit < 8 ? PinName{letter, bit} : no_pin;
    }
    if (kind != 'D' && kind != 'A')
        return no_pin;
    unsigned number = 0;
    for (const char c : name.substr(1)) {
        if (c < '0' || c > '9' || number > 99)
            return no_pin;
        number = number * 10 + static_cast<unsigned>(c - '0');
    }
    const auto &pins = kind == 'D' ? board.digital : board.analog;
    return number < pins.size() && has_port(mcu, pins[number].port) ? pins[number] : no_pin;
}

std::string pin_text(PinName pin)
{
    return std::string{'P', pin.port} + std::to_string(pin.bit);
}

} // namespace avr
