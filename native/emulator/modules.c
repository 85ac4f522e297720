#define _GNU_SOURCE
#include "modules.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../include/vramscope.h"
#include "calls.h"
#include "handles.h"
#include "host.h"
#include "streams.h"

enum { MAX_IMAGE_BYTES = 1 << 20, MAX_NAME = 256, MAX_PARAMETERS = 4, MAX_BLOCK_THREADS = 1024 };

/* The work that a launch of a kernel enqueues, and its number of parameters. */
struct kernel {
  const char *name;
  size_t parameter_count;
  enum work_kind work;
};

static const struct kernel kernels[] = {
    {VRAMSCOPE_KERNEL_FILL, 3, WORK_FILL},
    {VRAMSCOPE_KERNEL_VERIFY, 4, WORK_VERIFY},
    {VRAMSCOPE_KERNEL_SPIN, 1, WORK_SPIN},
};
enum { KERNEL_COUNT = sizeof kernels / sizeof *kernels };

struct module {
  uint64_t functions[KERNEL_COUNT]; /* a function's handle, or 0 if the image does not have the kernel */
};

struct function {
  const struct kernel *kernel;
};

/* Whether the PTX contains ".entry NAME". */
static bool has_entry(const char *image, const char *name) {
  for (const char *entry = image; (entry = strstr(entry, ".entry")) != NULL;) {
    entry += strlen(".entry");
    entry += strspn(entry, " \t\r\n");
    size_t length = strlen(name);
    if (strncmp(entry, name, length) == 0 && !isalnum((unsigned char)entry[length]) && entry[length] != '_') {
      return true;
    }
  }
  return false;
}

static void close_module(uint64_t handle) {
  struct module *module = handle_object(HANDLE_MODULE, handle);
  for (size_t i = 0; i < KERNEL_COUNT; i++) {
    handle_close(HANDLE_FUNCTION, module->functions[i]);
  }
  handle_close(HANDLE_MODULE, handle);
}

