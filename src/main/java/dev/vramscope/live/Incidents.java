package dev.vramscope.live;

import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.device.DeviceException;
import dev.vramscope.store.files.StoreUnavailableException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The incidents of one hosted allocator, with their snapshots as {@link SnapshotLimit} allows. */
final class Incidents {
  private static final Logger LOG = LoggerFactory.getLogger(Incidents.class);
  private static final int MAX_LATEST = 100;

  /** Snapshots that are searched for the failures that were recorded while they were stored. */
  private static final int MAX_TRACES = 8;

  private final Function<String, StoredTrace> snapshot;
  private final LongSupplier failedEvent;
  private final SnapshotLimit limit;
  private final InstantSource clock;

  private final Deque<Incident> latest = new ArrayDeque<>();
  private final Deque<StoredTrace> traces = new ArrayDeque<>();
  private long count;

  /**
   * @param snapshot takes a snapshot and stores it with this label
   * @param failedEvent the event number of the latest failed request of the current thread
   * @param interval the shortest time between two snapshots
   */
  Incidents(
      Function<String, StoredTrace> snapshot,
      LongSupplier failedEvent,
      Duration interval,
      InstantSource clock) {
    this.snapshot = snapshot;
    this.failedEvent = failedEvent;
    limit = new SnapshotLimit(interval);
    this.clock = clock;
  }

  /** Records a failed request, before its caller receives the exception. */
  void outOfMemory(OutOfDeviceMemoryException failure) {
    RequestSource source = RequestSource.current();
    long event = failedEvent.getAsLong();
    FailureSnapshot stored = takeSnapshot("oom", source, event);
    add(new Incident.OutOfMemory(clock.instant(), source, event, failure, stored));
  }

  /** Records a failure of the device. */
  void fault(DeviceException failure) {
    LOG.warn("The device of a hosted allocator failed: {}", failure.getMessage());
    RequestSource source = RequestSource.current();
    String text = String.valueOf(failure.getMessage());
    FailureSnapshot stored = takeSnapshot("fault", source, failedEvent.getAsLong());
    add(new Incident.Fault(clock.instant(), source, text, stored));
  }

  private FailureSnapshot takeSnapshot(String label, RequestSource source, long event) {
    if (!limit.allows(source, clock.millis())) {
      return new FailureSnapshot.Limited(Optional.empty());
    }
    try {
      StoredTrace trace = snapshot.apply(label);
      return new FailureSnapshot.Stored(trace.snapshot(), trace.positionOf(event));
    } catch (StoreUnavailableException down) {
      return new FailureSnapshot.Unavailable(String.valueOf(down.getMessage()), Optional.empty());
    } catch (RuntimeException failure) {
      // The original failure must reach its caller even if the snapshot cannot be stored.
      LOG.error("The snapshot of an incident could not be stored", failure);
      return new FailureSnapshot.Unavailable(FailureMessage.of(failure), Optional.empty());
    }
  }

  private synchronized void add(Incident incident) {
    count++;
    for (StoredTrace trace : traces) {
      incident = located(incident, trace);
    }
    latest.addFirst(incident);
    if (latest.size() > MAX_LATEST) {
      latest.removeLast();
    }
  }

  /** A snapshot was stored, for an incident or on request. Its trace contains earlier failures. */
  synchronized void stored(StoredTrace trace) {
    traces.addLast(trace);
    if (traces.size() > MAX_TRACES) {
      traces.removeFirst();
    }
    List<Incident> all = latest();
    latest.clear();
    all.forEach(incident -> latest.addLast(located(incident, trace)));
  }

  private static Incident located(Incident incident, StoredTrace trace) {
    return switch (incident) {
      case Incident.OutOfMemory oom -> oom.with(trace);
      case Incident.Fault fault -> fault;
    };
  }

  /** The number of incidents so far. */
  synchronized long count() {
    return count;
  }

  /** The latest incidents, newest first. */
  synchronized List<Incident> latest() {
    return new ArrayList<>(latest);
  }

  /** The incident of a failed request, unless it was displaced by newer ones. */
  synchronized @Nullable Incident find(OutOfDeviceMemoryException failure) {
    for (Incident incident : latest) {
      if (incident instanceof Incident.OutOfMemory oom && oom.failure() == failure) {
        return incident;
      }
    }
    return null;
  }
}
