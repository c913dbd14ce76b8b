#include "memory.hpp"

#include <bit>
#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <new>
#include <sys/mman.h>

extern "C" {
// NOLINTBEGIN: the names are the linker's
void *__real_malloc(std::size_t size);
void *__real_calloc(std::size_t count, std::size_t size);
void *__real_realloc(void *memory, std::size_t size);
void __real_free(void *memory);
// NOLINTEND
}

namespace instrument
{

namespace
{

constexpr std::size_t most = std::size_t{1} << 31; // addresses, not memory: what is not touched costs nothing
constexpr std::size_t grain = 16, steps = 64, classes = steps + 48;

struct Piece {
    std::size_t size; // of what follows
    Piece *next;      // free ones of the same size
};
static_assert(sizeof(Piece) == grain);

struct Block { // at its own beginning, so that a copy holds it too
    std::size_t used;
    Piece *free[classes];
};

Block *block = nullptr;
void *copied = nullptr;
bool keeping = false;

// Small ones by the grain, large ones by powers of two.
std::size_t class_of(std::size_t size)
{
    return size <= grain * steps ? (size + grain - 1) / grain : steps + std::bit_width((size - 1) / (grain * steps));
}

std::size_t size_of(std::size_t which)
{
    return which <= steps ? which * grain : (grain * steps) << (which - steps);
}

void *take(std::size_t size)
{
    const std::size_t which = class_of(size == 0 ? 1 : size);
    if (Piece *piece = block->free[which]) {
        block->free[which] = piece->next;
        return piece + 1;
    }
    const std::size_t room = size_of(which);
    if (block->used + sizeof(Piece) + room > most)
        return nullptr;
    auto *piece = reinterpret_cast<Piece *>(reinterpret_cast<char *>(block) + block->used);
    block->used += sizeof(Piece) + room;
    piece->size = room;
    return piece + 1;
}

bool is_kept(const void *memory)
{
    return block != nullptr && memory >= block && memory < reinterpret_cast<char *>(block) + most;
}

void give(void *memory)
{
    Piece *piece = static_cast<Piece *>(memory) - 1;
    const std::size_t which = class_of(piece->size);
    piece->next = block->free[which];
    block->free[which] = piece;
}

} // namespace

void *shared_memory(std::size_t size)
{
    void *memory =
        mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        throw std::bad_alloc();
    return memory;
}

Kept::Kept(bool wanted) : before_(keeping)
{
    if (wanted && block == nullptr) {
        copied = shared_memory(most);
        block = static_cast<Block *>(shared_memory(most));
        block->used = (sizeof(Block) + grain - 1) / grain * grain;
    }
    keeping = wanted;
}

Kept::~Kept()
{
    keeping = before_;
}

void Kept::copy()
{
    std::memcpy(copied, block, block->used);
}

void Kept::put_back()
{
    std::memcpy(block, copied, static_cast<const Block *>(copied)->used);
}

} // namespace instrument

extern "C" {
// NOLINTBEGIN
void *__wrap_malloc(std::size_t size)
{
    return instrument::keeping ? instrument::take(size) : __real_malloc(size);
}

void *__wrap_calloc(std::size_t count, std::size_t size)
{
    if (!instrument::keeping)
        return __real_calloc(count, size);
    void *memory = instrument::take(count * size);
    return memory == nullptr ? nullptr : std::memset(memory, 0, count * size);
}

void __wrap_free(void *memory)
{
    if (instrument::is_kept(memory))
        instrument::give(memory);
    else
        __real_free(memory);
}

void *__wrap_realloc(void *memory, std::size_t size)
{
    if (!instrument::keeping && !instrument::is_kept(memory))
        return __real_realloc(memory, size);
    void *more = __wrap_malloc(size);
    if (memory != nullptr && more != nullptr) {
        const std::size_t had = instrument::is_kept(memory)
                                    ? (static_cast<instrument::Piece *>(memory) - 1)->size
                                    : malloc_usable_size(memory);
        std::memcpy(more, memory, had < size ? had : size);
        __wrap_free(memory);
    }
    return more;
}
// NOLINTEND
}
