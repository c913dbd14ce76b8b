#include "serial.hpp"

namespace gba
{

void Machine::receive(std::uint8_t)
{
}

} // namespace gba
