#include "vcd.hpp"

#include "failure.hpp"

#include <algorithm>
#include <bit>
#include <charconv>

namespace instrument
{

namespace
{

constexpr std::size_t flush_at = 1U << 16;

std::string identifier(std::size_t number)
{
    constexpr std::size_t first = '!', count = '~' - '!' + 1;
    std::string id(1, static_cast<char>(first + number % count));
    return number < count ? id : id + static_cast<char>(first + number / count - 1);
}

} // namespace

Vcd::~Vcd()
{
    if (file_ != nullptr)
        std::fclose(file_);
}

void Vcd::open(const std::string &path, std::uint64_t clock_hz, const std::string &instrument, bool flat)
{
    flat_ = flat;
    file_ = std::fopen(path.c_str(), "wb");
    if (file_ == nullptr)
        throw Failure(Exit::usage, "cannot write " + path + ": name a file in an existing directory");
    path_ = path;
    time_ = Timeline(clock_hz);
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
    wires_.push_back({name, bits, initial, {}});
    return static_cast<Channel>(wires_.size() - 1);
}

Vcd::Channel Vcd::add_clock(const std::string &name)
{
    clock_ = add(name, 32, static_cast<unsigned>(time_.clock_hz()));
    return clock_;
}

void Vcd::begin()
{
    if (file_ == nullptr)
        return;
    std::size_t count = 0;
    for (Wire &wire : wires_) {
        const bool apart = flat_ && wire.bits > 1;
        for (int bit = 0; bit < (apart ? wire.bits : 1); ++bit) {
            wire.ids.push_back(identifier(count++));
            text_ += "$var wire " + std::to_string(apart ? 1 : wire.bits) + ' ' + wire.ids.back() + ' ' +
                     wire.name;
            if (apart)
                text_ += '_' + std::to_string(bit);
            else if (wire.bits > 1)
                text_ += " [" + std::to_string(wire.bits - 1) + ":0]";
            text_ += " $end\n";
        }
    }
    text_ += "$upscope $end\n$enddefinitions $end\n#0\n$dumpvars\n";
    for (const Wire &wire : wires_)
        put(wire, ~0U);
    text_ += "$end\n";
    stamped_ = 0;
}

// A vector is written without leading zeros.
void Vcd::put(const Wire &wire, unsigned changed)
{
    if (wire.bits > 1 && !flat_) {
        text_ += 'b';
        const int width = wire.value > 1 ? static_cast<int>(std::bit_width(wire.value)) : 1;
        for (int bit = width - 1; bit >= 0; --bit)
            text_ += ((wire.value >> bit) & 1U) != 0 ? '1' : '0';
        text_ += ' ' + wire.ids[0] + '\n';
        return;
    }
    for (std::size_t bit = 0; bit < wire.ids.size(); ++bit) {
        if (((changed >> bit) & 1U) == 0)
            continue;
        text_ += ((wire.value >> bit) & 1U) != 0 ? '1' : '0';
        text_ += wire.ids[bit];
        text_ += '\n';
    }
}

void Vcd::stamp(Cycle cycle)
{
    if (cycle == stamped_)
        return;
    stamped_ = cycle;
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof digits, time_.at(cycle)).ptr;
    text_ += '#';
    text_.append(digits, end);
    text_ += '\n';
}

// A channel that changes twice at one moment has the later value all along: no edges of no length.
bool Vcd::replaced(const Change &change) const
{
    const Change *last = waiting_.data() + waiting_.size();
    for (const Change *later = &change + 1; later != last && later->cycle == change.cycle; ++later)
        if (later->channel == change.channel)
            return true;
    return false;
}

void Vcd::write_until(Cycle cycle)
{
    if (waiting_.size() > 1)
        std::stable_sort(waiting_.begin(), waiting_.end(),
                         [](const Change &a, const Change &b) { return a.cycle < b.cycle; });
    auto change = waiting_.begin();
    for (; change != waiting_.end() && change->cycle <= cycle; ++change) {
        if (replaced(*change))
            continue;
        Wire &wire = wires_[static_cast<std::size_t>(change->channel)];
        if (wire.value == change->value)
            continue;
        const unsigned changed = wire.value ^ change->value;
        wire.value = change->value;
        stamp(change->cycle);
        put(wire, changed);
        if (change->channel == clock_)
            time_.change(change->cycle, change->value);
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
