// Decoded instructions, kept by address: a chunk of 64 KiB is a flat table, one place a halfword, made when
// something in it is first executed; its pages are only touched where code is. Instructions hold nothing that
// depends on their address, so the same bytes at another address (flash at 0) are simply decoded again.
//
// An instruction is a function and its operands. One table of functions by opcode bits was rejected: it finds
// the function as fast, but takes the operands apart anew at every execution.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

namespace cortexm
{

class Cpu;

struct Op {
    void (*run)(Cpu &cpu, const Op &op); // nullptr: not decoded
    std::uint32_t imm;
    std::uint8_t d, n, m, a;
    std::uint8_t length;    // bytes
    bool keeps_flags_in_it; // sets flags outside IT blocks only
    bool continues;         // load or store multiple: goes on where EPSR.ICI says
};

class Code
{
  public:
    Code() : chunks_(std::size_t{1} << (32 - chunk_bits))
    {
    }
    // The place for the instruction at an address; nullptr: its chunk is not the current one.
    Op *near(std::uint32_t address)
    {
        const std::uint32_t offset = address - base_;
        return offset < size_ ? ops_ + (offset >> 1) : nullptr;
    }
    // The same, and makes its chunk the current one.
    Op &place(std::uint32_t address)
    {
        Chunk &chunk = chunks_[address >> chunk_bits];
        if (!chunk)
            chunk.reset(static_cast<Op *>(std::calloc(chunk_size / 2, sizeof(Op))));
        base_ = address & ~(chunk_size - 1);
        size_ = chunk_size;
        ops_ = chunk.get();
        return *near(address);
    }
    // Instructions that contain one of these bytes.
    void forget(std::uint32_t address, std::uint32_t size)
    {
        const std::uint32_t first = (address & ~1U) - 2;
        const std::uint32_t halfwords = (address + size - first + 1) / 2;
        for (std::uint32_t i = 0; i < halfwords; ++i) {
            const std::uint32_t at = first + 2 * i;
            if (const Chunk &chunk = chunks_[at >> chunk_bits])
                chunk[(at & (chunk_size - 1)) >> 1].run = nullptr;
        }
    }

  private:
    static constexpr unsigned chunk_bits = 16;
    static constexpr std::uint32_t chunk_size = 1U << chunk_bits;
    struct Free {
        void operator()(void *memory) const
        {
            std::free(memory);
        }
    };
    using Chunk = std::unique_ptr<Op[], Free>;
    std::vector<Chunk> chunks_;
    std::uint32_t base_ = 0, size_ = 0;
    Op *ops_ = nullptr;
};

} // namespace cortexm
