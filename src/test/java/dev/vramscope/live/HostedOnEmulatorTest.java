package dev.vramscope.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.device.DeviceException;
import dev.vramscope.device.ProcessMemory;
import dev.vramscope.device.cuda.CudaEmulator;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Allocators hosted on {@code cuda:0} of the emulated driver. */
class HostedOnEmulatorTest {
  private static final long MIB = 1L << 20;
  private static final int ECC_UNCORRECTABLE = 214;
  private static final int INVALID_VALUE = 1;

  private CudaEmulator emulator;
  private HostedOnSim service;

  @BeforeEach
  void start() {
    emulator = CudaEmulator.ofBytes(200 * MIB);
    service = new HostedOnSim(Duration.ZERO, emulator.driver());
  }

  private HostedAllocator host(AllocatorKind kind, String settings) {
    return service
        .allocators()
        .create(HostedOnSim.request(kind, new DeviceChoice.Cuda(0), settings));
  }

  @ParameterizedTest
  @CsvSource({
    "CACHING,''",
    "CACHING,expandable_segments:True",
    "BFC,allow_retry_on_failure=0",
    "DIRECT,''"
  })
  void remainsUsableAfterOutOfMemoryAndReleasesAllMemory(AllocatorKind kind, String settings) {
    HostedAllocator hosted = host(kind, settings);
    hosted.clientBlocks().allocate(50 * MIB, 0, "weights");
    OutOfDeviceMemoryException failure =
        assertThrows(
            OutOfDeviceMemoryException.class,
            () -> hosted.clientBlocks().allocate(190 * MIB, 1, "forward"));
    assertInstanceOf(
        FailureSnapshot.Stored.class, hosted.incidentOf(failure).orElseThrow().snapshot());
    hosted.clientBlocks().allocate(50 * MIB, 1, "smaller");
    service.allocators().close(hosted.id());
    assertEquals(0, emulator.usedBytes());
  }

  @Test
  void allocatorsOnOneDeviceSeeEachOther() {
    HostedAllocator one = host(AllocatorKind.CACHING, "");
    HostedAllocator other = host(AllocatorKind.DIRECT, "");
    one.allocator().allocate(40 * MIB, 0);
    other.allocator().allocate(10 * MIB, 0);
    DriverView view = service.allocators().driverView(one);
    assertEquals(40 * MIB, view.reservedBytes());
    assertEquals(10 * MIB, view.otherAllocatorsBytes());
    assertEquals(150 * MIB, view.freeBytes());
    service.allocators().close(one.id());
    assertEquals(10 * MIB, emulator.usedBytes());
    service.allocators().close(other.id());
    assertEquals(0, emulator.usedBytes());
  }

  @Test
  void contextIsTheMemoryOfTheProcessBeforeTheFirstAllocation() {
    emulator.external(30 * MIB).process(ProcessMemory.SELF, 20 * MIB).process(4711, 10 * MIB);
    HostedAllocator hosted = host(AllocatorKind.CACHING, "");
    hosted.allocator().allocate(40 * MIB, 0);
    DriverView view = service.allocators().driverView(hosted);
    assertEquals(60 * MIB, view.process().bytes());
    assertEquals(20 * MIB, view.context().bytes());
    assertEquals(20 * MIB, view.outside().bytes());
    assertEquals(0, view.rest().bytes());
    assertEquals(10 * MIB, view.otherProcesses().bytes());
    assertEquals(0, view.unexplainedBytes());
    service.allocators().close(hosted.id());
  }

  @Test
  void missingProcessMemoryOfAGpuHasItsOwnReason() {
    HostedAllocator hosted = host(AllocatorKind.CACHING, "");
    DriverView view = service.allocators().driverView(hosted);
    assertThat(view.otherProcesses().unknown()).contains("the driver does not report");
    service.allocators().close(hosted.id());
  }

  @Test
  void lostDeviceIsReportedAndItsAllocatorCanBeClosed() {
    HostedAllocator hosted = host(AllocatorKind.CACHING, "");
    HostedAllocator simulated = service.caching(100 * MIB);
    hosted.allocator().allocate(MIB, 0);
    emulator.lose("cuMemAlloc", 1, ECC_UNCORRECTABLE);
    assertThrows(DeviceException.class, () -> hosted.allocator().allocate(50 * MIB, 0));

    HostedState.Lost lost = assertInstanceOf(HostedState.Lost.class, hosted.state());
    assertThat(lost.reason()).contains("cuMemAlloc");
    assertInstanceOf(FailureSnapshot.Stored.class, hosted.incidents().getFirst().snapshot());
    assertThrows(AllocatorGoneException.class, () -> hosted.allocator().allocate(MIB, 0));
    simulated.allocator().allocate(MIB, 0);
    service.allocators().close(hosted.id());
    assertThat(service.allocators().list()).containsExactly(simulated);
  }

  @Test
  void faultWithoutLossIsAnIncidentAndTheAllocatorRemainsUsable() {
    HostedAllocator hosted = host(AllocatorKind.CACHING, "");
    emulator.fail("cuMemAlloc", 1, INVALID_VALUE);
    assertThrows(DeviceException.class, () -> hosted.allocator().allocate(50 * MIB, 0));
    assertEquals(new HostedState.Open(), hosted.state());
    assertEquals(1, hosted.incidentCount());
    hosted.allocator().allocate(50 * MIB, 0);
    hosted.allocator().inspect().checkInvariants();
    service.allocators().close(hosted.id());
    assertEquals(0, emulator.usedBytes());
  }
}
