/*
 * The card's memory: how much there is, how much is handed out, and the file in memory that stands for
 * it. Two mappings of one part of the file are two views of the same bytes. Single-threaded.
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
uint64_t physical_used(void);
uint64_t physical_free(void);

/* The next multiple of the granularity; saturates, so that what is near 2^64 never fits. */
uint64_t physical_round_up(uint64_t bytes);
bool physical_is_multiple(uint64_t bytes);

/* Takes rounded bytes: CUDA_ERROR_OUT_OF_MEMORY iff the card has not so many left. */
CUresult physical_take(uint64_t bytes, uint64_t *offset);

/* Gives them back; their contents are gone and the host has its memory again. */
void physical_give(uint64_t offset, uint64_t bytes);

int physical_file(void);
void physical_reset(void);

#endif
