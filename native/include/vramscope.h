/*
 * The whole interface between vramscope and its C code, in two parts:
 *
 *   1. controls of the emulated driver  libcuda.so.1           (vramscope_emulator_...)
 *   2. the kernels of our device code   kernels/vramscope.cu   (VRAMSCOPE_KERNEL_...)
 *
 * Unless documented otherwise, functions return a CUresult number (0 = CUDA_SUCCESS,
 * 1 = CUDA_ERROR_INVALID_VALUE, ...). All functions are thread-safe. None of them terminates the process.
 */
#ifndef VRAMSCOPE_H
#define VRAMSCOPE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 1. The emulated driver -----------------------------------------------------------------------
 *
 * One device, ordinal 0, with a capacity that is allocated in multiples of a granularity. Memory is
 * real: an address that the driver returns is mapped in this process, lazily, so a device of 140 GiB
 * uses no host memory until it is written. cuInit reads the configuration from the environment:
 *
 *   VRAMSCOPE_EMULATOR_BYTES        capacity in bytes               default 17179869184 (16 GiB)
 *   VRAMSCOPE_EMULATOR_GRANULARITY  a power of two, at least 4096   default     2097152 (2 MiB)
 *   VRAMSCOPE_EMULATOR_EXTERNAL     bytes held by other processes   default           0
 *   VRAMSCOPE_EMULATOR_MANUAL       1: manual streams, see below    default           0
 *   VRAMSCOPE_EMULATOR_VERSION      result of cuDriverGetVersion    default       13000
 *   VRAMSCOPE_EMULATOR_PROCESSES    self:BYTES,PID:BYTES,...        default       empty
 *
 * With an invalid value cuInit returns CUDA_ERROR_INVALID_VALUE and prints the reason to stderr.
 */

/* Frees everything and returns to the state before cuInit, configured by the environment. */
int vramscope_emulator_reset(void);

/* Overrides the environment. CUDA_ERROR_ILLEGAL_STATE after cuInit: reset first. */
int vramscope_emulator_configure(uint64_t capacity_bytes, uint64_t granularity_bytes);

/* Sets the bytes held by other processes; also after cuInit. */
int vramscope_emulator_external(uint64_t bytes);

/* Physical bytes allocated by this process, rounded up to the granularity. */
uint64_t vramscope_emulator_used_bytes(void);

/* The lowest address of cuMemAlloc; that of cuMemAddressReserve is 2^44 higher.
 * 0x100000000000, but 0x110000000000 with the address sanitizer, whose shadow memory is there. */
uint64_t vramscope_emulator_base(void);

/* Makes streams run automatically (0, the default) or manually (1).
 * Automatic: work runs when it is enqueued; a spin kernel ends when its time has passed.
 * Manual: each copy, fill, kernel, event record and wait for an event is one step, executed by
 * vramscope_emulator_advance or by a synchronization; a spin takes no time.
 * Streams created without CU_STREAM_NON_BLOCKING and the null stream wait for each other, as on a real
 * device. cuMemFree waits for all streams; manual streams execute their work then, but no event
 * completes. */
int vramscope_emulator_manual(int manual);

/* Executes up to `steps` steps of a stream (a CUstream; null is the default stream). Stops early at a
 * wait that is not satisfied. Returns the number of executed steps, or -1 for an unknown stream. */
int64_t vramscope_emulator_advance(void *stream, uint64_t steps);

/* Makes the nth call from now (1 = the next) of a driver function, named without its version
 * ("cuMemAlloc"), return `result` without any effect. A null name counts the calls of all functions. A
 * result of 0 cancels a planned failure. If `lost`, the device is lost: from then on every call returns
 * `result`, until a reset. CUDA_ERROR_NOT_FOUND for a function that this driver does not have. */
int vramscope_emulator_fail(const char *function, uint64_t nth, int result, int lost);

/* Adds a delay to each call of a function (null: of every function). */
int vramscope_emulator_delay(const char *function, uint64_t micros);

/* The number of calls of a function (null: of all functions) since the reset, including failed ones. */
uint64_t vramscope_emulator_calls(const char *function);

/* The processes that NVML would report; pid 0 is this process. */
int vramscope_emulator_add_process(int64_t pid, uint64_t bytes);
int vramscope_emulator_clear_processes(void);

/* Copies up to `capacity` processes into the arrays and returns how many there are. */
int vramscope_emulator_processes(int64_t *pids, uint64_t *bytes, int capacity);

/* ---- 2. The kernels -------------------------------------------------------------------------------
 *
 * They work with any one-dimensional grid and block. All parameters are 64-bit unsigned integers.
 * The pattern: the 8-byte word i of a range is vramscope_pattern(seed, i), little-endian; if the length
 * is not a multiple of 8, the last bytes are the low bytes of their word. Ranges start at multiples of
 * 8.
 */
#define VRAMSCOPE_KERNEL_FILL "vramscope_fill"     /* (address, bytes, seed) */
#define VRAMSCOPE_KERNEL_VERIFY "vramscope_verify" /* (address, bytes, seed, result) */
#define VRAMSCOPE_KERNEL_SPIN "vramscope_spin"     /* (nanoseconds): keeps one thread busy for that time */

/* The result of vramscope_verify, in device memory or pinned host memory; zero before the launch. */
struct vramscope_verify_result {
  uint64_t mismatches;           /* words that differ */
  uint64_t first_bad_complement; /* ~(byte offset of the first such word), or 0 */
};

#ifdef __CUDACC__
__host__ __device__
#endif
static inline uint64_t vramscope_pattern(uint64_t seed, uint64_t word) {
  uint64_t mixed = seed + word; /* followed by the finalizer of SplitMix64, as in dev.vramscope.device.Pattern */
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
  return mixed ^ (mixed >> 31);
}

#ifdef __cplusplus
}
#endif
#endif
