package dev.vramscope.whatif;

import dev.vramscope.device.Streams;
import java.time.Duration;

/**
 * How much a recording may demand of its replays. A recording of a real program is far below; files
 * may be made to be hostile.
 *
 * @param operations requests, frees and completions; each takes 25 bytes while the run is kept
 * @param pools private pools, of less than a kilobyte each while a variant is replayed
 * @param streams streams, and frees that wait for another stream at the same time
 * @param time for the replay of one variant
 */
public record ReplayLimits(int operations, int pools, int streams, Duration time) {
  /** 1.6 GB of operations, and more than a thousand times the time that a million events take. */
  public static final ReplayLimits DEFAULT =
      new ReplayLimits(64_000_000, 1 << 16, Streams.MAX_STREAM, Duration.ofMinutes(2));

  void checkOperations(int found) {
    check("operations", found, operations);
  }

  /** Whether an allocator can hold the segments of a state. */
  boolean allow(int privatePools, int streamCount) {
    return privatePools <= pools && streamCount <= streams;
  }

  void checkPools(int found) {
    check("private pools", found, pools);
  }

  void checkStreams(int found) {
    check("streams or frees that wait for one", found, streams);
  }

  private static void check(String what, int found, int allowed) {
    if (found > allowed) {
      throw new ReplayLimitException(what, found, allowed);
    }
  }
}
