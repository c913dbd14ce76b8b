// The command line that every instrument understands (docs/instrument.md). Parsing only: what a pin, a vector
// or an address is, the instrument decides.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace instrument
{

struct Options {
    std::string firmware;
    std::string board;
    std::string mcu;
    std::string clock;
    std::string stimulus;
    std::uint64_t seed = 1;
    std::string vcd;
    bool vcd_flat = false;
    std::string console = "-";
    std::string report;
    std::string trace;
    std::string memory;
    std::string cycles = "1G";
    std::string guard;
    std::string calls;
    std::vector<std::string> inject;
    std::string mark;
    std::uint64_t mark_hit = 1;
    std::string until;
    std::string fork;
    bool fork_enabled = false;
    std::string fork_in;
    std::uint64_t fork_one_in = 1;
    std::string fork_then;
    std::string ask;
    std::vector<std::string> random_irq;
    std::vector<std::string> probe;
    std::vector<std::string> watch;
    bool list_vectors = false;
    bool console_given = false;
    std::map<std::string, std::string> own; // of this instrument only, by name
};

// An option that only this instrument has: it takes a text.
struct OwnOption {
    std::string name; // --timing
    std::string type;
    std::string help;
    std::string otherwise;
};

struct Identity {
    std::string name;    // attacca-avr
    std::string version; // 1.0
    std::string default_board;
    std::string boards; // for --help
    std::string example_pin;
    std::string example_vector;
    std::vector<OwnOption> own = {};
};

// Gives nothing if --help or --version has been answered. Throws Failure(Exit::usage).
std::optional<Options> parse_options(int argc, char **argv, const Identity &identity);

// "a:b:c" and "V@N" taken apart; throws Failure(Exit::usage) naming the option if the parts are not `count`.
std::vector<std::string> split(const std::string &option, const std::string &text, char separator,
                               std::size_t count);

} // namespace instrument
