// attacca-vexriscv: the command line. What is asked for is checked here, before anything runs; the run itself is
// in machine.cpp. Every refusal is one line on standard error and a status of docs/instrument.md.
#include "../common/failure.hpp"
#include "../common/memory.hpp"
#include "../common/session.hpp"
#include "machine.hpp"

#include <cstdio>
#include <cstdlib>
#include <elf.h>
#include <nlohmann/json.hpp>

namespace
{

using namespace vexriscv;
using instrument::Exit;
using instrument::Failure;
using instrument::Options;

constexpr const char *board_name = "vexriscv";

const instrument::Identity identity{"attacca-vexriscv", "1.0", board_name, board_name, "P0", "MachineTimer"};

unsigned pin(const std::string &option, const std::string &text)
{
    const auto found = find_pin(text);
    if (!found)
        instrument::usage(option + ": this board has no pin '" + text + "': write P0 to P31");
    return *found;
}

void choose(const Options &options, Settings &settings)
{
    if (options.board != board_name)
        instrument::usage("unknown board '" + options.board + "': there is " + board_name);
    settings.variant = find_variant(options.mcu.empty() ? variants[0].name : options.mcu);
    if (settings.variant == nullptr)
        instrument::usage("unknown mcu '" + options.mcu + "': choose " + variants[0].name + " or " + variants[1].name);
    settings.board_name = board_name;
    settings.mcu_name = settings.variant->name;
    settings.clock_hz = instrument::chosen_clock(options, clock_hz);
    settings.vectors = vector_names();
    settings.probes = {0, 1, 2, 3};
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

void check_image(const std::string &path, const instrument::Image &image)
{
    const auto refuse = [&](const std::string &why) { throw Failure(Exit::firmware, path + ": " + why); };
    if (image.elf && image.machine != EM_RISCV)
        refuse("built for another processor (ELF machine " + std::to_string(image.machine) + "): build it for RISC-V");
    if (!image.linked)
        refuse("not a linked executable: link it first");
    std::uint64_t bytes = 0;
    for (const auto &segment : image.segments) {
        bytes += segment.bytes.size();
        const std::uint64_t end = segment.address + segment.bytes.size() - map::flash;
        if (segment.address < map::flash || segment.address >= map::ram)
            refuse("loads data to where no flash is: it begins at 0x80000000");
        if (end > map::flash_size)
            refuse("too big: it reaches to byte " + std::to_string(end) + " of flash, there are " +
                   std::to_string(map::flash_size));
    }
    if (bytes == 0)
        refuse("no code in it: was it linked?");
}

std::vector<instrument::StimulusEvent> stimulus(const Options &options, const Settings &settings)
{
    if (options.stimulus.empty())
        return {};
    return instrument::load_stimulus(
        options.stimulus, settings.clock_hz, settings.seed,
        [](const std::string &name) { return find_pin(name) ? name : std::string(); });
}

int run(const Options &options)
{
    Settings settings;
    choose(options, settings);
    if (options.list_vectors)
        return instrument::list_vectors(settings);
    if (!options.calls.empty())
        instrument::usage("--calls: this instrument cannot tell");

    const instrument::Image image = instrument::load_image(options.firmware);
    check_image(options.firmware, image);
    const instrument::Symbols symbols(image.symbols, map::ram);
    instrument::complete(settings, options, {symbols, ~std::uint64_t{0}, {"_Handler", "_Vector"}});
    choose_pins(options, settings);
    auto events = stimulus(options, settings);
    const instrument::Kept kept(settings.copies());
    const auto files = std::make_unique<instrument::Files>(options, settings, identity);
    const auto machine = std::make_unique<Machine>(settings, symbols, files->vcd, files->console, files->trace);
    machine->load(image);
    machine->stimulate(std::move(events));
    instrument::Subject subject{identity, settings, symbols, options.firmware};
    subject.add = [&](nlohmann::ordered_json &json) {
        json["variant"] = settings.variant->text;
        json["memory"] = {{"base", map::ram}, {"bytes", map::ram_size}};
    };
    return instrument::conduct(*machine, *files, subject);
}

} // namespace

int main(int argc, char **argv)
{
    // Verilator's library ends what it keeps with locks that a fork may have put back as they were when they were held.
    const int status = instrument::guarded_main(argc, argv, identity, run);
    std::fflush(nullptr);
    std::_Exit(status);
}
