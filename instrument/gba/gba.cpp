#include "gba.hpp"

#include <algorithm>

namespace gba
{

int find_pin(const std::string &name)
{
    const auto pin = std::ranges::find(link_pins, name);
    if (pin != link_pins.end())
        return static_cast<int>(pin - link_pins.begin());
    const auto key = std::ranges::find(keys, name);
    return key != keys.end() ? first_key + static_cast<int>(key - keys.begin()) : no_pin;
}

std::string pin_name(int pin)
{
    const auto at = static_cast<std::size_t>(pin);
    return pin < first_key ? link_pins[at] : keys[at - first_key];
}

} // namespace gba
