package dev.vramscope.allocator.direct;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.AllocatorContract;
import dev.vramscope.device.Device;
import dev.vramscope.device.sim.SimDevice;
import org.junit.jupiter.api.Test;

class DirectAllocatorTest extends AllocatorContract {
  @Override
  protected Allocator allocator(Device device) {
    return new DirectAllocator(device);
  }

  @Test
  void callsTheDriverForEveryRequest() {
    SimDevice device = SimDevice.ofBytes(1L << 30);
    DirectAllocator allocator = new DirectAllocator(device);
    for (int i = 0; i < 3; i++) {
      allocator.free(allocator.allocate(700, 0));
    }
    assertEquals(3, device.memory().allocateCount());
    assertEquals(3, device.memory().freeCount());
    assertEquals(0, device.usedBytes());
  }
}
