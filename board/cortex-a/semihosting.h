/* The end of a run that a debugger or an emulator watches. */
#ifndef ATTACCA_BOARD_SEMIHOSTING_H
#define ATTACCA_BOARD_SEMIHOSTING_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

__attribute__((noreturn)) void att_board_exit(uint8_t status);

#ifdef __cplusplus
}
#endif

#endif
