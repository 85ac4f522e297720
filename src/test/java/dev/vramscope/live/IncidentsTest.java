package dev.vramscope.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.device.DeviceException;
import dev.vramscope.device.DeviceLostException;
import dev.vramscope.device.cuda.CudaDriver;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IncidentsTest {
  private static final long MIB = 1L << 20;

  private final OutOfDeviceMemoryException full = new OutOfDeviceMemoryException(1, "full");

  @ParameterizedTest
  @CsvSource({"CACHING,''", "BFC,allow_retry_on_failure=0", "DIRECT,''"})
  void storesStateOfTheFailureAndRemainsUsable(AllocatorKind kind, String settings) {
    HostedOnSim service = new HostedOnSim();
    HostedAllocator hosted = service.host(kind, 100 * MIB, settings);
    long held = hosted.clientBlocks().allocate(40 * MIB, 0, "weights");
    OutOfDeviceMemoryException failure =
        assertThrows(
            OutOfDeviceMemoryException.class,
            () -> hosted.clientBlocks().allocate(80 * MIB, 0, "forward/layer 3"));

    Incident incident = hosted.incidentOf(failure).orElseThrow();
    assertEquals(new FailureSnapshot.Stored("snapshot-1", 1), incident.snapshot());
    assertEquals(failure.getMessage(), incident.text());
    assertThat(service.tags().getFirst().job()).isEqualTo("test");
    assertThat(service.tags().getFirst().labels()).containsExactly("live", "oom");

    Snapshot snapshot = service.stored().getFirst();
    Trace trace = snapshot.devices().getFirst().trace();
    int last = trace.size() - 1;
    assertEquals(TraceAction.OOM, trace.action(last));
    assertThat(snapshot.stacks().framesOf(trace.stack(last)).getFirst().name())
        .isEqualTo("forward/layer 3");

    hosted.clientBlocks().free(held);
    hosted.clientBlocks().allocate(60 * MIB, 0, "again");
    assertTrue(hosted.state().isOpen());
  }

  @Test
  void frequentFailuresAreCountedAndStoredOnce() throws Exception {
    HostedOnSim service = new HostedOnSim(Duration.ofHours(1), new CudaDriver("no-such-library"));
    HostedAllocator hosted = service.caching(10 * MIB);
    List<Future<?>> threadsFailing = new ArrayList<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int thread = 0; thread < 16; thread++) {
        threadsFailing.add(threads.submit(() -> failFiftyTimes(hosted)));
      }
    }
    for (Future<?> thread : threadsFailing) {
      thread.get();
    }
    assertEquals(1, service.stored().size());
    assertEquals(800, hosted.incidentCount());
    assertThat(hosted.incidents()).hasSize(100);
    OutOfDeviceMemoryException next =
        assertThrows(
            OutOfDeviceMemoryException.class, () -> hosted.allocator().allocate(20 * MIB, 0));
    assertEquals(
        new FailureSnapshot.Counted(800, Optional.of(new FailureSnapshot.Stored("snapshot-1", 1))),
        hosted.incidentOf(next).orElseThrow().snapshot());
  }

  private static void failFiftyTimes(HostedAllocator hosted) {
    for (int i = 0; i < 50; i++) {
      assertThrows(
          OutOfDeviceMemoryException.class, () -> hosted.allocator().allocate(20 * MIB, 0));
    }
  }

  @Test
  void storesAnotherSnapshotAfterTheInterval() {
    AtomicLong now = new AtomicLong();
    AtomicInteger stored = new AtomicInteger();
    Incidents incidents =
        new Incidents(
            label -> new SnapshotSink.Stored(label + stored.incrementAndGet(), 1),
            Duration.ofSeconds(30),
            () -> Instant.ofEpochMilli(now.get()));
    incidents.outOfMemory(full);
    now.set(29_999);
    incidents.outOfMemory(full);
    now.set(30_000);
    incidents.outOfMemory(full);
    incidents.fault(new DeviceException("cuMemFree failed"));
    FailureSnapshot.Stored second = new FailureSnapshot.Stored("oom2", 1);
    assertThat(incidents.latest().stream().map(Incident::snapshot))
        .containsExactly(
            new FailureSnapshot.Counted(1, Optional.of(second)),
            second,
            new FailureSnapshot.Counted(1, Optional.of(new FailureSnapshot.Stored("oom1", 1))),
            new FailureSnapshot.Stored("oom1", 1));
  }

  @Test
  void failingStoreIsReportedAndNotRetriedWithinTheInterval() {
    AtomicInteger tries = new AtomicInteger();
    Incidents incidents =
        new Incidents(
            label -> {
              tries.incrementAndGet();
              throw new IllegalStateException("broken");
            },
            Duration.ofSeconds(30),
            () -> Instant.EPOCH);
    incidents.outOfMemory(full);
    incidents.outOfMemory(full);
    assertEquals(1, tries.get());
    List<Incident> latest = incidents.latest();
    assertEquals(new FailureSnapshot.Counted(1, Optional.empty()), latest.getFirst().snapshot());
    assertThat(
            assertInstanceOf(FailureSnapshot.Unavailable.class, latest.getLast().snapshot())
                .reason())
        .isEqualTo("broken");
  }

  @Test
  void lostDeviceIsOneIncidentAndEndsTheAllocator() {
    HostedOnSim service = new HostedOnSim();
    HostedAllocator hosted = service.caching(100 * MIB);
    HostedAllocator other = service.caching(100 * MIB);
    hosted.allocator().allocate(MIB, 0);
    DeviceLostException lost = new DeviceLostException("cuMemAlloc: ECC_UNCORRECTABLE");
    assertSame(
        lost,
        assertThrows(
            DeviceLostException.class,
            () ->
                hosted.runGuarded(
                    () -> {
                      throw lost;
                    })));
    hosted.report(new DeviceLostException("again"));

    assertEquals(new HostedState.Lost("cuMemAlloc: ECC_UNCORRECTABLE"), hosted.state());
    assertEquals(1, hosted.incidentCount());
    assertEquals(
        new FailureSnapshot.Stored("snapshot-1", 1), hosted.incidents().getFirst().snapshot());
    assertThrows(AllocatorGoneException.class, () -> hosted.allocator().allocate(1, 0));
    assertEquals(MIB, hosted.allocator().inspect().totals().allocatedBytes());
    other.allocator().allocate(MIB, 0);
    service.allocators().close(hosted.id());
    assertThat(service.allocators().list()).containsExactly(other);
  }
}
