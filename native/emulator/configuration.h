/* The configuration of the device, from the environment or the controls. Needs the lock. */
#ifndef VRAMSCOPE_CONFIGURATION_H
#define VRAMSCOPE_CONFIGURATION_H

#include <stdbool.h>

#include "driver.h"

/* Overrides the environment. CUDA_ERROR_INVALID_VALUE for an invalid configuration. */
CUresult configuration_set(uint64_t capacity_bytes, uint64_t granularity_bytes);

/* Configures the other modules. CUDA_ERROR_INVALID_VALUE, and a line on stderr, if the environment is invalid. */
CUresult configuration_apply(void);

/* The driver's version, 1000 * major + 10 * minor; the only setting used before cuInit. */
CUresult configuration_version(int *version);

void configuration_set_external(uint64_t bytes);
void configuration_set_manual(bool manual);

struct process {
  int64_t pid; /* 0: this process */
  uint64_t bytes;
};

/* False when there are too many. */
bool configuration_add_process(struct process process);
void configuration_clear_processes(void);
const struct process *configuration_processes(int *count);

void configuration_reset(void);

#endif
