package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.caching.blocks.TieBreak;
import dev.vramscope.device.Device;
import org.junit.jupiter.api.Nested;

/** The contract of allocators, with plain and with expandable segments. */
class CachingAllocatorContractTest {
  @Nested
  class WithPlainSegments extends CachingAllocatorContract {
    @Override
    protected Allocator allocator(Device device) {
      return new CachingAllocator(device, CachingOptions.of(""));
    }
  }

  @Nested
  class WithExpandableSegments extends CachingAllocatorContract {
    @Override
    protected Allocator allocator(Device device) {
      return new CachingAllocator(device, CachingOptions.of("expandable_segments:True"));
    }
  }

  @Nested
  class WithTieBreakByAddress extends CachingAllocatorContract {
    @Override
    protected Allocator allocator(Device device) {
      return new CachingAllocator(device, CachingOptions.of("").withTieBreak(TieBreak.ADDRESS));
    }
  }
}
