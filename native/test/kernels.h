/* Launches our kernels. */
#ifndef VRAMSCOPE_TEST_KERNELS_H
#define VRAMSCOPE_TEST_KERNELS_H

#include "driver_api.h"

static const char IMAGE[] =
    ".version 7.0\n.target sm_75\n"
    ".visible .entry vramscope_fill(\n)\n.visible .entry vramscope_verify(\n)\n.visible .entry vramscope_spin(\n)\n";

static inline CUfunction kernel(const char *name) {
  CUmodule module;
  CUfunction function = NULL;
  OK(cuModuleLoadData(&module, IMAGE));
  OK(cuModuleGetFunction(&function, module, name));
  return function;
}

static inline CUresult launch(CUfunction function, CUstream stream, uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
  void *parameters[] = {&a, &b, &c, &d};
  return cuLaunchKernel(function, 4, 1, 1, 256, 1, 1, 0, stream, parameters, NULL);
}

static inline void spin(CUstream stream, uint64_t nanos) {
  OK(launch(kernel(VRAMSCOPE_KERNEL_SPIN), stream, nanos, 0, 0, 0));
}

#endif
