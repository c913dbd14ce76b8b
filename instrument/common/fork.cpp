#include "fork.hpp"

#include "memory.hpp"

#include <cstdio>
#include <exception>

namespace instrument
{

void Forks::branch(const std::function<Answer()> &copy)
{
    Kept::copy();
    int status = -1;
    try {
        const Answer answer = copy();
        std::fwrite(answer.line.data(), 1, answer.line.size(), stdout);
        std::fputc('\n', stdout);
        status = answer.status;
    } catch (const std::exception &) {
    }
    Kept::put_back();
    ++count_;
    if (status >= 0)
        ++ends_[status];
    else
        ++lost_;
}

std::string Forks::summary() const
{
    constexpr const char *names[] = {"passed",  "failed", "",      "", "used up the budget",
                                     "crashed", "",       "halted"};
    std::string text = std::to_string(count_) + " runs forked";
    const char *separator = ": ";
    for (const auto &[status, count] : ends_) {
        text += separator + std::to_string(count) + ' ' + names[status & 7];
        separator = ", ";
    }
    return lost_ > 0 ? text + separator + std::to_string(lost_) + " lost" : text;
}

} // namespace instrument
