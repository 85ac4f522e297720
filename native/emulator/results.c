/* The names and texts of results. These calls do not use the device, so they work when it is lost. */
#include "driver.h"

struct result {
  CUresult number;
  const char *name, *text;
};

static const struct result results[] = {
#define RESULT(name, number, text) {name, #name, text},
#include "results.def"
#undef RESULT
};

static const struct result *find(CUresult number) {
  for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
    if (results[i].number == number) {
      return &results[i];
    }
  }
  return NULL;
}

DRIVER_EXPORT CUresult cuGetErrorName(CUresult number, const char **name) {
  if (name == NULL) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  const struct result *result = find(number);
  *name = result == NULL ? NULL : result->name;
  return result == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

DRIVER_EXPORT CUresult cuGetErrorString(CUresult number, const char **text) {
  if (text == NULL) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  const struct result *result = find(number);
  *text = result == NULL ? NULL : result->text;
  return result == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}
