#include "output.hpp"

#include "failure.hpp"

namespace instrument
{

Output::~Output()
{
    if (file_ != nullptr && file_ != stdout)
        std::fclose(file_);
}

void Output::open(const std::string &path)
{
    path_ = path;
    if (path == "-") {
        file_ = stdout;
        std::setvbuf(stdout, nullptr, _IOLBF, 1 << 16); // a reader gets each line as soon as it is there
    } else if (!path.empty() && (file_ = std::fopen(path.c_str(), "wb")) == nullptr)
        throw Failure(Exit::usage, "cannot write " + path + ": name a file in an existing directory");
}

void Output::write(std::string_view text)
{
    if (file_ != nullptr)
        std::fwrite(text.data(), 1, text.size(), file_);
}

void Output::close()
{
    if (file_ == nullptr)
        return;
    const bool standard = file_ == stdout;
    const bool bad = std::ferror(file_) != 0;
    const int closed = standard ? std::fflush(file_) : std::fclose(file_);
    file_ = nullptr;
    if (bad || closed != 0)
        throw Failure(Exit::usage,
                      "cannot write " + (standard ? "standard output" : path_) + ": is the disk full?");
}

void Output::abandon()
{
    file_ = nullptr;
}

} // namespace instrument