static CUresult open_module(const char *image, uint64_t *handle) {
  struct module *module = calloc(1, sizeof *module);
  *handle = module == NULL ? 0 : handle_open(HANDLE_MODULE, module);
  if (*handle == 0) {
    free(module);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  for (size_t i = 0; i < KERNEL_COUNT; i++) {
    if (!has_entry(image, kernels[i].name)) {
      continue;
    }
    struct function *function = malloc(sizeof *function);
    module->functions[i] = function == NULL ? 0 : handle_open(HANDLE_FUNCTION, function);
    if (module->functions[i] == 0) {
      free(function);
      close_module(*handle);
      return CUDA_ERROR_OUT_OF_MEMORY;
    }
    function->kernel = &kernels[i];
  }
  return CUDA_SUCCESS;
}

/* Accepts only PTX: the emulator looks for names and compiles nothing. */
static CUresult load(CUmodule *module, const void *image) {
  if (module == NULL || image == NULL) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  char *text = malloc(MAX_IMAGE_BYTES);
  if (text == NULL) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  uint64_t handle = 0;
  CUresult result = host_read_text(image, text, MAX_IMAGE_BYTES);
  if (result == CUDA_SUCCESS) {
    result = strstr(text, ".version") == NULL ? CUDA_ERROR_INVALID_IMAGE : open_module(text, &handle);
  }
  free(text);
  if (result == CUDA_SUCCESS) {
    *module = (CUmodule)handle;
  }
  return result;
}

static CUresult unload(CUmodule module) {
  if (handle_object(HANDLE_MODULE, (uint64_t)module) == NULL) {
    return CUDA_ERROR_INVALID_HANDLE;
  }
  close_module((uint64_t)module);
  return CUDA_SUCCESS;
}

static CUresult get_function(CUfunction *function, CUmodule module_handle, const char *name) {
  struct module *module = handle_object(HANDLE_MODULE, (uint64_t)module_handle);
  if (module == NULL) {
    return CUDA_ERROR_INVALID_HANDLE;
  }
  char text[MAX_NAME];
  if (function == NULL || name == NULL || host_read_text(name, text, sizeof text) != CUDA_SUCCESS) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  for (size_t i = 0; i < KERNEL_COUNT; i++) {
    if (module->functions[i] != 0 && strcmp(kernels[i].name, text) == 0) {
      *function = (CUfunction)module->functions[i];
      return CUDA_SUCCESS;
    }
  }
  return CUDA_ERROR_NOT_FOUND;
}

/* As in the driver, parameters are read at the launch: the caller may reuse their memory after it. */
static CUresult read_parameters(void **addresses, size_t count, uint64_t *parameters) {
  void *read[MAX_PARAMETERS];
  CUresult result =
      addresses == NULL ? CUDA_ERROR_INVALID_VALUE : host_read(addresses, read, count * sizeof *read);
  for (size_t i = 0; i < count && result == CUDA_SUCCESS; i++) {
    result = host_read(read[i], &parameters[i], sizeof *parameters);
  }
  return result;
}

static struct work work_of(const struct kernel *kernel, const uint64_t *parameters) {
  struct work work = {.kind = kernel->work};
  if (kernel->work == WORK_SPIN) {
    work.spin_nanos = parameters[0];
  } else {
    work.pattern.address = parameters[0];
    work.pattern.bytes = parameters[1];
    work.pattern.seed = parameters[2];
    work.pattern.result = kernel->work == WORK_VERIFY ? parameters[3] : 0;
  }
  return work;
}

struct launch {
  CUfunction function;
  unsigned int grid[3], block[3];
  CUstream stream;
  void **parameters, **extra;
};

static CUresult launch(const struct launch *launch) {
  struct function *function = handle_object(HANDLE_FUNCTION, (uint64_t)launch->function);
  struct stream *stream = stream_of(launch->stream);
  if (function == NULL || stream == NULL) {
    return CUDA_ERROR_INVALID_HANDLE;
  }
  uint64_t threads = 1;
  for (int i = 0; i < 3; i++) {
    if (launch->grid[i] == 0 || launch->block[i] == 0 || launch->block[i] > MAX_BLOCK_THREADS) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    threads *= launch->block[i];
  }
  if (threads > MAX_BLOCK_THREADS) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (launch->extra != NULL) {
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  uint64_t parameters[MAX_PARAMETERS];
  CUresult result = read_parameters(launch->parameters, function->kernel->parameter_count, parameters);
  if (result != CUDA_SUCCESS) {
    return result;
  }
  struct point ignored;
  result = stream_enqueue(stream, work_of(function->kernel, parameters), &ignored);
  return result == CUDA_SUCCESS ? calls_error() : result;
}

void modules_close_all(void) {
  handles_close_all(HANDLE_FUNCTION);
  handles_close_all(HANDLE_MODULE);
}

DRIVER_EXPORT CUresult cuModuleLoadData(CUmodule *module, const void *image) {
  DRIVER_CALL(NEEDS_CONTEXT, load(module, image));
}

DRIVER_EXPORT CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int option_count,
                                          const int *options, void **values) {
  (void)option_count; /* options of the JIT compiler, which the emulator does not have */
  (void)options;
  (void)values;
  DRIVER_CALL(NEEDS_CONTEXT, load(module, image));
}

DRIVER_EXPORT CUresult cuModuleUnload(CUmodule module) { DRIVER_CALL(NEEDS_CONTEXT, unload(module)); }

DRIVER_EXPORT CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
  DRIVER_CALL(NEEDS_CONTEXT, get_function(function, module, name));
}

DRIVER_EXPORT CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                                      unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                      unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                                      void **parameters, void **extra) {
  (void)shared_bytes; /* our kernels use none */
  const struct launch call = {
      function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, stream, parameters, extra};
  DRIVER_CALL(NEEDS_CONTEXT, launch(&call));
}
