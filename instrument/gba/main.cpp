// attacca-gba: the command line. What is asked for is checked here, before anything runs; the run itself is in
// machine.cpp. Every refusal is one line on standard error and a status of docs/instrument.md.
#include "../common/memory.hpp"
#include "../common/session.hpp"
#include "machine.hpp"
#include "memory.hpp"

#include <elf.h>
#include <nlohmann/json.hpp>

namespace
{

using namespace gba;
using instrument::Exit;
using instrument::Failure;
using instrument::Options;

const instrument::Identity identity{
    "attacca-gba", "1.0", "gba", "gba, gba-thumb", "SC", "TIMER0",
    {{"--screen", "FILE", "the picture at the run's end, as a portable pixmap", ""}}};

int pin(const std::string &option, const std::string &text)
{
    const int found = find_pin(text);
    if (found == no_pin)
        instrument::usage(option + ": this board has no pin '" + text + "': write SC or SD, or a key: A or START");
    return found;
}

void choose_board(const Options &options, Settings &settings)
{
    if (options.board != "gba" && options.board != "gba-thumb")
        instrument::usage("unknown board '" + options.board + "': choose one of " + identity.boards);
    if (!options.mcu.empty() && options.mcu != "arm7tdmi")
        instrument::usage("unknown mcu '" + options.mcu + "': choose one of arm7tdmi");
    if (!options.calls.empty())
        instrument::usage("--calls: this instrument does not follow calls");
    settings.board_name = options.board;
    settings.mcu_name = "arm7tdmi";
    settings.vectors.push_back("RESET");
    for (const char *name : interrupts)
        settings.vectors.emplace_back(name);
    settings.clock_hz = instrument::chosen_clock(options, clock_hz);
    settings.screen = options.own.at("--screen");
}

void choose_pins(const Options &options, Settings &settings)
{
    for (const auto &text : options.probe) {
        const auto [probe, name] = instrument::probe_option(text, identity.example_pin);
        settings.probes[probe] = pin("--probe", name);
    }
    for (const auto &text : options.watch)
        settings.watched.emplace_back(text, pin("--watch", text));
}

// A Thumb function's address carries the bit that says so, and the assembler marks code and data with symbols of its
// own: neither is of use here.
void tidy_symbols(instrument::Image &image)
{
    std::erase_if(image.symbols, [](const auto &symbol) { return symbol.name[0] == '$'; });
    for (auto &symbol : image.symbols)
        if (symbol.function)
            symbol.address &= ~std::uint64_t{1};
}

void check_image(const std::string &path, const instrument::Image &image)
{
    const auto refuse = [&](const std::string &why) { throw Failure(Exit::firmware, path + ": " + why); };
    if (image.elf && image.machine != EM_ARM)
        refuse("built for another processor (ELF machine " + std::to_string(image.machine) + "): build it for Arm");
    if (!image.linked)
        refuse("not a linked executable: link it first");
    std::uint64_t bytes = 0;
    for (const auto &segment : image.segments) {
        bytes += segment.bytes.size();
        if (segment.address < rom.base)
            refuse("loads data to RAM, where nothing is after a reset: give it a load address in ROM, from 0x08000000 on");
        if (segment.address + segment.bytes.size() > rom.base + rom.size)
            refuse("too big: it reaches to byte " + std::to_string(segment.address + segment.bytes.size() - rom.base) +
                   " of ROM, which has " + std::to_string(rom.size));
    }
    if (bytes == 0)
        refuse("no code in it: was it linked?");
}

int run(const Options &options)
{
    Settings settings;
    choose_board(options, settings);
    if (options.list_vectors)
        return instrument::list_vectors(settings);
    instrument::Image image = instrument::load_image(options.firmware);
    check_image(options.firmware, image);
    tidy_symbols(image);
    const instrument::Symbols symbols(image.symbols, UINT64_MAX);
    instrument::complete(settings, options, {symbols, ~std::uint64_t{0}, {"_Handler"}});
    choose_pins(options, settings);
    std::vector<instrument::StimulusEvent> events;
    if (!options.stimulus.empty())
        events = instrument::load_stimulus(
            options.stimulus, settings.clock_hz, settings.seed,
            [](const std::string &name) { return find_pin(name) == no_pin ? std::string() : name; });
    keep_library();
    const instrument::Kept kept(settings.copies());
    const auto files = std::make_unique<instrument::Files>(options, settings, identity);
    const auto machine = std::make_unique<Machine>(settings, symbols, files->vcd, files->console, files->trace);
    machine->load(image);
    machine->stimulate(std::move(events));
    instrument::Subject subject{identity, settings, symbols, options.firmware};
    subject.add = [](nlohmann::ordered_json &json) {
        json["memory"] = {{"base", iwram.base}, {"bytes", iwram.size}};
    };
    const int status = instrument::conduct(*machine, *files, subject);
    machine->write_screen();
    return status;
}

} // namespace

int main(int argc, char **argv)
{
    return instrument::guarded_main(argc, argv, identity, run);
}
