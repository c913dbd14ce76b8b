#include "image.hpp"

#include "failure.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <gelf.h>
#include <libelf.h>
#include <memory>
#include <sstream>
#include <unistd.h>

namespace instrument
{

namespace
{

[[noreturn]] void refuse(const std::string &path, const std::string &why)
{
    throw Failure(Exit::firmware, path + ": " + why);
}

struct Descriptor {
    int fd;
    ~Descriptor()
    {
        if (fd >= 0)
            close(fd);
    }
};

struct ElfEnd {
    void operator()(Elf *elf) const
    {
        elf_end(elf);
    }
};

void read_segments(Elf *elf, const std::string &path, std::uint64_t file_size, Image &image)
{
    std::size_t count = 0;
    if (elf_getphdrnum(elf, &count) != 0)
        refuse(path, "the ELF program headers cannot be read: is the file complete?");
    for (std::size_t i = 0; i < count; ++i) {
        GElf_Phdr header;
        if (gelf_getphdr(elf, static_cast<int>(i), &header) == nullptr)
            refuse(path, "the ELF program headers cannot be read: is the file complete?");
        if (header.p_type != PT_LOAD || header.p_filesz == 0)
            continue;
        if (header.p_offset > file_size || header.p_filesz > file_size - header.p_offset)
            refuse(path, "the ELF file is cut short: build it again");
        std::size_t whole = 0;
        const char *raw = elf_rawfile(elf, &whole);
        const auto *from = reinterpret_cast<const std::uint8_t *>(raw) + header.p_offset;
        image.segments.push_back({header.p_paddr, {from, from + header.p_filesz}});
    }
}

void read_symbols(Elf *elf, Image &image)
{
    for (Elf_Scn *section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_SYMTAB ||
            header.sh_entsize == 0)
            continue;
        Elf_Data *data = elf_getdata(section, nullptr);
        if (data == nullptr)
            continue;
        const auto entries = static_cast<int>(header.sh_size / header.sh_entsize);
        for (int i = 0; i < entries; ++i) {
            GElf_Sym symbol;
            if (gelf_getsym(data, i, &symbol) == nullptr || symbol.st_shndx == SHN_UNDEF)
                continue;
            const int type = GELF_ST_TYPE(symbol.st_info);
            const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);
            if (name == nullptr || *name == '\0' || type == STT_SECTION || type == STT_FILE)
                continue;
            image.symbols.push_back(
                {symbol.st_value, symbol.st_size, name, type == STT_FUNC, symbol.st_shndx == SHN_ABS});
        }
    }
}

Image load_elf(const std::string &path)
{
    elf_version(EV_CURRENT);
    const Descriptor file{open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    const std::unique_ptr<Elf, ElfEnd> elf(elf_begin(file.fd, ELF_C_READ, nullptr));
    GElf_Ehdr header;
    if (!elf || elf_kind(elf.get()) != ELF_K_ELF || gelf_getehdr(elf.get(), &header) == nullptr)
        refuse(path, "the ELF header cannot be read: is the file complete?");

    Image image;
    image.elf = true;
    image.machine = header.e_machine;
    image.flags = header.e_flags;
    image.linked = header.e_type == ET_EXEC;
    const off_t size = lseek(file.fd, 0, SEEK_END);
    read_segments(elf.get(), path, static_cast<std::uint64_t>(size), image);
    if (header.e_shoff > static_cast<std::uint64_t>(size))
        refuse(path, "the ELF file is cut short: build it again");
    read_symbols(elf.get(), image);
    return image;
}

int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return -1;
}

