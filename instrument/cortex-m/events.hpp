// What is going to happen, in order of time: a timer's overflow, a byte on a wire, an edge of the stimulus.
// The loop that steps the processor runs what is due between two instructions. Few events are planned at any time,
// so they lie in a sorted vector, the next one last.
#pragma once
#include "../common/clock.hpp"

#include <algorithm>
#include <functional>
#include <vector>

namespace cortexm
{

using instrument::Cycle;

class Events
{
  public:
    using Id = std::uint64_t;
    static constexpr Id none = 0;

    Cycle next() const
    {
        return planned_.empty() ? instrument::never : planned_.back().at;
    }
    // Those of one cycle happen in the order in which they were planned.
    Id at(Cycle cycle, std::function<void()> what)
    {
        const auto earlier = [cycle](const Event &event) { return event.at <= cycle; };
        planned_.insert(std::find_if(planned_.begin(), planned_.end(), earlier),
                        {cycle, ++last_, std::move(what)});
        return last_;
    }
    void cancel(Id id)
    {
        std::erase_if(planned_, [id](const Event &event) { return event.id == id; });
    }
    // Everything that is due by then; what it plans for then, too.
    void run_until(Cycle cycle)
    {
        while (next() <= cycle) {
            now_ = planned_.back().at;
            const auto what = std::move(planned_.back().what);
            planned_.pop_back();
            const bool nested = happening_;
            happening_ = true;
            what();
            happening_ = nested;
        }
    }
    bool happening() const // what is done now is an event's doing, not an instruction's
    {
        return happening_;
    }
    Cycle now() const // of the event that happens, or happened last
    {
        return now_;
    }

  private:
    struct Event {
        Cycle at;
        Id id;
        std::function<void()> what;
    };
    std::vector<Event> planned_;
    Id last_ = none;
    Cycle now_ = 0;
    bool happening_ = false;
};

} // namespace cortexm
