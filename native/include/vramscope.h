/*
 * The whole interface between vramscope and its C code, in two parts:
 *
 *   1. controls of the emulated driver  libcuda.so.1           (vramscope_emulator_...)
 *   2. the kernels of our device code   kernels/vramscope.cu   (VRAMSCOPE_KERNEL_...)
 *
 * Results are numbers of the driver API (0 = CUDA_SUCCESS, 1 = CUDA_ERROR_INVALID_VALUE, ...) unless
 * said otherwise. Every function may be called from any thread. None of them ends the process.
 */
#ifndef VRAMSCOPE_H
#define VRAMSCOPE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 1. The emulated driver -----------------------------------------------------------------------
 *
 * One device, ordinal 0, of CAPACITY bytes, handed out in multiples of GRANULARITY. Memory is real: an
 * address that the driver answers is mapped in this process, lazily, so a card of 140 GiB costs nothing
 * until it is written. Before cuInit the environment decides:
 *
 *   VRAMSCOPE_EMULATOR_BYTES        capacity                        default 17179869184 (16 GiB)
 *   VRAMSCOPE_EMULATOR_GRANULARITY  a power of two from 4096 on     default     2097152 (2 MiB)
 *   VRAMSCOPE_EMULATOR_EXTERNAL     bytes held by other processes   default           0
 *   VRAMSCOPE_EMULATOR_MANUAL       1: streams wait to be told      default           0
 *   VRAMSCOPE_EMULATOR_VERSION      what cuDriverGetVersion answers default       13000
 *   VRAMSCOPE_EMULATOR_PROCESSES    self:BYTES,PID:BYTES,...        default       empty
 *
 * A value that cannot be read makes cuInit answer CUDA_ERROR_INVALID_VALUE and says why on stderr.
 */

/* Drops everything and goes back to before cuInit, with what the environment says. */
int vramscope_emulator_reset(void);

/* Sets the card. CUDA_ERROR_ILLEGAL_STATE after cuInit: reset first. */
int vramscope_emulator_configure(uint64_t capacity_bytes, uint64_t granularity_bytes);

/* Sets what other processes hold; also while running. */
int vramscope_emulator_external(uint64_t bytes);

/* Physical bytes handed out by this process, rounded to the granularity. */
uint64_t vramscope_emulator_used_bytes(void);

/* The lowest address of cuMemAlloc; that of cuMemAddressReserve lies 2^44 higher.
 * 0x100000000000, but 0x110000000000 in a build with address sanitizer, whose shadow lies there. */
uint64_t vramscope_emulator_base(void);

/* Streams run on their own (0, the default) or only when told (1).
 * On their own: work runs when it is enqueued, a spin kernel ends when its time has passed.
 * When told: each copy, fill, kernel, event record and wait for an event is one step, done when
 * vramscope_emulator_advance or a synchronization does it; a spin takes no time.
 * Streams that were not created CU_STREAM_NON_BLOCKING wait for the null stream and it for them, as on
 * a real card. cuMemFree waits for all streams; when told it performs their work, but completes nothing. */
int vramscope_emulator_manual(int manual);

/* Does up to `steps` steps of a stream (a CUstream; null is the default stream). Stops early at a wait
 * for something not yet done. Answers the number of steps done, or -1 for an unknown stream. */
int64_t vramscope_emulator_advance(void *stream, uint64_t steps);

/* Makes the nth call from now (1 = the next) of a driver function, named without its version ("cuMemAlloc"),
 * answer `result` without doing anything. A null name counts every driver call. A result of 0 takes the
 * plan back. If `lost`, the device is gone: from then on every call answers `result`, until a reset.
 * CUDA_ERROR_NOT_FOUND for a function that this driver does not have. */
int vramscope_emulator_fail(const char *function, uint64_t nth, int result, int lost);

/* Makes each call of a function (null: of every function) take that much longer. */
int vramscope_emulator_delay(const char *function, uint64_t micros);

/* Calls of a function since the reset, failed ones too; with a null name of all functions. */
uint64_t vramscope_emulator_calls(const char *function);

/* What NVML would tell about the processes on the card; pid 0 is this process. */
int vramscope_emulator_add_process(int64_t pid, uint64_t bytes);
int vramscope_emulator_clear_processes(void);

/* Copies up to `capacity` of them into the arrays and answers how many there are. */
int vramscope_emulator_processes(int64_t *pids, uint64_t *bytes, int capacity);

/* ---- 2. The kernels -------------------------------------------------------------------------------
 *
 * Any grid and block of one dimension does; the work is shared out. All parameters are 64-bit unsigned.
 * The pattern: the 8-byte word number i of a range is vramscope_pattern(seed, i), little-endian; the last
 * bytes of a range that is not a multiple of 8 long are the low bytes of their word. Ranges begin at
 * multiples of 8.
 */
#define VRAMSCOPE_KERNEL_FILL "vramscope_fill"     /* (address, bytes, seed) */
#define VRAMSCOPE_KERNEL_VERIFY "vramscope_verify" /* (address, bytes, seed, result) */
#define VRAMSCOPE_KERNEL_SPIN "vramscope_spin"     /* (nanoseconds): keeps one thread busy that long */

/* What vramscope_verify adds to, in device memory or pinned host memory. Zero it first. */
struct vramscope_verify_result {
  uint64_t mismatches;           /* words that differ */
  uint64_t first_bad_complement; /* ~(byte offset of the first such word), or 0 */
};

#ifdef __CUDACC__
__host__ __device__
#endif
static inline uint64_t vramscope_pattern(uint64_t seed, uint64_t word) {
  uint64_t mixed = seed + word; /* and then SplitMix64's finalizer; dev.vramscope.device.Pattern is the same */
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
  return mixed ^ (mixed >> 31);
}

#ifdef __cplusplus
}
#endif
#endif
