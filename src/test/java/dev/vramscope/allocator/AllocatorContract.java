package dev.vramscope.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.vramscope.device.Device;
import dev.vramscope.device.sim.SimDevice;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.TraceAction;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/** The tests that every allocator passes, on any device. */
public abstract class AllocatorContract {
  private static final long KIB = 1L << 10;
  private static final long MIB = 1L << 20;
  private static final long DEVICE_BYTES = 256 * MIB;

  /** The callbacks that every allocator makes. */
  private static final Set<String> CALLBACKS =
      Set.of("event", "blockAllocated", "requestStep", "outOfMemory", "stateCaptured");

  private Allocator allocator;

  /** A new allocator on a device with at least 256 MiB. */
  protected abstract Allocator allocator(Device device);

  /** The device to test on; a simulated device by default. */
  protected Device device() {
    return SimDevice.ofBytes(DEVICE_BYTES);
  }

  /** The callbacks that this allocator makes in addition to those of every allocator. */
  protected Set<String> additionalCallbacks() {
    return Set.of();
  }

  /** Uses the operations that make additional callbacks and that {@link Allocator} lacks. */
  protected void useAdditionalOperations(Allocator tested) {}

  @BeforeEach
  void open() {
    allocator = allocator(device());
  }

  @AfterEach
  void invariantsHold() {
    // Null after a test that was skipped because its device is missing.
    if (allocator != null) {
      allocator.inspect().checkInvariants();
    }
  }

  @Test
  void blocksDoNotOverlap() {
    List<Long> blocks = new ArrayList<>();
    for (int i = 1; i <= 20; i++) {
      blocks.add(allocator.allocate(i * 100 * KIB, 0));
    }
    List<BlockView> views = new ArrayList<>();
    blocks.forEach(block -> views.add(allocator.inspect().blockAt(allocator.address(block))));
    views.sort(Comparator.comparingLong(BlockView::address));
    for (int i = 1; i < views.size(); i++) {
      assertThat(views.get(i).address()).isGreaterThanOrEqualTo(views.get(i - 1).endAddress());
    }
  }

  @Test
  void blockIsAtLeastAsLargeAsRequested() {
    for (long bytes : new long[] {1, 511, 512, 513, MIB, MIB + 1, 10 * MIB, 33 * MIB + 7}) {
      long block = allocator.allocate(bytes, 0);
      BlockView view = allocator.inspect().blockAt(allocator.address(block));
      assertNotNull(view);
      assertThat(view.bytes()).isGreaterThanOrEqualTo(bytes);
      assertEquals(bytes, view.requestedBytes());
      assertEquals(BlockState.ALLOCATED, view.state());
      allocator.free(block);
    }
  }

  @Test
  void zeroBytesGetNoBlock() {
    assertEquals(Allocator.NO_BLOCK, allocator.allocate(0, 0));
    assertEquals(0, allocator.address(Allocator.NO_BLOCK));
    allocator.recordStream(Allocator.NO_BLOCK, 1);
    allocator.free(Allocator.NO_BLOCK);
    assertEquals(0, allocator.inspect().totals().allocatedCount());
  }

  @Test
  void rejectsHandleOfFreedBlock() {
    long block = allocator.allocate(KIB, 0);
    allocator.free(block);
    assertThrows(IllegalArgumentException.class, () -> allocator.free(block));
    assertThrows(IllegalArgumentException.class, () -> allocator.address(block));
    assertThrows(IllegalArgumentException.class, () -> allocator.recordStream(block, 1));
    assertThrows(
        IllegalArgumentException.class, () -> allocator.inspect().adjacentFreeBytes(block));
    long next = allocator.allocate(KIB, 0);
    assertThat(next).isNotEqualTo(block);
    assertThrows(IllegalArgumentException.class, () -> allocator.free(block));
  }

