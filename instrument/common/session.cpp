#include "session.hpp"

#include "failure.hpp"
#include "memory.hpp"
#include "random.hpp"

#include <cstdio>

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

} // namespace

Files::Files(const Options &options, const Plan &plan, const Identity &identity)
{
    console.open(plan.fork && !options.console_given ? "" : options.console);
    trace.open(options.trace);
    report.open(options.report);
    memory.open(options.memory);
    if (!options.vcd.empty())
        vcd.open(options.vcd, plan.first_hz != 0 ? plan.first_hz : plan.clock_hz,
                 identity.name + "/" + identity.version, options.vcd_flat);
}

int conduct(Run &run, Files &files, Subject &subject)
{
    const Kept kept(subject.plan.fork.has_value());
    const char *name = subject.identity.name.c_str();
    Forks forks;
    if (subject.plan.fork)
        fork_everywhere(run, forks, subject, *subject.plan.fork);
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
    if (subject.plan.fork)
        std::fprintf(stderr, "%s: %s\n", name, forks.summary().c_str());
    if (forks.lost() > 0)
        usage("forked runs were lost: is there memory for another?");
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
