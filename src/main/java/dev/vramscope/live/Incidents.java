package dev.vramscope.live;

import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.device.DeviceException;
import dev.vramscope.store.StoreUnavailableException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The incidents of one hosted allocator, with their snapshots. Many failures in a short time
 * neither fill the store nor wait for it: at most one snapshot is stored per interval, the other
 * failures are counted.
 */
final class Incidents {
  private static final Logger LOG = LoggerFactory.getLogger(Incidents.class);
  private static final int MAX_LATEST = 100;

  private final Function<String, SnapshotSink.Stored> snapshot;
  private final long intervalMillis;
  private final InstantSource clock;

  private final Deque<Incident> latest = new ArrayDeque<>();
  private long count;
  private long nextSnapshotMillis = Long.MIN_VALUE;
  private long countedSinceSnapshot;
  private Optional<FailureSnapshot.Stored> lastStored = Optional.empty();

  /**
   * @param snapshot takes a snapshot and stores it with this label
   * @param interval the shortest time between two snapshots
   */
  Incidents(
      Function<String, SnapshotSink.Stored> snapshot, Duration interval, InstantSource clock) {
    this.snapshot = snapshot;
    intervalMillis = interval.toMillis();
    this.clock = clock;
  }

  /** Records a failed request, before its caller receives the exception. */
  void outOfMemory(OutOfDeviceMemoryException failure) {
    add(new Incident.OutOfMemory(clock.instant(), failure, takeSnapshot("oom")));
  }

  /** Records a failure of the device. */
  void fault(DeviceException failure) {
    LOG.warn("The device of a hosted allocator failed: {}", failure.getMessage());
    add(
        new Incident.Fault(
            clock.instant(), String.valueOf(failure.getMessage()), takeSnapshot("fault")));
  }

  private FailureSnapshot takeSnapshot(String label) {
    synchronized (this) {
      long now = clock.millis();
      if (now < nextSnapshotMillis) {
        return new FailureSnapshot.Counted(++countedSinceSnapshot, lastStored);
      }
      nextSnapshotMillis = now + intervalMillis;
      countedSinceSnapshot = 0;
    }
    try {
      SnapshotSink.Stored result = snapshot.apply(label);
      FailureSnapshot.Stored stored = new FailureSnapshot.Stored(result.id(), result.oomCount());
      synchronized (this) {
        lastStored = Optional.of(stored);
      }
      return stored;
    } catch (StoreUnavailableException down) {
      return new FailureSnapshot.Unavailable(String.valueOf(down.getMessage()));
    } catch (RuntimeException failure) {
      // The original failure must reach its caller even if the snapshot cannot be stored.
      LOG.error("The snapshot of an incident could not be stored", failure);
      return new FailureSnapshot.Unavailable(FailureText.of(failure));
    }
  }

  private synchronized void add(Incident incident) {
    count++;
    latest.addFirst(incident);
    if (latest.size() > MAX_LATEST) {
      latest.removeLast();
    }
  }

  /** The number of incidents so far. */
  synchronized long count() {
    return count;
  }

  /** The latest incidents, newest first. */
  synchronized List<Incident> latest() {
    return new ArrayList<>(latest);
  }
}
