#include "core.hpp"

#include "VLite.h"
#include "VLite_VexRiscv.h"
#include "VLite___024root.h"
#include "VMin.h"
#include "VMin_VexRiscv.h"
#include "VMin___024root.h"

#include <cstdlib>
#include <new>
#include <verilated.h>

// A model is aligned to lines of the host's cache, and has to lie in the memory that forks put back: that is malloc()'s
// (../common/memory.hpp). It lives as long as the program.
void *operator new(std::size_t size, std::align_val_t alignment)
{
    const auto grain = static_cast<std::size_t>(alignment);
    void *memory = std::malloc(size + grain);
    if (memory == nullptr)
        throw std::bad_alloc();
    return reinterpret_cast<void *>((reinterpret_cast<std::uintptr_t>(memory) + grain) & ~(grain - 1));
}

void operator delete(void *, std::align_val_t) noexcept
{
}

void operator delete(void *, std::size_t, std::align_val_t) noexcept
{
}

namespace vexriscv
{

namespace
{

template <class Top, class Inside> class Verilated_core : public Core
{
  public:
    explicit Verilated_core(std::uint32_t reset_vector)
        : top_(new Top(new VerilatedContext)), inside_(*top_->rootp->VexRiscv) // for as long as the program
    {
        top_->externalResetVector = reset_vector;
        top_->reset = 1;
        for (int i = 0; i < 4; ++i) {
            settle({}, 0, 0);
            edge();
        }
        top_->reset = 0;
    }

    Access fetch() const override
    {
        return {top_->iBusWishbone_CYC && top_->iBusWishbone_STB, false, top_->iBusWishbone_ADR << 2, 0, 15};
    }
    Access access() const override
    {
        return {top_->dBusWishbone_CYC && top_->dBusWishbone_STB, top_->dBusWishbone_WE != 0,
                top_->dBusWishbone_ADR << 2, top_->dBusWishbone_DAT_MOSI, top_->dBusWishbone_SEL};
    }
    void settle(const Lines &lines, std::uint32_t fetched, std::uint32_t loaded) override
    {
        top_->timerInterrupt = lines.timer;
        top_->softwareInterrupt = lines.software;
        top_->externalInterruptArray = lines.external;
        top_->iBusWishbone_ACK = top_->iBusWishbone_CYC & top_->iBusWishbone_STB;
        top_->iBusWishbone_DAT_MISO = fetched;
        top_->dBusWishbone_ACK = top_->dBusWishbone_CYC & top_->dBusWishbone_STB;
        top_->dBusWishbone_DAT_MISO = loaded;
        top_->clk = 0;
        top_->eval();
        look();
    }
    void force(unsigned code) override
    {
        inside_.CsrPlugin_interrupt_valid = 1;
        inside_.CsrPlugin_interrupt_code = static_cast<std::uint8_t>(code);
        inside_.CsrPlugin_interrupt_targetPrivilege = 3; // machine mode
        top_->eval();
        look();
    }
    void edge() override
    {
        top_->clk = 1;
        top_->eval();
    }
    std::uint32_t register_value(unsigned number) const override
    {
        return inside_.RegFilePlugin_regFile[number];
    }
    std::uint32_t external_mask() const override
    {
        return inside_._zz_CsrPlugin_csrMapping_readDataInit;
    }
    std::string_view state() const override
    {
        return {reinterpret_cast<const char *>(&inside_), sizeof inside_};
    }

  private:
    void look()
    {
        now.issues = inside_.decode_arbitration_isFiring &&
                     !(inside_.execute_arbitration_isValid && inside_.execute_BRANCH_DO);
        now.issue_pc = inside_.decode_PC;
        now.retires = inside_.lastStageIsFiring;
        now.retire_pc = inside_.lastStagePc;
        now.opcode = inside_.lastStageInstruction;
        now.enters = inside_.CsrPlugin_interruptJump;
        now.excepts = inside_.CsrPlugin_hadException;
        now.cause = inside_.CsrPlugin_trapCause;
        now.held = inside_.CsrPlugin_pipelineLiberator_active;
        now.requested = inside_.CsrPlugin_interrupt_valid;
        now.enabled = inside_.CsrPlugin_mstatus_MIE;
        now.memory_pc = inside_.memory_PC;
    }

    Top *top_;
    Inside &inside_;
};

} // namespace

const Variant variants[2] = {
    {"vexriscv-lite", "RV32IM, 2 KB instruction cache, bypass, static branch prediction",
     [](std::uint32_t reset) -> std::unique_ptr<Core> {
         return std::make_unique<Verilated_core<VLite, VLite_VexRiscv>>(reset);
     }},
    {"vexriscv-min", "RV32I, no cache, no bypass, no prediction",
     [](std::uint32_t reset) -> std::unique_ptr<Core> {
         return std::make_unique<Verilated_core<VMin, VMin_VexRiscv>>(reset);
     }},
};

const Variant *find_variant(std::string_view name)
{
    for (const Variant &variant : variants)
        if (name == variant.name)
            return &variant;
    return nullptr;
}

} // namespace vexriscv
