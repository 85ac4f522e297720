/*
 * Copies from and to host memory, which may not be mapped. The Linux kernel copies the data (a read or
 * write system call with the caller's address), so a bad address is an error and not a signal. Needs the
 * lock.
 */
#ifndef VRAMSCOPE_HOST_H
#define VRAMSCOPE_HOST_H

#include "driver.h"

enum { HOST_PAGE_BYTES = 4096 };

/* CUDA_ERROR_INVALID_VALUE if the host memory is not accessible. */
CUresult host_read(const void *from, void *to, uint64_t bytes);
CUresult host_write(void *to, const void *from, uint64_t bytes);

/* Copies a string of less than capacity bytes with its terminating 0. */
CUresult host_read_text(const char *from, char *to, uint64_t capacity);

void host_reset(void);

#endif
