package dev.vramscope.allocator.bfc;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.AllocatorContract;
import dev.vramscope.device.Device;
import dev.vramscope.device.MemorySubAllocator;
import org.junit.jupiter.api.Nested;

/** The allocator contract for a preallocated, a growing, and a partitioned pool. */
class BfcAllocatorContractTest {
  private static BfcOptions options(long limit, boolean growing, boolean partitioned) {
    return BfcOptions.of("GPU_0_bfc", limit).withGrowing(growing).withPartitioned(partitioned);
  }

  private static Allocator allocator(Device device, boolean growing, boolean partitioned) {
    return BfcAllocator.forReplay(
        options(device.memory().totalBytes(), growing, partitioned),
        new MemorySubAllocator(device.memory()));
  }

  @Nested
  class Preallocated extends AllocatorContract {
    @Override
    protected Allocator allocator(Device device) {
      return BfcAllocatorContractTest.allocator(device, false, false);
    }
  }

  @Nested
  class Growing extends AllocatorContract {
    @Override
    protected Allocator allocator(Device device) {
      return BfcAllocatorContractTest.allocator(device, true, false);
    }
  }

  @Nested
  class Partitioned extends AllocatorContract {
    @Override
    protected Allocator allocator(Device device) {
      return BfcAllocatorContractTest.allocator(device, false, true);
    }
  }
}
