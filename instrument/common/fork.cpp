#include "fork.hpp"

#include "failure.hpp"

#include <cstdio>
#include <sys/wait.h>
#include <unistd.h>

namespace instrument
{

namespace
{

constexpr std::size_t at_once = 2;

void write_all(int to, const std::string &text)
{
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t part = write(to, text.data() + done, text.size() - done);
        if (part <= 0)
            _exit(1);
        done += static_cast<std::size_t>(part);
    }
}

} // namespace

void Forks::branch(const std::function<Answer()> &child)
{
    if (children_.size() == at_once)
        collect();
    int ends[2];
    if (pipe(ends) != 0)
        throw Failure(Exit::usage, "cannot make a pipe: too many open files?");
    const pid_t pid = fork();
    if (pid < 0)
        throw Failure(Exit::usage, "cannot fork: too many processes?");
    if (pid == 0) {
        close(ends[0]);
        const Answer answer = child();
        write_all(ends[1], answer.line + "\n");
        _exit(answer.status);
    }
    close(ends[1]);
    children_.push_back({pid, ends[0]});
    ++count_;
}

void Forks::collect()
{
    const Child child = children_.front();
    children_.pop_front();
    std::string line;
    char part[4096];
    for (ssize_t got = 0; (got = read(child.from, part, sizeof part)) > 0;)
        line.append(part, static_cast<std::size_t>(got));
    close(child.from);
    int status = 0;
    waitpid(child.pid, &status, 0);
    if (!WIFEXITED(status) || line.empty() || line.back() != '\n') {
        ++lost_;
        return;
    }
    ++ends_[WEXITSTATUS(status)];
    std::fwrite(line.data(), 1, line.size(), stdout);
}

void Forks::finish()
{
    while (!children_.empty())
        collect();
    std::fflush(stdout);
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
