#define _GNU_SOURCE
#include "physical.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ranges.h"

/* Far more than the maximum capacity, so that offsets never run out first. */
static const uint64_t FILE_BYTES = 1ull << 46;

static uint64_t capacity, granularity, external, used;
static int file = -1;
static struct free_ranges offsets;

void physical_configure(uint64_t capacity_bytes, uint64_t granularity_bytes, uint64_t external_bytes) {
  capacity = capacity_bytes;
  granularity = granularity_bytes;
  external = external_bytes;
}

/* Mappings on the host are multiples of 4096 bytes. */
bool physical_is_granularity(uint64_t bytes) {
  return bytes >= 4096 && bytes <= 1ull << 40 && (bytes & (bytes - 1)) == 0;
}

void physical_set_external(uint64_t bytes) { external = bytes; }

uint64_t physical_capacity(void) { return capacity; }
uint64_t physical_granularity(void) { return granularity; }
uint64_t physical_used_bytes(void) { return used; }

uint64_t physical_free_bytes(void) {
  uint64_t unused = capacity - used; /* used never exceeds the capacity */
  return external < unused ? unused - external : 0;
}

uint64_t physical_round_up(uint64_t bytes) {
  uint64_t rounded = (bytes + granularity - 1) & -granularity;
  return rounded < bytes ? -granularity : rounded;
}

bool physical_is_multiple(uint64_t bytes) { return (bytes & (granularity - 1)) == 0; }

static CUresult open_file(void) {
  file = memfd_create("vramscope-emulated-device", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, (off_t)FILE_BYTES) != 0 || !ranges_init(&offsets, 0, FILE_BYTES)) {
    physical_reset();
    return CUDA_ERROR_OPERATING_SYSTEM;
  }
  return CUDA_SUCCESS;
}

CUresult physical_allocate(uint64_t bytes, uint64_t *offset) {
  if (bytes > physical_free_bytes()) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  CUresult opened = file < 0 ? open_file() : CUDA_SUCCESS;
  if (opened != CUDA_SUCCESS) {
    return opened;
  }
  if (!ranges_allocate(&offsets, bytes, granularity, offset)) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  used += bytes;
  return CUDA_SUCCESS;
}

void physical_release(uint64_t offset, uint64_t bytes) {
  fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)bytes);
  ranges_free(&offsets, offset, bytes);
  used -= bytes;
}

int physical_file(void) { return file; }

void physical_reset(void) {
  if (file >= 0) {
    close(file);
  }
  file = -1;
  used = 0;
  spans_clear(&offsets.spans);
}
