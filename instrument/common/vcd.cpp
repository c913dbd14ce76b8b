#include "vcd.hpp"

#include "failure.hpp"

#include <algorithm>
#include <charconv>

namespace instrument
{

namespace
{

constexpr std::size_t flush_at = 1U << 16;

char identifier(Vcd::Channel channel)
{
    return static_cast<char>('!' + channel);
}

} // namespace

Vcd::~Vcd()
{
    if (file_ != nullptr)
        std::fclose(file_);
}

void Vcd::open(const std::string &path, std::uint64_t clock_hz, const std::string &instrument)
{
    file_ = std::fopen(path.c_str(), "wb");
    if (file_ == nullptr)
        throw Failure(Exit::usage, "cannot write " + path + ": name a file in an existing directory");
    path_ = path;
    clock_hz_ = clock_hz;
    text_ = "$comment clock_hz=" + std::to_string(clock_hz) + " instrument=" + instrument +
            " $end\n$timescale 1 ps $end\n$scope module attacca $end\n";
}

Vcd::Channel Vcd::add(const std::string &name, int bits, unsigned initial)
{
    if (file_ == nullptr)
        return none;
    for (std::size_t i = 0; i < wires_.size(); ++i)
        if (wires_[i].name == name)
            return static_cast<Channel>(i);
    if (wires_.size() >= 90)
        throw Failure(Exit::usage, "more than 90 VCD channels: watch fewer pins");
    wires_.push_back({name, bits, initial});
    return static_cast<Channel>(wires_.size() - 1);
}

void Vcd::begin()
{
    if (file_ == nullptr)
        return;
    for (std::size_t i = 0; i < wires_.size(); ++i) {
        const Wire &wire = wires_[i];
        text_ += "$var wire " + std::to_string(wire.bits) + ' ' + identifier(static_cast<Channel>(i)) + ' ' +
                 wire.name + (wire.bits > 1 ? " [" + std::to_string(wire.bits - 1) + ":0]" : "") + " $end\n";
    }
    text_ += "$upscope $end\n$enddefinitions $end\n#0\n$dumpvars\n";
    for (std::size_t i = 0; i < wires_.size(); ++i)
        put(wires_[i], static_cast<Channel>(i));
    text_ += "$end\n";
    stamped_ = 0;
}

void Vcd::put(const Wire &wire, Channel channel)
{
    if (wire.bits == 1) {
        text_ += wire.value != 0 ? '1' : '0';
    } else {
        text_ += 'b';
        for (int bit = wire.bits - 1; bit >= 0; --bit)
            text_ += ((wire.value >> bit) & 1U) != 0 ? '1' : '0';
        text_ += ' ';
    }
    text_ += identifier(channel);
    text_ += '\n';
}

void Vcd::stamp(Cycle cycle)
{
    if (cycle == stamped_)
        return;
    stamped_ = cycle;
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof digits, picoseconds(cycle, clock_hz_)).ptr;
    text_ += '#';
    text_.append(digits, end);
    text_ += '\n';
}

void Vcd::write_until(Cycle cycle)
{
    if (waiting_.size() > 1)
        std::stable_sort(waiting_.begin(), waiting_.end(),
                         [](const Change &a, const Change &b) { return a.cycle < b.cycle; });
    auto change = waiting_.begin();
    for (; change != waiting_.end() && change->cycle <= cycle; ++change) {
        Wire &wire = wires_[static_cast<std::size_t>(change->channel)];
        if (wire.value == change->value)
            continue;
        wire.value = change->value;
        stamp(change->cycle);
        put(wire, change->channel);
    }
    waiting_.erase(waiting_.begin(), change);
    if (text_.size() > flush_at)
        flush();
}

void Vcd::flush()
{
    if (std::fwrite(text_.data(), 1, text_.size(), file_) != text_.size())
        throw Failure(Exit::usage, "cannot write " + path_ + ": is the disk full?");
    text_.clear();
}

void Vcd::close(Cycle end)
{
    if (file_ == nullptr)
        return;
    write_until(never);
    stamp(end);
    flush();
    if (std::fclose(file_) != 0) {
        file_ = nullptr;
        throw Failure(Exit::usage, "cannot write " + path_ + ": is the disk full?");
    }
    file_ = nullptr;
}

// In a forked child: forget the file without touching what the parent will write.
void Vcd::abandon()
{
    file_ = nullptr;
    text_.clear();
    waiting_.clear();
}

} // namespace instrument
