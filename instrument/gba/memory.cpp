// libmgba is a shared library: what it allocates arrives here, because a program's own functions come first, and goes on
// to the kept memory (../common/memory.hpp). So does what it asks of the system in whole pages.
#include <cstddef>
#include <cstring>

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

static thread_local bool inside; // what is kept asks for what is not

void *malloc(std::size_t size)
{
    if (inside)
        return __libc_malloc(size);
    inside = true;
    void *memory = __wrap_malloc(size);
    inside = false;
    return memory;
}

void *calloc(std::size_t count, std::size_t size)
{
    if (inside)
        return __libc_calloc(count, size);
    inside = true;
    void *memory = __wrap_calloc(count, size);
    inside = false;
    return memory;
}

void *realloc(void *memory, std::size_t size)
{
    if (inside)
        return __libc_realloc(memory, size);
    inside = true;
    void *more = __wrap_realloc(memory, size);
    inside = false;
    return more;
}

void free(void *memory)
{
    if (inside)
        return __libc_free(memory);
    inside = true;
    __wrap_free(memory);
    inside = false;
}

void *anonymousMemoryMap(std::size_t size)
{
    return calloc(1, size);
}

void mappedMemoryFree(void *memory, std::size_t)
{
    free(memory);
}
// NOLINTEND
}
