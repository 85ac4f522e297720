package dev.vramscope.replay;

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
import dev.vramscope.device.cuda.CudaDevice;
import dev.vramscope.device.cuda.CudaDriver;
import dev.vramscope.device.cuda.CudaEmulator;
import dev.vramscope.device.sim.SimDevice;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;

/**
 * The allocator contract on a shadowed device. The real device is one of the emulated driver; with
 * {@code -Dvramscope.gpu.device=0}, which script/gpu-check sets, it is that GPU.
 */
class ShadowDeviceContractTest {
  private static final long DEVICE_BYTES = 256L << 20;

  /** The contract with its devices. */
  abstract static class OnShadowDevice extends AllocatorContract {
    private @Nullable CudaDevice real;
    private @Nullable ShadowDevice shadow;

    @Override
    protected Device device() {
      String gpu = System.getProperty("vramscope.gpu.device");
      CudaDevice opened =
          gpu == null
              ? CudaEmulator.ofBytes(2 * DEVICE_BYTES).open()
              : CudaDriver.configured().open(Integer.parseInt(gpu));
      real = opened;
      ShadowDevice made = new ShadowDevice(SimDevice.ofBytes(DEVICE_BYTES), opened);
      shadow = made;
      return made;
    }

    @AfterEach
    void closeDevices() {
      if (shadow != null && real != null) {
        shadow.close();
        real.close();
      }
    }
  }

  /** The contract of the caching allocator, with its devices. */
  abstract static class CachingOnShadowDevice extends OnShadowDevice {
    @Override
    protected Set<String> additionalCallbacks() {
      return CachingAllocatorContract.CALLBACKS;
    }

    @Override
    protected void useAdditionalOperations(Allocator tested) {
      CachingAllocatorContract.annotateAndAllocateAt(tested);
    }
  }

  @Nested
  class CachingInPlainSegments extends CachingOnShadowDevice {
    @Override
    protected Allocator allocator(Device device) {
      return new CachingAllocator(device, CachingOptions.of(""));
    }
  }

  @Nested
  class CachingInExpandableSegments extends CachingOnShadowDevice {
    @Override
    protected Allocator allocator(Device device) {
      return new CachingAllocator(device, CachingOptions.of("expandable_segments:True"));
    }
  }

  @Nested
  class Bfc extends OnShadowDevice {
    @Override
    protected Allocator allocator(Device device) {
      return BfcAllocator.forReplay(
          BfcOptions.of("GPU_0_bfc", DEVICE_BYTES).withGrowing(true),
          new MemorySubAllocator(device.memory()));
    }
  }

  @Nested
  class Direct extends OnShadowDevice {
    @Override
    protected Allocator allocator(Device device) {
      return new DirectAllocator(device);
    }
  }
}
