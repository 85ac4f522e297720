package dev.vramscope.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.vramscope.device.ProcessMemory;
import dev.vramscope.device.sim.TimedSimDevice;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DriverViewTest {
  private static final long MIB = 1L << 20;

  private final HostedAllocator hosted = new HostedOnSim().caching(1000 * MIB);

  @Test
  void unknownPartsHaveAReason() {
    hosted.allocator().allocate(MIB, 0);
    DriverView view = DriverView.of(hosted, 0, Optional.empty());
    assertEquals(1000 * MIB, view.totalBytes());
    assertEquals(2 * MIB, view.reservedBytes());
    assertEquals(998 * MIB, view.freeBytes());
    assertEquals(0, view.unexplainedBytes());
    for (DriverView.Part part :
        List.of(
            view.process(), view.outside(), view.context(), view.rest(), view.otherProcesses())) {
      assertThat(part.bytes()).isNull();
      assertThat(part.unknown()).contains("simulated");
    }
  }

  @Test
  void partsAddUpToTheTotal() {
    TimedSimDevice device = (TimedSimDevice) hosted.device();
    hosted.allocator().allocate(50 * MIB, 0);
    // This process: 50 reserved, 20 of another allocator, 300 context, 30 libraries.
    device.underlying().setExternalBytes((350 + 100) * MIB);
    device
        .underlying()
        .setProcesses(
            List.of(
                new ProcessMemory(ProcessMemory.SELF, 400 * MIB), new ProcessMemory(9, 97 * MIB)));
    DriverView view = DriverView.of(hosted, 20 * MIB, Optional.of(300 * MIB));
    assertEquals(50 * MIB, view.reservedBytes());
    assertEquals(330 * MIB, view.outside().bytes());
    assertEquals(300 * MIB, view.context().bytes());
    assertEquals(30 * MIB, view.rest().bytes());
    assertEquals(97 * MIB, view.otherProcesses().bytes());
    assertEquals(3 * MIB, view.unexplainedBytes());
  }

  @Test
  void unmeasuredContextIsUnknown() {
    TimedSimDevice device = (TimedSimDevice) hosted.device();
    device.underlying().setProcesses(List.of(new ProcessMemory(ProcessMemory.SELF, 400 * MIB)));
    DriverView view = DriverView.of(hosted, 0, Optional.empty());
    assertEquals(400 * MIB, view.outside().bytes());
    assertThat(view.context().bytes()).isNull();
    assertThat(view.rest().unknown()).contains("context");
  }

  @Test
  void inconsistentDriverValuesAreUnexplainedNotNegative() {
    TimedSimDevice device = (TimedSimDevice) hosted.device();
    hosted.allocator().allocate(50 * MIB, 0);
    device.underlying().setProcesses(List.of(new ProcessMemory(ProcessMemory.SELF, 40 * MIB)));
    DriverView view = DriverView.of(hosted, 0, Optional.of(30 * MIB));
    assertEquals(0, view.outside().bytes());
    assertEquals(0, view.rest().bytes());
    assertEquals(-30 * MIB, view.unexplainedBytes());
  }
}
