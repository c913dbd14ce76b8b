// How an instrument refuses: one line that says what to do, and one of the exit statuses of
// docs/instrument.md.
#pragma once
#include <stdexcept>
#include <string>

namespace instrument
{

enum class Exit {
    passed = 0,   // the firmware ended itself with 0
    failed = 1,   // the firmware ended itself with another value
    usage = 2,    // the command line is wrong
    firmware = 3, // the firmware file cannot be loaded
    budget = 4,   // the cycle budget is used up
    crash = 5,    // the processor did what no right program does
    stimulus = 6, // the stimulus or another input file is wrong
    halted = 7,   // nothing can happen any more
};

class Failure : public std::runtime_error
{
  public:
    Failure(Exit exit, const std::string &message) : std::runtime_error(message), exit_(exit)
    {
    }
    Exit exit() const
    {
        return exit_;
    }

  private:
    Exit exit_;
};

} // namespace instrument
