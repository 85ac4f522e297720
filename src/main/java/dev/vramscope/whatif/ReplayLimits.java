package dev.vramscope.whatif;

import dev.vramscope.device.Streams;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.PoolId;
import java.time.Duration;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * How much a recording may demand of its replays. A recording of a real program is far below; files
 * may be made to be hostile.
 *
 * @param operations requests, frees and completions; each takes 25 bytes while the run is kept
 * @param pools private pools, of less than a kilobyte each while a variant is replayed
 * @param streams streams, and frees that wait for another stream at the same time
 * @param heapBytes for the state that replays begin with
 * @param time for the replay of one variant
 */
public record ReplayLimits(int operations, int pools, int streams, long heapBytes, Duration time) {
  /** 1.6 GB of operations, and more than a thousand times the time that a million events take. */
  public static final ReplayLimits DEFAULT =
      new ReplayLimits(
          64_000_000,
          1 << 16,
          Streams.MAX_STREAM,
          Runtime.getRuntime().maxMemory() / 3,
          Duration.ofMinutes(2));

  /** A segment, as it was before the first event and in two allocators; the same for a block. */
  private static final long SEGMENT_BYTES = 300;

  private static final long BLOCK_BYTES = 200;

  void checkOperations(int count) {
    check("operations", count, operations);
  }

  void checkPools(int count) {
    check("private pools", count, pools);
  }

  void checkStreams(int count) {
    check("streams or frees that wait for one", count, streams);
  }

  /** Checks what the allocator of a device holds, before any of it is copied. */
  void checkState(DeviceSnapshot device) {
    Set<PoolId> distinctPools = new HashSet<>(device.trace().distinctPools());
    device.segments().forEach(segment -> distinctPools.add(segment.pool()));
    distinctPools.removeIf(pool -> !pool.isPrivate());
    checkPools(distinctPools.size());
    long segments = device.segments().size();
    long blocks = device.blockCount();
    long needed = segments * SEGMENT_BYTES + blocks * BLOCK_BYTES;
    if (needed > heapBytes) {
      throw new ReplayLimitException(
          String.format(
              Locale.ROOT,
              "This recording has %,d segments with %,d blocks, which take about %,d MiB of Java"
                  + " heap in a replay; %,d MiB may be used for it. A larger -Xmx allows more.",
              segments,
              blocks,
              needed >> 20,
              heapBytes >> 20));
    }
  }

  private static void check(String what, int count, int allowed) {
    if (count > allowed) {
      throw new ReplayLimitException(what, count, allowed);
    }
  }
}
