// The picture on the screen at the run's end.
#include "machine.hpp"

namespace gba
{

void Machine::write_screen() const
{
    if (settings_.screen.empty())
        return;
    instrument::Output file;
    file.open(settings_.screen);
    file.write("P6\n240 160\n255\n");
    for (const color_t pixel : screen_)
        for (const int shift : {0, 8, 16})
            file.put(static_cast<char>(pixel >> shift & 0xff));
    file.close();
}

} // namespace gba
