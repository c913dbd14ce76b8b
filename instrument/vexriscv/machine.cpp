#include "machine.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>

namespace vexriscv
{

using instrument::Vcd;

namespace
{

constexpr std::uint32_t op_wfi = 0x10500073, op_self = 0x0000006f, op_mret = 0x30200073;
constexpr unsigned sp = 2;

// ADDI sp, sp, with less than 0: what a compiled function, and a handler's entry, grow a stack by.
bool grows_stack(std::uint32_t opcode)
{
    return (opcode & 0x800fffff) == 0x80010113;
}

} // namespace

Machine::Machine(const Settings &settings, const instrument::Symbols &symbols, Vcd &vcd,
                 instrument::Output &console, instrument::Output &trace)
    : Run(settings, symbols, vcd, console, trace), settings_(settings), core_(settings.variant->make(map::flash))
{
    for (unsigned i = 0; i < 4; ++i)
        wires_[settings.probes[i]].channels.push_back(
            vcd.add(std::string("probe_") + static_cast<char>('a' + i), 1, 0));
    add_channels(true);
    for (const auto &[name, pin] : settings.watched)
        wires_[pin].channels.push_back(vcd.add("pin_" + name, 1, 0));
    masks.by_reset();
    connect();
}

void Machine::connect()
{
    soc_.moved = [this](unsigned pin, bool level, Cycle at) {
        Wire &wire = wires_[pin];
        ++(level ? wire.rising : wire.falling);
        for (const auto channel : wire.channels)
            vcd_.change(channel, at, level ? 1 : 0);
    };
    soc_.sent = [this](std::uint8_t byte) { say(static_cast<char>(byte)); };
    soc_.marked = [this](std::uint8_t value, Cycle at) { mark(value, at, core_->now.memory_pc); };
    soc_.stray = [this](const std::string &what) {
        finish(End::Reason::crash, what, core_->now.memory_pc);
    };
}

void Machine::load(const instrument::Image &image)
{
    for (const auto &segment : image.segments) {
        const std::uint64_t offset = segment.address - map::flash;
        std::copy(segment.bytes.begin(), segment.bytes.end(), soc_.flash.begin() + static_cast<long>(offset));
        for (std::uint64_t word = offset / 4; word * 4 < offset + segment.bytes.size(); ++word)
            soc_.loaded[word] = true;
    }
}

void Machine::stimulate(std::vector<instrument::StimulusEvent> events)
{
    for (const auto &event : events)
        if (event.kind == instrument::StimulusEvent::Kind::pin)
            wires_[*find_pin(event.pin)].input = vcd_.add("in_" + event.pin, 1, 0);
    events_ = std::move(events);
    std::uint64_t salt = 0;
    for (const auto &irq : settings_.random_irqs) {
        strays_.push_back({instrument::Random(settings_.seed + 0x1000 * ++salt), 0});
        strays_.back().due = strays_.back().random.between(irq.min, irq.max);
    }
    happen();
}

// What comes from outside at this cycle.
void Machine::happen()
{
    for (; next_ < events_.size() && events_[next_].cycle <= cycle_; ++next_) {
        const auto &event = events_[next_];
        if (event.kind != instrument::StimulusEvent::Kind::pin) {
            soc_.receive(static_cast<std::uint8_t>(event.value), event.cycle);
            continue;
        }
        const unsigned pin = *find_pin(event.pin);
        vcd_.change(wires_[pin].input, event.cycle, event.value);
        soc_.drive(pin, event.value != 0, event.cycle);
    }
    outside_due_ = next_ < events_.size() ? events_[next_].cycle : instrument::never;
    for (std::size_t i = 0; i < strays_.size(); ++i) {
        const auto &irq = settings_.random_irqs[i];
        if (strays_[i].due <= cycle_) {
            force(irq.vector);
            strays_[i].due += strays_[i].random.between(irq.min, irq.max);
        }
        outside_due_ = std::min(outside_due_, strays_[i].due);
    }
}

Cycle Machine::next_event() const
{
    return std::min(soc_.due(), outside_due_);
}

void Machine::force(unsigned vector)
{
    forced_ |= std::uint64_t{1} << vector;
    if (vector >= first_line)
        soc_.raise(vector - first_line);
    waiting_.pc = 1;
}

void Machine::go()
{
    while (!ended()) {
        if (!settled_)
            begin();
        if (!looked_ && core_->now.issues) {
            looked_ = true;
            issued();
        }
        if (!ended())
            complete();
    }
}

void Machine::begin()
{
    if (cycle_ >= settings_.budget)
        return finish(End::Reason::budget, "the cycle budget is used up");
    if (cycle_ >= outside_due_)
        happen();
    soc_.run_until(cycle_);
    access_ = core_->access();
    const Access fetch = core_->fetch();
    const std::uint32_t fetched = fetch.valid ? soc_.fetch(fetch.address) : 0;
    const std::uint32_t loaded =
        access_.valid && !access_.write ? soc_.read(access_.address, cycle_) : 0;
    core_->settle(soc_.lines(), fetched, loaded);
    settled_ = true;
    looked_ = false;
}

// The next instruction stands before its issue.
void Machine::issued()
{
    if (!soc_.is_code(core_->now.issue_pc))
        return no_code(core_->now.issue_pc);
    if (hooked_)
        look();
}

void Machine::complete()
{
    if (forced_ != 0)
        take_forced();
    const Cycle_state &now = core_->now;
    if (now.held && held_since_ == instrument::never)
        held_since_ = cycle_;
    else if (!now.held && !now.enters)
        held_since_ = instrument::never;
    if (now.issues) {
        executed();
        window_.executed();
    }
    if (now.enters)
        entered();
    else if (now.excepts)
        excepted();
    const std::uint32_t retire_pc = now.retire_pc, opcode = now.opcode;
    const bool retires = now.retires;
    if (retires)
        retired();
    const bool enabled = now.enabled;
    if (enabled != enabled_before_) {
        mask_changed(!enabled);
        enabled_before_ = enabled;
    }
    changing_pc_ = retires && opcode == op_mret ? retire_pc : 0;
    core_->edge();
    ++cycle_;
    settled_ = false;
    if (access_.valid && access_.write)
        soc_.write(access_, cycle_);
    if (retires && grows_stack(opcode))
        stack_moved(retire_pc);
    if (retires && (opcode == op_wfi || opcode == op_self))
        waits_at(retire_pc);
    vcd_.settle(cycle_ > 64 ? cycle_ - 64 : 0); // an entry is known by its end only
}

void Machine::take_forced()
{
    if (!enabled_before_ || core_->now.requested)
        return;
    const auto vector = static_cast<unsigned>(std::countr_zero(forced_));
    core_->force(vector < first_line ? vector : machine_external);
}

void Machine::retired()
{
    const Cycle_state &now = core_->now;
    if (now.retire_pc == map::flash && instructions != 0)
        ++restarts;
    if (trace_.wanted())
        trace_line();
    ++instructions;
}

// Which line it is that the handler will find first.
void Machine::entered()
{
    const Cycle_state &now = core_->now;
    const Cycle start = std::min(held_since_, cycle_);
    unsigned vector = now.cause & 15;
    if (vector == machine_external) {
        const std::uint32_t lines = soc_.lines().external & core_->external_mask();
        const std::uint64_t forced = forced_ >> first_line;
        if (lines != 0)
            vector = first_line + static_cast<unsigned>(std::countr_zero(lines));
        else if (forced != 0)
            vector = first_line + static_cast<unsigned>(std::countr_zero(forced));
    }
    const bool forced = (forced_ >> vector & 1) != 0;
    forced_ &= ~(std::uint64_t{1} << vector);
    count_entry(vector, forced, now.retire_pc, start);
    active_more(start);
    entering_ = true;
    entry_vector_ = vector;
    mask_shown(true, start);
    masks.by_handler(vector, start, window_.open());
    held_since_ = instrument::never;
    waiting_.pc = 1;
}

void Machine::no_code(std::uint32_t pc)
{
    const std::string jump = "jump outside flash, or into erased flash";
    finish(End::Reason::crash, cause_.any ? cause_text() + "; " + jump : jump, cause_.any ? cause_.pc : pc);
}

void Machine::excepted()
{
    if (!soc_.is_code(core_->now.retire_pc))
        return no_code(core_->now.retire_pc);
    cause_ = {core_->now.cause, core_->now.retire_pc, true};
}

// A handler is active until interrupts are allowed again, by whatever instruction: there is no other sign.
void Machine::mask_changed(bool masked)
{
    if (entering_) {
        entering_ = false;
        if (masked)
            return;
    }
    const std::uint32_t pc = changing_pc_ != 0 ? changing_pc_ : core_->now.memory_pc;
    mask_shown(masked, cycle_);
    if (masked) {
        masks.by_code(pc, cycle_, window_.open());
    } else {
        masks.end(pc, cycle_);
        active_less(cycle_);
        cause_.any = false;
    }
}

void Machine::stack_moved(std::uint32_t pc)
{
    const std::uint32_t value = core_->register_value(sp);
    lowest_sp = std::min<std::uint64_t>(lowest_sp, value);
    if (value - map::ram > map::ram_size)
        finish(End::Reason::crash, "stack pointer outside RAM", pc);
    else if (settings_.guard && value < *settings_.guard)
        finish(End::Reason::crash, "stack pointer below the guard", pc);
}

bool Machine::something_comes() const
{
    return next_event() != instrument::never;
}

void Machine::waits_at(std::uint32_t pc)
{
    if (hooked_ || forced_ != 0)
        return;
    const std::string_view state = core_->state();
    if (waiting_.pc == pc && !soc_.touched && waiting_.state == state) {
        if (!something_comes()) {
            finish(End::Reason::halt,
                   enabled_before_ ? "waiting, and nothing can come"
                   : cause_.any    ? "endless loop with interrupts disabled, after: " + cause_text()
                                   : "endless loop with interrupts disabled",
                   pc);
            return;
        }
        const Cycle turn = cycle_ - waiting_.at, until = std::min(next_event(), settings_.budget);
        const Cycle turns = until > cycle_ ? (until - cycle_) / turn : 0;
        instructions += turns * (instructions - waiting_.instructions);
        sleep_cycles += turns * turn + (waiting_.tries == 0 ? 0 : turn);
        cycle_ += turns * turn;
        waiting_.pc = 1;
        return;
    }
    if (waiting_.pc == pc && !soc_.touched && ++waiting_.tries < waiting_.limit)
        return;
    waiting_ = {std::string(state), cycle_, instructions, pc, 0, 1};
    soc_.touched = false;
}

std::string Machine::cause_text() const
{
    static const char *const names[] = {"misaligned jump",     "bus error at a fetch", "invalid opcode", "breakpoint",
                                        "misaligned load",     "bus error at a load",  "misaligned store",
                                        "bus error at a store"};
    const std::string what = cause_.code < 8 ? names[cause_.code] : "exception " + std::to_string(cause_.code);
    return what + " at " + symbols_.with_offset(cause_.pc);
}

void Machine::trace_line()
{
    const Cycle_state &now = core_->now;
    char numbers[80];
    std::snprintf(numbers, sizeof numbers, "%llu %08x ", static_cast<unsigned long long>(cycle_), now.retire_pc);
    std::string line = numbers + symbols_.with_offset(now.retire_pc);
    std::snprintf(numbers, sizeof numbers, " %08x %08x %x\n", now.opcode, core_->register_value(sp),
                  now.enabled ? 8U : 0U);
    trace_.write(line + numbers);
}

} // namespace vexriscv
