package dev.vramscope.device.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.vramscope.device.DeviceException;
import dev.vramscope.device.Streams;
import dev.vramscope.device.VirtualMemory;
import dev.vramscope.device.sim.SimDevice;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CudaDeviceTest {
  private static final long MIB = 1L << 20;

  private CudaEmulator emulator;
  private CudaDevice device;

  @BeforeEach
  void open() {
    emulator = CudaEmulator.ofBytes(100 * MIB).manual();
    device = emulator.open();
  }

  @AfterEach
  void close() {
    if (device != null) {
      device.close();
    }
  }

  @Test
  void allocatesAndFreesMemory() {
    long first = device.memory().allocate(1);
    long second = device.memory().allocate(3 * MIB);
    assertEquals(SimDevice.MEMORY_BASE, first);
    assertEquals(first + 2 * MIB, second);
    assertEquals(6 * MIB, emulator.usedBytes());
    assertEquals(100 * MIB, device.memory().totalBytes());
    assertEquals(94 * MIB, device.memory().freeBytes());
    device.memory().free(first);
    device.memory().free(second);
    assertEquals(0, emulator.usedBytes());
  }

  @Test
  void fullDeviceReturnsZero() {
    assertEquals(0, device.memory().allocate(101 * MIB));
    assertEquals(0, device.memory().allocate(1L << 62));
    assertNotEquals(0, device.memory().allocate(100 * MIB));
    assertEquals(0, device.virtualMemory().createPage(2 * MIB));
  }

  @Test
  void rejectsFreeOfUnallocatedAddress() {
    assertThrows(IllegalArgumentException.class, () -> device.memory().free(4711));
    long address = device.memory().allocate(MIB);
    device.memory().free(address);
    assertThrows(IllegalArgumentException.class, () -> device.memory().free(address));
  }

  @Test
  void failedCallIsReportedWithArgumentsAndError() {
    assertThat(assertThrows(DeviceException.class, () -> device.memory().allocate(0)))
        .hasMessageContaining("cuMemAlloc of 0 bytes returned CUDA_ERROR_INVALID_VALUE (1)");
    assertThat(
            assertThrows(DeviceException.class, () -> device.virtualMemory().createPage(3 * MIB)))
        .hasMessageContaining("cuMemCreate of 3145728 bytes returned CUDA_ERROR_INVALID_VALUE");
    assertThat(
            assertThrows(
                DeviceException.class, () -> device.virtualMemory().unmap(0x1234_0000L, 2 * MIB)))
        .hasMessageContaining("cuMemUnmap of 2097152 bytes at 0x12340000 returned CUDA_ERROR_");
  }

  @Test
  void mapsAndUnmapsPages() {
    VirtualMemory virtual = device.virtualMemory();
    assertEquals(2 * MIB, virtual.granularityBytes());
    long range = virtual.reserve(1L << 40);
    assertEquals(SimDevice.RESERVATION_BASE, range);
    assertEquals(0, emulator.usedBytes());
    long page = virtual.createPage(2 * MIB);
    virtual.map(range, 2 * MIB, page);
    virtual.setAccess(range, 2 * MIB);
    virtual.releasePage(page);
    assertEquals(2 * MIB, emulator.usedBytes(), "a mapped page keeps its memory");
    assertThat(
            assertThrows(
                DeviceException.class,
                () -> virtual.map(range, 2 * MIB, virtual.createPage(2 * MIB))))
        .hasMessageContaining("CUDA_ERROR_ALREADY_MAPPED");
    virtual.unmap(range, 2 * MIB);
    virtual.freeReservation(range, 1L << 40);
    assertEquals(range, virtual.reserve(5));
  }

  @Test
  void eventIsDoneWhenItsStreamReachesIt() {
    Streams streams = device.streams();
    int stream = streams.create();
    long first = streams.recordEvent(stream);
    long second = streams.recordEvent(stream);
    assertFalse(streams.isDone(first));
    emulator.advance(device, stream, 1);
    assertTrue(streams.isDone(first));
    assertFalse(streams.isDone(second));
    streams.synchronizeEvent(second);
    assertTrue(streams.isDone(second));
  }

  @Test
  void synchronizingOneStreamDoesNotAffectOthers() {
    Streams streams = device.streams();
    long first = streams.recordEvent(streams.create());
    long second = streams.recordEvent(streams.create());
    streams.synchronize(1);
    assertTrue(streams.isDone(first));
    assertFalse(streams.isDone(second));
    streams.synchronizeAll();
    assertTrue(streams.isDone(second));
  }

  @Test
  void driverEventsAreReusedAndFreedEventsRejected() {
    Streams streams = device.streams();
    long first = streams.recordEvent(Streams.DEFAULT);
    streams.freeEvent(first);
    long second = streams.recordEvent(Streams.DEFAULT);
    assertEquals(1, emulator.calls("cuEventCreate"));
    assertThrows(IllegalArgumentException.class, () -> streams.isDone(first));
    assertThrows(IllegalArgumentException.class, () -> streams.freeEvent(first));
    assertFalse(streams.isDone(second));
  }

  @Test
  void streamsAreNumberedFromOneAndUnknownOnesRejected() {
    assertEquals(1, device.streams().create());
    assertEquals(2, device.streams().create());
    assertThrows(IllegalArgumentException.class, () -> device.streams().recordEvent(3));
    assertThrows(IllegalArgumentException.class, () -> device.streams().recordEvent(-1));
  }

  @Test
  void allocatesAndFreesHostMemory() {
    long address = device.hostMemory().allocate(3 * MIB);
    assertNotEquals(0, address);
    device.hostMemory().free(address);
    assertThrows(IllegalArgumentException.class, () -> device.hostMemory().free(address));
  }

  @Test
  void closingFreesEverything() {
    device.memory().allocate(10 * MIB);
    device.hostMemory().allocate(MIB);
    VirtualMemory virtual = device.virtualMemory();
    long range = virtual.reserve(20 * MIB);
    virtual.map(range, 2 * MIB, virtual.createPage(2 * MIB));
    virtual.createPage(2 * MIB);
    device.streams().recordEvent(device.streams().create());
    try (CudaDevice other = emulator.open()) {
      device.close();
      assertEquals(0, emulator.usedBytes());
      assertNotEquals(0, other.memory().allocate(100 * MIB), "the GPU still works");
    }
    assertThrows(IllegalStateException.class, () -> device.memory().freeBytes());
    device.close();
  }
}
