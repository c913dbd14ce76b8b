// One run for every place an interrupt could come: a child process a place, forked from the running
// simulation. At most two children live at once; their lines are printed in the order of their birth, so the
// output does not depend on which was faster.
#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <sys/types.h>

namespace instrument
{

class Forks
{
  public:
    struct Answer {
        std::string line;
        int status; // as the executable would have ended
    };

    // In the child this calls `child`, which runs to the end and answers; it never returns there.
    void branch(const std::function<Answer()> &child);
    void finish();

    std::uint64_t count() const
    {
        return count_;
    }
    std::uint64_t lost() const // children that died instead of answering
    {
        return lost_;
    }
    std::string summary() const; // "624 runs: 620 passed, 4 crashed"

  private:
    struct Child {
        pid_t pid;
        int from;
    };
    void collect();

    std::deque<Child> children_;
    std::uint64_t count_ = 0;
    std::uint64_t lost_ = 0;
    std::map<int, std::uint64_t> ends_;
};

} // namespace instrument
