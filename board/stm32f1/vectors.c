/* The chip's interrupts, behind the processor's sixteen vectors (board/cortex-m/vectors.c). */
#include "start.h"

#define VECTOR(name) ATT_BOARD_VECTOR(name);
#define NO_VECTOR
ATT_BOARD_NO_HANDLER
#include "vectors.inc"
#undef VECTOR
#undef NO_VECTOR

#define VECTOR(name) name,
#define NO_VECTOR no_handler,
ATT_BOARD_IRQ_VECTORS const att_vector_t att_irq_vectors[] = {
#include "vectors.inc"
};
