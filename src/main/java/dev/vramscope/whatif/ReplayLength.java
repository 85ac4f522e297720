package dev.vramscope.whatif;

import dev.vramscope.model.DeviceSnapshot;

/** How long a recording is to replay, which takes less than a microsecond an event. */
public final class ReplayLength {
  /** A replay begins with the segments and blocks that were there before. */
  private static final int ROWS_PER_EVENT = 3;

  private ReplayLength() {}

  /** Whether a device has at most these events, and not many more segments and blocks. */
  public static boolean isAtMost(int events, DeviceSnapshot device) {
    return device.trace().size() <= events && device.rowCount() <= (long) ROWS_PER_EVENT * events;
  }
}
