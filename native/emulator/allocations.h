/* Allocations of cuMemAlloc. Needs the lock. */
#ifndef VRAMSCOPE_ALLOCATIONS_H
#define VRAMSCOPE_ALLOCATIONS_H

void allocations_free_all(void);
void allocations_reset(void);

#endif
