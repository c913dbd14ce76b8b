#include "report.hpp"

#include "failure.hpp"

#include <iomanip>
#include <nlohmann/json.hpp>
#include <sstream>

namespace instrument
{

using Json = nlohmann::ordered_json;

namespace
{

const char *reason_text(End::Reason reason)
{
    switch (reason) {
    case End::Reason::mark:
        return "mark";
    case End::Reason::budget:
        return "budget";
    case End::Reason::crash:
        return "crash";
    default:
        return "halt";
    }
}

Json end_json(const End &end, const Symbols &symbols)
{
    Json json;
    json["reason"] = reason_text(end.reason);
    json["status"] = end.reason == End::Reason::mark ? Json(end.status) : Json(nullptr);
    json["detail"] = end.detail;
    json["pc"] = end.pc;
    json["symbol"] = symbols.with_offset(end.pc);
    return json;
}

void add_sum(Json &json, const Masks::Sum &sum)
{
    json["cycles"] = sum.longest;
    json["count"] = sum.count;
    json["total"] = sum.total;
    json["at"] = sum.at;
}

Json masks_json(const Run &run, const Subject &subject)
{
    Json handlers = Json::array();
    for (const auto &[vector, sum] : run.masks.handlers()) {
        if (sum.count == 0)
            continue;
        Json one;
        one["vector"] = vector;
        one["name"] = subject.plan.vectors[vector];
        add_sum(one, sum);
        one["ended_in"] = subject.symbols.function(sum.ended_pc);
        handlers.push_back(one);
    }
    Json reset = nullptr;
    if (run.masks.reset().count > 0) {
        reset = Json::object();
        add_sum(reset, run.masks.reset());
    }
    return Json{{"by_code", places_json(run.masks.code(), subject.symbols)},
                {"by_handler", handlers},
                {"by_reset", reset}};
}

Json interrupts_json(const Run &run, const Plan &plan)
{
    Json all = Json::array();
    for (unsigned vector = 0; vector < run.interrupts.size(); ++vector) {
        const auto &interrupt = run.interrupts[vector];
        if (interrupt.count > 0)
            all.push_back({{"vector", vector},
                           {"name", plan.vectors[vector]},
                           {"count", interrupt.count},
                           {"injected", interrupt.injected}});
    }
    return all;
}

Json calls_json(const CallSums &calls, const Subject &subject)
{
    Json all = Json::array();
    for (const auto &[pc, sum] : calls.sums()) {
        Json one;
        one["function"] = subject.symbols.function(pc);
        one["pc"] = pc;
        one["count"] = sum.count;
        one["by_code"] = one["by_handler"] = nullptr;
        if (sum.code.cycles > 0)
            one["by_code"] = {{"cycles", sum.code.cycles},
                              {"at", sum.code.at},
                              {"began_in", subject.symbols.with_offset(sum.code.began)},
                              {"ended_in", subject.symbols.function(sum.code.ended)}};
        if (sum.handler.cycles > 0)
            one["by_handler"] = {{"cycles", sum.handler.cycles},
                                 {"at", sum.handler.at},
                                 {"vector", subject.plan.vectors[sum.handler.began]},
                                 {"ended_in", subject.symbols.function(sum.handler.ended)}};
        all.push_back(one);
    }
    return all;
}

// Console bytes as JSON text: a byte that is no ASCII becomes the code point of the same number.
std::string latin1(const std::string &bytes)
{
    std::string text;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80) {
            text += c;
        } else {
            text += static_cast<char>(0xc0 | byte >> 6);
            text += static_cast<char>(0x80 | (byte & 0x3f));
        }
    }
    return text;
}

std::string hash(const std::string &bytes) // FNV-1a, 64 bits
{
    std::uint64_t value = 0xcbf29ce484222325ULL;
    for (const char c : bytes) {
        value ^= static_cast<unsigned char>(c);
        value *= 0x100000001b3ULL;
    }
    std::ostringstream text;
    text << std::hex << std::setw(16) << std::setfill('0') << value;
    return text.str();
}

} // namespace

