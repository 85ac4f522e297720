package dev.vramscope.allocator.bfc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.AllocatorEvent;
import dev.vramscope.allocator.AllocatorListener;
import dev.vramscope.allocator.bfc.AllocationAttributes.OnFailure;
import dev.vramscope.device.sim.SimSubAllocator;
import dev.vramscope.device.sim.SubAllocatorSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BfcAllocatorConcurrencyTest {
  private static final int THREADS = 8;
  private static final int STEPS = 5_000;
  private static final long MIB = 1L << 20;
  private static final AllocationAttributes TOLERANT =
      new AllocationAttributes(AllocationEnd.LOWER, OnFailure.TOLERATE, 0);

  private static BfcAllocator allocator(RetryClock clock) {
    return new BfcAllocator(
        new BfcOptions("GPU_0_bfc", 64 * MIB, false, false, true, 0, false),
        new SimSubAllocator(SubAllocatorSettings.ofCapacity(64 * MIB)),
        LogSink.SILENT,
        new FailureLogLimit(),
        clock);
  }

  @Test
  void countersMatchTheAllocationsOfAllThreads() throws Exception {
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

  private static long work(BfcAllocator allocator, int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Long> blocks = new ArrayList<>();
    long allocated = 0;
    for (int i = 0; i < STEPS; i++) {
      if (blocks.size() < 20 && random.nextBoolean()) {
        long bytes = 1 + random.nextLong(MIB);
        long block = allocator.tryAllocate(bytes, 64, seed, TOLERANT);
        if (block != Allocator.NO_BLOCK) {
          allocated++;
          blocks.add(block);
          allocator.describe(block, (address, size, id) -> assertTrue(size >= bytes));
        }
      } else if (!blocks.isEmpty()) {
        allocator.free(blocks.remove(random.nextInt(blocks.size())));
      }
      if (i % 1000 == 0) {
        allocator.checkInvariants();
        allocator.releaseCandidates(3);
      }
    }
    blocks.forEach(allocator::free);
    return allocated;
  }

  private static final class SlowListener implements AllocatorListener {
    private int events;

    @Override
    public void event(AllocatorEvent event, long address, long bytes, int stream, int pool) {
      if (++events % 1000 == 0) {
        LockSupport.parkNanos(1_000);
      }
    }

    @Override
    public void outOfMemory(long bytes, long deviceFreeBytes, int stream, int pool) {}
  }

  @Test
  void requestWaitsForAnotherThreadToFreeMemory() throws Exception {
    BfcAllocator allocator = allocator(RetryClock.system());
    long first = allocator.allocate(60 * MIB, 0);
    try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
      Future<Long> second = threads.submit(() -> allocator.allocate(50 * MIB, 0));
      // However the threads meet: the request either waits for this free, or comes after it.
      TimeUnit.MILLISECONDS.sleep(50);
      allocator.free(first);
      assertNotEquals(Allocator.NO_BLOCK, second.get(5, TimeUnit.SECONDS));
    }
    allocator.checkInvariants();
  }

  @Test
  void interruptedRequestFailsAndKeepsTheInterruptStatus() throws Exception {
    BfcAllocator allocator = allocator(RetryClock.system());
    allocator.allocate(60 * MIB, 0);
    boolean[] interrupted = {false};
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  allocator.tryAllocate(50 * MIB, 64, 0, AllocationAttributes.DEFAULT);
                  interrupted[0] = Thread.currentThread().isInterrupted();
                });
    thread.interrupt();
    thread.join(5_000);
    assertTrue(interrupted[0]);
    assertEquals(1, allocator.totals().outOfMemoryCount());
  }
}
