package dev.vramscope.web.whatif;

import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.web.problem.RefusedRequestException;

/** What a replay needs of a recording. */
public final class ReplayInput {
  private ReplayInput() {}

  /** Rejects a device without a trace, which cannot be replayed. */
  public static void requireTrace(DeviceInspection device) {
    if (!device.hasEvents()) {
      throw RefusedRequestException.notReplayable(
          "Device " + device.ordinal() + " of the snapshot has no trace",
          "device " + device.ordinal(),
          "A replay needs the recorded requests. Call torch.cuda.memory._record_memory_history()"
              + " before the first allocation, then take the snapshot again.");
    }
  }
}
