// The last part of every instrument's main: the files are opened, the run is made, forks and all, and what
// was asked for is written. Nothing of it knows the processor.
#pragma once
#include "fork.hpp"
#include "report.hpp"

namespace instrument
{

// Opened before anything runs: a file that cannot be written is a refusal.
struct Files {
    Files(const Options &options, const Plan &plan, const Identity &identity);

    Output console, trace, report, memory;
    Vcd vcd;
};

// Runs to the end, writes, and gives the executable's status.
int conduct(Run &run, Files &files, Subject &subject);

// main(): every refusal is one line on standard error and a status of docs/instrument.md.
int guarded_main(int argc, char **argv, const Identity &identity, int (*run)(const Options &));

} // namespace instrument
