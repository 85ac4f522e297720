#define _GNU_SOURCE
#include "host.h"

#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { WINDOW_BYTES = 1 << 16 };

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

void host_reset(void) {
  if (window != NULL) {
    munmap(window, WINDOW_BYTES);
  }
  if (window_file >= 0) {
    close(window_file);
  }
  window = NULL;
  window_file = -1;
}
