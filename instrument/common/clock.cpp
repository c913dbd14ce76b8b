#include "clock.hpp"

#include <charconv>
#include <cmath>
#include <string>

namespace instrument
{

std::optional<std::uint64_t> parse_number(std::string_view text)
{
    int base = 10;
    if (text.starts_with("0x") || text.starts_with("0X")) {
        text.remove_prefix(2);
        base = 16;
    }
    std::uint64_t value = 0;
    const char *end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, value, base);
    if (error != std::errc{} || stopped != end || text.empty())
        return std::nullopt;
    return value;
}

std::optional<Cycle> parse_cycles(std::string_view text, std::uint64_t clock_hz)
{
    if (const auto plain = parse_number(text))
        return plain;

    double number = 0;
    const char *end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc{} || number < 0)
        return std::nullopt;

    const std::string_view suffix(stopped, static_cast<std::size_t>(end - stopped));
    double scale = 0;
    if (suffix == "k")
        scale = 1e3;
    else if (suffix == "M")
        scale = 1e6;
    else if (suffix == "G")
        scale = 1e9;
    else if (suffix == "us")
        scale = static_cast<double>(clock_hz) / 1e6;
    else if (suffix == "ms")
        scale = static_cast<double>(clock_hz) / 1e3;
    else if (suffix == "s")
        scale = static_cast<double>(clock_hz);
    if (scale == 0 || number * scale > 9e18)
        return std::nullopt;
    return static_cast<Cycle>(std::llround(number * scale));
}

} // namespace instrument
