// A kernel that keeps a stream busy for a given time.

namespace {

// In nanoseconds; updated about once per microsecond on most devices.
__device__ unsigned long long now_nanos() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

}  // namespace

extern "C" __global__ void vramscope_spin(unsigned long long nanoseconds) {
  if (blockIdx.x != 0 || threadIdx.x != 0) {
    return;
  }
  for (unsigned long long start = now_nanos(); now_nanos() - start < nanoseconds;) {
  }
}
