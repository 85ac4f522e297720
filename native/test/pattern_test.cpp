// Runs the source of the kernels on the CPU: the threads of a small grid one after another.
#include <cstring>
#include <vector>

#include "check.h"

#define __device__
#define __global__
static struct { unsigned int x; } blockIdx, threadIdx, gridDim, blockDim;
static void atomicAdd(unsigned long long *to, unsigned long long value) { *to += value; }
static void atomicMax(unsigned long long *to, unsigned long long value) { *to = value > *to ? value : *to; }
#include "../kernels/pattern.cuh"

namespace {

template <typename Kernel>
void launch(unsigned int blocks, unsigned int threads, Kernel kernel) {
  gridDim.x = blocks;
  blockDim.x = threads;
  for (blockIdx.x = 0; blockIdx.x < blocks; blockIdx.x++) {
    for (threadIdx.x = 0; threadIdx.x < threads; threadIdx.x++) {
      kernel();
    }
  }
}

constexpr word GUARD = 16;  // bytes after the range that must not change

struct Range {
  explicit Range(word length) : bytes(length), words(length / 8 + 2 + GUARD / 8) {}

  unsigned char *data() { return reinterpret_cast<unsigned char *>(words.data()); }
  word address() { return reinterpret_cast<word>(words.data()); }

  void fill(word seed) {
    launch(3, 5, [&] { vramscope_fill(address(), bytes, seed); });
  }

  vramscope_verify_result verify(word seed) {
    vramscope_verify_result found = {0, 0};
    launch(2, 7, [&] { vramscope_verify(address(), bytes, seed, reinterpret_cast<word>(&found)); });
    return found;
  }

  word bytes;
  std::vector<word> words;
};

void every_length_fills_and_verifies_exactly() {
  for (word bytes = 0; bytes < 600; bytes++) {
    Range range(bytes);
    range.fill(bytes * 7);
    CHECK_EQUAL(range.verify(bytes * 7).mismatches, 0);
    for (word i = 0; i < bytes; i++) {
      CHECK_EQUAL(range.data()[i], static_cast<unsigned char>(vramscope_pattern(bytes * 7, i / 8) >> (8 * (i % 8))));
    }
    for (word i = bytes; i < bytes + GUARD; i++) {
      CHECK_EQUAL(range.data()[i], 0);
    }
  }
}

void each_wrong_byte_is_found() {
  const word bytes = 253;
  for (word wrong = 0; wrong < bytes; wrong++) {
    Range range(bytes);
    range.fill(1);
    range.data()[wrong] ^= 0x10;
    vramscope_verify_result found = range.verify(1);
    CHECK_EQUAL(found.mismatches, 1);
    CHECK_EQUAL(~found.first_bad_complement, wrong / 8 * 8);
  }
}

void first_of_many_wrong_words_is_reported() {
  Range range(1000);
  range.fill(1);
  std::memset(range.data() + 496, 0, 200);
  vramscope_verify_result found = range.verify(1);
  CHECK_EQUAL(found.mismatches, 25);
  CHECK_EQUAL(~found.first_bad_complement, 496);
}

}  // namespace

int main() {
  RUN(every_length_fills_and_verifies_exactly);
  RUN(each_wrong_byte_is_found);
  RUN(first_of_many_wrong_words_is_reported);
}
