#include "session.hpp"

#include "failure.hpp"
#include "memory.hpp"
#include "random.hpp"

#include <cstdio>
#include <cstdlib>

namespace instrument
{

namespace
{

void fork_everywhere(Run &run, Forks &forks, const Subject &subject, const Plan::Fork &fork)
{
    run.each_instruction = [&run, &forks, &subject, fork, random = Random(subject.plan.seed)]() mutable {
        const std::uint64_t pc = run.pc();
        if ((fork.enabled && run.waits(fork.vector)) || pc < fork.low || pc >= fork.high)
            return;
        if (random.between(1, fork.one_in) != 1)
            return;
        const std::uint64_t index = run.window().index();
        const std::uint64_t later = index + (fork.then ? random.between(fork.min, fork.max) : 0);
        forks.branch([&run, &subject, index, pc, later, &fork] {
            run.mute();
            run.force(fork.vector);
            if (fork.then)
                run.force_later(*fork.then, later);
            run.resume();
            return Forks::Answer{child_line(run, subject, index, pc), exit_status(run.end())};
        });
        run.put_back();
    };
}

// A copy for each line of the file, as soon as it is there: a program that writes it may wait for the answer.
void ask_there(Run &run, Forks &forks, const Subject &subject, std::FILE *questions)
{
    run.each_instruction = [&run, &forks, &subject, questions] {
        const std::uint64_t pc = run.pc(), index = run.window().index();
        char line[4096];
        while (std::fgets(line, sizeof line, questions) != nullptr) {
            forks.branch([&] {
                run.mute();
                char *end = line;
                for (const char *at = line; *at != '\n' && *at != '\0'; at = end) {
                    const unsigned long byte = std::strtoul(at, &end, 10);
                    if (end == at || byte > 255)
                        throw Failure(Exit::stimulus, "");
                    run.receive(static_cast<std::uint8_t>(byte));
                }
                run.resume();
                return Forks::Answer{child_line(run, subject, index, pc), exit_status(run.end())};
            });
            std::fflush(stdout);
            run.put_back();
        }
        run.stop();
    };
}

} // namespace

Files::Files(const Options &options, const Plan &plan, const Identity &identity)
{
    console.open(plan.copies() && !options.console_given ? "" : options.console);
    trace.open(options.trace);
    report.open(options.report);
    memory.open(options.memory);
    if (!options.vcd.empty())
        vcd.open(options.vcd, plan.first_hz != 0 ? plan.first_hz : plan.clock_hz,
                 identity.name + "/" + identity.version, options.vcd_flat);
}

int conduct(Run &run, Files &files, Subject &subject)
{
    const Kept kept(subject.plan.copies());
    const char *name = subject.identity.name.c_str();
    Forks forks;
    if (subject.plan.fork)
        fork_everywhere(run, forks, subject, *subject.plan.fork);
    std::FILE *questions = nullptr;
    if (!subject.plan.questions.empty()) {
        const bool standard = subject.plan.questions == "-";
        questions = standard ? stdin : std::fopen(subject.plan.questions.c_str(), "r");
        if (questions == nullptr)
            usage("cannot read " + subject.plan.questions);
        ask_there(run, forks, subject, questions);
    }
    files.vcd.begin();
    run.run();
    std::fflush(stdout);
    subject.forked = forks.count();

    files.vcd.close(run.cycle());
    files.trace.close();
    files.console.close();
    files.report.write(report_text(run, subject));
    files.report.close();
    files.memory.write(run.memory());
    files.memory.close();
    if (subject.plan.copies())
        std::fprintf(stderr, "%s: %s\n", name, forks.summary().c_str());
    if (forks.lost() > 0)
        usage("copies of the run were lost: is a line of --ask no list of bytes, is there no memory?");
    const std::string message = end_text(run, subject.symbols);
    if (!message.empty())
        std::fprintf(stderr, "%s: %s\n", name, message.c_str());
    return exit_status(run.end());
}

int guarded_main(int argc, char **argv, const Identity &identity, int (*run)(const Options &))
{
    try {
        const auto options = parse_options(argc, argv, identity);
        return options ? run(*options) : 0;
    } catch (const Failure &failure) {
        std::fprintf(stderr, "%s: %s\n", identity.name.c_str(), failure.what());
        return static_cast<int>(failure.exit());
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s: %s\n", identity.name.c_str(), error.what());
        return static_cast<int>(Exit::usage);
    }
}

} // namespace instrument
