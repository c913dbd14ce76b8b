# One image an object: scenarios-sem.elf and so on; lab/attacca_lab/inject.py runs them.
function(attacca_inject topic)
    if(ATTACCA_ARCH STREQUAL "avr")
        set(machine inject/machine_avr.c inject/registers_avr.S)
    elseif(ATTACCA_ARCH STREQUAL "cortex-m")
        set(machine inject/machine_cortex_m.c inject/registers_cortex_m.S)
    else()
        set(machine inject/machine_host.c)
    endif()
    attacca_firmware_sharing(scenarios-${topic} attacca inject/${topic}.c inject/inject.c inject/acts.c inject/list.c
        ${machine} ${more_${topic}})
    target_include_directories(scenarios-${topic} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/inject)
    add_dependencies(kernel-scenarios scenarios-${topic})
endfunction()

# Run on uno, stm32f103 and host. With checks on, the Uno's RAM does not hold them.
if(ATTACCA_BOARD STREQUAL "host" OR (ATTACCA_BOARD MATCHES "^(uno|stm32f103)$" AND ATTACCA_CHECK EQUAL 0))
    set(more_cache INJECT_STACK_MORE=12)
    # A nested handler and another one in it, each placing a timer: deeper than the clock's.
    set(more_timers INJECT_STACK_MORE=14)
    foreach(topic sem ref thread time mutex mailbox flags group event_source message rwlock stream queue queue_large pool wait_set
                  job delegate fifo timers cache heap dynamic items)
        attacca_inject(${topic})
    endforeach()
endif()
