// Executing: find the decoded instruction and call it. The usual case is four comparisons and a call;
// everything that makes an instruction unusual (an IT block, a continued load multiple, the MPU, flash with
// wait states, a state that is not Thumb) goes through execute_carefully().
#include "cpu.hpp"
#include "decode.hpp"
#include "execute.hpp"
#include "system.hpp"

namespace cortexm
{

namespace
{

// The condition's lowest bit and the mask move on together; an empty mask ends the block.
std::uint8_t next_it(std::uint8_t it)
{
    return (it & 7) == 0 ? std::uint8_t{0} : static_cast<std::uint8_t>((it & 0xe0) | (it << 1 & 0x1f));
}

} // namespace

Cpu::Cpu(Core core, Bus &bus, Events &events, const Timing &timing)
    : cost(core, timing), flash(timing), core_(core), bus_(bus), events_(events), timing_(timing)
{
}

void Cpu::execute()
{
    ++instructions;
    const Op *op = code_.near(r[pc]);
    if (op == nullptr || op->run == nullptr || it != 0 || ici != 0 || guarded || !thumb || flash.slow())
        [[unlikely]] {
        execute_carefully();
        return;
    }
    op->run(*this, *op);
}

void Cpu::execute_carefully()
{
    abandoned = false;
    if (!thumb) {
        fault(exception::usage_fault, fault::invstate);
        return;
    }
    const Op *op = fetch();
    if (op == nullptr)
        return;
    if (flash.slow()) {
        const unsigned waits = flash.fetch(r[pc], op->length, cycle);
        pair_end += pair_end == cycle ? waits : 0;
        cycle += waits;
    }
    if (ici != 0 && !op->continues) {
        fault(exception::usage_fault, fault::invstate);
        return;
    }
    if (it != 0)
        execute_in_it(*op);
    else
        op->run(*this, *op);
}

void Cpu::execute_in_it(const Op &op)
{
    const std::uint8_t block = it;
    it = next_it(block);
    if (!condition_holds(*this, block >> 4) && op.run != cortexm::breakpoint) {
        done(*this, op, 1);
        return;
    }
    const bool flags[] = {n, z, c, v};
    in_it = true;
    op.run(*this, op);
    in_it = false;
    if (abandoned) {
        it = block;
    } else if (op.keeps_flags_in_it) {
        n = flags[0];
        z = flags[1];
        c = flags[2];
        v = flags[3];
    }
}

// The instruction at r[15], decoded if it was not; nullptr: it cannot be fetched, the fault was raised.
const Op *Cpu::fetch()
{
    const std::uint32_t at = r[pc];
    Op &op = code_.place(at);
    const bool known = op.run != nullptr;
    if (known && (!guarded || system_->mpu_allows(at, op.length, false, true)))
        return &op;
    abandoned = true;
    if (!may_execute(at, known ? op.length : 2))
        return nullptr;
    std::uint16_t first = 0, second = 0;
    bus_.fetch(at, first);
    if (is_wide(first)) {
        if (!may_execute(at + 2, 2))
            return nullptr;
        bus_.fetch(at + 2, second);
    }
    abandoned = false;
    op = decode(core_, first, second);
    code_.add(at, op.length);
    return &op;
}

void Cpu::forget(std::uint32_t address, std::uint32_t size)
{
    code_.forget(address, size);
}

} // namespace cortexm
