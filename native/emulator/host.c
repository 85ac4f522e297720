#define _GNU_SOURCE
#include "host.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "calls.h"
#include "physical.h"
#include "spans.h"
#include "streams.h"

static const uint32_t PINNED_REGISTERED = 1u << 31; /* the other bits of a span's flags are those passed by the caller */
enum { WINDOW_BYTES = 1 << 16, HOST_PAGE_BYTES = 4096 };

static struct spans pinned;

/* A small memory file that is also mapped, so that data written to the file appears in the window. */
static int window_file = -1;
static char *window;

static bool open_window(void) {
  if (window != NULL) {
    return true;
  }
  window_file = memfd_create("vramscope-window", MFD_CLOEXEC);
  if (window_file < 0 || ftruncate(window_file, WINDOW_BYTES) != 0) {
    return false;
  }
  void *mapped = mmap(NULL, WINDOW_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, window_file, 0);
  window = mapped == MAP_FAILED ? NULL : mapped;
  return window != NULL;
}

/* Raw system calls, because a sanitizer would report the bad addresses that are to be detected here. */
static bool kernel_copy(long call, const void *host, uint64_t bytes) {
  uint64_t done = 0;
  while (done < bytes) {
    long moved = syscall(call, window_file, (const char *)host + done, bytes - done, (off_t)done);
    if (moved <= 0) {
      return false;
    }
    done += (uint64_t)moved;
  }
  return true;
}

CUresult host_read(const void *from, void *to, uint64_t bytes) {
  if (!open_window()) {
    return CUDA_ERROR_OPERATING_SYSTEM;
  }
  for (uint64_t done = 0; done < bytes;) {
    uint64_t part = bytes - done < WINDOW_BYTES ? bytes - done : WINDOW_BYTES;
    if (!kernel_copy(SYS_pwrite64, (const void *)((uint64_t)from + done), part)) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    memcpy((char *)to + done, window, part);
    done += part;
  }
  return CUDA_SUCCESS;
}

CUresult host_write(void *to, const void *from, uint64_t bytes) {
  if (!open_window()) {
    return CUDA_ERROR_OPERATING_SYSTEM;
  }
  for (uint64_t done = 0; done < bytes;) {
    uint64_t part = bytes - done < WINDOW_BYTES ? bytes - done : WINDOW_BYTES;
    memcpy(window, (const char *)from + done, part);
    if (!kernel_copy(SYS_pread64, (void *)((uint64_t)to + done), part)) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    done += part;
  }
  return CUDA_SUCCESS;
}

