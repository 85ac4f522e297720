/* Reservations and pages (cuMemAddressReserve, cuMemCreate, cuMemMap, ...). Single-threaded. */
#ifndef VRAMSCOPE_VIRTUAL_H
#define VRAMSCOPE_VIRTUAL_H

void virtual_reset(void);

#endif
