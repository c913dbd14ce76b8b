// One run for every place an interrupt could come: there the simulation's state is copied (memory.hpp), the run goes
// on to its end with the interrupt, and the state is put back. A process a place was rejected: the system takes as
// long to copy it as the run takes.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace instrument
{

class Forks
{
  public:
    struct Answer {
        std::string line;
        int status; // as the executable would have ended
    };

    // `copy` runs to the end and answers; what it has changed of the memory that is kept is as before.
    void branch(const std::function<Answer()> &copy);

    std::uint64_t count() const
    {
        return count_;
    }
    std::uint64_t lost() const // copies that failed instead of answering
    {
        return lost_;
    }
    std::string summary() const; // "624 runs: 620 passed, 4 crashed"

  private:
    std::uint64_t count_ = 0;
    std::uint64_t lost_ = 0;
    std::map<int, std::uint64_t> ends_;
};

} // namespace instrument
