// Loads and stores of 32 bits: A5.3.5 to A5.3.10.
#include "decode_fields.hpp"

namespace cortexm
{

namespace
{

Op multiple(const Wide &w)
{
    const unsigned kind = w.first_field(7, 2);
    if (kind == 0 || kind == 3) // SRS, RFE
        return w.op(undefined);
    const std::uint32_t how = w.first_field(5, 1) | (kind == 2 ? 2U : 0);
    const bool loads = w.first_field(4, 1) != 0;
    return w.op(loads ? load_multiple : store_multiple, w.second, 0, w.n(), 0, how);
}

// Offset added or subtracted, before the access, after it, or only for it.
Address how_addressed(bool before, bool write_back)
{
    return !write_back ? Address::offset : before ? Address::before : Address::after;
}

Op two(const Wide &w)
{
    const bool before = w.first_field(8, 1) != 0, loads = w.first_field(4, 1) != 0;
    const std::uint32_t units = w.second_field(0, 8) * 4;
    const std::uint32_t offset = w.first_field(7, 1) != 0 ? units : 0U - units;
    Address address = how_addressed(before, w.first_field(5, 1) != 0);
    if (w.n() == 15 && loads)
        address = Address::literal;
    return w.op(loads ? load_two(address) : store_two(address), offset, w.second_field(12, 4), w.n(), 0,
                w.second_field(8, 4));
}

Op exclusive_or_table(const Wide &w)
{
    const bool loads = w.first_field(4, 1) != 0;
    const unsigned kind = w.second_field(4, 4);
    const auto t = w.second_field(12, 4);
    if (loads && kind < 2)
        return w.op(branch_table, 0, 0, w.n(), w.m(), kind);
    if (kind != 4 && kind != 5)
        return w.op(undefined);
    const Width width = kind == 4 ? Width::byte : Width::half;
    if (loads)
        return w.op(load_exclusive(width), 0, t, w.n());
    return w.op(store_exclusive(width), 0, w.m(), w.n(), t);
}

Op exclusive_word(const Wide &w)
{
    const std::uint32_t offset = w.second_field(0, 8) * 4, t = w.second_field(12, 4);
    if (w.first_field(4, 1) != 0)
        return w.op(load_exclusive(Width::word), offset, t, w.n());
    return w.op(store_exclusive(Width::word), offset, w.second_field(8, 4), w.n(), t);
}

struct Target {
    Width width;
    bool loads;
    std::uint32_t t;
};

// The same address for a load, a store, a load of pc.
Op access(const Wide &w, const Target &target, Address address, std::uint32_t imm, std::uint32_t m = 0,
          std::uint32_t shift = 0)
{
    Run run = nullptr;
    if (!target.loads)
        run = store(target.width, address);
    else if (target.t == 15 && target.width == Width::word)
        run = load_pc(address);
    else
        run = load(target.width, address);
    return w.op(run, imm, target.t, w.n(), m, shift);
}

// A load of pc that is not a word's is a hint to fetch ahead, and does nothing.
bool is_hint(const Wide &w, const Target &target)
{
    if (!target.loads || target.t != 15 || target.width == Width::word)
        return false;
    const bool offset_only =
        w.n() == 15 || w.first_field(7, 1) != 0 || w.second_field(6, 6) == 0 || w.second_field(8, 4) == 12;
    return offset_only;
}

// Eight bits of offset with P, U and W.
Op access_eight_bits(const Wide &w, const Target &target)
{
    const bool before = w.second_field(10, 1) != 0, up = w.second_field(9, 1) != 0,
               write_back = w.second_field(8, 1) != 0;
    const std::uint32_t imm = w.second_field(0, 8);
    if (!before && !write_back)
        return w.op(undefined);
    if (before && up && !write_back) {
        const Run run = target.loads ? load_unprivileged(target.width) : store_unprivileged(target.width);
        return w.op(run, imm, target.t, w.n());
    }
    return access(w, target, how_addressed(before, write_back), up ? imm : 0U - imm);
}

} // namespace

Op decode_several(const Wide &w)
{
    if (w.first_field(6, 1) == 0)
        return multiple(w);
    if (w.first_field(8, 1) != 0 || w.first_field(5, 1) != 0)
        return two(w);
    return w.first_field(7, 1) != 0 ? exclusive_or_table(w) : exclusive_word(w);
}

Op decode_access(const Wide &w)
{
    const bool with_sign = w.first_field(8, 1) != 0;
    const unsigned size = w.first_field(5, 2);
    const bool loads = w.first_field(4, 1) != 0;
    if (size == 3 || (with_sign && (size == 2 || !loads)) || (!loads && w.n() == 15))
        return w.op(undefined);
    constexpr Width widths[] = {Width::byte, Width::half, Width::word};
    constexpr Width signed_widths[] = {Width::signed_byte, Width::signed_half};
    const Target target{with_sign ? signed_widths[size] : widths[size], loads, w.second_field(12, 4)};
    if (is_hint(w, target))
        return w.op(no_operation);
    const std::uint32_t twelve_bits = w.second_field(0, 12);
    const bool up = w.first_field(7, 1) != 0;
    if (w.n() == 15)
        return access(w, target, Address::literal, up ? twelve_bits : 0U - twelve_bits);
    if (up)
        return access(w, target, Address::offset, twelve_bits);
    if (w.second_field(11, 1) != 0)
        return access_eight_bits(w, target);
    if (w.second_field(6, 6) != 0)
        return w.op(undefined);
    return access(w, target, Address::indexed, 0, w.m(), w.second_field(4, 2));
}

} // namespace cortexm
