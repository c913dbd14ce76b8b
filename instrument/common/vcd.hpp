// A value change dump. Channels are declared first, then changes arrive stamped in cycles. A change may
// arrive a few cycles late (a pin that moved in the middle of an instruction is known only at its end), so
// changes wait in a short list until `settle` says that nothing earlier can come; they leave it in order of
// time, and those of one cycle in order of arrival.
#pragma once
#include "clock.hpp"

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace instrument
{

class Vcd
{
  public:
    using Channel = int;
    static constexpr Channel none = -1;

    Vcd() = default;
    Vcd(const Vcd &) = delete;
    Vcd &operator=(const Vcd &) = delete;
    ~Vcd();

    void open(const std::string &path, std::uint64_t clock_hz, const std::string &instrument, bool flat);
    Channel add(const std::string &name, int bits, unsigned initial);
    // The channel whose value is the clock: what follows a change of it is stamped by the new one.
    Channel add_clock(const std::string &name);
    void begin();
    void change(Channel channel, Cycle cycle, unsigned value)
    {
        if (file_ != nullptr && channel != none)
            waiting_.push_back({cycle, channel, value});
    }
    void settle(Cycle cycle)
    {
        if (!waiting_.empty())
            write_until(cycle);
    }
    void close(Cycle end);
    void abandon();

  private:
    struct Change {
        Cycle cycle;
        Channel channel;
        unsigned value;
    };
    struct Wire {
        std::string name;
        int bits;
        unsigned value;
        std::vector<std::string> ids; // one, or one a bit
    };

    bool replaced(const Change &change) const;
    void write_until(Cycle cycle);
    void stamp(Cycle cycle);
    void put(const Wire &wire, unsigned changed);
    void flush();

    std::FILE *file_ = nullptr;
    std::string path_;
    Timeline time_;
    Channel clock_ = none;
    std::string text_;
    bool flat_ = false; // vectors bit by bit: sigrok reads no others
    Cycle stamped_ = never;
    std::vector<Wire> wires_;
    std::vector<Change> waiting_;
};

} // namespace instrument
