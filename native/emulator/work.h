/* One step of a stream, and what it does to memory. Single-threaded. */
#ifndef VRAMSCOPE_WORK_H
#define VRAMSCOPE_WORK_H

#include <stdbool.h>

#include "driver.h"

enum work_kind { WORK_EVENT, WORK_WAIT, WORK_COPY, WORK_SET, WORK_FILL, WORK_VERIFY, WORK_SPIN };

/* One end of a copy. */
struct place {
  uint64_t address;
  bool is_device;
};

struct work {
  enum work_kind kind;
  bool performed; /* its memory effects are done, though it may not count as completed yet */
  uint64_t sequence;      /* over all streams, in order of enqueueing */
  uint64_t enqueued_at;   /* nanoseconds */
  union {
    uint64_t event; /* WORK_EVENT: its handle */
    struct {
      uint64_t event, stream, sequence;
    } wait; /* WORK_WAIT: for that point of that stream; the event tells its time if it still can */
    struct {
      struct place to, from;
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

/* Does its memory effects. CUDA_ERROR_ILLEGAL_ADDRESS or _MISALIGNED_ADDRESS as the hardware would. */
CUresult work_perform(const struct work *work);

#endif
