// attacca-avr: the command line. What is asked for is checked here, before anything runs; the run itself is
// in machine.cpp. Every refusal is one line on standard error and a status of docs/instrument.md.
#include "../common/memory.hpp"
#include "../common/session.hpp"
#include "machine.hpp"

#include <elf.h>

namespace
{

using namespace avr;
using instrument::Exit;
using instrument::Failure;
using instrument::Options;

const instrument::Identity identity{"attacca-avr", "1.0", "uno", board_names(), "PB5", "INT0"};

PinName pin(const Settings &settings, const std::string &option, const std::string &text)
{
    const PinName found = find_pin(*settings.mcu, *settings.board, text);
    if (found.port == 0)
        instrument::usage(option + ": this board has no pin '" + text + "': write D13, A0 or PB5");
    return found;
}

void choose_board(const Options &options, Settings &settings)
{
    settings.board = find_board(options.board);
    if (settings.board == nullptr)
        instrument::usage("unknown board '" + options.board + "': choose one of " + board_names());
    settings.mcu = find_mcu(options.mcu.empty() ? settings.board->mcu : options.mcu);
    if (settings.mcu == nullptr)
        instrument::usage("unknown mcu '" + options.mcu + "': choose one of " + mcu_names());
    settings.board_name = settings.board->name;
    settings.mcu_name = settings.mcu->name;
    settings.vectors.assign(settings.mcu->vectors.begin(), settings.mcu->vectors.end());
    settings.clock_hz = instrument::chosen_clock(options, settings.board->clock_hz);
}

void choose_pins(const Options &options, Settings &settings)
{
    for (unsigned i = 0; i < 4; ++i)
        settings.probes[i] = pin(settings, "--mcu", settings.board->probes[i]);
    for (const auto &text : options.probe) {
        const auto [probe, name] = instrument::probe_option(text, identity.example_pin);
        settings.probes[probe] = pin(settings, "--probe", name);
    }
    for (const auto &text : options.watch)
        settings.watched.emplace_back(text, pin(settings, "--watch", text));
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

std::vector<instrument::StimulusEvent> stimulus(const Options &options, const Settings &settings)
{
    if (options.stimulus.empty())
        return {};
    return instrument::load_stimulus(options.stimulus, settings.clock_hz, settings.seed,
                                     [&settings](const std::string &name) {
                                         const PinName found = find_pin(*settings.mcu, *settings.board, name);
                                         return found.port == 0 ? std::string() : name;
                                     });
}

int run(const Options &options)
{
    Settings settings;
    choose_board(options, settings);
    if (options.list_vectors)
        return instrument::list_vectors(settings);

    const instrument::Image image = instrument::load_image(options.firmware);
    check_image(options.firmware, image, settings);
    const instrument::Symbols symbols(image.symbols, 0x800000);
    instrument::complete(settings, options, {symbols, 0x7fffff, {"_vect"}});
    choose_pins(options, settings);
    auto events = stimulus(options, settings);
    const instrument::Kept kept(settings.copies());
    const auto files = std::make_unique<instrument::Files>(options, settings, identity);
    const auto machine =
        std::make_unique<Machine>(settings, symbols, files->vcd, files->console, files->trace);
    machine->load(image);
    machine->stimulate(std::move(events));
    instrument::Subject subject{identity, settings, symbols, options.firmware};
    return instrument::conduct(*machine, *files, subject);
}

} // namespace

int main(int argc, char **argv)
{
    return instrument::guarded_main(argc, argv, identity, run);
}
