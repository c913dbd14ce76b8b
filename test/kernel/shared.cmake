# What keeps the suite's build short.
#
# attacca_kernel_part(NAME MORE [DEFINITIONS...]): a kernel of options of its own, of which only the objects that any
# image wants are compiled, and those whose names begin as MORE says: "timer|mutex". An object that is missing is an
# undefined symbol. attacca_firmware_sharing(NAME KERNEL SOURCES...): as attacca_firmware; sources in ATTACCA_SHARED are
# compiled once for all images of a kernel, or once for those with the same definitions.
set(ATTACCA_PART "alarm|debug|fault|join|sched|sem|start|thread|time|waitq")
set(ATTACCA_SHARED tap.c tap_out.c irq.c provoke.c inject/acts.c inject/list.c inject/machine_avr.c
    inject/machine_cortex_m.c inject/machine_host.c)
set(ATTACCA_SHARED_BY_DEFINITIONS tap.c inject/acts.c inject/list.c)

set(ATTACCA_PLAIN "") # a quarter of the compiler's time is for a debugger; none is connected to these
if(NOT ATTACCA_ARCH STREQUAL "host")
    set(ATTACCA_PLAIN $<$<NOT:$<COMPILE_LANGUAGE:ASM>>:-g0>)
endif()

function(attacca_kernel_part name more)
    attacca_kernel(${name} ${ARGN})
    target_compile_options(${name} PRIVATE ${ATTACCA_PLAIN})
    set(wanted "${ATTACCA_PART}")
    if(more)
        string(APPEND wanted "|${more}")
    endif()
    get_target_property(sources ${name} SOURCES)
    list(FILTER sources EXCLUDE REGEX "/(kernel|dynamic)/[^/]*\\.c$")
    set(objects ${ATTACCA_KERNEL_SOURCES})
    list(FILTER objects INCLUDE REGEX "/(kernel|dynamic)/(${wanted})[^/]*\\.c$")
    set_target_properties(${name} PROPERTIES SOURCES "${sources};${objects}")
endfunction()

# attacca_kernel_without(NAME REGEX): the objects of the kernel `attacca` but for those whose sources match.
function(attacca_kernel_without name which)
    if(ATTACCA_ARCH STREQUAL "host") # objects of its own, as ./attacca mutate wants them
        attacca_kernel_part(${name} "")
        get_target_property(sources ${name} SOURCES)
        list(FILTER sources EXCLUDE REGEX "${which}[.]")
        set_target_properties(${name} PROPERTIES SOURCES "${sources}")
        return()
    endif()
    add_library(${name} STATIC $<FILTER:$<TARGET_OBJECTS:attacca>,EXCLUDE,${which}[.]>)
    set_target_properties(${name} PROPERTIES LINKER_LANGUAGE C)
    foreach(property INTERFACE_INCLUDE_DIRECTORIES INTERFACE_COMPILE_DEFINITIONS INTERFACE_COMPILE_OPTIONS
            INTERFACE_COMPILE_FEATURES INTERFACE_LINK_OPTIONS INTERFACE_LINK_DEPENDS INTERFACE_LINK_LIBRARIES)
        get_target_property(value attacca ${property})
        if(value)
            set_target_properties(${name} PROPERTIES ${property} "${value}")
        endif()
    endforeach()
endfunction()

function(attacca_firmware_sharing name kernel)
    set(own "")
    set(shared "")
    foreach(source IN LISTS ARGN)
        if(source IN_LIST ATTACCA_SHARED)
            list(APPEND shared ${source})
        else()
            list(APPEND own ${source})
        endif()
    endforeach()
    attacca_firmware(${name} ${kernel} ${own})
    target_compile_options(${name} PRIVATE ${ATTACCA_PLAIN})
    target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
    cmake_language(EVAL CODE "cmake_language(DEFER CALL attacca_share ${name} ${kernel} [[${shared}]])")
endfunction()

# At the end of the folder's CMakeLists.txt, when the image's definitions are known.
function(attacca_share name kernel sources)
    get_target_property(defined ${name} COMPILE_DEFINITIONS)
    get_target_property(included ${name} INCLUDE_DIRECTORIES)
    foreach(source IN LISTS sources)
        set(definitions "")
        if(defined AND source IN_LIST ATTACCA_SHARED_BY_DEFINITIONS)
            set(definitions ${defined})
        endif()
        string(MD5 key "${kernel} ${definitions}")
        string(MAKE_C_IDENTIFIER "${source}" stem)
        set(object ${kernel}-${stem}-${key})
        if(NOT TARGET ${object})
            add_library(${object} OBJECT ${source})
            target_link_libraries(${object} PRIVATE ${kernel})
            target_compile_definitions(${object} PRIVATE ${definitions})
            target_include_directories(${object} PRIVATE ${included})
            target_compile_options(${object} PRIVATE ${ATTACCA_PLAIN}
                $<$<COMPILE_LANGUAGE:C>:${ATTACCA_WARNINGS};${ATTACCA_C_WARNINGS}>)
        endif()
        target_sources(${name} PRIVATE $<TARGET_OBJECTS:${object}>)
    endforeach()
endfunction()