  @Test
  void rejectsUnknownHandle() {
    for (long handle : new long[] {1, -1, 4711, Long.MAX_VALUE, Long.MIN_VALUE}) {
      assertThrows(IllegalArgumentException.class, () -> allocator.free(handle));
    }
  }

  @Test
  void rejectsNegativeSize() {
    assertThrows(IllegalArgumentException.class, () -> allocator.allocate(-1, 0));
  }

  @Test
  void requestAboveDeviceMemoryFailsAndIsCounted() {
    OutOfDeviceMemoryException e =
        assertThrows(
            OutOfDeviceMemoryException.class, () -> allocator.allocate(4 * DEVICE_BYTES, 0));
    assertEquals(4 * DEVICE_BYTES, e.requestedBytes());
    assertThat(e.getMessage()).contains("out of memory");
    assertEquals(1, allocator.inspect().totals().outOfMemoryCount());
    assertEquals(0, allocator.inspect().totals().allocatedBytes());
  }

  @Test
  void smallerRequestSucceedsAfterFailure() {
    long block = allocator.allocate(100 * MIB, 0);
    assertThrows(OutOfDeviceMemoryException.class, () -> allocator.allocate(200 * MIB, 0));
    long other = allocator.allocate(20 * MIB, 0);
    allocator.free(block);
    allocator.free(other);
    assertEquals(0, allocator.inspect().totals().allocatedBytes());
  }

  @Test
  void freedMemoryServesLargerRequestOnAnotherStream() {
    long block = allocator.allocate(150 * MIB, 0);
    allocator.free(block);
    long larger = allocator.allocate(200 * MIB, 1);
    assertEquals(1, allocator.inspect().totals().allocatedCount());
    assertEquals(0, allocator.inspect().totals().outOfMemoryCount());
    allocator.free(larger);
    assertEquals(0, allocator.inspect().totals().allocatedBytes());
  }

