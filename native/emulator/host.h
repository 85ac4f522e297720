/*
 * Host memory: pinned by the driver, and anybody's, which may not be there. Data is carried by the
 * kernel (a read or write call with the foreign address), so a bad address is an answer and no
 * signal. Single-threaded.
 */
#ifndef VRAMSCOPE_HOST_H
#define VRAMSCOPE_HOST_H

#include <stdbool.h>

#include "driver.h"

/* Whether all of it was pinned by cuMemHostAlloc or cuMemHostRegister. */
bool host_is_pinned(uint64_t address, uint64_t bytes);

/* CUDA_ERROR_INVALID_VALUE where that memory is not there. */
CUresult host_read(const void *from, void *to, uint64_t bytes);
CUresult host_write(void *to, const void *from, uint64_t bytes);

/* Copies a text of less than capacity bytes with its final 0. */
CUresult host_read_text(const char *from, char *to, uint64_t capacity);

void host_free_all(void);
void host_reset(void);

#endif
