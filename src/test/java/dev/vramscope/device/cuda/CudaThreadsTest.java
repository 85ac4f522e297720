package dev.vramscope.device.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.allocator.caching.CachingOptions;
import dev.vramscope.device.CheckResult;
import dev.vramscope.device.Device;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The current context belongs to an operating system thread, but callers are arbitrary threads. */
class CudaThreadsTest {
  private static final int THREADS = 64;

  private CudaEmulator emulator;
  private CudaDevice device;

  @BeforeEach
  void open() {
    emulator = CudaEmulator.ofBytes(1L << 30);
    device = emulator.open();
  }

  @AfterEach
  void close() {
    if (device != null) {
      device.close();
    }
  }

  @Test
  void platformThreadsShareADevice() throws Exception {
    share(Executors.newFixedThreadPool(THREADS));
  }

  @Test
  void virtualThreadsShareADevice() throws Exception {
    share(Executors.newVirtualThreadPerTaskExecutor());
  }

  /** In each round, every thread checks its block after all threads have filled theirs. */
  private void share(ExecutorService threads) throws Exception {
    CachingAllocator allocator =
        new CachingAllocator(device, CachingOptions.of("expandable_segments:True"));
    List<Integer> streams = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      streams.add(device.streams().create());
    }
    CyclicBarrier filled = new CyclicBarrier(THREADS);
    List<Future<?>> clients = new ArrayList<>();
    try (threads) {
      for (int i = 0; i < THREADS; i++) {
        int stream = streams.get(i % streams.size());
        int seed = i;
        clients.add(
            threads.submit(
                () -> {
                  useBlocks(device, allocator, stream, seed, filled);
                  return null;
                }));
      }
    }
    for (Future<?> client : clients) {
      client.get();
    }
    allocator.checkInvariants();
    allocator.emptyCache();
    assertEquals(0, emulator.usedBytes());
  }

  private static void useBlocks(
      Device device, CachingAllocator allocator, int stream, int seed, CyclicBarrier filled)
      throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 20; i++) {
      long bytes = 8 * random.nextLong(1, 40_000);
      long block = allocator.allocate(bytes, stream);
      long address = allocator.address(block);
      device.work().fill(stream, address, bytes, seed * 1000L + i);
      filled.await(60, TimeUnit.SECONDS);
      var check = device.work().check(stream, address, bytes, seed * 1000L + i);
      assertEquals(CheckResult.MATCH, check.result());
      long event = device.streams().recordEvent(stream);
      device.streams().synchronizeEvent(event);
      assertTrue(device.streams().isDone(event));
      device.streams().freeEvent(event);
      allocator.free(block);
    }
  }

  /** More blocking calls than there are carriers, and one virtual thread that must still run. */
  @Test
  @Timeout(60)
  void blockingCallsOfVirtualThreadsDoNotBlockOthers() throws Exception {
    int stream = device.streams().create();
    int waiting = 2 * Runtime.getRuntime().availableProcessors() + 2;
    device.work().spin(stream, Long.MAX_VALUE);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> waits = new ArrayList<>();
      for (int i = 0; i < waiting; i++) {
        waits.add(threads.submit(() -> device.streams().synchronize(stream)));
      }
      while (emulator.calls("cuStreamSynchronize") < waiting) {
        Thread.onSpinWait();
      }
      threads.submit(() -> {}).get();
      assertThat(waits).noneMatch(Future::isDone);
      emulator.manual(); // The spin ends.
      for (Future<?> wait : waits) {
        wait.get();
      }
    }
  }

  @Test
  void errorsOfBlockingCallsReachTheVirtualThread() throws InterruptedException {
    emulator.fail("cuStreamSynchronize", 1, 1);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> wait = threads.submit(() -> device.streams().synchronize(0));
      try {
        wait.get();
        throw new AssertionError("nothing was thrown");
      } catch (ExecutionException e) {
        assertThat(e.getCause()).hasMessageContaining("cuStreamSynchronize of 0");
      }
    }
  }
}
