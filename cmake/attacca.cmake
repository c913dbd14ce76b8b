# attacca_kernel(NAME [DEFINITIONS...]): a library of kernel, port and board with the given options.
# attacca_firmware(NAME KERNEL SOURCES...): a program on it, at firmware/NAME.elf in the build folder.
#
# Paths are this file's own, because the tree may be part of another project; and what the two functions need is in
# global properties, because that project may call them from its own folders.

get_filename_component(ATTACCA_ROOT ${CMAKE_CURRENT_LIST_DIR} DIRECTORY)
set(ATTACCA_WARNINGS -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef)
set(ATTACCA_C_WARNINGS -Wstrict-prototypes -Wmissing-prototypes)
if(ATTACCA_WERROR)
    list(APPEND ATTACCA_WARNINGS -Werror)
endif()

include(${CMAKE_CURRENT_LIST_DIR}/boards.cmake)

if(ATTACCA_ARCH STREQUAL "host")
    set(ATTACCA_FLAGS -O1 -g)
    if(ATTACCA_SANITIZE)
        list(APPEND ATTACCA_FLAGS -g1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
    endif()
    if(ATTACCA_COVERAGE)
        list(APPEND ATTACCA_FLAGS --coverage -O0 -g0)
    endif()
    set(ATTACCA_LINK ${ATTACCA_FLAGS})
elseif(ATTACCA_ARCH STREQUAL "avr")
    set(ATTACCA_RAM_uno 0x8A0) # from 0x60, where the linker script's region begins, to the end of RAM
    set(ATTACCA_RAM_mega2560 0x2000)
    set(ATTACCA_FLAGS ${ATTACCA_CPU} ${ATTACCA_OPTIMIZE} -g -gdwarf-4 -ffunction-sections -fdata-sections)
    set(ATTACCA_LINK ${ATTACCA_CPU} -Wl,--gc-sections
        -Wl,--defsym=__DATA_REGION_LENGTH__=${ATTACCA_RAM_${ATTACCA_BOARD}}) # else too much RAM is no link error
else()
    # No C library: board/cortex-m has what the compiler asks for, for others, too.
    if(ATTACCA_ARCH STREQUAL "cortex-m")
        list(APPEND ATTACCA_CPU -mthumb)
    endif()
    set(ATTACCA_FLAGS ${ATTACCA_CPU} ${ATTACCA_OPTIMIZE} -g -gdwarf-4 -ffunction-sections -fdata-sections
        -ffreestanding)
    set(ATTACCA_CXX_FLAGS -fno-exceptions -fno-rtti -fno-threadsafe-statics) # what these need is in a C++ library
    if(NOT DEFINED ATTACCA_MACHINE)
        set(ATTACCA_MACHINE board/${ATTACCA_BOARD_DIR})
        set(ATTACCA_SCRIPT ${ATTACCA_BOARD})
    endif()
    set(ATTACCA_SCRIPTS ${ATTACCA_ROOT}/${ATTACCA_MACHINE}/${ATTACCA_SCRIPT}.ld
        ${ATTACCA_ROOT}/board/${ATTACCA_ARCH}/sections.ld)
    list(GET ATTACCA_SCRIPTS 0 script)
    set(ATTACCA_LINK ${ATTACCA_CPU} -nostdlib -Wl,--gc-sections -L${ATTACCA_ROOT}/board/${ATTACCA_ARCH}
        -L${ATTACCA_ROOT}/${ATTACCA_MACHINE} -T${script})
    set(ATTACCA_LIBRARIES gcc)
    if(ATTACCA_ARCH STREQUAL "cortex-a")
        set(ATTACCA_KERNEL_FLAGS -mgeneral-regs-only) # no thread uses floating point because it calls the kernel
    endif()
    if(ATTACCA_ARCH STREQUAL "arm7tdmi")
        list(APPEND ATTACCA_LINK -Wl,-n) # or memory that is not loaded begins with a page of the file
    endif()
    if(ATTACCA_BOARD STREQUAL "cortex-m") # the project's
        set(ATTACCA_FLAGS -ffunction-sections -fdata-sections)
        set(ATTACCA_SCRIPTS "")
        set(ATTACCA_LINK -Wl,--gc-sections)
        set(ATTACCA_LIBRARIES "")
    endif()
endif()

# Not for targets that say otherwise: those with the property ATTACCA_BARE have nothing for a debugger, which is a quarter
# of the compiler's time; those with ATTACCA_LEVEL are optimised like that.
set(ATTACCA_TOLD "")
foreach(flag IN LISTS ATTACCA_FLAGS)
    if(flag MATCHES "^-g")
        list(APPEND ATTACCA_TOLD $<$<NOT:$<BOOL:$<TARGET_PROPERTY:ATTACCA_BARE>>>:${flag}>)
    elseif(flag MATCHES "^-O")
        list(APPEND ATTACCA_TOLD
            $<IF:$<BOOL:$<TARGET_PROPERTY:ATTACCA_LEVEL>>,$<TARGET_PROPERTY:ATTACCA_LEVEL>,${flag}>)
    else()
        list(APPEND ATTACCA_TOLD ${flag})
    endif()
endforeach()

# What the figures say about their build.
list(JOIN ATTACCA_FLAGS " " ATTACCA_FLAGS_LINE)
get_filename_component(ATTACCA_COMPILER ${CMAKE_C_COMPILER} NAME)
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/flags.json "{\"board\": \"${ATTACCA_BOARD}\", \"compiler\": \"${ATTACCA_COMPILER}\", \
\"compiler_version\": \"${CMAKE_C_COMPILER_VERSION}\", \"flags\": \"${ATTACCA_FLAGS_LINE}\", \
\"check\": ${ATTACCA_CHECK}}\n")

