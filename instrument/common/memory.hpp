// Memory that can be put back. A simulation's state is what its objects hold, libsimavr's too; none of them says
// how it is copied. Instead everything that is allocated while a Kept lives comes from one block, and a copy of
// the block is a copy of the state: nothing in it moves, so pointers stay right.
//
// What must survive is outside: on the stack, in files (stdio has memory of its own), or allocated before.
// malloc() and its kin arrive here by the linker's --wrap (common.cmake), those of static libraries too.
#pragma once
#include <cstddef>

namespace instrument
{

class Kept
{
  public:
    explicit Kept(bool wanted);
    ~Kept();
    Kept(const Kept &) = delete;
    Kept &operator=(const Kept &) = delete;

    static void copy();     // of all that is kept
    static void put_back(); // as it was when it was copied

  private:
    bool before_;
};

// Zeroes from the system, never put back and never given back: tables that hold what is true in every copy.
void *shared_memory(std::size_t size);

} // namespace instrument
