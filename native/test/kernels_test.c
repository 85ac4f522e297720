/* Our kernels in the emulator. */
#include "kernels.h"

static struct vramscope_verify_result verified(CUdeviceptr address, uint64_t bytes, uint64_t seed) {
  struct vramscope_verify_result found = {0};
  CUdeviceptr result = allocated(2 * MIB);
  OK(cuMemsetD8_v2(result, 0, sizeof found));
  OK(launch(kernel(VRAMSCOPE_KERNEL_VERIFY), NULL, address, bytes, seed, result));
  OK(cuMemcpyDtoH_v2(&found, result, sizeof found));
  OK(cuMemFree_v2(result));
  return found;
}

static void fill(CUdeviceptr address, uint64_t bytes, uint64_t seed) {
  OK(launch(kernel(VRAMSCOPE_KERNEL_FILL), NULL, address, bytes, seed, 0));
}

static void filled_range_verifies(void) {
  fresh_device(64 * MIB);
  CUdeviceptr block = allocated(8 * MIB);
  fill(block, 8 * MIB, 42);
  CHECK_EQUAL(verified(block, 8 * MIB, 42).mismatches, 0);
  CHECK_EQUAL(verified(block, 8 * MIB, 43).mismatches, MIB);
  CHECK_EQUAL(verified(block, 8 * MIB, 43).first_bad_complement, UINT64_MAX);
}

static void first_mismatch_is_reported(void) {
  fresh_device(64 * MIB);
  CUdeviceptr block = allocated(8 * MIB);
  fill(block, 8 * MIB, 42);
  OK(cuMemsetD8_v2(block + 300003, (unsigned char)~vramscope_pattern(42, 300003 / 8), 100));
  struct vramscope_verify_result found = verified(block, 8 * MIB, 42);
  CHECK(found.mismatches >= 12 && found.mismatches <= 14);
  uint64_t first = ~found.first_bad_complement;
  CHECK(first >= 300000 && first <= 300008);
}

static void partial_last_word_is_part_of_the_range(void) {
  fresh_device(64 * MIB);
  CUdeviceptr block = allocated(2 * MIB);
  fill(block, 13, 7);
  CHECK_EQUAL(*(volatile uint64_t *)block, vramscope_pattern(7, 0));
  CHECK_EQUAL(*(volatile uint64_t *)(block + 8), vramscope_pattern(7, 1) & 0xffffffffff);
  CHECK_EQUAL(verified(block, 13, 7).mismatches, 0);
  OK(cuMemsetD8_v2(block + 13, 1, 1));
  CHECK_EQUAL(verified(block, 13, 7).mismatches, 0);
  OK(cuMemsetD8_v2(block + 12, (unsigned char)~(vramscope_pattern(7, 1) >> 32), 1));
  CHECK_EQUAL(verified(block, 13, 7).mismatches, 1);
}

/* The first two results of the generator with seed 0, which adds a constant before each. */
static void pattern_is_the_finalizer_of_splitmix64(void) {
  CHECK_EQUAL(vramscope_pattern(0x9e3779b97f4a7c15, 0), 0xe220a8397b1dcdaf);
  CHECK_EQUAL(vramscope_pattern(0x3c6ef372fe94f829, 1), 0x6e789e6aa1b965f4);
}

static void out_of_bounds_access_is_a_sticky_error(void) {
  fresh_device(64 * MIB);
  CUdeviceptr block = allocated(2 * MIB);
  CUfunction function = kernel(VRAMSCOPE_KERNEL_FILL);
  CHECK_EQUAL(launch(function, NULL, block, 2 * MIB + 8, 1, 0), CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK_EQUAL(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
}

static void misaligned_access_is_a_sticky_error(void) {
  fresh_device(64 * MIB);
  CUdeviceptr block = allocated(2 * MIB);
  CHECK_EQUAL(launch(kernel(VRAMSCOPE_KERNEL_FILL), NULL, block + 4, 8, 1, 0), CUDA_ERROR_MISALIGNED_ADDRESS);
}

static void only_our_kernels_in_ptx_are_found(void) {
  fresh_device(64 * MIB);
  CUmodule module;
  CUfunction function;
  OK(cuModuleLoadData(&module, ".version 7.0\n.visible .entry vramscope_filling(\n)\n.entry\tvramscope_spin()"));
  CHECK_EQUAL(cuModuleGetFunction(&function, module, "vramscope_fill"), CUDA_ERROR_NOT_FOUND);
  CHECK_EQUAL(cuModuleGetFunction(&function, module, "other"), CUDA_ERROR_NOT_FOUND);
  OK(cuModuleGetFunction(&function, module, "vramscope_spin"));
  OK(cuModuleUnload(module));
  CHECK_EQUAL(cuModuleUnload(module), CUDA_ERROR_INVALID_HANDLE);
  CHECK_EQUAL(launch(function, NULL, 0, 0, 0, 0), CUDA_ERROR_INVALID_HANDLE);
  CHECK_EQUAL(cuModuleLoadData(&module, "\x7f"
                                        "ELF"),
              CUDA_ERROR_INVALID_IMAGE);
  CHECK_EQUAL(cuModuleLoadData(&module, NULL), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuModuleLoadData(&module, (void *)0x1000), CUDA_ERROR_INVALID_VALUE);
}

static void packaged_ptx_has_all_kernels(void) {
  fresh_device(64 * MIB);
  static char image[1 << 16];
  FILE *file = fopen(PTX, "r");
  CHECK(file != NULL);
  CHECK(fread(image, 1, sizeof image - 1, file) > 0);
  fclose(file);
  CUmodule module;
  CUfunction function;
  OK(cuModuleLoadData(&module, image));
  OK(cuModuleGetFunction(&function, module, VRAMSCOPE_KERNEL_FILL));
  OK(cuModuleGetFunction(&function, module, VRAMSCOPE_KERNEL_VERIFY));
  OK(cuModuleGetFunction(&function, module, VRAMSCOPE_KERNEL_SPIN));
}

static void invalid_launches_are_rejected(void) {
  fresh_device(64 * MIB);
  CUfunction function = kernel(VRAMSCOPE_KERNEL_SPIN);
  uint64_t nanos = 1;
  void *valid[] = {&nanos}, *invalid[] = {(void *)0x1000};
  CHECK_EQUAL(cuLaunchKernel(function, 0, 1, 1, 1, 1, 1, 0, NULL, valid, NULL), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuLaunchKernel(function, 1, 1, 1, 1024, 2, 1, 0, NULL, valid, NULL), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, invalid, NULL), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, (CUstream)5, valid, NULL), CUDA_ERROR_INVALID_HANDLE);
  OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, valid, NULL));
}

int main(void) {
  RUN(filled_range_verifies);
  RUN(first_mismatch_is_reported);
  RUN(partial_last_word_is_part_of_the_range);
  RUN(pattern_is_the_finalizer_of_splitmix64);
  RUN(out_of_bounds_access_is_a_sticky_error);
  RUN(misaligned_access_is_a_sticky_error);
  RUN(only_our_kernels_in_ptx_are_found);
  RUN(packaged_ptx_has_all_kernels);
  RUN(invalid_launches_are_rejected);
  OK(vramscope_emulator_reset());
}
