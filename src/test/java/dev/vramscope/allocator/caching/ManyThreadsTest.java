package dev.vramscope.allocator.caching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.vramscope.allocator.AllocatorListener;
import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.device.sim.SimDevice;
import dev.vramscope.model.TraceAction;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many threads use one allocator: no block is lost or counted twice, and no thread blocks. */
class ManyThreadsTest {
  private static final int THREADS = 8;
  private static final int STEPS = 4_000;
  private static final long DEVICE_BYTES = 256L << 20;

  private final SimDevice device = SimDevice.ofBytes(DEVICE_BYTES);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "expandable_segments:True",
        "release_lock_on_cudamalloc:True,per_process_memory_fraction:0.9"
      })
  void countsAddUp(String settings) throws Exception {
    CachingAllocator allocator = new CachingAllocator(device, CachingOptions.of(settings));
    CountingListener listener = new CountingListener();
    allocator.addListener(listener);
    long succeeded = allocateConcurrently(allocator, STEPS);
    assertEquals(succeeded, allocator.totals().allocationCount());
    assertEquals(succeeded, listener.count(TraceAction.ALLOC));
    assertEquals(succeeded, listener.count(TraceAction.FREE_REQUESTED));
    assertEquals(0, allocator.totals().allocatedBytes());
    assertThat(allocator.totals().reservedBytes()).isLessThanOrEqualTo(DEVICE_BYTES);
    allocator.checkInvariants();
    device.streams().synchronizeAll();
    allocator.emptyCache();
    assertEquals(succeeded, listener.count(TraceAction.FREE_COMPLETED));
    assertEquals(0, allocator.totals().activeBytes());
    assertEquals(0, device.usedBytes());
    allocator.checkInvariants();
  }

  /** The listener sleeps with the lock held, so that the other threads find it held. */
  @Test
  void slowListenerDoesNotDeadlock() throws Exception {
    CachingAllocator allocator = new CachingAllocator(device, CachingOptions.of(""));
    allocator.addListener(
        new AllocatorListener() {
          @Override
          public void event(TraceAction action, long address, long bytes, int stream, int pool) {
            if (action == TraceAction.SEGMENT_ALLOC || action == TraceAction.ALLOC) {
              LockSupport.parkNanos(20_000);
            }
          }

          @Override
          public void outOfMemory(long bytes, long deviceFreeBytes, int stream, int pool) {
            LockSupport.parkNanos(1_000_000);
          }
        });
    long succeeded = allocateConcurrently(allocator, 200);
    assertEquals(succeeded, allocator.totals().allocationCount());
    allocator.checkInvariants();
  }

  /**
   * The client unlocks for nanoseconds only, and locks again before a sleeping reader retries. The
   * time that a read waits is counted in events of the client.
   */
  @Test
  @Timeout(60)
  void readerIsNotStarvedByABusyClientWithASlowListener() throws Exception {
    CachingAllocator allocator = new CachingAllocator(device, CachingOptions.of(""));
    AtomicLong events = new AtomicLong();
    allocator.addListener(
        new AllocatorListener() {
          @Override
          public void event(TraceAction action, long address, long bytes, int stream, int pool) {
            events.incrementAndGet();
            spin();
          }

          @Override
          public void outOfMemory(long bytes, long deviceFreeBytes, int stream, int pool) {}
        });
    AtomicBoolean done = new AtomicBoolean();
    try (ExecutorService client = Executors.newSingleThreadExecutor()) {
      client.execute(
          () -> {
            while (!done.get()) {
              allocator.free(allocator.allocate(64 << 10, 0));
            }
          });
      int reads = 100;
      long eventsDuringReads = 0;
      try {
        for (int i = 0; i < reads; i++) {
          awaitMoreThan(events, events.get() + 1);
          long before = events.get();
          allocator.totals();
          eventsDuringReads += events.get() - before;
        }
      } finally {
        done.set(true);
      }
      assertThat(eventsDuringReads / reads).as("events during a read").isLessThan(20);
    }
  }

  /** After a read, the client sleeps until its next attempt to lock. */
  private static void awaitMoreThan(AtomicLong events, long count) {
    while (events.get() <= count) {
      Thread.onSpinWait();
    }
  }

  /** Takes about a millisecond. */
  private static void spin() {
    for (int i = 0; i < 50_000; i++) {
      Thread.onSpinWait();
    }
  }

  @Test
  void outOfMemoryObserverMayUseTheAllocatorFromAnotherThread() throws Exception {
    CachingAllocator allocator = new CachingAllocator(device, CachingOptions.of(""));
    try (ExecutorService other = Executors.newSingleThreadExecutor()) {
      boolean[] succeeded = {false};
      allocator.addOutOfMemoryObserver(
          (ordinal, segmentBytes, limitBytes, freeBytes) ->
              succeeded[0] = completes(other.submit(allocator::totals)));
      try {
        allocator.allocate(2 * DEVICE_BYTES, 0);
      } catch (OutOfDeviceMemoryException e) {
        assertThat(e).hasMessageContaining("CUDA out of memory");
      }
      assertTrue(succeeded[0], "the observer is called without the lock");
    }
  }

  private static boolean completes(Future<?> call) {
    try {
      call.get(10, TimeUnit.SECONDS);
      return true;
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      return false;
    }
  }

  /** The number of successful allocations; each is freed by the thread that made it. */
  private static long allocateConcurrently(CachingAllocator allocator, int steps) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Future<Long>> results = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        long seed = thread;
        results.add(threads.submit(() -> work(allocator, seed, steps)));
      }
      long succeeded = 0;
      for (Future<Long> result : results) {
        succeeded += result.get(2, TimeUnit.MINUTES);
      }
      return succeeded;
    }
  }

  private static long work(CachingAllocator allocator, long seed, int steps) {
    SplittableRandom random = new SplittableRandom(seed);
    int stream = random.nextInt(3);
    List<Long> own = new ArrayList<>();
    long succeeded = 0;
    for (int i = 0; i < steps; i++) {
      if (own.size() > random.nextInt(20)) {
        allocator.free(own.remove(/* index */ random.nextInt(own.size())));
      } else {
        try {
          long block = allocator.allocate(1 + random.nextLong(8L << 20), stream);
          own.add(block);
          succeeded++;
          if (random.nextInt(10) == 0) {
            allocator.recordStream(block, (stream + 1) % 3);
          }
        } catch (OutOfDeviceMemoryException e) {
          own.forEach(allocator::free);
          own.clear();
        }
      }
    }
    own.forEach(allocator::free);
    return succeeded;
  }

  /** Needs no synchronization: the allocator's lock orders its calls. */
  private static final class CountingListener implements AllocatorListener {
    private final Map<TraceAction, Long> counts = new EnumMap<>(TraceAction.class);

    @Override
    public void event(TraceAction action, long address, long bytes, int stream, int pool) {
      counts.merge(action, 1L, Long::sum);
    }

    @Override
    public void outOfMemory(long bytes, long deviceFreeBytes, int stream, int pool) {
      counts.merge(TraceAction.OOM, 1L, Long::sum);
    }

    private long count(TraceAction action) {
      return counts.getOrDefault(action, 0L);
    }
  }
}
