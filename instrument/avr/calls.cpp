#include "calls.hpp"

#include <algorithm>

namespace avr
{

namespace
{

bool is_call(std::uint16_t op)
{
    return (op & 0xfe0e) == 0x940e || (op & 0xf000) == 0xd000 || op == 0x9509 || op == 0x9519;
}
bool is_jump(std::uint16_t op)
{
    return (op & 0xfe0e) == 0x940c || (op & 0xf000) == 0xc000 || op == 0x9409 || op == 0x9419;
}
bool is_return(std::uint16_t op)
{
    return op == 0x9508 || op == 0x9518;
}
bool is_push(std::uint16_t op)
{
    return (op & 0xfe0f) == 0x920f;
}

} // namespace

Calls::Calls(const instrument::Symbols &symbols, const std::uint8_t *data, unsigned ramend, unsigned pc_bytes,
             std::uint32_t root)
    : symbols_(symbols), data_(data), ramend_(ramend), pc_bytes_(pc_bytes), root_(root),
      records_(ramend + 1U), base_(ramend + 1U)
{
}

bool Calls::is_function(std::uint32_t pc) const
{
    const auto *symbol = symbols_.at(pc);
    return symbol != nullptr && symbol->address == pc;
}

std::uint32_t Calls::function_of(std::uint32_t pc) const
{
    const auto *symbol = symbols_.at(pc);
    return symbol == nullptr ? pc : static_cast<std::uint32_t>(symbol->address);
}

void Calls::executed(std::uint16_t op, std::uint32_t pc, std::uint32_t next, unsigned sp_before,
                     unsigned sp_after)
{
    if (is_call(op)) {
        Record &record = record_call(sp_after);
        Base &base = base_[sp_after + pc_bytes_];
        if (base != Base::left || function_of(pc) == root_)
            base = function_of(pc) == root_ ? Base::root : Base::no;
        record.outermost = base != Base::no;
        record.functions.push_back(function_of(pc));
        entered(&record, next);
    } else if (is_jump(op)) {
        if (is_function(next) && function_of(pc) != next)
            entered(sp_after < ramend_ && good(sp_after + 1) ? &records_[sp_after + 1] : nullptr, next);
        if (function_of(pc) == root_ && sp_after <= ramend_)
            base_[sp_after] = Base::left;
    } else if (is_return(op)) {
        if (sp_before + 1 <= ramend_)
            records_[sp_before + 1].live = false;
    } else if (is_push(op) && sp_before <= ramend_) {
        if (base_[sp_before] == Base::root)
            base_[sp_before] = Base::no;
    }
}

Calls::Record &Calls::record_call(unsigned sp_after)
{
    Record &record = records_[std::min(sp_after + 1, ramend_)];
    record.functions.clear();
    std::copy_n(data_ + sp_after + 1, pc_bytes_, record.bytes.begin());
    record.order = ++order_;
    record.live = true;
    record.handler = record.outermost = false;
    return record;
}

void Calls::entered(Record *record, std::uint32_t target)
{
    if (!is_function(target))
        return;
    if (record != nullptr)
        record->functions.push_back(target);
    sums_.entered(target, &stretch_);
}

bool Calls::good(unsigned address) const
{
    const Record &record = records_[address];
    return record.live && std::equal(data_ + address, data_ + address + pc_bytes_, record.bytes.begin());
}

// Into the stretch: the functions of the running stack's good records, the innermost first on the way up.
void Calls::under_way(unsigned sp)
{
    std::vector<const Record *> found;
    for (unsigned address = sp; address <= ramend_ && base_[address] == Base::no; ++address) {
        if (address == sp || !good(address))
            continue;
        const Record &record = records_[address];
        if (record.handler)
            break;
        found.push_back(&record);
        if (record.outermost)
            break;
        address += pc_bytes_ - 1;
    }
    std::uint64_t order = 0;
    for (auto record = found.rbegin(); record != found.rend(); ++record)
        if ((*record)->order > order) {
            order = (*record)->order;
            stretch_.concerned.insert((*record)->functions.begin(), (*record)->functions.end());
        }
}

void Calls::interrupt(unsigned vector, unsigned sp_after, Cycle now, bool counted)
{
    record_call(sp_after).handler = true;
    stretch_ = {now, vector, true, counted, {}};
}

void Calls::masked(std::uint32_t pc, unsigned sp, Cycle now, bool counted)
{
    stretch_ = {now, pc, false, counted, {}};
    if (!counted)
        return;
    under_way(sp);
    stretch_.concerned.insert(function_of(pc));
}

void Calls::allowed(std::uint32_t pc, Cycle now)
{
    sums_.over(stretch_, pc, now);
    stretch_.counted = false;
}

} // namespace avr
