package dev.vramscope.device.cuda;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.AllocatorContract;
import dev.vramscope.allocator.bfc.BfcAllocator;
import dev.vramscope.allocator.bfc.BfcOptions;
import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.allocator.caching.CachingAllocatorContract;
import dev.vramscope.allocator.caching.CachingOptions;
import dev.vramscope.allocator.direct.DirectAllocator;
import dev.vramscope.device.Device;
import dev.vramscope.device.MemorySubAllocator;
import org.junit.jupiter.api.Nested;

/** The allocator contract, on the emulated driver. */
class CudaContractTest {
  private static final long DEVICE_BYTES = 256L << 20;
  private static final int STREAMS = 4;

  private static Device newDevice() {
    CudaDevice device = CudaEmulator.ofBytes(DEVICE_BYTES).open();
    for (int i = 1; i < STREAMS; i++) {
      device.streams().create();
    }
    return device;
  }

  private static Allocator bfc(Device device, boolean growing) {
    BfcOptions options =
        BfcOptions.of("GPU_0_bfc", device.memory().totalBytes()).withGrowing(growing);
    return BfcAllocator.forReplay(options, new MemorySubAllocator(device.memory()));
  }

  @Nested
  class CachingInPlainSegments extends CachingAllocatorContract {
    @Override
    protected Device device() {
      return newDevice();
    }

    @Override
    protected Allocator allocator(Device device) {
      return new CachingAllocator(device, CachingOptions.of(""));
    }
  }

  @Nested
  class CachingInExpandableSegments extends CachingAllocatorContract {
    @Override
    protected Device device() {
      return newDevice();
    }

    @Override
    protected Allocator allocator(Device device) {
      return new CachingAllocator(device, CachingOptions.of("expandable_segments:True"));
    }
  }

  @Nested
  class BfcPreallocated extends AllocatorContract {
    @Override
    protected Device device() {
      return newDevice();
    }

    @Override
    protected Allocator allocator(Device device) {
      return bfc(device, false);
    }
  }

  @Nested
  class BfcGrowing extends AllocatorContract {
    @Override
    protected Device device() {
      return newDevice();
    }

    @Override
    protected Allocator allocator(Device device) {
      return bfc(device, true);
    }
  }

  @Nested
  class Direct extends AllocatorContract {
    @Override
    protected Device device() {
      return newDevice();
    }

    @Override
    protected Allocator allocator(Device device) {
      return new DirectAllocator(device);
    }
  }
}
