package dev.vramscope.analysis.lifetimes;

import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Trace;

/** The memory that the recorded allocator held, followed through its segment events. */
public final class RecordedReserve {
  private final long mostBytes;
  private long bytes;

  /** At the beginning of the recording. */
  public RecordedReserve(DeviceSnapshot device) {
    Trace trace = device.trace();
    long before = 0;
    for (Segment segment : device.segments()) {
      before += segment.bytes();
    }
    for (int event = 0; event < trace.size(); event++) {
      before -= trace.reservedChange(event);
    }
    bytes = Math.max(0, before);
    long held = bytes;
    long most = held;
    for (int event = 0; event < trace.size(); event++) {
      held += trace.reservedChange(event);
      most = Math.max(most, held);
    }
    mostBytes = most;
  }

  public void add(long change) {
    bytes += change;
  }

  /** Whether this much more was never held at one time, so that the device may be too small. */
  public boolean wouldExceedMost(long moreBytes) {
    return bytes + moreBytes > mostBytes;
  }
}
