/* An operation enqueued on a stream, and its effect on memory. Callers hold the driver lock. */
#ifndef VRAMSCOPE_WORK_H
#define VRAMSCOPE_WORK_H

#include <stdbool.h>

#include "driver.h"

enum work_kind { WORK_EVENT, WORK_WAIT, WORK_COPY, WORK_SET, WORK_FILL, WORK_VERIFY, WORK_SPIN };

/* One end of a copy. */
struct copy_end {
  uint64_t address;
  bool is_device;
};

struct work {
  enum work_kind kind;
  bool performed;       /* memory is updated; the work may not be reported as complete yet */
  uint64_t sequence;    /* over all streams, in the order of enqueueing */
  uint64_t enqueued_at; /* nanoseconds */
  union {
    uint64_t event; /* WORK_EVENT: its handle */
    struct {
      uint64_t event, stream, sequence;
    } wait; /* WORK_WAIT: until the stream reaches the sequence number; the event may be recorded again meanwhile */
    struct {
      struct copy_end to, from;
      uint64_t bytes;
    } copy;
    struct {
      uint64_t address, count;
      uint32_t value;
      uint32_t width; /* bytes of value: 1, 2 or 4 */
    } set;
    struct {
      uint64_t address, bytes, seed, result;
    } pattern; /* WORK_FILL and WORK_VERIFY */
    uint64_t spin_nanos;
  };
};

/* Applies its effect on memory. CUDA_ERROR_ILLEGAL_ADDRESS or _MISALIGNED_ADDRESS as on hardware. */
CUresult work_perform(const struct work *work);

#endif
