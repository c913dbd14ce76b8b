// Where text of a run goes: nowhere, standard output ("-"), or a file. Buffered by stdio, closed with its
// errors seen.
#pragma once
#include <cstdio>
#include <string>
#include <string_view>

namespace instrument
{

class Output
{
  public:
    Output() = default;
    Output(const Output &) = delete;
    Output &operator=(const Output &) = delete;
    ~Output();

    void open(const std::string &path); // "-" is standard output, "" nowhere
    bool wanted() const
    {
        return file_ != nullptr;
    }
    void put(char c)
    {
        if (file_ != nullptr)
            std::putc(c, file_);
    }
    void write(std::string_view text);
    void close();
    void abandon();

  private:
    std::FILE *file_ = nullptr;
    std::string path_;
};

} // namespace instrument
