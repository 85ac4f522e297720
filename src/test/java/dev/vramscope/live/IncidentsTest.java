package dev.vramscope.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import dev.vramscope.recorder.HistorySettings;
import dev.vramscope.recorder.Recorder;
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
    int failed = service.stored().getFirst().devices().getFirst().trace().size() - 1;
    TracePosition position = new TracePosition("snapshot-1", failed, 0);
    assertEquals(
        new FailureSnapshot.Stored("snapshot-1", Optional.of(position)), incident.snapshot());
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
    Incident next = failing(hosted);
    assertEquals(new FailureSnapshot.Limited(Optional.empty()), next.snapshot());

    // A snapshot on request contains the failures so far.
    String snapshot = hosted.storeSnapshot("snapshot");
    Trace trace = service.stored().getLast().devices().getFirst().trace();
    assertThat(hosted.incidents())
        .allSatisfy(
            incident -> {
              TracePosition position = incident.snapshot().tracePosition().orElseThrow();
              assertThat(trace.ooms().get(position.oom()).event()).isEqualTo(position.event());
            });
    FailureSnapshot located = hosted.incidents().getFirst().snapshot();
    assertEquals(
        new FailureSnapshot.Limited(
            Optional.of(new TracePosition(snapshot, trace.ooms().getLast().event(), 800))),
        located);
  }

  private static Incident failing(HostedAllocator hosted) {
    OutOfDeviceMemoryException failure =
        assertThrows(
            OutOfDeviceMemoryException.class, () -> hosted.allocator().allocate(20 * MIB, 0));
    return hosted.incidentOf(failure).orElseThrow();
  }

  @Test
  void positionInTheTraceAccountsForOverwrittenEvents() {
    HostedOnSim service = new HostedOnSim();
    HostedAllocator hosted =
        service
            .allocators()
            .create(
                new HostingRequest(
                    "test",
                    new DeviceChoice.Sim(10 * MIB),
                    AllocatorKind.CACHING,
                    "",
                    HistorySettings.all().withMaxEvents(50)));
    for (int i = 0; i < 200; i++) {
      hosted.allocator().free(hosted.allocator().allocate(1000, 0));
    }
    Incident incident = failing(hosted);
    TracePosition position = incident.snapshot().tracePosition().orElseThrow();
    Trace trace = service.stored().getFirst().devices().getFirst().trace();
    assertEquals(50, trace.size());
    assertEquals(TraceAction.OOM, trace.action(position.event()));
    assertEquals(trace.ooms().get(position.oom()).event(), position.event());
    long number = ((Incident.OutOfMemory) incident).event();
    assertEquals(hosted.allocator().nextEvent() - 1, number);
    assertThat(number).isGreaterThan(trace.size());
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
            label -> new StoredTrace(label + stored.incrementAndGet(), 0, List.of()),
            () -> Recorder.NO_EVENT,
            Duration.ofSeconds(30),
            () -> Instant.ofEpochMilli(now.get()));
    incidents.outOfMemory(full);
    now.set(29_999);
    incidents.outOfMemory(full);
    now.set(30_000);
    incidents.outOfMemory(full);
    incidents.fault(new DeviceException("cuMemFree failed"));
    FailureSnapshot none = new FailureSnapshot.Limited(Optional.empty());
    assertThat(incidents.latest().stream().map(Incident::snapshot))
        .containsExactly(
            none,
            new FailureSnapshot.Stored("oom2", Optional.empty()),
            none,
            new FailureSnapshot.Stored("oom1", Optional.empty()));
  }

  @Test
  void firstIncidentOfEachSourceIsStoredUpToALimit() {
    SnapshotLimit limit = new SnapshotLimit(Duration.ofSeconds(30));
    assertTrue(limit.allows(RequestSource.CLIENTS, 0));
    for (int run = 1; run <= SnapshotLimit.MAX_FIRST; run++) {
      assertTrue(limit.allows(RequestSource.ofRun(run), 10));
      assertFalse(limit.allows(RequestSource.ofRun(run), 20));
    }
    assertFalse(limit.allows(RequestSource.ofRun(100), 29_999));
    assertTrue(limit.allows(RequestSource.CLIENTS, 30_000));
    assertFalse(limit.allows(RequestSource.ofRun(1), 30_011));
    assertTrue(limit.allows(RequestSource.ofRun(100), 30_011));
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
            () -> Recorder.NO_EVENT,
            Duration.ofSeconds(30),
            () -> Instant.EPOCH);
    incidents.outOfMemory(full);
    incidents.outOfMemory(full);
    assertEquals(1, tries.get());
    List<Incident> latest = incidents.latest();
    assertEquals(new FailureSnapshot.Limited(Optional.empty()), latest.getFirst().snapshot());
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
        new FailureSnapshot.Stored("snapshot-1", Optional.empty()),
        hosted.incidents().getFirst().snapshot());
    assertThrows(AllocatorGoneException.class, () -> hosted.allocator().allocate(1, 0));
    assertEquals(MIB, hosted.allocator().inspect().totals().allocatedBytes());
    other.allocator().allocate(MIB, 0);
    service.allocators().close(hosted.id());
    assertThat(service.allocators().list()).containsExactly(other);
  }
}
