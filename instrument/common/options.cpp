#include "options.hpp"

#include "failure.hpp"

#include <CLI/CLI.hpp>
#include <iostream>

namespace instrument
{

std::optional<Options> parse_options(int argc, char **argv, const Identity &identity)
{
    Options o;
    o.board = identity.default_board;
    CLI::App app{"Runs a firmware with exact cycles and records what an oscilloscope would see.",
                 identity.name};
    app.set_version_flag("--version", identity.name + " " + identity.version);
    app.footer("Example:\n  " + identity.name +
               " --vcd run.vcd --report run.json --cycles 100ms firmware.elf\n"
               "Exit status: 0 passed, 1 firmware failed, 2 usage, 3 firmware file, 4 budget used up,\n"
               "             5 crash, 6 stimulus file, 7 halted.  The contract: docs/instrument.md");
    app.get_formatter()->column_width(26);
    const auto text = [&app](const char *name, std::string &into, const char *type, const std::string &help) {
        return app.add_option(name, into, help)->type_name(type);
    };
    app.add_option("FIRMWARE", o.firmware, "ELF or Intel hex")->type_name(" ");
    text("--board", o.board, "NAME", identity.boards + " (default " + identity.default_board + ")");
    text("--mcu", o.mcu, "NAME", "another processor than the board's");
    text("--clock", o.clock, "HZ", "another clock than the board's");
    text("--stimulus", o.stimulus, "FILE", "what happens to the input pins and the console's wire");
    app.add_option("--seed", o.seed, "for everything that is random (default 1)")->type_name("N");
    text("--vcd", o.vcd, "FILE", "value change dump");
    app.add_flag("--vcd-flat", o.vcd_flat, "vectors as one-bit channels, for tools that read no others");
    auto *console = text("--console", o.console, "FILE", "console text (default - = standard output)");
    text("--report", o.report, "FILE", "JSON report of the run (- = standard output)");
    text("--trace", o.trace, "FILE", "a line an executed instruction");
    text("--memory", o.memory, "FILE", "what data memory holds at the run's end");
    text("--cycles", o.cycles, "N", "budget; suffixes k M G, or us ms s (default 1G)");
    text("--guard", o.guard, "SYMBOL|ADDR", "a stack pointer below it is a crash");
    text("--calls", o.calls, "SYMBOL|ADDR",
         "masked stretches by function; threads begin with a call from there");
    text("--mark", o.mark, "SYMBOL|ADDR|marker=V", "where the window begins (default: reset)");
    app.add_option("--mark-hit", o.mark_hit, "at the K-th time (default 1)")->type_name("K");
    text("--until", o.until, "SYMBOL|ADDR|marker=V", "where the window ends (default: never)");
    app.add_option("--inject", o.inject, "interrupt V before the window's N-th instruction; may be repeated")
        ->type_name("V@N")
        ->allow_extra_args(false);
    text("--fork", o.fork, "V", "one run for every instruction of the window, with V injected there");
    app.add_flag("--fork-enabled", o.fork_enabled, "none where interrupts are masked");
    text("--fork-in", o.fork_in, "LOW:HIGH",
         "only for instructions at addresses or symbols from LOW to below HIGH");
    app.add_option("--fork-one-in", o.fork_one_in, "of those, only one in K, by the seed")->type_name("K");
    text("--fork-then", o.fork_then, "V:min:max", "in each of them V too, random instructions later");
    text("--ask", o.ask, "FILE",
         "where the window begins, a copy of the run for each line, whose bytes are then received");
    app.add_option("--random-irq", o.random_irq, "interrupt V at random distances; may be repeated")
        ->type_name("V:min:max")
        ->allow_extra_args(false);
    app.add_option("--probe", o.probe, "which pin is probe_a to probe_d, as a=" + identity.example_pin)
        ->type_name("x=PIN")
        ->allow_extra_args(false);
    app.add_option("--watch", o.watch, "record a further pin")->type_name("PIN")->allow_extra_args(false);
    for (const OwnOption &own : identity.own) {
        o.own[own.name] = own.otherwise;
        app.add_option(own.name, o.own[own.name], own.help)->type_name(own.type);
    }
    app.add_flag("--list-vectors", o.list_vectors, "print the interrupt vectors and end");
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success &answered) {
        app.exit(answered);
        return std::nullopt;
    } catch (const CLI::ParseError &error) {
        std::string message = error.what();
        message.erase(message.find_last_not_of('\n') + 1);
        throw Failure(Exit::usage, message + " (see " + identity.name + " --help)");
    }
    o.console_given = console->count() > 0;
    if (o.firmware.empty() && !o.list_vectors)
        throw Failure(Exit::usage,
                      "no firmware given: name an ELF or Intel hex file (see " + identity.name + " --help)");
    if (o.mark_hit == 0)
        throw Failure(Exit::usage, "--mark-hit counts from 1");
    if (!o.ask.empty() && !o.fork.empty())
        throw Failure(Exit::usage, "--ask and --fork: one of them");
    if (o.fork_one_in == 0)
        throw Failure(Exit::usage, "--fork-one-in must be 1 or more");
    return o;
}

std::vector<std::string> split(const std::string &option, const std::string &text, char separator,
                               std::size_t count)
{
    std::vector<std::string> parts{""};
    for (const char c : text) {
        if (c == separator)
            parts.emplace_back();
        else
            parts.back() += c;
    }
    bool good = parts.size() == count;
    for (const auto &part : parts)
        good = good && !part.empty();
    if (!good)
        throw Failure(Exit::usage, option + " cannot be '" + text + "': see --help for its form");
    return parts;
}

} // namespace instrument
