// Decoded instructions, kept by address: a chunk of 64 KiB is a flat table, one place a halfword, made when
// something in it is first executed; its pages are only touched where code is. Instructions hold nothing that
// depends on their address, so the same bytes at another address (flash at 0) are simply decoded again.
//
// An instruction is a function and its operands. One table of functions by opcode bits was rejected: it finds
// the function as fast, but takes the operands apart anew at every execution.
#pragma once
#include "../common/memory.hpp"

#include <cstdint>
#include <cstring>

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
    Code() : table_(*static_cast<Table *>(instrument::shared_memory(sizeof(Table))))
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
        Op *&chunk = table_.chunks[address >> chunk_bits];
        if (chunk == nullptr)
            chunk = static_cast<Op *>(instrument::shared_memory(bytes));
        base_ = address & ~(chunk_size - 1);
        size_ = chunk_size;
        ops_ = chunk;
        table_.changes = table_.changes || address >= ram;
        return *near(address);
    }
    // Instructions that contain one of these bytes.
    void forget(std::uint32_t address, std::uint32_t size)
    {
        const std::uint32_t first = (address & ~1U) - 2;
        const std::uint32_t halfwords = (address + size - first + 1) / 2;
        for (std::uint32_t i = 0; i < halfwords; ++i) {
            const std::uint32_t at = first + 2 * i;
            if (Op *chunk = table_.chunks[at >> chunk_bits]) {
                Op &op = chunk[(at & (chunk_size - 1)) >> 1];
                table_.changes = table_.changes || op.run != nullptr;
                op.run = nullptr;
            }
        }
    }
    void add(std::uint32_t address, std::uint32_t size)
    {
        const std::uint32_t end = address + size, known = table_.low + table_.size;
        const bool first = table_.size == 0;
        table_.low = first || address < table_.low ? address : table_.low;
        table_.size = (first || end > known ? end : known) - table_.low;
    }
    // Between the lowest and the highest address that was decoded. A store there calls forget().
    bool may_hold(std::uint32_t address) const
    {
        return address - table_.low < table_.size;
    }
    // Memory is as it was before. Code that does not change is what it was then, too.
    void put_back()
    {
        if (!table_.changes)
            return;
        for (Op *chunk : table_.chunks)
            if (chunk != nullptr)
                std::memset(static_cast<void *>(chunk), 0, bytes);
        table_.changes = false;
    }

  private:
    static constexpr unsigned chunk_bits = 16;
    static constexpr std::uint32_t chunk_size = 1U << chunk_bits;
    static constexpr std::size_t bytes = chunk_size / 2 * sizeof(Op);
    static constexpr std::uint32_t ram = 0x20000000;
    struct Table { // not put back with the rest
        Op *chunks[std::size_t{1} << (32 - chunk_bits)];
        std::uint32_t low, size;
        bool changes; // code in RAM, or code that was written
    };
    Table &table_;
    std::uint32_t base_ = 0, size_ = 0;
    Op *ops_ = nullptr;
};

} // namespace cortexm
