package dev.vramscope.allocator.bfc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.AllocatorListener;
import dev.vramscope.allocator.bfc.AllocationAttributes.OnFailure;
import dev.vramscope.allocator.bfc.log.FailureLogLimit;
import dev.vramscope.allocator.bfc.log.LogSink;
import dev.vramscope.device.sim.SimSubAllocator;
import dev.vramscope.device.sim.SubAllocatorSettings;
import dev.vramscope.model.TraceAction;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BfcAllocatorConcurrencyTest {
  private static final int THREADS = 8;
  private static final int STEPS = 5_000;
  private static final long MIB = 1L << 20;
  private static final long POOL_BYTES = 64 * MIB;
  private static final AllocationAttributes FAIL_FAST =
      new AllocationAttributes(AllocationEnd.LOWER, OnFailure.FAIL_FAST, 0);

  private static BfcAllocator allocator(RetryClock clock) {
    return new BfcAllocator(
        BfcOptions.of("GPU_0_bfc", POOL_BYTES),
        new SimSubAllocator(SubAllocatorSettings.ofCapacity(POOL_BYTES)),
        LogSink.SILENT,
        new FailureLogLimit(),
        clock);
  }

  /** The number of the thread that owns each unit of the pool plus 1; 0 if it is free. */
  private final AtomicIntegerArray owners =
      new AtomicIntegerArray((int) (POOL_BYTES / ChunkTable.UNIT_BYTES));

  @Test
  void noBlockIsAllocatedTwiceAndCountersAddUp() throws Exception {
    BfcAllocator allocator = allocator(RetryClock.virtual());
    allocator.addListener(new SlowListener());
    List<Future<Long>> counts = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      for (int thread = 0; thread < THREADS; thread++) {
        int seed = thread;
        counts.add(threads.submit(() -> work(allocator, seed)));
      }
    }
    long total = 0;
    for (Future<Long> count : counts) {
      total += count.get();
    }
    allocator.checkInvariants();
    assertEquals(total, allocator.totals().allocationCount());
    assertEquals(0, allocator.totals().allocatedCount());
    assertEquals(0, allocator.totals().allocatedBytes());
    assertEquals(1, allocator.state().regions().getFirst().chunks().size());
  }

  private long work(BfcAllocator allocator, int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Long> blocks = new ArrayList<>();
    long allocated = 0;
    for (int i = 0; i < STEPS; i++) {
      if (blocks.size() < 20 && random.nextBoolean()) {
        long bytes = 1 + random.nextLong(MIB);
        long block = allocator.tryAllocate(bytes, 64, seed, FAIL_FAST);
        if (block != Allocator.NO_BLOCK) {
          allocated++;
          blocks.add(block);
          allocator.describe(block, (address, size, id) -> assertTrue(size >= bytes));
          changeOwner(allocator, block, 0, seed + 1);
        }
      } else if (!blocks.isEmpty()) {
        long block = blocks.remove(random.nextInt(blocks.size()));
        changeOwner(allocator, block, seed + 1, 0);
        allocator.free(block);
      }
      if (i % 1000 == 0) {
        allocator.checkInvariants();
        allocator.releaseCandidates(3);
      }
    }
    for (long block : blocks) {
      changeOwner(allocator, block, seed + 1, 0);
      allocator.free(block);
    }
    return allocated;
  }

  private void changeOwner(BfcAllocator allocator, long block, int from, int to) {
    allocator.describe(
        block,
        (address, bytes, id) -> {
          int first = (int) (address % POOL_BYTES / ChunkTable.UNIT_BYTES);
          for (int i = first; i < first + bytes / ChunkTable.UNIT_BYTES; i++) {
            assertTrue(owners.compareAndSet(i, from, to), "a block overlaps another");
          }
        });
  }

  /** Sleeps at times with the lock held, so that the other threads find it held. */
  private static final class SlowListener implements AllocatorListener {
    private int events;

    @Override
    public void event(TraceAction action, long address, long bytes, int stream, int pool) {
      if (++events % 1000 == 0) {
        LockSupport.parkNanos(1_000);
      }
    }

    @Override
    public void outOfMemory(long bytes, long deviceFreeBytes, int stream, int pool) {}
  }

  /** Reports that a request waits for freed memory; it then waits for real. */
  private static final class WaitSignal implements RetryClock {
    private final RetryClock system = RetryClock.system();
    private final CountDownLatch waiting = new CountDownLatch(1);

    @Override
    public long nowMicros() {
      return system.nowMicros();
    }

    /** Called with the allocator's lock held, which the wait releases. */
    @Override
    public void await(MemoryFreedCondition memoryFreed, long micros) throws InterruptedException {
      waiting.countDown();
      system.await(memoryFreed, micros);
    }
  }

  @Test
  void requestWaitsForAnotherThreadToFreeMemory() throws Exception {
    WaitSignal clock = new WaitSignal();
    BfcAllocator allocator = allocator(clock);
    long first = allocator.allocate(60 * MIB, 0);
    try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
      Future<Long> second = threads.submit(() -> allocator.allocate(50 * MIB, 0));
      clock.waiting.await();
      allocator.free(first);
      assertNotEquals(Allocator.NO_BLOCK, second.get());
    }
    allocator.checkInvariants();
  }

  @Test
  void interruptedRequestFailsAndKeepsTheInterruptStatus() throws Exception {
    WaitSignal clock = new WaitSignal();
    BfcAllocator allocator = allocator(clock);
    allocator.allocate(60 * MIB, 0);
    boolean[] interrupted = {false};
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  allocator.tryAllocate(50 * MIB, 64, 0, AllocationAttributes.DEFAULT);
                  interrupted[0] = Thread.currentThread().isInterrupted();
                });
    clock.waiting.await();
    thread.interrupt();
    thread.join();
    assertTrue(interrupted[0]);
    assertEquals(1, allocator.totals().outOfMemoryCount());
  }
}
