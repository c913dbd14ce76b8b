// attacca-cortex-m: the command line. What is asked for is checked here, before anything runs; the run itself
// is in machine.cpp. Every refusal is one line on standard error and a status of docs/instrument.md.
#include "../common/failure.hpp"
#include "../common/memory.hpp"
#include "../common/session.hpp"
#include "machine.hpp"
#include "rcc.hpp"

#include <cstring>
#include <elf.h>
#include <nlohmann/json.hpp>

namespace
{

using namespace cortexm;
using instrument::Exit;
using instrument::Failure;
using instrument::Options;

const instrument::Identity identity{
    "attacca-cortex-m",
    "1.0",
    "stm32f103",
    board_names(),
    "PB12",
    "EXTI0",
    {{"--timing", "SET",
      "main, low or high, and parameters on top, as low,wait-states=2; without it main with the wait states "
      "that the firmware sets (main,wait-states=register)",
      "main,wait-states=register"}}};

Pin pin(const Chip &chip, const std::string &option, const std::string &text)
{
    const auto found = find_pin(chip, text);
    if (!found)
        instrument::usage(option + ": this board has no pin '" + text + "': write PB12");
    return *found;
}

const ChipFacts &choose_board(const Options &options, Settings &settings)
{
    settings.board = find_board(options.board);
    if (settings.board == nullptr)
        instrument::usage("unknown board '" + options.board + "': choose one of " + board_names());
    const ChipFacts *facts = find_chip(options.mcu.empty() ? settings.board->chip : options.mcu);
    if (facts == nullptr)
        instrument::usage("unknown mcu '" + options.mcu + "': choose one of " + chip_names());
    settings.board_name = settings.board->name;
    settings.mcu_name = facts->name;
    settings.clock_hz = instrument::chosen_clock(options, settings.board->clock_hz);
    settings.first_hz = options.clock.empty() ? Rcc::internal_hz : 0;
    return *facts;
}

void choose_pins(const Options &options, const Chip &chip, Settings &settings)
{
    for (unsigned i = 0; i < 4; ++i)
        settings.probes[i] = pin(chip, "--mcu", settings.board->probes[i]);
    for (const auto &text : options.probe) {
        const auto [probe, name] = instrument::probe_option(text, identity.example_pin);
        settings.probes[probe] = pin(chip, "--probe", name);
    }
    for (const auto &text : options.watch)
        settings.watched.emplace_back(text, pin(chip, "--watch", text));
}

// A Thumb function's address carries the bit that says so, and the assembler marks code and data with symbols
// of its own: neither is of use here.
void tidy_symbols(instrument::Image &image)
{
    std::erase_if(image.symbols, [](const auto &symbol) { return symbol.name[0] == '$'; });
    for (auto &symbol : image.symbols)
        if (symbol.function)
            symbol.address &= ~std::uint64_t{1};
}

void check_segments(const instrument::Image &image, const ChipFacts &chip,
                    const std::function<void(const std::string &)> &refuse)
{
    std::uint64_t bytes = 0;
    for (const auto &segment : image.segments) {
        bytes += segment.bytes.size();
        const std::uint64_t base = segment.address >= chip.flash_base ? chip.flash_base : 0;
        const std::uint64_t end = segment.address + segment.bytes.size() - base;
        if (segment.address >= chip.ram_base)
            refuse("loads data to RAM, where nothing is after a reset: give it a load address in flash");
        if (end > chip.flash_size)
            refuse("too big: it reaches to byte " + std::to_string(end) + " of flash, " +
                   std::string(chip.name) + " has " + std::to_string(chip.flash_size));
    }
    if (bytes == 0)
        refuse("no code in it: was it linked?");
}

void check_vectors(const instrument::Image &image, const ChipFacts &chip,
                   const std::function<void(const std::string &)> &refuse)
{
    for (const auto &segment : image.segments) {
        if ((segment.address != chip.flash_base && segment.address != 0) || segment.bytes.size() < 8)
            continue;
        std::uint32_t start[2]; // the stack pointer, and where it begins
        std::memcpy(start, segment.bytes.data(), sizeof start);
        if ((start[1] & 1) == 0)
            refuse("the reset vector is no Thumb code: is the vector table the first thing in flash?");
        if (start[0] < chip.ram_base || start[0] > chip.ram_base + chip.ram_size)
            refuse("the first stack pointer is outside RAM: is the vector table the first thing in flash?");
        return;
    }
    refuse("nothing at the beginning of flash, where the vector table must be");
}

void check_image(const std::string &path, const instrument::Image &image, const ChipFacts &chip)
{
    const auto refuse = [&](const std::string &why) { throw Failure(Exit::firmware, path + ": " + why); };
    if (image.elf && image.machine != EM_ARM)
        refuse("built for another processor (ELF machine " + std::to_string(image.machine) +
               "): build it for Arm");
    if (!image.linked)
        refuse("not a linked executable: link it first");
    check_segments(image, chip, refuse);
    check_vectors(image, chip, refuse);
}

std::vector<instrument::StimulusEvent> stimulus(const Options &options, const Chip &chip,
                                                const Settings &settings)
{
    if (options.stimulus.empty())
        return {};
    return instrument::load_stimulus(
        options.stimulus, settings.clock_hz, settings.seed,
        [&chip](const std::string &name) { return find_pin(chip, name) ? name : std::string(); });
}

int run(const Options &options)
{
    Settings settings;
    const ChipFacts &facts = choose_board(options, settings);
    const instrument::Kept kept(!options.fork.empty() || !options.ask.empty());
    const auto made = std::make_unique<Chip>(facts, parse_timing(options.own.at("--timing"), facts.core));
    Chip &chip = *made;
    settings.vectors = vector_names(chip);
    if (options.list_vectors)
        return instrument::list_vectors(settings);

    instrument::Image image = instrument::load_image(options.firmware);
    check_image(options.firmware, image, facts);
    tidy_symbols(image);
    const instrument::Symbols symbols(image.symbols, facts.ram_base);
    instrument::complete(settings, options,
                         {symbols, ~std::uint64_t{0}, {"_IRQHandler", "_Handler", "_IRQn"}});
    choose_pins(options, chip, settings);
    auto events = stimulus(options, chip, settings);
    const auto files = std::make_unique<instrument::Files>(options, settings, identity);
    const auto run = std::make_unique<Machine>(chip, settings, symbols, files->vcd, files->console, files->trace);
    Machine &machine = *run;
    machine.load(image);
    machine.stimulate(std::move(events));
    instrument::Subject subject{identity, settings, symbols, options.firmware};
    subject.add = [&](nlohmann::ordered_json &json) {
        json["timing"] = options.own.at("--timing");
        json["timing_of"] = facts.core == Core::m3   ? "Cortex-M3"
                            : facts.core == Core::m0 ? "Cortex-M0"
                                                     : "Cortex-M0+";
        json["clock_hz"] = machine.clock_hz();
        json["picoseconds"] = machine.picoseconds();
        json["clocks"] = nlohmann::ordered_json::array();
        for (const auto &[hz, cycles] : machine.clocks())
            json["clocks"].push_back({{"hz", hz}, {"cycles", cycles}});
        json["masked"]["all_by_code"] = instrument::places_json(machine.all_masks.code(), symbols);
        json["memory"] = {{"base", facts.ram_base}, {"bytes", facts.ram_size}};
    };
    return instrument::conduct(machine, *files, subject);
}

} // namespace

int main(int argc, char **argv)
{
    return instrument::guarded_main(argc, argv, identity, run);
}
