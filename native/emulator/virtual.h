/* Reservations and pages (cuMemAddressReserve, cuMemCreate, cuMemMap, ...). Needs the lock. */
#ifndef VRAMSCOPE_VIRTUAL_H
#define VRAMSCOPE_VIRTUAL_H

void virtual_reset(void);

#endif
