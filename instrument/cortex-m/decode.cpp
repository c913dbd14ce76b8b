#include "decode.hpp"
#include "execute.hpp"

namespace cortexm
{

Op decode(Core core, std::uint16_t first, std::uint16_t second)
{
    Op op = is_wide(first) ? decode_wide(core, first, second) : decode_narrow(core, first);
    op.continues = op.run == load_multiple || op.run == store_multiple;
    return op;
}

} // namespace cortexm
