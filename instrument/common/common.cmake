# What every instrument is built from besides its processor: include(../common/common.cmake), then link
# instrument_common. Options, stimulus, window, forks, masks, VCD, report.
if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

find_library(ELF_LIBRARY elf)
if(NOT ELF_LIBRARY)
    message(FATAL_ERROR "libelf is missing: apt-get install libelf-dev")
endif()
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)

if(TARGET instrument_common)
    return()
endif()
set(sources clock fork image memory options output plan report run session stimulus vcd)
list(TRANSFORM sources PREPEND ${CMAKE_CURRENT_LIST_DIR}/)
list(TRANSFORM sources APPEND .cpp)
add_library(instrument_common STATIC ${sources})
# Large templates that run once: optimising them takes longer than they ever will.
foreach(name image options report session stimulus)
    set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/${name}.cpp PROPERTIES COMPILE_OPTIONS -O1)
endforeach()
target_compile_options(instrument_common PRIVATE -Wall -Wextra -Wconversion)
# Half of what most files take to compile. The other targets use the same one.
target_precompile_headers(instrument_common PRIVATE <algorithm> <array> <cstdint> <cstdio> <functional> <memory> <optional>
    <string> <vector>)
target_compile_options(instrument_common PUBLIC -fno-pie)
# Whatever is allocated goes through memory.cpp, by what is linked statically.
target_link_options(instrument_common PUBLIC -no-pie -static-libstdc++ -static-libgcc
    -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free)
target_link_libraries(instrument_common PUBLIC ${ELF_LIBRARY} nlohmann_json::nlohmann_json PRIVATE CLI11::CLI11)
