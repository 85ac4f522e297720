package dev.vramscope.replay;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.AllocatorContract;
import dev.vramscope.allocator.bfc.BfcAllocator;
import dev.vramscope.allocator.bfc.BfcOptions;
import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.allocator.caching.CachingOptions;
import dev.vramscope.allocator.direct.DirectAllocator;
import dev.vramscope.device.Device;
import dev.vramscope.device.MemorySubAllocator;
import dev.vramscope.device.cuda.CudaDevice;
import dev.vramscope.device.cuda.CudaDriver;
import dev.vramscope.device.cuda.CudaEmulator;
import dev.vramscope.device.sim.SimDevice;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;

/**
 * The contract on a card that another one shadows. Here the other one is of the emulated driver;
 * with {@code -Dvramscope.gpu.card=0}, as script/gpu-check says it, that GPU.
 */
class ShadowCardContractTest {
  private static final long CARD_BYTES = 256L << 20;

  /** A contract, and the cards that its tests stand on. */
  abstract static class OnCard extends AllocatorContract {
    private @Nullable CudaDevice card;
    private @Nullable ShadowCard shadow;

    @Override
    protected Device device() {
      String gpu = System.getProperty("vramscope.gpu.card");
      CudaDevice opened =
          gpu == null
              ? CudaEmulator.ofBytes(2 * CARD_BYTES).open()
              : CudaDriver.configured().open(Integer.parseInt(gpu));
      card = opened;
      ShadowCard made = new ShadowCard(SimDevice.ofBytes(CARD_BYTES), opened);
      shadow = made;
      return made;
    }

    @AfterEach
    void giveBack() {
      if (shadow != null && card != null) {
        shadow.close();
        card.close();
      }
    }
  }

  @Nested
  class CachingInPlainSegments extends OnCard {
    @Override
    protected Allocator allocator(Device device) {
      return new CachingAllocator(device, CachingOptions.of(""));
    }
  }

  @Nested
  class CachingInExpandableSegments extends OnCard {
    @Override
    protected Allocator allocator(Device device) {
      return new CachingAllocator(device, CachingOptions.of("expandable_segments:True"));
    }
  }

  @Nested
  class Bfc extends OnCard {
    @Override
    protected Allocator allocator(Device device) {
      return BfcAllocator.forReplay(
          new BfcOptions("GPU_0_bfc", CARD_BYTES, true, false, true, 0, false),
          new MemorySubAllocator(device.memory()));
    }
  }

  @Nested
  class Direct extends OnCard {
    @Override
    protected Allocator allocator(Device device) {
      return new DirectAllocator(device);
    }
  }
}
