#include "semihosting.hpp"

namespace cortexm
{

namespace
{

constexpr std::uint32_t op_open = 0x01, op_close = 0x02, op_writec = 0x03, op_write0 = 0x04, op_write = 0x05,
                        op_read = 0x06, op_istty = 0x09, op_errno = 0x13, op_exit = 0x18,
                        op_exit_extended = 0x20;
constexpr std::uint32_t failed = ~0u, console = 1, application_exit = 0x20026;

} // namespace

std::uint32_t Semihosting::argument(unsigned index)
{
    std::uint32_t value = 0;
    if (!cpu_.bus().read(cpu_.r[1] + 4 * index, 4, value))
        outside_.crash("semihosting arguments outside memory");
    return value;
}

std::uint32_t Semihosting::byte(std::uint32_t address)
{
    std::uint32_t value = 0;
    if (!cpu_.bus().read(address, 1, value))
        outside_.crash("semihosting text outside memory");
    return value;
}

void Semihosting::call()
{
    std::uint32_t &r0 = cpu_.r[0];
    switch (r0) {
    case op_open:
        r0 = open();
        break;
    case op_close:
        r0 = 0;
        break;
    case op_writec:
        outside_.say(static_cast<char>(byte(cpu_.r[1])));
        break;
    case op_write0:
        for (std::uint32_t at = cpu_.r[1], c = 0; (c = byte(at)) != 0; ++at)
            outside_.say(static_cast<char>(c));
        break;
    case op_write:
        r0 = write();
        break;
    case op_read:
        r0 = argument(2); // nothing read: the end of the file
        break;
    case op_istty:
        r0 = argument(0) == console ? 1 : 0;
        break;
    case op_errno:
        r0 = 0;
        break;
    case op_exit: // the reason itself is the argument
        exit(cpu_.r[1], 0);
        break;
    case op_exit_extended:
        exit(argument(0), argument(1));
        break;
    default:
        outside_.crash("semihosting operation " + std::to_string(r0) + ", which is not modelled");
    }
}

std::uint32_t Semihosting::open()
{
    const std::uint32_t name = argument(0);
    const bool is_console =
        argument(2) == 3 && byte(name) == ':' && byte(name + 1) == 't' && byte(name + 2) == 't';
    return is_console ? console : failed;
}

// Gives the number of bytes that were not written.
std::uint32_t Semihosting::write()
{
    const std::uint32_t from = argument(1), length = argument(2);
    if (argument(0) != console)
        return length;
    std::uint32_t run = 0;
    if (length > 0 && (cpu_.bus().bytes_at(from, run) == nullptr || run < length)) {
        outside_.crash("semihosting text outside memory");
        return length;
    }
    for (std::uint32_t i = 0; i < length; ++i)
        outside_.say(static_cast<char>(byte(from + i)));
    return 0;
}

// A status is 0 to 127 here; what is more, and every reason but a program's own exit, is a failure.
void Semihosting::exit(std::uint32_t reason, std::uint32_t status)
{
    if (reason != application_exit)
        outside_.end(1);
    else
        outside_.end(status < 128 ? status : 127);
}

} // namespace cortexm
