package dev.vramscope.live;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Which incidents have a stored snapshot. Many failures in a short time neither fill the store nor
 * wait for it: one snapshot is stored per interval. The first incident of each source is stored in
 * addition, so that every workload run that fails can be explained; at most {@link #MAX_FIRST} of
 * them per interval. Thread-safe.
 */
final class SnapshotLimit {
  /** As many as workloads can run on an allocator. */
  static final int MAX_FIRST = 16;

  private static final int MAX_SOURCES = 1024;

  private final long intervalMillis;
  private long nextMillis = Long.MIN_VALUE;
  private long nextFirstMillis = Long.MIN_VALUE;
  private int firstCount;

  private final Map<RequestSource, Boolean> seenSources =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<RequestSource, Boolean> eldest) {
          return size() > MAX_SOURCES;
        }
      };

  /**
   * @param interval the shortest time between two snapshots that are not the first of their source
   */
  SnapshotLimit(Duration interval) {
    intervalMillis = interval.toMillis();
  }

  /** Whether an incident of this source may store a snapshot now; counts it if it may. */
  synchronized boolean allows(RequestSource source, long now) {
    if (now >= nextMillis) {
      nextMillis = now + intervalMillis;
      seenSources.put(source, true);
      return true;
    }
    if (now >= nextFirstMillis) {
      nextFirstMillis = now + intervalMillis;
      firstCount = 0;
    }
    if (seenSources.containsKey(source) || firstCount == MAX_FIRST) {
      return false;
    }
    firstCount++;
    seenSources.put(source, true);
    return true;
  }
}
