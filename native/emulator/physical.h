/*
 * The device's physical memory: its capacity, how much is allocated, and the memory file that holds the
 * data. Two mappings of one part of the file are two views of the same bytes. Needs the lock.
 */
#ifndef VRAMSCOPE_PHYSICAL_H
#define VRAMSCOPE_PHYSICAL_H

#include <stdbool.h>

#include "driver.h"

void physical_configure(uint64_t capacity_bytes, uint64_t granularity_bytes, uint64_t external_bytes);
bool physical_is_granularity(uint64_t bytes);
void physical_set_external(uint64_t bytes);

uint64_t physical_capacity(void);
uint64_t physical_granularity(void);
uint64_t physical_used_bytes(void);
uint64_t physical_free_bytes(void);

/* The next multiple of the granularity; saturates, so that sizes near 2^64 never fit. */
uint64_t physical_round_up(uint64_t bytes);
bool physical_is_multiple(uint64_t bytes);

/* Allocates a rounded size. CUDA_ERROR_OUT_OF_MEMORY iff less is free. */
CUresult physical_allocate(uint64_t bytes, uint64_t *offset);

/* Frees an allocation; its contents are lost and its host memory is freed. */
void physical_release(uint64_t offset, uint64_t bytes);

int physical_file(void);
void physical_reset(void);

#endif
