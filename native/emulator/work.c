#include "work.h"

#include <string.h>

#include "../include/vramscope.h"
#include "host.h"
#include "memory.h"
#include "pinned.h"

/* Data is copied in parts of this size. */
enum { PART_BYTES = 1 << 16, WORD_BYTES = 8 };

static _Alignas(WORD_BYTES) unsigned char part[PART_BYTES]; /* guarded by the lock */
static _Alignas(WORD_BYTES) unsigned char expected[PART_BYTES];

static uint64_t part_of(uint64_t left) { return left < PART_BYTES ? left : PART_BYTES; }

static CUresult copy(const struct work *work) {
  struct copy_end to = work->copy.to, from = work->copy.from;
  for (uint64_t done = 0; done < work->copy.bytes;) {
    uint64_t bytes = part_of(work->copy.bytes - done);
    CUresult result = from.is_device ? memory_read(from.address + done, part, bytes)
                                     : host_read((const void *)(from.address + done), part, bytes);
    if (result == CUDA_SUCCESS) {
      result = to.is_device ? memory_write(to.address + done, part, bytes)
                            : host_write((void *)(to.address + done), part, bytes);
    }
    if (result != CUDA_SUCCESS) {
      return result;
    }
    done += bytes;
  }
  return CUDA_SUCCESS;
}

static CUresult set(const struct work *work) {
  uint64_t bytes = work->set.count * work->set.width; /* checked for overflow when it was enqueued */
  for (uint64_t at = 0; at < part_of(bytes); at += work->set.width) {
    memcpy(part + at, &work->set.value, work->set.width); /* the low bytes: little-endian */
  }
  for (uint64_t done = 0; done < bytes;) {
    CUresult result = memory_write(work->set.address + done, part, part_of(bytes - done));
    if (result != CUDA_SUCCESS) {
      return result;
    }
    done += part_of(bytes - done);
  }
  return CUDA_SUCCESS;
}

/* Writes whole words of the pattern, starting at a multiple of the word size. */
static void write_pattern(unsigned char *buffer, uint64_t seed, uint64_t offset, uint64_t bytes) {
  for (uint64_t at = 0; at < bytes; at += WORD_BYTES) {
    uint64_t word = vramscope_pattern(seed, (offset + at) / WORD_BYTES);
    memcpy(buffer + at, &word, WORD_BYTES);
  }
}

static CUresult fill(const struct work *work) {
  for (uint64_t done = 0; done < work->pattern.bytes;) {
    uint64_t bytes = part_of(work->pattern.bytes - done);
    write_pattern(part, work->pattern.seed, done, bytes);
    CUresult result = memory_write(work->pattern.address + done, part, bytes);
    if (result != CUDA_SUCCESS) {
      return result;
    }
    done += bytes;
  }
  return CUDA_SUCCESS;
}

static void compare(struct vramscope_verify_result *found, uint64_t offset, uint64_t bytes) {
  for (uint64_t at = 0; at < bytes; at += WORD_BYTES) {
    uint64_t width = bytes - at < WORD_BYTES ? bytes - at : WORD_BYTES;
    if (memcmp(part + at, expected + at, width) != 0) {
      found->mismatches++;
      uint64_t complement = ~(offset + at);
      if (complement > found->first_bad_complement) {
        found->first_bad_complement = complement;
      }
    }
  }
}

/* The result may be in pinned host memory, which the device accesses like its own. */
static bool is_pinned_result(uint64_t address) {
  return pinned_covers(address, sizeof(struct vramscope_verify_result));
}

static CUresult read_result(uint64_t address, struct vramscope_verify_result *found) {
  return is_pinned_result(address) ? host_read((const void *)address, found, sizeof *found)
                                   : memory_read(address, found, sizeof *found);
}

static CUresult write_result(uint64_t address, const struct vramscope_verify_result *found) {
  return is_pinned_result(address) ? host_write((void *)address, found, sizeof *found)
                                   : memory_write(address, found, sizeof *found);
}

static CUresult verify(const struct work *work) {
  struct vramscope_verify_result found;
  CUresult result = read_result(work->pattern.result, &found);
  for (uint64_t done = 0; result == CUDA_SUCCESS && done < work->pattern.bytes;) {
    uint64_t bytes = part_of(work->pattern.bytes - done);
    result = memory_read(work->pattern.address + done, part, bytes);
    write_pattern(expected, work->pattern.seed, done, bytes);
    if (result == CUDA_SUCCESS) {
      compare(&found, done, bytes);
    }
    done += bytes;
  }
  return result == CUDA_SUCCESS ? write_result(work->pattern.result, &found) : result;
}

CUresult work_perform(const struct work *work) {
  switch (work->kind) {
    case WORK_COPY:
      return copy(work);
    case WORK_SET:
      return set(work);
    case WORK_FILL:
    case WORK_VERIFY:
      if (work->pattern.address % WORD_BYTES != 0 || work->pattern.result % WORD_BYTES != 0) {
        return CUDA_ERROR_MISALIGNED_ADDRESS;
      }
      return work->kind == WORK_FILL ? fill(work) : verify(work);
    case WORK_EVENT:
    case WORK_WAIT:
    case WORK_SPIN:
      break;
  }
  return CUDA_SUCCESS;
}