  @Test
  void totalsAreOrdered() {
    List<Long> blocks = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      blocks.add(allocator.allocate(1 + i * 7919L, i % 3));
      assertOrdered(allocator.inspect().totals());
    }
    for (long block : blocks) {
      allocator.free(block);
      assertOrdered(allocator.inspect().totals());
    }
    AllocatorTotals totals = allocator.inspect().totals();
    assertEquals(0, totals.allocatedBytes());
    assertEquals(0, totals.allocatedCount());
    assertEquals(50, totals.allocationCount());
    assertThat(totals.peakAllocatedBytes()).isPositive();
  }

  private static void assertOrdered(AllocatorTotals totals) {
    assertThat(totals.requestedBytes()).isLessThanOrEqualTo(totals.activeBytes());
    assertThat(totals.allocatedBytes()).isLessThanOrEqualTo(totals.activeBytes());
    assertThat(totals.activeBytes()).isLessThanOrEqualTo(totals.reservedBytes());
    assertThat(totals.allocatedBytes()).isLessThanOrEqualTo(totals.peakAllocatedBytes());
    assertThat(totals.reservedBytes()).isLessThanOrEqualTo(totals.peakReservedBytes());
  }

  @Test
  void blocksCoverTheirSegments() {
    SplittableRandom random = new SplittableRandom(1);
    List<Long> blocks = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      blocks.add(allocator.allocate(1 + random.nextLong(2 * MIB), i % 2));
      if (i % 3 == 0) {
        allocator.free(blocks.remove(/* index */ random.nextInt(blocks.size())));
      }
    }
    long[] last = {0};
    long[] allocated = {0};
    Set<Long> handles = new HashSet<>();
    allocator
        .inspect()
        .visitSegments(
            segment -> {
              assertThat(segment.address()).isGreaterThanOrEqualTo(last[0]);
              long address = segment.address();
              for (BlockView block : segment.blocks()) {
                assertEquals(address, block.address());
                address += block.bytes();
                if (block.state() == BlockState.ALLOCATED) {
                  handles.add(block.handle());
                }
              }
              assertEquals(segment.address() + segment.bytes(), address);
              last[0] = address;
              allocated[0] += segment.allocatedBytes();
            });
    assertEquals(new HashSet<>(blocks), handles);
    assertEquals(allocator.inspect().totals().allocatedBytes(), allocated[0]);
  }

  @Test
  void findsBlockByAnyOfItsAddresses() {
    long block = allocator.allocate(3 * MIB, 0);
    long address = allocator.address(block);
    for (long offset : new long[] {0, 1, MIB, 3 * MIB - 1}) {
      BlockView view = allocator.inspect().blockAt(address + offset);
      assertNotNull(view);
      assertEquals(block, view.handle());
    }
    assertNull(allocator.inspect().blockAt(1));
  }

  @Test
  void adjacentFreeBytesAreThoseOfInactiveNeighbours() {
    SplittableRandom random = new SplittableRandom(2);
    List<Long> blocks = new ArrayList<>();
    for (int i = 0; i < 160; i++) {
      blocks.add(allocator.allocate(1 + random.nextLong(300 * KIB), 0));
      if (i % 2 == 1) {
        allocator.free(blocks.remove(/* index */ random.nextInt(blocks.size())));
      }
    }
    for (long block : blocks) {
      assertEquals(expectedAdjacent(block), allocator.inspect().adjacentFreeBytes(block));
    }
  }

  private long expectedAdjacent(long block) {
    long[] adjacent = {0};
    allocator
        .inspect()
        .visitSegments(
            segment -> {
              List<BlockView> all = segment.blocks();
              for (int i = 0; i < all.size(); i++) {
                if (all.get(i).handle() == block) {
                  adjacent[0] += i > 0 ? inactiveBytes(all.get(i - 1)) : 0;
                  adjacent[0] += i + 1 < all.size() ? inactiveBytes(all.get(i + 1)) : 0;
                }
              }
            });
    return adjacent[0];
  }

  private static long inactiveBytes(BlockView block) {
    return block.state().isActive() ? 0 : block.bytes();
  }

  @Test
  void releaseCandidatesAreRankedByContiguousBytes() {
    SplittableRandom random = new SplittableRandom(3);
    List<Long> blocks = new ArrayList<>();
    assertThat(allocator.inspect().releaseCandidates(5)).isEmpty();
    for (int i = 0; i < 160; i++) {
      blocks.add(allocator.allocate(1 + random.nextLong(400 * KIB), i % 2));
      if (i % 2 == 1) {
        allocator.free(blocks.remove(/* index */ random.nextInt(blocks.size())));
      }
      allocator.inspect().checkInvariants();
    }
    List<Long> expected = new ArrayList<>();
    for (long block : blocks) {
      BlockView view = allocator.inspect().blockAt(allocator.address(block));
      assertNotNull(view);
      expected.add(view.bytes() + allocator.inspect().adjacentFreeBytes(block));
    }
    expected.sort(Comparator.reverseOrder());
    List<ReleaseCandidate> candidates = allocator.inspect().releaseCandidates(10);
    assertEquals(
        expected.subList(0, 10),
        candidates.stream().map(ReleaseCandidate::contiguousBytes).toList());
    assertThat(blocks).contains(candidates.getFirst().block().handle());
    assertEquals(blocks.size(), allocator.inspect().releaseCandidates(Integer.MAX_VALUE).size());
  }

  @Test
  void listenersReceiveEveryAllocationAndFree() {
    List<TraceAction> received = new ArrayList<>();
    AllocatorListener listener =
        new AllocatorListener() {
          @Override
          public void event(TraceAction action, long address, long bytes, int stream, int pool) {
            received.add(action);
          }

          @Override
          public void outOfMemory(long bytes, long deviceFreeBytes, int stream, int pool) {
            received.add(TraceAction.OOM);
          }
        };
    allocator.inspect().addListener(listener);
    allocator.free(allocator.allocate(KIB, 0));
    assertThrows(OutOfDeviceMemoryException.class, () -> allocator.allocate(4 * DEVICE_BYTES, 0));
    assertThat(received)
        .containsSubsequence(
            TraceAction.ALLOC,
            TraceAction.FREE_REQUESTED,
            TraceAction.FREE_COMPLETED,
            TraceAction.OOM);
    int before = received.size();
    allocator.inspect().removeListener(listener);
    allocator.free(allocator.allocate(KIB, 0));
    assertEquals(before, received.size());
  }

  @Test
  @Timeout(30)
  void addressIsReadWithoutTheLock() throws InterruptedException {
    long block = allocator.allocate(KIB, 0);
    long address = allocator.address(block);
    CountDownLatch lockHeld = new CountDownLatch(1);
    CountDownLatch addressRead = new CountDownLatch(1);
    AllocatorListener holdsTheLock =
        new AllocatorListener() {
          @Override
          public void event(TraceAction action, long address, long bytes, int stream, int pool) {
            lockHeld.countDown();
            try {
              addressRead.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }

          @Override
          public void outOfMemory(long bytes, long deviceFreeBytes, int stream, int pool) {}
        };
    allocator.inspect().addListener(holdsTheLock);
    Thread other = Thread.ofPlatform().start(() -> allocator.free(allocator.allocate(KIB, 0)));
    lockHeld.await();
    assertEquals(address, allocator.address(block));
    addressRead.countDown();
    other.join();
    allocator.inspect().removeListener(holdsTheLock);
  }

  /**
   * For each callback: it is made if the allocator supports it; a listener that throws from it is
   * removed, and the operation succeeds.
   */
  @TestFactory
  List<DynamicTest> listenerThatThrowsIsRemovedAndReported() {
    List<DynamicTest> tests = new ArrayList<>();
    for (Method callback : AllocatorListener.class.getMethods()) {
      tests.add(
          DynamicTest.dynamicTest(
              callback.getName(), () -> assertListenerIsRemovedAndReported(callback)));
    }
    return tests;
  }

  private void assertListenerIsRemovedAndReported(Method callback) {
    Allocator tested = allocator(device());
    ThrowingListener listener = new ThrowingListener(callback);
    tested.inspect().addListener(listener.proxy());
    List<Throwable> reported = new ArrayList<>();
    Thread thread = Thread.currentThread();
    thread.setUncaughtExceptionHandler((where, e) -> reported.add(e));
    try {
      for (int i = 0; i < 2; i++) {
        long block = tested.allocate(3 * MIB, 0);
        tested.recordStream(block, 1);
        tested.inspect().visitSegments(segment -> {});
        tested.free(block);
        tested.emptyCache(); // waits for stream 1
        assertThrows(OutOfDeviceMemoryException.class, () -> tested.allocate(4 * DEVICE_BYTES, 0));
        useAdditionalOperations(tested);
      }
    } finally {
      thread.setUncaughtExceptionHandler(null);
    }
    assertEquals(0, tested.inspect().totals().allocatedBytes());
    tested.inspect().checkInvariants();
    boolean supported =
        CALLBACKS.contains(callback.getName())
            || additionalCallbacks().contains(callback.getName());
    assertThat(listener.calls).isEqualTo(supported ? 1 : 0);
    assertThat(reported)
        .hasSize(listener.calls)
        .allSatisfy(e -> assertThat(e).hasStackTraceContaining(ThrowingListener.MESSAGE));
  }

  @Test
  void emptyingTheCacheKeepsAllocatedBlocks() {
    long kept = allocator.allocate(30 * MIB, 0);
    allocator.free(allocator.allocate(40 * MIB, 0));
    allocator.emptyCache();
    assertThat(allocator.inspect().totals().reservedBytes()).isGreaterThanOrEqualTo(30 * MIB);
    assertNotNull(allocator.inspect().blockAt(allocator.address(kept)));
  }
}
