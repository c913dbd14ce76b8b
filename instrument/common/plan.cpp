#include "plan.hpp"

#include "failure.hpp"

#include <cstdio>

namespace instrument
{

namespace
{

Trigger trigger(const Names &names, const std::string &option, const std::string &text)
{
    using Kind = Trigger::Kind;
    if (text.empty())
        return {};
    if (!text.starts_with("marker="))
        return {Kind::address, address(names, option, text), 1};
    const auto value = parse_number(text.substr(7));
    if (!value || *value > 127)
        usage(option + ": the marker's value must be 0 to 127");
    return {Kind::marker, *value, 1};
}

Plan::Injection injection(const Plan &plan, const Names &names, const std::string &text)
{
    const auto parts = split("--inject", text, '@', 2);
    const auto index = parse_number(parts[1]);
    if (!index)
        usage("--inject: '" + parts[1] + "' is no instruction number");
    return {vector_number(plan, names, parts[0]), *index};
}

Plan::RandomIrq random_irq(const Plan &plan, const Names &names, const std::string &text)
{
    const auto parts = split("--random-irq", text, ':', 3);
    const Cycle low = cycles("--random-irq", parts[1], plan.clock_hz);
    const Cycle high = cycles("--random-irq", parts[2], plan.clock_hz);
    if (low == 0 || high < low)
        usage("--random-irq: 0 < min <= max must hold");
    return {vector_number(plan, names, parts[0]), low, high};
}

Plan::Fork forking(const Plan &plan, const Options &options, const Names &names)
{
    Plan::Fork fork;
    fork.vector = vector_number(plan, names, options.fork);
    fork.enabled = options.fork_enabled;
    fork.one_in = options.fork_one_in;
    if (!options.fork_in.empty()) {
        const auto parts = split("--fork-in", options.fork_in, ':', 2);
        fork.low = address(names, "--fork-in", parts[0]);
        fork.high = address(names, "--fork-in", parts[1]);
    }
    if (!options.fork_then.empty()) {
        const auto parts = split("--fork-then", options.fork_then, ':', 3);
        const auto min = parse_number(parts[1]);
        const auto max = parse_number(parts[2]);
        if (!min || !max || *min == 0 || *max < *min)
            usage("--fork-then: 0 < min <= max must hold");
        fork.then = vector_number(plan, names, parts[0]);
        fork.min = *min;
        fork.max = *max;
    }
    return fork;
}

} // namespace

void usage(const std::string &message)
{
    throw Failure(Exit::usage, message);
}

unsigned vector_number(const Plan &plan, const Names &names, std::string text)
{
    const auto exists = [&plan](std::uint64_t number) {
        return number > 0 && number < plan.vectors.size() && !plan.vectors[number].empty();
    };
    if (const auto number = parse_number(text)) {
        if (exists(*number))
            return static_cast<unsigned>(*number);
        usage("there is no vector " + text + ": see --list-vectors");
    }
    for (const auto &suffix : names.suffixes)
        if (text.ends_with(suffix)) {
            text.resize(text.size() - suffix.size());
            break;
        }
    for (unsigned i = 1; i < plan.vectors.size(); ++i)
        if (exists(i) && text == plan.vectors[i])
            return i;
    usage("there is no vector " + text + ": see --list-vectors");
}

std::uint64_t address(const Names &names, const std::string &option, const std::string &text)
{
    if (const auto number = parse_number(text))
        return *number;
    if (const auto *symbol = names.symbols.find(text))
        return symbol->address & names.address_bits;
    usage(option + ": the firmware has no symbol '" + text + "'");
}

Cycle cycles(const std::string &option, const std::string &text, std::uint64_t clock_hz)
{
    const auto value = parse_cycles(text, clock_hz);
    if (!value)
        usage(option + ": '" + text + "' is no number of cycles: write 1000, 2M or 10ms");
    return *value;
}

std::uint64_t chosen_clock(const Options &options, std::uint64_t board_hz)
{
    if (options.clock.empty())
        return board_hz;
    const std::uint64_t hz = cycles("--clock", options.clock, 1);
    if (hz < 1000 || hz > 1000000000)
        usage("--clock must be 1000 to 1000000000 Hz");
    return hz;
}

void complete(Plan &plan, const Options &options, const Names &names)
{
    plan.seed = options.seed;
    plan.budget = cycles("--cycles", options.cycles, plan.clock_hz);
    plan.budget_is_time = is_time(options.cycles);
    if (!options.guard.empty())
        plan.guard = address(names, "--guard", options.guard);
    if (!options.calls.empty())
        plan.root = address(names, "--calls", options.calls);
    Trigger mark = trigger(names, "--mark", options.mark);
    mark.hits = options.mark_hit;
    plan.window = Window(mark, trigger(names, "--until", options.until));
    for (const auto &text : options.inject)
        plan.injections.push_back(injection(plan, names, text));
    for (const auto &text : options.random_irq)
        plan.random_irqs.push_back(random_irq(plan, names, text));
    plan.questions = options.ask;
    if (!options.fork.empty())
        plan.fork = forking(plan, options, names);
}

std::pair<unsigned, std::string> probe_option(const std::string &text, const std::string &example_pin)
{
    const auto parts = split("--probe", text, '=', 2);
    if (parts[0].size() != 1 || parts[0][0] < 'a' || parts[0][0] > 'd')
        usage("--probe: the probes are a, b, c and d: write a=" + example_pin);
    return {static_cast<unsigned>(parts[0][0] - 'a'), parts[1]};
}

int list_vectors(const Plan &plan)
{
    for (unsigned i = 1; i < plan.vectors.size(); ++i)
        if (!plan.vectors[i].empty())
            std::printf("%u %s\n", i, plan.vectors[i].c_str());
    return 0;
}

} // namespace instrument