int exit_status(const End &end)
{
    switch (end.reason) {
    case End::Reason::mark:
        return static_cast<int>(end.status == 0 ? Exit::passed : Exit::failed);
    case End::Reason::budget:
        return static_cast<int>(Exit::budget);
    case End::Reason::crash:
        return static_cast<int>(Exit::crash);
    default:
        return static_cast<int>(Exit::halted);
    }
}

std::string end_text(const Run &run, const Symbols &symbols)
{
    const End &end = run.end();
    if (end.reason == End::Reason::mark)
        return end.status == 0 ? "" : "the firmware ended with " + std::to_string(end.status);
    std::ostringstream text;
    text << reason_text(end.reason) << " at cycle " << run.cycle() << ", pc 0x" << std::hex << end.pc << " ("
         << symbols.with_offset(end.pc) << "): " << end.detail;
    return text.str();
}

Json places_json(const std::map<std::uint64_t, Masks::Sum> &sums, const Symbols &symbols)
{
    Json all = Json::array();
    for (const auto &[pc, sum] : sums) {
        if (sum.count == 0)
            continue;
        Json one;
        one["function"] = symbols.function(pc);
        one["pc"] = pc;
        add_sum(one, sum);
        one["ended_in"] = symbols.function(sum.ended_pc);
        all.push_back(one);
    }
    return all;
}

std::string report_text(const Run &run, const Subject &subject)
{
    const Plan &plan = subject.plan;
    Json json;
    json["instrument"] = subject.identity.name;
    json["instrument_version"] = subject.identity.version;
    json["board"] = plan.board_name;
    json["mcu"] = plan.mcu_name;
    json["clock_hz"] = plan.clock_hz;
    json["unit"] = "cycles";
    json["firmware"] = subject.firmware;
    json["seed"] = plan.seed;
    json["end"] = end_json(run.end(), subject.symbols);
    json["cycles"] = run.cycle();
    json["instructions"] = run.instructions;
    json["sleep_cycles"] = run.sleep_cycles;
    json["restarts"] = run.restarts;
    json["interrupts"] = interrupts_json(run, subject.plan);
    json["masked"] = masks_json(run, subject);
    if (run.calls() != nullptr)
        json["calls"] = calls_json(*run.calls(), subject);
    json["stack"] = {{"lowest_sp", run.lowest_sp}};
    json["probes"] = Json::object();
    for (unsigned i = 0; i < 4; ++i) {
        const ProbeCount probe = run.probe(i);
        json["probes"][std::string(1, static_cast<char>('a' + i))] = {
            {"pin", probe.pin}, {"rising", probe.rising}, {"falling", probe.falling}};
    }
    json["console"] = {{"bytes", run.text().size()}, {"hash", hash(run.text())}};
    if (subject.forked > 0)
        json["forked"] = subject.forked;
    if (subject.add)
        subject.add(json);
    return json.dump(1) + "\n";
}

std::string child_line(const Run &run, const Subject &subject, std::uint64_t index, std::uint64_t pc)
{
    Json json;
    json["index"] = index;
    json["pc"] = pc;
    json["symbol"] = subject.symbols.with_offset(pc);
    const auto &taken = run.taken();
    json["taken"] = taken.has_value();
    json["taken_pc"] = taken ? Json(taken->pc) : Json(nullptr);
    json["taken_symbol"] = taken ? Json(subject.symbols.with_offset(taken->pc)) : Json(nullptr);
    json["taken_cycle"] = taken ? Json(taken->cycle) : Json(nullptr);
    json["end"] = end_json(run.end(), subject.symbols);
    json["exit"] = exit_status(run.end());
    json["cycles"] = run.cycle();
    json["console"] = latin1(run.text());
    json["console_hash"] = hash(run.text());
    return json.dump();
}

} // namespace instrument
