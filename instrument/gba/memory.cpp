// libmgba is a shared library: what it allocates arrives here, because a program's own functions come first. What asks from
// within it goes on to the kept memory (../common/memory.hpp), in whole pages, too; all others are the C library's.
#include "memory.hpp"

#include <cstdint>
#include <cstring>

#include <link.h>

namespace
{

std::uintptr_t low, high; // of libmgba's code
thread_local bool inside; // what is kept asks for what is not

struct Inside {
    Inside()
    {
        inside = true;
    }
    ~Inside()
    {
        inside = false;
    }
};

int look(dl_phdr_info *info, std::size_t, void *)
{
    if (std::strstr(info->dlpi_name, "libmgba") == nullptr)
        return 0;
    for (unsigned i = 0; i < info->dlpi_phnum; ++i)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X) != 0) {
            low = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            high = low + info->dlpi_phdr[i].p_memsz;
        }
    return 1;
}

bool of_library(const void *caller)
{
    const auto place = reinterpret_cast<std::uintptr_t>(caller);
    return !inside && place >= low && place < high;
}

} // namespace

namespace gba
{

void keep_library()
{
    dl_iterate_phdr(look, nullptr);
}

} // namespace gba

extern "C" {
// NOLINTBEGIN: the names are glibc's, the linker's and libmgba's
void *__libc_malloc(std::size_t size);
void *__libc_calloc(std::size_t count, std::size_t size);
void *__libc_realloc(void *memory, std::size_t size);
void __libc_free(void *memory);
void *__wrap_malloc(std::size_t size);
void *__wrap_calloc(std::size_t count, std::size_t size);
void *__wrap_realloc(void *memory, std::size_t size);
void __wrap_free(void *memory);

void *malloc(std::size_t size)
{
    if (!of_library(__builtin_return_address(0)))
        return __libc_malloc(size);
    const Inside now;
    return __wrap_malloc(size);
}

void *calloc(std::size_t count, std::size_t size)
{
    if (!of_library(__builtin_return_address(0)))
        return __libc_calloc(count, size);
    const Inside now;
    return __wrap_calloc(count, size);
}

void *realloc(void *memory, std::size_t size)
{
    if (!of_library(__builtin_return_address(0)))
        return __libc_realloc(memory, size);
    const Inside now;
    return __wrap_realloc(memory, size);
}

void free(void *memory)
{
    if (inside || low == 0)
        return __libc_free(memory);
    const Inside now;
    __wrap_free(memory);
}

void *anonymousMemoryMap(std::size_t size)
{
    const Inside now;
    return __wrap_calloc(1, size);
}

void mappedMemoryFree(void *memory, std::size_t)
{
    free(memory);
}
// NOLINTEND
}
