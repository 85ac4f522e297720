package dev.vramscope.device.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.vramscope.device.CheckResult;
import dev.vramscope.device.DeviceWork;
import dev.vramscope.device.PendingCheck;
import dev.vramscope.device.Streams;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TimedSimDeviceTest {
  private static final long MIB = 1L << 20;

  private static final long LONG_NANOS = 200_000_000;

  /** Advances only while a thread waits for a stream. */
  private final AtomicLong nanos = new AtomicLong();

  private final TimedSimDevice device =
      new TimedSimDevice(
          SimDevice.ofBytes(100 * MIB), new TimedStreams(nanos::get, nanos::addAndGet));
  private final DeviceWork work = device.work();
  private final Streams streams = device.streams();
  private final int one = streams.create();
  private final int two = streams.create();
  private final long address = device.memory().allocate(2 * MIB);

  @Test
  void streamIsBusyForTheDurationOfItsWork() {
    work.spin(one, LONG_NANOS);
    long event = streams.recordEvent(one);
    assertFalse(streams.isDone(event));
    assertTrue(streams.isDone(streams.recordEvent(two)), "the other stream is idle");
    streams.synchronizeEvent(event);
    assertEquals(LONG_NANOS, nanos.get());
    assertTrue(streams.isDone(event));
  }

  @Test
  void workTakesEffectInStreamOrder() {
    work.fill(one, address, MIB, 1);
    PendingCheck first = work.check(one, address, MIB, 1);
    work.fill(one, address, MIB, 2);
    PendingCheck second = work.check(one, address, MIB, 2);
    assertEquals(CheckResult.MATCH, second.result());
    assertTrue(first.isDone());
    assertEquals(CheckResult.MATCH, first.result());
  }

  @Test
  void fillInIdleStreamOvertakesWorkOfBusyStream() {
    work.fill(one, address, MIB, 1);
    streams.synchronize(one);
    work.spin(one, LONG_NANOS);
    PendingCheck late = work.check(one, address, MIB, 1);
    work.fill(two, address + 4096, 8, 2);
    assertEquals(new CheckResult(1, 4096), late.result());
  }

  @Test
  void streamWaitsForEventOfAnother() {
    work.spin(one, LONG_NANOS);
    work.fill(one, address, MIB, 1);
    work.await(two, streams.recordEvent(one));
    PendingCheck check = work.check(two, address, MIB, 1);
    assertFalse(check.isDone());
    assertEquals(CheckResult.MATCH, check.result());
  }

  @Test
  void freeingWaitsForEveryStream() {
    work.fill(one, address, MIB, 1);
    work.spin(one, LONG_NANOS);
    PendingCheck check = work.check(one, address, MIB, 1);
    device.memory().free(address);
    assertTrue(check.isDone());
    assertEquals(CheckResult.MATCH, check.result());
  }

  @Test
  void reallocatedMemoryHasUnknownContents() {
    work.fill(one, address, MIB, 1);
    device.memory().free(address);
    assertEquals(address, device.memory().allocate(2 * MIB));
    assertFalse(work.check(one, address, MIB, 1).result().matches());
  }

  @Test
  void unmappingDoesNotWaitAndFinishedWorkTakesEffect() {
    var virtual = device.virtualMemory();
    long range = virtual.reserve(2 * MIB);
    virtual.map(range, 2 * MIB, virtual.createPage(2 * MIB));
    virtual.setAccess(range, 2 * MIB);
    work.fill(one, range, 2 * MIB, 1);
    PendingCheck early = work.check(one, range, 2 * MIB, 1);
    streams.synchronize(one);
    work.spin(one, LONG_NANOS);
    PendingCheck late = work.check(one, range, 2 * MIB, 1);
    virtual.unmap(range, 2 * MIB);
    assertFalse(late.isDone());
    assertEquals(CheckResult.MATCH, early.result());
    assertFalse(late.result().matches());
  }

  @Test
  void interruptedThreadWaitsAndStaysInterrupted() {
    work.spin(one, 20_000_000);
    long event = streams.recordEvent(one);
    Thread.currentThread().interrupt();
    streams.synchronizeAll();
    assertTrue(Thread.interrupted());
    assertTrue(streams.isDone(event));
  }

  @Test
  void rejectsInvalidWork() {
    assertThrows(IllegalArgumentException.class, () -> work.fill(one, address + 1, 8, 0));
    assertThrows(IllegalArgumentException.class, () -> work.check(one, address, -1, 0));
    assertThrows(IllegalArgumentException.class, () -> work.spin(one, -1));
    assertThrows(IllegalArgumentException.class, () -> work.spin(-1, 0));
  }

  @Test
  void nameContainsSize() {
    assertEquals("simulated device of 1 TiB", SimDevice.timed(1L << 40).name());
    assertEquals("simulated device of 16 GiB", SimDevice.timed(16L << 30).name());
    assertEquals("simulated device of 100 MiB", device.name());
    assertEquals("simulated device of 12345 bytes", SimDevice.ofBytes(12345).name());
    assertEquals("simulated device of 9.20 GiB", SimDevice.ofBytes(9_878_424_780L).name());
  }
}
