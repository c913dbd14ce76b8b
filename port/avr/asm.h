/* Shared by the port's assembly files. r1 is always zero between instructions that are not multiplications.
 */
#include <avr/io.h>
#include "attacca/config.h"
#include "offsets.h"

#define TOP_LO _SFR_IO_ADDR(GPIOR1)
#define TOP_HI _SFR_IO_ADDR(GPIOR2)
#define FLAGS _SFR_IO_ADDR(GPIOR0)
#define PENDED _SFR_IO_ADDR(SPMCSR)
#define SPL_IO _SFR_IO_ADDR(SPL)
#define SPH_IO _SFR_IO_ADDR(SPH)

/* Jumps reach everything in 8 KB; the kernel's own files lie closer than the application's, but not always.
 */
#if defined(__AVR_HAVE_JMP_CALL__)
#define XJMP jmp
#define XCALL call
#else
#define XJMP rjmp
#define XCALL rcall
#endif

.macro SAVE_R2_TO_R17
    .irp reg, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
    push r\reg
    .endr
.endm

/* A frame: r28 r29 r2 ... r17, r17 at the lowest address, saved stack pointer one below. */
.macro SAVE_CALL_SAVED
    push r28
    push r29
    SAVE_R2_TO_R17
.endm

.macro RESTORE_CALL_SAVED
    .irp reg, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 29, 28
    pop r\reg
    .endr
.endm

/* The stack pointer, into registers: it may be read with interrupts enabled, which leave it as they found it.
 */
.macro READ_SP
    in r22, SPL_IO
    in r23, SPH_IO
.endm
