// The console's receive wire: the link port's UART, which libmgba has not. What arrives is kept until it is read.
#pragma once
#include "machine.hpp"
namespace gba
{
class Serial
{
};
} // namespace gba
