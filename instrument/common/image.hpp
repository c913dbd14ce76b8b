// A firmware file as an instrument sees it: bytes at load addresses, and symbols. ELF (by libelf) and Intel
// hex. What a processor makes of the addresses is the instrument's business.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace instrument
{

struct Image {
    struct Segment {
        std::uint64_t address; // where the loader puts it (ELF: the physical address)
        std::vector<std::uint8_t> bytes;
    };
    struct Symbol {
        std::uint64_t address;
        std::uint64_t size;
        std::string name;
        bool function;
        bool absolute; // a number that the linker was told, not a place
    };

    bool elf = false;
    unsigned machine = 0; // e_machine of the ELF header
    unsigned flags = 0;   // e_flags
    bool linked = true;   // ELF: an executable, not an object file
    std::vector<Segment> segments;
    std::vector<Symbol> symbols;
};

// Throws Failure(Exit::firmware) with a line that says what is wrong with the file.
Image load_image(const std::string &path);

// Names for addresses of code: the nearest function at or before an address. From `data_from` on it is code
// only where a function says so.
class Symbols
{
  public:
    Symbols() = default;
    explicit Symbols(std::vector<Image::Symbol> symbols, std::uint64_t data_from);

    const Image::Symbol *find(const std::string &name) const;
    const Image::Symbol *at(std::uint64_t pc) const;
    std::string function(std::uint64_t pc) const;    // "name", or "0x1234" where there is none
    std::string with_offset(std::uint64_t pc) const; // "name+0x4"

  private:
    std::uint64_t data_from_ = UINT64_MAX;
    std::vector<Image::Symbol> all_;
    std::vector<Image::Symbol> code_;
};

} // namespace instrument
