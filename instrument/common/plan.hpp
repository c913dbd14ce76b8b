// What the command line asks of a run, understood and checked before anything runs: times are cycles, symbols
// addresses, names of interrupts their numbers. What differs from one processor to the next (boards, pins,
// how a firmware file must look) the instrument adds to it.
#pragma once
#include "clock.hpp"
#include "image.hpp"
#include "options.hpp"
#include "window.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace instrument
{

struct Plan {
    struct Injection {
        unsigned vector;
        std::uint64_t index;
    };
    struct RandomIrq {
        unsigned vector;
        Cycle min, max;
    };
    // Which of the window's instructions get a copy of the run, and what else comes in it.
    struct Fork {
        unsigned vector = 0;
        bool enabled = false; // only those before which the interrupt could be taken
        std::uint64_t low = 0;
        std::uint64_t high = UINT64_MAX;
        std::uint64_t one_in = 1;
        std::optional<unsigned> then; // this vector, so many instructions later
        std::uint64_t min = 0;
        std::uint64_t max = 0;
    };

    std::string board_name;
    std::string mcu_name;
    std::vector<std::string> vectors; // names by number; "": there is none. Number 0 is the reset
    std::array<std::string, 4> probe_names;
    std::uint64_t clock_hz = 0; // what is stated as time is converted with
    std::uint64_t first_hz = 0; // the clock at reset, if the firmware can change it; else 0
    std::uint64_t seed = 1;
    Cycle budget = 0;
    bool budget_is_time = false;
    std::optional<std::uint64_t> guard;
    std::optional<std::uint64_t> root; // count calls; each thread's own are made from there
    Window window;
    std::vector<Injection> injections;
    std::vector<RandomIrq> random_irqs;
    std::optional<Fork> fork;
    std::string questions; // the file of --ask

    bool copies() const // the run is copied, and put back
    {
        return fork.has_value() || !questions.empty();
    }
};

[[noreturn]] void usage(const std::string &message); // throws Failure(Exit::usage)

// How this processor's names are written.
struct Names {
    const Symbols &symbols;
    std::uint64_t address_bits = ~std::uint64_t{0}; // what of a symbol's value is the address
    std::vector<std::string> suffixes;              // that a vector's name may carry
};

unsigned vector_number(const Plan &plan, const Names &names, std::string text);
std::uint64_t address(const Names &names, const std::string &option, const std::string &text);
Cycle cycles(const std::string &option, const std::string &text, std::uint64_t clock_hz);

// --clock, or the board's own.
std::uint64_t chosen_clock(const Options &options, std::uint64_t board_hz);
// Everything of a Plan from `seed` on; `plan.vectors` and `plan.clock_hz` are known.
void complete(Plan &plan, const Options &options, const Names &names);
// "a=PB5" to 0 and "PB5".
std::pair<unsigned, std::string> probe_option(const std::string &text, const std::string &example_pin);

int list_vectors(const Plan &plan); // --list-vectors

} // namespace instrument
