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
 * What went wrong in one hosted allocator, with evidence. A storm of failures neither fills the
 * store nor waits for it: one snapshot is taken in a certain time, the other failures are counted.
 */
final class Incidents {
  private static final Logger LOG = LoggerFactory.getLogger(Incidents.class);
  private static final int KEPT = 100;

  private final Function<String, SnapshotSink.Stored> snapshot;
  private final long everyMillis;
  private final InstantSource clock;

  private final Deque<Incident> latest = new ArrayDeque<>();
  private long count;
  private long nextSnapshotMillis = Long.MIN_VALUE;
  private long onlyCounted;
  private Optional<FailureSnapshot.Stored> lastStored = Optional.empty();

  /**
   * @param snapshot takes one and stores it with this label
   * @param every a snapshot is taken at most once in this time
   */
  Incidents(Function<String, SnapshotSink.Stored> snapshot, Duration every, InstantSource clock) {
    this.snapshot = snapshot;
    everyMillis = every.toMillis();
    this.clock = clock;
  }

  /** A request failed; its caller has not been told yet. */
  void outOfMemory(OutOfDeviceMemoryException failure) {
    add(new Incident.OutOfMemory(clock.instant(), failure, takeSnapshot("oom")));
  }

  /** The card failed. */
  void fault(DeviceException failure) {
    LOG.warn("A hosted allocator's card failed: {}", failure.getMessage());
    add(
        new Incident.Fault(
            clock.instant(), String.valueOf(failure.getMessage()), takeSnapshot("fault")));
  }

  private FailureSnapshot takeSnapshot(String label) {
    synchronized (this) {
      long now = clock.millis();
      if (now < nextSnapshotMillis) {
        return new FailureSnapshot.Counted(++onlyCounted, lastStored);
      }
      nextSnapshotMillis = now + everyMillis;
      onlyCounted = 0;
    }
    try {
      SnapshotSink.Stored kept = snapshot.apply(label);
      FailureSnapshot.Stored stored = new FailureSnapshot.Stored(kept.id(), kept.oomCount());
      synchronized (this) {
        lastStored = Optional.of(stored);
      }
      return stored;
    } catch (StoreUnavailableException down) {
      return new FailureSnapshot.Unavailable(String.valueOf(down.getMessage()));
    } catch (RuntimeException ours) {
      // The failure that is being explained must reach its caller, whatever becomes of this.
      LOG.error("The snapshot of an incident could not be stored", ours);
      return new FailureSnapshot.Unavailable(FailureText.of(ours));
    }
  }

  private synchronized void add(Incident incident) {
    count++;
    latest.addFirst(incident);
    if (latest.size() > KEPT) {
      latest.removeLast();
    }
  }

  /** How many there were. */
  synchronized long count() {
    return count;
  }

  /** The latest, newest first. */
  synchronized List<Incident> latest() {
    return new ArrayList<>(latest);
  }
}
