// Short instruction sequences on the processor alone: for comparison with another implementation
// (test/instrument/test_cortex_m_oracle.py, which writes what this reads).
//
// A batch is one piece of code, one piece of data and many sequences: registers before, where to start, where
// it ends. Every sequence starts from the same data and a processor in thread mode, and its outcome is
// written out: registers, masks, cycles, the exception that ended it, the bytes that it changed. Text would
// be easier to look at and ten times the work to read; test/instrument/cortex_m_oracle.py describes the
// records.
#include "bus.hpp"
#include "cpu.hpp"
#include "events.hpp"
#include "system.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace
{

using namespace cortexm;

struct Header {
    std::uint32_t sequences, code, code_size, data, data_size;
};
struct Patch {
    std::uint32_t offset, word;
};
struct Record {
    std::array<std::uint32_t, 15> registers; // MSP is the fourteenth
    std::uint32_t psp, flags, start, end, place, patches;
    std::array<Patch, 4> patch;
};
struct Result {
    std::uint32_t trap = 0;
    std::array<std::uint32_t, 16> registers = {};
    std::uint32_t xpsr = 0, masks = 0, msp = 0, psp = 0;
    std::array<std::uint32_t, 2> came_to = {}; // a bit a halfword from Record::place on
    std::uint32_t cycles = 0;
    std::uint32_t changed_at = 0, changed_size = 0;
};
static_assert(sizeof(Record) == 29 * 4 && sizeof(Result) == 26 * 4);

// Longer than any sequence, which all go forward only.
constexpr unsigned limit = 200;
constexpr std::uint32_t does_not_end = 0xFFFF, stuck = 0xFFFE;

void read(void *into, std::size_t size)
{
    if (std::fread(into, 1, size, stdin) != size) {
        std::fputs("attacca-cortex-m-oracle: the batch is cut short\n", stderr);
        std::exit(2);
    }
}

class Bench
{
  public:
    Bench(Core core, const Header &header)
        : timing_(parse_timing("main", core)), cpu_(core, bus_, events_, timing_), system_(cpu_, 16, 8),
          code_(bus_.add_memory(header.code, header.code_size, false)),
          data_(bus_.add_memory(header.data, header.data_size, true))
    {
        cpu_.connect(system_);
        cpu_.faulted = [this](unsigned exception, std::uint32_t, std::uint32_t) { trap_ = exception; };
        read(code_.bytes.data(), code_.bytes.size());
        pattern_.resize(header.data_size);
        read(pattern_.data(), pattern_.size());
    }

    void run(const Record &record)
    {
        prepare(record);
        Result result;
        const Cycle began = cpu_.cycle;
        for (unsigned steps = 0; trap_ == 0 && cpu_.r[15] != record.end; ++steps) {
            const std::uint32_t at = (cpu_.r[15] - record.place) / 2;
            if (at < 64)
                result.came_to[at / 32] |= 1U << at % 32;
            cpu_.execute();
            if (trap_ == 0 && !cpu_.stuck.empty())
                trap_ = stuck;
            if (steps == limit)
                trap_ = does_not_end;
        }
        result.cycles = static_cast<std::uint32_t>(cpu_.cycle - began);
        report(result);
        if (trap_ != 0)
            system_.reset();
    }

  private:
    void prepare(const Record &record)
    {
        before_ = pattern_;
        for (std::uint32_t i = 0; i < record.patches; ++i)
            std::memcpy(&before_.at(record.patch[i].offset), &record.patch[i].word, 4);
        data_.bytes = before_;
        std::copy(record.registers.begin(), record.registers.end(), cpu_.r);
        cpu_.r[15] = record.start;
        cpu_.sp_other = record.psp;
        cpu_.set_xpsr(record.flags | 1U << 24);
        cpu_.primask = cpu_.faultmask = cpu_.unprivileged = cpu_.process_stack = cpu_.exclusive = false;
        cpu_.basepri = 0;
        cpu_.sleeping = cpu_.event = false;
        cpu_.stuck.clear();
        trap_ = 0;
    }

    void report(Result &result)
    {
        result.trap = trap_;
        std::copy(std::begin(cpu_.r), std::end(cpu_.r), result.registers.begin());
        result.xpsr = cpu_.xpsr();
        const unsigned control = (cpu_.unprivileged ? 1U : 0U) | (cpu_.process_stack ? 2U : 0U);
        result.masks = (cpu_.primask ? 1U : 0U) | (cpu_.faultmask ? 1U : 0U) << 8 |
                       static_cast<std::uint32_t>(cpu_.basepri) << 16 | control << 24;
        result.msp = cpu_.msp();
        result.psp = cpu_.psp();
        const auto &after = data_.bytes;
        const auto first = std::mismatch(after.begin(), after.end(), before_.begin()).first;
        const auto last = std::mismatch(after.rbegin(), after.rend(), before_.rbegin()).first.base();
        if (first < last) {
            result.changed_at = static_cast<std::uint32_t>(first - after.begin());
            result.changed_size = static_cast<std::uint32_t>(last - first);
        }
        std::fwrite(&result, sizeof result, 1, stdout);
        std::fwrite(after.data() + result.changed_at, 1, result.changed_size, stdout);
    }

    Bus bus_;
    Events events_;
    Timing timing_;
    Cpu cpu_;
    System system_;
    Memory &code_;
    Memory &data_;
    std::vector<std::uint8_t> pattern_, before_;
    std::uint32_t trap_ = 0;
};

} // namespace

int main(int argc, char **argv)
{
    const std::string name = argc == 2 ? argv[1] : "";
    if (name != "m0" && name != "m0plus" && name != "m3") {
        std::fputs("usage: attacca-cortex-m-oracle m0|m0plus|m3 < batches\n", stderr);
        return 2;
    }
    const Core core = name == "m0" ? Core::m0 : name == "m3" ? Core::m3 : Core::m0plus;
    for (Header header; std::fread(&header, sizeof header, 1, stdin) == 1;) {
        Bench bench(core, header);
        std::vector<Record> records(header.sequences);
        read(records.data(), records.size() * sizeof(Record));
        for (const Record &record : records)
            bench.run(record);
        std::fflush(stdout);
    }
    return 0;
}
