// See memory.cpp.
#pragma once

namespace gba
{

void keep_library(); // before libmgba is used

} // namespace gba
