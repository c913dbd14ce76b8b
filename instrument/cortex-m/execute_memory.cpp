// Loads and stores of one register or two.
//
// Pipelining, M3: a load or store of one register takes two cycles (`store` for a store), and one if the
// instruction before was such a load or store, unless its address depends on the register that that one
// loaded (Timing::dependent), or that one was a store and nothing is pipelined behind stores
// (Timing::behind_store). So a row of N takes N + 1. Whether both accesses follow each other is told by
// the moment: the earlier one ended in this cycle. What moves several registers, and loads of pc, is not
// pipelined with anything.
#include "execute.hpp"

namespace cortexm
{

namespace
{

template <Width W>
constexpr unsigned size_of = W == Width::word                              ? 4
                             : W == Width::half || W == Width::signed_half ? 2
                                                                           : 1;

template <Width W> std::uint32_t extended(std::uint32_t value)
{
    if constexpr (W == Width::signed_half)
        return static_cast<std::uint32_t>(static_cast<std::int16_t>(value));
    if constexpr (W == Width::signed_byte)
        return static_cast<std::uint32_t>(static_cast<std::int8_t>(value));
    return value;
}

template <Address A> std::uint32_t address_of(const Cpu &cpu, const Op &op)
{
    if constexpr (A == Address::after)
        return cpu.r[op.n];
    if constexpr (A == Address::indexed)
        return cpu.r[op.n] + (cpu.r[op.m] << op.a);
    if constexpr (A == Address::literal)
        return align(cpu.r[pc] + 4) + op.imm;
    return cpu.r[op.n] + op.imm;
}

template <Address A> std::uint32_t address_registers(const Op &op)
{
    if constexpr (A == Address::literal)
        return 0;
    return 1U << op.n | (A == Address::indexed ? 1U << op.m : 0);
}

template <Address A> void write_back(Cpu &cpu, const Op &op)
{
    if constexpr (A == Address::before || A == Address::after)
        set(cpu, op.n, cpu.r[op.n] + op.imm);
}

void count(Cpu &cpu, unsigned alone, std::uint32_t needs)
{
    const bool follows = cpu.cost.pipelined && cpu.pair_end == cpu.cycle;
    const bool waits = cpu.cost.dependent && (cpu.pair_loads & needs) != 0;
    cpu.cycle += follows && !waits ? 1 : alone;
}

void wait_for_flash(Cpu &cpu, std::uint32_t address)
{
    if (cpu.flash.slow())
        cpu.cycle += cpu.flash.read(address, cpu.cycle);
}

void pair_up(Cpu &cpu, std::uint32_t loaded)
{
    cpu.pair_end = cpu.cycle;
    cpu.pair_loads = loaded;
}

void stored(Cpu &cpu, std::uint32_t result)
{
    if (cpu.cost.behind_store)
        pair_up(cpu, result);
}

template <Address A> unsigned store_alone(const Cpu &cpu)
{
    return A == Address::indexed ? cpu.cost.store_register : cpu.cost.store;
}

// What a load relative to pc takes more.
template <Address A> unsigned literal(const Cpu &cpu)
{
    return A == Address::literal ? cpu.cost.literal : 0;
}

template <Width W, Address A> void load_function(Cpu &cpu, const Op &op)
{
    const std::uint32_t address = address_of<A>(cpu, op);
    count(cpu, cpu.cost.load, address_registers<A>(op));
    cpu.cycle += literal<A>(cpu);
    wait_for_flash(cpu, address);
    std::uint32_t value = 0;
    if (!cpu.load(address, size_of<W>, value)) {
        cpu.abandoned = true;
        return;
    }
    write_back<A>(cpu, op);
    set(cpu, op.d, extended<W>(value));
    pair_up(cpu, 1U << op.d);
    cpu.r[pc] += op.length;
}

template <Width W, Address A> void store_function(Cpu &cpu, const Op &op)
{
    const std::uint32_t address = address_of<A>(cpu, op);
    count(cpu, store_alone<A>(cpu), address_registers<A>(op));
    if (!cpu.store(address, size_of<W>, cpu.r[op.d])) {
        cpu.abandoned = true;
        return;
    }
    write_back<A>(cpu, op);
    stored(cpu, 0);
    cpu.r[pc] += op.length;
}

template <Address A> void load_pc_function(Cpu &cpu, const Op &op)
{
    const std::uint32_t address = address_of<A>(cpu, op);
    cpu.cycle += cpu.cost.load + literal<A>(cpu);
    wait_for_flash(cpu, address);
    std::uint32_t target = 0;
    if (!cpu.load(address, 4, target)) {
        cpu.abandoned = true;
        return;
    }
    write_back<A>(cpu, op);
    interwork(cpu, target, cpu.cost.load_pc);
}

template <Width W> void load_unprivileged_function(Cpu &cpu, const Op &op)
{
    cpu.as_unprivileged = true;
    load_function<W, Address::offset>(cpu, op);
    cpu.as_unprivileged = false;
}
template <Width W> void store_unprivileged_function(Cpu &cpu, const Op &op)
{
    cpu.as_unprivileged = true;
    store_function<W, Address::offset>(cpu, op);
    cpu.as_unprivileged = false;
}

bool aligned(Cpu &cpu, std::uint32_t address, std::uint32_t size)
{
    if ((address & (size - 1)) == 0)
        return true;
    cpu.fault(exception::usage_fault, fault::unaligned);
    return false;
}

// A cycle for the address, one for each word.
template <Address A> void load_two_function(Cpu &cpu, const Op &op)
{
    const std::uint32_t address = address_of<A>(cpu, op);
    if (!aligned(cpu, address, 4))
        return;
    std::uint32_t first = 0, second = 0;
    cpu.cycle += 2 + literal<A>(cpu);
    wait_for_flash(cpu, address);
    bool answered = cpu.load(address, 4, first);
    if (answered) {
        cpu.cycle += 1;
        answered = cpu.load(address + 4, 4, second);
    }
    if (!answered) {
        cpu.abandoned = true;
        return;
    }
    write_back<A>(cpu, op);
    set(cpu, op.d, first);
    set(cpu, op.a, second);
    cpu.r[pc] += op.length;
}

template <Address A> void store_two_function(Cpu &cpu, const Op &op)
{
    const std::uint32_t address = address_of<A>(cpu, op);
    if (!aligned(cpu, address, 4))
        return;
    cpu.cycle += 2;
    bool answered = cpu.store(address, 4, cpu.r[op.d]);
    if (answered) {
        cpu.cycle += 1;
        answered = cpu.store(address + 4, 4, cpu.r[op.a]);
    }
    if (!answered) {
        cpu.abandoned = true;
        return;
    }
    write_back<A>(cpu, op);
    cpu.r[pc] += op.length;
}

template <Width W> void load_exclusive_function(Cpu &cpu, const Op &op)
{
    if (!aligned(cpu, cpu.r[op.n] + op.imm, size_of<W>))
        return;
    cpu.abandoned = false;
    load_function<W, Address::offset>(cpu, op);
    cpu.exclusive = cpu.exclusive || !cpu.abandoned;
}

// The monitor has no address: any STREX after an LDREX, with no exception in between, succeeds.
template <Width W> void store_exclusive_function(Cpu &cpu, const Op &op)
{
    const std::uint32_t address = cpu.r[op.n] + op.imm;
    if (!aligned(cpu, address, size_of<W>))
        return;
    count(cpu, cpu.cost.store_register, 1U << op.n);
    const bool stores = cpu.exclusive;
    if (stores && !cpu.store(address, size_of<W>, cpu.r[op.m])) {
        cpu.abandoned = true;
        return;
    }
    cpu.exclusive = false;
    set(cpu, op.d, stores ? 0 : 1);
    stored(cpu, 1U << op.d);
    cpu.r[pc] += op.length;
}

template <Width W>
constexpr Run loads[] = {load_function<W, Address::offset>, load_function<W, Address::before>,
                         load_function<W, Address::after>, load_function<W, Address::indexed>,
                         load_function<W, Address::literal>};
template <Width W>
constexpr Run stores[] = {store_function<W, Address::offset>, store_function<W, Address::before>,
                          store_function<W, Address::after>, store_function<W, Address::indexed>};

} // namespace

Run load(Width width, Address address)
{
    constexpr const Run *functions[] = {loads<Width::word>, loads<Width::half>, loads<Width::byte>,
                                        loads<Width::signed_half>, loads<Width::signed_byte>};
    return functions[static_cast<unsigned>(width)][static_cast<unsigned>(address)];
}

Run store(Width width, Address address)
{
    constexpr const Run *functions[] = {stores<Width::word>, stores<Width::half>, stores<Width::byte>};
    return functions[static_cast<unsigned>(width)][static_cast<unsigned>(address)];
}

Run load_unprivileged(Width width)
{
    constexpr Run functions[] = {
        load_unprivileged_function<Width::word>, load_unprivileged_function<Width::half>,
        load_unprivileged_function<Width::byte>, load_unprivileged_function<Width::signed_half>,
        load_unprivileged_function<Width::signed_byte>};
    return functions[static_cast<unsigned>(width)];
}

Run store_unprivileged(Width width)
{
    constexpr Run functions[] = {store_unprivileged_function<Width::word>,
                                 store_unprivileged_function<Width::half>,
                                 store_unprivileged_function<Width::byte>};
    return functions[static_cast<unsigned>(width)];
}

Run load_pc(Address address)
{
    constexpr Run functions[] = {load_pc_function<Address::offset>, load_pc_function<Address::before>,
                                 load_pc_function<Address::after>, load_pc_function<Address::indexed>,
                                 load_pc_function<Address::literal>};
    return functions[static_cast<unsigned>(address)];
}

Run load_two(Address address)
{
    constexpr Run functions[] = {load_two_function<Address::offset>, load_two_function<Address::before>,
                                 load_two_function<Address::after>, nullptr,
                                 load_two_function<Address::literal>};
    return functions[static_cast<unsigned>(address)];
}

Run store_two(Address address)
{
    constexpr Run functions[] = {store_two_function<Address::offset>, store_two_function<Address::before>,
                                 store_two_function<Address::after>};
    return functions[static_cast<unsigned>(address)];
}

Run load_exclusive(Width width)
{
    constexpr Run functions[] = {load_exclusive_function<Width::word>, load_exclusive_function<Width::half>,
                                 load_exclusive_function<Width::byte>};
    return functions[static_cast<unsigned>(width)];
}

Run store_exclusive(Width width)
{
    constexpr Run functions[] = {store_exclusive_function<Width::word>, store_exclusive_function<Width::half>,
                                 store_exclusive_function<Width::byte>};
    return functions[static_cast<unsigned>(width)];
}

void clear_exclusive(Cpu &cpu, const Op &op)
{
    cpu.exclusive = false;
    done(cpu, op, 1);
}

} // namespace cortexm