std::vector<std::uint8_t> hex_record(const std::string &line, const std::string &where)
{
    std::vector<std::uint8_t> bytes;
    unsigned sum = 0;
    for (std::size_t i = 1; i + 1 < line.size(); i += 2) {
        const int high = hex_digit(line[i]);
        const int low = hex_digit(line[i + 1]);
        if (high < 0 || low < 0)
            refuse(where, "not a hex digit: this is no Intel hex file");
        bytes.push_back(static_cast<std::uint8_t>(high * 16 + low));
        sum += bytes.back();
    }
    if (bytes.size() < 5 || bytes.size() != bytes[0] + 5U || line.size() != 1 + 2 * bytes.size())
        refuse(where, "the record's length is wrong: is the file complete?");
    if ((sum & 0xff) != 0)
        refuse(where, "the record's checksum is wrong: build the file again");
    return bytes;
}

Image load_hex(const std::string &path)
{
    std::ifstream file(path);
    Image image;
    std::uint64_t base = 0;
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        const std::string where = path + ":" + std::to_string(number);
        while (!line.empty() && (line.back() == '\r' || line.back() == ' '))
            line.pop_back();
        if (line.empty())
            continue;
        const auto record = hex_record(line, where);
        const unsigned offset = record[1] * 256U + record[2];
        switch (record[3]) {
        case 0:
            image.segments.push_back({base + offset, {record.begin() + 4, record.end() - 1}});
            break;
        case 1:
            return image;
        case 2:
            base = (record[4] * 256U + record[5]) * 16U;
            break;
        case 4:
            base = (record[4] * 256ULL + record[5]) << 16;
            break;
        case 3:
        case 5:
            break;
        default:
            refuse(where, "unknown record type: this is no Intel hex file");
        }
    }
    refuse(path, "the hex file has no end record: is it complete?");
}

} // namespace

Image load_image(const std::string &path)
{
    std::ifstream file(path, std::ios::binary);
    std::array<char, 4> magic{};
    if (!file || !file.read(magic.data(), 1))
        refuse(path, "cannot be read: name an existing ELF or Intel hex file");
    file.read(magic.data() + 1, 3);
    if (std::memcmp(magic.data(), ELFMAG, SELFMAG) == 0)
        return load_elf(path);
    if (magic[0] == ':')
        return load_hex(path);
    refuse(path, "neither ELF nor Intel hex: give the linker's output");
}

Symbols::Symbols(std::vector<Image::Symbol> symbols, std::uint64_t data_from)
    : data_from_(data_from), all_(std::move(symbols))
{
    // Assembly leaves labels without a type: they count as code where no function of the same address is
    // known.
    for (const auto &symbol : all_)
        if ((symbol.address < data_from || symbol.function) && !symbol.absolute && symbol.name[0] != '.')
            code_.push_back(symbol);
    std::stable_sort(code_.begin(), code_.end(), [](const auto &a, const auto &b) {
        return a.address != b.address ? a.address < b.address : a.function < b.function;
    });
}

const Image::Symbol *Symbols::find(const std::string &name) const
{
    for (const auto &symbol : all_)
        if (symbol.name == name)
            return &symbol;
    return nullptr;
}

const Image::Symbol *Symbols::at(std::uint64_t pc) const
{
    auto after =
        std::upper_bound(code_.begin(), code_.end(), pc,
                         [](std::uint64_t value, const auto &symbol) { return value < symbol.address; });
    const Image::Symbol *label = nullptr;
    while (after != code_.begin()) {
        --after;
        if (after->function && (after->size == 0 || pc < after->address + after->size))
            return &*after;
        if (pc >= data_from_)
            break;
        if (label == nullptr)
            label = &*after;
        if (after->function)
            break;
    }
    return label;
}

std::string Symbols::function(std::uint64_t pc) const
{
    if (const auto *symbol = at(pc))
        return symbol->name;
    std::ostringstream text;
    text << "0x" << std::hex << pc;
    return text.str();
}

std::string Symbols::with_offset(std::uint64_t pc) const
{
    const auto *symbol = at(pc);
    if (symbol == nullptr || symbol->address == pc)
        return function(pc);
    std::ostringstream text;
    text << symbol->name << "+0x" << std::hex << pc - symbol->address;
    return text.str();
}

} // namespace instrument
