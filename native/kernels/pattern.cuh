// Kernels that fill memory with a pattern and check it. Grid-stride loops, so that any launch covers
// any range. test/pattern_test.cpp runs this source on the CPU.
#include "../include/vramscope.h"

using word = unsigned long long;

namespace {

__device__ word first_index() { return blockIdx.x * static_cast<word>(blockDim.x) + threadIdx.x; }
__device__ word stride() { return gridDim.x * static_cast<word>(blockDim.x); }

// The number of bytes of a word within the range: 8, or fewer at its end.
__device__ unsigned int width(word bytes, word index) {
  word left = bytes - index * 8;
  return left < 8 ? static_cast<unsigned int>(left) : 8;
}

}  // namespace

extern "C" __global__ void vramscope_fill(word address, word bytes, word seed) {
  for (word index = first_index(); index * 8 < bytes; index += stride()) {
    word expected = vramscope_pattern(seed, index);
    if (width(bytes, index) == 8) {
      reinterpret_cast<word *>(address)[index] = expected;
      continue;
    }
    for (unsigned int i = 0; i < width(bytes, index); i++) {
      reinterpret_cast<unsigned char *>(address)[index * 8 + i] = static_cast<unsigned char>(expected >> (8 * i));
    }
  }
}

extern "C" __global__ void vramscope_verify(word address, word bytes, word seed, word result) {
  word mismatches = 0, first_bad_complement = 0;
  for (word index = first_index(); index * 8 < bytes; index += stride()) {
    word difference = vramscope_pattern(seed, index);
    if (width(bytes, index) == 8) {
      difference ^= reinterpret_cast<const volatile word *>(address)[index];
    } else {
      for (unsigned int i = 0; i < width(bytes, index); i++) {
        difference ^= static_cast<word>(reinterpret_cast<const volatile unsigned char *>(address)[index * 8 + i])
                      << (8 * i);
      }
      difference &= (1ull << (8 * width(bytes, index))) - 1;
    }
    if (difference != 0) {
      mismatches++;
      word complement = ~(index * 8);
      first_bad_complement = complement > first_bad_complement ? complement : first_bad_complement;
    }
  }
  if (mismatches != 0) {  // once per thread, not once per word
    auto *found = reinterpret_cast<word *>(result);
    atomicAdd(&found[0], mismatches);
    atomicMax(&found[1], first_bad_complement);
  }
}