file(GLOB ATTACCA_KERNEL_SOURCES CONFIGURE_DEPENDS ${ATTACCA_ROOT}/kernel/*.c ${ATTACCA_ROOT}/dynamic/*.c)
file(GLOB ATTACCA_PORT_SOURCES CONFIGURE_DEPENDS
    ${ATTACCA_ROOT}/port/${ATTACCA_ARCH}/*.c ${ATTACCA_ROOT}/port/${ATTACCA_ARCH}/*.S
    ${ATTACCA_ROOT}/board/${ATTACCA_BOARD_DIR}/*.c ${ATTACCA_ROOT}/board/${ATTACCA_BOARD_DIR}/*.S
    ${ATTACCA_ROOT}/board/${ATTACCA_ARCH}/*.c ${ATTACCA_ROOT}/board/${ATTACCA_ARCH}/*.S)
if(NOT ATTACCA_ARCH MATCHES "^(avr|cortex-m|host)$")
    list(APPEND ATTACCA_PORT_SOURCES ${ATTACCA_ROOT}/board/cortex-m/memory.c)
endif()
set(ATTACCA_FOLDERS ${ATTACCA_ROOT}/board/${ATTACCA_BOARD_DIR} ${ATTACCA_ROOT}/board/${ATTACCA_ARCH})
if(ATTACCA_BOARD STREQUAL "cortex-m")
    list(FILTER ATTACCA_PORT_SOURCES EXCLUDE REGEX "/board/cortex-m/")
elseif(ATTACCA_BOARD_DIR STREQUAL "systick") # with another board's start-up code, and what the suite wants of it
    list(APPEND ATTACCA_PORT_SOURCES ${ATTACCA_ROOT}/${ATTACCA_STAND}/suite.c)
    if(NOT ATTACCA_MACHINE STREQUAL ATTACCA_STAND)
        list(APPEND ATTACCA_PORT_SOURCES ${ATTACCA_ROOT}/${ATTACCA_MACHINE}/console.c
            ${ATTACCA_ROOT}/${ATTACCA_MACHINE}/init.c)
    endif()
    list(APPEND ATTACCA_FOLDERS ${ATTACCA_ROOT}/${ATTACCA_STAND} ${ATTACCA_ROOT}/${ATTACCA_MACHINE})
endif()

set(ATTACCA_FACTS ROOT ARCH FOLDERS CHECK FAST TOLD KERNEL_FLAGS CXX_FLAGS LINK LIBRARIES SCRIPTS WARNINGS C_WARNINGS
    KERNEL_SOURCES PORT_SOURCES)
foreach(fact IN LISTS ATTACCA_FACTS)
    set_property(GLOBAL PROPERTY ATTACCA_FACT_${fact} "${ATTACCA_${fact}}")
endforeach()
set_property(GLOBAL PROPERTY ATTACCA_FACTS "${ATTACCA_FACTS}")

macro(attacca_recall)
    get_property(facts GLOBAL PROPERTY ATTACCA_FACTS)
    foreach(fact IN LISTS facts)
        get_property(ATTACCA_${fact} GLOBAL PROPERTY ATTACCA_FACT_${fact})
    endforeach()
endmacro()

function(attacca_kernel name)
    attacca_recall()
    set(definitions "")
    foreach(option CHECK FAST) # empty: attacca_config.h says it, or else config.h
        if(NOT ATTACCA_${option} STREQUAL "")
            list(APPEND definitions ATT_CFG_${option}=${ATTACCA_${option}})
        endif()
    endforeach()
    foreach(definition IN LISTS ARGN)
        string(REGEX REPLACE "=.*" "" option ${definition})
        list(FILTER definitions EXCLUDE REGEX "^${option}=")
        list(APPEND definitions ${definition})
    endforeach()
    add_library(${name} STATIC ${ATTACCA_KERNEL_SOURCES} ${ATTACCA_PORT_SOURCES})
    target_include_directories(${name} PUBLIC ${ATTACCA_ROOT}/include ${ATTACCA_ROOT}/port/${ATTACCA_ARCH}
        ${ATTACCA_FOLDERS} PRIVATE ${ATTACCA_ROOT}/kernel)
    target_compile_definitions(${name} PUBLIC ${definitions})
    target_compile_options(${name} PUBLIC ${ATTACCA_TOLD} $<$<COMPILE_LANGUAGE:CXX>:${ATTACCA_CXX_FLAGS}>
        PRIVATE $<$<COMPILE_LANGUAGE:C>:${ATTACCA_WARNINGS};${ATTACCA_C_WARNINGS};-ffreestanding;${ATTACCA_KERNEL_FLAGS}>)
    target_compile_features(${name} PUBLIC c_std_11)
    target_link_options(${name} PUBLIC ${ATTACCA_LINK})
    set_property(TARGET ${name} PROPERTY INTERFACE_LINK_DEPENDS ${ATTACCA_SCRIPTS})
    target_link_libraries(${name} PUBLIC ${ATTACCA_LIBRARIES})
endfunction()

function(attacca_firmware name kernel)
    attacca_recall()
    add_executable(${name} ${ARGN})
    set_property(GLOBAL APPEND_STRING PROPERTY ATTACCA_KERNELS "${name} ${kernel}\n")
    target_link_libraries(${name} PRIVATE ${kernel})
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:C>:${ATTACCA_WARNINGS};${ATTACCA_C_WARNINGS}>
        $<$<COMPILE_LANGUAGE:CXX>:${ATTACCA_WARNINGS}>)
    set_target_properties(${name} PROPERTIES SUFFIX .elf RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/firmware)
endfunction()
