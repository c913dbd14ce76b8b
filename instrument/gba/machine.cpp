#include "machine.hpp"

#include "serial.hpp"

#include <algorithm>
#include <cstring>

#include <mgba-util/vfs.h>
#include <mgba/core/log.h>

namespace gba
{

Machine *Machine::one = nullptr;

namespace
{

void silent(mLogger *, int, mLogLevel, const char *, va_list)
{
}
mLogger logger{silent, nullptr};

constexpr std::uint32_t self_arm = 0xeafffffe, self_thumb = 0xe7fe;

// Does an instruction in ARM state return from an exception, if it is executed?
bool returns(std::uint32_t op)
{
    return (op & 0x0c10f000) == 0x0010f000 || (op & 0x0e508000) == 0x08508000;
}

} // namespace

Machine::Machine(const Settings &settings, const instrument::Symbols &symbols, instrument::Vcd &vcd,
                 instrument::Output &console, instrument::Output &trace)
    : Run(settings, symbols, vcd, console, trace), settings_(settings), core_(mCoreCreate(mPLATFORM_GBA))
{
    one = this;
    mLogSetDefaultLogger(&logger);
    if (core_ == nullptr || !core_->init(core_))
        throw instrument::Failure(instrument::Exit::usage, "libmgba has no Game Boy Advance");
    mCoreInitConfig(core_, nullptr);
    core_->opts.skipBios = true;
    gba_ = static_cast<GBA *>(core_->board);
    cpu_ = static_cast<ARMCore *>(core_->cpu);
    if (!settings.screen.empty()) {
        screen_.resize(240 * 160);
        core_->setVideoBuffer(core_, screen_.data(), 240);
    }
    for (unsigned i = 0; i < 4; ++i) {
        counts_[i].pin = pin_name(settings.probes[i]);
        shown_.push_back({settings.probes[i], vcd.add(std::string("probe_") + static_cast<char>('a' + i), 1, 0)});
    }
    add_channels(true);
    for (const auto &[name, pin] : settings.watched)
        shown_.push_back({pin, vcd.add("pin_" + name, 1, 0)});
    lowest_sp = 0xffffffff;
    masks.by_reset();
}

Machine::~Machine()
{
    core_->deinit(core_);
    one = nullptr;
}

void Machine::load(const instrument::Image &image)
{
    for (const auto &segment : image.segments) {
        const std::size_t at = segment.address - rom.base;
        if (rom_.size() < at + segment.bytes.size())
            rom_.resize(at + segment.bytes.size());
        std::ranges::copy(segment.bytes, rom_.begin() + static_cast<std::ptrdiff_t>(at));
    }
    rom_.resize((rom_.size() + 3) & ~std::size_t{3}); // the last word can be read
    core_->loadROM(core_, VFileFromConstMemory(rom_.data(), rom_.size()));
    core_->reset(core_);
    gba_->idleOptimization = IDLE_LOOP_IGNORE;
    begin_ = mTimingGlobalTime(&gba_->timing);
    sp_ = static_cast<std::uint32_t>(cpu_->gprs[ARM_SP]);
    take_access();
    take_interrupts();
    std::uint64_t salt = 0;
    for (const auto &irq : settings_.random_irqs) {
        Stray stray{irq, instrument::Random(settings_.seed + 0x1000 * ++salt), 0};
        stray.due = stray.random.between(irq.min, irq.max);
        strays_.push_back(stray);
    }
    serial_ = std::make_unique<Serial>(gba_);
    plan_wake();
}

void Machine::stimulate(std::vector<instrument::StimulusEvent> events)
{
    for (const auto &event : events) {
        if (event.kind != instrument::StimulusEvent::Kind::pin)
            continue;
        const int pin = find_pin(event.pin);
        if (std::ranges::none_of(inputs_, [pin](const Pin &one) { return one.number == pin; }))
            inputs_.push_back({pin, vcd_.add("in_" + event.pin, 1, pin < first_key ? 0 : 1)}); // keys are pulled up
    }
    events_ = std::move(events);
    plan_wake();
}

instrument::ProbeCount Machine::probe(unsigned index) const
{
    return counts_[index];
}

void Machine::go()
{
    while (!ended())
        boundary();
}

// Can what the program has enabled still happen, if it sleeps from here on?
bool Machine::nothing_wakes() const
{
    const auto &io = gba_->memory.io;
    unsigned possible = 0;
    possible |= (io[4 / 2] >> 3) & 7U; // DISPSTAT
    for (unsigned i = 0; i < 4; ++i)
        possible |= (io[0x102 / 2 + 2 * i] & 0xc0) == 0xc0 ? 8U << i : 0;
    if (next_event_ < events_.size() || !strays_.empty() || serial_->due() != instrument::never)
        possible |= 0x3fff;
    return (possible & io[index_ie]) == 0;
}

void Machine::boundary()
{
    vcd_.settle(cycle());
    if (!fault_.empty())
        return finish(End::Reason::crash, fault_);
    if (cycle() >= settings_.budget)
        return finish(End::Reason::budget, "the cycle budget is used up");
    if (cpu_->halted && pending() != 0)
        cpu_->halted = 0; // libmgba wakes at the request alone
    if (cpu_->halted) {
        if (nothing_wakes())
            return finish(End::Reason::halt, "asleep and nothing can wake it");
        const Cycle from = cycle();
        cpu_->cycles = std::max(cpu_->cycles, cpu_->nextEvent);
        cpu_->irqh.processEvents(cpu_);
        sleep_cycles += cycle() - from;
        return;
    }
    if (hooked_)
        look();
    if (ended())
        return;
    if (cpu_->cycles >= cpu_->nextEvent) {
        cpu_->irqh.processEvents(cpu_);
        return;
    }
    step();
}

void Machine::step()
{
    const std::uint64_t place = pc();
    const std::uint32_t op = cpu_->prefetch[0];
    const bool thumb = cpu_->executionMode == MODE_THUMB;
    if (trace_.wanted())
        trace_line();
    const bool was_masked = masked();
    if ((thumb ? (op & 0xffff) == self_thumb : op == self_arm) && was_masked)
        return finish(End::Reason::halt, "endless loop with interrupts disabled");
    const bool numbered = window_.open();
    const unsigned mode = cpu_->cpsr.priv;
    const bool returning = !thumb && returns(op);
    ARMRun(cpu_);
    ++instructions;
    executed();
    if (shadow_ != 0)
        after_shadow();
    if (waiting_ && !requested())
        waiting_ = false;
    if (!fault_.empty()) // what failed is this instruction
        return finish(End::Reason::crash, fault_, place);
    check_stack();
    if (depth_ > 0 && cpu_->cpsr.priv != mode) {
        const unsigned now = cpu_->cpsr.priv;
        if (now == MODE_SYSTEM || now == MODE_USER) {
            depth_ = 0;
            active_none(cycle());
        } else if (returning) {
            --depth_;
            active_less(cycle());
        }
    }
    if (masked() != was_masked) {
        mask_shown(masked(), cycle());
        if (masked())
            masks.by_code(place, cycle(), window_.open());
        else
            masks.end(place, cycle());
    }
    if (mark_) {
        const std::uint8_t value = *mark_;
        mark_.reset();
        mark(value, cycle(), place);
    }
    if (outputs() != levels_)
        show_pins(outputs(), cycle());
    if (pc() == rom.base)
        ++restarts;
    if (numbered)
        window_.executed();
}

std::uint16_t Machine::outputs() const
{
    const int link = (rcnt_ & 0xc000) == 0x8000 ? rcnt_ & rcnt_ >> 4 & 15 : 0;
    return static_cast<std::uint16_t>(link | (gpio_ & gpio_outputs_ & 15) << 4);
}

void Machine::show_pins(std::uint16_t levels, Cycle now)
{
    for (std::size_t i = 0; i < shown_.size(); ++i) {
        const auto bit = static_cast<std::uint16_t>(shown_[i].number < first_key ? 1U << shown_[i].number : 0U);
        if (((levels ^ levels_) & bit) == 0)
            continue;
        vcd_.change(shown_[i].channel, now, (levels & bit) != 0 ? 1 : 0);
        if (i < 4)
            ++((levels & bit) != 0 ? counts_[i].rising : counts_[i].falling);
    }
    levels_ = levels;
}

// Start-up code and exceptions exchange the stacks of modes: what is judged is where the program's ones point.
void Machine::check_stack()
{
    const auto sp = static_cast<std::uint32_t>(cpu_->gprs[ARM_SP]);
    if (sp == sp_)
        return;
    sp_ = sp;
    lowest_sp = std::min<std::uint64_t>(lowest_sp, sp);
    if (!holds(iwram, sp - 1) && !holds(ewram, sp - 1))
        impossible("stack pointer outside RAM");
    else if (settings_.guard && sp < *settings_.guard)
        impossible("stack pointer below the guard");
}

void Machine::trace_line()
{
    char numbers[80];
    std::snprintf(numbers, sizeof numbers, "%llu %08llx ", static_cast<unsigned long long>(cycle()),
                  static_cast<unsigned long long>(pc()));
    std::string line = numbers + symbols_.with_offset(pc());
    std::snprintf(numbers, sizeof numbers, cpu_->executionMode == MODE_THUMB ? " %04x %08x %08x\n" : " %08x %08x %08x\n",
                  cpu_->executionMode == MODE_THUMB ? cpu_->prefetch[0] & 0xffff : cpu_->prefetch[0],
                  static_cast<std::uint32_t>(cpu_->gprs[ARM_SP]), static_cast<std::uint32_t>(cpu_->cpsr.packed));
    trace_.write(line + numbers);
}

} // namespace gba
