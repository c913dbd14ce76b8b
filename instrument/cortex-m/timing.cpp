#include "timing.hpp"
#include "../common/failure.hpp"

#include <algorithm>
#include <bit>
#include <sstream>

namespace cortexm
{

namespace
{

// The bounds: what Arm gives as a range, and what chips differ in. The M0 and M0+ have no ranges: their
// manuals give one figure each, and the exit, which they do not give, is unstacking 8 words and a refill.
Timing named(const std::string &name, Core core)
{
    Timing timing;
    if (core == Core::m0 || core == Core::m0plus) {
        timing.entry = core == Core::m0 ? 16 : 15;
        timing.exit = core == Core::m0 ? 13 : 12;
    }
    if (name == "main")
        return timing;
    if (name == "low") {
        timing.refill = 1;
        timing.store = 1;
        timing.it = 0;
        timing.exit = core == Core::m3 ? 10 : timing.exit;
        return timing;
    }
    if (name == "high") {
        timing.refill = 3;
        if (core != Core::m3)
            return timing;
        timing.behind_store = 0;
        timing.literal = 1;
        timing.load_pc = 5;
        timing.table_branch = 6;
        timing.cps = 2;
        timing.dsb = 4;
        return timing;
    }
    throw instrument::Failure(instrument::Exit::usage, "--timing: '" + name + "' is none of main, low, high");
}

struct Parameter {
    const char *name;
    unsigned Timing::*member;
    unsigned least, most;
};

constexpr Parameter parameters[] = {
    {"refill", &Timing::refill, 1, 3},
    {"store", &Timing::store, 1, 2},
    {"dependent", &Timing::dependent, 0, 1},
    {"it", &Timing::it, 0, 1},
    {"entry", &Timing::entry, 1, 64},
    {"exit", &Timing::exit, 1, 64},
    {"tail-chain", &Timing::tail_chain, 1, 64},
    {"wait-states", &Timing::wait_states, 0, 7},
    {"multiply", &Timing::multiply, 1, 32},
    {"behind-store", &Timing::behind_store, 0, 1},
    {"literal", &Timing::literal, 0, 1},
    {"load-pc", &Timing::load_pc, 0, 16},
    {"table-branch", &Timing::table_branch, 0, 16},
    {"cps", &Timing::cps, 1, 2},
    {"dsb", &Timing::dsb, 1, 16},
};

[[noreturn]] void refuse(const std::string &part)
{
    std::string known = "prefetch";
    for (const Parameter &parameter : parameters)
        known += std::string(", ") + parameter.name;
    throw instrument::Failure(instrument::Exit::usage,
                              "--timing: '" + part + "' is no name=number of: " + known);
}

void set(Timing &timing, const std::string &part)
{
    const auto equals = part.find('=');
    if (part == "wait-states=register") {
        timing.by_register = true;
        return;
    }
    const auto number =
        equals == std::string::npos ? std::nullopt : instrument::parse_number(part.substr(equals + 1));
    if (!number)
        refuse(part);
    const std::string name = part.substr(0, equals);
    if (name == "prefetch" && *number <= 1) {
        timing.prefetch = *number == 1;
        return;
    }
    const auto found =
        std::ranges::find_if(parameters, [&name](const Parameter &p) { return name == p.name; });
    if (found == std::end(parameters))
        refuse(part);
    if (*number < found->least || *number > found->most)
        throw instrument::Failure(instrument::Exit::usage,
                                  "--timing: " + name + " is " + std::to_string(found->least) + " to " +
                                      std::to_string(found->most) + ", not " + part.substr(equals + 1));
    timing.*found->member = static_cast<unsigned>(*number);
    timing.by_register = timing.by_register && found->member != &Timing::wait_states;
}

} // namespace

Timing parse_timing(const std::string &text, Core core)
{
    std::istringstream parts(text);
    std::string part;
    std::getline(parts, part, ',');
    const bool starts_with_name = part.find('=') == std::string::npos;
    Timing timing = named(starts_with_name ? part : "main", core);
    if (!starts_with_name)
        set(timing, part);
    while (std::getline(parts, part, ','))
        set(timing, part);
    return timing;
}

// M3: "Cortex-M3 Technical Reference Manual" r2p1, table 3-1, where P is 1 to 3. M0 and M0+: their manuals'
// tables of the instruction set; there a branch has one figure.
Costs::Costs(Core core, const Timing &timing)
{
    const bool m3 = core == Core::m3;
    refill = m3 ? timing.refill : core == Core::m0 ? 3 : 2;
    branch = m3 ? 1 + timing.refill : core == Core::m0 ? 3 : 2;
    call = m3 ? 1 + timing.refill : core == Core::m0 ? 4 : 3;
    const auto at_least = [this](unsigned least) { return std::max(refill, least - std::min(least, 2U)); };
    load_pc = m3 ? at_least(timing.load_pc) : refill;
    table = at_least(timing.table_branch);
    literal = m3 ? timing.literal : 0;
    store = m3 ? timing.store : 2;
    store_register = 2;
    pipelined = m3;
    dependent = timing.dependent != 0;
    behind_store = timing.behind_store != 0;
    multiply = m3 ? 1 : timing.multiply;
    special = m3 ? 2 : core == Core::m0 ? 4 : 3;
    cps = m3 ? timing.cps : 1;
    dmb = m3 ? 1 : core == Core::m0 ? 4 : 3;
    dsb = m3 ? timing.dsb : dmb;
    isb = m3 ? 1 + timing.refill : dmb;
    wait = m3 ? 1 : 2;
    it = timing.it;
}

// The manual: 2 to 12, "depending on the number of leading ones and zeroes in the operands". Assumed: 2 if
// the quotient is 0 or the divisor is; else the quotient's bits, as many as the leading zeros differ by and
// one more, go into the ten cycles between evenly, so that 32 bits take all 12.
unsigned divide_cycles(std::uint32_t dividend, std::uint32_t divisor, bool with_sign)
{
    const auto magnitude = [with_sign](std::uint32_t value) {
        return with_sign && (value >> 31) != 0 ? 0U - value : value;
    };
    const std::uint32_t n = magnitude(dividend), d = magnitude(divisor);
    if (d == 0 || n < d)
        return 2;
    const auto bits = static_cast<unsigned>(std::countl_zero(d) - std::countl_zero(n)) + 1;
    return 2 + (bits * 10 + 31) / 32;
}

// The manual: 3 to 5, with accumulation 4 to 7, "depending on the size of the source values"; an earlier
// issue of it (r1p1) adds that with signs they take one cycle more than without. Assumed: size means 16 bits;
// a product without accumulation takes one cycle more if any operand has more than that, one with
// accumulation one more for each that has.
unsigned long_multiply_cycles(std::uint32_t a, std::uint32_t b, bool with_sign, bool accumulate)
{
    const auto wide = [with_sign](std::uint32_t value) {
        return with_sign ? static_cast<std::int32_t>(value) != static_cast<std::int16_t>(value)
                         : value > 0xffff;
    };
    const unsigned operands = static_cast<unsigned>(wide(a)) + static_cast<unsigned>(wide(b));
    const unsigned base = (accumulate ? 4U : 3U) + static_cast<unsigned>(with_sign);
    return base + (accumulate ? operands : std::min(operands, 1U));
}

unsigned Flash::read(std::uint32_t address, Cycle now)
{
    if (address >= end)
        return 0;
    if (ready_ > now)
        ready_ += wait_states_ + 1;
    return wait_states_;
}

unsigned Flash::line(std::uint32_t address, Cycle now)
{
    const std::uint32_t wanted = address >> 3;
    if (wanted == current_ || address >= end)
        return 0;
    unsigned waits = wait_states_;
    if (prefetch_ && wanted == under_way_)
        waits = ready_ > now ? static_cast<unsigned>(ready_ - now) : 0;
    current_ = wanted;
    under_way_ = wanted + 1;
    ready_ = now + waits + wait_states_ + 1;
    return waits;
}

} // namespace cortexm
