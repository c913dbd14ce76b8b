#include "run.hpp"

#include <algorithm>

namespace instrument
{

Run::Run(const Plan &plan, const Symbols &symbols, Vcd &vcd, Output &console, Output &trace)
    : interrupts(plan.vectors.size()), plan_(plan), symbols_(symbols), vcd_(vcd), console_(console),
      trace_(trace), window_(plan.window), injections_(plan.injections)
{
}

void Run::add_channels(bool masked_at_reset)
{
    vcd_marker_ = vcd_.add("marker", 8, 0);
    vcd_irq_ = vcd_.add("irq", 1, 0);
    vcd_entries_ = vcd_.add("entries", 8, 0); // a nested entry is no edge of irq
    vcd_software_ = vcd_.add("software", 8, 0); // those of them that the program raised by an instruction
    vcd_masked_ = vcd_.add("masked", 1, masked_at_reset ? 1 : 0);
}

void Run::mute()
{
    vcd_.abandon();
    console_.abandon();
    trace_.abandon();
    muted_ = true;
    hooked_ = !injections_.empty();
}

void Run::finish(End::Reason reason, const std::string &detail, std::optional<std::uint64_t> at)
{
    if (ended())
        return;
    end_.reason = reason;
    end_.detail = detail;
    end_.pc = at.value_or(pc());
}

const End &Run::run()
{
    hooked_ = window_.watches_addresses() || each_instruction != nullptr || !injections_.empty() ||
              trace_.wanted() || !window_.open();
    return resume();
}

const End &Run::resume()
{
    go();
    vcd_.settle(cycle());
    return end_;
}

void Run::say(char c)
{
    text_ += c;
    console_.put(c);
}

void Run::mark(std::uint8_t value, Cycle now, std::optional<std::uint64_t> at)
{
    if (value < 0x80) {
        vcd_.change(vcd_marker_, now, value);
        window_.marker(value);
        return;
    }
    if (!ended())
        end_.status = value & 0x7f;
    finish(End::Reason::mark, "", at);
}

void Run::look()
{
    if (muted_ && nothing_comes())
        hooked_ = false;
    const std::uint64_t here = pc();
    if (window_.watches_addresses() && seen_pc_ != here) {
        if (skip_pc_ == here)
            skip_pc_ = no_pc;
        else
            window_.reached(here);
        seen_pc_ = here;
    }
    if (!window_.open() || marked_index_ == window_.index())
        return;
    marked_index_ = window_.index();
    for (const auto &injection : injections_)
        if (injection.index == window_.index())
            force(injection.vector);
    if (each_instruction && !muted_)
        each_instruction();
}

// Of what is asked for at an instruction of the window; a copy forks no more.
bool Run::nothing_comes() const
{
    return window_.closed() || std::ranges::all_of(injections_, [this](const Plan::Injection &injection) {
               return injection.index < window_.index();
           });
}

void Run::count_entry(unsigned vector, bool forced, std::uint64_t pc, Cycle start)
{
    ++interrupts[vector].count;
    if (forced) {
        ++interrupts[vector].injected;
        if (!taken_)
            taken_ = Taken{pc, start};
    }
    if (trace_.wanted())
        trace_.write("# " + std::to_string(start) + " interrupt " + plan_.vectors[vector] + "\n");
    if (seen_pc_ == pc)
        skip_pc_ = pc;
    seen_pc_ = no_pc;
}

void Run::active_more(Cycle start, bool software)
{
    ++depth_;
    vcd_.change(vcd_irq_, start, 1);
    vcd_.change(vcd_entries_, start, ++entries_);
    if (software)
        vcd_.change(vcd_software_, start, ++software_);
}

void Run::active_less(Cycle now)
{
    if (depth_ > 0 && --depth_ == 0)
        vcd_.change(vcd_irq_, now, 0);
}

void Run::active_none(Cycle now)
{
    if (depth_ > 0)
        vcd_.change(vcd_irq_, now, 0);
    depth_ = 0;
}

} // namespace instrument
