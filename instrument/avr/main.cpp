// attacca-avr: the command line. What is asked for is checked here, before anything runs; the run itself is
// in machine.cpp. Every refusal is one line on standard error and a status of docs/instrument.md.
#include "../common/fork.hpp"
#include "../common/options.hpp"
#include "../common/random.hpp"
#include "machine.hpp"
#include "report.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <elf.h>
#include <iostream>

namespace
{

using namespace avr;
using instrument::Exit;
using instrument::Failure;
using instrument::Options;

const instrument::Identity identity{instrument_name, instrument_version, "uno", board_names(), "PB5", "INT0"};

[[noreturn]] void usage(const std::string &message)
{
    throw Failure(Exit::usage, message);
}

unsigned vector_number(const Mcu &mcu, std::string text)
{
    if (const auto number = instrument::parse_number(text)) {
        if (*number > 0 && *number < mcu.vectors.size())
            return static_cast<unsigned>(*number);
        usage("there is no vector " + text + ": see --list-vectors");
    }
    if (text.ends_with("_vect"))
        text.resize(text.size() - 5);
    for (unsigned i = 1; i < mcu.vectors.size(); ++i)
        if (text == mcu.vectors[i])
            return i;
    usage("there is no vector " + text + ": see --list-vectors");
}

std::uint64_t address(const instrument::Symbols &symbols, const std::string &option, const std::string &text)
{
    if (const auto number = instrument::parse_number(text))
        return *number;
    if (const auto *symbol = symbols.find(text))
        return symbol->address & 0x7fffff;
    usage(option + ": the firmware has no symbol '" + text + "'");
}

instrument::Trigger trigger(const instrument::Symbols &symbols, const std::string &option,
                            const std::string &text)
{
    using Kind = instrument::Trigger::Kind;
    if (text.empty())
        return {};
    if (!text.starts_with("marker="))
        return {Kind::address, address(symbols, option, text), 1};
    const auto value = instrument::parse_number(text.substr(7));
    if (!value || *value > 127)
        usage(option + ": the marker's value must be 0 to 127");
    return {Kind::marker, *value, 1};
}

std::uint64_t cycles(const std::string &option, const std::string &text, std::uint64_t clock_hz)
{
    const auto value = instrument::parse_cycles(text, clock_hz);
    if (!value)
        usage(option + ": '" + text + "' is no number of cycles: write 1000, 2M or 10ms");
    return *value;
}

PinName pin(const Settings &settings, const std::string &option, const std::string &text)
{
    const PinName found = find_pin(*settings.mcu, *settings.board, text);
    if (found.port == 0)
        usage(option + ": this board has no pin '" + text + "': write D13, A0 or PB5");
    return found;
}

void choose_board(const Options &options, Settings &settings)
{
    settings.board = find_board(options.board);
    if (settings.board == nullptr)
        usage("unknown board '" + options.board + "': choose one of " + board_names());
    settings.mcu = find_mcu(options.mcu.empty() ? settings.board->mcu : options.mcu);
    if (settings.mcu == nullptr)
        usage("unknown mcu '" + options.mcu + "': choose one of " + mcu_names());
    settings.clock_hz = settings.board->clock_hz;
    if (!options.clock.empty()) {
        settings.clock_hz = cycles("--clock", options.clock, 1);
        if (settings.clock_hz < 1000 || settings.clock_hz > 1000000000)
            usage("--clock must be 1000 to 1000000000 Hz");
    }
}

Settings make_settings(const Options &options, const instrument::Symbols &symbols, Settings settings)
{
    settings.seed = options.seed;
    settings.budget = cycles("--cycles", options.cycles, settings.clock_hz);
    if (!options.guard.empty())
        settings.guard = address(symbols, "--guard", options.guard);
    if (!options.calls.empty())
        settings.root = static_cast<std::uint32_t>(address(symbols, "--calls", options.calls));
    auto mark = trigger(symbols, "--mark", options.mark);
    mark.hits = options.mark_hit;
    settings.window = instrument::Window(mark, trigger(symbols, "--until", options.until));
    for (const auto &text : options.inject) {
        const auto parts = instrument::split("--inject", text, '@', 2);
        const auto index = instrument::parse_number(parts[1]);
        if (!index)
            usage("--inject: '" + parts[1] + "' is no instruction number");
        settings.injections.push_back({vector_number(*settings.mcu, parts[0]), *index});
    }
    for (const auto &text : options.random_irq) {
        const auto parts = instrument::split("--random-irq", text, ':', 3);
        const Cycle low = cycles("--random-irq", parts[1], settings.clock_hz);
        const Cycle high = cycles("--random-irq", parts[2], settings.clock_hz);
        if (low == 0 || high < low)
            usage("--random-irq: 0 < min <= max must hold");
        settings.random_irqs.push_back({vector_number(*settings.mcu, parts[0]), low, high});
    }
    for (unsigned i = 0; i < 4; ++i)
        settings.probes[i] = pin(settings, "--mcu", settings.board->probes[i]);
    for (const auto &text : options.probe) {
        const auto parts = instrument::split("--probe", text, '=', 2);
        if (parts[0].size() != 1 || parts[0][0] < 'a' || parts[0][0] > 'd')
            usage("--probe: the probes are a, b, c and d: write a=PB5");
        settings.probes[parts[0][0] - 'a'] = pin(settings, "--probe", parts[1]);
    }
    for (const auto &text : options.watch)
        settings.watched.emplace_back(text, pin(settings, "--watch", text));
    return settings;
}

void check_image(const std::string &path, const instrument::Image &image, const Settings &settings)
{
    const auto refuse = [&](const std::string &why) { throw Failure(Exit::firmware, path + ": " + why); };
    if (image.elf && image.machine != EM_AVR)
        refuse("built for another processor (ELF machine " + std::to_string(image.machine) +
               "): build it for AVR");
    if (!image.linked)
        refuse("not a linked executable: link it first");
    const unsigned arch = image.flags & 0x7f;
    if (image.elf && (arch > 6 || (arch == 6) != (settings.mcu->elf_arch == 6)))
        refuse("built for avr" + std::to_string(arch) + ", but " + settings.mcu->name + " is avr" +
               std::to_string(settings.mcu->elf_arch) + ": choose another --board or build it again");
    std::uint64_t bytes = 0;
    for (const auto &segment : image.segments) {
        if (segment.address >= 0x800000)
            continue;
        bytes += segment.bytes.size();
        if (segment.address + segment.bytes.size() > settings.mcu->flash)
            refuse("too big: it reaches to byte " + std::to_string(segment.address + segment.bytes.size()) +
                   ", " + settings.mcu->name + " has " + std::to_string(settings.mcu->flash) +
                   " bytes of flash");
    }
    if (bytes == 0)
        refuse("no code in it: was it linked?");
}

int list_vectors(const Settings &settings)
{
    for (unsigned i = 1; i < settings.mcu->vectors.size(); ++i)
        std::printf("%u %s\n", i, settings.mcu->vectors[i]);
    return 0;
}

// Which of the window's instructions get a copy, and what else comes in it.
struct Places {
    bool enabled = false; // only those before which interrupts are enabled
    std::uint64_t low = 0;
    std::uint64_t high = UINT64_MAX;
    std::uint64_t one_in = 1;
    std::optional<unsigned> then; // this vector, so many instructions later
    std::uint64_t min = 0;
    std::uint64_t max = 0;
};

Places places(const Options &options, const instrument::Symbols &symbols, const Mcu &mcu)
{
    Places places;
    places.enabled = options.fork_enabled;
    places.one_in = options.fork_one_in;
    if (!options.fork_in.empty()) {
        const auto parts = instrument::split("--fork-in", options.fork_in, ':', 2);
        places.low = address(symbols, "--fork-in", parts[0]);
        places.high = address(symbols, "--fork-in", parts[1]);
    }
    if (!options.fork_then.empty()) {
        const auto parts = instrument::split("--fork-then", options.fork_then, ':', 3);
        const auto min = instrument::parse_number(parts[1]);
        const auto max = instrument::parse_number(parts[2]);
        if (!min || !max || *min == 0 || *max < *min)
            usage("--fork-then: 0 < min <= max must hold");
        places.then = vector_number(mcu, parts[0]);
        places.min = *min;
        places.max = *max;
    }
    return places;
}

void fork_everywhere(Machine &machine, instrument::Forks &forks, const Subject &subject, unsigned vector,
                     const Places &places, std::uint64_t seed)
{
    machine.each_instruction = [&machine, &forks, &subject, vector, places,
                                random = instrument::Random(seed)]() mutable {
        if ((places.enabled && machine.masked()) || machine.pc() < places.low || machine.pc() >= places.high)
            return;
        if (random.between(1, places.one_in) != 1)
            return;
        const std::uint64_t index = machine.window().index();
        const std::uint64_t later = index + (places.then ? random.between(places.min, places.max) : 0);
        const std::uint32_t pc = machine.pc();
        forks.branch([&machine, &subject, vector, index, pc, then = places.then, later] {
            machine.mute();
            machine.force(vector);
            if (then)
                machine.force_later(*then, later);
            machine.resume();
            return instrument::Forks::Answer{child_line(machine, subject, index, pc),
                                             exit_status(machine.end())};
        });
    };
}

int run(const Options &options)
{
    Settings settings;
    choose_board(options, settings);
    if (options.list_vectors)
        return list_vectors(settings);

    const instrument::Image image = instrument::load_image(options.firmware);
    check_image(options.firmware, image, settings);
    const instrument::Symbols symbols(image.symbols, 0x800000);
    settings = make_settings(options, symbols, settings);

    std::vector<instrument::StimulusEvent> events;
    if (!options.stimulus.empty())
        events = instrument::load_stimulus(
            options.stimulus, settings.clock_hz, settings.seed, [&settings](const std::string &name) {
                const PinName found = find_pin(*settings.mcu, *settings.board, name);
                return found.port == 0 ? std::string() : name;
            });

    const bool forking = !options.fork.empty();
    instrument::Output console, trace, report, memory;
    console.open(forking && !options.console_given ? "" : options.console);
    trace.open(options.trace);
    report.open(options.report);
    memory.open(options.memory);
    instrument::Vcd vcd;
    if (!options.vcd.empty())
        vcd.open(options.vcd, settings.clock_hz, std::string(instrument_name) + "/" + instrument_version,
                 options.vcd_flat);

    Machine machine(settings, symbols, vcd, console, trace);
    machine.load(image);
    machine.stimulate(std::move(events));
    vcd.begin();

    Subject subject{settings, symbols, options.firmware};
    instrument::Forks forks;
    if (forking)
        fork_everywhere(machine, forks, subject, vector_number(*settings.mcu, options.fork),
                        places(options, symbols, *settings.mcu), settings.seed);
    machine.run();
    forks.finish();
    subject.forked = forks.count();

    vcd.close(machine.cycle());
    trace.close();
    console.close();
    report.write(report_text(machine, subject));
    report.close();
    memory.write(machine.memory());
    memory.close();
    if (forking)
        std::fprintf(stderr, "%s: %s\n", instrument_name, forks.summary().c_str());
    if (forks.lost() > 0)
        usage("forked runs were lost: is there memory for two of them?");
    const std::string message = end_text(machine, symbols);
    if (!message.empty())
        std::fprintf(stderr, "%s: %s\n", instrument_name, message.c_str());
    return exit_status(machine.end());
}

} // namespace

int main(int argc, char **argv)
{
    try {
        const auto options = instrument::parse_options(argc, argv, identity);
        return options ? run(*options) : 0;
    } catch (const Failure &failure) {
        std::fprintf(stderr, "%s: %s\n", instrument_name, failure.what());
        return static_cast<int>(failure.exit());
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s: %s\n", instrument_name, error.what());
        return static_cast<int>(Exit::usage);
    }
}
