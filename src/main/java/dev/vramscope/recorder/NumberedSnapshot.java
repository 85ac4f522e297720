package dev.vramscope.recorder;

import dev.vramscope.model.Snapshot;
import java.util.Map;

/**
 * A snapshot with the numbers of its events. A recorder numbers the events of an allocator from 0;
 * a trace starts at a later number if older events were overwritten.
 *
 * @param firstEvents the number of the first event of each device's trace, by ordinal
 */
public record NumberedSnapshot(Snapshot snapshot, Map<Integer, Long> firstEvents) {
  public NumberedSnapshot {
    firstEvents = Map.copyOf(firstEvents);
  }

  /** The number of the first event of a device's trace. */
  public long firstEvent(int ordinal) {
    return firstEvents.getOrDefault(ordinal, 0L);
  }
}
