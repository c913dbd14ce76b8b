#include "machine.hpp"

#include "sources.hpp"

#include <algorithm>
#include <cstring>

#include <simavr/sim_core.h>

namespace avr
{

using instrument::Vcd;

namespace
{

// The on-chip debug register: firmware writes marks (below 0x80) and its end (0x80 + status) there. Not a
// GPIOR: kernels keep state of their own in all three.
constexpr std::uint16_t ocdr = 0x51, gtccr = 0x43, smcr = 0x53, rampz = 0x5b, twcr = 0xbc;
constexpr std::size_t data_space = 0x10000 + 0x200; // every address that firmware can form, and some
constexpr std::uint16_t op_reti = 0x9518, op_sleep = 0x9588, op_spm = 0x95e8, op_self = 0xcfff,
                        op_fmuls = 0x0380; // and FMULSU

Core *complaining = nullptr; // libsimavr's logger carries no pointer of ours

void listen(avr_t *, const int level, const char *format, va_list arguments)
{
    if (level > LOG_ERROR || complaining == nullptr)
        return;
    char text[256];
    std::vsnprintf(text, sizeof text, format, arguments);
    if (std::strstr(text, "Invalid Opcode") != nullptr)
        complaining->impossible("invalid opcode");
    else if (std::strstr(text, "Invalid write") != nullptr)
        complaining->impossible("write outside RAM");
    else if (std::strstr(text, "Invalid read") != nullptr)
        complaining->impossible("read outside RAM");
}

} // namespace

Machine::Machine(const Settings &settings, const instrument::Symbols &symbols, Vcd &vcd,
                 instrument::Output &console, instrument::Output &trace)
    : Run(settings, symbols, vcd, console, trace), settings_(settings),
      avr_(avr_make_mcu_by_name(settings.mcu->name)), core_(avr_)
{
    avr_global_logger_set(listen);
    complaining = &core_;
    avr_init(avr_);
    avr_->frequency = static_cast<std::uint32_t>(settings.clock_hz);
    avr_->log = LOG_ERROR;

    // libsimavr writes where the firmware says even after it has complained: give it room for every address.
    auto *room = static_cast<std::uint8_t *>(std::calloc(1, data_space));
    std::memcpy(room, avr_->data, avr_->ramend + 1U);
    std::free(avr_->data);
    avr_->data = room;
    const std::size_t flash_space = std::max<std::size_t>(settings.mcu->flash, 0x10000) + 4;
    avr_->flash = static_cast<std::uint8_t *>(std::realloc(avr_->flash, flash_space));
    std::memset(avr_->flash, 0xff, flash_space);

    for (const McuTimer &layout : settings.mcu->timers)
        timers_.push_back(
            std::make_unique<Timer>(core_, layout, layout.number == 2 ? prescaler2_ : prescaler_));
    pins_ = std::make_unique<Pins>(core_, *settings.mcu, vcd);
    externals_ = std::make_unique<Externals>(core_, *settings.mcu, *pins_);
    pins_->connect(*externals_);
    connect_pins();
    spi_ = std::make_unique<Spi>(core_, *settings.mcu, *pins_);
    uart_ = std::make_unique<Uart>(core_, *settings.mcu, [this](char c) { say(c); });
    levels_ = std::make_unique<Levels>(core_, *settings.mcu);
    bridge_ = std::make_unique<Bridge>(core_, *levels_);
    stimulus_ = std::make_unique<Stimulus>(core_, *pins_, *uart_);
    std::uint64_t salt = 0;
    for (const auto &irq : settings.random_irqs)
        strays_.push_back(std::make_unique<Strays>(core_, irq, settings.seed + 0x1000 * ++salt));
    for (const std::uint16_t address : {ocdr, gtccr, smcr, rampz, twcr})
        core_.on_write<Machine, &Machine::write_register>(address, *this);

    for (unsigned i = 0; i < 4; ++i)
        pins_->show(settings.probes[i], vcd.add(std::string("probe_") + static_cast<char>('a' + i), 1, 0));
    add_channels(true);
    for (const auto &[name, pin] : settings.watched)
        pins_->show(pin, vcd.add("pin_" + name, 1, 0));

    sp_ = stack_pointer();
    lowest_sp = 0xffff;
    masks.by_reset();
    if (settings.root)
        calls_ = std::make_unique<Calls>(symbols, avr_->data, avr_->ramend, avr_->address_size,
                                         static_cast<std::uint32_t>(*settings.root));
}

Machine::~Machine()
{
    complaining = nullptr;
    avr_terminate(avr_);
    std::free(avr_);
}

void Machine::connect_pins()
{
    const std::vector<McuTimer> &layouts = settings_.mcu->timers;
    for (std::size_t i = 0; i < layouts.size(); ++i)
        timers_[i]->output = [this, &layout = layouts[i]](Cycle at, unsigned channel, bool active,
                                                          bool level) {
            pins_->override_output(at, layout.outputs[channel], Pins::Source::timer, active, level);
        };
    pins_->edge = [this, &layouts](Cycle at, PinName pin, bool level) {
        for (std::size_t i = 0; i < layouts.size(); ++i)
            if (layouts[i].capture == pin)
                timers_[i]->edge(at, level);
    };
}

void Machine::load(const instrument::Image &image)
{
    for (const auto &segment : image.segments) {
        if (segment.address >= 0x800000)
            continue; // EEPROM, fuses, lock bits, signature
        std::copy(segment.bytes.begin(), segment.bytes.end(), avr_->flash + segment.address);
        code_end_ = std::max(code_end_, static_cast<std::uint32_t>(segment.address + segment.bytes.size()));
    }
    avr_->codeend = settings_.mcu->flash;
    if (settings_.mcu->flash < 0x10000) // LPM wraps round
        std::memcpy(avr_->flash + settings_.mcu->flash, avr_->flash, 0x10000 - settings_.mcu->flash);
}

void Machine::stimulate(std::vector<instrument::StimulusEvent> events)
{
    for (const auto &event : events)
        if (event.kind == instrument::StimulusEvent::Kind::pin) {
            const PinName pin = find_pin(*settings_.mcu, *settings_.board, event.pin);
            pins_->show_input(pin, vcd_.add("in_" + event.pin, 1, 0));
        }
    stimulus_->set(std::move(events), *settings_.mcu, *settings_.board);
}

void Machine::go()
{
    while (!ended())
        boundary();
}

void Machine::boundary()
{
    core_.run_until(avr_->cycle);
    vcd_.settle(avr_->cycle);
    if (!core_.fault().empty())
        return finish(End::Reason::crash, core_.fault());
    if (avr_->cycle >= settings_.budget)
        return finish(End::Reason::budget, "the cycle budget is used up");

    if (hooked_)
        look();
    if (core_.pending() != 0 && avr_->sreg[S_I] != 0 && !shadow_) {
        const auto vector = static_cast<unsigned>(__builtin_ctzll(core_.pending()));
        if (bridge_->still_wanted(vector))
            enter(vector);
        return;
    }
    if (sleeping_)
        sleep();
    else if (hooked_ || trace_.wanted())
        step();
    else
        sprint();
}

// Instructions until something has to be looked at. What is recorded waits for events that come before it.
void Machine::sprint()
{
    for (;;) {
        step();
        const bool interrupted = core_.pending() != 0 && avr_->sreg[S_I] != 0 && !shadow_;
        if (avr_->cycle >= core_.due() || avr_->cycle >= settings_.budget || interrupted || sleeping_ || ended() ||
            !core_.fault().empty())
            return;
        vcd_.settle(avr_->cycle);
    }
}

// Timers go on without the program.
bool Machine::pins_move() const
{
    return std::ranges::any_of(timers_, [](const auto &timer) { return timer->moves_pin(); });
}

// Straight to the next event: nothing happens in between.
void Machine::sleep()
{
    if (avr_->sreg[S_I] == 0 && !pins_move())
        return finish(End::Reason::halt, "asleep with interrupts disabled");
    const Cycle next = core_.due();
    if (next == never)
        return finish(End::Reason::halt, "asleep and nothing can wake it");
    const Cycle until = std::min(next, settings_.budget);
    sleep_cycles += until - avr_->cycle;
    avr_->cycle = until;
}

void Machine::enter(unsigned vector)
{
    if (sleeping_) {
        // Leaving idle sleep costs as much as the entry itself (datasheet, "Interrupt Response Time").
        const unsigned wake = 2U + avr_->address_size;
        sleeping_ = false;
        sleep_cycles += wake;
        avr_->cycle += wake;
        return;
    }
    const Cycle start = avr_->cycle;
    const bool forced = core_.is_forced(vector);
    core_.taken(vector);
    if (Device *owner = core_.owner(vector))
        owner->acknowledge(vector, start);
    else
        bridge_->acknowledge(vector, start);
    count_entry(vector, forced, avr_->pc, start);

    _avr_push_addr(avr_, avr_->pc);
    avr_->sreg[S_I] = 0;
    check_stack(0, avr_->pc);
    avr_->pc = vector * avr_->vector_size;
    avr_->cycle += 2U + avr_->address_size;
    active_more(start);
    mask_shown(true, start);
    masks.by_handler(vector, start, window_.open());
    if (calls_)
        calls_->interrupt(vector, sp_, start, window_.open());
}

void Machine::step()
{
    const std::uint32_t pc = avr_->pc;
    if (pc >= settings_.mcu->flash)
        return finish(End::Reason::crash, "jump outside flash");
    const std::uint16_t op = core_.opcode();
    if (op == 0xffff)
        return finish(End::Reason::crash, "jump into erased flash");
    if (trace_.wanted())
        trace_line();
    const std::uint8_t allowed = avr_->sreg[S_I];
    if (op == op_self && allowed == 0 && !pins_move())
        return finish(End::Reason::halt, "endless loop with interrupts disabled");

    const bool numbered = window_.open();
    const std::uint32_t next = avr_run_one(avr_);
    avr_->cycle += core_.take_stall();
    ++instructions;
    executed();
    const unsigned sp = sp_;
    if (stack_pointer() != sp_)
        check_stack(op, pc);
    if (!core_.fault().empty()) // what failed is this instruction, not the next
        return finish(End::Reason::crash, core_.fault());
    avr_->pc = next;
    if (calls_)
        calls_->executed(op, pc, next, sp, sp_);
    if (next == 0)
        ++restarts;

    shadow_ = op == op_reti;
    if (avr_->sreg[S_I] != allowed) {
        shadow_ = shadow_ || allowed == 0;
        after_change_of_mask(pc, avr_->sreg[S_I] == 0);
    }
    if (op == op_reti)
        active_less(avr_->cycle);
    if (op == op_spm)
        levels_->refresh();
    else if ((op & 0xff80) == op_fmuls)
        core_.multiply_signed(op);
    bridge_->look();
    if (numbered)
        window_.executed();
    if (op == op_sleep) {
        avr_->state = cpu_Running;
        const std::uint8_t control = avr_->data[smcr];
        if ((control & 1) != 0) {
            if ((control & 0x0e) != 0)
                core_.impossible("a sleep mode other than idle, which is not modelled");
            sleeping_ = true;
        }
    } else if (avr_->state != cpu_Running) {
        core_.impossible("the processor stopped");
    }
}

void Machine::after_change_of_mask(std::uint32_t pc, bool masked)
{
    mask_shown(masked, avr_->cycle);
    if (masked) {
        masks.by_code(pc, avr_->cycle, window_.open());
        if (calls_)
            calls_->masked(pc, sp_, avr_->cycle, window_.open());
    } else {
        masks.end(pc, avr_->cycle);
        if (calls_)
            calls_->allowed(pc, avr_->cycle);
    }
}

// The stack pointer moved. Firmware that sets it writes two bytes, and between them anything may stand in it:
// so only pushes, pops, calls, returns and interrupt entries are judged.
void Machine::check_stack(std::uint16_t op, std::uint32_t pc)
{
    sp_ = stack_pointer();
    if ((op & 0xf80e) == 0xb80c && ((op & 0x060f) == 0x060d || (op & 0x060f) == 0x060e))
        return; // OUT SPL, OUT SPH
    if ((op & 0xfe0f) == 0x9200 && (avr_->flash[pc + 2] == 0x5d || avr_->flash[pc + 2] == 0x5e) &&
        avr_->flash[pc + 3] == 0)
        return; // STS
    lowest_sp = std::min<std::uint64_t>(lowest_sp, sp_);
    if (sp_ > avr_->ramend || sp_ + 1 < settings_.mcu->ram_start) {
        core_.impossible("stack pointer outside RAM");
    } else if (settings_.guard && sp_ < *settings_.guard) {
        core_.impossible("stack pointer below the guard");
    }
}

void Machine::write_register(std::uint16_t address, std::uint8_t value)
{
    const Cycle now = core_.write_time();
    avr_->data[address] = value;
    if (address == ocdr) {
        mark(value, now);
    } else if (address == gtccr) {
        core_.run_until(now);
        for (auto &timer : timers_)
            timer->sync(now);
        const bool hold = (value & 0x80) != 0;
        for (auto *prescaler : {&prescaler_, &prescaler2_}) {
            const unsigned bit = prescaler == &prescaler_ ? 1 : 2;
            if ((value & bit) != 0 || prescaler->held)
                prescaler->base = now;
            prescaler->held = hold && (value & bit) != 0;
        }
        avr_->data[gtccr] = hold ? value : 0; // without TSM the chip clears the bits itself
        for (auto &timer : timers_)
            timer->rearm();
    } else if (address == twcr) {
        if ((value & 0x04) != 0)
            core_.impossible("TWCR: the two-wire interface (TWEN) is not modelled");
    } else if (address == rampz) {
        avr_->data[address] = value & static_cast<std::uint8_t>(settings_.mcu->flash > 0x10000
                                                                    ? settings_.mcu->flash / 0x10000 - 1
                                                                    : 0);
    }
}

void Machine::trace_line()
{
    std::uint8_t sreg = 0;
    for (unsigned bit = 0; bit < 8; ++bit)
        sreg = static_cast<std::uint8_t>(sreg | avr_->sreg[bit] << bit);
    char numbers[80];
    std::snprintf(numbers, sizeof numbers, "%llu %06x ", static_cast<unsigned long long>(avr_->cycle),
                  avr_->pc);
    std::string line = numbers + symbols_.with_offset(avr_->pc);
    std::snprintf(numbers, sizeof numbers, " %04x %04x %02x\n", core_.opcode(), stack_pointer(), sreg);
    trace_.write(line + numbers);
}

} // namespace avr
