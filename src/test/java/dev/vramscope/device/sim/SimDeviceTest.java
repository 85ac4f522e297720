package dev.vramscope.device.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.vramscope.device.CheckResult;
import dev.vramscope.device.DeviceException;
import dev.vramscope.device.PendingCheck;
import org.junit.jupiter.api.Test;

class SimDeviceTest {
  private static final long MIB = 1L << 20;

  private final SimDevice device = SimDevice.ofBytes(100 * MIB);

  @Test
  void allocatesLowestAddressFirstInWholePages() {
    long first = device.memory().allocate(1);
    long second = device.memory().allocate(3 * MIB);
    assertEquals(SimDevice.MEMORY_BASE, first);
    assertEquals(first + 2 * MIB, second);
    assertEquals(6 * MIB, device.usedBytes());
    device.memory().free(first);
    assertEquals(first, device.memory().allocate(2 * MIB));
  }

  @Test
  void freedNeighboursCoalesce() {
    long a = device.memory().allocate(2 * MIB);
    long b = device.memory().allocate(2 * MIB);
    long c = device.memory().allocate(2 * MIB);
    device.memory().allocate(2 * MIB);
    device.memory().free(a);
    device.memory().free(c);
    device.memory().free(b);
    assertEquals(a, device.memory().allocate(6 * MIB));
  }

  @Test
  void fullDeviceReturnsZero() {
    assertNotEquals(0, device.memory().allocate(98 * MIB));
    assertEquals(0, device.memory().allocate(3 * MIB));
    assertNotEquals(0, device.memory().allocate(2 * MIB));
    assertEquals(0, device.memory().freeBytes());
    assertEquals(0, device.memory().allocate(1L << 62));
  }

  @Test
  void otherProcessesReduceFreeMemory() {
    device.setExternalBytes(99 * MIB);
    assertEquals(MIB, device.memory().freeBytes());
    assertEquals(0, device.memory().allocate(MIB));
    device.setExternalBytes(200 * MIB);
    assertEquals(0, device.memory().freeBytes());
  }

  @Test
  void failsRequestedNumberOfRequests() {
    device.failRequests(1);
    assertEquals(0, device.memory().allocate(MIB));
    assertNotEquals(0, device.memory().allocate(MIB));
  }

  @Test
  void rejectsFreeOfUnallocatedAddress() {
    assertThrows(IllegalArgumentException.class, () -> device.memory().free(4711));
  }

  @Test
  void reservationUsesNoMemory() {
    SimVirtualMemory virtual = device.virtualMemory();
    long range = virtual.reserve(1L << 40);
    assertEquals(SimDevice.RESERVATION_BASE, range);
    assertEquals(0, device.usedBytes());
    long page = virtual.createPage(2 * MIB);
    assertEquals(2 * MIB, device.usedBytes());
    virtual.map(range, 2 * MIB, page);
    virtual.setAccess(range, 2 * MIB);
    virtual.releasePage(page);
    assertEquals(2 * MIB, device.usedBytes(), "a mapped page keeps its memory");
    virtual.unmap(range, 2 * MIB);
    assertEquals(0, device.usedBytes());
    virtual.freeReservation(range, 1L << 40);
    assertEquals(range, virtual.reserve(2 * MIB));
  }

  @Test
  void pageSizesAreMultiplesOfTheGranularity() {
    SimVirtualMemory virtual = device.virtualMemory();
    assertThrows(DeviceException.class, () -> virtual.createPage(3 * MIB));
    assertThrows(DeviceException.class, () -> virtual.createPage(0));
    assertEquals(0, virtual.createPage(102 * MIB));
  }

  @Test
  void rejectsSecondPageAtSameAddress() {
    SimVirtualMemory virtual = device.virtualMemory();
    long range = virtual.reserve(4 * MIB);
    virtual.map(range, 2 * MIB, virtual.createPage(2 * MIB));
    long other = virtual.createPage(2 * MIB);
    assertThrows(IllegalArgumentException.class, () -> virtual.map(range, 2 * MIB, other));
    assertThrows(IllegalArgumentException.class, () -> virtual.unmap(range + 2 * MIB, 2 * MIB));
  }

  @Test
  void eventIsDoneWhenItsStreamReachesIt() {
    SimStreams streams = device.streams();
    long first = streams.recordEvent(3);
    long second = streams.recordEvent(3);
    assertFalse(streams.isDone(first));
    streams.advance(3, 1);
    assertTrue(streams.isDone(first));
    assertFalse(streams.isDone(second));
    streams.synchronizeEvent(second);
    assertTrue(streams.isDone(second));
  }

  @Test
  void synchronizingOneStreamDoesNotAffectOthers() {
    SimStreams streams = device.streams();
    long first = streams.recordEvent(1);
    long second = streams.recordEvent(2);
    streams.synchronize(1);
    assertTrue(streams.isDone(first));
    assertFalse(streams.isDone(second));
    streams.synchronizeAll();
    assertTrue(streams.isDone(second));
  }

  @Test
  void createdStreamsAreNumberedFromOne() {
    assertEquals(1, device.streams().create());
    assertEquals(2, device.streams().create());
    assertThrows(IllegalArgumentException.class, () -> device.streams().recordEvent(-1));
  }

  @Test
  void workTakesEffectWhenItsStreamAdvances() {
    long address = device.memory().allocate(MIB);
    device.work().fill(1, address, MIB, 7);
    long filled = device.streams().recordEvent(1);
    PendingCheck early = device.work().check(2, address, MIB, 7);
    device.work().await(2, filled);
    PendingCheck late = device.work().check(2, address, MIB, 7);
    assertFalse(late.isDone());
    device.streams().advance(2, 1);
    assertTrue(early.isDone());
    assertFalse(early.result().matches(), "stream 1 has not advanced yet");
    assertEquals(CheckResult.MATCH, late.result());
    assertTrue(device.streams().isDone(filled));
  }
}
