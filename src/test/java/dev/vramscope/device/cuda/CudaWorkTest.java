package dev.vramscope.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.vramscope.device.CheckResult;
import dev.vramscope.device.DeviceWork;
import dev.vramscope.device.Pattern;
import dev.vramscope.device.PendingCheck;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Fills and checks, with kernels and with driver calls only; the emulated device has real memory.
 */
class CudaWorkTest {
  private static final long MIB = 1L << 20;
  private static final int NOT_FOUND = 500;

  private CudaEmulator emulator;
  private CudaDevice device;

  @BeforeEach
  void open() {
    emulator = CudaEmulator.ofBytes(100 * MIB);
    device = emulator.open();
  }

  @AfterEach
  void close() {
    if (device != null) {
      device.close();
    }
  }

  private DeviceWork withoutKernels() {
    emulator.fail("cuModuleGetFunction", 1, NOT_FOUND);
    return assertInstanceOf(MemsetWork.class, device.work());
  }

  /** Emulated memory is mapped in this process. */
  @SuppressWarnings("restricted")
  private static MemorySegment at(long address, long bytes) {
    return MemorySegment.ofAddress(address).reinterpret(bytes);
  }

  @Test
  void kernelsWriteThePattern() {
    assertInstanceOf(KernelWork.class, device.work());
    long address = device.memory().allocate(MIB);
    device.work().fill(0, address, 20, 42);
    device.streams().synchronize(0);
    MemorySegment memory = at(address, 24);
    assertEquals(Pattern.word(42, 0), memory.get(ValueLayout.JAVA_LONG, 0));
    assertEquals(Pattern.word(42, 1), memory.get(ValueLayout.JAVA_LONG, 8));
    assertEquals((int) Pattern.word(42, 2), memory.get(ValueLayout.JAVA_INT, 16));
    assertEquals(0, memory.get(ValueLayout.JAVA_INT, 20), "nothing after the range");
  }

  @Test
  void checkMatchesFill() {
    assertCheckMatchesFill(device.work());
  }

  @Test
  void checkMatchesFillWithoutKernels() {
    assertCheckMatchesFill(withoutKernels());
  }

  private void assertCheckMatchesFill(DeviceWork work) {
    long address = device.memory().allocate(10 * MIB);
    for (long bytes : new long[] {0, 1, 4, 8, 512, 8192, 8196, 3 * MIB + 5}) {
      work.fill(0, address, bytes, bytes);
      assertEquals(CheckResult.MATCH, work.check(0, address, bytes, bytes).result());
    }
  }

  @Test
  void findsOverwrittenRange() {
    DeviceWork work = device.work();
    long address = device.memory().allocate(10 * MIB);
    work.fill(0, address, 4 * MIB, 1);
    work.fill(0, address + MIB, 800, 2);
    assertEquals(new CheckResult(100, MIB), work.check(0, address, 4 * MIB, 1).result());
    assertEquals(CheckResult.MATCH, work.check(0, address, MIB, 1).result());
  }

  @Test
  void findsOverlappingBlocksWithoutKernels() {
    DeviceWork work = withoutKernels();
    long address = device.memory().allocate(10 * MIB);
    work.fill(0, address, 4 * MIB, 1);
    work.fill(0, address + 4 * MIB - 16, MIB, 2);
    assertEquals(new CheckResult(2, 4 * MIB - 16), work.check(0, address, 4 * MIB, 1).result());
  }

  @Test
  void checkIsDoneWhenItsStreamReachesIt() {
    emulator.manual();
    int stream = device.streams().create();
    long address = device.memory().allocate(MIB);
    device.work().fill(stream, address, MIB, 7);
    PendingCheck check = device.work().check(stream, address, MIB, 7);
    assertFalse(check.isDone());
    emulator.advance(device, stream, 3);
    assertTrue(check.isDone());
    assertEquals(CheckResult.MATCH, check.result());
    assertEquals(CheckResult.MATCH, check.result());
    assertTrue(check.isDone());
  }

  @Test
  void streamWaitsForEventOfAnother() {
    emulator.manual();
    int writer = device.streams().create();
    int reader = device.streams().create();
    long address = device.memory().allocate(MIB);
    device.work().fill(writer, address, MIB, 7);
    PendingCheck early = device.work().check(reader, address, MIB, 7);
    emulator.advance(device, reader, 2);
    assertEquals(MIB / 8, early.result().mismatchedWords(), "nothing is written yet");
    device.work().await(reader, device.streams().recordEvent(writer));
    assertEquals(CheckResult.MATCH, device.work().check(reader, address, MIB, 7).result());
  }

  @Test
  void spinOccupiesItsStream() {
    emulator.manual();
    int stream = device.streams().create();
    device.work().spin(stream, 30_000_000);
    long event = device.streams().recordEvent(stream);
    assertFalse(device.streams().isDone(event));
    emulator.advance(device, stream, 1);
    assertFalse(device.streams().isDone(event), "only the kernel has run");
    emulator.advance(device, stream, 1);
    assertTrue(device.streams().isDone(event));
  }

  @Test
  void rejectsUnalignedRange() {
    assertThrows(IllegalArgumentException.class, () -> device.work().fill(0, 4, 8, 1));
    assertThrows(IllegalArgumentException.class, () -> device.work().check(0, 8, -1, 1));
  }

  @Test
  void buffersOfFinishedChecksAreReused() {
    long address = device.memory().allocate(MIB);
    for (int i = 0; i < 2000; i++) {
      device.work().fill(0, address, 64, i);
      assertEquals(CheckResult.MATCH, device.work().check(0, address, 64, i).result());
    }
    assertEquals(1, emulator.calls("cuMemHostAlloc"));
    assertEquals(1, emulator.calls("cuEventCreate"));
    assertEquals(2 * MIB, emulator.usedBytes(), "checks use no device memory");
  }
}
