#include "machine.hpp"

#include <algorithm>
#include <cstdio>

namespace cortexm
{

using instrument::Vcd;

namespace
{

constexpr std::uint32_t process_frame = 4, no_float_frame = 16; // of EXC_RETURN
constexpr std::uint32_t frame_pc = 24, frame_xpsr = 28, frame_size = 32, frame_padded = 1u << 9;

} // namespace

Machine::Machine(Chip &chip, const Settings &settings, const instrument::Symbols &symbols, Vcd &vcd,
                 instrument::Output &console, instrument::Output &trace)
    : Run(settings, symbols, vcd, console, trace), chip_(chip), settings_(settings), cause_(chip.bus),
      semihosting_(chip.cpu, {[this](char c) { say(c); },
                              [this](unsigned status) {
                                  mark(static_cast<std::uint8_t>(0x80 | status), cycle(), last_pc_);
                              },
                              [this](const std::string &why) { finish(End::Reason::crash, why, last_pc_); }})
{
    chip_.time = instrument::Timeline(follows_clock() ? settings.first_hz : settings.clock_hz);
    set_budget();
    connect();
    for (unsigned i = 0; i < 4; ++i)
        moved_[number(settings.probes[i])].channels.push_back(
            vcd.add(std::string("probe_") + static_cast<char>('a' + i), 1, 0));
    add_channels(false);
    if (follows_clock())
        vcd_clock_ = vcd.add_clock("clock_hz");
    for (const auto &[name, pin] : settings.watched)
        moved_[number(pin)].channels.push_back(vcd.add("pin_" + name, 1, 0));
    if (settings.root)
        calls_ = std::make_unique<Calls>(symbols, static_cast<std::uint32_t>(*settings.root));
}

void Machine::connect()
{
    Cpu &cpu = chip_.cpu;
    cpu.entered = [this](unsigned exception, Cycle began) { entered(exception, began); };
    cpu.left = [this](unsigned exception, Cycle ended) { left(exception, ended); };
    cpu.faulted = [this](unsigned exception, std::uint32_t bits, std::uint32_t address) {
        faulted(exception, bits, address, chip_.cpu.r[15]);
    };
    cpu.breakpoint = [this](std::uint8_t number) { breakpoint(number); };
    chip_.moved = [this](Pin pin, bool level) { moved(pin, level); };
    chip_.sent = [this](char c) { say(c); };
    chip_.system.mark = [this](std::uint8_t value) { notes_.push_back({true, {}, value}); };
    chip_.restarted = [this] { restarted(); };
    chip_.clock_changed = [this](std::uint32_t hz) { clock_changed(hz); };
}

void Machine::load(const instrument::Image &image)
{
    Memory &flash = chip_.flash();
    std::fill(flash.bytes.begin(), flash.bytes.end(), std::uint8_t{0xff});
    for (const auto &segment : image.segments) {
        const std::uint64_t base = segment.address >= flash.base ? flash.base : 0;
        std::copy(segment.bytes.begin(), segment.bytes.end(), flash.bytes.begin() + (segment.address - base));
    }
    chip_.power_on();
    start_ = chip_.cpu.r[15];
    sp_ = chip_.cpu.r[13];
    lowest_sp = sp_;
}

void Machine::stimulate(std::vector<instrument::StimulusEvent> events)
{
    for (auto &event : events) {
        if (event.kind == instrument::StimulusEvent::Kind::pin)
            moved_[number(*find_pin(chip_, event.pin))].input = vcd_.add("in_" + event.pin, 1, 0);
        (follows_clock() && event.timed ? by_time_ : by_cycle_).events.push_back(std::move(event));
    }
    plan_stimulus(by_cycle_);
    plan_stimulus(by_time_);
    std::uint64_t salt = 0;
    for (const auto &irq : settings_.random_irqs) {
        strays_.emplace_back(settings_.seed + 0x1000 * ++salt);
        const Cycle first = strays_.back().between(irq.min, irq.max);
        chip_.events.at(first, [this, which = strays_.size() - 1] { stray(which); });
    }
}

// The feed's next event. A time is the board's clock's cycle as it was read, and becomes one of the clock
// that runs.
void Machine::plan_stimulus(Feed &feed)
{
    chip_.events.cancel(feed.planned);
    if (feed.next == feed.events.size())
        return;
    Cycle at = feed.events[feed.next].cycle;
    if (&feed == &by_time_)
        at = chip_.time.cycle_at(instrument::picoseconds(at, settings_.clock_hz));
    feed.planned = chip_.events.at(at, [this, &feed] {
        happen(feed.events[feed.next++]);
        plan_stimulus(feed);
    });
}

void Machine::happen(const instrument::StimulusEvent &event)
{
    if (event.kind != instrument::StimulusEvent::Kind::pin)
        return chip_.receive(static_cast<std::uint8_t>(event.value));
    const Pin pin = *find_pin(chip_, event.pin);
    vcd_.change(moved_[number(pin)].input, chip_.events.now(), event.value);
    chip_.drive(pin, event.value != 0);
}

void Machine::set_budget()
{
    budget_ = plan_.budget;
    if (follows_clock() && plan_.budget_is_time)
        budget_ = chip_.time.cycle_at(instrument::picoseconds(plan_.budget, settings_.clock_hz));
}

// From the end of the instruction that changed it.
void Machine::clock_changed(std::uint64_t hz)
{
    if (!follows_clock() || hz == chip_.time.clock_hz())
        return;
    const Cycle now = chip_.cpu.cycle;
    clocks_ = clocks();
    clock_since_ = now;
    chip_.time.change(now, hz);
    vcd_.change(vcd_clock_, now, static_cast<unsigned>(hz));
    set_budget();
    plan_stimulus(by_time_);
}

std::vector<Machine::Clock> Machine::clocks() const
{
    std::vector<Clock> all = clocks_;
    const auto known =
        std::ranges::find_if(all, [this](const Clock &one) { return one.hz == chip_.time.clock_hz(); });
    if (known == all.end())
        all.push_back({chip_.time.clock_hz(), cycle() - clock_since_});
    else
        known->cycles += cycle() - clock_since_;
    return all;
}

void Machine::stray(std::size_t which)
{
    const auto &irq = settings_.random_irqs[which];
    force(irq.vector);
    chip_.events.at(chip_.events.now() + strays_[which].between(irq.min, irq.max),
                    [this, which] { stray(which); });
}

void Machine::go()
{
    while (!ended())
        boundary();
    instructions = chip_.cpu.instructions;
}

void Machine::boundary()
{
    Cpu &cpu = chip_.cpu;
    chip_.events.run_until(cpu.cycle);
    vcd_.settle(cpu.cycle);
    if (!cpu.stuck.empty())
        return stuck();
    if (cpu.cycle >= budget_)
        return finish(End::Reason::budget, "the cycle budget is used up");
    if (hooked_)
        look();
    if (cpu.exception_due())
        enter();
    else if (cpu.sleeping)
        sleep();
    else if (hooked_ || calls_)
        stride();
    else
        sprint();
}

// Straight to the next event: nothing happens in between.
void Machine::sleep()
{
    const Cycle next = chip_.events.next();
    if (next == instrument::never)
        return finish(End::Reason::halt, "asleep and nothing can wake it");
    const Cycle until = std::min(next, budget_);
    sleep_cycles += until - chip_.cpu.cycle;
    chip_.cpu.cycle = until;
}

void Machine::enter()
{
    looping_ = 1;
    chip_.cpu.enter();
    if (mask_bits() != mask_bits_) // woken, and masked from here on
        masks_changed(last_pc_);
}

void Machine::sprint()
{
    const Cpu &cpu = chip_.cpu;
    do
        execute();
    while (cpu.cycle < chip_.events.next() && cpu.cycle < budget_ && !cpu.exception_due() && !cpu.sleeping &&
           !ended() && cpu.stuck.empty());
}

void Machine::stride()
{
    if (trace_.wanted())
        trace_line();
    const bool numbered = window_.open();
    const std::uint32_t sp = chip_.cpu.r[13], pc = chip_.cpu.r[15];
    const std::uint16_t op = halfword(pc), second = halfword(pc + 2);
    execute();
    executed();
    if (calls_ && chip_.cpu.stuck.empty())
        calls_->executed({op, second, pc, chip_.cpu.r[15], sp, chip_.cpu.r[13]});
    if (numbered)
        window_.executed();
}

inline void Machine::execute()
{
    Cpu &cpu = chip_.cpu;
    const std::uint32_t pc = cpu.r[15];
    pc_before_ = last_pc_;
    last_pc_ = pc;
    cpu.execute();
    if (mask_bits() != mask_bits_)
        masks_changed(pc);
    if (cpu.r[13] != sp_)
        stack_moved(pc);
    if (!notes_.empty())
        write_notes(pc);
    if (cpu.r[15] == pc)
        stays(pc);
    else if (cpu.r[15] == start_)
        ++restarts;
}

void Machine::masks_changed(std::uint32_t pc)
{
    const Masked before = masked_;
    mask_bits_ = mask_bits();
    masked_.all = (mask_bits_ & (primask_bit | faultmask_bit)) != 0;
    masked_.any = masked_.all || basepri_holds_off();
    const Cycle at = chip_.cpu.cycle;
    if (!before.all && masked_.all)
        all_masks.by_code(pc, at, window_.open());
    else if (before.all && !masked_.all)
        all_masks.end(pc, at);
    if (before.any == masked_.any)
        return;
    mask_shown(masked_.any, at);
    if (masked_.any)
        masks.by_code(pc, at, window_.open());
    else
        masks.end(pc, at);
    if (calls_ && masked_.any)
        calls_->masked(pc, chip_.cpu.r[13], at, window_.open());
    else if (calls_)
        calls_->allowed(pc, at);
}

// Nothing is masked by a BASEPRI that every interrupt which may come is above. A kernel holds its own PendSV
// off that way, and no device.
bool Machine::basepri_holds_off() const
{
    const System &system = chip_.system;
    if (chip_.cpu.basepri == 0)
        return false;
    const int from = system.group_priority(chip_.cpu.basepri);
    for (unsigned number = exception::sys_tick; number < system.exceptions(); ++number) {
        const bool awaited = number == exception::sys_tick ? system.tick_requests() : system.enabled(number);
        if (awaited && system.group_priority(system.priority(number)) >= from)
            return true;
    }
    return false;
}

void Machine::write_notes(std::uint32_t pc)
{
    for (const Note &note : notes_) {
        if (note.mark)
            mark(note.value, chip_.cpu.cycle, pc);
        else
            show(note.pin, note.value != 0, chip_.cpu.cycle);
    }
    notes_.clear();
    vcd_.settle(chip_.cpu.cycle);
}

void Machine::moved(Pin pin, bool level)
{
    if (chip_.events.happening())
        show(pin, level, chip_.events.now());
    else
        notes_.push_back({false, pin, level});
}

void Machine::show(Pin pin, bool level, Cycle at)
{
    Wire &wire = moved_[number(pin)];
    ++(level ? wire.rising : wire.falling);
    for (const auto channel : wire.channels)
        vcd_.change(channel, at, level ? 1 : 0);
}

void Machine::entered(unsigned exception, Cycle began)
{
    const Cpu &cpu = chip_.cpu;
    const std::uint32_t frame = (cpu.r[14] & process_frame) != 0 ? cpu.psp() : cpu.msp();
    std::uint32_t pc = last_pc_, xpsr = 0; // a frame that is not in memory says nothing
    chip_.bus.read(frame + frame_pc, 4, pc);
    chip_.bus.read(frame + frame_xpsr, 4, xpsr);
    const std::uint32_t floats = (cpu.r[14] & no_float_frame) == 0 ? 4 * Fpu::frame_words : 0;
    const std::uint32_t interrupted_sp = frame + frame_size + floats + ((xpsr & frame_padded) != 0 ? 4 : 0);

    if (exception != exception::nmi) // not raised by an instruction: by stacking
        faulted(exception, chip_.system.cfsr, chip_.system.bfar, last_pc_);
    count_entry(exception, chip_.system.forced(exception), pc, began);
    if (exception >= first_interrupt)
        active_more(began, exception == exception::sv_call || exception == exception::pend_sv);
    masks.enter(exception, began, window_.open());
    if (calls_)
        calls_->interrupt(
            {exception, pc, interrupted_sp, frame, cpu.r[13], cpu.r[15], began, window_.open()});
    sp_ = cpu.r[13];
    lowest_sp = std::min<std::uint64_t>(lowest_sp, std::min(frame, sp_));
    if (settings_.guard && std::min(frame, sp_) < *settings_.guard)
        finish(End::Reason::crash, "stack pointer below the guard", pc);
}

void Machine::left(unsigned exception, Cycle ended)
{
    if (exception >= first_interrupt)
        active_less(ended);
    else
        cause_.handled();
    masks.leave(exception, last_pc_, ended);
    if (calls_)
        calls_->left(exception, last_pc_, ended);
    looping_ = 1;
}

// Asleep a request is seen: it wakes the processor even if it is masked.
bool Machine::waits(unsigned vector) const
{
    const Cpu &cpu = chip_.cpu;
    const System &system = chip_.system;
    return !cpu.sleeping && system.group_priority(system.priority(vector)) >= cpu.priority();
}

std::uint16_t Machine::halfword(std::uint32_t address) const
{
    std::uint16_t value = 0;
    chip_.bus.fetch(address, value);
    return value;
}

void Machine::trace_line()
{
    const Cpu &cpu = chip_.cpu;
    const std::uint16_t op = halfword(cpu.r[15]);
    char numbers[80];
    std::snprintf(numbers, sizeof numbers, "%llu %08x ", static_cast<unsigned long long>(cpu.cycle),
                  cpu.r[15]);
    std::string line = numbers + symbols_.with_offset(cpu.r[15]);
    if (op >= 0xe800)
        std::snprintf(numbers, sizeof numbers, " %04x%04x", op, halfword(cpu.r[15] + 2));
    else
        std::snprintf(numbers, sizeof numbers, " %04x", op);
    line += numbers;
    std::snprintf(numbers, sizeof numbers, " %08x %08x\n", cpu.r[13], cpu.xpsr());
    trace_.write(line + numbers);
}

} // namespace cortexm