CUresult host_read_text(const char *from, char *to, uint64_t capacity) {
  for (uint64_t done = 0; done < capacity;) {
    /* Only up to the end of the page: the string may end there, and the next page may not be mapped. */
    uint64_t part = HOST_PAGE_BYTES - ((uint64_t)from + done) % HOST_PAGE_BYTES;
    part = part < capacity - done ? part : capacity - done;
    CUresult result = host_read((const void *)((uint64_t)from + done), to + done, part);
    if (result != CUDA_SUCCESS) {
      return result;
    }
    if (memchr(to + done, '\0', part) != NULL) {
      return CUDA_SUCCESS;
    }
    done += part;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

bool host_is_pinned(uint64_t address, uint64_t bytes) { return spans_cover(&pinned, address, bytes, 0); }

static CUresult allocate(void **address, size_t bytes, unsigned int flags) {
  if (address == NULL || bytes == 0 || (flags & ~(unsigned)CU_MEMHOSTALLOC_FLAGS) != 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  size_t whole = (bytes + HOST_PAGE_BYTES - 1) & ~(size_t)(HOST_PAGE_BYTES - 1);
  void *memory = whole < bytes ? MAP_FAILED
                               : mmap(NULL, whole, PROT_READ | PROT_WRITE,
                                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  if (!spans_insert(&pinned, (struct span){.start = (uint64_t)memory, .bytes = whole, .flags = flags})) {
    munmap(memory, whole);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  *address = memory;
  return CUDA_SUCCESS;
}

/* The memory pinned at exactly this address by this kind of call, or null. */
static struct span *pinned_at(const void *address, uint32_t registered) {
  struct span *span = spans_at(&pinned, (uint64_t)address);
  bool found = span != NULL && span->start == (uint64_t)address && (span->flags & PINNED_REGISTERED) == registered;
  return found ? span : NULL;
}

static CUresult free_host(void *address) {
  if (pinned_at(address, 0) == NULL) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  CUresult result = streams_quiesce();
  if (result != CUDA_SUCCESS) {
    return result;
  }
  struct span *span = pinned_at(address, 0); /* again: other threads may have run during the wait */
  if (span == NULL) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  munmap(address, span->bytes);
  spans_remove(&pinned, span);
  return CUDA_SUCCESS;
}

static CUresult register_host(void *address, size_t bytes, unsigned int flags) {
  bool valid_flags = (flags & ~(unsigned)CU_MEMHOSTREGISTER_FLAGS) == 0;
  if (address == NULL || !valid_flags || !span_is_valid((uint64_t)address, bytes)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (spans_within(&pinned, (uint64_t)address, bytes) != NULL) {
    return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
  }
  struct span span = {.start = (uint64_t)address, .bytes = bytes, .flags = flags | PINNED_REGISTERED};
  return spans_insert(&pinned, span) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

static CUresult unregister_host(void *address) {
  if (pinned_at(address, PINNED_REGISTERED) == NULL) {
    return CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
  }
  CUresult result = streams_quiesce();
  struct span *span = pinned_at(address, PINNED_REGISTERED);
  if (result == CUDA_SUCCESS && span != NULL) {
    spans_remove(&pinned, span);
  }
  return result;
}

/* Unified addressing: the address is the same on host and device. */
static CUresult device_pointer(CUdeviceptr *device, void *host, unsigned int flags) {
  if (device == NULL || flags != 0 || !host_is_pinned((uint64_t)host, 1)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  *device = (CUdeviceptr)host;
  return CUDA_SUCCESS;
}

static CUresult host_flags(unsigned int *flags, void *host) {
  struct span *span = spans_at(&pinned, (uint64_t)host);
  if (flags == NULL || span == NULL) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  *flags = span->flags & ~PINNED_REGISTERED;
  return CUDA_SUCCESS;
}

void host_free_all(void) {
  for (size_t i = 0; i < pinned.count; i++) {
    struct span *span = &pinned.entries[i];
    if ((span->flags & PINNED_REGISTERED) == 0) {
      munmap((void *)span->start, span->bytes);
    }
  }
  spans_clear(&pinned);
}

void host_reset(void) {
  host_free_all();
  if (window != NULL) {
    munmap(window, WINDOW_BYTES);
  }
  if (window_file >= 0) {
    close(window_file);
  }
  window = NULL;
  window_file = -1;
}

DRIVER_EXPORT CUresult cuMemHostAlloc(void **address, size_t bytes, unsigned int flags) {
  DRIVER_CALL(NEEDS_CONTEXT, allocate(address, bytes, flags));
}

DRIVER_EXPORT CUresult cuMemAllocHost_v2(void **address, size_t bytes) {
  DRIVER_CALL(NEEDS_CONTEXT, allocate(address, bytes, 0));
}

DRIVER_EXPORT CUresult cuMemFreeHost(void *address) { DRIVER_CALL(NEEDS_CONTEXT, free_host(address)); }

DRIVER_EXPORT CUresult cuMemHostRegister_v2(void *address, size_t bytes, unsigned int flags) {
  DRIVER_CALL(NEEDS_CONTEXT, register_host(address, bytes, flags));
}

DRIVER_EXPORT CUresult cuMemHostUnregister(void *address) { DRIVER_CALL(NEEDS_CONTEXT, unregister_host(address)); }

DRIVER_EXPORT CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *device, void *host, unsigned int flags) {
  DRIVER_CALL(NEEDS_CONTEXT, device_pointer(device, host, flags));
}

DRIVER_EXPORT CUresult cuMemHostGetFlags(unsigned int *flags, void *host) {
  DRIVER_CALL(NEEDS_CONTEXT, host_flags(flags, host));
}
