# The same compiler as for Cortex-M.
include(${CMAKE_CURRENT_LIST_DIR}/cortex-m.cmake)
