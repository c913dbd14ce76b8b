/* Where the interrupt controller is. */
#ifndef GIC_PLACE_H
#define GIC_PLACE_H

#define GIC_CPU 0x1E000000u
#define GIC_DISTRIBUTOR 0x1E001000u

#endif
