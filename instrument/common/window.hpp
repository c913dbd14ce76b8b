// The stretch of a run that a question is about: it opens at a mark and closes at an until, each an address
// that the program counter reaches or a value written to the marker. While it is open the instructions in it
// are numbered from 0. Without a mark it is open from reset; without an until it never closes.
#pragma once
#include <cstdint>

namespace instrument
{

struct Trigger {
    enum class Kind { none, address, marker };
    Kind kind = Kind::none;
    std::uint64_t value = 0;
    std::uint64_t hits = 1; // it fires at the K-th time
};

class Window
{
  public:
    Window() = default;
    Window(Trigger mark, Trigger until) : mark_(mark), until_(until), open_(mark.kind == Trigger::Kind::none)
    {
    }

    bool open() const
    {
        return open_;
    }
    bool closed() const
    {
        return closed_;
    }
    bool watches_addresses() const
    {
        return !closed_ && (open_ ? until_ : mark_).kind == Trigger::Kind::address;
    }
    std::uint64_t index() const
    {
        return index_;
    }
    void reached(std::uint64_t pc)
    {
        happened(Trigger::Kind::address, pc);
    }
    void marker(std::uint64_t value)
    {
        happened(Trigger::Kind::marker, value);
    }
    void executed()
    {
        if (open_)
            ++index_;
    }

  private:
    void happened(Trigger::Kind kind, std::uint64_t value)
    {
        Trigger &next = open_ ? until_ : mark_;
        if (closed_ || next.kind != kind || next.value != value || --next.hits > 0)
            return;
        closed_ = open_;
        open_ = !open_;
    }

    Trigger mark_;
    Trigger until_;
    bool open_ = true;
    bool closed_ = false;
    std::uint64_t index_ = 0;
};

} // namespace instrument
