#include "stimulus.hpp"

#include "failure.hpp"
#include "random.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

namespace instrument
{

namespace
{

class Parser
{
  public:
    Parser(std::string path, std::uint64_t clock_hz, std::uint64_t seed,
           const std::function<std::string(const std::string &)> &canonical)
        : path_(std::move(path)), clock_hz_(clock_hz), seed_(seed), canonical_(canonical)
    {
    }

    std::vector<StimulusEvent> run()
    {
        std::ifstream file(path_);
        if (!file)
            throw Failure(Exit::stimulus, path_ + ": cannot be read: name an existing stimulus file");
        for (std::string text; std::getline(file, text);) {
            ++line_;
            parse(text);
        }
        std::stable_sort(events_.begin(), events_.end(),
                         [](const auto &a, const auto &b) { return a.cycle < b.cycle; });
        return std::move(events_);
    }

  private:
    using Settings = std::map<std::string, std::string>;

    [[noreturn]] void refuse(const std::string &why) const
    {
        throw Failure(Exit::stimulus, path_ + ":" + std::to_string(line_) + ": " + why);
    }

    void parse(const std::string &whole)
    {
        std::istringstream words(whole);
        std::string first;
        timed_ = false;
        if (!(words >> first) || first[0] == '#')
            return;
        if (first == "random" || first == "square") {
            const Settings settings = read_settings(words);
            if (first == "random")
                expand_random(settings);
            else
                expand_square(settings);
            return;
        }
        const auto cycle = parse_cycles(first, clock_hz_);
        timed_ = is_time(first);
        if (!cycle)
            refuse("'" + first +
                   "' is no cycle: write \"<cycle> <pin> <0|1>\", \"<cycle> uart <byte or "
                   "\"text\">\", \"random …\" or \"square …\"");
        std::string subject;
        if (!(words >> subject))
            refuse("the pin is missing: write \"<cycle> <pin> <0|1>\"");
        std::string rest;
        std::getline(words >> std::ws, rest);
        if (subject == "uart")
            parse_uart(*cycle, rest);
        else
            parse_pin(*cycle, subject, rest);
    }

    void parse_pin(Cycle cycle, const std::string &name, std::string level)
    {
        const auto comment = level.find('#');
        if (comment != std::string::npos)
            level.erase(comment);
        while (!level.empty() && std::isspace(static_cast<unsigned char>(level.back())) != 0)
            level.pop_back();
        if (level != "0" && level != "1")
            refuse("the level must be 0 or 1, not '" + level + "'");
        events_.push_back({cycle, StimulusEvent::Kind::pin, pin(name), level == "1" ? 1U : 0U, timed_});
    }

    void parse_uart(Cycle cycle, const std::string &rest)
    {
        if (rest.empty() || rest[0] != '"') {
            const auto byte = parse_number(rest.substr(0, rest.find_first_of(" \t#")));
            if (!byte || *byte > 255)
                refuse("a byte (0 to 255) or a text in double quotes must follow uart");
            uart(cycle, static_cast<unsigned>(*byte));
            return;
        }
        for (std::size_t i = 1; i < rest.size(); ++i) {
            if (rest[i] == '"')
                return;
            uart(cycle, static_cast<unsigned char>(rest[i] == '\\' ? escape(rest, i) : rest[i]));
        }
        refuse("the text has no closing double quote");
    }

    char escape(const std::string &text, std::size_t &i) const
    {
        if (++i < text.size()) {
            switch (text[i]) {
            case 'n':
                return '\n';
            case 'r':
                return '\r';
            case 't':
                return '\t';
            case '0':
                return '\0';
            case '\\':
            case '"':
                return text[i];
            default:
                break;
            }
        }
        refuse("unknown escape: use \\n \\r \\t \\0 \\\\ \\\"");
    }

    void uart(Cycle cycle, unsigned byte)
    {
        events_.push_back({cycle, StimulusEvent::Kind::uart, "", byte, timed_});
    }

    std::string pin(const std::string &name) const
    {
        std::string canonical = canonical_(name);
        if (canonical.empty())
            refuse("this board has no pin '" + name + "'");
        return canonical;
    }

