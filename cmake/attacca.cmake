# attacca_kernel(NAME [DEFINITIONS...]): a library of kernel, port and board with the given options.
# attacca_firmware(NAME KERNEL SOURCES...): a program on it, at firmware/NAME.elf in the build folder.

set(ATTACCA_WARNINGS -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef)
set(ATTACCA_C_WARNINGS -Wstrict-prototypes -Wmissing-prototypes)
if(ATTACCA_WERROR)
    list(APPEND ATTACCA_WARNINGS -Werror)
endif()

include(cmake/boards.cmake)

if(ATTACCA_ARCH STREQUAL "host")
    set(ATTACCA_FLAGS -O1 -g)
    if(ATTACCA_SANITIZE)
        list(APPEND ATTACCA_FLAGS -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
    endif()
    if(ATTACCA_COVERAGE)
        list(APPEND ATTACCA_FLAGS --coverage -O0)
    endif()
    set(ATTACCA_LINK ${ATTACCA_FLAGS})
elseif(ATTACCA_ARCH STREQUAL "avr")
    set(ATTACCA_RAM_uno 0x8A0) # from 0x60, where the linker script's region begins, to the end of RAM
    set(ATTACCA_RAM_mega2560 0x2000)
    set(ATTACCA_FLAGS ${ATTACCA_CPU} ${ATTACCA_OPTIMIZE} -g -gdwarf-4 -ffunction-sections -fdata-sections)
    set(ATTACCA_LINK ${ATTACCA_CPU} -Wl,--gc-sections
        -Wl,--defsym=__DATA_REGION_LENGTH__=${ATTACCA_RAM_${ATTACCA_BOARD}}) # else too much RAM is no link error
else()
    # No C library: board/cortex-m has what the compiler asks for.
    set(ATTACCA_FLAGS ${ATTACCA_CPU} -mthumb ${ATTACCA_OPTIMIZE} -g -gdwarf-4 -ffunction-sections -fdata-sections
        -ffreestanding)
    set(ATTACCA_SCRIPTS ${CMAKE_SOURCE_DIR}/board/${ATTACCA_BOARD_DIR}/${ATTACCA_BOARD}.ld
        ${CMAKE_SOURCE_DIR}/board/cortex-m/sections.ld)
    list(GET ATTACCA_SCRIPTS 0 script)
    set(ATTACCA_LINK ${ATTACCA_CPU} -mthumb -nostdlib -Wl,--gc-sections -L${CMAKE_SOURCE_DIR}/board/cortex-m
        -L${CMAKE_SOURCE_DIR}/board/${ATTACCA_BOARD_DIR} -T${script})
    set(ATTACCA_LIBRARIES gcc)
endif()

# What the figures say about their build.
list(JOIN ATTACCA_FLAGS " " ATTACCA_FLAGS_LINE)
get_filename_component(ATTACCA_COMPILER ${CMAKE_C_COMPILER} NAME)
file(WRITE ${CMAKE_BINARY_DIR}/flags.json "{\"board\": \"${ATTACCA_BOARD}\", \"compiler\": \"${ATTACCA_COMPILER}\", \
\"compiler_version\": \"${CMAKE_C_COMPILER_VERSION}\", \"flags\": \"${ATTACCA_FLAGS_LINE}\", \
\"check\": ${ATTACCA_CHECK}}\n")

file(GLOB ATTACCA_KERNEL_SOURCES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/kernel/*.c ${CMAKE_SOURCE_DIR}/dynamic/*.c)
file(GLOB ATTACCA_PORT_SOURCES CONFIGURE_DEPENDS
    ${CMAKE_SOURCE_DIR}/port/${ATTACCA_ARCH}/*.c ${CMAKE_SOURCE_DIR}/port/${ATTACCA_ARCH}/*.S
    ${CMAKE_SOURCE_DIR}/board/${ATTACCA_BOARD_DIR}/*.c ${CMAKE_SOURCE_DIR}/board/${ATTACCA_ARCH}/*.c)

function(attacca_kernel name)
    set(definitions ATT_CFG_CHECK=${ATTACCA_CHECK} ATT_CFG_FAST=${ATTACCA_FAST})
    foreach(definition IN LISTS ARGN)
        string(REGEX REPLACE "=.*" "" option ${definition})
        list(FILTER definitions EXCLUDE REGEX "^${option}=")
        list(APPEND definitions ${definition})
    endforeach()
    add_library(${name} STATIC ${ATTACCA_KERNEL_SOURCES} ${ATTACCA_PORT_SOURCES})
    target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/port/${ATTACCA_ARCH}
        ${CMAKE_SOURCE_DIR}/board/${ATTACCA_BOARD_DIR} ${CMAKE_SOURCE_DIR}/board/${ATTACCA_ARCH} PRIVATE ${CMAKE_SOURCE_DIR}/kernel)
    target_compile_definitions(${name} PUBLIC ${definitions})
    target_compile_options(${name} PUBLIC ${ATTACCA_FLAGS}
        PRIVATE $<$<COMPILE_LANGUAGE:C>:${ATTACCA_WARNINGS};${ATTACCA_C_WARNINGS};-ffreestanding>)
    target_link_options(${name} PUBLIC ${ATTACCA_LINK})
    target_link_libraries(${name} PUBLIC ${ATTACCA_LIBRARIES})
endfunction()

function(attacca_firmware name kernel)
    add_executable(${name} ${ARGN})
    set_property(GLOBAL APPEND_STRING PROPERTY ATTACCA_KERNELS "${name} ${kernel}\n")
    target_link_libraries(${name} PRIVATE ${kernel})
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:C>:${ATTACCA_WARNINGS};${ATTACCA_C_WARNINGS}>
        $<$<COMPILE_LANGUAGE:CXX>:${ATTACCA_WARNINGS}>)
    set_target_properties(${name} PROPERTIES SUFFIX .elf RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/firmware
        LINK_DEPENDS "${ATTACCA_SCRIPTS}")
endfunction()
