package dev.vramscope.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.allocator.bfc.MemoryFreedCondition;
import dev.vramscope.allocator.bfc.RetryClock;
import dev.vramscope.allocator.caching.configuration.ConfigurationException;
import dev.vramscope.device.cuda.CudaDriver;
import dev.vramscope.recorder.HistorySettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HostedAllocatorsTest {
  private static final long MIB = 1L << 20;

  private final HostedOnSim service = new HostedOnSim();
  private final HostedAllocators allocators = service.allocators();

  @ParameterizedTest
  @EnumSource(AllocatorKind.class)
  void closingReleasesAllMemory(AllocatorKind kind) {
    HostedAllocator hosted = service.host(kind, 1024 * MIB, "");
    for (int i = 1; i <= 20; i++) {
      hosted.allocator().allocate(i * MIB, i % 3);
      hosted.clientBlocks().allocate(i * 1000L, i % 3, "client");
    }
    long used = hosted.allocator().allocate(MIB, 0);
    hosted.allocator().recordStream(used, 2);
    hosted.device().work().spin(2, TimeUnit.MILLISECONDS.toNanos(20));
    hosted.allocator().free(used);
    assertTrue(HostedOnSim.usedBytes(hosted) > 0);

    allocators.close(hosted.id());

    assertEquals(0, HostedOnSim.usedBytes(hosted));
    assertEquals(0, hosted.allocator().inspect().totals().reservedBytes());
    assertEquals(new HostedState.Closed(), hosted.state());
    hosted.allocator().inspect().checkInvariants();
  }

  @Test
  void distinguishesClosedAndUnknownAllocators() {
    HostedAllocator hosted = service.caching(64 * MIB);
    assertSame(hosted, allocators.find(hosted.id()));
    assertThat(allocators.list()).containsExactly(hosted);
    allocators.close(hosted.id());
    assertThat(allocators.list()).isEmpty();
    assertThrows(AllocatorGoneException.class, () -> allocators.find(hosted.id()));
    assertThrows(AllocatorGoneException.class, () -> allocators.close(hosted.id()));
    assertThrows(AllocatorGoneException.class, () -> hosted.allocator().allocate(1, 0));
    assertThrows(AllocatorGoneException.class, () -> hosted.onClose(() -> {}));
    assertThrows(UnknownAllocatorException.class, () -> allocators.find(hosted.id() + 1));
    assertThrows(UnknownAllocatorException.class, () -> allocators.close(0));
    assertThrows(UnknownAllocatorException.class, () -> allocators.find(Long.MIN_VALUE));
  }

  @Test
  void idsFromBeforeARestartAreUnknown() {
    Instant start = Instant.parse("2026-06-01T12:00:00Z");
    long before = HostedAllocators.idBase(start);
    long after = HostedAllocators.idBase(start.plusSeconds(2));
    assertThat(after - before).isGreaterThanOrEqualTo(1000);
    assertThat(HostedAllocators.idBase(start.plus(Duration.ofDays(100 * 365))))
        .isLessThan(1L << 53);
    assertThat(service.caching(64 * MIB).id()).isGreaterThan(before);
    assertThrows(UnknownAllocatorException.class, () -> allocators.find(1));
  }

  @Test
  void rejectedRequestUsesNoId() {
    long last = service.caching(64 * MIB).id();
    assertThrows(
        ConfigurationException.class,
        () -> service.host(AllocatorKind.CACHING, 64 * MIB, "expandable_segment:True"));
    assertThrows(
        HostingRefusedException.class, () -> service.host(AllocatorKind.DIRECT, 64 * MIB, "x"));
    assertEquals(last + 1, service.caching(64 * MIB).id());
  }

  @Test
  void limitsAreNamedInRejections() {
    long first = service.caching(64 * MIB).id();
    for (int i = 1; i < HostedOnSim.MAX_ALLOCATORS; i++) {
      service.caching(64 * MIB);
    }
    HostingRefusedException full =
        assertThrows(HostingRefusedException.class, () -> service.caching(64 * MIB));
    assertEquals(HostingRefusedException.Kind.LIMIT, full.kind());
    assertThat(full.where()).isEqualTo("vramscope.live.max-allocators");
    allocators.close(first);
    assertEquals(first + 4, service.caching(64 * MIB).id());
    allocators.close(first + 1);

    assertThat(assertThrows(HostingRefusedException.class, () -> service.caching(2L << 40)).next())
        .contains("1TiB", "max-simulated-device");
    assertThat(assertThrows(HostingRefusedException.class, () -> service.caching(1)).next())
        .contains("2MiB");
    HostingRequest tooLong =
        new HostingRequest(
            "long",
            new DeviceChoice.Sim(MIB),
            AllocatorKind.CACHING,
            "",
            HistorySettings.all().withMaxEvents(HostedOnSim.MAX_EVENTS + 1));
    assertThat(
            assertThrows(HostingRefusedException.class, () -> allocators.create(tooLong)).where())
        .isEqualTo("history.events");
  }

  @Test
  void gpuRequestWithoutDriverIsRejectedWithTheReason() {
    HostingRequest gpu = HostedOnSim.request(AllocatorKind.CACHING, new DeviceChoice.Cuda(0), "");
    HostingRefusedException refused =
        assertThrows(HostingRefusedException.class, () -> allocators.create(gpu));
    assertEquals(HostingRefusedException.Kind.DEVICE, refused.kind());
    assertThat(refused).hasMessageContaining("no-such-library");
    assertThat(refused.next()).contains("sim:16GiB");
  }

  @Test
  void closeActionsRunWhileTheAllocatorStillWorks() {
    HostedAllocator hosted = service.caching(64 * MIB);
    long block = hosted.allocator().allocate(MIB, 0);
    List<String> ended = new ArrayList<>();
    Runnable removed = () -> ended.add("removed");
    hosted.onClose(removed);
    hosted.onClose(
        () -> {
          hosted.allocator().free(block);
          ended.add("freed");
        });
    hosted.onClose(() -> ended.add("last"));
    hosted.removeOnClose(removed);
    allocators.close(hosted.id());
    assertThat(ended).containsExactly("freed", "last");
  }

  @Test
  void failingCloseActionDoesNotPreventTheOthersOrTheRelease() {
    HostedAllocator hosted = service.caching(64 * MIB);
    hosted.allocator().allocate(MIB, 0);
    hosted.onClose(
        () -> {
          throw new IllegalStateException("failed");
        });
    List<String> ended = new ArrayList<>();
    hosted.onClose(() -> ended.add("the next"));
    hosted.onClose(
        () -> {
          throw new IllegalArgumentException("failed as well");
        });
    assertThat(
            assertThrows(IllegalStateException.class, () -> allocators.close(hosted.id()))
                .getSuppressed())
        .hasOnlyElementsOfType(IllegalArgumentException.class)
        .hasSize(1);
    assertThat(ended).containsExactly("the next");
    assertEquals(0, HostedOnSim.usedBytes(hosted));
    assertThat(allocators.list()).isEmpty();
  }

  @Test
  @Timeout(60)
  void requestWaitingForMemoryFailsOnClosing() throws Exception {
    StoppedClock stopped = new StoppedClock();
    HostedOnSim waitingService =
        new HostedOnSim(Duration.ZERO, new CudaDriver("no-such-library"), stopped);
    HostedAllocator hosted = waitingService.host(AllocatorKind.BFC, 64 * MIB, "");
    hosted.allocator().allocate(40 * MIB, 0);
    CompletableFuture<Long> request =
        CompletableFuture.supplyAsync(() -> hosted.allocator().allocate(40 * MIB, 0));
    stopped.waiting.await();
    assertThat(request).isNotDone();
    waitingService.allocators().close(hosted.id());
    assertThat(assertThrows(ExecutionException.class, request::get))
        .hasCauseInstanceOf(OutOfDeviceMemoryException.class);
    assertEquals(0, HostedOnSim.usedBytes(hosted));
  }

  /** Requests that wait for memory never time out. */
  private static final class StoppedClock implements RetryClock {
    final CountDownLatch waiting = new CountDownLatch(1);

    @Override
    public long nowMicros() {
      return 0;
    }

    @Override
    public void await(MemoryFreedCondition memoryFreed, long micros) throws InterruptedException {
      waiting.countDown();
      RetryClock.system().await(memoryFreed, micros);
    }
  }

  @ParameterizedTest
  @EnumSource(AllocatorKind.class)
  void concurrentClientsAreRejectedOnClosingAndNothingStaysAllocated(AllocatorKind kind)
      throws Exception {
    String settings = kind == AllocatorKind.BFC ? "allow_retry_on_failure=false" : "";
    for (int round = 0; round < 10; round++) {
      HostedAllocator hosted = service.host(kind, 256 * MIB, settings);
      AtomicInteger rejected = new AtomicInteger();
      AtomicInteger served = new AtomicInteger();
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Future<?>> clients = new ArrayList<>();
        for (int thread = 0; thread < 16; thread++) {
          SplittableRandom random = new SplittableRandom(31L * round + thread);
          clients.add(threads.submit(() -> useUntilClosed(hosted, random, served, rejected)));
        }
        while (served.get() < 100) {
          Thread.onSpinWait();
        }
        allocators.close(hosted.id());
        for (Future<?> client : clients) {
          client.get(20, TimeUnit.SECONDS);
        }
      }
      assertEquals(16, rejected.get());
      assertEquals(0, HostedOnSim.usedBytes(hosted));
      hosted.allocator().inspect().checkInvariants();
    }
  }

  private static void useUntilClosed(
      HostedAllocator hosted,
      SplittableRandom random,
      AtomicInteger served,
      AtomicInteger rejected) {
    List<Long> mine = new ArrayList<>();
    try {
      while (true) {
        try {
          mine.add(
              hosted.clientBlocks().allocate(random.nextLong(1, 8 * MIB), random.nextInt(4), "t"));
          served.incrementAndGet();
          if (random.nextBoolean()) {
            hosted.clientBlocks().free(mine.remove(random.nextInt(mine.size())));
          }
        } catch (OutOfDeviceMemoryException full) {
          hosted.allocator().emptyCache();
          if (!mine.isEmpty()) {
            hosted.clientBlocks().free(mine.removeLast());
          }
        }
      }
    } catch (AllocatorGoneException gone) {
      rejected.incrementAndGet();
    }
  }
}