    Settings read_settings(std::istringstream &words) const
    {
        Settings settings;
        for (std::string word; words >> word && word[0] != '#';) {
            const auto equals = word.find('=');
            if (equals == std::string::npos)
                refuse("'" + word + "' is no setting: write key=value");
            settings[word.substr(0, equals)] = word.substr(equals + 1);
        }
        return settings;
    }

    void only(const Settings &settings, const std::vector<std::string> &known) const
    {
        for (const auto &[key, value] : settings)
            if (std::find(known.begin(), known.end(), key) == known.end())
                refuse("unknown setting '" + key + "'");
    }

    Cycle number(const Settings &settings, const std::string &key, std::optional<Cycle> otherwise = {})
    {
        const auto found = settings.find(key);
        if (found == settings.end()) {
            if (otherwise)
                return *otherwise;
            refuse("the setting " + key + "= is missing");
        }
        const auto value = parse_cycles(found->second, clock_hz_);
        timed_ = timed_ || is_time(found->second);
        if (!value)
            refuse("'" + found->second + "' is no number for " + key + "=");
        return *value;
    }

    std::string pin_setting(const Settings &settings) const
    {
        const auto found = settings.find("pin");
        if (found == settings.end())
            refuse("the setting pin= is missing");
        return pin(found->second);
    }

    unsigned level_setting(const Settings &settings, unsigned otherwise)
    {
        const Cycle level = number(settings, "level", otherwise);
        if (level > 1)
            refuse("level= must be 0 or 1");
        return static_cast<unsigned>(level);
    }

    void level(Cycle cycle, const std::string &name, unsigned value)
    {
        events_.push_back({cycle, StimulusEvent::Kind::pin, name, value, timed_});
    }

    void expand_random(const Settings &settings)
    {
        only(settings, {"seed", "pin", "level", "n", "from", "min", "max", "hold"});
        const std::string name = pin_setting(settings);
        const unsigned active = level_setting(settings, 0);
        const Cycle count = number(settings, "n");
        const Cycle low = number(settings, "min");
        const Cycle high = number(settings, "max");
        const Cycle hold = number(settings, "hold");
        if (hold == 0 || low <= hold || high < low)
            refuse("0 < hold < min <= max must hold");
        Random random(number(settings, "seed", seed_));
        Cycle cycle = number(settings, "from", 0);
        level(0, name, active ^ 1U);
        for (Cycle i = 0; i < count; ++i) {
            cycle += random.between(low, high);
            level(cycle, name, active);
            level(cycle + hold, name, active ^ 1U);
        }
    }

    void expand_square(const Settings &settings)
    {
        only(settings, {"pin", "level", "n", "from", "half", "jitter", "seed"});
        const std::string name = pin_setting(settings);
        const unsigned active = level_setting(settings, 1);
        const Cycle count = number(settings, "n");
        const Cycle half = number(settings, "half");
        if (half == 0)
            refuse("half= must be at least 1 cycle");
        const Cycle jitter = number(settings, "jitter", 0);
        if (jitter >= half)
            refuse("jitter= must be less than half=, or an edge could come before the one before it");
        const Cycle from = number(settings, "from", half);
        Random random(number(settings, "seed", seed_));
        level(0, name, active ^ 1U);
        for (Cycle i = 0; i < 2 * count; ++i) {
            const Cycle late = jitter == 0 ? 0 : random.between(0, jitter);
            level(from + i * half + late, name, i % 2 == 0 ? active : active ^ 1U);
        }
    }

    std::string path_;
    std::uint64_t clock_hz_;
    std::uint64_t seed_;
    const std::function<std::string(const std::string &)> &canonical_;
    int line_ = 0;
    bool timed_ = false; // the line states time
    std::vector<StimulusEvent> events_;
};

} // namespace

std::vector<StimulusEvent> load_stimulus(const std::string &path, std::uint64_t clock_hz, std::uint64_t seed,
                                         const std::function<std::string(const std::string &)> &canonical)
{
    return Parser(path, clock_hz, seed, canonical).run();
}

} // namespace instrument
