#define _GNU_SOURCE
#include "calls.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "contexts.h"

enum { BUCKETS = 512, MAX_NAME = 80, MAX_SLEEP_NANOS = 5000000 };

/* The call count of one function, and its planned failure and delay. */
struct call {
  struct call *next; /* in its bucket */
  uint64_t count;
  uint64_t fail_in; /* 1: the next call fails, 0: no planned failure */
  CUresult fail_with;
  bool fail_lost;
  uint64_t delay_micros;
  char name[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct call *buckets[BUCKETS];
static struct call *all; /* counts all calls, and has the plans for "every function" */
static CUresult loss_error, sticky_error;

void calls_lock(void) { pthread_mutex_lock(&lock); }
void calls_unlock(void) { pthread_mutex_unlock(&lock); }

uint64_t now_nanos(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void sleep_nanos(uint64_t nanos) {
  struct timespec left = {.tv_sec = (time_t)(nanos / 1000000000u), .tv_nsec = (long)(nanos % 1000000000u)};
  while (clock_nanosleep(CLOCK_MONOTONIC, 0, &left, &left) != 0) {
  }
}

void calls_wait_until(uint64_t deadline) {
  calls_unlock();
  uint64_t now = now_nanos();
  uint64_t left = deadline > now ? deadline - now : 1;
  sleep_nanos(left < MAX_SLEEP_NANOS ? left : MAX_SLEEP_NANOS);
  calls_lock();
}

/* The name without its version: "cuMemAlloc" for "cuMemAlloc_v2". */
static size_t unversioned_length(const char *name) {
  size_t length = strnlen(name, MAX_NAME);
  bool versioned = length > 3 && name[length - 3] == '_' && name[length - 2] == 'v';
  return versioned ? length - 3 : length;
}

static struct call *call_named(const char *function) {
  size_t length = unversioned_length(function);
  size_t bucket = 5381;
  for (size_t i = 0; i < length; i++) {
    bucket = bucket * 33 + (unsigned char)function[i];
  }
  bucket %= BUCKETS;
  for (struct call *call = buckets[bucket]; call != NULL; call = call->next) {
    if (strncmp(call->name, function, length) == 0 && call->name[length] == '\0') {
      return call;
    }
  }
  struct call *call = calloc(1, sizeof *call + length + 1);
  if (call != NULL) {
    memcpy(call->name, function, length);
    call->next = buckets[bucket];
    buckets[bucket] = call;
  }
  return call;
}

static struct call *call_all(void) {
  if (all == NULL) {
    all = call_named("*");
  }
  return all;
}

/* The record of a function that this library exports, or null. A null name means all of them. */
static struct call *call_exported(const char *function) {
  if (function == NULL) {
    return call_all();
  }
  Dl_info self;
  if (strnlen(function, MAX_NAME) == MAX_NAME || dladdr((void *)calls_reset, &self) == 0) {
    return NULL;
  }
  void *library = dlopen(self.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (library == NULL) {
    return NULL;
  }
  bool exported = false;
  static const char *const versions[] = {"", "_v2", "_v3"};
  for (size_t i = 0; i < sizeof versions / sizeof *versions && !exported; i++) {
    char name[MAX_NAME + 4];
    snprintf(name, sizeof name, "%.*s%s", (int)unversioned_length(function), function, versions[i]);
    exported = strncmp(name, "cu", 2) == 0 && dlsym(library, name) != NULL;
  }
  dlclose(library);
  return exported ? call_named(function) : NULL;
}

/* Counts a call and returns the failure planned for it, if it is the one to fail. */
static CUresult count(struct call *call) {
  call->count++;
  if (call->fail_in == 0 || --call->fail_in > 0) {
    return CUDA_SUCCESS;
  }
  if (call->fail_lost) {
    loss_error = call->fail_with;
  }
  return call->fail_with;
}

CUresult call_begin(struct call **slot, const char *function, enum call_needs needs) {
  calls_lock();
  if (*slot == NULL) {
    *slot = call_named(function);
  }
  if (*slot == NULL || call_all() == NULL) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  uint64_t delay_micros = (*slot)->delay_micros + all->delay_micros;
  if (delay_micros > 0) {
    calls_unlock();
    sleep_nanos(delay_micros * 1000);
    calls_lock();
  }
  CUresult planned_for_all = count(all);
  CUresult planned = count(*slot);
  if (loss_error != CUDA_SUCCESS) {
    return loss_error;
  }
  if (planned == CUDA_SUCCESS) {
    planned = planned_for_all;
  }
  if (planned != CUDA_SUCCESS) {
    return planned;
  }
  if (needs >= NEEDS_INIT && !contexts_are_initialized()) {
    return CUDA_ERROR_NOT_INITIALIZED;
  }
  if (needs >= NEEDS_CONTEXT) {
    CUresult current = contexts_check_current();
    return current == CUDA_SUCCESS ? sticky_error : current;
  }
  return CUDA_SUCCESS;
}

void call_end(void) { calls_unlock(); }

CUresult call_unsupported(const char *function) {
  struct call *call = NULL;
  CUresult result = call_begin(&call, function, NEEDS_NOTHING);
  call_end();
  return result == CUDA_SUCCESS ? CUDA_ERROR_NOT_SUPPORTED : result;
}

CUresult calls_error(void) { return loss_error != CUDA_SUCCESS ? loss_error : sticky_error; }

void calls_set_sticky_error(CUresult result) {
  if (sticky_error == CUDA_SUCCESS) {
    sticky_error = result;
  }
}

void calls_clear_sticky_error(void) { sticky_error = CUDA_SUCCESS; }

CUresult calls_plan_failure(const char *function, uint64_t nth, CUresult result, bool lost) {
  struct call *call = call_exported(function);
  if (call == NULL) {
    return CUDA_ERROR_NOT_FOUND;
  }
  call->fail_in = result == CUDA_SUCCESS ? 0 : nth;
  call->fail_with = result;
  call->fail_lost = lost;
  return CUDA_SUCCESS;
}

CUresult calls_set_delay(const char *function, uint64_t micros) {
  struct call *call = call_exported(function);
  if (call == NULL) {
    return CUDA_ERROR_NOT_FOUND;
  }
  call->delay_micros = micros;
  return CUDA_SUCCESS;
}

uint64_t calls_counted(const char *function) {
  struct call *call = call_exported(function);
  return call == NULL ? 0 : call->count;
}

/* The records are kept, because each exported function holds a pointer to its own. */
void calls_reset(void) {
  for (size_t i = 0; i < BUCKETS; i++) {
    for (struct call *call = buckets[i]; call != NULL; call = call->next) {
      call->count = 0;
      call->fail_in = 0;
      call->delay_micros = 0;
    }
  }
  loss_error = CUDA_SUCCESS;
  sticky_error = CUDA_SUCCESS;
}
